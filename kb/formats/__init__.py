"""Import and export: one module per format, with a common interface, in two registries.

An exporter writes a `Book` to a stream; an importer reads a stream into a `Batch`. Both are pure.
To add a format, write a module here and add it to `EXPORTERS` or `IMPORTERS`; command line, help
and app read these registries.
"""

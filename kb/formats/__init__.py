"""Import and export: one module for each format, all of one shape, in two registries.

An exporter turns a `Book` into text; an importer turns a text into a `Batch`. Both are
pure. To add a format, write a module beside these and name it in `EXPORTERS` or
`IMPORTERS`; the command line, its help and the app read the registries.
"""

from kb.formats.registry import EXPORTERS, IMPORTERS, exporter, importer, read_file

__all__ = ["EXPORTERS", "IMPORTERS", "exporter", "importer", "read_file"]

"""The index: a port, and an engine behind it in a folder of its own.

``port``  what any engine must do
``fts5``  SQLite's own full-text index; the only place that knows its language
"""

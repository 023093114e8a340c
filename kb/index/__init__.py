"""The index: a port, and an engine behind it in a folder of its own.

``port``    what any engine must do
``ranked``  postings of our own, in the file of the store
``fts5``    SQLite's own full-text index beside it, for other programs; no engine
"""

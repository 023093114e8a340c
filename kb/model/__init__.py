"""The records of the knowledge base: immutable, without any I/O.

An *entry* is a question, a card or a note. It has texts by language: the *answers* of a source
and the reference answers. *Snippets* are its programs. *Annotations* mark spans of a text as
weak, and say what is true; a program can be their *evidence*.

``json`` reads and writes their JSON (``schema_version`` 1), and ``entry_json`` declares the form of
entries. A missing, invalid or unknown value is a `BadData` with its place and the nearest valid key
or value.

All offsets count characters (code points) from 0, and ``end`` is exclusive.
"""

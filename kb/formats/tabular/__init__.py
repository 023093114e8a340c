"""Tables: our own, which keep their ids, and foreign ones in any dialect.

``dialect``  finds out letters and signs of a table: its encoding, what parts and quotes cells
``columns``  what each column is, by its name or as the reader says
``reading``  rows to entries
``anki``     Anki's plain text: rows that are notes, behind lines that say how they are written
"""

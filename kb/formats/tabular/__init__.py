"""Tables: our own, which keep their ids, and foreign ones in any dialect.

``dialect``  detects the encoding, separator and quotes of a table
``reading``  the role of each column, by its name or as the reader says, and rows to entries
``anki``     Anki's plain text: a table of notes after lines that describe it
"""

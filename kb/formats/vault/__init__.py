"""Export as an Obsidian vault: a folder with one note per entry, without loss.

`writing` makes and places the notes, and `files` restores the bytes of imported notes. `reading`
imports a vault through the Markdown reader: the text of a note takes precedence over its comments.
"""

"""The parts of the main screen, each with its own state and commands.

``pane``      what they have in common
``search``    the search box, filters and collections, and what came of them
``listing``   the entries that were found
``entry``     the entry that is read
``snippets``  the program that runs
``notes``     what the reader adds to an entry
``work``      imports, exports and verifications
``writing``   what is done to entries: written, changed, moved, tagged, deleted, and undone
"""

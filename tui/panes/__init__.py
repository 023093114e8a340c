"""The parts of the main screen, each with its own state and commands.

``pane``      their base class
``search``    the search box, filters and collections, and the list of results
``entry``     the entry being read
``snippets``  the running program
``notes``     the reader's additions to an entry
``work``      imports, exports and verifications
``writing``   changes of entries: write, edit, move, tag, delete, undo
"""

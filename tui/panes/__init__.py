"""The parts of the main screen, each with its own state and commands.

``pane``      their base class
``search``    the search box, filters, collections and results
``listing``   the list of found entries
``entry``     the entry being read
``snippets``  the running program
``notes``     the reader's additions to an entry
``work``      imports, exports and verifications
``writing``   changes of entries: write, edit, move, tag, delete, undo
"""

"""The store on SQLite: connections, migrations, rows to records.

``files``       checks of a file and its journals, and its atomic creation and replacement
``driver``      the SQLite library, connections with their transactions, the meaning of errors
``database``    one file: a connection for each thread, opening, migration
``store``       the whole store; its parts are the other modules
"""

"""The store on SQLite: connections, migrations, rows to records.

``files``       where a file lies, how a new one is put there whole, copies beside it
``driver``      which SQLite, how a connection is set up, what its errors mean
``connection``  statements, transactions, deadlines on one connection
``database``    one file: a connection for each thread, opening, bringing up to date
``schema``      the migrations
``store``       all of it; its parts are the modules beside it
"""

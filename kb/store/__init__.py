"""The SQLite file: connections, migrations, rows to records. The only place that speaks SQL.

``driver``      which SQLite, how a connection is set up, what its errors mean
``schema``      the migrations
``database``    one file: a connection for each thread, transactions, meta data
``entries``     entries, snippets, annotations and sources: records to rows and back
``conditions``  what narrows a query, as SQL
``index``       the FTS5 index of analysed terms: write, retrieve, look up words
"""

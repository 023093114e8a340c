"""The SQLite file: connections, migrations, rows to records. The only place that speaks SQL.

``driver``      which SQLite, how a connection is set up, what its errors mean
``schema``      the migrations
``database``    one file: a connection for each thread, transactions, meta data
``entries``     entries and what belongs to them: stored, renewed, read whole
``rows``        records to the values of rows, and back
``queries``     lists, hits, names and counts
``conditions``  what narrows a query, as SQL
``index``       the FTS5 index of analysed terms: write, retrieve
``forward``     each document's terms in order, for a second look
``terms``       the words of the index
``glossary``    names of concepts in several languages
"""

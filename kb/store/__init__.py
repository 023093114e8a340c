"""The storage: one SQLite file. Besides the index, only this package contains SQL.

``rows``    the records that queries return
``sqlite``  the database file, with a module for each kind of data
"""

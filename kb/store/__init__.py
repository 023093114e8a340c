"""The storage: one SQLite file. Besides the index, only this package contains SQL.

``rows``    what it tells of what it keeps
``sqlite``  the file, and each kind of what it keeps
"""

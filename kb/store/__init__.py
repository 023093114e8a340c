"""The storage: one SQLite file. Besides the index, only this package contains SQL."""

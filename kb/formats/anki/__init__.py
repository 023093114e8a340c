"""Anki packages: a SQLite file with notes in a zip archive."""

"""Anki's packages: decks of notes in a SQLite file within a zip archive."""

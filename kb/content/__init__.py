"""The bundled knowledge under ``data/``: read, checked, and turned into records.

``tables``    a TOML file whose every mistake is named by file, line and key
``sources``   the documents as received
``snippets``  the programs, their titles, and which of them are trusted
``entries``   questions, cards and notes with their answers and annotations
``bundle``    all of it together, and what of it was looked at
``place``     where ``data/`` lies
``sync``      all of it into a database
"""

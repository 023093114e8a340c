"""The bundled knowledge in ``data/``: read, checked, and converted to records.

``tables``    TOML files, with each mistake reported by file, line and key
``sources``   the documents as received
``snippets``  the programs, their titles, and which of them are trusted
``mistakes``  the report of mistakes: the first is raised, or all are collected
``context``   the data that entries may refer to, and the rules for our own texts
``orthography``  the rules of written Persian
``formulas``  formulas in right-to-left text, which keep their order
``entries``   questions, cards and notes with their answers
``annotations``  claims on their exact spans, each with its evidence
``glossary``  the terms of the field, and ``dictionary``, a reader's own
``drift``     facts that only one language of a text has
``folder``    a whole folder; ``accepted``, the reviewed evidence
``location``  the path of ``data/``, and whether its files changed
"""

"""The bundled knowledge in ``data/``: read, checked, and converted to records.

``tables``    a TOML file whose every mistake is named by file, line and key
``sources``   the documents as received
``snippets``  the programs, their titles, and which of them are trusted
``mistakes``  where what is wrong is reported: raised at once, or kept and told at once
``context``   what entries may speak of, and what is asked of every text of ours
``orthography``  how Persian is written
``formulas``  formulas in right-to-left text, kept from being turned round
``entries``   questions, cards and notes with their answers
``annotations``  claims on their exact spans, each with its evidence
``glossary``  the terms of the field, and ``dictionary``, a reader's own
``drift``     what one language of a text says and the other does not
``folder``    all of it; ``accepted``, what of it was looked at
``location``  where ``data/`` lies, and whether anything in it changed
"""

"""The bundled knowledge in ``data/``: read, checked, and converted to records.

``bundled``      where the bundled content lies, and whether it changed
``tables``       TOML files with each mistake by file, line and key
``context``      what the readers of a folder share; the rules of written Persian
``annotations``  claims on their exact spans, each with its evidence; the documents as received
``entries``      questions, cards and notes with their answers; the programs
``glossary``     words in two languages: glossary, vocabulary, dictionaries, parallel texts
``drift``        facts that only one language of a text has
``folder``       a whole folder, and its reviewed evidence
``release``      what was confirmed for the release, and its charts
"""

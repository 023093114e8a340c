"""The bundled knowledge under ``data/``: read, checked, and turned into records.

``tables``    a TOML file whose every mistake is named by file, line and key
``sources``   the documents as received
``snippets``  the programs, their titles, and which of them are trusted
``entries``   questions, cards and notes with their answers and annotations
``bundle``    where ``data/`` lies, and all of it together
"""

from kb.content.bundle import Content, bundled_folder, read_content, stamp
from kb.content.snippets import trusted_digests

__all__ = ["Content", "bundled_folder", "read_content", "stamp", "trusted_digests"]

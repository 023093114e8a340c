"""Terms for an index with a tokenizer of its own, in one line."""

from __future__ import annotations

from kb.text.analyzer import indexed

SEPARATOR = "\u01c0"
"""Stands between the terms in order and the other forms: a letter nobody types."""


def index_text(text: str, lang: str) -> str:
    """Return what is handed to an index with a tokenizer of its own, which leaves it as it is.

    >>> index_text("The matrices", "en").split()
    ['the', 'matrix', 'ǀ', 'matrices']
    """
    stems, forms = indexed(text, lang)
    return " ".join([*stems, SEPARATOR, *forms] if forms else stems)

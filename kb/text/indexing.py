"""What a text is indexed by, stretch by stretch."""

from __future__ import annotations

from itertools import chain

from kb.text.stretches import EDGES, analyzed, stretches

SEPARATOR = "\u01c0"
"""Stands between the terms in order and the other forms: a letter nobody types."""


def indexed(text: str, lang: str) -> tuple[list[str], list[str]]:
    """Return the terms of a text in order, and the other forms that are indexed beside them.

    Every term is made of letters, digits and marks alone.

    >>> indexed("The matrices", "en")
    (['the', 'matrix'], ['matrices'])
    """
    known = analyzed(lang)
    # What is no part of a word says nothing here: without it there are fewer stretches.
    found = [known[each.strip(EDGES)] for each in stretches(text, lang)]
    stems = chain.from_iterable([each.stems for each in found])
    forms = chain.from_iterable([each.forms for each in found if each.forms])
    return list(stems), list(forms)


def index_text(text: str, lang: str) -> str:
    """Return what is handed to an index with a tokenizer of its own, which leaves it as it is.

    >>> index_text("The matrices", "en").split()
    ['the', 'matrix', 'ǀ', 'matrices']
    """
    stems, forms = indexed(text, lang)
    return " ".join([*stems, SEPARATOR, *forms] if forms else stems)

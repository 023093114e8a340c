"""What a text is indexed by, stretch by stretch."""

from __future__ import annotations

from itertools import chain

from kb.text.stretches import EDGES, analyzed, stretches


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

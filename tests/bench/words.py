"""A query as words or as runs of letters, for rivals whose query language wants it so."""

from __future__ import annotations

import re
import unicodedata

_MARKS = "".join(c for c in map(chr, range(0x300, 0x3100)) if unicodedata.category(c)[0] == "M")
_LETTER = rf"[\w{_MARKS}]"

WORD = rf"{_LETTER}+"
"""A word: Python's ``\\w`` with the combining marks, which many scripts spell vowels with."""

UNSPACED = frozenset({"th", "zh"})
"""The languages that write no spaces between words."""

MARKED = frozenset({"hi"})
"""The languages whose words fall apart where marks are taken for no letters."""


def grams_pattern(size: int) -> str:
    """Return what finds every run of ``size`` letters, overlapping.

    >>> re.findall(grams_pattern(2), "abc de")
    ['ab', 'bc', 'de']
    """
    return rf"(?=({_LETTER}{{{size}}}))"


def terms(text: str, lang: str, size: int) -> list[str]:
    """Return the words of a text, or its runs of ``size`` letters where words are not spaced."""
    return re.findall(grams_pattern(size) if lang in UNSPACED else WORD, text)

"""Terms as characters, so that a text in terms can be searched as fast as Python can read.

A term is spelled as one character beyond the basic plane: finding a term is finding a
character, and a phrase is a string. There are 2**20 such characters: that two terms of a
document share one is rare, and then touches its rank alone.
"""

from __future__ import annotations

import zlib
from collections.abc import Iterable
from functools import lru_cache
from typing import NamedTuple

from kb.text.analyzer import SEPARATOR

_FIRST = 0x10000
_FORMS = "\t"


class CodedText(NamedTuple):
    """The terms of a text in order, and the other forms that are indexed beside them."""

    stems: str
    forms: str


@lru_cache(maxsize=1 << 14)
def code_of(term: str) -> str:
    """Return the character that stands for a term, the same in every file."""
    return chr(_FIRST + (zlib.crc32(term.encode()) & 0xFFFFF))


def coded(terms: Iterable[str]) -> str:
    """Return terms in order as a string.

    >>> len(coded(["gradient", "descent"]))
    2
    """
    return "".join(map(code_of, terms))


def coded_text(indexed: str) -> CodedText:
    """Return what `kb.text.analyzer.index_text` gave of a text, coded.

    >>> [len(part) for part in coded_text(f"the matrix {SEPARATOR} matrices")]
    [2, 1]
    """
    stems, _, forms = indexed.partition(SEPARATOR)
    return CodedText(coded(stems.split()), coded(forms.split()))


def packed(text: CodedText) -> str:
    """Return a coded text as one string."""
    return f"{text.stems}{_FORMS}{text.forms}"


def unpacked(text: str) -> CodedText:
    """Return the coded text of such a string."""
    stems, _, forms = text.partition(_FORMS)
    return CodedText(stems, forms)

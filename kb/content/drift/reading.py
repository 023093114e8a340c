"""A text as the rules of drift read it: plain letters, clauses, and words with their stems.

Letters and digits are made plain one for one, so that every place counts in the text as it was
written.

>>> plain("۲٬۰۰۰ كار − 1")
'2,000 کار - 1'
>>> one = read("It is so. But: not here!", "en")
>>> [one.text[start:end] for start, end in one.clauses]
['It is so.', 'But:', 'not here!']
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

from kb.text.analyzer import analyze

Place = tuple[int, int]

_PLAIN = str.maketrans(
    "۰۱۲۳۴۵۶۷۸۹٠١٢٣٤٥٦٧٨٩٬٫٪يىك−–’‑",
    "01234567890123456789,.%ییک--'-",
)
# A colon or a semicolon ends a clause, too: what one language tells in a sentence of its own
# the other often tells behind one.
_CLAUSE = re.compile(
    r"[^\n]+?(?:(?<!\be\.g)(?<!\bi\.e)(?<!\bal)[.!?؟…;؛:]+[»”\")]*(?=\s)|(?=\n)|$)"
)


class Word(NamedTuple):
    """A word by its stem, and where it stands."""

    stem: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Reading:
    """A text in plain letters, with its clauses and words in order."""

    lang: str
    text: str
    clauses: tuple[Place, ...]
    words: tuple[Word, ...]

    def within(self, start: int, end: int) -> Iterator[Word]:
        """Yield the words of a stretch."""
        return (word for word in self.words if start <= word.start < end)


def plain(text: str) -> str:
    """Return a text with one spelling for letters, digits and signs, none longer or shorter."""
    return text.translate(_PLAIN)


def read(text: str, lang: str) -> Reading:
    """Return a text of a language as it is compared."""
    written = plain(text)
    words = tuple(
        Word(term.text, term.start, term.end)
        for word in analyze(written, lang)
        for term in word.terms
    )
    return Reading(lang, written, tuple(_clauses(written)), words)


def _clauses(text: str) -> Iterator[Place]:
    for found in _CLAUSE.finditer(text):
        start = found.start() + len(found[0]) - len(found[0].lstrip())
        if start < found.end():
            yield start, found.end()

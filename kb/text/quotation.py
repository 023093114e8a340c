"""Locates quoted words in a text that may have changed.

A quotation is stored with its context, like the TextQuoteSelector of the W3C Web Annotation Data
Model (https://www.w3.org/TR/annotation-model/#text-quote-selector).
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from kb.text.fold import fold

AROUND = 32
"""The number of context characters stored on each side of a quotation."""

# So long a quotation is found by itself; a shorter one needs to have kept some of its surroundings.
_TELLING = 16
_KEPT = 0.25

_INVISIBLE = "\u200b\u200c\u200d\u200e\u200f"


class Quotation(NamedTuple):
    """Quoted words, their context, and their start."""

    exact: str
    prefix: str = ""
    suffix: str = ""
    start: int = 0


def quote(text: str, start: int, end: int) -> Quotation:
    """Return the quotation of ``text[start:end]``.

    >>> quote("the loss falls", 4, 8)
    Quotation(exact='loss', prefix='the ', suffix=' falls', start=4)
    """
    before, after = text[max(0, start - AROUND) : start], text[end : end + AROUND]
    return Quotation(text[start:end], before, after, start)


def find_quotation(text: str, quotation: Quotation) -> tuple[int, int] | None:
    """Return the current position of a quotation in a text, or nothing if it is gone.

    If there are several, the one with the most similar context wins, then the nearest.
    Blanks, invisible marks and the spelling of letters may have changed.

    >>> find_quotation("At first the loss falls.", quote("the loss falls", 4, 8))
    (13, 17)
    >>> find_quotation("شبکه‌ي عصبي", quote("شبکه عصبی", 0, 9)) is None
    True
    >>> find_quotation("شبکه\u200cهاي عصبي", quote("شبکه های عصبی", 0, 13))
    (0, 13)
    """
    places = list(_exactly(text, quotation.exact)) or list(_folded(text, quotation.exact))
    if not places:
        return None
    best = max(
        places,
        key=lambda place: (_agreement(text, place, quotation), -abs(place[0] - quotation.start)),
    )
    needed = _KEPT * (len(quotation.prefix) + len(quotation.suffix))
    told = len(quotation.exact) >= _TELLING or _agreement(text, best, quotation) >= needed
    return best if told else None


def _exactly(text: str, words: str) -> Iterator[tuple[int, int]]:
    start = text.find(words) if words else -1
    while start >= 0:
        yield start, start + len(words)
        start = text.find(words, start + 1)


def _folded(text: str, words: str) -> Iterator[tuple[int, int]]:
    """Yield the places with the same letters, whatever is between them."""
    letters, origins = _letters(text)
    wanted, _ = _letters(words)
    for start, end in _exactly(letters, wanted):
        yield origins[start], origins[end - 1] + 1


def _letters(text: str) -> tuple[str, list[int]]:
    """Return the normalized letters of a text with their positions."""
    folded: list[str] = []
    origins: list[int] = []
    for place, char in enumerate(text):
        letters = fold(char) if char.isalnum() else char.strip(_INVISIBLE).strip()
        folded.extend(letters)
        origins.extend([place] * len(letters))
    return "".join(folded), origins


def _agreement(text: str, place: tuple[int, int], quotation: Quotation) -> int:
    """Return how many context characters at a place agree with the quotation's."""
    start, end = place
    before = text[max(0, start - len(quotation.prefix)) : start]
    kept = shared_length(reversed(before), reversed(quotation.prefix))
    return kept + shared_length(text[end : end + AROUND], quotation.suffix)


def shared_length(one: Iterable[str], other: Iterable[str]) -> int:
    """Return the length of the common prefix."""
    pairs = itertools.takewhile(lambda pair: pair[0] == pair[1], zip(one, other, strict=False))
    return sum(1 for _ in pairs)

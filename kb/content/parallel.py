"""Parallel texts: sentences with their translations.

They come from files with one tab-separated pair per line, or from two texts with the same
structure.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from pathlib import Path

from kb import limits
from kb.content.glossary import first_two
from kb.errors import BadData, Message
from kb.foreign import size

Pair = tuple[str, str]
"""A sentence and its translation."""

_HINT = Message("Write a sentence, a tab, and its translation.")
_LINE = re.compile(r"\n+")
_SENTENCE = re.compile(r"(?<=[.!?؟…])\s+")


def read_parallel(files: Iterable[Path]) -> list[Pair]:
    """Return the pairs of all files; an error names the broken line.

    Raises `NotFound` without a file, and `BadData` for a line without two columns, for a file
    without pairs, and for too many pairs.
    """
    pairs: list[Pair] = []
    for file in files:
        found = [(one, other) for _, one, other in first_two(file, _HINT)]
        if not found:
            raise BadData("contains no pair of sentences", _HINT, place=file)
        pairs = within_limits([*pairs, *found], Message("these files"))
    return pairs


def within_limits(pairs: Iterable[Pair], what: Message) -> list[Pair]:
    """Return the pairs that are not empty; raise `BadData` if ``what`` contains too many."""
    taken: list[Pair] = []
    room = limits.DICTIONARY
    for one, other in pairs:
        if one and other:
            room -= len(one) + len(other)
            taken.append((one, other))
        if room < 0 or len(taken) > limits.PAIRS:
            raise BadData(
                "{what} contain more than {most:,} pairs of sentences, or {size}",
                "Learn from a part of them.",
                what=what,
                most=limits.PAIRS,
                size=size(limits.DICTIONARY),
            )
    return taken


def divided(one: str, other: str) -> Iterator[Pair]:
    """Yield the corresponding parts of a text and its translation: sentences if possible.

    Lines correspond if both texts have the same number of them, and so do their sentences.

    >>> list(divided("One. Two.\\n\\nThree!", "یک. دو.\\nسه!"))
    [('One.', 'یک.'), ('Two.', 'دو.'), ('Three!', 'سه!')]
    >>> list(divided("One. Two.", "یک و دو."))
    [('One. Two.', 'یک و دو.')]
    """
    for line, translated in _paired(_LINE, one, other):
        yield from _paired(_SENTENCE, line, translated)


def _paired(between: re.Pattern[str], one: str, other: str) -> list[Pair]:
    parts = between.split(one.strip()), between.split(other.strip())
    alike = len(parts[0]) == len(parts[1])
    return list(zip(*parts, strict=True)) if alike else [(one, other)]

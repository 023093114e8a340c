"""A wrapped line as a terminal must print it: shaped, in visual order, with an index map.

Terminals put characters in cells from left to right, as they come. `turn` takes one
line of a paragraph that is already wrapped, in logical order, and gives what to print
together with the logical index of each code point, so that styles, marks and
selections follow.

The base direction belongs to the paragraph: ask `base_direction` for the whole
paragraph before it is wrapped. The line itself is resolved alone, without the
lines around it.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from itertools import chain
from typing import Literal, NamedTuple

from kb.text.languages import right_to_left

# Zero-width characters that have done their work once a line is shaped and in order.
# Some terminals give them a cell.
_INVISIBLE = frozenset(
    "\u061c\u200b\u200c\u200d\u200e\u200f\u2060\ufeff"
    "\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069"
)
Direction = Literal["auto", "ltr", "rtl", "base-rtl"]
"""How a text runs: by its first letter, or one way throughout.

``rtl`` leaves a paragraph alone that has no such letters; ``base-rtl`` says that it, too, is
part of what runs right to left: a label, a line of a form.
"""

ISOLATE = "\u2066"
"""Begins what reads from left to right as one (LRI)."""

ISOLATE_END = "\u2069"
"""Ends it (PDI)."""

_ZWJ = "\u200d"
_SKIN_TONES = frozenset("\U0001f3fb\U0001f3fc\U0001f3fd\U0001f3fe\U0001f3ff")
# Every block that holds right-to-left letters or numbers, and the direction controls.
_TURNING = re.compile(
    "[\u0590-\u08ff\u200f\u202a-\u202e\u2066-\u2069\ufb1d-\ufdff\ufe70-\ufefe"
    "\U00010800-\U00010fff\U0001e800-\U0001efff]"
)


class VisualLine(NamedTuple):
    """What to print, and where it comes from: ``text[i]`` shows ``line[order[i]]``.

    Zero-width joiners and direction controls are left out, so ``order`` may be
    shorter than the line. Each combining mark stays behind its base.
    """

    text: str
    order: tuple[int, ...]


def base_direction(paragraph: str) -> int:
    """Return 1 for a paragraph that runs right to left by its first strong letter, else 0."""
    if not has_rtl(paragraph):
        return 0
    from kb.display.bidi.algorithm import paragraph_level

    return paragraph_level(paragraph)


def direction_of(lang: str) -> Direction:
    """Return how texts in a language run: right to left, or as their first letter says.

    >>> direction_of("fa"), direction_of("en")
    ('rtl', 'auto')
    """
    return "rtl" if lang in right_to_left() else "auto"


def base_of(paragraph: str, direction: Direction) -> int:
    """Return the base level of a paragraph: 1 for right to left, else 0.

    In a text that runs right to left, so does every paragraph with such letters, also one
    that begins with an English term; a line of code without any keeps its own.
    """
    if direction in ("ltr", "base-rtl"):
        return int(direction == "base-rtl")
    return int(has_rtl(paragraph)) if direction == "rtl" else base_direction(paragraph)


def has_rtl(text: str) -> bool:
    """Say whether a text holds any right-to-left letter."""
    return _TURNING.search(text) is not None


def is_rtl(paragraph: str) -> bool:
    """Say whether a paragraph runs right to left.

    >>> is_rtl("یادگیری GPU"), is_rtl("GPU یادگیری"), is_rtl("42")
    (True, False, False)
    """
    return base_direction(paragraph) == 1


@lru_cache(maxsize=4096)
def turn(line: str, base: int) -> VisualLine:
    """Return a wrapped line in visual order; ``base`` is the direction of its paragraph.

    A line without anything to turn comes back as it is.

    >>> turn("a < b", 0)
    VisualLine(text='a < b', order=(0, 1, 2, 3, 4))
    >>> turn("x (1).", 1)
    VisualLine(text='.x (1)', order=(5, 0, 1, 2, 3, 4))
    """
    if not base and not _TURNING.search(line):
        return VisualLine(line, tuple(range(len(line))))
    # Text that runs one way only, which is most of it, is shown without the algorithm.
    from kb.display.bidi.algorithm import levels, visual_order
    from kb.display.bidi.mirroring import mirror
    from kb.display.bidi.shaping import shape

    line_levels = levels(line, base)
    shaped = shape(line)
    clusters = _clusters(line)
    ranks = visual_order([line_levels[cluster[0]] for cluster in clusters])
    order = tuple(chain.from_iterable(clusters[rank] for rank in ranks))
    text = "".join(mirror(shaped[i]) if line_levels[i] % 2 else shaped[i] for i in order)
    return VisualLine(text, order)


def _clusters(line: str) -> list[list[int]]:
    """Group the visible characters of a line: a base and what the terminal puts on it.

    Invisible characters are in no cluster, except the ZWJ that makes several emoji one.
    """
    clusters: list[list[int]] = []
    joined = False
    for place, char in enumerate(line):
        joins = char == _ZWJ and _joins_emoji(line, place)
        if char in _INVISIBLE and not joins:
            continue
        if clusters and (joins or joined or _extends(char)):
            clusters[-1].append(place)
        else:
            clusters.append([place])
        joined = joins
    return clusters


def _joins_emoji(line: str, place: int) -> bool:
    """Say whether the ZWJ at ``place`` makes one sign of what stands around it."""
    after = line[place + 1 : place + 2]
    return place > 0 and after != "" and unicodedata.category(after) == "So"


@lru_cache(maxsize=4096)
def _extends(char: str) -> bool:
    """Say whether a character is drawn on the one before it."""
    return not char.isascii() and (
        char in _SKIN_TONES or unicodedata.category(char) in ("Mn", "Me")
    )

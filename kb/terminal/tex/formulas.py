"""Formulas within a text, shown as readable Unicode, every character with its place.

Only what is shown changes. What is no formula stays untouched, and so does one that
cannot be read.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from kb.terminal.bidi.direction import ISOLATE, ISOLATE_END, has_rtl

if TYPE_CHECKING:
    from kb.terminal.tex.delimiters import Delimited


_LRM = "\u200e"
_KINDS = {"R": "r", "AL": "r", "AN": "r", "WS": "b", "NSM": "m", "BN": "m"}


class Formula(NamedTuple):
    """A formula: where it stands in the text, its marks with it, and what is shown for it."""

    start: int
    end: int
    glyphs: Sequence[Glyph]


class Shown(NamedTuple):
    """A text as it is shown: ``text[i]`` stands for ``places[i]`` of the text as it is written.

    Places never go back. Those of a formula's marks and braces are left out.
    """

    text: str
    places: Sequence[int]


def with_formulas(text: str) -> Shown:
    r"""Return a text with its formulas readable.

    In a line with right-to-left letters each stands in an isolate, so that it reads from
    left to right as one; Persian in it reads from right to left at its own place.

    >>> with_formulas(r"It takes $n^2$ steps and $5.").text
    'It takes n² steps and $5.'
    >>> with_formulas("A ∈ ℝ^(100×5) and e^(xⱼ−m)").text
    'A ∈ ℝ¹⁰⁰ˣ⁵ and e^(xⱼ−m)'
    >>> with_formulas(r"So \(\frac{a}{b}\)").places
    (0, 1, 2, 11, 13, 14)
    """
    formulas = formulas_of(text)
    if not formulas:
        return Shown(text, range(len(text)))
    shown: list[Glyph] = []
    done, line, rtl = 0, -1, False
    for formula in formulas:
        if formula.start > line:
            line = text.find("\n", formula.end) % (len(text) + 1)
            rtl = has_rtl(text[text.rfind("\n", 0, formula.start) + 1 : line])
        shown += map(Glyph, text[done : formula.start], range(done, formula.start))
        shown += isolated(formula) if rtl else formula.glyphs
        done = formula.end
    shown += map(Glyph, text[done:], range(done, len(text)))
    return Shown(text_of(shown), tuple(glyph.place for glyph in shown))


def whole(text: str, start: int, end: int) -> tuple[int, int]:
    """Widen a span of a text to all of the formulas that it cuts into.

    >>> whole("so $a + b$ is", 0, 6), whole("so $a + b$ is", 5, 5), whole("so $a + b$ is", 3, 3)
    ((0, 10), (3, 10), (3, 3))
    """
    for formula in formulas_of(text):
        if formula.start < end and start < formula.end:
            start, end = min(start, formula.start), max(end, formula.end)
    return start, end


@lru_cache(maxsize=256)
def formulas_of(text: str) -> tuple[Formula, ...]:
    """Return the formulas of a text that can be read, in order and apart."""
    if not any(mark in text for mark in "$\\^"):
        return ()
    from kb.terminal.tex.delimiters import next_candidate  # most texts have none

    found = []
    candidate = next_candidate(text)
    while candidate is not None:
        glyphs = _read(candidate)
        if glyphs:
            found.append(Formula(candidate.start, candidate.end, glyphs))
        candidate = next_candidate(text, candidate.end if glyphs else candidate.after)
    return tuple(found)


def _read(candidate: Delimited) -> list[Glyph]:
    """Return what is shown for a formula; nothing if it is none, or all of it is unknown."""
    if candidate.power:
        from kb.terminal.tex.delimiters import raised

        return raised(candidate.tex, candidate.start)
    from kb.terminal.tex.commands import read
    from kb.terminal.tex.reader import Unreadable

    try:
        glyphs = read(candidate.tex, candidate.inside)
    except Unreadable:
        return []
    unknown = "\\" in candidate.tex and text_of(glyphs) == candidate.tex.strip()
    return [] if unknown else glyphs


def isolated(formula: Formula) -> list[Glyph]:
    """Keep a formula whole, and Persian in it from turning what stands beside it.

    Digits behind Persian letters, and signs between the two, would run with them (UAX #9,
    W2 and N1); a mark on each side of the letters parts them.
    """
    from kb.terminal.bidi.algorithm import bidi_class

    kinds = (bidi_class(char) for char, _ in formula.glyphs)
    parted: list[Glyph] = []
    done = 0
    for run in re.finditer("r(?:[bm]*r)*m*", "".join(_KINDS.get(kind, "-") for kind in kinds)):
        letters = formula.glyphs[run.start() : run.end()]
        parted += formula.glyphs[done : run.start()]
        parted += [Glyph(_LRM, letters[0].place), *letters, Glyph(_LRM, letters[-1].place)]
        done = run.end()
    first, last = Glyph(ISOLATE, formula.start), Glyph(ISOLATE_END, formula.end - 1)
    return [first, *parted, *formula.glyphs[done:], last]


# Characters to show, each with its place in the text that it stands for.


_PAIRS = {"(": ")", "[": "]", "{": "}", "⟨": "⟩", "⌊": "⌋", "⌈": "⌉"}
_OPENERS, _CLOSERS = frozenset(_PAIRS), frozenset([*_PAIRS.values(), ",", ";"])


class Glyph(NamedTuple):
    """A character to show, and its place in the text."""

    char: str
    place: int


def text_of(glyphs: Iterable[Glyph]) -> str:
    """Return the characters."""
    return "".join(glyph.char for glyph in glyphs)


def ends_blank(glyphs: Sequence[Glyph]) -> bool:
    """Say whether the last is a blank."""
    return bool(glyphs) and glyphs[-1].char == " "


def bracketed(glyphs: list[Glyph]) -> list[Glyph]:
    """Put round brackets around, unless the first and the last are a pair already."""
    if not glyphs or is_pair(text_of(glyphs)):
        return glyphs
    return [Glyph("(", glyphs[0].place), *glyphs, Glyph(")", glyphs[-1].place)]


def tidy(glyphs: Sequence[Glyph]) -> list[Glyph]:
    """Leave out blanks at the ends, within brackets next to them, and all but one in a row.

    >>> text_of(tidy([Glyph(char, 0) for char in " ( a  b ) "]))
    '(a b)'
    """
    read: list[Glyph] = []
    for glyph in glyphs:
        if glyph.char == " " and (not read or read[-1].char == " " or read[-1].char in _OPENERS):
            continue
        if glyph.char in _CLOSERS and read and read[-1].char == " ":
            read.pop()
        read.append(glyph)
    if read and read[-1].char == " ":
        read.pop()
    return read


def is_pair(text: str) -> bool:
    """Say whether the bracket that opens a text is closed at its very end."""
    closer = _PAIRS.get(text[:1])
    depth = 0
    for place, char in enumerate(text):
        depth += (char == text[0]) - (char == closer)
        if not depth:
            return closer is not None and place == len(text) - 1
    return False


def braced(place: int, inner: list[Glyph]) -> list[Glyph]:
    """Put back the braces of a group that is left as it is written."""
    return [Glyph("{", place), *inner, Glyph("}", inner[-1].place if inner else place)]

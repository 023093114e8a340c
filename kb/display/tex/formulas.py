"""Formulas within a text, shown as readable Unicode, every character with its place.

Only what is shown changes. What is no formula stays untouched, and so does one that
cannot be read.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from kb.display.bidi.direction import ISOLATE, ISOLATE_END, has_rtl
from kb.display.tex.glyphs import Glyph, text_of

if TYPE_CHECKING:
    from kb.display.tex.delimiters import Delimited

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
            line = _end_of_line(text, formula.end)
            rtl = has_rtl(text[text.rfind("\n", 0, formula.start) + 1 : line])
        shown += _as_written(text, done, formula.start)
        shown += isolated(formula) if rtl else formula.glyphs
        done = formula.end
    shown += _as_written(text, done, len(text))
    return Shown(text_of(shown), tuple(glyph.place for glyph in shown))


def whole(text: str, start: int, end: int) -> tuple[int, int]:
    """Widen a stretch of a text to all of the formulas that it cuts into.

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
    from kb.display.tex.delimiters import next_candidate  # most texts have none

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
        from kb.display.tex.delimiters import raised

        return raised(candidate.tex, candidate.start)
    from kb.display.tex.commands import read
    from kb.display.tex.reader import Unreadable

    try:
        glyphs = read(candidate.tex, candidate.inside)
    except Unreadable:
        return []
    unknown = "\\" in candidate.tex and text_of(glyphs) == candidate.tex.strip()
    return [] if unknown else glyphs


def _as_written(text: str, start: int, end: int) -> Iterator[Glyph]:
    return map(Glyph, text[start:end], range(start, end))


def _end_of_line(text: str, place: int) -> int:
    end = text.find("\n", place)
    return end if end >= 0 else len(text)


def isolated(formula: Formula) -> list[Glyph]:
    """Keep a formula together, and Persian in it from turning what stands beside it.

    Digits behind Persian letters, and signs between the two, would run with them (UAX #9,
    W2 and N1); a mark on each side of the letters parts them.
    """
    from kb.display.bidi.algorithm import bidi_class

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

"""Shows formulas in a text as readable Unicode; every character has its position.

Only the display changes. Other text and unreadable formulas are unchanged.
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
    """A formula: its span with delimiters, and its displayed form."""

    start: int
    end: int
    glyphs: Sequence[Glyph]


class Shown(NamedTuple):
    """A displayed text: ``text[i]`` stands for ``places[i]`` of the original.

    Positions never decrease. Those of delimiters and braces are omitted.
    """

    text: str
    places: Sequence[int]


def with_formulas(text: str) -> Shown:
    r"""Return a text with readable formulas.

    In a line with right-to-left letters, each is in an isolate and reads left to right; Persian
    words in it keep their direction.

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
    """Widen a span to include all formulas that it cuts.

    >>> whole("so $a + b$ is", 0, 6), whole("so $a + b$ is", 5, 5), whole("so $a + b$ is", 3, 3)
    ((0, 10), (3, 10), (3, 3))
    """
    for formula in formulas_of(text):
        if formula.start < end and start < formula.end:
            start, end = min(start, formula.start), max(end, formula.end)
    return start, end


@lru_cache(maxsize=256)
def formulas_of(text: str) -> tuple[Formula, ...]:
    """Return the readable formulas of a text, in order, without overlap."""
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
    """Return the displayed form of a formula; nothing if it is none or entirely unknown."""
    if candidate.power:
        from kb.terminal.tex.delimiters import raised

        return raised(candidate.tex, candidate.start)
    from kb.terminal.tex.commands import Unreadable, read

    try:
        glyphs = read(candidate.tex, candidate.inside)
    except Unreadable:
        return []
    unknown = "\\" in candidate.tex and text_of(glyphs) == candidate.tex.strip()
    return [] if unknown else glyphs


def isolated(formula: Formula) -> list[Glyph]:
    """Isolate a formula, and Persian words in it from their neighbours.

    Digits and signs after Persian letters would run with them (UAX #9, W2 and N1); direction
    marks around the letters prevent that.
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
    """A displayed character and its position in the text."""

    char: str
    place: int


def text_of(glyphs: Iterable[Glyph]) -> str:
    """Return the characters."""
    return "".join(glyph.char for glyph in glyphs)


def ends_blank(glyphs: Sequence[Glyph]) -> bool:
    """Return whether the last one is a space."""
    return bool(glyphs) and glyphs[-1].char == " "


def bracketed(glyphs: list[Glyph]) -> list[Glyph]:
    """Add round brackets, unless the first and last are a pair."""
    if not glyphs or is_pair(text_of(glyphs)):
        return glyphs
    return [Glyph("(", glyphs[0].place), *glyphs, Glyph(")", glyphs[-1].place)]


def tidy(glyphs: Sequence[Glyph]) -> list[Glyph]:
    """Remove spaces at the ends and next to brackets, and repeated ones.

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
    """Return whether the opening bracket of a text closes at its end."""
    closer = _PAIRS.get(text[:1])
    depth = 0
    for place, char in enumerate(text):
        depth += (char == text[0]) - (char == closer)
        if not depth:
            return closer is not None and place == len(text) - 1
    return False


def braced(place: int, inner: list[Glyph]) -> list[Glyph]:
    """Restore the braces of a group that stays as written."""
    return [Glyph("{", place), *inner, Glyph("}", inner[-1].place if inner else place)]

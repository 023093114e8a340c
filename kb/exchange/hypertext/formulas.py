r"""The formulas of a text: their TeX, without the marks around it, and how they are shown."""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Callable
from typing import NamedTuple

from kb.display import Formula, formulas_of, safe
from kb.display.tex.glyphs import text_of
from kb.exchange.hypertext.escaping import escaped

Shower = Callable[[str, bool], str]
"""Gives the HTML of a formula, from its TeX and whether it stands in a line of its own."""

_MARKS = (("$$", "$$", True), ("$", "$", False), (r"\(", r"\)", False), (r"\[", r"\]", True))
_BRACKETED = re.compile(r"\((.*)\)", re.DOTALL)


class Written(NamedTuple):
    """A formula as it is written: its TeX, and whether it stands in a line of its own."""

    tex: str
    display: bool
    power: bool = False


def in_letters(tex: str, display: bool) -> str:
    r"""Return a formula in Unicode, with its TeX to be read beside it.

    >>> in_letters(r"n^2 < \alpha", False)
    '<span class="math" dir="ltr" title="n^2 &lt; \\alpha">n² &lt; α</span>'
    """
    kind = "math display" if display else "math"
    title, shown = escaped(" ".join(tex.split())), escaped(letters_of(tex))
    return f'<span class="{kind}" dir="ltr" title="{title}">{shown}</span>'


def letters_of(tex: str) -> str:
    """Return TeX as a terminal shows it; as it is written where it cannot be read."""
    from kb.display.tex.commands import read
    from kb.display.tex.reader import Unreadable

    try:
        return text_of(read(tex))
    except Unreadable:
        return tex


def written(source: str) -> Written:
    r"""Return what stands between the marks of a formula.

    >>> written("$$a$$"), written("^(2×5)")
    (Written(tex='a', display=True, power=False), Written(tex='2×5', display=False, power=True))
    """
    for opening, closing, display in _MARKS:
        if source.startswith(opening):
            return Written(source[len(opening) : -len(closing)].strip(), display)
    if source.startswith("^"):
        bracketed = _BRACKETED.fullmatch(source, 1)
        return Written(bracketed[1] if bracketed else source[1:], False, power=True)
    return Written(source, True)


class Formulas:
    """The formulas of a text, by their places.

    >>> Formulas("so $n^2$ it is").at(4)
    Formula(start=3, end=8, glyphs=[Glyph(char='n', place=4), Glyph(char='²', place=6)])
    """

    def __init__(self, text: str) -> None:
        self._found = formulas_of(safe(text))
        self._starts = [formula.start for formula in self._found]

    def at(self, place: int) -> Formula | None:
        """Return the formula that a place lies in, if any."""
        index = bisect_right(self._starts, place) - 1
        found = self._found[index] if index >= 0 else None
        return found if found is not None and place < found.end else None


def shown(source: str, show: Shower) -> str:
    """Return the HTML of a formula as it is written; a power that stands in prose is raised."""
    tex, display, power = written(source)
    return f"<sup>{escaped(tex)}</sup>" if power else show(tex, display)

"""Lays out text in lines of cells: wrapped, then reordered, with positions.

Both front ends use `lay_out`, so that marks and selections stay on their characters in any
direction.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import chain, repeat
from typing import NamedTuple

from kb.terminal.bidi.direction import ISOLATE, ISOLATE_END, Direction, base_of, formula_runs, turn
from kb.terminal.numerals import in_numerals
from kb.terminal.terminal import safe
from kb.terminal.tex.formulas import Shown, with_formulas

_TAB = 4
_NO_BREAK = "\u00a0"


class Line(NamedTuple):
    """A line to print. ``text[i]`` shows the character ``places[i]`` of the whole text.

    ``rtl`` means that its paragraph runs right to left and is aligned right; ``width`` counts
    cells.
    """

    text: str
    places: tuple[int, ...]
    rtl: bool
    width: int


def lay_out(
    text: str,
    width: int,
    *,
    direction: Direction = "auto",
    turned: bool = True,
    formulas: bool = False,
    lang: str = "",
) -> Iterator[Line]:
    """Yield a text in safe lines of at most ``width`` cells.

    Lines break at spaces, and within a word only if it is longer than a line. With ``turned``,
    right-to-left text is reordered for a terminal without bidi support; otherwise it stays in
    logical order. With ``formulas``, TeX is shown readably, which is for prose, not for code.
    Prose in a language (``lang``) has its digits.

    >>> [line.text for line in lay_out("one two three", 8)]
    ['one two', 'three']
    >>> [line.text for line in lay_out("so $x^2$ is", 8, formulas=True)]
    ['so x² is']
    """
    return lines_of(_shown(text, formulas, lang), width, direction, turned)


def first_lines(
    text: str,
    width: int,
    most: int,
    *,
    direction: Direction = "auto",
    turned: bool = True,
    formulas: bool = False,
    lang: str = "",
) -> list[Line]:
    """Return at most this many lines of a text in one paragraph, the last with an ellipsis.

    The ellipsis follows a whole word, unless the line has only one. Its position is that of the
    first hidden character.

    >>> [line.text for line in first_lines("one two three", 8, 1)]
    ['one two…']
    >>> [line.text for line in first_lines("one two three", 7, 1)]
    ['one…']
    """
    shown = _shown(text.replace("\n", " "), formulas, lang)
    breaks = list(_breaks(shown.text, max(1, width)))
    if len(breaks) <= most:
        return list(lines_of(shown, width, direction, turned))
    start, end = breaks[most - 1]
    while len(lines := list(lines_of(_cut(shown, end), width, direction, turned))) > most:
        blank = shown.text.rfind(" ", start + 1, end)
        end = blank if blank > start else end - 1
    return lines


def readable(text: str, lang: str = "") -> str:
    """Return a text with its formulas readable, in its own lines, made safe for a terminal.

    >>> readable("so $x^2$\\x1b")
    'so x²␛'
    """
    return _shown(text, formulas=True, lang=lang).text


@lru_cache(maxsize=1 << 14)
def cells(char: str) -> int:
    """Count the cells a character takes: none, one or two.

    >>> cells("a"), cells("机"), cells("\u064e"), cells("\u200c")
    (1, 2, 0, 0)
    """
    if char == "\t":
        return _TAB
    category = unicodedata.category(char)
    if category in ("Mn", "Me", "Cf", "Cc"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in "WF" else 1


# Some terminals that turn text themselves give isolates a cell; marks do nearly as well.
_MARKED = dict.fromkeys(map(ord, (ISOLATE, ISOLATE_END)), "\u200e")


def unisolated(text: str) -> str:
    """Return a text in its own lines, with direction marks around its formulas instead of isolates.

    >>> unisolated("کران 1/n است") == "کران \u200e1/n\u200e است"
    True
    """
    lines = (isolate(Shown(line, range(len(line)))).text for line in text.split("\n"))
    return "\n".join(lines).translate(_MARKED)


def text_width(text: str) -> int:
    """Return the width of a text in cells."""
    return sum(map(cells, text))


def _shown(text: str, formulas: bool, lang: str = "") -> Shown:
    plain = safe(text)
    shown = with_formulas(plain) if formulas else Shown(plain, range(len(plain)))
    return shown._replace(text=in_numerals(shown.text, lang)) if lang else shown


def _cut(shown: Shown, end: int) -> Shown:
    """Return the start of a text with an ellipsis, which is outside formulas."""
    kept = shown.text[:end].rstrip()
    after = f"{ISOLATE_END}…" if _is_open(kept) else "…"
    place = shown.places[len(kept)]
    return Shown(kept + after, [*shown.places[: len(kept)], *[place] * len(after)])


def _is_open(text: str) -> bool:
    """Return whether a text ends within an isolate; isolates are not nested."""
    return text.rfind(ISOLATE) > text.rfind(ISOLATE_END)


def lines_of(shown: Shown, width: int, direction: Direction, turned: bool) -> Iterator[Line]:
    """Yield a safe text with readable formulas in lines: see `lay_out`."""
    start = 0
    for paragraph in shown.text.split("\n"):
        base = base_of(paragraph, direction)
        end = start + len(paragraph)
        isolated = isolate(Shown(paragraph, shown.places[start:end]))
        for piece in pieces_of(isolated, _breaks(isolated.text, max(1, width))):
            yield _line(piece, base, turned)
        start = end + 1


def isolate(paragraph: Shown) -> Shown:
    """Return a paragraph with isolated formulas: see `kb.terminal.bidi.direction`.

    An isolate within one (TeX or code) is part of it.
    """
    runs = formula_runs(paragraph.text)
    if not runs:
        return paragraph
    glyphs = list(zip(*paragraph, strict=True))
    shown: list[tuple[str, int]] = []
    done = 0
    for start, end in runs:
        inside = [each for each in glyphs[start:end] if each[0] not in (ISOLATE, ISOLATE_END)]
        first, last = (ISOLATE, glyphs[start][1]), (ISOLATE_END, glyphs[end - 1][1])
        shown += [*glyphs[done:start], first, *inside, last]
        done = end
    shown += glyphs[done:]
    return Shown("".join(char for char, _ in shown), [place for _, place in shown])


def pieces_of(paragraph: Shown, breaks: Iterable[tuple[int, int]]) -> Iterator[Shown]:
    """Yield a paragraph in lines, in logical order; a split isolate is one in each line."""
    opened = False
    for first, last in breaks:
        text, places = paragraph.text[first:last], paragraph.places[first:last]
        if opened and text:
            text, places = ISOLATE + text, [places[0], *places]
        opened = _is_open(text) if text else opened
        if opened and text:
            text, places = text + ISOLATE_END, [*places, places[-1]]
        yield Shown(text, places)


def _line(piece: Shown, base: int, turned: bool) -> Line:
    if turned:
        text, order = turn(piece.text, base)
    else:
        text, order = piece.text.translate(_MARKED), tuple(range(len(piece.text)))
    places = tuple(piece.places[index] for index in order)
    if "\t" in text:
        wide = [_TAB if char == "\t" else 1 for char in text]
        places = tuple(chain.from_iterable(map(repeat, places, wide)))
        text = text.replace("\t", " " * _TAB)
    return Line(text, places, bool(base), text_width(text))


def _breaks(paragraph: str, width: int) -> Iterator[tuple[int, int]]:
    """Yield the places of each line of a paragraph; blanks at a break are left out.

    >>> list(_breaks("a\u00a0b c", 3)), list(_breaks("c a\u00a0b", 4))
    ([(0, 3), (4, 5)], [(0, 1), (2, 5)])
    """
    start, blank, used = 0, -1, 0
    place, leading = 0, True
    while place < len(paragraph):
        char = paragraph[place]
        taken = cells(char)
        if used + taken > width and place > start and not char.isspace():
            end = blank if blank > start else place
            yield start, _without_blanks(paragraph, start, end)
            start = end + (end == blank)
            blank, used, place, leading = -1, 0, start, True
            continue
        if not char.isspace():
            leading = False
        elif char != _NO_BREAK and not leading:
            blank = place
        used += taken
        place += 1
    yield start, _without_blanks(paragraph, start, len(paragraph))


def _without_blanks(paragraph: str, start: int, end: int) -> int:
    return start + len(paragraph[start:end].rstrip())

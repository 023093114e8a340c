"""Text laid out in lines of cells: wrapped first, turned after, every cell with its place.

Both front ends show text through `lay_out`, so that a mark or a selection that is
known by its offset in the text stays on its characters whatever way they run.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

from kb.display.direction import Direction, base_of, turn
from kb.display.safe import safe

_TAB = 4


class Line(NamedTuple):
    """A line to print. ``text[i]`` shows the character ``places[i]`` of the whole text.

    ``rtl`` says that its paragraph runs right to left, and so belongs to the right edge;
    ``width`` counts cells.
    """

    text: str
    places: tuple[int, ...]
    rtl: bool
    width: int


def lay_out(
    text: str, width: int, *, direction: Direction = "auto", turned: bool = True
) -> Iterator[Line]:
    """Yield a text in lines of at most ``width`` cells, made safe for a terminal.

    Lines are broken at blanks, and within a word only where it is longer than a line. With
    ``turned``, right-to-left text is put in the order in which a terminal that knows no
    direction has to print it; without, it stays in logical order.

    >>> [line.text for line in lay_out("one two three", 8)]
    ['one two', 'three']
    """
    start = 0
    for paragraph in safe(text).split("\n"):
        base = base_of(paragraph, direction)
        for first, last in _breaks(paragraph, max(1, width)):
            yield _line(paragraph[first:last], start + first, base, turned)
        start += len(paragraph) + 1


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


def text_width(text: str) -> int:
    """Count the cells of a text."""
    return sum(map(cells, text))


def _line(piece: str, start: int, base: int, turned: bool) -> Line:
    text, order = turn(piece, base) if turned else (piece, tuple(range(len(piece))))
    places = tuple(start + index for index in order)
    if "\t" in text:
        text, places = _without_tabs(text, places)
    return Line(text, places, bool(base), text_width(text))


def _without_tabs(text: str, places: tuple[int, ...]) -> tuple[str, tuple[int, ...]]:
    pairs = [
        (" " if char == "\t" else char, place)
        for char, place in zip(text, places, strict=True)
        for _ in range(_TAB if char == "\t" else 1)
    ]
    return "".join(char for char, _ in pairs), tuple(place for _, place in pairs)


def _breaks(paragraph: str, width: int) -> Iterator[tuple[int, int]]:
    """Yield the places of each line of a paragraph; blanks at a break are left out."""
    start, blank, used = 0, -1, 0
    place = 0
    while place < len(paragraph):
        char = paragraph[place]
        taken = cells(char)
        if used + taken > width and place > start and not char.isspace():
            end = blank if blank > start else place
            yield start, _without_blanks(paragraph, start, end)
            start = end + (end == blank)
            blank, used, place = -1, 0, start
            continue
        if char.isspace() and paragraph[start:place].strip():
            blank = place
        used += taken
        place += 1
    yield start, _without_blanks(paragraph, start, len(paragraph))


def _without_blanks(paragraph: str, start: int, end: int) -> int:
    return start + len(paragraph[start:end].rstrip())

"""The words of a text that something is said of, parted where they overlap."""

from __future__ import annotations

import heapq
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from typing import NamedTuple


class Marked(NamedTuple):
    """Words of a text, ``text[start:end]``, with HTML of the caller's own.

    They stand between ``opening`` and its end tag. ``sign`` stands right behind them, and
    ``note`` below the paragraph in which they end.
    """

    start: int
    end: int
    opening: str = "<mark>"
    sign: str = ""
    note: str = ""


class Marks:
    """Which mark a place of a text has, and what is still to be said behind its words.

    Where some overlap, the one that began last is shown.

    >>> marks = Marks([Marked(0, 9, "<b>"), Marked(2, 5, "<i>")])
    >>> [marks.opening(place) for place in (0, 2, 5, 9)]
    ['<b>', '<i>', '<b>', '']
    """

    def __init__(self, marked: Sequence[Marked]) -> None:
        self._openings: dict[int, str] = dict(_parted(marked))
        self._places = list(self._openings)
        # What is said of the same words is said in the order it was given in.
        self._waiting = sorted(marked, key=lambda each: each.end)[::-1]
        self._notes: list[str] = []

    def part(self, place: int) -> int:
        """Return a number that is the same for places with no bound of any mark between them."""
        return bisect_right(self._places, place)

    def opening(self, place: int) -> str:
        """Return the start tag of the mark that a place has, or nothing."""
        part = self.part(place)
        return self._openings[self._places[part - 1]] if part else ""

    def ended(self, place: int) -> Iterator[str]:
        """Yield the signs of the marks that end up to a place and were not said yet."""
        while self._waiting and self._waiting[-1].end <= place:
            each = self._waiting.pop()
            self._notes.append(each.note)
            yield each.sign

    def notes(self) -> list[str]:
        """Return the notes of the marks whose signs were given since this was asked."""
        given, self._notes = self._notes, []
        return list(filter(None, given))


def _parted(marked: Sequence[Marked]) -> Iterator[tuple[int, str]]:
    """Yield the places where another mark is to be shown, in order, with its start tag."""
    begun = sorted(marked, key=lambda each: each.start, reverse=True)
    open: list[tuple[int, int, Marked]] = []
    for place in sorted({bound for each in marked for bound in (each.start, each.end)}):
        while begun and begun[-1].start <= place:
            each = begun.pop()
            heapq.heappush(open, (-each.start, each.end, each))
        while open and open[0][1] <= place:
            heapq.heappop(open)
        yield place, open[0][2].opening if open else ""

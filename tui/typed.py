"""A line being typed, as displayed: the positions of characters and cursor.

The text stays in logical order; only the display is reordered. The cursor is a cell: that of the
next character. At the end it has a blank cell of its own, at the end of the line in its
direction, which its first letter decides. A line that continues in the next, as in a paragraph,
has none.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

from kb.terminal.bidi.direction import base_of, turn
from kb.terminal.layout import isolate, pieces_of, text_width
from kb.terminal.tex.formulas import Shown

JOINERS = ("\u200c", "\u200d")
"""Invisible characters used in Persian: the half-space and the joiner."""

IN_WORD = r"\w\u200c\u064b-\u0655\u0670"
"""The characters of a word, for a pattern set, including half-space and vowel marks."""


class Stop(NamedTuple):
    """A cursor position: before ``place`` of the text, drawn on ``shown[start:end]``.

    ``left`` and ``width`` are cells of the line.
    """

    place: int
    start: int
    end: int
    left: int
    width: int


@dataclass(frozen=True)
class TypedLine:
    """A line with a cell for the cursor at its end; ``shown[i]`` shows ``text[places[i]]``.

    Invisible characters, such as a half-space, have no cell: the cursor is drawn on the next
    character. Before a combining mark, it is on the mark's letter. A line with ``at_right`` is
    aligned right, like one that runs right to left.
    """

    shown: str
    places: tuple[int, ...]
    rtl: bool
    at_right: bool = False

    @cached_property
    def stops(self) -> tuple[Stop, ...]:
        """All cursor positions, from left to right."""
        found: list[Stop] = []
        left = 0
        for index, (char, place) in enumerate(zip(self.shown, self.places, strict=True)):
            width = text_width(char)
            joined = self.shown[index - 1] == "\u200d"
            if found and (not width or joined):
                last = found[-1]
                found[-1] = last._replace(end=index + 1, width=last.width + width)
            else:
                found.append(Stop(place, index, index + 1, left, width))
            left += width
        return tuple(found)

    @cached_property
    def width(self) -> int:
        """The width of the line in cells."""
        return text_width(self.shown)

    @cached_property
    def _numbers(self) -> tuple[int, ...]:
        """The index of the cursor position, from the left, for each place of the text."""
        shown = {
            place: number
            for number, stop in enumerate(self.stops)
            for place in self.places[stop.start : stop.end]
        }
        numbers = [shown[max(shown)]]
        for place in range(max(shown) - 1, -1, -1):
            numbers.append(shown.get(place, numbers[-1]))
        return tuple(reversed(numbers))

    def number_at(self, place: int) -> int:
        """Return the index of the cursor position before a place of the text."""
        return self._numbers[place]

    def at(self, place: int) -> Stop:
        """Return where the cursor is drawn before a place of the text."""
        return self.stops[self.number_at(place)]

    def neighbour(self, place: int, step: int, words: frozenset[int] | None = None) -> int | None:
        """Return the place one step to the left (-1) or right (1) on the screen.

        With ``words`` it is the start of the next of them, and after the last word the end of the
        line. Beyond the line it is nothing.
        """
        number = self.number_at(place) + step
        while words is not None and 0 < number < len(self.stops) - 1:
            if self.stops[number].place in words:
                break
            number += step
        return self.stops[number].place if 0 <= number < len(self.stops) else None

    def under(self, cell: int) -> int:
        """Return the place shown in a cell; outside the line, its nearer end."""
        after = (stop.place for stop in self.stops if cell < stop.left + stop.width)
        return next(after, self.stops[-1].place)

    def in_sight(self, place: int, room: int, before: int) -> int:
        """Return the first visible cell for a box width, so that the cursor is visible.

        It moves no further from ``before`` than needed. For a short right-aligned line it is
        negative.
        """
        spare = self.width - room
        if spare <= 0:
            return spare if self.rtl or self.at_right else 0
        cursor = self.at(place)
        first = min(max(before, cursor.left + cursor.width - room), cursor.left)
        return min(max(0, first), spare)


def words_of(text: str) -> frozenset[int]:
    """Return where the words of a text begin.

    >>> sorted(words_of("می\u200cدهد GPU"))
    [0, 7]
    """
    return frozenset(match.start() for match in re.finditer(f"[{IN_WORD}]+", text))


@lru_cache(maxsize=64)
def typed_line(text: str, *, at_right: bool = False) -> TypedLine:
    """Return a one-line text as displayed while typing.

    With ``at_right``, one with right-to-left letters runs so even if its first letter does not.

    >>> line = typed_line("سلام GPU")
    >>> line.shown, [line.at(place).left for place in (0, 5, 8)]
    (' GPU ﻡﺎﻠﺳ', [8, 1, 0])
    >>> typed_line("GPU سلام").at(8).left, typed_line("GPU سلام", at_right=True).at(8).left
    (8, 0)
    """
    base = base_of(text, "rtl" if at_right else "auto")
    return typed_lines(text, (), bool(base), at_right=at_right)[0]


@lru_cache(maxsize=256)
def typed_lines(
    paragraph: str, breaks: tuple[int, ...], rtl: bool, *, at_right: bool = False
) -> tuple[TypedLine, ...]:
    """Return a paragraph, wrapped at these positions, as displayed while typing.

    Positions are those of the paragraph.

    >>> [line.shown for line in typed_lines("سلام GPU", (5,), True)]
    [' ﻡﺎﻠﺳ', ' GPU']
    """
    isolated = isolate(Shown(paragraph, range(len(paragraph))))
    cuts = [bisect_left(isolated.places, place) for place in breaks]
    ends = [*cuts, len(isolated.text)]
    pieces = list(pieces_of(isolated, zip([0, *cuts], ends, strict=True)))
    return tuple(_drawn(pieces, len(paragraph), rtl, at_right))


def _drawn(pieces: list[Shown], end: int, rtl: bool, at_right: bool) -> Iterator[TypedLine]:
    for number, piece in enumerate(pieces, 1):
        shown, found = turn(piece.text, int(rtl))
        order = tuple(piece.places[index] for index in found)
        if number < len(pieces):
            yield TypedLine(shown or " ", order or (piece.places[0],), rtl, at_right)
        elif rtl:
            yield TypedLine(f" {shown}", (end, *order), rtl, at_right)
        else:
            yield TypedLine(f"{shown} ", (*order, end), rtl, at_right)

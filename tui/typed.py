"""A line that is being typed, as it is shown: where each character stands, where the cursor goes.

The text stays in logical order; only what is shown is turned. The cursor is a cell: that of
the character before which it stands. Behind the last one it has a blank cell of its own, at
the end of the line as its direction runs, which its first letter decides. A line that goes on
in the next, as those of a paragraph do, ends without one.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import NamedTuple

from kb.terminal import Shown, base_direction, isolate, pieces_of, text_width, turn

JOINERS = ("\u200c", "\u200d")
"""What Persian is typed with though it does not print: the half-space, and its contrary."""

IN_WORD = r"\w\u200c\u064b-\u0655\u0670"
"""What a word is made of, for a set of a pattern: a half-space and a vowel mark, too."""


class Stop(NamedTuple):
    """A place of the cursor: before ``place`` of the text, drawn on ``shown[start:end]``.

    ``left`` and ``width`` count cells of the line.
    """

    place: int
    start: int
    end: int
    left: int
    width: int


@dataclass(frozen=True)
class TypedLine:
    """A line with the cell for the cursor at its end; ``shown[i]`` shows ``text[places[i]]``.

    What is invisible, such as a half-space, has no place of its own: there the cursor stands
    on what follows. Before a mark it stands on the letter that wears it. One that is
    ``at_right`` keeps to the right edge of its box, as one does that runs right to left.
    """

    shown: str
    places: tuple[int, ...]
    rtl: bool
    at_right: bool = False

    @cached_property
    def stops(self) -> tuple[Stop, ...]:
        """All places of the cursor, from left to right."""
        found: list[Stop] = []
        left = 0
        for index, (char, place) in enumerate(zip(self.shown, self.places, strict=True)):
            width = text_width(char)
            if found and (not width or self._joined(index)):
                last = found[-1]
                found[-1] = last._replace(end=index + 1, width=last.width + width)
            else:
                found.append(Stop(place, index, index + 1, left, width))
            left += width
        return tuple(found)

    def _joined(self, index: int) -> bool:
        """Say whether a joiner makes one sign of a character and the one before."""
        return self.shown[index - 1] == "\u200d"

    @cached_property
    def width(self) -> int:
        """The cells of the line."""
        return text_width(self.shown)

    @cached_property
    def _numbers(self) -> tuple[int, ...]:
        """For each place of the text, which stop from the left the cursor has there."""
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
        """Return which stop from the left the cursor has before a place of the text."""
        return self._numbers[place]

    def at(self, place: int) -> Stop:
        """Return where the cursor is drawn before a place of the text."""
        return self.stops[self.number_at(place)]

    def beside(self, place: int, step: int) -> int:
        """Return the place one stop to the left (-1) or to the right (1), as one sees it."""
        number = min(max(0, self.number_at(place) + step), len(self.stops) - 1)
        return self.stops[number].place

    def word_beside(self, place: int, step: int, words: frozenset[int]) -> int | None:
        """Return where the next word to the left (-1) or to the right (1) begins, as one sees it.

        Past the last one it is that end of the line; beyond that, nothing.
        """
        number = self.number_at(place) + step
        while 0 < number < len(self.stops) - 1 and self.stops[number].place not in words:
            number += step
        return self.stops[number].place if 0 <= number < len(self.stops) else None

    def under(self, cell: int) -> int:
        """Return the place that is shown in a cell; beyond the line, that of its nearer end."""
        after = (stop.place for stop in self.stops if cell < stop.left + stop.width)
        return next(after, self.stops[-1].place)

    def in_sight(self, place: int, room: int, before: int) -> int:
        """Return the first cell to show in a box of so many cells, so that the cursor is seen.

        It is moved no further from where it was ``before`` than needed. For a short line at
        the right edge the number is negative.
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
    """Return a text of one line as it is shown while it is typed.

    >>> line = typed_line("سلام GPU")
    >>> line.shown, [line.at(place).left for place in (0, 5, 8)]
    (' GPU ﻡﺎﻠﺳ', [8, 1, 0])
    >>> typed_line("GPU سلام").at(8).left
    8
    """
    return typed_lines(text, (), bool(base_direction(text)), at_right=at_right)[0]


@lru_cache(maxsize=256)
def typed_lines(
    paragraph: str, breaks: tuple[int, ...], rtl: bool, *, at_right: bool = False
) -> tuple[TypedLine, ...]:
    """Return a paragraph, which is broken at these places, as it is shown while it is typed.

    Places are those of the paragraph, in all its lines.

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

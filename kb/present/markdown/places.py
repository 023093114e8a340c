"""Where the content of a block stands in the source: the lines that markdown-it gives, aligned."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import accumulate, zip_longest

_SPLIT = re.compile(r"(?<!\\)\|")
_LED = re.compile(r"[ \t>]*+(?:(?:[-*+]|\d{1,9}[.)])[ \t]++)*+[ \t>]*+\|")


class Misplaced(Exception):
    """A content does not stand where its block says it does."""


class Lines:
    """The lines of a text, by number, with the place where each begins."""

    def __init__(self, text: str) -> None:
        self._lines = text.split("\n")
        self._starts = [0, *accumulate(len(line) + 1 for line in self._lines)]
        self.end = len(text)

    def __getitem__(self, number: int) -> str:
        return self._lines[number]

    def start(self, number: int) -> int:
        """Return where a line begins; of the one behind the last, where the text ends."""
        return min(self._starts[number], self.end)

    def stop(self, number: int) -> int:
        """Return where a line ends."""
        return self._starts[number] + len(self._lines[number])

    def of_prose(self, content: str, first: int) -> list[int]:
        """Return the place of each character of a paragraph that begins in a line.

        What a block strips from its lines stands at their beginning and their end.
        """
        places: list[int] = []
        for number, part in enumerate(content.split("\n"), first):
            if places:
                places.append(self.start(number) - 1)
            places += self._suffix(part, number)
        return places

    def of_heading(self, content: str, number: int) -> list[int]:
        """Return the places of a heading's text before the marks that may end it."""
        kept = self[number].rstrip()
        bare = kept.rstrip("#")
        kept = bare.rstrip() if bare.endswith((" ", "\t")) else kept
        if not kept.endswith(content):
            return self.of_prose(content, number)
        start = self.start(number) + len(kept) - len(content)
        return list(range(start, start + len(content)))

    def of_code(self, content: str, first: int) -> list[int]:
        """Return the places of code; blanks that are written as tabs stand at the tab."""
        places: list[int] = []
        for number, part in enumerate(content.split("\n"), first):
            if number > first:
                places.append(self.start(number) - 1)
            line = self[number] if part else ""
            kept = part if line.endswith(part) else part.lstrip(" ")
            if not line.endswith(kept):
                raise Misplaced
            start = self.start(number) + len(line) - len(kept)
            places += [max(self.start(number), start - 1)] * (len(part) - len(kept))
            places += range(start, start + len(kept))
        return places

    def of_cells(self, contents: Sequence[str], number: int) -> list[list[int]]:
        """Return the places of the cells of a row; a stroke in one is escaped in the source."""
        led = _LED.match(self[number]) is not None
        try:
            return self._cells(contents, number, led)
        except Misplaced:  # what looks like an item's mark is the first cell
            return self._cells(contents, number, not led)

    def _cells(self, contents: Sequence[str], number: int, led: bool) -> list[list[int]]:
        line = self[number]
        strokes = [match.start() for match in _SPLIT.finditer(line)]
        starts = [*([] if led else [0]), *(stroke + 1 for stroke in strokes)]
        ends = [*(strokes[1:] if led else strokes), len(line)]
        if any(contents[len(starts) :]):
            raise Misplaced
        cells = zip_longest(contents, starts[: len(contents)], ends[: len(contents)], fillvalue=0)
        return [self._cell(str(text), number, start, end) for text, start, end in cells]

    def _suffix(self, part: str, number: int) -> list[int]:
        line, kept = self[number].rstrip(), part.strip()
        if not line.endswith(kept):
            raise Misplaced
        start = self.start(number) + len(line) - len(kept)
        before, after = len(part) - len(part.lstrip()), len(part) - len(part.rstrip())
        if not kept:
            return [start] * len(part)
        first = max(self.start(number), start - before)
        return [first] * (before - start + first) + [*range(first, start + len(kept) + after)]

    def _cell(self, content: str, number: int, start: int, end: int) -> list[int]:
        """Align a cell from its end, since a container's marks may stand before its beginning."""
        line, places = self[number], []
        place = len(line[start:end].rstrip()) + start
        for char in reversed(content):
            place -= 1
            if place < start or line[place] != char:
                raise Misplaced
            places.append(self.start(number) + place)
            place -= char == "|" and line[place - 1] == "\\"
        return places[::-1]

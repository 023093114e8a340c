"""The rows of a list in lines; a row is laid out when one of its lines is asked for."""

from __future__ import annotations

from collections.abc import Sequence

from textual.content import Content

from tui.widgets.rows import Heading, ListRow, columns, row_lines

_LINES_A_ROW = 3
"""What a row is taken for before it is laid out."""


class Lines:
    """The lines of rows at a width, from the top as far as they were asked for.

    Lines of rows that were laid out ``before``, and are still there, are taken over: they are
    ``known``, and hold for the same width and the same ``shared`` widths of columns.
    """

    def __init__(
        self, rows: Sequence[ListRow] = (), width: int = 0, before: Lines | None = None
    ) -> None:
        self.rows = rows
        self.width = width
        self.shared = columns(rows)
        self._lines: list[tuple[int, Content]] = []
        self._tops = [0]
        self.known: dict[Heading | str, list[Content]] = {}
        if before is not None and (before.width, before.shared) == (width, self.shared):
            there = {_key(row) for row in rows}
            self.known = {key: lines for key, lines in before.known.items() if key in there}

    @property
    def height(self) -> int:
        """How many lines there are, or will be about."""
        left = len(self.rows) - self._laid
        return len(self._lines) + left * _LINES_A_ROW

    def top(self, place: int) -> int:
        """Return the first line of a row; of the place behind the last row, where they end."""
        while self._laid < place:
            self._lay_out_next()
        return self._tops[place]

    def at(self, y: int) -> tuple[int, Content] | None:
        """Return what stands in a line, and the place of its row, if there is such a line."""
        while self.width > 0 and len(self._lines) <= y and self._laid < len(self.rows):
            self._lay_out_next()
        return self._lines[y] if 0 <= y < len(self._lines) else None

    def entry_of(self, y: int) -> tuple[str | None, int]:
        """Return the entry in a line, or the next one, and how far below its first line that is."""
        line = self.at(y)
        place = self.entry_from(line[0], 1) if line is not None else None
        return self.entry_at(place), y - self.top(place) if place is not None else 0

    def entry_at(self, place: int | None) -> str | None:
        """Return the id of the entry in a row, if the row is one of an entry."""
        row = self.rows[place] if place is not None else None
        return None if row is None or isinstance(row, Heading) else row.id

    def entry_from(self, place: int, step: int) -> int | None:
        """Return the first row from ``place`` on that is an entry, going by ``step``."""
        while 0 <= place < len(self.rows):
            if self.entry_at(place):
                return place
            place += step
        return None

    def place_of(self, entry: str | None) -> int | None:
        """Return the row of an entry, if it is held."""
        places = range(len(self.rows)) if entry else ()
        return next((place for place in places if self.entry_at(place) == entry), None)

    @property
    def _laid(self) -> int:
        return len(self._tops) - 1

    def _lay_out_next(self) -> None:
        place = self._laid
        row = self.rows[place]
        key = _key(row)
        if key not in self.known:
            self.known[key] = row_lines(row, max(1, self.width), self.shared)
        self._lines.extend((place, line) for line in self.known[key])
        self._tops.append(len(self._lines))


def _key(row: ListRow) -> Heading | str:
    return row if isinstance(row, Heading) else row.id

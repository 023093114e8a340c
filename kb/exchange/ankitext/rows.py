"""The rows of a text file of Anki's, as its importer parts them."""

from __future__ import annotations

import csv
from collections.abc import Iterator, Sequence
from typing import BinaryIO, NamedTuple

from kb import limits
from kb.errors import BadData
from kb.exchange.ankitext.head import Head, guessed, head_of, key_of
from kb.exchange.cells import reader
from kb.foreign import decoded, raw_lines, size, unix

_GUESSED_BY = 8 << 10


class Row(NamedTuple):
    """A row: the line in which it begins, and its cells."""

    line: int
    cells: Sequence[str]


class Comments(NamedTuple):
    """Lines that are no notes: the first of them, what it says, and how many there are."""

    line: int
    text: str
    many: int


class Lines(Iterator[str]):
    """The lines of a file behind its head, without those that are comments between rows.

    ``head`` is what the lines before them say. Who reads a row sets ``fresh`` before; ``begun``
    is then the line in which it begins, and ``cut`` whether the file ends within it.
    """

    def __init__(self, stream: BinaryIO, name: str) -> None:
        self.fresh, self.cut = True, False
        self.begun = 0
        self.comments: Comments | None = None
        self._name = name
        self._number = self._length = 0
        self._lines = self._read(stream)
        self._ahead: list[str] = []
        self.head = self._head()

    def __next__(self) -> str:
        for line in self._following():
            if self.fresh and line.startswith("#"):
                self._comment(line)
                continue
            if self.fresh:
                self.begun, self._length, self.fresh = self._number, 0, False
            self._length += len(line)
            if self._length > limits.RECORD:
                raise BadData(
                    f"{self._name}:{self.begun}: this row has more than {size(limits.RECORD)}",
                    "Is a quote never closed?",
                )
            return line
        self.cut = not self.fresh
        raise StopIteration

    def _following(self) -> Iterator[str]:
        while self._ahead:
            self._number += 1
            yield self._ahead.pop()
        for line in self._lines:
            self._number += 1
            yield line

    def _read(self, stream: BinaryIO) -> Iterator[str]:
        number = 0
        for number, (line, whole) in enumerate(
            raw_lines(stream, self._name, limits.FILE, limits.RECORD), 1
        ):
            place = f"{self._name}:{number}"
            if not whole:
                raise BadData(f"{place}: this line has more than {size(limits.RECORD)}")
            text = unix(decoded(line, place, first=number == 1))
            yield from text.splitlines(keepends=True) if text.count("\n") > 1 else (text,)

    def _head(self) -> Head:
        """Take the lines of the head; comments among them are counted."""
        said: list[str] = []
        for line in self._lines:
            if not line.startswith("#"):
                self._ahead.append(line)
                break
            self._number += 1
            known = key_of(line)[0]
            said.append(line) if known else self._comment(line)
        found = head_of(said)
        if not found.delimiter:
            found = found._replace(delimiter=guessed(self._beginning()))
        return found

    def _beginning(self) -> str:
        taken, length = list(reversed(self._ahead)), sum(map(len, self._ahead))
        for line in self._lines:
            taken.append(line)
            length += len(line)
            if length > _GUESSED_BY:
                break
        self._ahead = taken[::-1]
        return "".join(taken)

    def _comment(self, line: str) -> None:
        first = self.comments or Comments(self._number, line.rstrip("\n"), 0)
        self.comments = first._replace(many=first.many + 1)


def rows(lines: Lines, name: str) -> Iterator[Row]:
    """Yield the rows that have a cell which is not empty.

    Raises `BadData` for one that does not end.
    """
    table = reader(lines, delimiter=lines.head.delimiter)
    while True:
        lines.fresh = True
        try:
            cells = next(table)
        except StopIteration:
            return
        except csv.Error as error:
            raise BadData(f"{name}:{lines.begun}: cannot be parted ({error})") from error
        if lines.cut:
            raise BadData(f"{name}:{lines.begun}: a quote in this row is never closed")
        if any(cell.strip() for cell in cells):
            yield Row(lines.begun, cells)

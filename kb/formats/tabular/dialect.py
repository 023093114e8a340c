"""The dialect of a table: encoding, separator and quoting.

Each is tried on the beginning of the file; the one with the most regular rows is used.
`csv.Sniffer` would look for repeated characters instead, and mistake commas in prose for
separators.
"""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice, pairwise
from typing import Any, BinaryIO, NamedTuple

from kb import limits
from kb.errors import BadData
from kb.foreign import size

_LONGEST = limits.WHOLE + 1
"""The longest cell that `csv` accepts; no longer text is split into cells."""
_SAMPLE = 1 << 18
_ROWS = 200
_MARKS = {
    codecs.BOM_UTF8: "utf-8-sig",
    codecs.BOM_UTF16_LE: "utf-16",
    codecs.BOM_UTF16_BE: "utf-16",
}
SIGNS = {",": "commas", ";": "semicolons", "\t": "tabs", "|": "bars"}
_DOUBLE, _SINGLE = (re.compile(rf"(?:^|[,;\t|]){quote}", re.MULTILINE) for quote in "\"'")
_PERSIAN = frozenset(
    "\u067e\u0686\u0698\u06af\u0627\u0644\u0645\u0646\u0648\u06cc\u064a\u0631\u062f"
)


class Row(NamedTuple):
    """A row: its first line and its cells."""

    line: int
    cells: Sequence[str]


class Dialect(NamedTuple):
    """The separator of cells, their quotes, and whether quotes are escaped by a backslash.

    If it is not ``strict``, text after a closing quote belongs to the cell.
    """

    delimiter: str
    escaped: bool = False
    quote: str = '"'
    strict: bool = True

    def rows(self, lines: Iterator[str]) -> Iterator[list[str]]:
        """Return a row reader whose ``line_num`` counts lines. It raises `csv.Error`."""
        return reader(
            lines,
            delimiter=self.delimiter,
            quotechar=self.quote,
            doublequote=not self.escaped,
            escapechar="\\" if self.escaped else None,
            strict=self.strict,
        )


class Written(NamedTuple):
    """The encoding and dialect of a table, and whether the encoding was guessed."""

    encoding: str
    dialect: Dialect
    guessed: bool


def written(stream: BinaryIO, name: str) -> Written:
    """Return the encoding and dialect of a stream, and rewind it.

    Raises `BadData` if it is not text.
    """
    if len(stream.readline(limits.RECORD + 1)) > limits.RECORD:
        raise BadData("has more than {most}", place=f"{name}:1", most=size(limits.RECORD))
    stream.seek(0)
    sample = stream.read(_SAMPLE)
    encoding, guessed = _encoding(sample, stream, name)
    stream.seek(0)
    text = codecs.getincrementaldecoder(encoding)("replace").decode(sample)
    if "\0" in text:
        raise BadData("this is not a table: it contains NUL", place=name)
    # Single quotes are around cells only where no cell begins with another.
    quotes = "\"'" if _SINGLE.search(text) and not _DOUBLE.search(text) else '"'
    tried = [
        Dialect(sign, escaped, quote)
        for quote in quotes
        for escaped in (False, True)
        for sign in SIGNS
        if not escaped or f"\\{quote}" in text
    ]
    best = max(tried, key=lambda each: _fitness(each, text, cut=len(sample) == _SAMPLE))
    return Written(encoding, best, guessed)


def _encoding(sample: bytes, stream: BinaryIO, name: str) -> tuple[str, bool]:
    """Return the encoding: by a byte order mark, UTF-8 if all of it is, or by its letters."""
    for mark, encoding in _MARKS.items():
        if sample.startswith(mark):
            return encoding, False
    stream.seek(0)
    decoder = codecs.getincrementaldecoder("utf-8")()
    done, piece = 0, b""
    try:
        while piece := stream.read(1 << 20):
            decoder.decode(piece)
            done += len(piece)
        decoder.decode(b"", final=True)
    except UnicodeDecodeError as error:
        if _is_damaged(sample) or _is_damaged(piece):
            raise BadData(
                "this is UTF-8 text, except at byte {byte:,}",
                "Correct it there, or save the file as UTF-8.",
                place=name,
                byte=max(0, done + error.start),
            ) from error
        return _of_windows(sample), True
    return "utf-8", False


def _is_damaged(piece: bytes) -> bool:
    """Return whether bytes are almost UTF-8: text in a code page seldom looks like it."""
    text = piece.decode("utf-8", "replace")
    wrong = text.count("\ufffd")
    return sum(char > "\x7f" for char in text) - wrong > 10 * wrong > 0


def _of_windows(sample: bytes) -> str:
    """Return the code page in which the non-ASCII letters are more likely words.

    In Windows-1256, Persian is written in runs of such letters. In Windows-1252 each stands alone
    among Latin ones.
    """
    high = [byte > 0x7F for byte in sample]
    pairs = sum(one and other for one, other in pairwise(high))
    persian = sum(char in _PERSIAN for char in sample.decode("cp1256", "replace"))
    return "cp1256" if pairs * 3 > sum(high) and persian * 3 > sum(high) else "cp1252"


def _fitness(dialect: Dialect, text: str, *, cut: bool) -> tuple[float, int]:
    """Return the share of rows with the commonest number of cells, and that number.

    The share is reduced by 1 if cells cannot be split from some row on.
    """
    found: list[Sequence[str]] = []
    lines = (line for line in io.StringIO(text, newline="") if not line.startswith("sep="))
    less = 0.0
    try:
        rows = (row for row in dialect.rows(lines) if any(map(str.strip, row)))
        found.extend(islice(rows, _ROWS + 1))
    except csv.Error:
        less = 0.0 if cut and len(found) > 1 else 1.0
    whole = found[:_ROWS] if len(found) > _ROWS else found[: -1 if cut else None] or found
    widths = Counter(map(len, whole))
    if not widths:
        return -less, 0
    width, count = max(widths.items(), key=lambda pair: (pair[1], pair[0]))
    return (count / len(whole) - less, width) if width > 1 else (-less, 1)


# The rows of a table, each with its first line.


def reader(lines: Iterable[str], **dialect: Any) -> Iterator[list[str]]:
    """Return a `csv.reader` for cells of any length; the caller limits the lines.

    The limit of `csv` is global, so it is only raised and never restored: another reader may be
    running.
    """
    if csv.field_size_limit() < _LONGEST:
        csv.field_size_limit(_LONGEST)
    return csv.reader(lines, **dialect)


def rows_in(
    stream: BinaryIO,
    found: Written,
    name: str,
    is_comment: Callable[[str, int], bool] = lambda line, number: False,
) -> Iterator[Row]:
    """Yield the rows of a table. Raises `BadData` with the line of a broken row.

    ``is_comment`` gets a line between rows and its number, and returns whether it is a comment.
    """
    lines = _Lines(stream, found.encoding, name, is_comment)
    try:
        for cells in found.dialect.rows(iter(lines.next_line, "")):
            place = f"{name}:{lines.started}"
            if lines.cut:
                raise BadData("a quote in this row is never closed", place=place)
            yield Row(lines.started, cells)
            lines.length = 0
    except csv.Error as error:
        raise BadData(
            "from here on cells cannot be separated ({error})",
            "Is a quote never closed?",
            place=f"{name}:{lines.started}",
            error=error,
        ) from error


class _Lines(io.TextIOWrapper):
    """The lines of a stream, which stays open; no row is longer than a record.

    A reader sets ``length`` to 0 before each row.

    ``started`` is then the row's first line, and ``cut`` whether the file ends within it.
    """

    def __init__(
        self, stream: BinaryIO, encoding: str, name: str, is_comment: Callable[[str, int], bool]
    ) -> None:
        # What is not of the encoding is found below, in the line where it stands.
        super().__init__(stream, encoding, "surrogateescape", newline="")
        self.length = self.started = self._read = 0
        self.cut = False
        self._name = name
        self._is_comment = is_comment

    def close(self) -> None:
        """Leave the stream open."""

    def next_line(self) -> str:
        """Return the next line of a row, or nothing at the end."""
        while True:
            self._read += 1
            place = f"{self._name}:{self._read}"
            try:
                line = self.readline(limits.RECORD + 1)
                line.encode()
            except UnicodeError as error:
                encoding = self.encoding.upper().removesuffix("-SIG")
                raise BadData(
                    "this is not {encoding} text", place=place, encoding=encoding
                ) from error
            if len(line) > limits.RECORD:
                most = size(limits.RECORD)
                raise BadData("this line has more than {most}", place=place, most=most)
            if not line or self.length or not self._is_comment(line, self._read):
                break
        self.cut = not line and self.length > 0
        if not self.length:
            self.started = self._read
        self.length += len(line)
        if self.length > limits.RECORD:
            raise BadData(
                "this row has more than {most}",
                "Is a quote never closed?",
                place=f"{self._name}:{self.started}",
                most=size(limits.RECORD),
            )
        return line

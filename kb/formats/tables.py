"""CSV: one row per entry and language, for spreadsheets and data frames, written and read."""

from __future__ import annotations

import codecs
import csv
import io
import re
from collections.abc import Iterable, Mapping, Sequence
from functools import partial
from typing import Any, BinaryIO, Literal

from kb import limits
from kb.errors import BadData, Message, nearest
from kb.foreign import drawn
from kb.formats.book import Batch, Book, Leftover, shelved
from kb.formats.tabular.dialect import Dialect, Row, Written, reader, rows_in
from kb.model.entry import Entry
from kb.model.entry_json import ENTRY, bounded
from kb.model.reports import Dropped
from kb.model.results import Progress, silent
from kb.model.values import LAYERS

# Cells that a spreadsheet would compute, escaped so that it shows them as text.
#
# A cell that begins with ``= + - @`` is a formula, which may start programs and send data elsewhere
# (OWASP, "CSV Injection"). So are full-width forms, and formulas after characters that a
# spreadsheet ignores: spaces, quotes, tabs. Such a cell gets an apostrophe before it. A cell that
# already begins with apostrophes and then such a sign gets one more, so that removing one always
# restores it.

_MARK = "'"
_PASSED_OVER = r"\s\x00-\x20'\"\u200b-\u200f\u2060\ufeff“”‘’«»"
_COMPUTED = re.compile(rf"[{_PASSED_OVER}]*?[=+\-@＝＋－＠\t\r]")


def guarded(cell: str) -> str:
    """Return a cell as written: escaped if a spreadsheet would compute it.

    >>> guarded("=1+1"), guarded("'=1+1"), guarded("- a list"), guarded("'tis")
    ("'=1+1", "''=1+1", "'- a list", "'tis")
    """
    return _MARK + cell if _COMPUTED.match(cell) else cell


def unguarded(cell: str) -> str:
    """Return the cell from which `guarded` made this.

    >>> unguarded("'=1+1"), unguarded("''=1+1"), unguarded("'tis")
    ('=1+1', "'=1+1", "'tis")
    """
    return cell[1:] if cell.startswith(_MARK) and _COMPUTED.match(cell, 1) else cell


def listed(words: Sequence[str]) -> str:
    """Return words in one cell, separated by spaces as cells are by commas.

    >>> listed(["a", "b c"]), words_of('a "b c"')
    ('a "b c"', ('a', 'b c'))
    """
    text = io.StringIO(newline="")
    csv.writer(text, delimiter=" ", lineterminator="\r\n").writerow(words)
    return text.getvalue().removesuffix("\r\n")


def words_of(cell: str) -> tuple[str, ...]:
    """Return the words of a cell written by `listed`. Raises `csv.Error`."""
    lines = io.StringIO(cell, newline="\n")
    return tuple(word for row in reader(lines, delimiter=" ", strict=True) for word in row)


# The table as it is written: each row is an entry in one language.

COLUMNS = ("id", "kind", "collection", "number", "level", "topic", "tags", "lang", "question",
           "source_answer", "reference_answer", "snippets", "verdicts", "wording",
           "own_notes", *LAYERS)  # fmt: skip


def write(book: Book, out: BinaryIO, *, delimiter: str = ",", raw: bool = False) -> None:
    """Write the table (RFC 4180, with line feeds), with cells separated by ``delimiter``.

    Lists within a cell are separated by spaces. Cells are escaped for spreadsheets unless they
    are ``raw``. Then the column names are quoted, which tells `read` so.
    """
    write_rows(out, [COLUMNS], delimiter, csv.QUOTE_ALL if raw else csv.QUOTE_MINIMAL)
    rows = (_row(entry, lang) for entry in book.entries for lang in entry.languages)
    write_rows(out, rows if raw else (map(guarded, row) for row in rows), delimiter)


def write_rows(
    out: BinaryIO,
    rows: Iterable[Iterable[str]],
    delimiter: str,
    quoting: Literal[0, 1] = csv.QUOTE_MINIMAL,
) -> None:
    """Write rows one at a time, each ending in a line feed."""
    text = io.StringIO(newline="")
    # The writer quotes line breaks of the kinds that its rows end with.
    table = csv.writer(text, delimiter=delimiter, lineterminator="\r\n", quoting=quoting)
    for row in rows:
        table.writerow(row)
        out.write((text.getvalue().removesuffix("\r\n") + "\n").encode())
        text.seek(0)
        text.truncate()


def _row(entry: Entry, lang: str) -> list[str]:
    # What a reader noted on the texts of a language, each under the words it speaks of.
    own_notes = "\n\n".join(
        f"“{annotation.target.quote}”\n{note}"
        for annotation in entry.annotations
        if annotation.own and annotation.target.lang == lang
        for note in annotation.note.values()
    )
    source, reference = entry.answer(lang, "source"), entry.answer(lang, "reference")
    return [
        *(getattr(entry, name) or "" for name in COLUMNS[: COLUMNS.index("tags")]),
        listed(entry.tags),
        lang,
        entry.question.get(lang, ""),
        source.text if source else "",
        reference.text if reference else "",
        listed([snippet.id for snippet in entry.snippets]),
        " ".join(a.verdict for a in entry.annotations if a.target.lang == lang),
        entry.wording.get(lang, ""),
        own_notes,
        *(entry.text(name, lang) for name in LAYERS),
    ]


# The same table read again: each row is an entry in one language.

_FACTS = ("kind", "collection", "number", "level", "topic", "tags")
_ANSWERS = {"source_answer": "source", "reference_answer": "reference"}
_NOT_TAKEN = ("snippets", "verdicts", "own_notes")
"""Columns that only refer to or quote data outside the table."""


def read(stream: BinaryIO, name: str, progress: Progress = silent, delimiter: str = ",") -> Batch:
    """Return the entries of our own table; rows of one id are languages of one entry.

    Escapes for spreadsheets are removed. Unneeded columns are skipped and listed. Unreadable rows
    are in ``bad``. Raises `BadData` for a table with other columns.
    """
    data = drawn(stream, name, limits.WHOLE)
    is_raw = data.removeprefix(codecs.BOM_UTF8).startswith(b'"')
    rows = rows_in(io.BytesIO(data), Written("utf-8-sig", Dialect(delimiter), False), name)
    header = _header(next(rows, Row(1, ())).cells, f"{name}:1")
    found: dict[str, dict[str, Any]] = {}
    entries: dict[str, Entry] = {}
    lines: dict[str, int] = {}
    left = Leftover(name)

    def take(row: Row) -> None:
        place = f"{name}:{row.line}"
        cells = _named(header, row.cells if is_raw else [*map(unguarded, row.cells)], place)
        plain = _joined(found.get(cells["id"]), cells, place)
        entries[cells["id"]] = bounded(ENTRY.read(plain, place), place)
        found[cells["id"]] = plain
        lines.setdefault(cells["id"], row.line)
        for column in filter(cells.get, _NOT_TAKEN):
            left.add("the column '{text}' of {n} rows was skipped", column, line=row.line)

    filled = (row for row in rows if row.cells)
    _, bad = shelved(name, filled, take, partial(bad_row, name), progress)
    return Batch(
        Book(tuple(entries.values())),
        own=True,
        partial=True,
        lines=lines,
        given=frozenset(lines),
        dropped=tuple(left.told()),
        bad=bad,
    )


def bad_row(name: str, row: Row, reason: str) -> Dropped:
    """Return the report of an unreadable row."""
    return Dropped(name, row.line, reason, "\t".join(row.cells)[:200])


def _header(found: Sequence[str], place: str) -> Sequence[str]:
    """Return the column names; our columns can be in any order."""
    strange = next((name for name in found if name not in COLUMNS), None)
    # Older tables have no layers.
    missing = next((name for name in COLUMNS if name not in (*found, *LAYERS)), None)
    if strange is None and missing is None and len(found) == len({*found}):
        return found
    wrong = Message("a column is given twice")
    if strange is not None:
        wrong = Message("there is no column '{name}'", name=strange[:60])
    elif missing is not None:
        wrong = Message("the column '{name}' is missing", name=missing)
    raise BadData(
        "{wrong}; the columns must be {columns}",
        nearest(strange or "", COLUMNS) or "'kb export -f csv' writes such a table.",
        place=place,
        wrong=wrong,
        columns=", ".join(COLUMNS),
    )


def _named(header: Sequence[str], cells: Sequence[str], place: str) -> Mapping[str, str]:
    """Return the cells of a row by column. Raises `BadData`."""
    if len(cells) != len(header):
        raise BadData(
            "has {cells} cells instead of {wanted}",
            place=place,
            cells=len(cells),
            wanted=len(header),
        )
    named = dict(zip(header, cells, strict=True))
    for column in ("id", "lang"):
        if not named[column].strip():
            raise BadData("{column}: is empty", place=place, column=column)
    return named


def _joined(known: Mapping[str, Any] | None, cells: Mapping[str, str], place: str) -> Any:
    """Return an entry as JSON, with the texts of a row added."""
    try:
        tags = list(words_of(cells["tags"]))
    except csv.Error as error:
        raise BadData(
            "tags: cannot be split into words ({error})", place=place, error=error
        ) from error
    facts: dict[str, Any] = {column: cells[column] or None for column in _FACTS}
    facts |= {"collection": cells["collection"], "tags": tags}
    lang = cells["lang"]
    plain = dict(known or {"id": cells["id"], **facts, "question": {}, "answers": []})
    for column, value in facts.items():
        if plain[column] != value:
            raise BadData(
                "{column}: differs from another row of '{id}'",
                place=place,
                column=column,
                id=cells["id"],
            )
    if lang in plain["question"] or any(each["lang"] == lang for each in plain["answers"]):
        raise BadData(
            "lang: another row of '{id}' is in '{lang}' too", place=place, id=cells["id"], lang=lang
        )
    for key in ("question", "wording", *LAYERS):
        plain[key] = plain.get(key, {}) | ({lang: cells[key]} if cells.get(key) else {})
    plain["answers"] = plain["answers"] + [
        {"role": role, "lang": lang, "text": cells[column]}
        for column, role in _ANSWERS.items()
        if cells[column]
    ]
    return plain

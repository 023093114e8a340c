"""CSV: one row per entry and language, for spreadsheets and data frames."""

from __future__ import annotations

import csv
import io
from collections.abc import Callable, Iterable
from functools import partial
from typing import BinaryIO, Literal

from kb.formats.book import Book
from kb.formats.cells import guarded, listed
from kb.formats.encoding import write_text
from kb.model import Entry
from kb.model.clauses import LAYERS

COLUMNS = ("id", "kind", "collection", "number", "level", "topic", "tags", "lang", "question",
           "source_answer", "reference_answer", "snippets", "verdicts", "wording",
           "own_notes", *LAYERS)  # fmt: skip


def write_cells(
    book: Book, out: BinaryIO, cell: Callable[[str], str], delimiter: str = ","
) -> None:
    """Write the table, with each cell made by ``cell`` and separated by ``delimiter``.

    Lists within a cell are separated by spaces.
    """
    write_rows(out, [COLUMNS], delimiter, csv.QUOTE_ALL if cell is str else csv.QUOTE_MINIMAL)
    rows = (_row(entry, lang) for entry in book.entries for lang in entry.languages)
    write_rows(out, (map(cell, row) for row in rows), delimiter)


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
        write_text(out, text.getvalue().removesuffix("\r\n") + "\n")
        text.seek(0)
        text.truncate()


write = partial(write_cells, cell=guarded)
"""Write the table (RFC 4180, with line feeds) with cells escaped for spreadsheets."""

write_raw = partial(write_cells, cell=str)
"""Write the table with unescaped cells, which a spreadsheet may compute.

The column names are quoted, which tells `kb.formats.rows` that it is raw.
"""


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
        entry.id,
        entry.kind,
        entry.collection,
        entry.number or "",
        entry.level or "",
        entry.topic or "",
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

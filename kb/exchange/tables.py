"""CSV: a row for each entry and language, for spreadsheets and data frames."""

from __future__ import annotations

import csv
import io
from typing import BinaryIO

from kb.exchange.book import Book
from kb.records import Entry

_COLUMNS = ("id", "kind", "collection", "number", "level", "topic", "tags", "lang", "question",
            "source_answer", "reference_answer", "snippets", "verdicts", "wording",
            "own_notes")  # fmt: skip


def write(book: Book, out: BinaryIO) -> None:
    """Write the table (RFC 4180, with line feeds); lists within a cell are parted by blanks."""
    text = io.TextIOWrapper(out, encoding="utf-8", newline="", write_through=True)
    table = csv.writer(text, lineterminator="\n")
    table.writerow(_COLUMNS)
    for entry in book.entries:
        for lang in entry.languages:
            table.writerow(_row(entry, lang))
    text.detach()


def _row(entry: Entry, lang: str) -> list[str]:
    source, reference = entry.answer(lang, "source"), entry.answer(lang, "reference")
    return [
        entry.id,
        entry.kind,
        entry.collection,
        entry.number or "",
        entry.level or "",
        entry.topic or "",
        " ".join(entry.tags),
        lang,
        entry.question.get(lang, ""),
        source.text if source else "",
        reference.text if reference else "",
        " ".join(snippet.id for snippet in entry.snippets),
        " ".join(a.verdict for a in entry.annotations if a.target.lang == lang),
        entry.wording.get(lang, ""),
        _own_notes(entry, lang),
    ]


def _own_notes(entry: Entry, lang: str) -> str:
    """Return what a reader noted on the texts of a language, each under the words it speaks of."""
    return "\n\n".join(
        f"“{annotation.target.quote}”\n{note}"
        for annotation in entry.annotations
        if annotation.own and annotation.target.lang == lang
        for note in annotation.note.values()
    )

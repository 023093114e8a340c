"""danesh's own JSON: one document with everything, which imports again with nothing lost."""

from __future__ import annotations

from kb.contract.reading import Reader, loads, read_entry, read_source
from kb.contract.shapes import dumps, entry_json, source_json
from kb.errors import BadData
from kb.exchange.book import Batch, Book
from kb.records import Entry, Progress
from kb.records.progress import silent
from kb.records.vocabulary import SCHEMA_VERSION


def write(book: Book) -> str:
    """Return the document."""
    return (
        dumps(
            {
                "schema_version": SCHEMA_VERSION,
                "collections": [
                    {"id": name, "title": dict(title)} for name, title in book.collections.items()
                ],
                "sources": [source_json(source) for source in book.sources],
                "entries": [entry_json(entry) for entry in book.entries],
            }
        )
        + "\n"
    )


def read(text: str, name: str, progress: Progress = silent) -> Batch:
    """Return what such a document holds."""
    raw = Reader(loads(text, name), name)
    version = raw.get("schema_version", int)
    if version != SCHEMA_VERSION:
        raise BadData(
            f"{name}: schema_version {version} is not known (this danesh reads {SCHEMA_VERSION})",
            "Upgrade danesh.",
        )
    collections = {row.get("id", str): row.texts("title") for row in raw.objects("collections")}
    sources = tuple(read_source(row) for row in raw.objects("sources"))
    values = raw.get("entries", list)
    entries: list[Entry] = []
    for number, value in enumerate(values):
        progress(0, 0)
        entries.append(read_entry(value, f"{name}: entries[{number}]"))
    raw.done()
    return Batch(Book(tuple(entries), sources, collections), own=True)

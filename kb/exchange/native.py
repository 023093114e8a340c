"""danesh's own JSON: one document with everything, which imports again with nothing lost."""

from __future__ import annotations

from collections.abc import Mapping
from typing import BinaryIO, NamedTuple

from kb.contract.codec import TEXT, WHOLE, Many, Plain, Texts
from kb.contract.document import dumps, loads, versioned
from kb.contract.entry import ENTRY, SOURCE
from kb.contract.shape import Key, Shape
from kb.errors import BadData
from kb.exchange.book import Batch, Book
from kb.exchange.encoding import read_text, write_text
from kb.records import Entry, Progress, Source, silent
from kb.records.vocabulary import SCHEMA_VERSION


class _Collection(NamedTuple):
    id: str
    title: Mapping[str, str]


class _Document(NamedTuple):
    schema_version: int
    collections: tuple[_Collection, ...]
    sources: tuple[Source, ...]
    entries: list[object]


_COLLECTION = Shape(_Collection, Key("id", TEXT), Key("title", Texts(), default={}))
_DOCUMENT = Shape(
    _Document,
    Key("schema_version", WHOLE),
    Key("collections", Many(_COLLECTION), default=()),
    Key("sources", Many(SOURCE), default=()),
    Key("entries", Plain(list)),
)


def write(book: Book, out: BinaryIO) -> None:
    """Write the document."""
    collections = (_Collection(*each) for each in book.collections.items())
    document = versioned(
        {
            "collections": [_COLLECTION.write(each) for each in collections],
            "sources": [SOURCE.write(source) for source in book.sources],
            "entries": [ENTRY.write(entry) for entry in book.entries],
        }
    )
    write_text(out, dumps(document) + "\n")


def read(stream: BinaryIO, name: str, progress: Progress = silent) -> Batch:
    """Return what such a document holds."""
    value = loads(read_text(stream, name), name)
    version = value.get("schema_version") if isinstance(value, dict) else None
    if type(version) is int and version != SCHEMA_VERSION:
        raise BadData(
            f"{name}: schema_version {version} is not known (this danesh reads {SCHEMA_VERSION})",
            "Upgrade danesh.",
        )
    document = _DOCUMENT.read(value, name)
    entries: list[Entry] = []
    for number, entry in enumerate(document.entries):
        progress(0, 0)
        entries.append(ENTRY.read(entry, f"{name}: entries[{number}]"))
    collections = {each.id: each.title for each in document.collections}
    return Batch(Book(tuple(entries), document.sources, collections), own=True)

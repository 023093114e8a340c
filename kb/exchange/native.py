"""danesh's own JSON: one document with everything, which imports again with nothing lost."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, BinaryIO, NamedTuple

from kb import limits
from kb.contract.codec import TEXT, WHOLE, Texts
from kb.contract.document import dumps, versioned
from kb.contract.entry import ENTRY, SOURCE
from kb.contract.shape import Key, Shape
from kb.errors import BadData
from kb.exchange.book import Batch, Book
from kb.exchange.encoding import write_text
from kb.exchange.pieces import Part, read_object
from kb.exchange.shelf import Shelf
from kb.records import Progress, silent
from kb.records.vocabulary import SCHEMA_VERSION

_VERSION = "schema_version"


class _Collection(NamedTuple):
    id: str
    title: Mapping[str, str]


_COLLECTION = Shape(_Collection, Key("id", TEXT), Key("title", Texts(), default={}))


def write(book: Book, out: BinaryIO) -> None:
    """Write the document, an entry at a time."""
    collections = (_Collection(*each) for each in book.collections.items())
    before = versioned(
        {
            "collections": [_COLLECTION.write(each) for each in collections],
            "sources": [SOURCE.write(source) for source in book.sources],
        }
    )
    write_text(out, dumps(before).removesuffix("\n}") + ',\n  "entries": [')
    between = "\n"
    for entry in book.entries:
        # The line breaks of a text are escaped, so each that is there begins a line of JSON.
        lines = dumps(ENTRY.write(entry)).replace("\n", "\n    ")
        write_text(out, f"{between}    {lines}")
        between = ",\n"
    write_text(out, "]\n}\n" if between == "\n" else "\n  ]\n}\n")


def read(stream: BinaryIO, name: str, progress: Progress = silent) -> Batch:
    """Return what such a document holds."""
    entries = Shelf()
    found: dict[str, list[Any]] = {key: [] for key in _READERS}
    kept: dict[str, Callable[[Any], None]] = {key: found[key].append for key in _READERS}
    kept["entries"] = entries.add
    counts = dict.fromkeys(_READERS, 0)

    def taken(key: str) -> Callable[[Any, str, str], None]:
        def take(value: object, place: str, here: str) -> None:
            progress(0, 0)
            if counts[key] >= limits.SHELVED:
                raise BadData(f"{name}: holds more than {limits.SHELVED:,} {key}")
            counts[key] += 1
            kept[key](_READERS[key](value, place, here))

        return take

    parts = {key: Part(taken(key), key != _VERSION) for key in _READERS}
    said = read_object(stream, name, parts)
    for key in (_VERSION, "entries"):
        if key not in said:
            raise BadData(f"{name}: {key} is missing")
    collections = {each.id: each.title for each in found["collections"]}
    return Batch(Book(entries, tuple(found["sources"]), collections), own=True)


def _version(value: Any, place: str, key: str) -> int:
    version: int = WHOLE.read(value, place, key)
    if version != SCHEMA_VERSION:
        raise BadData(
            f"{place}: {key} {version} is not known (this danesh reads {SCHEMA_VERSION})",
            "Upgrade danesh.",
        )
    return version


_READERS: Mapping[str, Callable[[Any, str, str], Any]] = {
    _VERSION: _version,
    "collections": _COLLECTION.read,
    "sources": SOURCE.read,
    "entries": ENTRY.read,
}

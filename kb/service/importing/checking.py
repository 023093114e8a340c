"""What is refused of what comes in: two of a name, a quote that is not at its place."""

from __future__ import annotations

from collections.abc import Iterable

from kb.contract.bounds import bounded
from kb.errors import BadData
from kb.exchange.book import Book
from kb.records import digest


def check_book(book: Book, name: str) -> None:
    """Refuse what contradicts itself, or is too large. Raises `BadData` that names the file."""
    for entry in book.entries:
        bounded(entry, f"{name}: {entry.id[:80]}")
    _unique(name, "entry", (entry.id for entry in book.entries))
    _unique(name, "annotation", (a.id for entry in book.entries for a in entry.annotations))
    sources = {source.file: source.text for source in book.sources}
    for source in book.sources:
        if digest(source.text) != source.sha256:
            raise BadData(f"{name}: {source.file}: the document's text does not have its checksum")
    for entry in book.entries:
        for annotation in entry.annotations:
            target = annotation.target
            text = sources.get(target.file)
            if text is not None and text[target.start : target.end] != target.quote:
                raise BadData(
                    f"{name}: {annotation.id}: the quote does not stand at {target.start} to "
                    f"{target.end} of {target.file}"
                )


def _unique(file: str, kind: str, names: Iterable[str]) -> None:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise BadData(f"{file}: {name}: two of the file's {kind} records have this id")
        seen.add(name)

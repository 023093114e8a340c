"""What is refused of what comes in: two of a name, a quote that is not at its place."""

from __future__ import annotations

from collections.abc import Iterable

from kb.errors import BadData
from kb.exchange.book import Batch
from kb.records import Annotation, Entry, digest


def check_batch(batch: Batch, name: str) -> None:
    """Refuse what contradicts itself. Raises `BadData` that names the file, and the line if known.

    ``name`` is the file's.
    """
    entries = batch.book.entries
    _unique("entry", ((entry.id, _place(batch, name, entry)) for entry in entries))
    annotations = [
        (annotation, _place(batch, name, entry))
        for entry in entries
        for annotation in entry.annotations
    ]
    _unique("annotation", ((annotation.id, place) for annotation, place in annotations))
    for source in batch.book.sources:
        if digest(source.text) != source.sha256:
            raise BadData(f"{name}: {source.file}: the document's text does not have its checksum")
    texts = {source.file: source.text for source in batch.book.sources}
    for annotation, place in annotations:
        _check_quote(annotation, texts.get(annotation.target.file), place)


def _check_quote(annotation: Annotation, text: str | None, place: str) -> None:
    target = annotation.target
    if text is not None and text[target.start : target.end] != target.quote:
        raise BadData(
            f"{place}: {annotation.id}: the quote does not stand at {target.start} to "
            f"{target.end} of {target.file}"
        )


def _place(batch: Batch, name: str, entry: Entry) -> str:
    line = batch.lines.get(entry.id)
    return name if line is None else f"{name}:{line}"


def _unique(kind: str, found: Iterable[tuple[str, str]]) -> None:
    seen: set[str] = set()
    for id, place in found:
        if id in seen:
            raise BadData(f"{place}: {id}: two of the file's {kind} records have this id")
        seen.add(id)

"""What is refused of what comes in: two of a name, a quote that is not at its place."""

from __future__ import annotations

from kb.contract.entry import bounded
from kb.errors import BadData
from kb.exchange.book import Batch
from kb.records import Annotation, Entry, digest


def check_batch(batch: Batch, name: str) -> None:
    """Refuse what contradicts itself, or is too large.

    Raises `BadData` that names the file, of that ``name``, and the line if it is known.
    """
    if batch.plain:
        return
    entries, notes = _Names("entry"), _Names("annotation")
    for entry in batch.book.entries:
        place = _place(batch, name, entry)
        bounded(entry, f"{place}: {entry.id[:80]}")
        entries.add(entry.id, place)
        for annotation in entry.annotations:
            notes.add(annotation.id, place)
    for source in batch.book.sources:
        if digest(source.text) != source.sha256:
            raise BadData(
                "{file}: the document's text does not have its checksum",
                place=name,
                file=source.file,
            )
    texts = {source.file: source.text for source in batch.book.sources}
    for entry in batch.book.entries if texts else ():
        for annotation in entry.annotations:
            _check_quote(annotation, texts.get(annotation.target.file), _place(batch, name, entry))


def _check_quote(annotation: Annotation, text: str | None, place: str) -> None:
    target = annotation.target
    if text is not None and text[target.start : target.end] != target.quote:
        raise BadData(
            "{id}: the quote does not stand at {start} to {end} of {file}",
            place=place,
            id=annotation.id,
            start=target.start,
            end=target.end,
            file=target.file,
        )


def _place(batch: Batch, name: str, entry: Entry) -> str:
    line = batch.lines.get(entry.id)
    return name if line is None else f"{name}:{line}"


class _Names:
    """The names of a file's records of a kind, each of which is one record's."""

    def __init__(self, kind: str) -> None:
        self._kind = kind
        self._seen: set[str] = set()

    def add(self, id: str, place: str) -> None:
        """Add a name. Raises `BadData` where it is there."""
        if id in self._seen:
            raise BadData(
                "{id}: two of the file's {kind} records have this id",
                place=place,
                id=id,
                kind=self._kind,
            )
        self._seen.add(id)

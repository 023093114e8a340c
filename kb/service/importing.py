"""Importing: what files hold, stored in one transaction."""

from __future__ import annotations

import dataclasses
import os
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from kb.errors import BadData, Conflict, UsageError
from kb.exchange.book import Batch, Book
from kb.exchange.registry import IMPORTERS, read_file
from kb.records import Entry, ImportedEntry, ImportReport, Progress, digest, paced
from kb.service.base import Base
from kb.service.guard import clean, door, path_of
from kb.service.write import put_entry


class _DryRun(Exception):
    """Ends a transaction that was only to be tried."""


class Import:
    """What a reader takes in."""

    def __init__(self, base: Base) -> None:
        self._base = base

    @door
    def import_file(
        self,
        path: str | os.PathLike[str],
        *,
        collection: str | None = None,
        format: str | None = None,
        dry_run: bool = False,
        progress: Progress | None = None,
    ) -> ImportReport:
        """Add the entries of a file: all of them, or none and a `BadData` that names the line.

        The collection is named after the file unless ``collection`` says otherwise. A folder
        of the form of ``data/`` names its collections itself, and has no ``format``. Where
        ``progress`` raises `Cancelled`, nothing is added.
        """
        file, tell = path_of("a file", path), paced(progress)
        named = None if collection is None else clean("a collection", collection)
        wanted = None if format is None else clean("a format", format)
        if file.is_dir():
            if named is not None or wanted is not None:
                raise UsageError(f"{file}: a folder names its own collections and has one format")
            batch = _read_folder(file, tell)
        else:
            batch = read_file(file, wanted, tell)
        name = clean("a collection", named or file.stem).strip()
        if not name:
            raise UsageError("a collection needs a name")
        report = store(self._base, batch, name, dry_run=dry_run, progress=tell)
        return report._replace(file=os.fspath(path))

    @door
    def endings(self) -> tuple[str, ...]:
        """Return how the names of files end that can be imported."""
        return tuple(ending for known in IMPORTERS.values() for ending in known.suffixes)


def store(
    base: Base, batch: Batch, collection: str, *, dry_run: bool, progress: Progress
) -> ImportReport:
    """Store a batch in one transaction: all of it or nothing.

    Entries of our own formats keep their ids and collections. Others are put under
    ``collection``, with the id ``COLLECTION/ID``; importing them again renews them.
    """
    book = batch.book if batch.own else _under(batch.book, collection)
    _check(book)
    counts: Counter[str] = Counter()
    try:
        with base.store.transaction():
            _put_surroundings(base, book)
            for done, entry in enumerate(book.entries, 1):
                if not batch.own:
                    stored = base.store.entries.get([entry.id])
                    entry = _with_other_languages(stored.get(entry.id), entry)
                counts[put_entry(base, entry, "user")] += 1
                progress(done, len(book.entries))
            if dry_run:
                raise _DryRun
    except _DryRun:
        pass
    names = ", ".join(dict.fromkeys(entry.collection for entry in book.entries))
    entries = tuple(
        ImportedEntry(entry.id, entry.question, batch.lines.get(given.id))
        for entry, given in zip(book.entries, batch.book.entries, strict=True)
    )
    return ImportReport(
        names,
        counts["added"],
        counts["updated"],
        counts["unchanged"],
        dry_run=dry_run,
        entries=entries,
    )


def _read_folder(folder: Path, progress: Progress) -> Batch:
    from kb.content.folder import read_content

    content = read_content(folder, progress=progress)
    return Batch(Book(content.entries, content.sources, content.collections), own=True)


def _under(book: Book, collection: str) -> Book:
    """Return a book whose entries are of a collection, which their ids name, too."""
    renamed = tuple(
        dataclasses.replace(entry, id=f"{collection}/{entry.id}", collection=collection)
        for entry in book.entries
    )
    return dataclasses.replace(book, entries=renamed)


def _with_other_languages(stored: Entry | None, new: Entry) -> Entry:
    """Return an entry with the languages that are stored and not in the file: nothing is erased."""
    if stored is None:
        return new
    kept = tuple(answer for answer in stored.answers if answer.lang not in new.languages)
    old = {k: v for k, v in stored.question.items() if k not in new.languages}
    return dataclasses.replace(new, question={**old, **new.question}, answers=(*kept, *new.answers))


def _check(book: Book) -> None:
    """Refuse what contradicts itself: two of a name, a quote that is not at its place."""
    _unique("entry", (entry.id for entry in book.entries))
    _unique("annotation", (a.id for entry in book.entries for a in entry.annotations))
    sources = {source.file: source.text for source in book.sources}
    for source in book.sources:
        if digest(source.text) != source.sha256:
            raise BadData(f"{source.file}: the document's text does not have its checksum")
    for entry in book.entries:
        for annotation in entry.annotations:
            target = annotation.target
            text = sources.get(target.file)
            if text is not None and text[target.start : target.end] != target.quote:
                raise BadData(
                    f"{annotation.id}: the quote does not stand at {target.start} to "
                    f"{target.end} of {target.file}"
                )


def _unique(kind: str, names: Iterable[str]) -> None:
    seen: set[str] = set()
    for name in names:
        if name in seen:
            raise BadData(f"{name}: two of the file's {kind} records have this id")
        seen.add(name)


def _put_surroundings(base: Base, book: Book) -> None:
    """Store the sources and collections; a source that is stored with another text stays."""
    entries = base.store.entries
    known = {source.file: source.sha256 for source in entries.sources()}
    for source in book.sources:
        if known.get(source.file, source.sha256) != source.sha256:
            raise Conflict(f"{source.file}: another source document of that name is stored")
    entries.put_sources(s for s in book.sources if s.file not in known)
    for name, title in book.collections.items():
        entries.put_collection(name, title)
    for name in dict.fromkeys(entry.collection for entry in book.entries):
        entries.put_collection(name, {})

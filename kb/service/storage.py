"""Books out of a database, and batches into one."""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Sequence

from kb.errors import BadData, Conflict
from kb.exchange.book import Batch, Book
from kb.records import Entry, ImportReport, Progress, digest
from kb.records.progress import silent
from kb.store.sqlite import entries, queries
from kb.store.sqlite.conditions import Condition
from kb.store.sqlite.database import Database
from kb.store.sqlite.driver import Connection


class _DryRun(Exception):
    """Ends a transaction that was only to be tried."""


def collect(database: Database, condition: Condition) -> Book:
    """Return the entries that meet the condition, with the sources they speak of."""
    with database.errors():
        connection = database.connection
        _, found = queries.select(connection, condition)
        chosen = [e for each in found if (e := entries.get_entry(connection, each[0])) is not None]
        files = {file for entry in chosen for file in _files(entry)}
        names = {entry.collection for entry in chosen}
        titles = queries.get_collections(connection)
        return Book(
            tuple(chosen),
            tuple(s for s in queries.get_sources(connection) if s.file in files),
            {name: title for name, title in titles.items() if name in names},
        )


def store(
    database: Database,
    batch: Batch,
    collection: str,
    *,
    dry_run: bool = False,
    progress: Progress = silent,
) -> ImportReport:
    """Store a batch in one transaction: all of it or nothing.

    Entries of our own formats keep their ids and collections. Others are put under
    ``collection``, with the id ``COLLECTION/ID``; importing them again renews them.
    """
    book = batch.book if batch.own else _shelved(batch.book, collection)
    _check(book)
    counts = {"added": 0, "updated": 0, "unchanged": 0}
    try:
        with database.writing() as connection:
            _put_surroundings(connection, book)
            for done, entry in enumerate(book.entries, 1):
                if not batch.own:
                    entry = _with_other_languages(entries.get_entry(connection, entry.id), entry)
                position = entries.next_position(connection, entry.collection)
                counts[entries.put_entry(connection, entry, "user", position)] += 1
                progress(done, len(book.entries))
            if dry_run:
                raise _DryRun
    except _DryRun:
        pass
    names = ", ".join(dict.fromkeys(entry.collection for entry in book.entries))
    return ImportReport(names, **counts, dry_run=dry_run)


def _shelved(book: Book, collection: str) -> Book:
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


def _put_surroundings(connection: Connection, book: Book) -> None:
    """Store the sources and collections; a source that is stored with another text stays."""
    known = {source.file: source.sha256 for source in queries.get_sources(connection)}
    for source in book.sources:
        if known.get(source.file, source.sha256) != source.sha256:
            raise Conflict(f"{source.file}: another source document of that name is stored")
    entries.put_sources(connection, (s for s in book.sources if s.file not in known))
    for name, title in book.collections.items():
        entries.put_collection(connection, name, title)
    for name in dict.fromkeys(entry.collection for entry in book.entries):
        entries.put_collection(connection, name, {})


def _files(entry: Entry) -> Sequence[str]:
    answers = [answer.origin.file for answer in entry.answers if answer.origin]
    origins = [span.file for spans in entry.origins.values() for span in spans]
    return [*origins, *answers, *(a.target.file for a in entry.annotations)]

"""Changing the index: new segments, and what is gone from those that are there."""

from __future__ import annotations

import json
import secrets
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import islice

from kb.index.ranked import merging
from kb.index.ranked.building import Built, built
from kb.index.ranked.rows import INSERTION, Rows
from kb.index.ranked.snapshots import Snapshots
from kb.index.ranked.worker import Worker
from kb.records import Progress
from kb.records.document import Document
from kb.store.sqlite.connection import Connection

_AT_ONCE = 5_000
"""So many documents make a segment at most before segments are merged."""


class Writer:
    """What changes an index; the caller holds the transaction."""

    def __init__(self, connection: Callable[[], Connection], known: Snapshots) -> None:
        self._connection = connection
        self._known = known

    def add(self, documents: Sequence[Document], made: Built | None) -> None:
        """Index documents; ``made`` is what was built of them already."""
        connection = self._connection()
        if made is not None:
            put_segment(connection, documents, made)
        for some in _batches(documents) if made is None else ():
            put_segment(connection, some, built(some))
        if documents:
            merging.merge_due(connection)
            touch(connection)

    def remove(self, documents: Sequence[int]) -> None:
        """Take documents out."""
        connection = self._connection()
        for segment in self._known.segments(connection):
            if found := segment.ordinals(documents).values():
                take_out(connection, segment.id, found)
                touch(connection)

    def rename(self, old: str, new: str) -> None:
        """Give a fact, and those below it, another name; what is being merged begins anew."""
        connection = self._connection()
        for (segment,) in connection.rows("SELECT id FROM index_segment"):
            for name in [old, *_below(connection, segment, old)]:
                connection.run(
                    "UPDATE index_posting SET term = ? WHERE segment = ? AND term = ?",
                    (new + name.removeprefix(old), segment, name),
                )
        connection.run("UPDATE index_segment SET stamp = ? + id", (secrets.randbits(60),))
        touch(connection)

    def rebuild(self, documents: Iterable[Document], total: int, progress: Progress) -> int:
        """Index these documents and nothing else; return how many they are."""
        progress(0, 0)
        connection, done = self._connection(), 0
        for table in ("index_gone", "index_posting", "index_segment"):
            connection.run(f"DELETE FROM {table}")
        for some, made in _built_ahead(_batches(documents)):
            put_segment(connection, some, made)
            done += len(some)
            progress(done, total)
        merging.merge_due(connection)
        touch(connection)
        return done


def put_segment(connection: Connection, documents: Sequence[Document], made: Built) -> int:
    """Store what was built of documents as a segment, and return its number."""
    numbers = [documents[place].id for place in made.order]
    layers = _layers(connection, numbers)
    of_each = [layers.get(number, 0) for number in numbers]
    rows = Rows(numbers, made.siblings, made.lengths, of_each)
    segment = connection.insert("index_segment", rows.values(made.patterns))
    connection.run_many(INSERTION, ((segment, *posting) for posting in made.postings))
    return segment


def take_out(connection: Connection, segment: int, ordinals: Iterable[int]) -> None:
    """Remember that documents of a segment are gone, those that are not gone yet."""
    sql = (
        "SELECT value FROM json_each(?) WHERE value NOT IN "
        "(SELECT ordinal FROM index_gone WHERE segment = ?)"
    )
    found = connection.rows(sql, (json.dumps(list(ordinals)), segment))
    connection.run_many(
        "INSERT INTO index_gone (segment, ordinal) VALUES (?, ?)",
        ((segment, row[0]) for row in found),
    )
    sql = "UPDATE index_segment SET gone = gone + ? WHERE id = ?"
    connection.run(sql, (len(found), segment))


def touch(connection: Connection) -> None:
    """Let everybody know that the index has changed."""
    connection.run("UPDATE index_revision SET stamp = ?", (secrets.randbits(62),))


def _below(connection: Connection, segment: int, name: str) -> list[str]:
    sql = "SELECT term FROM index_posting WHERE segment = ? AND term > ? AND term < ?"
    values = (segment, name + "/", name + chr(ord("/") + 1))
    return [row[0] for row in connection.rows(sql, values)]


def _built_ahead(
    batches: Iterable[Sequence[Document]],
) -> Iterator[tuple[Sequence[Document], Built]]:
    """Yield documents with what is built of them; meanwhile the next are being built."""
    with Worker() as begin:
        before: tuple[Sequence[Document], Callable[[], Built]] | None = None
        for some in batches:
            following = some, begin(some)
            if before is not None:
                yield before[0], before[1]()
            before = following
        if before is not None:
            yield before[0], before[1]()


def _layers(connection: Connection, documents: Sequence[int]) -> dict[int, int]:
    sql = (
        "SELECT d.id, e.layer FROM json_each(?) j JOIN document d ON d.id = j.value "
        "JOIN entry e ON e.id = d.entry"
    )
    rows = connection.rows(sql, (json.dumps(documents),))
    return {row[0]: row[1] for row in rows}


def _batches(documents: Iterable[Document]) -> Iterator[list[Document]]:
    """Yield documents so many at once, those of one entry together."""
    left = iter(documents)
    some = list(islice(left, _AT_ONCE))
    for document in left:
        if document.entry != some[-1].entry and len(some) >= _AT_ONCE:
            yield some
            some = []
        some.append(document)
    if some:
        yield some

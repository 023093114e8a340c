"""Changes to the index: new segments and deleted documents.

It also compares the index with the stored texts, document by document.
"""

from __future__ import annotations

import json
import struct
from collections.abc import Callable, Container, Iterable, Sequence
from contextlib import nullcontext, suppress
from itertools import groupby, islice
from operator import attrgetter
from zlib import crc32

from kb.model.documents import Document
from kb.model.results import Progress
from kb.search.index.building import Built, Pattern, built, facts_of, held, stems_of
from kb.search.index.codec import unpacked, unpacked_numbers
from kb.search.index.merging import merge_due
from kb.search.index.segments import (
    Rows,
    Snapshots,
    bump_revision,
    everything,
    mark_deleted,
    new_stamp,
    put_postings,
)
from kb.store.sqlite.driver import Connection

_UNREADABLE = (LookupError, ValueError, ArithmeticError, struct.error)
"""Exceptions that a damaged index raises when read."""


class Writer:
    """Changes an index; the caller holds the transaction."""

    def __init__(self, connection: Callable[[], Connection], known: Snapshots) -> None:
        self._connection = connection
        self._known = known

    def add(self, documents: Sequence[Document]) -> None:
        """Index documents."""
        connection = self._connection()
        if documents:
            put_segment(connection, built(documents))
            merge_due(connection)
            bump_revision(connection)

    def put(self, made: Built) -> None:
        """Store a segment built from documents.

        Documents deleted or reindexed meanwhile are marked as deleted.
        """
        connection = self._connection()
        known = self._known_among(made.documents)
        if len(known) < len(made.documents):
            put_segment(connection, made, known)
            bump_revision(connection)

    def unknown(self, documents: Iterable[int]) -> list[int]:
        """Return those of these documents that are in no segment."""
        every = list(documents)
        known = self._known_among(every)
        return [document for document in every if document not in known]

    def _known_among(self, documents: Sequence[int]) -> set[int]:
        """Return those of these documents that exist in a segment.

        Numbers of deleted documents are reused.
        """
        connection = self._connection()
        asked = set(documents)
        return {
            document
            for segment, absent in self._known.everything(connection).parts
            for ordinal, document in enumerate(segment.documents)
            if document in asked and ordinal not in absent
        }

    def remove(self, documents: Sequence[int]) -> None:
        """Take documents out."""
        connection = self._connection()
        for segment, _ in self._known.everything(connection).parts:
            if found := segment.ordinals(documents).values():
                mark_deleted(connection, segment.id, found)
                bump_revision(connection)

    def rename(self, old: str, new: str) -> None:
        """Rename a filter value and those below it; running merges start again."""
        connection = self._connection()
        for (segment,) in connection.rows("SELECT id FROM index_segment"):
            sql = "SELECT term FROM index_posting WHERE segment = ? AND term > ? AND term < ?"
            below = connection.column(sql, (segment, f"{old}/", old + chr(ord("/") + 1)))
            for name in [old, *below]:
                connection.run(
                    "UPDATE index_posting SET term = ? WHERE segment = ? AND term = ?",
                    (new + name.removeprefix(old), segment, name),
                )
        connection.run("UPDATE index_segment SET stamp = ? + id", (new_stamp(),))
        bump_revision(connection)

    def rebuild(self, documents: Iterable[Document], total: int, progress: Progress) -> int:
        """Index exactly these documents; return their number."""
        progress(0, 0)
        connection, done = self._connection(), 0
        for table in ("gone", "posting", "skeleton", "documents", "segment"):
            connection.run(f"DELETE FROM index_{table}")
        from kb.search.index.bulk import bulk

        with bulk(nullcontext, self.put) as indexing:
            for _, of_entry in groupby(documents, key=attrgetter("entry")):
                some = list(of_entry)
                indexing.take(some)
                done += len(some)
                progress(done, total)
            indexing.finish()
        merge_due(connection)
        bump_revision(connection)
        return done


def put_segment(connection: Connection, made: Built, but: Container[int] = ()) -> None:
    """Store a built segment.

    Documents deleted meanwhile, and excluded ones, are marked as deleted.
    """
    layers = _layers(connection, made.documents)
    of_each = [layers.get(number, 0) for number in made.documents]
    rows = Rows(made.documents, made.siblings, made.lengths, of_each)
    segment = rows.put(connection, made.patterns, live=True)
    put_postings(connection, segment, made.postings)
    gone = [n for n, each in enumerate(made.documents) if each not in layers or each in but]
    if gone:
        mark_deleted(connection, segment, gone)


def _layers(connection: Connection, documents: Sequence[int]) -> dict[int, int]:
    sql = (
        "SELECT d.id, e.layer FROM json_each(?) j JOIN document d ON d.id = j.value "
        "JOIN entry e ON e.key = d.entry"
    )
    return dict(map(tuple, connection.rows(sql, (json.dumps(documents),))))


def damaged_documents(connection: Connection, documents: Iterable[Document]) -> list[int]:
    """Return the numbers of documents that are not indexed as these texts say.

    The checksums of each document's terms are compared. If the index cannot be read, all
    documents are returned.
    """
    indexed: dict[int, int] = {}
    with suppress(*_UNREADABLE):
        indexed = _checksums(connection)
    damaged = [each.id for each in documents if indexed.pop(each.id, None) != _checksum(each)]
    return sorted([*damaged, *indexed])


def _checksum(document: Document) -> int:
    terms = [(term, tuple(columns), places) for term, (columns, places) in held(document).items()]
    facts: list[tuple[str, Pattern, list[int]]] = [(n, (), []) for n in facts_of(document.facts)]
    return sum(_checksum_of_term(*each) for each in (*terms, *facts))


def _checksums(connection: Connection) -> dict[int, int]:
    """Return the checksum of each indexed document."""
    found: dict[int, int] = {}
    for segment, absent in everything(connection).parts:
        sums = [0] * segment.size
        sql = "SELECT term, documents, places FROM index_posting WHERE segment = ?"
        for term, documents, places in connection.stream(sql, (segment.id,)):
            left = iter(unpacked_numbers(places))
            for number, ordinals in unpacked(documents, segment.size):
                pattern = segment.patterns[number]
                for ordinal in ordinals:
                    some = list(islice(left, stems_of(pattern)))
                    sums[ordinal] += _checksum_of_term(term, pattern, some)
        numbers = segment.documents
        found |= {numbers[o]: each for o, each in enumerate(sums) if o not in absent}
    return found


def _checksum_of_term(term: str, pattern: Pattern, places: list[int]) -> int:
    return crc32(repr((term, pattern, places)).encode())

"""The segments of the index in the database file: their tables, and those of one moment.

A segment never changes. A deleted document stays in its segment until a merge and is listed in
``index_gone``; so are documents in hidden layers. The segment comes first in the key of a term, so
data written together is adjacent, and a merged segment is deleted as one range.
"""

from __future__ import annotations

import json
import os
from bisect import bisect_right
from collections import defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cached_property
from typing import NamedTuple

from kb.search.index.building import Pattern, Posting
from kb.search.index.codec import (
    packed_numbers,
    packed_patterns,
    unpacked_numbers,
    unpacked_patterns,
)
from kb.store.sqlite.driver import Connection
from kb.store.sqlite.rows import DARK

FORM = 4
"""The version of these tables, stored with the revision."""

_TABLES = {
    "index_revision": "form INTEGER NOT NULL, stamp INTEGER NOT NULL",
    "index_segment": (
        "id INTEGER PRIMARY KEY, stamp INTEGER NOT NULL, live INTEGER NOT NULL, "
        "size INTEGER NOT NULL, gone INTEGER NOT NULL, terms INTEGER NOT NULL"
    ),
    # What never changes lies apart: SQLite writes a row again whatever changes in it.
    "index_documents": (
        "segment INTEGER PRIMARY KEY, patterns TEXT NOT NULL, documents BLOB NOT NULL, "
        "siblings BLOB NOT NULL, lengths BLOB NOT NULL, layers BLOB NOT NULL"
    ),
    "index_posting": (
        "segment INTEGER NOT NULL, term TEXT NOT NULL, frequency INTEGER NOT NULL, "
        "documents BLOB NOT NULL, places BLOB NOT NULL, PRIMARY KEY (segment, term)"
    ),
    "index_skeleton": (
        "segment INTEGER NOT NULL, skeleton TEXT NOT NULL, term TEXT NOT NULL, "
        "PRIMARY KEY (segment, skeleton, term)"
    ),
    "index_gone": (
        "id INTEGER PRIMARY KEY AUTOINCREMENT, segment INTEGER NOT NULL, "
        "ordinal INTEGER NOT NULL, UNIQUE (segment, ordinal)"
    ),
}
_OPTIONS = dict.fromkeys(("index_posting", "index_skeleton"), "WITHOUT ROWID")


def prepare(connection: Connection) -> bool:
    """Create the index if it does not exist in this version; return whether it is new."""
    known = connection.value("SELECT 1 FROM sqlite_master WHERE name = 'index_revision'")
    if known and connection.value("SELECT form FROM index_revision") == FORM:
        return False
    for name, columns in _TABLES.items():
        connection.run(f"DROP TABLE IF EXISTS {name}")
        connection.run(f"CREATE TABLE {name} ({columns}) {_OPTIONS.get(name, '')}")
    connection.run("INSERT INTO index_revision (form, stamp) VALUES (?, 0)", (FORM,))
    return True


# What is stored of a segment beside its posting lists.


_INSERTION = (
    "INSERT INTO index_posting (segment, term, frequency, documents, places) VALUES (?, ?, ?, ?, ?)"
)
_CONSONANT_KEY = "INSERT INTO index_skeleton (segment, skeleton, term) VALUES (?, ?, ?)"


def new_stamp() -> int:
    """Return a random number that identifies a segment, or a state of the index."""
    return int.from_bytes(os.urandom(8)) >> 2


class Rows(NamedTuple):
    """The documents of a segment by ordinal, with their layers."""

    documents: Sequence[int]
    siblings: Sequence[int]
    lengths: Sequence[int]
    layers: Sequence[int]

    def put(self, connection: Connection, patterns: Iterable[Pattern], *, live: bool) -> int:
        """Store a segment with these patterns and return its number."""
        segment = connection.insert(
            "index_segment",
            {
                "stamp": new_stamp(),
                "live": int(live),
                "size": len(self.documents),
                "gone": 0,
                "terms": sum(self.lengths),
            },
        )
        values = {
            "segment": segment,
            "patterns": packed_patterns(patterns),
            "documents": packed_numbers(self.documents),
            "siblings": packed_numbers(self.siblings),
            "lengths": packed_numbers(self.lengths),
            "layers": packed_numbers(self.layers),
        }
        connection.insert("index_documents", values)
        return segment


def put_postings(connection: Connection, segment: int, postings: Iterable[Posting]) -> None:
    """Store the postings of a segment, and the consonant keys of terms."""
    from kb.text.consonants import consonant_keys  # not needed to search

    rows = [(segment, *posting) for posting in postings]
    connection.run_many(_INSERTION, rows)
    pairs = ((segment, each, row[1]) for row in rows for each in consonant_keys(row[1]))
    connection.run_many(_CONSONANT_KEY, pairs)


def mark_deleted(connection: Connection, segment: int, ordinals: Iterable[int]) -> None:
    """Mark documents of a segment as deleted, unless they are."""
    sql = "INSERT INTO index_gone (segment, ordinal) VALUES (?, ?) ON CONFLICT DO NOTHING"
    connection.run_many(sql, ((segment, ordinal) for ordinal in ordinals))
    sql = (
        "UPDATE index_segment SET gone = "
        "(SELECT count(*) FROM index_gone WHERE segment = ?) WHERE id = ?"
    )
    connection.run(sql, (segment, segment))


def drop_segment(connection: Connection, segment: int) -> None:
    """Remove a segment."""
    for table in ("posting", "skeleton", "gone", "documents"):
        connection.run(f"DELETE FROM index_{table} WHERE segment = ?", (segment,))
    connection.run("DELETE FROM index_segment WHERE id = ?", (segment,))


def bump_revision(connection: Connection) -> None:
    """Record that the index has changed."""
    connection.run("UPDATE index_revision SET stamp = ?", (new_stamp(),))


# The segments at one moment.


FEW = 2_048
"""Above this number of documents numpy is used, which loads slowly."""


class Key(NamedTuple):
    """The identity of a snapshot."""

    stamp: int
    dark: tuple[int, ...]


class Segment:
    """Documents that were indexed together, by ordinal.

    ``siblings`` are ordinals of documents of the same entry as the previous one, ascending.
    """

    def __init__(self, connection: Connection, id: int, stamp: int, size: int) -> None:
        self.id, self.stamp, self.size = id, stamp, size
        sql = (
            "SELECT documents, siblings, layers, lengths, patterns FROM index_documents "
            "WHERE segment = ?"
        )
        *numbers, self._patterns = connection.rows(sql, (id,))[0]
        each = map(unpacked_numbers, numbers)
        self.documents, self.siblings, self.layers, self.lengths = each

    @cached_property
    def patterns(self) -> Sequence[tuple[int, ...]]:
        """Its patterns by number."""
        return unpacked_patterns(self._patterns)

    @cached_property
    def ordinals(self) -> Callable[[Sequence[int]], dict[int, int]]:
        """Returns the ordinals of those of these documents that it contains."""
        if self.size > FEW:
            from kb.search.index.arrays import finder

            return finder(self.documents)
        known = {document: ordinal for ordinal, document in enumerate(self.documents)}
        return lambda documents: {each: known[each] for each in documents if each in known}


class Part(NamedTuple):
    """A segment, and the ordinals of its missing documents."""

    segment: Segment
    absent: frozenset[int]

    def entry(self, ordinal: int) -> int:
        """Return a number that only documents of one entry share, ascending."""
        return ordinal - bisect_right(self.segment.siblings, ordinal)

    def held(self, documents: Sequence[int]) -> dict[int, int]:
        """Return the ordinals of the existing ones of these documents."""
        known = self.segment.ordinals(documents).items()
        return {document: ordinal for document, ordinal in known if ordinal not in self.absent}


class Snapshot(NamedTuple):
    """The parts of an index, its number of documents, and their average length."""

    key: Key
    parts: tuple[Part, ...]
    documents: int
    average: float


def key_of(connection: Connection) -> Key:
    """Return the identity of the index as a connection sees it."""
    row = connection.row(
        f"SELECT (SELECT stamp FROM index_revision), (SELECT json_group_array(id) FROM {DARK})"
    )
    assert row is not None
    return Key(row[0], tuple(json.loads(row[1])))


def read(connection: Connection, key: Key, known: Mapping[int, Part]) -> Snapshot:
    """Return the current snapshot; segments ``known`` by stamp are not read again."""
    gone = defaultdict[int, set[int]](set)
    for segment, ordinal in connection.rows("SELECT segment, ordinal FROM index_gone"):
        gone[segment].add(ordinal)
    parts, terms = [], 0
    sql = "SELECT id, stamp, size, terms FROM index_segment WHERE live = 1 ORDER BY id"
    for id, stamp, size, length in connection.rows(sql):
        before = known.get(stamp)
        segment = before.segment if before else Segment(connection, id, stamp, size)
        absent = frozenset(gone[id] | _dark(segment, key.dark))
        if before and before.absent == absent:
            absent = before.absent  # the same object is told from others at once
        if len(absent) < size:
            parts.append(Part(segment, absent))
            terms += length - sum([segment.lengths[ordinal] for ordinal in absent])
    documents = sum(part.segment.size - len(part.absent) for part in parts)
    average = terms / documents if documents else 1.0
    return Snapshot(key, tuple(parts), documents, average)


def everything(connection: Connection, known: Mapping[int, Part] | None = None) -> Snapshot:
    """Return the index including hidden layers."""
    return read(connection, key_of(connection)._replace(dark=()), known or {})


def _dark(segment: Segment, dark: Sequence[int]) -> set[int]:
    """Return the ordinals of documents in hidden layers."""
    if not dark or not set(dark).intersection(segment.layers):
        return set()
    return {ordinal for ordinal, layer in enumerate(segment.layers) if layer in dark}


_HERE = "index"


class Snapshots:
    """The last snapshot of an index, shared by the threads of a process.

    Unchanged segments are reused.
    """

    def __init__(self) -> None:
        self._last: Snapshot | None = None
        self._known: Mapping[int, Part] = {}

    def at_this_moment(self, connection: Connection) -> Snapshot:
        """Return the index as a connection sees it.

        A snapshot within an unfinished transaction is not cached.
        """
        found = connection.moment.get(_HERE)
        if not isinstance(found, Snapshot):
            key, found = key_of(connection), self._last
            if found is None or found.key != key:
                found = read(connection, key, self._known)
                self._remember(found)
            if not connection.writing:
                self._last = connection.moment[_HERE] = found
        return found

    def everything(self, connection: Connection) -> Snapshot:
        """Return the index including hidden layers."""
        found = everything(connection, self._known)
        self._remember(found)
        return found

    def _remember(self, found: Snapshot) -> None:
        # Nothing but a segment itself has its stamp: this holds whatever is rolled back.
        self._known = {part.segment.stamp: part for part in found.parts}

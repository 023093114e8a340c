"""What an index is at one moment: its segments, and which of their documents are there.

A segment never changes. A document that was taken out stays in its segment until that is
merged, and is told in ``index_gone``; so is what lies in a layer that is not shown.
"""

from __future__ import annotations

import json
import threading
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import accumulate, chain
from typing import Any, NamedTuple

from kb.index.ranked.building import Pattern
from kb.index.ranked.codec import unpacked_numbers, unpacked_places
from kb.index.ranked.schema import Patterns
from kb.store.sqlite.connection import Connection
from kb.store.sqlite.visibility import DARK

FEW = 2_048
"""More documents are read with numpy, which takes a while to load."""


class Key(NamedTuple):
    """What tells two moments of an index apart."""

    stamp: int
    dark: tuple[int, ...]


class Segment:
    """Documents that were indexed together, by their ordinals.

    Its arrays are read when they are first asked for.
    """

    def __init__(self, id: int, stamp: int, size: int) -> None:
        self.id = id
        self.stamp = stamp
        self.size = size
        self._read: dict[str, Any] = {}

    def load(self, connection: Connection) -> None:
        """Read the arrays, where they are not known."""
        if not self._read:
            sql = "SELECT * FROM index_documents WHERE segment = ?"
            self._read = dict(connection.rows(sql, (self.id,))[0])

    @cached_property
    def patterns(self) -> Sequence[Pattern]:
        """Its patterns, by their numbers."""
        return Patterns(self._read["patterns"])

    @cached_property
    def documents(self) -> Sequence[int]:
        """The numbers of its documents, by ordinal."""
        return unpacked_numbers(self._read["documents"])

    @cached_property
    def siblings(self) -> Sequence[int]:
        """The ordinals of documents of the same entry as the one before them; rising."""
        return unpacked_numbers(self._read["siblings"])

    @cached_property
    def lengths(self) -> Sequence[int]:
        """How many terms its documents have, by ordinal."""
        return unpacked_places(self._read["lengths"])

    @cached_property
    def layers(self) -> Sequence[int]:
        """The layer of its documents: one for all of them, or one each."""
        return unpacked_numbers(self._read["layers"])

    def entry(self, ordinal: int) -> int:
        """Return a number that documents of one entry share, and no others; rising."""
        return ordinal - bisect_right(self.siblings, ordinal)

    def ordinals(self, documents: Iterable[int]) -> dict[int, int]:
        """Return the ordinals of those of these documents that it holds."""
        known = self._by_document
        return {each: known[each] for each in documents if each in known}

    @cached_property
    def _by_document(self) -> Mapping[int, int]:
        if self.size > FEW:
            from kb.index.ranked.arrays import Inverse

            return Inverse(self.documents)
        return {document: ordinal for ordinal, document in enumerate(self.documents)}


class Part(NamedTuple):
    """A segment, and the ordinals of those of its documents that are not there.

    Of these, ``gone`` were taken out, the last of them as number ``last`` of all that ever were.
    """

    segment: Segment
    absent: frozenset[int]
    gone: frozenset[int]
    last: int

    @property
    def documents(self) -> Sequence[int]:
        """The numbers of its documents, by ordinal."""
        return self.segment.documents

    @property
    def lengths(self) -> Sequence[int]:
        """How many terms its documents have, by ordinal."""
        return self.segment.lengths

    def entry(self, ordinal: int) -> int:
        """Return a number that documents of one entry share, and no others; rising."""
        return self.segment.entry(ordinal)

    def held(self, documents: Iterable[int]) -> dict[int, int]:
        """Return the ordinals of those of these documents that are in it."""
        ordinals = self.segment.ordinals(documents)
        return {d: o for d, o in ordinals.items() if o not in self.absent}


class Snapshot(NamedTuple):
    """The parts of an index, how many documents are there, and how long they are on average.

    Each part is ``large``, or one of the ``small`` ones that are looked at as one.
    """

    key: Key
    parts: tuple[Part, ...]
    large: tuple[Part, ...]
    small: Together
    documents: int
    average: float


def key_of(connection: Connection) -> Key:
    """Return what an index is at this moment, as a connection sees it."""
    row = connection.row(
        f"SELECT (SELECT stamp FROM index_revision), (SELECT json_group_array(id) FROM {DARK})"
    )
    assert row is not None
    return Key(row[0], tuple(json.loads(row[1])))


def read(connection: Connection, key: Key, last: Snapshot | None = None) -> Snapshot:
    """Return the index at this moment. What is known of segments is taken over."""
    known = {part.segment.stamp: part for part in last.parts} if last else {}
    parts, documents, terms = [], 0, 0
    sql = "SELECT id, stamp, size, terms FROM index_segment WHERE live = 1 ORDER BY id"
    for id, stamp, size, length in connection.rows(sql):
        segment = known[stamp].segment if stamp in known else Segment(id, stamp, size)
        part = _part(connection, segment, key.dark, known.get(stamp))
        if part is not None:
            if part.absent:
                length -= sum([segment.lengths[ordinal] for ordinal in part.absent])
            parts.append(part)
            documents += size - len(part.absent)
            terms += length
    small, large = _small(parts)
    joined = last.small if last and last.small.parts == small else Together(small)
    average = terms / documents if documents else 1.0
    return Snapshot(key, tuple(parts), large, joined, documents, average)


def everything(connection: Connection) -> Snapshot:
    """Return the index with what lies in layers that are not shown."""
    return read(connection, key_of(connection)._replace(dark=()))


def _small(parts: Sequence[Part]) -> tuple[tuple[Part, ...], tuple[Part, ...]]:
    """Return the smallest parts, as many as are few documents together, and the others."""
    rising = sorted(parts, key=lambda part: part.segment.size)
    sizes = accumulate(part.segment.size for part in rising)
    count = sum(size <= FEW for size in sizes)
    return tuple(rising[:count]), tuple(rising[count:])


def _part(
    connection: Connection, segment: Segment, dark: Sequence[int], known: Part | None
) -> Part | None:
    """Return what is there of a segment, or nothing."""
    segment.load(connection)
    if len(segment.layers) == 1 and segment.layers[0] in dark:
        return None
    gone, last = (known.gone, known.last) if known else (frozenset[int](), 0)
    # The sign keeps SQLite from reading all that is gone of the segment.
    sql = "SELECT id, ordinal FROM index_gone WHERE +segment = ? AND id > ? ORDER BY id"
    if new := connection.rows(sql, (segment.id, last)):
        gone, last = gone | {row[1] for row in new}, new[-1][0]
    absent = gone
    if dark and len(segment.layers) > 1:
        hidden = set(dark)
        absent |= {o for o, layer in enumerate(segment.layers) if layer in hidden}
    return Part(segment, absent, gone, last) if len(absent) < segment.size else None


# Small segments, searched as one: many commits leave many of them.


class Together:
    """Parts of which each begins with the ordinal behind the last of the one before it."""

    def __init__(self, parts: Sequence[Part]) -> None:
        self.parts = tuple(parts)
        self.sign = object()
        """What tells it from every other one."""
        ends = accumulate(part.segment.size for part in parts)
        self._starts = (0, *ends)

    @property
    def size(self) -> int:
        """How many ordinals there are."""
        return self._starts[-1]

    def each(self) -> Iterator[tuple[Part, int]]:
        """Yield the parts, each with its first ordinal."""
        return zip(self.parts, self._starts, strict=False)

    @cached_property
    def absent(self) -> frozenset[int]:
        """The ordinals of documents that are not there."""
        return frozenset(start + each for part, start in self.each() for each in part.absent)

    @cached_property
    def documents(self) -> Sequence[int]:
        """The numbers of the documents, by ordinal."""
        return [*chain.from_iterable(part.documents for part in self.parts)]

    @cached_property
    def lengths(self) -> Sequence[int]:
        """How many terms the documents have, by ordinal."""
        return [*chain.from_iterable(part.lengths for part in self.parts)]

    def entry(self, ordinal: int) -> int:
        """Return a number that documents of one entry share, and no others; rising."""
        return ordinal - bisect_right(self._siblings, ordinal)

    def held(self, documents: Iterable[int]) -> dict[int, int]:
        """Return the ordinals of those of these documents that are there."""
        known = self._by_document
        return {each: known[each] for each in documents if each in known}

    @cached_property
    def _siblings(self) -> Sequence[int]:
        return [start + each for part, start in self.each() for each in part.segment.siblings]

    @cached_property
    def _by_document(self) -> Mapping[int, int]:
        every = enumerate(self.documents)
        return {document: ordinal for ordinal, document in every if ordinal not in self.absent}


# The last snapshots, shared by the threads of a process.


_HERE = "index"


class Snapshots:
    """What an index was when it was last looked at; what did not change since is taken over."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._last: Snapshot | None = None
        self._segments: dict[int, Segment] = {}

    def at_this_moment(self, connection: Connection) -> Snapshot:
        """Return the index as a connection sees it.

        What is seen within a transaction that may yet be rolled back is not remembered.
        """
        found = connection.moment.get(_HERE)
        if not isinstance(found, Snapshot):
            found = self._found(connection)
            if not connection.writing:
                connection.moment[_HERE] = found
        return found

    def _found(self, connection: Connection) -> Snapshot:
        key = key_of(connection)
        with self._lock:
            last = self._last
        if last is not None and last.key == key:
            return last
        return self._read(connection, key, last)

    def _read(self, connection: Connection, key: Key, last: Snapshot | None) -> Snapshot:
        snapshot = read(connection, key, last)
        if not connection.writing:
            with self._lock:
                self._last = snapshot
        return snapshot

    def segments(self, connection: Connection) -> list[Segment]:
        """Return the segments there are as a connection sees them, known ones as they are."""
        with self._lock:
            known = dict(self._segments)
            if self._last:
                known |= {part.segment.stamp: part.segment for part in self._last.parts}
        sql = "SELECT id, stamp, size FROM index_segment WHERE live = 1 ORDER BY id"
        found = [
            known.get(stamp) or Segment(id, stamp, size) for id, stamp, size in connection.rows(sql)
        ]
        for segment in found:
            segment.load(connection)
        with self._lock:
            self._segments = {segment.stamp: segment for segment in found}
        return found

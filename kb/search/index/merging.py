"""Merges segments: fewer are faster to search, and deleted documents free their space.

A segment is merged when all smaller ones together reach its size. Sizes therefore double, and a
document is rewritten once per doubling (the logarithmic method: Bentley and Saxe, "Decomposable
searching problems I", Journal of Algorithms 1, 1980).

Small segments are merged within the change that makes a merge due. Large ones are merged by
`compact` in short steps: the new segment is stored beside the old ones, and one transaction then
replaces them. Readers see either state, and others can write in between. What an interruption
leaves is removed by the next `tidy`.
"""

from __future__ import annotations

import heapq
import json
import time
from array import array
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from contextlib import suppress
from itertools import chain, groupby, islice
from operator import attrgetter
from typing import NamedTuple

from kb.errors import Cancelled
from kb.model.results import Progress
from kb.search.index.building import Pattern, posting, stems_of
from kb.search.index.codec import packed_patterns, unpacked, unpacked_numbers
from kb.search.index.segments import (
    Part,
    Rows,
    bump_revision,
    drop_segment,
    everything,
    mark_deleted,
    put_postings,
)
from kb.store.sqlite.driver import Connection
from kb.store.sqlite.store import Store
from kb.work import undisturbed

_LEAST = 4
"""The minimum number of segments for a merge."""

_MOST_GONE = 0.2
"""The share of deleted documents above which a segment is rewritten."""

_AT_ONCE = 1 << 13
"""Documents merged within the change that makes a merge due."""

_APART = 4
"""The size ratio to all smaller segments above which a segment is left alone."""

_TURN = 0.15
"""Seconds after which a long transaction ends, so that others can write."""

_TERMS = 500
"""Terms read at once from each segment, and stored at once."""

_TERM = attrgetter("term")


class _SegmentsChanged(Exception):
    """Raised if the segments being merged were changed by another process."""


def merge_due(connection: Connection) -> None:
    """Merge the smaller segments if due. The caller holds the transaction."""
    for (lost,) in connection.rows("SELECT id FROM index_segment WHERE gone = size AND live = 1"):
        drop_segment(connection, lost)
    while due := _due(connection):
        merge = Merge(connection, [p for p in everything(connection).parts if p.segment.id in due])
        merge.begin()
        for _ in merge.steps():
            pass
        merge.finish()


def compact(store: Store, progress: Progress) -> None:
    """Merge the segments of an index until each is much larger than all smaller ones."""
    connection = store.connection
    with store.transaction():
        for (left,) in connection.rows("SELECT id FROM index_segment WHERE live = 0"):
            drop_segment(connection, left)
    with connection.snapshot():
        merge = Merge(connection, _mergeable(everything(connection).parts))
    if merge.parts:
        with suppress(_SegmentsChanged, Cancelled):
            _merge_in_turns(store, merge, progress)


def _merge_in_turns(store: Store, merge: Merge, progress: Progress) -> None:
    with store.transaction():
        merge.check()
        merge.begin()
    sql = "SELECT count(*) FROM index_posting WHERE segment = ?"
    total = sum(store.connection.value(sql, (part.segment.id,)) for part in merge.parts)
    done, steps, more = 0, merge.steps(), True
    while more:
        with undisturbed(), store.transaction():
            merge.check()
            end = time.monotonic() + _TURN
            for read in steps:
                done += read
                if time.monotonic() > end:
                    break
            else:
                more = False
        progress(min(done, total), total)
    with store.transaction():
        merge.check()
        merge.finish()
        bump_revision(store.connection)


def _due(connection: Connection) -> set[int]:
    """Return the segments to merge: the smaller ones, or one with many deleted documents."""
    sql = "SELECT id, size, gone FROM index_segment WHERE live = 1 AND size <= ? ORDER BY size"
    rising, total, count = connection.rows(sql, (_AT_ONCE,)), 0, 0
    for place, (id, size, gone) in enumerate(rising, 1):
        if gone > _MOST_GONE * size:
            return {id}
        if size <= total <= _AT_ONCE - size:  # no larger than all smaller ones combined
            count = place
        total += size
    return {id for id, *_ in rising[:count]} if count >= _LEAST else set()


def _mergeable(parts: Sequence[Part]) -> list[Part]:
    """Return the segments to merge: those below one that is large enough to stay."""
    by_size = sorted(parts, key=lambda part: part.segment.size)
    total, last = 0, 0
    for place, part in enumerate(by_size, 1):
        if total * _APART > part.segment.size:
            last = place
        total += part.segment.size
    return by_size[:last]


class Source(NamedTuple):
    """A segment being merged: its size, and its new numbers.

    ``ordinals`` has the new ordinal of each document, or -1; ``numbers`` the new number of each
    pattern, and ``stems`` its number of positions.
    """

    size: int
    ordinals: array[int]
    numbers: Sequence[int]
    stems: Sequence[int]


class Piece(NamedTuple):
    """A term of a segment being merged."""

    term: str
    documents: bytes
    places: bytes
    source: Source


class Merge:
    """A merge of segments: their existing documents in order of entries."""

    def __init__(self, connection: Connection, parts: Sequence[Part]) -> None:
        self.parts = parts
        self._connection = connection
        self._target: int | None = None
        self._stamp = 0
        patterns: dict[Pattern, int] = {(): 0}
        self._patterns = patterns
        self._sources = [
            Source(
                segment.size,
                array("i", [-1]) * segment.size,
                [patterns.setdefault(each, len(patterns)) for each in segment.patterns],
                list(map(stems_of, segment.patterns)),
            )
            for segment, _ in parts
        ]
        self._rows = self._renumbered()

    def _renumbered(self) -> Rows:
        """Assign new ordinals in the order of entries."""
        known = {
            document: place << 32 | ordinal
            for place, (segment, absent) in enumerate(self.parts)
            for ordinal, document in enumerate(segment.documents)
            if ordinal not in absent
        }
        sql = (
            "SELECT d.id, d.entry FROM json_each(?) j JOIN document d ON d.id = j.value "
            "JOIN entry e ON e.key = d.entry ORDER BY e.id, d.id"
        )
        documents, siblings, lengths, layers = (array("I") for _ in range(4))
        rows, before = self._connection.stream(sql, (json.dumps(list(known)),)), None
        for new, (document, entry) in enumerate(rows):
            place, ordinal = divmod(known[document], 1 << 32)
            segment = self.parts[place].segment
            self._sources[place].ordinals[ordinal] = new
            documents.append(document)
            lengths.append(segment.lengths[ordinal])
            layers.append(segment.layers[ordinal])
            if entry == before:
                siblings.append(new)
            before = entry
        return Rows(documents, siblings, lengths, layers)

    def begin(self) -> None:
        """Store the new segment, still without terms and not live."""
        self._target = self._rows.put(self._connection, (), live=False)
        sql = "SELECT stamp FROM index_segment WHERE id = ?"
        self._stamp = self._connection.value(sql, (self._target,))

    def steps(self) -> Iterator[int]:
        """Store its terms in order, some at a time; yield the number of terms read."""
        assert self._target is not None
        found = heapq.merge(*map(self._pieces, self.parts, self._sources), key=_TERM)
        terms = (list(pieces) for _, pieces in groupby(found, key=_TERM))
        size = len(self._rows.documents)
        while some := list(islice(terms, _TERMS)):
            made = (posting(pieces[0].term, _merged(pieces), size) for pieces in some)
            put_postings(self._connection, self._target, (each for each in made if each.frequency))
            yield sum(map(len, some))

    def finish(self) -> None:
        """Replace the old segments by the new one, with documents deleted meanwhile."""
        assert self._target is not None
        for (segment, absent), source in zip(self.parts, self._sources, strict=True):
            sql = "SELECT ordinal FROM index_gone WHERE segment = ?"
            gone = {row[0] for row in self._connection.rows(sql, (segment.id,))}
            late = [source.ordinals[old] for old in sorted(gone - absent)]
            mark_deleted(self._connection, self._target, late)
            drop_segment(self._connection, segment.id)
        sql = "UPDATE index_documents SET patterns = ? WHERE segment = ?"
        self._connection.run(sql, (packed_patterns(self._patterns), self._target))
        self._connection.run("UPDATE index_segment SET live = 1 WHERE id = ?", (self._target,))

    def check(self) -> None:
        """Raise if the segments involved were changed."""
        sql = "SELECT count(*) FROM index_segment WHERE id = ? AND stamp = ? AND live = ?"
        involved = [(segment.id, segment.stamp, 1) for segment, _ in self.parts]
        if self._target is not None:  # its number may be that of another by now
            involved.append((self._target, self._stamp, 0))
        if not all(self._connection.value(sql, each) for each in involved):
            raise _SegmentsChanged

    def _pieces(self, part: Part, source: Source) -> Iterator[Piece]:
        """Yield the terms of a segment in order."""
        sql = (
            "SELECT term, documents, places FROM index_posting "
            "WHERE segment = ? AND term > ? ORDER BY term LIMIT ?"
        )
        last = ""
        while rows := self._connection.rows(sql, (part.segment.id, last, _TERMS)):
            yield from (Piece(row[0], row[1], row[2], source) for row in rows)
            last = rows[-1][0]


Blocks = dict[int, tuple[Sequence[int], Sequence[int]]]


def _merged(pieces: Iterable[Piece]) -> Blocks:
    """Return the merged ordinals of a term by pattern, and all positions, renumbered."""
    kept = defaultdict[int, list[tuple[int, ...]]](list)
    for _, documents, data, source in pieces:
        places = iter(unpacked_numbers(data))
        for pattern, ordinals in unpacked(documents, source.size):
            new = [source.ordinals[ordinal] for ordinal in ordinals]
            # Each has as many places: this many are taken for it from one iterator.
            kept[source.numbers[pattern]] += zip(
                new, *[places] * source.stems[pattern], strict=False
            )
    blocks: Blocks = {}
    for number, some in sorted(kept.items()):
        there = sorted([each for each in some if each[0] >= 0])
        if there:
            in_each = chain.from_iterable(each[1:] for each in there)
            blocks[number] = [each[0] for each in there], list(in_each)
    return blocks

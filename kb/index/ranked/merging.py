"""Merging segments: few of them are asked faster, and what is gone takes room no more.

Segments are of tiers, each about eight times the size of the one below; eight of a tier
become one of the next, so that a document is written again as often as there are tiers
(O'Neil, Cheng, Gawlick and O'Neil, "The log-structured merge-tree", Acta Informatica 33, 1996).
"""

from __future__ import annotations

import json
from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby, pairwise
from typing import NamedTuple

from kb.index.ranked.building import Pattern, Posting
from kb.index.ranked.regrouping import Piece, Source, regrouped
from kb.index.ranked.rows import INSERTION, Rows, told
from kb.index.ranked.snapshot import FEW, Part, everything
from kb.store.sqlite.connection import Connection

_FACTOR = 8
_MOST_GONE = 0.2
"""The share of a segment that may be gone before it is merged with itself."""

_AT_ONCE = 1 << 15
"""So many documents at most are merged within the change that makes it due."""

_TERMS = 5_000


class _Sized(NamedTuple):
    """A segment: its number, its documents, and those of them that are gone."""

    id: int
    size: int
    gone: int


class Renumbered(NamedTuple):
    """The documents of several segments in one order."""

    documents: list[int]
    siblings: list[int]
    sources: list[tuple[int, int]]
    """By new ordinal the place of the source, and the ordinal there."""


class Sources:
    """Segments that are merged, and the patterns that they have together."""

    def __init__(self, parts: Sequence[Part], renumbered: Renumbered) -> None:
        self.size = len(renumbered.documents)
        self.patterns: dict[Pattern, int] = {(): 0}
        numbers = [array("i", [-1]) * part.segment.size for part in parts]
        for new, (place, ordinal) in enumerate(renumbered.sources):
            numbers[place][ordinal] = new
        self.each = [
            Source(part.segment.size, of, part.segment.patterns, self._known(part))
            for part, of in zip(parts, numbers, strict=True)
        ]

    def _known(self, part: Part) -> list[int]:
        known = self.patterns
        return [known.setdefault(each, len(known)) for each in part.segment.patterns]


def merge_due(connection: Connection) -> None:
    """Merge the smaller segments that are due. The caller holds the transaction."""
    for (lost,) in connection.rows("SELECT id FROM index_segment WHERE gone = size AND live = 1"):
        forget(connection, lost)
    while some := _due(connection):
        named = {segment.id for segment in some}
        parts = everything(connection).parts
        merge(connection, [part for part in parts if part.segment.id in named])


def merge(connection: Connection, parts: Sequence[Part]) -> None:
    """Put one segment in the place of several."""
    made = renumbered(connection, parts)
    if made.documents:
        sources = Sources(parts, made)
        target = put_documents(connection, parts, made, live=False)
        last: str | None = ""
        while last is not None:
            pieces, last = next_pieces(connection, parts, sources, last, _TERMS)
            postings = joined(pieces, sources.size)
            connection.run_many(INSERTION, ((target, *posting) for posting in postings))
        finish(connection, target, sources)
    for part in parts:
        forget(connection, part.segment.id)


def renumbered(connection: Connection, parts: Sequence[Part]) -> Renumbered:
    """Return the documents of segments in the order of their entries, without what is gone."""
    there = [
        (part.segment.documents[ordinal], place, ordinal)
        for place, part in enumerate(parts)
        for ordinal in range(part.segment.size)
        if ordinal not in part.absent
    ]
    sql = "SELECT d.id, d.entry FROM json_each(?) j JOIN document d ON d.id = j.value"
    names = dict(map(tuple, connection.rows(sql, (json.dumps([each[0] for each in there]),))))
    there.sort(key=lambda each: (names[each[0]], each[0]))
    siblings = [
        new
        for new, ((before, *_), (document, *_)) in enumerate(pairwise(there), 1)
        if names[before] == names[document]
    ]
    return Renumbered(
        [document for document, _, _ in there],
        siblings,
        [(place, ordinal) for _, place, ordinal in there],
    )


def put_documents(
    connection: Connection, parts: Sequence[Part], made: Renumbered, *, live: bool
) -> int:
    """Store a segment of these documents that has no terms yet; return its number."""
    segments = [part.segment for part in parts]
    lengths = [segments[place].lengths[ordinal] for place, ordinal in made.sources]
    layers = [
        of[ordinal if len(of) > 1 else 0]
        for place, ordinal in made.sources
        for of in (segments[place].layers,)
    ]
    rows = Rows(made.documents, made.siblings, lengths, layers)
    return connection.insert("index_segment", {**rows.values(()), "live": int(live)})


def next_pieces(
    connection: Connection, parts: Sequence[Part], sources: Sources, last: str, most: int
) -> tuple[list[Piece], str | None]:
    """Return the terms of segments behind the last, in order, and the last of them.

    They are at most so many of each; behind the last of all it is nothing.
    """
    sql = (
        "SELECT term, documents, places FROM index_posting "
        "WHERE segment = ? AND term > ? ORDER BY term LIMIT ?"
    )
    found: list[Piece] = []
    ends = []
    for part, source in zip(parts, sources.each, strict=True):
        rows = connection.rows(sql, (part.segment.id, last, most))
        found += [Piece(row[0], row[1], row[2], source) for row in rows]
        if len(rows) == most:
            ends.append(rows[-1][0])
    end = min(ends, default=None)
    kept = found if end is None else [piece for piece in found if piece.term <= end]
    return sorted(kept, key=lambda piece: piece.term), end


def joined(pieces: Iterable[Piece], size: int) -> Iterator[Posting]:
    """Yield the postings of a segment of this size from those of others, given in order."""
    if size > FEW:
        from kb.index.ranked.regrouping_arrays import regrouped as join
    else:
        join = regrouped
    for term, some in groupby(pieces, key=lambda piece: piece.term):
        made = join(term, list(some), size)
        if made.frequency:
            yield made


def finish(connection: Connection, segment: int, sources: Sources) -> None:
    """Let a segment that has all its terms be live."""
    sql = "UPDATE index_segment SET patterns = ?, live = 1 WHERE id = ?"
    connection.run(sql, (told(sources.patterns), segment))


def forget(connection: Connection, segment: int) -> None:
    """Remove a segment."""
    for table, column in (("posting", "segment"), ("gone", "segment"), ("segment", "id")):
        connection.run(f"DELETE FROM index_{table} WHERE {column} = ?", (segment,))


def _due(connection: Connection) -> list[_Sized]:
    """Return what is to be merged: the smallest full tier, or a segment that lost much."""
    sql = "SELECT id, size, gone FROM index_segment WHERE live = 1 AND size <= ?"
    small = [_Sized(*row) for row in connection.rows(sql, (_AT_ONCE,))]
    for each in small:
        if each.gone > _MOST_GONE * each.size:
            return [each]
    for _, tier in groupby(sorted(small, key=_tier), key=_tier):
        some = list(tier)
        if len(some) >= _FACTOR and sum(each.size for each in some) <= _AT_ONCE:
            return some
    return []


def _tier(segment: _Sized) -> int:
    """Return the tier of a segment, by the logarithm of its size."""
    return (segment.size.bit_length() - 1) // 3

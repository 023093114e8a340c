"""Merging segments: few of them are asked faster, and what is gone takes room no more.

A segment is merged as soon as all smaller ones together have its size, so that sizes double
from one to the next, and a document is written again as often as they do (the logarithmic
method: Bentley and Saxe, "Decomposable searching problems I", Journal of Algorithms 1, 1980).
"""

from __future__ import annotations

import json
from array import array
from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from itertools import chain, groupby
from operator import attrgetter
from typing import NamedTuple

from kb.index.ranked.building import Pattern, Posting, posting, stems_of
from kb.index.ranked.codec import packed_group, unpacked, unpacked_one, unpacked_places
from kb.index.ranked.schema import Rows, put_postings, told
from kb.index.ranked.snapshot import FEW, Part, everything
from kb.store.sqlite.connection import Connection

_LEAST = 4
"""Fewer segments are not worth a merge."""

_MOST_GONE = 0.2
"""The share of a segment that may be gone before it is merged with itself."""

_AT_ONCE = 1 << 13
"""So many documents at most are merged within the change that makes it due."""

_TERMS = 5_000
_TERM = attrgetter("term")


class _Sized(NamedTuple):
    """A segment: its number, its documents, and those of them that are gone."""

    id: int
    size: int
    gone: int


class Renumbered(NamedTuple):
    """The documents of several segments in one order: by new ordinal.

    ``places`` are those of the segments that they were in, ``ordinals`` theirs there.
    """

    documents: array[int]
    siblings: array[int]
    places: array[int]
    ordinals: array[int]

    def sources(self) -> Iterator[tuple[int, int]]:
        """Yield the place of each segment that a document was in, and its ordinal there."""
        return zip(self.places, self.ordinals, strict=True)


class Sources:
    """Segments that are merged, and the patterns that they have together."""

    def __init__(self, parts: Sequence[Part], renumbered: Renumbered) -> None:
        self.size = len(renumbered.documents)
        self.patterns: dict[Pattern, int] = {(): 0}
        numbers = [array("i", [-1]) * part.segment.size for part in parts]
        for new, (place, ordinal) in enumerate(renumbered.sources()):
            numbers[place][ordinal] = new
        self.each = [
            Source(
                part.segment.size, of, self._known(part), list(map(stems_of, part.segment.patterns))
            )
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
        for some in pieces(connection, parts, sources, _TERMS):
            put_postings(connection, target, joined(some, sources.size))
        finish(connection, target, sources)
    for part in parts:
        forget(connection, part.segment.id)


def renumbered(connection: Connection, parts: Sequence[Part]) -> Renumbered:
    """Return the documents of segments in the order of their entries, without what is gone."""
    known = {
        part.segment.documents[ordinal]: place << 32 | ordinal
        for place, part in enumerate(parts)
        for ordinal in range(part.segment.size)
        if ordinal not in part.absent
    }
    sql = (
        "SELECT d.id, d.entry FROM json_each(?) j JOIN document d ON d.id = j.value "
        "JOIN entry e ON e.key = d.entry ORDER BY e.id, d.id"
    )
    made = Renumbered(array("I"), array("I"), array("I"), array("I"))
    before = None
    for document, entry in connection.stream(sql, (json.dumps(list(known)),)):
        if entry == before:
            made.siblings.append(len(made.documents))
        made.documents.append(document)
        made.places.append(known[document] >> 32)
        made.ordinals.append(known[document] & 0xFFFF_FFFF)
        before = entry
    return made


def put_documents(
    connection: Connection, parts: Sequence[Part], made: Renumbered, *, live: bool
) -> int:
    """Store a segment of these documents that has no terms yet; return its number."""
    segments = [part.segment for part in parts]
    lengths = [segments[place].lengths[ordinal] for place, ordinal in made.sources()]
    layers = [
        of[ordinal if len(of) > 1 else 0]
        for place, ordinal in made.sources()
        for of in (segments[place].layers,)
    ]
    rows = Rows(made.documents, made.siblings, lengths, layers)
    return rows.put(connection, (), live=live)


def pieces(
    connection: Connection, parts: Sequence[Part], sources: Sources, most: int
) -> Iterator[list[Piece]]:
    """Yield the terms of segments in order, some at a time; so many of each are read at once."""
    sql = (
        "SELECT term, documents, places FROM index_posting "
        "WHERE segment = ? AND term > ? ORDER BY term LIMIT ?"
    )
    left: list[list[Piece]] = [[] for _ in parts]
    reached = dict.fromkeys(range(len(parts)), "")
    while reached:
        behind = min(reached.values())
        for place in [place for place, last in reached.items() if last == behind]:
            rows = connection.rows(sql, (parts[place].segment.id, behind, most))
            source = sources.each[place]
            left[place] += [Piece(row[0], row[1], row[2], source) for row in rows]
            if len(rows) == most:
                reached[place] = rows[-1][0]
            else:
                del reached[place]
        end = min(reached.values(), default=None)
        found = []
        for some in left:
            cut = len(some) if end is None else bisect_right(some, end, key=_TERM)
            found += some[:cut]
            del some[:cut]
        yield sorted(found, key=_TERM)


def joined(found: Iterable[Piece], size: int) -> Iterator[Posting]:
    """Yield the postings of a segment of this size from those of others, given in order."""
    if size > FEW:
        from kb.index.ranked.merging_arrays import regrouped as join
    else:
        join = regrouped
    for term, some in groupby(found, key=_TERM):
        made = join(term, list(some), size)
        if made.frequency:
            yield made


def finish(connection: Connection, segment: int, sources: Sources) -> None:
    """Let a segment that has all its terms be live."""
    sql = "UPDATE index_documents SET patterns = ? WHERE segment = ?"
    connection.run(sql, (told(sources.patterns), segment))
    connection.run("UPDATE index_segment SET live = 1 WHERE id = ?", (segment,))


def forget(connection: Connection, segment: int) -> None:
    """Remove a segment."""
    for table in ("posting", "skeleton", "gone", "documents"):
        connection.run(f"DELETE FROM index_{table} WHERE segment = ?", (segment,))
    connection.run("DELETE FROM index_segment WHERE id = ?", (segment,))


def _due(connection: Connection) -> Sequence[_Sized]:
    """Return what is to be merged: the smaller segments, or one that lost much."""
    sql = "SELECT id, size, gone FROM index_segment WHERE live = 1 AND size <= ?"
    small = [_Sized(*row) for row in connection.rows(sql, (_AT_ONCE,))]
    for each in small:
        if each.gone > _MOST_GONE * each.size:
            return [each]
    some = _overtaken(sorted(small, key=attrgetter("size")))
    return some if len(some) >= _LEAST else []


def _overtaken(rising: Sequence[_Sized]) -> Sequence[_Sized]:
    """Return the segments up to the last that is no larger than all smaller ones together."""
    total, count = 0, 0
    for place, each in enumerate(rising, 1):
        if each.size <= total <= _AT_ONCE - each.size:
            count = place
        total += each.size
    return rising[:count]


# Posting lists of several segments, merged term by term.


class Source(NamedTuple):
    """A segment that is merged: its size, and what its numbers become.

    ``ordinals`` has the new ordinal of each document, or -1; ``numbers`` the new number of
    each of its patterns, and ``stems`` how many places that has.
    """

    size: int
    ordinals: Sequence[int]
    numbers: Sequence[int]
    stems: Sequence[int]


class Piece(NamedTuple):
    """A term of a segment that is merged."""

    term: str
    documents: bytes
    places: bytes
    source: Source


Kept = tuple[int, ...]
"""A new ordinal, and the places of the term in it."""


def regrouped(term: str, pieces: Sequence[Piece], size: int) -> Posting:
    """Return the posting of a term in a segment of this size, from those of several."""
    if len(pieces) == 1 and (alone := _alone(pieces[0], size)) is not None:
        return alone
    kept: dict[int, list[Kept]] = {}
    for piece in pieces:
        _take(piece, kept)
    groups: dict[int, tuple[Sequence[int], Sequence[int]]] = {}
    for number, some in sorted(kept.items()):
        there = sorted([each for each in some if each[0] >= 0])
        if there:
            ordinals, *places = zip(*there, strict=True)
            groups[number] = ordinals, list(chain.from_iterable(zip(*places, strict=True)))
    return posting(term, groups, size)


def _alone(piece: Piece, size: int) -> Posting | None:
    """Return the posting of a term that one document held in all, as most are."""
    source = piece.source
    found = unpacked_one(piece.documents, source.size)
    if found is None or (new := source.ordinals[found[1]]) < 0:
        return None
    data = packed_group(source.numbers[found[0]], (new,), size)
    return Posting(piece.term, 1, data, piece.places)


def _take(piece: Piece, kept: dict[int, list[Kept]]) -> None:
    source = piece.source
    places = iter(unpacked_places(piece.places))
    for pattern, ordinals in unpacked(piece.documents, source.size):
        new = [source.ordinals[ordinal] for ordinal in ordinals]
        # Each has as many places: so many are taken for it from one iterator.
        some = zip(new, *[places] * source.stems[pattern], strict=False)
        kept.setdefault(source.numbers[pattern], []).extend(some)

"""Postings of several segments made into one of theirs: pure, term by term."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import chain
from typing import NamedTuple

from kb.index.ranked.building import Posting, posting
from kb.index.ranked.codec import packed_group, unpacked, unpacked_one, unpacked_places


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

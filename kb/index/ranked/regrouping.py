"""Postings of several segments made into one of theirs: pure, term by term."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from kb.index.ranked.building import Pattern, Posting, posting
from kb.index.ranked.codec import groups_of, ordinals_of, unpacked_places
from kb.records.document import COLUMNS


class Source(NamedTuple):
    """A segment that is merged: its size, and what its numbers become.

    ``ordinals`` has the new ordinal of each document, or -1; ``numbers`` the new number of
    each of its ``patterns``.
    """

    size: int
    ordinals: Sequence[int]
    patterns: Sequence[Pattern]
    numbers: Sequence[int]


class Piece(NamedTuple):
    """A term of a segment that is merged."""

    term: str
    documents: bytes
    places: bytes
    source: Source


Kept = tuple[int, Sequence[int]]
"""A new ordinal, and the places of the term in it."""


def regrouped(term: str, pieces: Sequence[Piece], size: int) -> Posting:
    """Return the posting of a term in a segment of this size, from those of several."""
    kept: dict[int, list[Kept]] = {}
    for piece in pieces:
        _take(piece, kept)
    groups = {}
    for number in sorted(kept):
        some = sorted(kept[number], key=lambda each: each[0])
        if some:
            places = [place for _, of in some for place in of]
            groups[number] = [ordinal for ordinal, _ in some], places
    return posting(term, groups, size)


def stems_of(pattern: Pattern) -> int:
    """Return how many places a pattern has: one for each time a term stands in order.

    >>> stems_of((0, 0, 7))
    2
    """
    return sum(column < len(COLUMNS) for column in pattern)


def _take(piece: Piece, kept: dict[int, list[Kept]]) -> None:
    source = piece.source
    places, start = unpacked_places(piece.places), 0
    for group in groups_of(piece.documents, source.size):
        stems = stems_of(source.patterns[group.pattern])
        some = kept.setdefault(source.numbers[group.pattern], [])
        for ordinal in ordinals_of(piece.documents, group, source.size):
            new = source.ordinals[ordinal]
            if new >= 0:
                some.append((new, places[start : start + stems]))
            start += stems

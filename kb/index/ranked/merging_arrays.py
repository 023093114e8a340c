"""Postings of several segments made into one of theirs, with numpy where a list is long."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from kb.index.ranked import merging
from kb.index.ranked.arrays import Ordinals, ordinals_of
from kb.index.ranked.building import Posting
from kb.index.ranked.codec import groups_of, packed, packed_places
from kb.index.ranked.merging import Piece

_LONG = 400
"""So many bytes a list has at least for arrays to be faster."""

Places = NDArray[np.uint32]


def regrouped(term: str, pieces: Sequence[Piece], size: int) -> Posting:
    """Return the posting of a term in a segment of this size, from those of several."""
    if sum(len(piece.documents) for piece in pieces) < _LONG:
        return merging.regrouped(term, pieces, size)
    kept: dict[int, list[tuple[Ordinals, Places]]] = {}
    for piece in pieces:
        for number, ordinals, places in _taken(piece):
            kept.setdefault(number, []).append((ordinals, places))
    groups, told, frequency = [], [], 0
    for number in sorted(kept):
        ordinals = np.concatenate([each for each, _ in kept[number]])
        if not len(ordinals):
            continue
        order = np.argsort(ordinals, kind="stable")
        groups.append((number, ordinals[order].tolist()))
        told += np.concatenate([each for _, each in kept[number]])[order].ravel().tolist()
        frequency += len(ordinals)
    return Posting(term, frequency, packed(groups, size), packed_places(told))


def _taken(piece: Piece) -> Iterator[tuple[int, Ordinals, Places]]:
    """Yield the new numbers of patterns, the new ordinals in them, and the places in each."""
    source = piece.source
    numbers = np.asarray(source.ordinals)
    width = {1: "u1", 2: "<u2", 4: "<u4"}.get(piece.places[0] if piece.places else 1, "u1")
    every = np.frombuffer(piece.places, width, offset=1) if piece.places else np.empty(0, "u1")
    start = 0
    for group in groups_of(piece.documents, source.size):
        stems = source.stems[group.pattern]
        places = every[start : start + group.length * stems].reshape(group.length, stems)
        start += group.length * stems
        new = numbers[ordinals_of(piece.documents, group, source.size)]
        there = new >= 0
        yield source.numbers[group.pattern], new[there], places[there].astype(np.uint32)

"""Where terms stand in a few documents of a large segment."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np
from numpy.typing import NDArray

from kb.index.ranked.arrays import Ordinals, ordinals_of
from kb.index.ranked.codec import Group, groups_of
from kb.index.ranked.occurrences import Gathered, as_told, gather
from kb.index.ranked.reading import Postings, Row
from kb.index.ranked.regrouping import stems_of
from kb.index.ranked.snapshot import Part
from kb.records.clauses import Occurrences


def occurrences(
    part: Part, postings: Postings, terms: Sequence[str], ordinals: Sequence[int]
) -> list[dict[str, Occurrences]]:
    """Return where terms stand in documents, by column."""
    found: list[Gathered] = [{} for _ in ordinals]
    order = np.argsort(np.asarray(ordinals))
    wanted = np.asarray(ordinals, np.int32)[order]
    numbers = order.tolist()
    postings.fetch([part], terms)
    for term in terms:
        row = postings.row(part, term)
        for number, pattern, places in _standing(part, row, wanted) if row else ():
            gather(found[numbers[number]], term, pattern, places)
    return [as_told(each) for each in found]


def _standing(
    part: Part, row: Row, wanted: Ordinals
) -> Iterator[tuple[int, tuple[int, ...], Sequence[int]]]:
    """Yield which of these documents hold a term, in what pattern, and at what places."""
    segment, start = part.segment, 1
    width = row.places[0] if row.places else 1
    for group in groups_of(row.documents, segment.size):
        pattern = segment.patterns[group.pattern]
        stems = stems_of(pattern)
        here, ranks = _ranks(row.documents, group, segment.size, wanted)
        for number, rank in zip(here.tolist(), ranks.tolist(), strict=True):
            first = start + rank * stems * width
            raw = row.places[first : first + stems * width]
            yield number, pattern, _numbers(raw, width)
        start += group.length * stems * width


def _numbers(raw: bytes, width: int) -> list[int]:
    if width == 1:
        return list(raw)
    return [int.from_bytes(raw[at : at + width], "little") for at in range(0, len(raw), width)]


def _ranks(
    data: bytes, group: Group, size: int, wanted: Ordinals
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return which of some documents a group holds, and how many of it are before each."""
    if group.kind == "bits":
        return _ranks_in_bits(data, group, wanted)
    ordinals = ordinals_of(data, group, size)
    places = np.searchsorted(ordinals, wanted)
    held = ordinals[np.minimum(places, len(ordinals) - 1)] == wanted
    return np.flatnonzero(held), places[held]


def _ranks_in_bits(
    data: bytes, group: Group, wanted: Ordinals
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    raw = np.frombuffer(data, np.uint8, group.end - group.start, group.start)
    places, bits = wanted >> 3, wanted & 7
    held = (raw[places] >> bits & 1).astype(np.bool_)
    places, bits = places[held], bits[held]
    before = np.concatenate(([0], np.cumsum(_ONES[raw], dtype=np.intp)))[places]
    part = raw[places] & ((1 << bits) - 1).astype(np.uint8)
    return np.flatnonzero(held), before + _ONES[part]


_ONES = np.array([number.bit_count() for number in range(256)], np.uint8)

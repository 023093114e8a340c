"""Where terms stand in a few documents of a large segment."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import attrgetter
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kb.index.ranked.arrays import Ordinals, firsts
from kb.index.ranked.building import Pattern, stems_of
from kb.index.ranked.codec import Group, groups_of
from kb.index.ranked.decoding import Decoder
from kb.index.ranked.occurrences import Gathered, as_told, gather
from kb.index.ranked.reading import Postings
from kb.index.ranked.snapshot import Part
from kb.records.clauses import Occurrences


class _Places(NamedTuple):
    """A group of a term's documents, and where the places of the first begin: ``step`` bytes each.

    ``width`` are the bytes of a place.
    """

    term: str
    pattern: Pattern
    told: bytes
    start: int
    step: int
    width: int

    def of(self, rank: int) -> Sequence[int]:
        """Return the places in a document that so many of the group are before."""
        first = self.start + rank * self.step
        raw = self.told[first : first + self.step]
        if self.width == 1:
            return raw
        ends = range(self.width, self.step + 1, self.width)
        return [int.from_bytes(raw[end - self.width : end], "little") for end in ends]


class _Standing(NamedTuple):
    """A document, by its place among those that are wanted; a group; and its rank in that."""

    document: int
    group: int
    rank: int


def occurrences(
    part: Part, postings: Postings, terms: Sequence[str], ordinals: Sequence[int]
) -> list[dict[str, Occurrences]]:
    """Return where terms stand in documents, by column."""
    found: list[Gathered] = [{} for _ in ordinals]
    order = np.argsort(np.asarray(ordinals))
    wanted = np.asarray(ordinals, np.int32)[order]
    postings.fetch_places([part], terms)
    groups: list[_Places] = []
    standing: list[_Standing] = []
    decoder = Decoder(part.segment.size)
    for term in terms:
        for data, group, places in _groups(part, postings, term):
            if group.kind == "bits":
                standing += _in_bits(data, group, len(groups), wanted.tolist())
            else:
                decoder.add(len(groups), data, group)
            groups.append(places)
    numbers = order.tolist()
    standing += _among(wanted, decoder, part.segment.size)
    for document, number, rank in sorted(standing, key=attrgetter("group")):
        held = groups[number]
        gather(found[numbers[document]], held.term, held.pattern, held.of(rank))
    return [as_told(each) for each in found]


def _groups(part: Part, postings: Postings, term: str) -> Iterator[tuple[bytes, Group, _Places]]:
    """Yield the groups of a term's list with their places."""
    segment = part.segment
    for (_, _, documents), told in postings.placed(part, term):
        start, width = 1, told[0] if told else 1
        for group in groups_of(documents, segment.size):
            pattern = segment.patterns[group.pattern]
            step = stems_of(pattern) * width
            yield documents, group, _Places(term, pattern, told, start, step, width)
            start += group.length * step


def _among(wanted: Ordinals, decoder: Decoder, size: int) -> Iterator[_Standing]:
    """Yield which of these documents, which rise, stand in the groups of a decoder."""
    ordinals, numbers = decoder.decoded()
    if not len(ordinals):
        return
    asked = np.zeros(size, np.bool_)
    asked[wanted] = True
    held = np.flatnonzero(asked[ordinals])
    begins = np.flatnonzero(firsts(numbers))
    starts: NDArray[np.intp] = np.zeros(numbers.max() + 1, np.intp)
    starts[numbers[begins]] = begins
    documents, of = np.searchsorted(wanted, ordinals[held]), numbers[held]
    ranks = held - starts[of]
    yield from map(_Standing, documents.tolist(), of.tolist(), ranks.tolist())


def _in_bits(data: bytes, group: Group, number: int, wanted: Sequence[int]) -> Iterator[_Standing]:
    """Yield which of these documents, which rise, stand in a group of bits."""
    before, last = 0, group.start
    for document, ordinal in enumerate(wanted):
        place, bit = group.start + (ordinal >> 3), 1 << (ordinal & 7)
        if data[place] & bit:
            before += int.from_bytes(data[last:place], "little").bit_count()
            yield _Standing(document, number, before + (data[place] & (bit - 1)).bit_count())
            last = place

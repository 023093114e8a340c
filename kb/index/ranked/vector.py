"""The evaluator for much: numpy over the arrays of a segment."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property, reduce
from operator import attrgetter
from typing import Any, NamedTuple, cast

import numpy as np
from numpy.typing import NDArray

from kb.index.ranked import topk
from kb.index.ranked.arrays import (
    Decoder,
    Doubles,
    Entries,
    Floats,
    Mask,
    Matched,
    Ordinals,
    documents_of,
    firsts,
    mask_of,
    matched,
    once,
    spots_of,
    summed,
    united,
)
from kb.index.ranked.building import Pattern, stems_of
from kb.index.ranked.codec import SHORT, Group, groups_of, unpacked
from kb.index.ranked.evaluation import Damped, Found, Norm, Wanted, weighted
from kb.index.ranked.lists import List, Norms, exact_norms, listed
from kb.index.ranked.postings import Gathered, Postings, as_told, gather
from kb.index.ranked.snapshot import Part
from kb.index.ranked.topk import Champions, Scored, Scorer
from kb.records.clauses import Occurrences, Phrase
from kb.records.document import COLUMNS

_A_FOUND = 120
"""Bytes that a document that was found takes."""


class VectorSearcher:
    """Answers from one part of an index. Sets of ordinals are arrays of truth values."""

    def __init__(self, part: Part, postings: Postings, weights: Mapping[str, float]) -> None:
        self._part = part
        self._postings = postings
        self._weights = weights
        self._told = tuple(weights.items())

    @cached_property
    def every(self) -> Mask:
        """All documents that are there."""
        segment, absent = self._part.segment, self._part.absent

        def made() -> Mask:
            found = np.ones(segment.size, np.bool_)
            found[np.fromiter(absent, np.int64, len(absent))] = False
            return found

        return cast("Mask", self._kept(("every", segment.stamp, absent), made))

    def none(self) -> Mask:
        """Return no documents."""
        return np.zeros(self._part.segment.size, np.bool_)

    def without(self, some: Mask) -> Mask:
        """Return all documents but these."""
        return self.every & ~some

    def of_entries(self, some: Mask) -> Mask:
        """Return all documents of the entries of which any document is among these."""
        return self._entries.whole(some) & self.every

    def chosen(self, ordinals: Iterable[int]) -> Mask:
        """Return documents by their ordinals."""
        found = self.none()
        found[np.fromiter(ordinals, np.int64)] = True
        return found

    def listed(self, some: Mask) -> list[int]:
        """Return the ordinals of documents, rising."""
        found: list[int] = np.flatnonzero(some).tolist()
        return found

    def facts(self, beginning: str) -> Sequence[str]:
        """Return the names of facts that begin so."""
        return self._postings.begun(self._part, beginning)

    def with_facts(self, names: Iterable[str]) -> Mask:
        """Return the documents that are listed under any of these names of facts."""
        found = self.none()
        for name in names:
            row = self._postings.row(self._part, name)
            if row is not None:
                found |= mask_of(row.documents, self._part.segment.size)
        return found & self.every if self._part.absent else found

    def unknown(self, phrases: Iterable[Phrase]) -> list[Phrase]:
        """Return those phrases of which postings have to be read."""
        cache = self._postings.cache
        return [
            each
            for each in phrases
            if cache.get(self._key(each)) is None and cache.get(self._champions_key(each)) is None
        ]

    def holding(self, phrase: Phrase) -> Mask:
        """Return the documents that hold a phrase."""
        found = self.none()
        self.scored(phrase).mark(found)
        return found & self.every if self._part.absent else found

    def which(self, ordinals: Sequence[int], phrases: Iterable[Phrase]) -> set[int]:
        """Return those of these few documents that hold any of the phrases."""
        wanted = np.asarray(ordinals, np.int32)
        found: set[int] = set()
        for phrase in phrases:
            found.update(wanted[self.scored(phrase).holds(wanted)].tolist())
        return found

    def count(self, phrase: Phrase) -> int:
        """Return how many documents hold a phrase."""
        if len(phrase.terms) == 1 and not phrase.open:
            if not self._part.absent:
                return self._postings.frequency(self._part, phrase.terms[0])
            row = self._postings.row(self._part, phrase.terms[0])
            if row is None or row.frequency < SHORT:  # as the terms that a spelling is sought in
                return 0 if row is None else self._those_there(row.documents)
        key = "there", self._part.segment.stamp, self._part.absent, phrase
        known = cast("int | None", self._postings.cache.get(key))
        if known is None:
            found = self.scored(phrase)
            known = found.count - int(np.count_nonzero(found.holds(self._absent)))
            self._postings.cache.put(key, known, _A_FOUND)
        return known

    def _those_there(self, data: bytes) -> int:
        """Return how many documents of a short list are there."""
        absent = self._part.absent
        groups = unpacked(data, self._part.segment.size)
        return sum(ordinal not in absent for _, ordinals in groups for ordinal in ordinals)

    def scored(self, phrase: Phrase) -> List:
        """Return the documents that hold a phrase, to be scored; the absent ones, too."""
        key = self._key(phrase)
        found = self._postings.cache.get(key)
        if found is None:
            groups = self._made(phrase)
            found = listed(groups, np.asarray(self._part.segment.lengths))
            self._postings.cache.put(key, found, found.bytes)
            if phrase.open or len(phrase.terms) > 1:
                self._champions(phrase, lambda: groups)  # they take long to be found again
        return cast("List", found)

    def best(
        self,
        wanted: Sequence[Wanted],
        norm: Norm,
        among: Mask | None,
        damped: Sequence[Damped],
        limit: int | None,
    ) -> tuple[int, list[Found]]:
        """Return how many entries hold any phrase, and the best document of the best of them."""
        if len(wanted) == 1 and among is None and not damped and limit and limit <= topk.MOST:
            found = self._best_of_one(*wanted[0], norm, limit)
            if found is not None:
                return found
        lists = [Scored(self.scored(phrase), tells) for phrase, tells in wanted]
        scorer = Scorer(lists, self._norms(norm), among, self._absent, damped, self._entries)
        return scorer.total(), scorer.best(limit)

    def _best_of_one(
        self, phrase: Phrase, idf: float, norm: Norm, limit: int
    ) -> tuple[int, list[Found]] | None:
        """Return what `best` does for one phrase, where its champions tell."""
        key = "best", *self._champions_key(phrase), idf, norm, limit
        told = cast("tuple[int, list[Found]] | None", self._postings.cache.get(key))
        if told is None:
            some = self._champions(phrase, lambda: self._made(phrase))
            found = topk.best(some, idf, self._norms(norm), self._entries, limit)
            if found is None:
                return None
            told = some.entries, found
            self._postings.cache.put(key, told, _A_FOUND * (len(found) + 2))
        return told

    def _champions(self, phrase: Phrase, groups: Callable[[], Sequence[Matched]]) -> Champions:
        key = self._champions_key(phrase)
        found = self._postings.cache.get(key)
        if found is None:
            there = [self._there(group) for group in groups()]
            segment, entries = self._part.segment, self._entries_of(there)
            lengths, alone = np.asarray(segment.lengths), not segment.siblings
            found = topk.chosen(there, lengths, entries, alone=alone)
            self._postings.cache.put(key, found, found.bytes)
        return cast("Champions", found)

    def _key(self, phrase: Phrase) -> Hashable:
        return "list", self._part.segment.stamp, phrase, self._told

    def _champions_key(self, phrase: Phrase) -> tuple[Hashable, ...]:
        return "champions", self._part.segment.stamp, self._part.absent, phrase, self._told

    def _there(self, group: Matched) -> Matched:
        """Return those documents of a group that are there."""
        if not self._part.absent:
            return group
        return group._replace(ordinals=group.ordinals[self.every[group.ordinals]])

    def _entries_of(self, groups: Sequence[Matched]) -> int:
        """Return how many entries have a document in these groups."""
        if not self._part.segment.siblings:
            return sum(len(group.ordinals) for group in groups)
        held = self.none()
        for group in groups:
            held[group.ordinals] = True
        return self._entries.count(held)

    def occurrences(
        self, terms: Sequence[str], ordinals: Sequence[int]
    ) -> list[dict[str, Occurrences]]:
        """Return where terms stand in documents, by column."""
        return occurrences(self._part, self._postings, terms, ordinals)

    @cached_property
    def _entries(self) -> Entries:
        return Entries(self._part.segment.siblings)

    @property
    def _worth(self) -> Doubles:
        """What each pattern of the segment counts for, by its number."""
        segment = self._part.segment

        def made() -> Doubles:
            return np.array([weighted(each, self._weights) for each in segment.patterns])

        return cast("Doubles", self._kept(("worths", segment.stamp, self._told), made))

    @property
    def _absent(self) -> Ordinals:
        """The documents that are not there, rising."""
        segment, absent = self._part.segment, self._part.absent
        return cast(
            "Ordinals",
            self._kept(
                ("absent", segment.stamp, absent), lambda: np.array(sorted(absent), np.int32)
            ),
        )

    def _norms(self, norm: Norm) -> Norms:
        segment = self._part.segment
        lengths = np.asarray(segment.lengths)

        def made() -> Floats:
            return exact_norms(lengths, norm).astype(np.float32)

        return Norms(norm, lengths, self._kept(("norms", segment.stamp, norm), made))

    def _kept(self, key: Hashable, make: Callable[[], Any]) -> Any:
        found = self._postings.cache.get(key)
        if found is None:
            found = make()
            self._postings.cache.put(key, found, found.nbytes)
        return found

    def _made(self, phrase: Phrase) -> Sequence[Matched]:
        if len(phrase.terms) > 1:
            return in_order(self._part, self._postings, phrase, self._weights, self.holding)
        segment, (term,) = self._part.segment, phrase.terms
        if phrase.open:
            lists = self._postings.lists_begun(self._part, term)
            return united(lists, segment.size, self._worth)
        row = self._postings.row(self._part, term)
        if row is None:
            return []
        return matched(row.documents, segment.size, self._worth)


# Phrases: the documents in which terms stand in order.


def in_order(
    part: Part,
    postings: Postings,
    phrase: Phrase,
    weights: Mapping[str, float],
    holding: Callable[[Phrase], Mask],
) -> Sequence[Matched]:
    """Return the documents in which the terms of a phrase stand in order.

    ``holding`` gives the documents that hold a single term.
    """
    *whole, last = phrase.terms
    postings.fetch_places([part], whole)
    narrowing = whole if phrase.open else phrase.terms
    held = reduce(np.logical_and, [holding(Phrase((term,))) for term in narrowing])
    among = np.flatnonzero(held).astype(np.int32)
    spots = _spots(part, postings, Phrase((whole[0],)), among)
    for distance, term in enumerate([*whole[1:], last], 1):
        # Places of a beginning are many to read: only where what is before it stands.
        among = once(documents_of(spots)[0])
        if not len(among):
            return []
        begun = phrase.open and distance == len(whole)
        here = _spots(part, postings, Phrase((term,), begun), among) - distance
        spots = np.intersect1d(spots, here, assume_unique=True)
    if not len(spots):
        return []
    ordinals, columns = documents_of(spots)
    table = np.array([weights[name] for name in COLUMNS])
    return summed(ordinals, table[columns])


def _spots(part: Part, postings: Postings, phrase: Phrase, among: Ordinals) -> NDArray[np.int64]:
    """Return the places of a term, or of all that begin so, in some documents; rising."""
    segment, (term,) = part.segment, phrase.terms
    read = postings.placed_begun if phrase.open else postings.placed
    found = [
        spots_of(row.documents, places, segment.size, segment.patterns, among)
        for row, places in read(part, term)
    ]
    return once(np.sort(np.concatenate([np.empty(0, np.int64), *found])))


# The positions of terms in a few documents of a large segment.


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

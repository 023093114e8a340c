"""The evaluator for much: numpy over the arrays of a segment."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterable, Mapping, Sequence
from functools import cached_property, reduce
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from kb.index.ranked.arrays import (
    Doubles,
    Mask,
    Matched,
    Ordinals,
    documents_of,
    mask_of,
    matched,
    spots_of,
    summed,
    united,
)
from kb.index.ranked.lists import List, Norms, listed
from kb.index.ranked.occurrences_arrays import occurrences
from kb.index.ranked.plain import PlainSearcher
from kb.index.ranked.reading import Postings
from kb.index.ranked.scoring import Norm, Wanted
from kb.index.ranked.searching import Damped, Found
from kb.index.ranked.snapshot import Part
from kb.index.ranked.topk import Scored, Scorer
from kb.records.clauses import K1, B, Occurrences, Phrase
from kb.records.document import COLUMNS


class VectorSearcher:
    """Answers from one part of an index. Sets of ordinals are arrays of truth values."""

    def __init__(self, part: Part, postings: Postings, weights: Mapping[str, float]) -> None:
        self._part = part
        self._postings = postings
        self._weights = weights
        self._told = tuple(weights.items())
        self._plain = PlainSearcher(part, postings, weights)

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
        entries = self._entries
        held = np.zeros(int(entries[-1]) + 1, np.bool_)
        held[entries[some]] = True
        return held[entries] & self.every

    def chosen(self, ordinals: Iterable[int]) -> Mask:
        """Return documents by their ordinals."""
        found = self.none()
        found[np.fromiter(ordinals, np.int64)] = True
        return found

    def listed(self, some: Mask, limit: int | None = None) -> list[int]:
        """Return the first ordinals of documents."""
        found: list[int] = np.flatnonzero(some)[:limit].tolist()
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
        if len(phrase.terms) == 1 and not phrase.open and not self._part.absent:
            return self._plain.count(phrase)
        found = self.scored(phrase)
        if not self._part.absent:
            return found.count
        held = self.none()
        found.mark(held)
        return int(np.count_nonzero(held & self.every))

    def scored(self, phrase: Phrase) -> List:
        """Return the documents that hold a phrase, to be scored; the absent ones, too."""
        key = "list", self._part.segment.stamp, phrase, self._told
        found = self._postings.cache.get(key)
        if found is None:
            found = listed(self._made(phrase), self._part.segment.size)
            self._postings.cache.put(key, found, found.bytes)
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
        lists = [Scored(self.scored(phrase), tells) for phrase, tells in wanted]
        if self._part.absent:
            among = self.every if among is None else among & self.every
        scorer = Scorer(lists, self._norms(norm), among, damped, self._entries)
        return scorer.total(), scorer.best(limit)

    def occurrences(
        self, terms: Sequence[str], ordinals: Sequence[int]
    ) -> list[dict[str, Occurrences]]:
        """Return where terms stand in documents, by column."""
        return occurrences(self._part, self._postings, terms, ordinals)

    @property
    def _entries(self) -> Ordinals:
        segment = self._part.segment

        def made() -> Ordinals:
            steps = np.ones(segment.size, np.int32)
            steps[np.asarray(segment.siblings, np.int64)] = 0
            found: Ordinals = np.cumsum(steps, dtype=np.int32) - np.int32(1)
            return found

        return cast("Ordinals", self._kept(("entries", segment.stamp), made))

    def _norms(self, norm: Norm) -> Norms:
        segment = self._part.segment

        def made() -> Doubles:
            lengths = np.asarray(segment.lengths, np.float64)
            return K1 * (1 - B + B * lengths / norm.average)

        exact = self._kept(("norms", segment.stamp, norm), made)
        short = self._kept(("short", segment.stamp, norm), lambda: exact.astype(np.float32))
        return Norms(norm, exact, short)

    def _kept(self, key: Hashable, make: Callable[[], Any]) -> Any:
        found = self._postings.cache.get(key)
        if found is None:
            found = make()
            self._postings.cache.put(key, found, found.nbytes)
        return found

    def _made(self, phrase: Phrase) -> Sequence[Matched]:
        if len(phrase.terms) > 1:
            return self._together(phrase)
        segment, (term,) = self._part.segment, phrase.terms
        if phrase.open:
            rows = self._postings.rows_begun(self._part, term)
            lists = (row.documents for row in rows)
            return united(lists, segment.size, segment.patterns, self._weights)
        row = self._postings.row(self._part, term)
        if row is None:
            return []
        return matched(row.documents, segment.size, segment.patterns, self._weights)

    def _together(self, phrase: Phrase) -> Sequence[Matched]:
        """Return the documents in which terms stand in order."""
        *whole, last = phrase.terms
        self._postings.fetch([self._part], whole)
        among = self._held_by([Phrase((term,)) for term in whole])
        spots = self._spots(Phrase((whole[0],)), among)
        for distance, term in enumerate([*whole[1:], last], 1):
            # Places of a beginning are many to read: only where what is before it stands.
            among = np.unique(documents_of(spots)[0])
            if not len(among):
                return []
            begun = phrase.open and distance == len(whole)
            spots = np.intersect1d(spots, self._spots(Phrase((term,), begun), among) - distance)
        if not len(spots):
            return []
        ordinals, columns = documents_of(spots)
        table = np.array([self._weights[name] for name in COLUMNS])
        return summed(ordinals, table[columns])

    def _held_by(self, phrases: Sequence[Phrase]) -> Ordinals:
        """Return the documents that hold all of these."""
        return np.flatnonzero(reduce(np.logical_and, map(self.holding, phrases))).astype(np.int32)

    def _spots(self, phrase: Phrase, among: Ordinals) -> NDArray[np.int64]:
        segment, (term,) = self._part.segment, phrase.terms
        if phrase.open:
            rows = self._postings.rows_begun(self._part, term)
        else:
            row = self._postings.row(self._part, term)
            rows = [] if row is None else [row]
        found = [
            spots_of(row.documents, row.places, segment.size, segment.patterns, among)
            for row in rows
        ]
        return np.unique(np.concatenate([np.empty(0, np.int64), *found]))

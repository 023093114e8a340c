"""The evaluator for large segments, with numpy."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from kb.model.clauses import Phrase
from kb.model.documents import COLUMNS
from kb.search.index.arrays import (
    Doubles,
    Entries,
    Mask,
    Numbers,
    Ordinals,
    blocks_with_places,
    once,
    summed,
    union,
)
from kb.search.index.building import Pattern
from kb.search.index.evaluation import Damped, Found, Norm, Searcher, Wanted, weighted
from kb.search.index.postings import Row
from kb.search.index.topk import Norms, PostingList, Scored, Scorer


class VectorSearcher(Searcher):
    """Evaluates one large part of an index. Document sets are boolean arrays."""

    @cached_property
    def every(self) -> Mask:
        """All existing documents."""
        found = np.ones(self.segment.size, np.bool_)
        found[[*self.part.absent]] = False
        return found

    def without(self, some: Mask) -> Mask:
        """Return all documents but these."""
        return self.every & ~some

    def of_entries(self, some: Mask) -> Mask:
        """Return all documents of the entries of these documents."""
        return self._entries.whole(some) & self.every

    def chosen(self, ordinals: Iterable[int]) -> Mask:
        """Return documents by their ordinals."""
        found = np.zeros(self.segment.size, np.bool_)
        found[np.fromiter(ordinals, np.intp)] = True
        return found

    def listed(self, some: Mask) -> list[int]:
        """Return the ordinals of documents, ascending."""
        found: list[int] = np.flatnonzero(some).tolist()
        return found

    def holding(self, phrases: Iterable[Phrase]) -> Mask:
        """Return the documents that contain any of these phrases."""
        found = np.zeros(self.segment.size, np.bool_)
        for phrase in self.fetched(phrases):
            found[self.posting_list(phrase).ordinals] = True
        return found

    def posting_list(self, phrase: Phrase) -> PostingList:
        """Return the documents that contain a phrase, with weighted frequencies."""

        def made() -> PostingList:
            ordinals, often = self._made(phrase)
            if self.part.absent:
                there = self.every[ordinals]
                ordinals, often = ordinals[there], often[there]
            return PostingList(ordinals, often)

        return self.kept(phrase, made, lambda found: found.bytes)

    def best(
        self,
        wanted: Sequence[Wanted],
        norm: Norm,
        among: Mask | None,
        damped: Damped | None,
        limit: int | None,
    ) -> tuple[int, list[Found]]:
        """Return the number of matching entries, and the best document of the best ones."""
        lists = [Scored(self.posting_list(phrase), tells) for phrase, tells in wanted]
        lengths = np.asarray(self.segment.lengths)
        short = self.kept(
            norm, lambda: norm.of(lengths).astype(np.float32), lambda made: made.nbytes
        )
        scorer = Scorer(lists, Norms(norm, lengths, short), among, damped, self._entries)
        return scorer.total(), scorer.best(limit)

    def positions_in(self, row: Row, among: Mask) -> Iterator[tuple[int, Pattern, Sequence[int]]]:
        """Yield the documents among some that contain a term, with pattern and positions."""
        for pattern, ordinals, places in self._blocks(row, among):
            for ordinal, some in zip(ordinals.tolist(), places.tolist(), strict=True):
                yield ordinal, pattern, some

    def _blocks(
        self, row: Row, among: Mask
    ) -> Iterator[tuple[Pattern, Ordinals, NDArray[np.unsignedinteger]]]:
        patterns = self.segment.patterns
        return blocks_with_places(row.documents, row.places, self.segment.size, patterns, among)

    @cached_property
    def _entries(self) -> Entries:
        return Entries(self.segment.siblings)

    @property
    def _worth(self) -> Doubles:
        """The weight of each pattern of the segment."""
        patterns, weights = self.segment.patterns, self.weights
        return self.kept(
            "worth",
            lambda: np.array([weighted(each, weights) for each in patterns]),
            lambda made: made.nbytes,
        )

    def _made(self, phrase: Phrase) -> tuple[Ordinals, Doubles]:
        if len(phrase.terms) > 1:
            return self._in_order(phrase)
        lists = [row.documents for row in self.postings.of(self.part, phrase)]
        return union(lists, self.segment.size, self._worth)

    def _in_order(self, phrase: Phrase) -> tuple[Ordinals, Doubles]:
        """Return the documents with the terms of a phrase in order, and how often."""
        *whole, last = phrase.terms
        self.postings.fetch(whole)
        among = self.every
        for term in whole if phrase.open else phrase.terms:
            among = among & self.holding([Phrase((term,))])
        positions = self._positions_of(Phrase((whole[0],)), among)
        for distance, term in enumerate([*whole[1:], last], 1):
            if not len(positions):
                break
            # Positions of a beginning are many to read: only where what is before it stands.
            among = self.chosen(_documents_of(positions).tolist())
            is_open = phrase.open and distance == len(whole)
            here = self._positions_of(Phrase((term,), is_open), among) - distance
            positions = np.intersect1d(positions, here, assume_unique=True)
        weights = np.array([self.weights[name] for name in COLUMNS])
        return summed(_documents_of(positions), weights[positions >> 32 & 7])

    def _positions_of(self, phrase: Phrase, among: Mask) -> Numbers:
        """Return the ascending positions of a term or prefix in some documents.

        Document, column and position are one number: the next position is the next number.
        """
        found = [np.empty(0, np.int64)]
        for row in self.postings.of(self.part, phrase):
            for pattern, ordinals, places in self._blocks(row, among):
                columns = np.array(pattern[: places.shape[1]], np.int64)
                positions = ((ordinals[:, None].astype(np.int64) * 8 + columns) << 32) + places
                found.append(positions.ravel())
        return once(np.sort(np.concatenate(found)))


def _documents_of(positions: Numbers) -> Ordinals:
    return (positions >> 35).astype(np.int32)

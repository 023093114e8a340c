"""The evaluator for little: plain Python over sets and dictionaries, and nothing to load.

A search of the base that comes with danesh loads no numpy, which takes as long as the search.
"""

from __future__ import annotations

from collections.abc import Container, Iterable, Iterator, Sequence
from functools import cache, cached_property
from itertools import takewhile

from kb.index.ranked.building import Pattern, stems_of
from kb.index.ranked.codec import blocks_of, ordinals_of, unpacked_places
from kb.index.ranked.evaluation import Damped, Found, Norm, Searcher, Wanted, score, weighted
from kb.index.ranked.postings import Placed
from kb.index.ranked.snapshot import Part
from kb.records.clauses import Phrase

Positions = dict[int, set[tuple[int, int]]]
"""By document the columns and the places in them."""

_A_DOCUMENT = 100
"""Bytes that a document and a number take in a dictionary."""


class PlainSearcher(Searcher):
    """Answers from the small parts of an index as from one. Sets of ordinals are sets."""

    @cached_property
    def every(self) -> set[int]:
        """All documents that are there."""
        return set(range(self.parts.size)).difference(self.parts.absent)

    def without(self, some: set[int]) -> set[int]:
        """Return all documents but these."""
        return self.every - some

    def of_entries(self, some: set[int]) -> set[int]:
        """Return all documents of the entries of which any document is among these."""
        entry = self.parts.entry
        held = set(map(entry, some))
        return {ordinal for ordinal in self.every if entry(ordinal) in held}

    def chosen(self, ordinals: Iterable[int]) -> set[int]:
        """Return documents by their ordinals."""
        return set(ordinals)

    def listed(self, some: set[int]) -> list[int]:
        """Return the ordinals of documents, rising."""
        return sorted(some)

    def holding(self, phrases: Iterable[Phrase]) -> set[int]:
        """Return the documents that hold any of these phrases."""
        return {ordinal for phrase in phrases for ordinal in self.posting_list(phrase)}

    def posting_list(self, phrase: Phrase) -> dict[int, float]:
        """Return how often each document holds a phrase, by the weights of columns."""

        def made() -> dict[int, float]:
            found = self._single(phrase) if len(phrase.terms) == 1 else self._in_order(phrase)
            return {each: often for each, often in found.items() if each in self.every}

        return self.kept(phrase, made, lambda found: _A_DOCUMENT * (len(found) + 2))

    def best(
        self,
        wanted: Sequence[Wanted],
        norm: Norm,
        among: set[int] | None,
        damped: Damped | None,
        limit: int | None,
    ) -> tuple[int, list[Found]]:
        """Return how many entries hold any phrase, and the best document of the best of them."""
        scores: dict[int, float] = {}
        lengths = self.parts.lengths
        for phrase, tells in wanted:
            for ordinal, often in self.posting_list(phrase).items():
                if among is None or ordinal in among:
                    part = score(tells, often, norm.of(lengths[ordinal]))
                    scores[ordinal] = scores.get(ordinal, 0.0) + part
        if damped is not None:
            some = damped.documents & scores.keys()
            scores |= {each: scores[each] * damped.factor for each in some}
        best: dict[int, Found] = {}
        for ordinal in sorted(scores):
            entry = self.parts.entry(ordinal)
            if entry not in best or scores[ordinal] > best[entry].score:
                best[entry] = Found(scores[ordinal], ordinal)
        ranked = sorted(best.values(), key=lambda found: (-found.score, found.ordinal))
        if limit is not None and len(ranked) > limit:
            # Parts are each in the order of entries, but not together.
            least = ranked[limit - 1].score
            ranked = list(takewhile(lambda found: found.score >= least, ranked))
        return len(best), ranked

    def positions_in(
        self, part: Part, start: int, placed: Placed, among: Container[int]
    ) -> Iterator[tuple[int, Pattern, Sequence[int]]]:
        """Yield those of some documents that hold a term, with its pattern and its places."""
        segment, places, begin = part.segment, unpacked_places(placed.places), 0
        for block in blocks_of(placed.documents, segment.size):
            pattern = segment.patterns[block.pattern]
            stems = stems_of(pattern)
            for ordinal in ordinals_of(placed.documents, block, segment.size):
                if start + ordinal in among:
                    yield start + ordinal, pattern, places[begin : begin + stems]
                begin += stems

    def _single(self, phrase: Phrase) -> dict[int, float]:
        """Return how often a term, or any that begins so, stands in each document."""
        (term,), found = phrase.terms, dict[int, float]()
        worth = cache(lambda pattern: weighted(pattern, self.weights))
        for part, start in self.parts.each():
            segment, row = part.segment, None if phrase.open else self.postings.row(part, term)
            lists = self.postings.lists_begun(part, term) if phrase.open else []
            for documents in [row.documents] if row else lists:
                for block in blocks_of(documents, segment.size):
                    often = worth(segment.patterns[block.pattern])
                    for ordinal in ordinals_of(documents, block, segment.size):
                        found[start + ordinal] = found.get(start + ordinal, 0.0) + often
        return found

    def _in_order(self, phrase: Phrase) -> dict[int, float]:
        """Return how often terms stand in order in each document."""
        *whole, last = phrase.terms
        self.postings.fetch_places(self.parts.parts, whole)
        positions = self._positions_of(Phrase((whole[0],)), self.every)
        for distance, term in enumerate([*whole[1:], last], 1):
            begun = phrase.open and distance == len(whole)
            here = self._positions_of(Phrase((term,), begun), positions) if positions else {}
            positions = {
                ordinal: kept
                for ordinal, there in here.items()
                if (kept := {(c, p) for c, p in positions[ordinal] if (c, p + distance) in there})
            }
        return {
            ordinal: weighted(tuple(sorted(column for column, _ in known)), self.weights)
            for ordinal, known in positions.items()
        }

    def _positions_of(self, phrase: Phrase, among: Container[int]) -> Positions:
        """Return the columns and places of a term, or of all that begin so, by document."""
        (term,), found = phrase.terms, Positions()
        read = self.postings.placed_begun if phrase.open else self.postings.placed
        for part, start in self.parts.each():
            for placed in read(part, term):
                for ordinal, pattern, places in self.positions_in(part, start, placed, among):
                    columns = pattern[: len(places)]
                    found.setdefault(ordinal, set()).update(zip(columns, places, strict=True))
        return found

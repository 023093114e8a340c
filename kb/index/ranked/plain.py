"""The evaluator for little: plain Python over sets and dictionaries, and nothing to load."""

from __future__ import annotations

from collections.abc import Container, Iterable, Mapping, Sequence
from functools import cached_property

from kb.index.ranked.building import Pattern
from kb.index.ranked.codec import groups_of, ordinals_of, unpacked_places
from kb.index.ranked.occurrences import Gathered, as_told, gather
from kb.index.ranked.reading import Postings, Row
from kb.index.ranked.regrouping import stems_of
from kb.index.ranked.scoring import Norm, Wanted, score, weighted
from kb.index.ranked.searching import Damped, Found
from kb.index.ranked.snapshot import Part
from kb.records.clauses import Occurrences, Phrase

Spots = dict[int, set[tuple[int, int]]]
"""By document the columns and the places in them."""

_A_DOCUMENT = 100
"""Bytes that a document and a number take in a dictionary."""


class PlainSearcher:
    """Answers from one part of an index. Sets of ordinals are sets."""

    def __init__(self, part: Part, postings: Postings, weights: Mapping[str, float]) -> None:
        self._part = part
        self._postings = postings
        self._weights = weights
        self._told = tuple(weights.items())

    @cached_property
    def every(self) -> set[int]:
        """All documents that are there."""
        return set(range(self._part.segment.size)) - self._part.absent

    def none(self) -> set[int]:
        """Return no documents."""
        return set()

    def without(self, some: set[int]) -> set[int]:
        """Return all documents but these."""
        return self.every - some

    def of_entries(self, some: set[int]) -> set[int]:
        """Return all documents of the entries of which any document is among these."""
        entry = self._part.segment.entry
        held = set(map(entry, some))
        return {ordinal for ordinal in self.every if entry(ordinal) in held}

    def chosen(self, ordinals: Iterable[int]) -> set[int]:
        """Return documents by their ordinals."""
        return set(ordinals)

    def listed(self, some: set[int], limit: int | None = None) -> list[int]:
        """Return the first ordinals of documents."""
        return sorted(some)[:limit]

    def facts(self, beginning: str) -> list[str]:
        """Return the names of facts that begin so."""
        return self._postings.begun(self._part, beginning)

    def with_facts(self, names: Iterable[str]) -> set[int]:
        """Return the documents that are listed under any of these names of facts."""
        return {ordinal for name in names for ordinal in self.frequencies(Phrase((name,)))}

    def holding(self, phrase: Phrase) -> set[int]:
        """Return the documents that hold a phrase."""
        return set(self.frequencies(phrase))

    def which(self, ordinals: Sequence[int], phrases: Iterable[Phrase]) -> set[int]:
        """Return those of these few documents that hold any of the phrases."""
        return {ordinal for phrase in phrases for ordinal in self.holding(phrase) & {*ordinals}}

    def count(self, phrase: Phrase) -> int:
        """Return how many documents hold a phrase."""
        if len(phrase.terms) == 1 and not phrase.open and not self._part.absent:
            return self._postings.frequency(self._part, phrase.terms[0])
        return len(self.frequencies(phrase))

    def frequencies(self, phrase: Phrase) -> dict[int, float]:
        """Return how often each document holds a phrase, by the weights of its columns."""
        segment, absent = self._part.segment, self._part.absent
        key = "plain", segment.stamp, absent, phrase, self._told
        found = self._postings.cache.get(key)
        if not isinstance(found, dict):
            found = self._single(phrase) if len(phrase.terms) == 1 else self._together(phrase)
            for ordinal in absent & found.keys():
                del found[ordinal]
            self._postings.cache.put(key, found, _A_DOCUMENT * (len(found) + 2))
        return found

    def best(
        self,
        wanted: Sequence[Wanted],
        norm: Norm,
        among: set[int] | None,
        damped: Sequence[Damped],
        limit: int | None,
    ) -> tuple[int, list[Found]]:
        """Return how many entries hold any phrase, and the best document of the best of them."""
        scores: dict[int, float] = {}
        lengths, entry_of = self._part.segment.lengths, self._part.segment.entry
        for phrase, tells in wanted:
            for ordinal, often in self.frequencies(phrase).items():
                if among is None or ordinal in among:
                    part = score(tells, often, norm.of(lengths[ordinal]))
                    scores[ordinal] = scores.get(ordinal, 0.0) + part
        for some, factor in damped:
            scores |= {each: scores[each] * factor for each in some & scores.keys()}
        best: dict[int, Found] = {}
        for ordinal in sorted(scores):
            entry = entry_of(ordinal)
            if entry not in best or scores[ordinal] > best[entry][0]:
                best[entry] = Found(scores[ordinal], ordinal)
        ranked = sorted(best.values(), key=lambda found: (-found.score, found.ordinal))
        return len(best), ranked[:limit]

    def occurrences(
        self, terms: Sequence[str], ordinals: Sequence[int]
    ) -> list[dict[str, Occurrences]]:
        """Return where terms stand in documents, by column."""
        wanted = set(ordinals)
        found: dict[int, Gathered] = {ordinal: {} for ordinal in ordinals}
        for term in terms:
            for row in self._rows((term,)):
                for ordinal, pattern, places in self._placed(row, wanted):
                    gather(found[ordinal], term, pattern, places)
        return [as_told(found[ordinal]) for ordinal in ordinals]

    def _single(self, phrase: Phrase) -> dict[int, float]:
        """Return how often a term, or any that begins so, stands in each document."""
        segment, worth = self._part.segment, self._worth
        found: dict[int, float] = {}
        for row in self._rows(*phrase):
            for group in groups_of(row.documents, segment.size):
                often = worth[group.pattern]
                for ordinal in ordinals_of(row.documents, group, segment.size):
                    found[ordinal] = found.get(ordinal, 0.0) + often
        return found

    @cached_property
    def _worth(self) -> list[float]:
        """What each pattern of the segment counts for, by its number."""
        key = "worth", self._part.segment.stamp, self._told
        found = self._postings.cache.get(key)
        if not isinstance(found, list):
            found = [weighted(each, self._weights) for each in self._part.segment.patterns]
            self._postings.cache.put(key, found, _A_DOCUMENT * len(found))
        return found

    def _rows(self, terms: Sequence[str], begun: bool = False) -> list[Row]:
        """Return the postings of the last of these terms, or of all that begin so."""
        if begun:
            return self._postings.rows_begun(self._part, terms[-1])
        row = self._postings.row(self._part, terms[-1])
        return [row] if row else []

    def _placed(
        self, row: Row, among: Container[int] | None
    ) -> Iterable[tuple[int, Pattern, Sequence[int]]]:
        """Yield the documents that hold a term, with its pattern and its places in each."""
        segment, absent = self._part.segment, self._part.absent
        places, start = unpacked_places(row.places), 0
        for group in groups_of(row.documents, segment.size):
            pattern = segment.patterns[group.pattern]
            stems = stems_of(pattern)
            for ordinal in ordinals_of(row.documents, group, segment.size):
                if ordinal not in absent and (among is None or ordinal in among):
                    yield ordinal, pattern, places[start : start + stems]
                start += stems

    def _together(self, phrase: Phrase) -> dict[int, float]:
        """Return how often terms stand in order in each document."""
        *whole, last = phrase.terms
        self._postings.fetch([self._part], whole)
        spots = self._spots(self._rows(whole[:1]), None)
        for distance, term in enumerate([*whole[1:], last], 1):
            if not spots:
                return {}
            begun = phrase.open and distance == len(whole)
            here = self._spots(self._rows((term,), begun), spots)
            spots = {
                ordinal: kept
                for ordinal in here
                if (
                    kept := {
                        (column, place)
                        for column, place in spots[ordinal]
                        if (column, place + distance) in here[ordinal]
                    }
                )
            }
        return {
            ordinal: weighted(tuple(sorted(column for column, _ in known)), self._weights)
            for ordinal, known in spots.items()
        }

    def _spots(self, rows: Iterable[Row], among: Container[int] | None) -> Spots:
        """Return the columns and places of terms, by document."""
        found: Spots = {}
        for row in rows:
            for ordinal, pattern, places in self._placed(row, among):
                columns = pattern[: len(places)]
                found.setdefault(ordinal, set()).update(zip(columns, places, strict=True))
        return found

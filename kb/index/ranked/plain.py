"""The evaluator for little: plain Python over sets and dictionaries, and nothing to load."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from functools import cached_property

from kb.index.ranked.building import Pattern
from kb.index.ranked.codec import groups_of, ordinals_of, unpacked_places
from kb.index.ranked.occurrences import Gathered, as_told, gather
from kb.index.ranked.reading import Postings
from kb.index.ranked.scoring import Norm, Wanted, score, weighted
from kb.index.ranked.searching import Damped, Found
from kb.index.ranked.snapshot import Part
from kb.records.clauses import Occurrences, Phrase
from kb.records.document import COLUMNS


class PlainSearcher:
    """Answers from one part of an index. Sets of ordinals are sets."""

    def __init__(self, part: Part, postings: Postings, weights: Mapping[str, float]) -> None:
        self._part = part
        self._postings = postings
        self._weights = weights
        self._known: dict[Phrase, dict[int, float]] = {}

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
        return {ordinal for name in names for ordinal, _ in self._patterns(name)}

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
        if phrase not in self._known:
            found: dict[int, float] = {}
            held = self._single if len(phrase.terms) == 1 else self._together
            for ordinal, pattern in held(phrase):
                found[ordinal] = found.get(ordinal, 0.0) + weighted(pattern, self._weights)
            self._known[phrase] = found
        return self._known[phrase]

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
            for ordinal, pattern, places in self._placed(term):
                if ordinal in wanted:
                    gather(found[ordinal], term, pattern, places)
        return [as_told(found[ordinal]) for ordinal in ordinals]

    def _single(self, phrase: Phrase) -> Iterable[tuple[int, Pattern]]:
        (text,) = phrase.terms
        terms = self._postings.begun(self._part, text) if phrase.open else [text]
        self._postings.fetch([self._part], terms)
        for term in terms:
            yield from self._patterns(term)

    def _patterns(self, term: str) -> Iterable[tuple[int, Pattern]]:
        row = self._postings.row(self._part, term)
        segment, absent = self._part.segment, self._part.absent
        for group in groups_of(row.documents, segment.size) if row else ():
            pattern = segment.patterns[group.pattern]
            for ordinal in ordinals_of(row.documents, group, segment.size) if row else ():
                if ordinal not in absent:
                    yield ordinal, pattern

    def _placed(self, term: str) -> Iterable[tuple[int, Pattern, Sequence[int]]]:
        """Yield the documents that hold a term, with its pattern and its places in each."""
        row = self._postings.row(self._part, term)
        if row is None:
            return
        segment, absent = self._part.segment, self._part.absent
        places, start = unpacked_places(row.places), 0
        for group in groups_of(row.documents, segment.size):
            pattern = segment.patterns[group.pattern]
            stems = sum(column < len(COLUMNS) for column in pattern)
            for ordinal in ordinals_of(row.documents, group, segment.size):
                if ordinal not in absent:
                    yield ordinal, pattern, places[start : start + stems]
                start += stems

    def _together(self, phrase: Phrase) -> Iterable[tuple[int, Pattern]]:
        """Yield the documents in which terms stand in order, and in which columns."""
        *whole, last = phrase.terms
        ends = self._postings.begun(self._part, last) if phrase.open else [last]
        self._postings.fetch([self._part], [*whole, *ends])
        spots = self._spots([whole[0]])
        for distance, terms in enumerate([*([term] for term in whole[1:]), ends], 1):
            here = self._spots(terms)
            spots = {
                ordinal: kept
                for ordinal, known in spots.items()
                if ordinal in here
                and (
                    kept := {
                        (column, place)
                        for column, place in known
                        if (column, place + distance) in here[ordinal]
                    }
                )
            }
        for ordinal, known in spots.items():
            yield ordinal, tuple(sorted(column for column, _ in known))

    def _spots(self, terms: Iterable[str]) -> dict[int, set[tuple[int, int]]]:
        """Return the columns and places of terms, by document."""
        found: dict[int, set[tuple[int, int]]] = {}
        for term in terms:
            for ordinal, pattern, places in self._placed(term):
                columns = [column for column in pattern if column < len(COLUMNS)]
                found.setdefault(ordinal, set()).update(zip(columns, places, strict=True))
        return found

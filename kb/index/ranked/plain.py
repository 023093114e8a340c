"""The evaluator for little: plain Python over sets and dictionaries, and nothing to load."""

from __future__ import annotations

from collections.abc import Container, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import takewhile

from kb.index.ranked.building import Pattern, stems_of
from kb.index.ranked.codec import groups_of, ordinals_of, unpacked_places
from kb.index.ranked.evaluation import Damped, Found, Norm, Wanted, score, weighted
from kb.index.ranked.postings import Gathered, Placed, Postings, as_told, gather
from kb.index.ranked.schema import Worth
from kb.index.ranked.snapshot import Part, Together
from kb.records.clauses import Occurrences, Phrase

Spots = dict[int, set[tuple[int, int]]]
"""By document the columns and the places in them."""

_A_DOCUMENT = 100
"""Bytes that a document and a number take in a dictionary."""


class PlainSearcher:
    """Answers from the small parts of an index as from one. Sets of ordinals are sets."""

    def __init__(self, parts: Together, postings: Postings, weights: Mapping[str, float]) -> None:
        self._parts = parts
        self._postings = postings
        self._weights = weights
        self._told = tuple(weights.items())

    @cached_property
    def every(self) -> set[int]:
        """All documents that are there."""
        return set(range(self._parts.size)) - self._parts.absent

    def none(self) -> set[int]:
        """Return no documents."""
        return set()

    def without(self, some: set[int]) -> set[int]:
        """Return all documents but these."""
        return self.every - some

    def of_entries(self, some: set[int]) -> set[int]:
        """Return all documents of the entries of which any document is among these."""
        entry = self._parts.entry
        held = set(map(entry, some))
        return {ordinal for ordinal in self.every if entry(ordinal) in held}

    def chosen(self, ordinals: Iterable[int]) -> set[int]:
        """Return documents by their ordinals."""
        return set(ordinals)

    def listed(self, some: set[int]) -> list[int]:
        """Return the ordinals of documents, rising."""
        return sorted(some)

    def facts(self, beginning: str) -> list[str]:
        """Return the names of facts that begin so."""
        begun = self._postings.begun
        return sorted({name for part in self._parts.parts for name in begun(part, beginning)})

    def with_facts(self, names: Iterable[str]) -> set[int]:
        """Return the documents that are listed under any of these names of facts."""
        return {ordinal for name in names for ordinal in self.frequencies(Phrase((name,)))}

    def unknown(self, phrases: Iterable[Phrase]) -> list[Phrase]:
        """Return those phrases of which postings have to be read."""
        return [each for each in phrases if self._postings.cache.get(self._key(each)) is None]

    def holding(self, phrase: Phrase) -> set[int]:
        """Return the documents that hold a phrase."""
        return set(self.frequencies(phrase))

    def which(self, ordinals: Sequence[int], phrases: Iterable[Phrase]) -> set[int]:
        """Return those of these few documents that hold any of the phrases."""
        return {ordinal for phrase in phrases for ordinal in self.holding(phrase) & {*ordinals}}

    def count(self, phrase: Phrase) -> int:
        """Return how many documents hold a phrase."""
        known = self._postings.cache.get(self._key(phrase))
        if isinstance(known, dict):
            return len(known)
        if len(phrase.terms) == 1 and not phrase.open and not self._parts.absent:
            frequency = self._postings.frequency
            return sum(frequency(part, phrase.terms[0]) for part in self._parts.parts)
        return len(self.frequencies(phrase))

    def frequencies(self, phrase: Phrase) -> dict[int, float]:
        """Return how often each document holds a phrase, by the weights of its columns."""
        key = self._key(phrase)
        found = self._postings.cache.get(key)
        if not isinstance(found, dict):
            found = self._single(phrase) if len(phrase.terms) == 1 else self._together(phrase)
            for ordinal in self._parts.absent & found.keys():
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
        lengths, entry_of = self._parts.lengths, self._parts.entry
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
        return len(best), list(_first(ranked, limit))

    def occurrences(
        self, terms: Sequence[str], ordinals: Sequence[int]
    ) -> list[dict[str, Occurrences]]:
        """Return where terms stand in documents, by column."""
        wanted = set(ordinals)
        found: dict[int, Gathered] = {ordinal: {} for ordinal in ordinals}
        for part, start in self._parts.each():
            if wanted.isdisjoint(range(start, start + part.segment.size)):
                continue
            for term in terms:
                for placed in self._postings.placed(part, term):
                    for ordinal, pattern, places in _standing(part, start, placed, wanted):
                        gather(found[ordinal], term, pattern, places)
        return [as_told(found[ordinal]) for ordinal in ordinals]

    def _key(self, phrase: Phrase) -> Hashable:
        return "plain", self._parts.sign, phrase, self._told

    def _single(self, phrase: Phrase) -> dict[int, float]:
        """Return how often a term, or any that begins so, stands in each document."""
        found: dict[int, float] = {}
        for part, start in self._parts.each():
            if lists := self._lists(part, phrase):
                size, worth = part.segment.size, self._worth(part)
                for documents in lists:
                    for group in groups_of(documents, size):
                        often = worth[group.pattern]
                        for ordinal in ordinals_of(documents, group, size):
                            found[start + ordinal] = found.get(start + ordinal, 0.0) + often
        return found

    def _worth(self, part: Part) -> Worth:
        """Return what each pattern of a part counts for, by its number."""
        key = "worth", part.segment.stamp, self._told
        found = self._postings.cache.get(key)
        if not isinstance(found, Worth):
            patterns = part.segment.patterns
            found = Worth(patterns, self._weights)
            self._postings.cache.put(key, found, _A_DOCUMENT * len(patterns))
        return found

    def _lists(self, part: Part, phrase: Phrase) -> list[bytes]:
        """Return the list of a term in a part, or of all that begin so."""
        (term,) = phrase.terms
        if phrase.open:
            return self._postings.lists_begun(part, term)
        row = self._postings.row(part, term)
        return [row.documents] if row else []

    def _together(self, phrase: Phrase) -> dict[int, float]:
        """Return how often terms stand in order in each document."""
        *whole, last = phrase.terms
        self._postings.fetch_places(self._parts.parts, whole)
        spots = self._spots(Phrase((whole[0],)), None)
        for distance, term in enumerate([*whole[1:], last], 1):
            if not spots:
                return {}
            begun = phrase.open and distance == len(whole)
            here = self._spots(Phrase((term,), begun), spots)
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

    def _spots(self, phrase: Phrase, among: Container[int] | None) -> Spots:
        """Return the columns and places of a term, or of all that begin so, by document."""
        (term,), found = phrase.terms, Spots()
        read = self._postings.placed_begun if phrase.open else self._postings.placed
        for part, start in self._parts.each():
            for placed in read(part, term):
                for ordinal, pattern, places in _standing(part, start, placed, among):
                    columns = pattern[: len(places)]
                    found.setdefault(ordinal, set()).update(zip(columns, places, strict=True))
        return found


def _standing(
    part: Part, start: int, placed: Placed, among: Container[int] | None
) -> Iterator[tuple[int, Pattern, Sequence[int]]]:
    """Yield the documents of a part that hold a term, with its pattern and its places in each.

    ``start`` is the first ordinal of the part.
    """
    segment, absent = part.segment, part.absent
    (_, _, documents), places, begin = placed.row, unpacked_places(placed.places), 0
    for group in groups_of(documents, segment.size):
        pattern = segment.patterns[group.pattern]
        stems = stems_of(pattern)
        for ordinal in ordinals_of(documents, group, segment.size):
            if ordinal not in absent and (among is None or start + ordinal in among):
                yield start + ordinal, pattern, places[begin : begin + stems]
            begin += stems


def _first(ranked: Sequence[Found], limit: int | None) -> Iterator[Found]:
    """Yield the first so many, and what is equal to the last of them.

    Parts are each in the order of entries, but not together.
    """
    if limit is None or len(ranked) <= limit:
        return iter(ranked)
    least = ranked[limit - 1].score
    return takewhile(lambda found: found.score >= least, ranked)

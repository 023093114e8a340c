"""BM25 and predicates, and the evaluator for small segments in plain Python."""

from __future__ import annotations

import math
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from functools import cache, cached_property, reduce
from operator import or_
from typing import Any, NamedTuple, TypeVar

from kb.model.clauses import (
    K1,
    B,
    Every,
    Has,
    Lacks,
    Matches,
    Named,
    Occurrences,
    Phrase,
    Predicate,
    Some,
)
from kb.model.documents import COLUMNS
from kb.search.index.building import Pattern, fact, stems_of
from kb.search.index.codec import unpacked, unpacked_numbers
from kb.search.index.postings import Postings, Row
from kb.search.index.segments import Part

Documents = Any
"""A set of documents, combined with ``&`` and ``|``."""

T = TypeVar("T")


class Found(NamedTuple):
    """The score and ordinal of a document."""

    score: float
    ordinal: int


class Damped(NamedTuple):
    """Documents whose score is reduced by a factor."""

    documents: Documents
    factor: float


# Okapi BM25 over weighted columns, as both evaluators compute it.
#
# Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", Foundations
# and Trends in Information Retrieval 3 (2009); the weights count for the frequency and not for
# the length, as FTS5 has it (https://sqlite.org/fts5.html#the_bm25_function).


_LEAST = 1e-6


class Wanted(NamedTuple):
    """A phrase for ranking, and its weight."""

    phrase: Phrase
    idf: float


class Norm(NamedTuple):
    """The length normalization of a document, relative to the average."""

    average: float

    def of(self, length: Any) -> Any:
        """Return the denominator part of BM25 for a document of this length, or for an array."""
        return K1 * (1 - B + B * length / self.average)


def idf(documents: int, holding: int) -> float:
    """Return the inverse document frequency of a phrase; nearly 0 for half of the documents.

    >>> round(idf(1000, 10), 2), idf(10, 9)
    (4.55, 1e-06)
    """
    return max(math.log((documents - holding + 0.5) / (holding + 0.5)), _LEAST)


def score(idf: float, frequency: float, norm: float) -> float:
    """Return the score of a phrase by weighted frequency in a document.

    >>> score(2.0, 1.0, Norm(10).of(10))
    2.0
    """
    return idf * (frequency * (K1 + 1)) / (frequency + norm)


def weighted(pattern: Pattern, weights: Mapping[str, float]) -> float:
    """Return a term's frequency in a document, weighted by column.

    >>> weighted((0, 2, 9), {name: 1.0 for name in COLUMNS} | {"question": 4.0})
    6.0
    """
    return sum(weights[COLUMNS[column % len(COLUMNS)]] for column in pattern)


# Predicates as sets of documents.


def meeting(searcher: Searcher, predicate: Predicate) -> Any | None:
    """Return the documents that match a predicate, or nothing if all do."""
    match predicate:
        case Every(of):
            each_met = (meeting(searcher, each) for each in of)
            return reduce(_and, each_met, None)
        case Some(of):
            some = (meeting(searcher, each) for each in of)
            found = (searcher.every if each is None else each for each in some)
            return reduce(or_, found, searcher.holding(()))
        case Matches(clause):
            return searcher.holding(clause.phrases)
        case Named(ids) | Has("id", ids):
            entries = ids if isinstance(ids, tuple) else (ids,)
            return searcher.chosen(searcher.named(entries))
        case Has(field, value):
            name = fact(field, value)  # a collection holds others
            below = searcher.facts(name + "/") if field == "collection" else ()
            return searcher.with_facts([name, *below])
        case Lacks(inner):
            met = meeting(searcher, inner)
            if met is None:
                return searcher.holding(())
            return searcher.without(searcher.of_entries(met))


def _and(one: Any | None, other: Any | None) -> Any | None:
    """Return the intersection of sets; nothing stands for all documents."""
    if one is None or other is None:
        return other if one is None else one
    return one & other


def terms(phrases: Iterable[Phrase]) -> Iterator[str]:
    """Yield the terms of complete phrases."""
    for words, is_open in phrases:
        yield from words[:-1] if is_open else words


# The evaluator: plain Python over sets and dictionaries, and nothing to load.
#
# A search of the base that comes with danesh loads no numpy, which takes as long as the search.


Positions = dict[int, set[tuple[int, int]]]
"""Columns and positions by document."""

_A_DOCUMENT = 100
"""The bytes of a document and a number in a dictionary."""


class Searcher:
    """Evaluates queries on a part of an index, by ordinal, with sets and dictionaries.

    `kb.search.index.vector` does the same for a large part with arrays.
    """

    def __init__(self, part: Part, postings: Postings, weights: Mapping[str, float]) -> None:
        self.part = part
        self.segment = part.segment
        self.postings = postings
        self.weights = weights
        self._key = part.segment.stamp, part.absent, tuple(weights.items())

    @cached_property
    def every(self) -> Documents:
        """All existing documents."""
        return set(range(self.segment.size)).difference(self.part.absent)

    def without(self, some: Documents) -> Documents:
        """Return all documents but these."""
        return self.every - some

    def of_entries(self, some: Documents) -> Documents:
        """Return all documents of the entries of these documents."""
        entry = self.part.entry
        held = set(map(entry, some))
        return {ordinal for ordinal in self.every if entry(ordinal) in held}

    def chosen(self, ordinals: Iterable[int]) -> Documents:
        """Return documents by their ordinals."""
        return set(ordinals)

    def listed(self, some: Documents) -> list[int]:
        """Return the ordinals of documents, ascending."""
        return sorted(some)

    def holding(self, phrases: Iterable[Phrase]) -> Documents:
        """Return the documents that contain any of these phrases."""
        return {
            ordinal for phrase in self.fetched(phrases) for ordinal in self.posting_list(phrase)
        }

    def fetched(self, phrases: Iterable[Phrase]) -> list[Phrase]:
        """Return phrases after their lists were read together."""
        some = list(phrases)
        self.postings.fetch(terms(some))
        return some

    def posting_list(self, phrase: Phrase) -> Any:
        """Return the documents that contain a phrase, with weighted frequencies."""

        def made() -> dict[int, float]:
            found = self._single(phrase) if len(phrase.terms) == 1 else self._in_order(phrase)
            return {each: often for each, often in found.items() if each in self.every}

        return self.kept(phrase, made, lambda found: _A_DOCUMENT * (len(found) + 2))

    def best(
        self,
        wanted: Sequence[Wanted],
        norm: Norm,
        among: Documents | None,
        damped: Damped | None,
        limit: int | None,
    ) -> tuple[int, list[Found]]:
        """Return the number of matching entries, and the best document of the best ones.

        Equal scores are ordered by ordinal, which is the order of ids. ``among`` narrows both.
        """
        scores: dict[int, float] = {}
        lengths = self.segment.lengths
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
            entry = self.part.entry(ordinal)
            if entry not in best or scores[ordinal] > best[entry].score:
                best[entry] = Found(scores[ordinal], ordinal)
        ranked = sorted(best.values(), key=lambda found: (-found.score, found.ordinal))
        return len(best), ranked[:limit]

    def positions_in(
        self, row: Row, among: Documents
    ) -> Iterator[tuple[int, Pattern, Sequence[int]]]:
        """Yield the documents among some that contain a term, with pattern and positions."""
        segment, places, begin = self.segment, unpacked_numbers(row.places), 0
        for number, ordinals in unpacked(row.documents, segment.size):
            pattern = segment.patterns[number]
            stems = stems_of(pattern)
            for ordinal in ordinals:
                if ordinal in among:
                    yield ordinal, pattern, places[begin : begin + stems]
                begin += stems

    def named(self, entries: Sequence[str]) -> Sequence[int]:
        """Return the ordinals of the existing documents of entries."""
        return [*self.part.held(self.postings.documents_of(entries)).values()]

    def with_facts(self, names: Iterable[str]) -> Documents:
        """Return the documents with any of these filter terms."""
        return self.holding(Phrase((name,)) for name in names)

    def facts(self, beginning: str) -> set[str]:
        """Return the filter terms with this prefix."""
        return {*self.postings.terms_with_prefix(self.part, beginning)}

    def count(self, phrase: Phrase) -> int:
        """Return the document frequency of a phrase."""
        if len(phrase.terms) > 1 or phrase.open or self.part.absent:
            return len(self.posting_list(phrase))
        return sum(row.frequency for row in self.postings.of(self.part, phrase))

    def occurrences(
        self, terms: Sequence[str], ordinals: Sequence[int]
    ) -> list[dict[str, Occurrences]]:
        """Return the positions of terms in documents, by column."""
        among = self.chosen(ordinals)
        found: dict[int, dict[str, Occurrences]] = {ordinal: {} for ordinal in ordinals}
        for term in terms:
            for row in self.postings.of(self.part, Phrase((term,))):
                for ordinal, pattern, places in self.positions_in(row, among):
                    _gather(found[ordinal], term, pattern, places)
        return [found[ordinal] for ordinal in ordinals]

    def kept(self, name: Hashable, make: Callable[[], T], size: Callable[[T], int]) -> T:
        """Return data computed from this part and weights, from the cache if possible."""
        found: T | None = self.postings.cache.get((self._key, name))
        if found is None:
            found = make()
            self.postings.cache.put((self._key, name), found, size(found))
        return found

    def _single(self, phrase: Phrase) -> dict[int, float]:
        """Return the frequency of a term, or of all with this prefix, by document."""
        found = dict[int, float]()
        worth = cache(lambda pattern: weighted(pattern, self.weights))
        for row in self.postings.of(self.part, phrase):
            for number, ordinals in unpacked(row.documents, self.segment.size):
                often = worth(self.segment.patterns[number])
                for ordinal in ordinals:
                    found[ordinal] = found.get(ordinal, 0.0) + often
        return found

    def _in_order(self, phrase: Phrase) -> Any:
        """Return the frequency of terms in order, by document."""
        *whole, last = phrase.terms
        self.postings.fetch(whole)
        positions = self._positions_of(Phrase((whole[0],)), self.every)
        for distance, term in enumerate([*whole[1:], last], 1):
            is_open = phrase.open and distance == len(whole)
            here = self._positions_of(Phrase((term,), is_open), positions) if positions else {}
            positions = {
                ordinal: kept
                for ordinal, there in here.items()
                if (kept := {(c, p) for c, p in positions[ordinal] if (c, p + distance) in there})
            }
        return {
            ordinal: weighted(tuple(sorted(column for column, _ in known)), self.weights)
            for ordinal, known in positions.items()
        }

    def _positions_of(self, phrase: Phrase, among: Documents) -> Any:
        """Return the columns and positions of a term, or of all with this prefix, by document."""
        found = Positions()
        for row in self.postings.of(self.part, phrase):
            for ordinal, pattern, places in self.positions_in(row, among):
                columns = pattern[: len(places)]
                found.setdefault(ordinal, set()).update(zip(columns, places, strict=True))
        return found


def _gather(
    found: dict[str, Occurrences], term: str, pattern: Pattern, places: Sequence[int]
) -> None:
    """Add the positions of a term in a document, and the counts of its inflected forms."""
    left = iter(places)
    for number in pattern:
        known = found.setdefault(COLUMNS[number % len(COLUMNS)], Occurrences({}, {}))
        if number < len(COLUMNS):
            known.stems.setdefault(term, []).append(next(left))
        else:
            known.forms[term] = known.forms.get(term, 0) + 1

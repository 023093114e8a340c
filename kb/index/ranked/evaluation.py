"""What both evaluators do with one part of an index; a set of documents is their own affair."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import reduce
from operator import or_
from typing import Any, NamedTuple, Protocol

from kb.index.ranked.building import Pattern, fact
from kb.records.clauses import K1, B, Clause, Occurrences, Phrase
from kb.records.document import COLUMNS
from kb.records.predicates import Every, Has, Lacks, Matches, Named, Predicate, Some

Documents = Any
"""Documents of a part: what ``&`` and ``|`` join."""


class Found(NamedTuple):
    """The score of a document, and its ordinal."""

    score: float
    ordinal: int


class Damped(NamedTuple):
    """Documents whose score counts for a part only."""

    documents: Documents
    factor: float


class Numbered(Protocol):
    """A part of an index: its documents, by their ordinals."""

    @property
    def documents(self) -> Sequence[int]:
        """The numbers of the documents, by ordinal."""

    @property
    def lengths(self) -> Sequence[int]:
        """How many terms the documents have, by ordinal."""

    def entry(self, ordinal: int) -> int:
        """Return a number that documents of one entry share, and no others; rising."""

    def held(self, documents: Iterable[int]) -> dict[int, int]:
        """Return the ordinals of those of these documents that are in it."""


class Searcher(Protocol):
    """Answers from one part of an index, by ordinals."""

    @property
    def every(self) -> Documents:
        """All documents that are there."""

    def none(self) -> Documents:
        """Return no documents."""

    def without(self, some: Documents) -> Documents:
        """Return all documents but these."""

    def of_entries(self, some: Documents) -> Documents:
        """Return all documents of the entries of which any document is among these."""

    def chosen(self, ordinals: Iterable[int]) -> Documents:
        """Return documents by their ordinals."""

    def listed(self, some: Documents) -> Sequence[int]:
        """Return the ordinals of documents, rising."""

    def facts(self, beginning: str) -> Sequence[str]:
        """Return the names of facts that begin so."""

    def with_facts(self, names: Iterable[str]) -> Documents:
        """Return the documents that are listed under any of these names of facts."""

    def unknown(self, phrases: Iterable[Phrase]) -> list[Phrase]:
        """Return those phrases of which postings have to be read."""

    def holding(self, phrase: Phrase) -> Documents:
        """Return the documents that hold a phrase."""

    def which(self, ordinals: Sequence[int], phrases: Iterable[Phrase]) -> set[int]:
        """Return those of these few documents that hold any of the phrases."""

    def count(self, phrase: Phrase) -> int:
        """Return how many documents hold a phrase."""

    def best(
        self,
        wanted: Sequence[Wanted],
        norm: Norm,
        among: Documents | None,
        damped: Sequence[Damped],
        limit: int | None,
    ) -> tuple[int, list[Found]]:
        """Return how many entries hold any phrase, and the best document of the best of them.

        Of equal scores the lower ordinal comes first; where ordinals do not rise with the ids
        of entries, all that are equal to the last are told. ``among`` narrows both.
        """

    def occurrences(
        self, terms: Sequence[str], ordinals: Sequence[int]
    ) -> list[dict[str, Occurrences]]:
        """Return where terms stand in documents, by column."""


# Okapi BM25 over weighted columns, as both evaluators compute it.
#
# Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", Foundations
# and Trends in Information Retrieval 3 (2009); the weights count for the frequency and not for
# the length, as FTS5 has it (https://sqlite.org/fts5.html#the_bm25_function).


_LEAST = 1e-6


class Wanted(NamedTuple):
    """A phrase to rank by, and how much it tells."""

    phrase: Phrase
    idf: float


class Norm(NamedTuple):
    """How the length of a document counts, by the average of all."""

    average: float

    def of(self, length: float) -> float:
        """Return what a document of this length adds below the fraction."""
        return K1 * (1 - B + B * length / self.average)


def idf(documents: int, holding: int) -> float:
    """Return how much a phrase tells that so many documents hold; hardly anything for half.

    >>> round(idf(1000, 10), 2), idf(10, 9)
    (4.55, 1e-06)
    """
    return max(math.log((documents - holding + 0.5) / (holding + 0.5)), _LEAST)


def score(idf: float, frequency: float, norm: float) -> float:
    """Return what a phrase counts for that stands so often, by weight, in a document.

    >>> score(2.0, 1.0, Norm(10).of(10))
    2.0
    """
    return idf * (frequency * (K1 + 1)) / (frequency + norm)


def weighted(pattern: Pattern, weights: Mapping[str, float]) -> float:
    """Return how often a term stands in a document, by the weights of its columns.

    >>> weighted((0, 2, 9), {name: 1.0 for name in COLUMNS} | {"question": 4.0})
    6.0
    """
    return sum(weights[COLUMNS[column % len(COLUMNS)]] for column in pattern)


# Predicates as sets of documents.


Ordinals = Callable[[tuple[str, ...]], Iterable[int]]
"""Gives the ordinals of the documents of entries."""


def meeting(searcher: Searcher, predicate: Predicate, of_entries: Ordinals) -> Any | None:
    """Return the documents that meet a predicate, or nothing where all do."""
    match predicate:
        case Every(of):
            return _both(searcher, of, of_entries)
        case Some(of):
            return _either(searcher, of, of_entries)
        case Matches(clause):
            return holding(searcher, clause)
        case Named(ids) | Has("id", ids):
            return searcher.chosen(of_entries(ids if isinstance(ids, tuple) else (ids,)))
        case Has(field, value):
            return searcher.with_facts(_facts(searcher, field, value))
        case Lacks(inner):
            met = meeting(searcher, inner, of_entries)
            if met is None:
                return searcher.none()
            return searcher.without(searcher.of_entries(met))


def holding(searcher: Searcher, clause: Clause) -> Any:
    """Return the documents that meet a clause."""
    if not clause.phrases:
        return searcher.none()
    return reduce(or_, map(searcher.holding, clause.phrases))


def names(predicate: Predicate) -> Iterator[str]:
    """Yield the terms and the names of facts that a predicate asks for, as far as they are known.

    >>> [name.replace(chr(0), "|") for name in names(Every((Has("level", "H"), Named(("a",)))))]
    ['|level|h']
    """
    match predicate:
        case Every(of) | Some(of):
            for each in of:
                yield from names(each)
        case Matches(clause):
            yield from terms(clause.phrases)
        case Has(field, value):
            if field != "id":
                yield fact(field, value)
        case Lacks(inner):
            yield from names(inner)


def terms(phrases: Iterable[Phrase]) -> Iterator[str]:
    """Yield the terms of phrases that are whole."""
    for words, begun in phrases:
        yield from words[:-1] if begun else words


def _facts(searcher: Searcher, field: str, value: str) -> list[str]:
    """Return the names of the facts that a value in a field means: a collection holds others."""
    name = fact(field, value)
    return [name, *searcher.facts(name + "/")] if field == "collection" else [name]


def _either(searcher: Searcher, of: Iterable[Predicate], of_entries: Ordinals) -> Any:
    found = searcher.none()
    for each in of:
        met = meeting(searcher, each, of_entries)
        found = found | (searcher.every if met is None else met)
    return found


def _both(searcher: Searcher, of: Iterable[Predicate], of_entries: Ordinals) -> Any | None:
    found: Any | None = None
    for each in of:
        met = meeting(searcher, each, of_entries)
        if met is not None:
            found = met if found is None else found & met
    return found

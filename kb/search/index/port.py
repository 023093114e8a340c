"""The port between asking and the index: what any engine must do for the rooms above.

An index finds documents by terms that `kb.text` has made; it knows neither languages nor
what was typed. What changes it is called within a transaction of the store.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import AbstractContextManager
from typing import Protocol

from kb.model.clauses import (
    Candidate,
    Candidates,
    Clause,
    Document,
    Occurrences,
    Predicate,
    Scoring,
)
from kb.model.results import Progress


class Bulk(Protocol):
    """Indexes much, apart from the transactions that store it."""

    def take(self, documents: Sequence[Document]) -> None:
        """Begin to index documents; those of one entry are taken at once."""

    def finish(self) -> None:
        """Index what was taken and is not yet, as far as nothing hinders it."""


class Index(Protocol):
    """An index over the documents of a store."""

    def candidates(
        self, clauses: Sequence[Clause], predicate: Predicate, scoring: Scoring, limit: int | None
    ) -> Candidates:
        """Rank the documents that meet any clause, and the predicate; the best of each entry.

        The score is Okapi BM25 (k1 = 1.2, b = 0.75) over the terms of all columns, each with
        the factor of ``scoring``; where scores are equal the lower id of the entry comes first.
        A ``limit`` of 0 only counts.
        """

    def documents_of(
        self, entries: Sequence[str], clauses: Sequence[Clause], predicate: Predicate
    ) -> list[Candidate]:
        """Return every document of these entries that meets any clause, and the predicate."""

    def documents_with(self, clause: Clause) -> list[int]:
        """Return the numbers of all documents that meet a clause."""

    def frequencies(self, clauses: Sequence[Clause]) -> list[int]:
        """Return in how many documents each clause is met.

        For a phrase of several terms that is an upper bound: that of its rarest term.
        """

    def term_frequencies(self, terms: Iterable[str]) -> Mapping[str, int]:
        """Return in how many documents each of these terms stands; 0 for one nowhere."""

    def next_terms(self, text: str, most: int) -> list[str]:
        """Return the first terms that do not sort before a text, in order of code points.

        They are at most so many, and at least one but behind the last. Those of documents
        that are gone may be among them: their frequency is 0.
        """

    def terms_like(self, keys: Sequence[str], most: int) -> list[str]:
        """Return terms that have any of these consonant keys (`kb.text.consonants`), about so many.

        Those of documents that are gone may be among them: their frequency is 0.
        """

    def size(self) -> int:
        """Return about how many documents there are."""

    def occurrences(
        self, documents: Sequence[int], terms: Sequence[str]
    ) -> list[Mapping[str, Occurrences]]:
        """Return, for each of these documents, where the given terms stand in it.

        That is by column, those that are there; nothing for a document that is not indexed.
        """

    def lengths(self, documents: Sequence[int]) -> list[int]:
        """Return how many terms each of these documents has; 0 for one that is not indexed.

        They are the terms in order and the other forms of all columns combined.
        """

    def add(self, documents: Iterable[Document]) -> None:
        """Index documents; those of one entry are added at once."""

    def bulk(self) -> AbstractContextManager[Bulk]:
        """Index much that is stored and not yet shown, on another core where there is one.

        It begins transactions of its own. What was taken and not finished may not be indexed.
        """

    def unknown(self, documents: Iterable[int]) -> list[int]:
        """Return those of these documents that were never indexed."""

    def remove(self, documents: Iterable[Document]) -> None:
        """Take documents out; their texts are those that were added."""

    def rename_collection(self, old: str, new: str) -> None:
        """Let the documents of a collection, and of those below it, be found by another name."""

    def tidy(self, progress: Progress) -> None:
        """Bring what was added in parts into the form that is asked fastest.

        It begins transactions of its own, and ends early where others change the same.
        """

    def rebuild(self, documents: Iterable[Document], total: int, progress: Progress) -> int:
        """Index these documents and nothing else; return how many they are."""

    def check(self, documents: Iterable[Document]) -> list[int]:
        """Return the numbers of documents that are not indexed as these texts say."""

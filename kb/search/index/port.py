"""The index interface: what any engine must provide.

An index finds documents by terms from `kb.text`; it knows neither languages nor queries. Methods
that change it are called within a transaction of the store.
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
    """Indexes many documents outside the transactions that store them."""

    def take(self, documents: Sequence[Document]) -> None:
        """Start indexing documents; those of one entry must be passed together."""

    def finish(self) -> None:
        """Index the remaining documents, if possible."""


class Index(Protocol):
    """An index over the documents of a store."""

    def candidates(
        self, clauses: Sequence[Clause], predicate: Predicate, scoring: Scoring, limit: int | None
    ) -> Candidates:
        """Rank the documents that match any clause and the predicate; the best per entry.

        The score is Okapi BM25 (k1 = 1.2, b = 0.75) over all columns, each with its factor from
        ``scoring``; ties are broken by entry id. A ``limit`` of 0 only counts.
        """

    def documents_of(
        self, entries: Sequence[str], clauses: Sequence[Clause], predicate: Predicate
    ) -> list[Candidate]:
        """Return all documents of these entries that match any clause and the predicate."""

    def documents_with(self, clause: Clause) -> list[int]:
        """Return the numbers of all documents that match a clause."""

    def frequencies(self, clauses: Sequence[Clause]) -> list[int]:
        """Return the document frequency of each clause.

        For a phrase of several terms it is an upper bound: that of the rarest term.
        """

    def term_frequencies(self, terms: Iterable[str]) -> Mapping[str, int]:
        """Return the document frequency of each of these terms; 0 if it is missing."""

    def next_terms(self, text: str, most: int) -> list[str]:
        """Return the first terms not before a text, by code point.

        The result has at most this number of terms, and at least one unless there are no more.
        Terms of deleted documents may be included: their frequency is 0.
        """

    def terms_like(self, keys: Sequence[str], most: int) -> list[str]:
        """Return about this many terms with any of these consonant keys (`kb.text.consonants`).

        Terms of deleted documents may be included: their frequency is 0.
        """

    def size(self) -> int:
        """Return the approximate number of documents."""

    def occurrences(
        self, documents: Sequence[int], terms: Sequence[str]
    ) -> list[Mapping[str, Occurrences]]:
        """Return the positions of the given terms in each of these documents.

        They are by column, only for occurring terms; nothing for a document that is not indexed.
        """

    def lengths(self, documents: Sequence[int]) -> list[int]:
        """Return the number of terms in each of these documents; 0 if it is not indexed.

        It counts the terms and inflected forms of all columns.
        """

    def add(self, documents: Iterable[Document]) -> None:
        """Index documents; those of one entry must be passed together."""

    def bulk(self) -> AbstractContextManager[Bulk]:
        """Index many stored but hidden documents, in parallel if possible.

        It starts its own transactions. Documents that were passed but not finished may be
        missing.
        """

    def unknown(self, documents: Iterable[int]) -> list[int]:
        """Return those of these documents that were never indexed."""

    def remove(self, documents: Iterable[Document]) -> None:
        """Remove documents; their texts must be those that were added."""

    def rename_collection(self, old: str, new: str) -> None:
        """Update the collection name of its documents and of those below it."""

    def tidy(self, progress: Progress) -> None:
        """Merge segments into the form that is fastest to search.

        It starts its own transactions, and ends early if others change the same segments.
        """

    def rebuild(self, documents: Iterable[Document], total: int, progress: Progress) -> int:
        """Index exactly these documents; return their number."""

    def check(self, documents: Iterable[Document]) -> list[int]:
        """Return the numbers of documents that are not indexed as these texts say."""

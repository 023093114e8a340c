"""The port between asking and the index: what any engine must do for the rooms above.

An index finds documents by terms that `kb.text` has made; it knows neither languages nor
what was typed. What changes it is called within a transaction of the store.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from kb.records import Progress
from kb.records.clauses import Candidate, Candidates, Clause, Scoring
from kb.records.document import Document
from kb.records.predicates import Predicate
from kb.text.coding import CodedText


class Index(Protocol):
    """An index over the documents of a store."""

    def candidates(
        self, clauses: Sequence[Clause], predicate: Predicate, scoring: Scoring, limit: int | None
    ) -> Candidates:
        """Rank the documents that meet any clause, and the predicate; the best of each entry.

        The score is Okapi BM25 (k1 = 1.2, b = 0.75) over the terms of all columns, each with
        the factor of ``scoring``; where scores are equal the lower document comes first.
        A ``limit`` of 0 only counts.
        """

    def holding(
        self, clauses: Sequence[Clause], predicate: Predicate, limit: int
    ) -> tuple[Candidate, ...]:
        """Return some documents that meet all clauses, one of each entry, in no order of merit."""

    def documents_of(
        self, entries: Sequence[str], clauses: Sequence[Clause], predicate: Predicate
    ) -> list[Candidate]:
        """Return every document of these entries that meets any clause, and the predicate."""

    def frequencies(self, clauses: Sequence[Clause]) -> list[int]:
        """Return in how many documents each clause is met.

        For a phrase of several terms that is an upper bound: that of its rarest term.
        """

    def term_frequencies(self, terms: Iterable[str]) -> Mapping[str, int]:
        """Return in how many documents each of these terms stands; 0 for one nowhere."""

    def next_terms(self, text: str, most: int) -> list[str]:
        """Return the first terms that do not sort before a text, in order of code points.

        They are at most so many, and at least one but behind the last.
        """

    def size(self) -> int:
        """Return about how many documents there are."""

    def positions(self, documents: Sequence[int]) -> list[Mapping[str, CodedText]]:
        """Return the terms of documents in order, by column; nothing of one not indexed."""

    def add(self, documents: Iterable[Document]) -> None:
        """Index documents."""

    def remove(self, documents: Iterable[Document]) -> None:
        """Take documents out; their texts are those that were added."""

    def rebuild(self, documents: Iterable[Document], total: int, progress: Progress) -> int:
        """Index these documents and nothing else; return how many they are."""

    def check(self, documents: Iterable[Document]) -> list[int]:
        """Return the numbers of documents that are not indexed as these texts say."""

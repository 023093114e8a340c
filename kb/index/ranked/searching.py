"""What both evaluators do with one part of an index; a set of documents is their own affair."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple, Protocol

from kb.index.ranked.scoring import Norm, Wanted
from kb.records.clauses import Occurrences, Phrase

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

    def listed(self, some: Documents, limit: int | None = None) -> Sequence[int]:
        """Return the first ordinals of documents, rising."""

    def facts(self, beginning: str) -> Sequence[str]:
        """Return the names of facts that begin so."""

    def with_facts(self, names: Iterable[str]) -> Documents:
        """Return the documents that are listed under any of these names of facts."""

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

        Of equal scores the lower ordinal comes first. ``among`` narrows both.
        """

    def occurrences(
        self, terms: Sequence[str], ordinals: Sequence[int]
    ) -> list[dict[str, Occurrences]]:
        """Return where terms stand in documents, by column."""

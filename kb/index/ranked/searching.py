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

"""The part of the store's port that proves: programs, evidence, and what readers add to entries."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Protocol

from kb.records import Annotation, Evidence, Proven, Snippet


class Snippets(Protocol):
    """Programs by their names."""

    def get(self, names: Iterable[str]) -> dict[str, Snippet]:
        """Return the snippets of these names that are there, as are the entries that have them."""

    def holders(self, names: Iterable[str]) -> dict[str, tuple[str, ...]]:
        """Return the entries that are there and have these snippets."""

    def with_code(self, code: str) -> list[Snippet]:
        """Return the snippets that are there and say the same, but for blanks at the end."""


class Evidences(Protocol):
    """The evidence behind annotations, and what came of running it."""

    def owners(self, names: Iterable[str]) -> dict[str, str]:
        """Return the entry of each of these annotations that is there."""

    def annotated(self) -> list[str]:
        """Return the entries that have annotations, in order."""

    def proven(self) -> Proven:
        """Count the annotations of listed entries that have evidence, and the confirmed ones."""

    def put_status(self, annotation: str, status: str, figures: Mapping[str, float]) -> None:
        """Remember what the last run of an annotation's evidence showed."""

    def renew(self, annotation: str, evidence: Sequence[Evidence]) -> None:
        """Store the digests that a person looked at, and the digest of the entry with them."""


class Additions(Protocol):
    """What a reader added to entries: no file and no renewal touches it."""

    def put_annotation(self, entry: str, annotation: Annotation) -> None:
        """Store a reader's annotation of an entry, or renew it. Raises `Conflict`."""

    def arrange(self, entry: str, names: Iterable[str]) -> None:
        """Let what a reader added to an entry stand in this order."""

    def put_snippet(self, entry: str, snippet: Snippet) -> None:
        """Store a reader's snippet of an entry, or renew it. Raises `Conflict`."""

    def annotation(self, name: str) -> tuple[str, Annotation] | None:
        """Return a reader's annotation with the id of its entry, or nothing."""

    def entries_of(self, name: str) -> list[str]:
        """Return the entries that a reader's annotation or snippet of this name is of."""

    def remove(self, name: str) -> None:
        """Remove a reader's annotation or snippet."""

    def names(self) -> list[str]:
        """Return the ids of all that readers added."""

    def holds(self, entry: str) -> bool:
        """Say whether a reader added anything to an entry."""

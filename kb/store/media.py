"""The part of the store's port that keeps what entries show, and how they were studied."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple, Protocol

from kb.records import Review


class Amount(NamedTuple):
    """How many files there are, and their bytes."""

    files: int
    bytes: int


class MediaFiles(Protocol):
    """The bytes of media by their digests; entries have their names."""

    def put(self, sha256: str, data: bytes) -> None:
        """Keep the bytes of a digest."""

    def get(self, sha256: str) -> bytes | None:
        """Return the bytes of a digest, or nothing."""

    def missing(self, digests: Iterable[str]) -> list[str]:
        """Return those digests of which no bytes are kept."""

    def digests(self) -> list[str]:
        """Return the digests of all that is kept, in order."""

    def amount(self) -> Amount:
        """Return how much is kept."""

    def drop_unused(self) -> None:
        """Remove the bytes that neither an entry, nor a layer, nor the journal names."""


class Reviews(Protocol):
    """How entries were studied; a log that is no part of them, and that no change is told of."""

    def put(self, reviews: Mapping[str, Sequence[Review]]) -> None:
        """Add the reviews of entries, by their ids; what is known stays once."""

    def of(self, entries: Sequence[str]) -> dict[str, tuple[Review, ...]]:
        """Return the reviews of entries, in the order of their times."""

    def entries(self) -> list[str]:
        """Return the entries that are stored and have any, in order."""

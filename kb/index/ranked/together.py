"""Small parts of an index, looked at as one: many commits leave many of them."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import cached_property
from itertools import accumulate, chain
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from kb.index.ranked.snapshot import Part


class Together:
    """Parts of which each begins with the ordinal behind the last of the one before it."""

    def __init__(self, parts: Sequence[Part]) -> None:
        self.parts = tuple(parts)
        self.sign = object()
        """What tells it from every other one."""
        ends = accumulate(part.segment.size for part in parts)
        self._starts = (0, *ends)

    @property
    def size(self) -> int:
        """How many ordinals there are."""
        return self._starts[-1]

    def each(self) -> Iterator[tuple[Part, int]]:
        """Yield the parts, each with its first ordinal."""
        return zip(self.parts, self._starts, strict=False)

    @cached_property
    def absent(self) -> frozenset[int]:
        """The ordinals of documents that are not there."""
        return frozenset(start + each for part, start in self.each() for each in part.absent)

    @cached_property
    def documents(self) -> Sequence[int]:
        """The numbers of the documents, by ordinal."""
        return [*chain.from_iterable(part.documents for part in self.parts)]

    @cached_property
    def lengths(self) -> Sequence[int]:
        """How many terms the documents have, by ordinal."""
        return [*chain.from_iterable(part.lengths for part in self.parts)]

    def entry(self, ordinal: int) -> int:
        """Return a number that documents of one entry share, and no others; rising."""
        return ordinal - bisect_right(self._siblings, ordinal)

    def held(self, documents: Iterable[int]) -> dict[int, int]:
        """Return the ordinals of those of these documents that are there."""
        known = self._by_document
        return {each: known[each] for each in documents if each in known}

    @cached_property
    def _siblings(self) -> Sequence[int]:
        return [start + each for part, start in self.each() for each in part.segment.siblings]

    @cached_property
    def _by_document(self) -> Mapping[int, int]:
        every = enumerate(self.documents)
        return {document: ordinal for ordinal, document in every if ordinal not in self.absent}

"""Posting lists as numpy arrays; see `kb.search.index.codec` for their binary format."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from kb.search.index.building import Pattern, stems_of
from kb.search.index.codec import MOST_SHORT, heads_of

Ordinals = NDArray[np.int32]
Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]
Mask = NDArray[np.bool_]
Numbers = NDArray[np.int64]
Whole = TypeVar("Whole", np.int32, np.int64)


def unpacked_places(data: bytes) -> NDArray[np.unsignedinteger]:
    """Return the positions of a posting list."""
    return np.frombuffer(data, f"<u{data[0]}", offset=1) if data else np.empty(0, np.uint8)


def blocks_with_places(
    documents: bytes, places: bytes, size: int, patterns: Sequence[Pattern], among: Mask
) -> Iterator[tuple[Pattern, Ordinals, NDArray[np.unsignedinteger]]]:
    """Yield each pattern of a list with its documents among some, and their positions."""
    every, start, first = unpacked_places(places), 0, 0
    heads, begin = heads_of(documents)
    whole = _ordinals(documents[begin:], size)
    for number, count in heads:
        pattern, ordinals = patterns[number], whole[first : first + count]
        stems = stems_of(pattern)
        end = start + count * stems
        (kept,) = among[ordinals].nonzero()
        if len(kept):
            yield pattern, ordinals[kept], every[start:end].reshape(count, stems)[kept]
        start, first = end, first + count


def _ordinals(data: bytes, size: int) -> Ordinals:
    return np.frombuffer(data, "<u2" if size <= MOST_SHORT else "<u4").astype(np.int32)


def places_of(mask: Mask) -> Ordinals:
    """Return the ordinals of documents, ascending."""
    return np.flatnonzero(mask).astype(np.int32)


def once(rising: NDArray[Whole]) -> NDArray[Whole]:
    """Return sorted numbers without duplicates."""
    return rising[firsts(rising)]


def firsts(rising: NDArray[Whole]) -> Mask:
    """Return for each of some sorted numbers whether it differs from the one before."""
    found = np.ones(len(rising), np.bool_)
    np.not_equal(rising[1:], rising[:-1], out=found[1:])
    return found


def union(lists: Sequence[bytes], size: int, worth: Doubles) -> tuple[Ordinals, Doubles]:
    """Return the documents of many lists, ascending, and their weighted frequencies.

    ``worth`` is the weight of each pattern. All lists are decoded together, which is faster than
    one by one.
    """
    gathered, patterns, counts = list[bytes](), list[int](), list[int]()
    for data in lists:
        heads, start = heads_of(data)
        gathered.append(data[start:])
        for pattern, count in heads:
            patterns.append(pattern)
            counts.append(count)
    numbers = np.repeat(np.array(patterns, np.intp), counts)
    return summed(_ordinals(b"".join(gathered), size), worth[numbers])


def summed(ordinals: Ordinals, often: Doubles) -> tuple[Ordinals, Doubles]:
    """Return documents, ascending, with their summed frequencies."""
    order = np.argsort(ordinals, kind="stable")
    rising = ordinals[order]
    first = np.flatnonzero(firsts(rising))
    return rising[first], np.add.reduceat(often[order], first) if len(first) else often


def finder(documents: Sequence[int]) -> Callable[[Sequence[int]], dict[int, int]]:
    """Return a function from document numbers to ordinals in a large segment."""
    numbers = np.asarray(documents, np.int64)
    order = np.argsort(numbers)
    rising = numbers[order]

    def find(asked: Sequence[int]) -> dict[int, int]:
        places = np.minimum(np.searchsorted(rising, asked), len(rising) - 1)
        there = np.flatnonzero(rising[places] == asked)
        found = order[places[there]].tolist()
        return {asked[place]: each for place, each in zip(there.tolist(), found, strict=True)}

    return find


class Entries:
    """Entry numbers by document ordinal, ascending; few entries have several documents.

    Documents of one entry are adjacent in a segment.
    """

    def __init__(self, siblings: Sequence[int]) -> None:
        self._siblings = np.asarray(siblings, np.int32)

    def of(self, ordinals: Ordinals) -> Ordinals:
        """Return the entry number of each of these documents."""
        before = np.searchsorted(self._siblings, ordinals, side="right")
        return ordinals - before.astype(np.int32)

    def count(self, held: Mask) -> int:
        """Return the number of entries with any of the documents."""
        if not len(self._siblings):
            return int(np.count_nonzero(held))
        return int(np.count_nonzero(firsts(self.of(places_of(held)))))

    def whole(self, held: Mask) -> Mask:
        """Return all documents of the entries with any of the documents."""
        entries = self.of(np.arange(len(held), dtype=np.int32))
        marked = np.zeros(len(held), np.bool_)
        marked[entries[held]] = True
        found: Mask = marked[entries]
        return found

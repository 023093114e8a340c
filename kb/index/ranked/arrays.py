"""Lists of documents as numpy arrays; see `kb.index.ranked.codec` for how they lie in bytes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from kb.index.ranked.building import Pattern, stems_of
from kb.index.ranked.codec import CHUNK, SHORT, Group, groups_of

Ordinals = NDArray[np.int32]
Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]
Mask = NDArray[np.bool_]
Whole = TypeVar("Whole", np.int32, np.int64)


class Matched(NamedTuple):
    """Documents that hold a phrase equally often: rising, and how often, by weight."""

    ordinals: Ordinals
    often: float


def ordinals_of(data: bytes, group: Group, size: int) -> Ordinals:
    """Return the ordinals of a group."""
    match group.kind:
        case "bits":
            return np.flatnonzero(bits_of(data, group, size)).astype(np.int32)
        case "short":
            return np.frombuffer(data, "<u2", group.length, group.start).astype(np.int32)
        case "long":
            return np.frombuffer(data, "<u4", group.length, group.start).astype(np.int32)
    chunks = -(-size // CHUNK)
    counts = np.frombuffer(data, "<u4", chunks, group.start)
    lows = np.frombuffer(data, "<u2", group.length, group.start + 4 * chunks)
    found: Ordinals = np.repeat(np.arange(chunks, dtype=np.int32) * CHUNK, counts) + lows
    return found


def bits_of(data: bytes, group: Group, size: int) -> Mask:
    """Return for each document of a segment whether a group of bits holds it."""
    packed = np.frombuffer(data, np.uint8, group.end - group.start, group.start)
    return np.unpackbits(packed, count=size, bitorder="little").view(np.bool_)


def mask_of(data: bytes, size: int) -> Mask:
    """Return for each document of a segment whether a list holds it."""
    found = np.zeros(size, np.bool_)
    for group in groups_of(data, size):
        if group.kind == "bits":
            found |= bits_of(data, group, size)
        else:
            found[ordinals_of(data, group, size)] = True
    return found


def matched(data: bytes, size: int, worth: Doubles) -> list[Matched]:
    """Return a list with its frequencies, by what each pattern counts for."""
    return [
        Matched(ordinals_of(data, group, size), float(worth[group.pattern]))
        for group in groups_of(data, size)
    ]


def once(rising: NDArray[Whole]) -> NDArray[Whole]:
    """Return each of some numbers once, which are given in order."""
    return rising[firsts(rising)]


def firsts(rising: NDArray[Whole]) -> Mask:
    """Say of each of some numbers in order whether it is another than the one before it."""
    found = np.ones(len(rising), np.bool_)
    np.not_equal(rising[1:], rising[:-1], out=found[1:])
    return found


def numbering(most: int) -> type[np.unsignedinteger[Any]]:
    """Return the kind of number that tells so many things apart."""
    return np.uint8 if most <= 1 << 8 else np.uint16 if most <= 1 << 16 else np.uint32


def spots_of(
    data: bytes, places: bytes, size: int, patterns: Sequence[Pattern], among: Ordinals
) -> NDArray[np.int64]:
    """Return where a term stands, each a document, a column and a place as one number.

    A place behind another in its column is the next number.
    """
    width = {1: "u1", 2: "<u2", 4: "<u4"}.get(places[0] if places else 1, "u1")
    every = np.frombuffer(places, width, offset=1) if places else np.empty(0, np.uint8)
    start, found = 0, [np.empty(0, np.int64)]
    for group in groups_of(data, size):
        pattern = patterns[group.pattern]
        stems = stems_of(pattern)
        if not stems:
            continue
        ordinals = ordinals_of(data, group, size)
        here = every[start : start + group.length * stems].reshape(group.length, stems)
        start += group.length * stems
        kept = are_in(ordinals, among)
        ordinals, here = ordinals[kept], here[kept]
        columns = np.array(pattern[:stems], np.int64)
        spots = ((ordinals[:, None].astype(np.int64) * 8 + columns) << 32) + here
        found.append(spots.ravel())
    return np.concatenate(found)


def documents_of(spots: NDArray[np.int64]) -> tuple[Ordinals, NDArray[np.int64]]:
    """Return the documents and the columns of places."""
    above = spots >> 32
    return (above >> 3).astype(np.int32), above & 7


def are_in(some: Ordinals, rising: Ordinals) -> Mask:
    """Say of each of some documents whether it is among others, which rise."""
    if not len(rising):
        return np.zeros(len(some), np.bool_)
    places = np.minimum(np.searchsorted(rising, some), len(rising) - 1)
    return np.asarray(rising[places] == some)


# Many posting lists are decoded at once: one by one, short ones cost more than they hold.


Numbers = NDArray[np.intp]


class Decoder:
    """Takes groups of lists of a segment of this ``size``, but none of bits, under numbers."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._ahead = 4 * -(-size // CHUNK)
        self._whole, self._chunked = _Together(), _Together()
        self._counts: list[bytes] = []

    def add(self, number: int, data: bytes, group: Group) -> None:
        """Take a group of a list."""
        if group.kind != "chunks":
            self.add_whole(number, group.length, data[group.start : group.end])
            return
        lows = group.start + self._ahead
        self._counts.append(data[group.start : lows])
        self._chunked.add(number, group.length, data[lows : group.end])

    def add_whole(self, number: int, length: int, data: bytes) -> None:
        """Take a group that is not in chunks."""
        self._whole.add(number, length, data)

    def decoded(self) -> tuple[Ordinals, Numbers]:
        """Return the ordinals of all groups, each group's together, and its number with each."""
        whole = np.frombuffer(self._whole.joined(), "<u2" if self._size <= CHUNK else "<u4")
        above = np.arange(self._ahead // 4, dtype=np.int32) * CHUNK
        counts = np.frombuffer(b"".join(self._counts), "<u4")
        highs = np.repeat(np.tile(above, len(self._counts)), counts)
        lows = np.frombuffer(self._chunked.joined(), "<u2")
        ordinals = np.concatenate((whole.astype(np.int32), highs + lows))
        return ordinals, np.concatenate((self._whole.numbers(), self._chunked.numbers()))


class _Together:
    """Groups of one kind."""

    def __init__(self) -> None:
        self._data: list[bytes] = []
        self._numbers: list[int] = []
        self._lengths: list[int] = []

    def add(self, number: int, length: int, data: bytes) -> None:
        self._numbers.append(number)
        self._lengths.append(length)
        self._data.append(data)

    def joined(self) -> bytes:
        return b"".join(self._data)

    def numbers(self) -> Numbers:
        """Return the number of the group of each ordinal."""
        return np.repeat(np.array(self._numbers, np.intp), self._lengths)


# Posting lists united: terms that begin alike count as one phrase.


_MANY = 1 / 16  # bytes of lists for each document above which a sum for each is made
_SHARES = 1 << 16


def united(rows: Sequence[bytes], size: int, worth: Doubles) -> list[Matched]:
    """Return many lists as one: what stands in several counts for all of them."""
    bits, ordinals, often = _decoded(rows, size, worth)
    if sum(map(len, rows)) <= _MANY * size:
        for data, group in bits:
            ordinals = np.concatenate((ordinals, ordinals_of(data, group, size)))
            often = np.concatenate((often, np.full(group.length, worth[group.pattern])))
        return summed(ordinals, often)
    sums, held = np.zeros(size), np.zeros(size, np.bool_)
    masks = [(bits_of(data, group, size), worth[group.pattern]) for data, group in bits]
    for start in range(0, size, CHUNK):  # what lies near stays in the processor's cache
        part = slice(start, start + CHUNK)
        for mask, counts in masks:
            sums[part] += mask[part] * counts
            held[part] |= mask[part]
    places = ordinals.astype(np.intp)  # what adds fastest by
    np.add.at(sums, places, often)
    held[places] = True
    every = np.flatnonzero(held)
    return grouped(every.astype(np.int32), sums[every])


def summed(ordinals: Ordinals, often: Doubles) -> list[Matched]:
    """Return documents by the sum of how often is told of each."""
    order = np.argsort(ordinals, kind="stable")
    rising = ordinals[order]
    first = np.flatnonzero(firsts(rising))
    return grouped(rising[first], np.add.reduceat(often[order], first) if len(first) else often)


def grouped(ordinals: Ordinals, often: Doubles) -> list[Matched]:
    """Return documents, which rise, by how often is told of each."""
    values = np.sort(np.unique(often))
    if len(values) < 2:
        return [Matched(ordinals, float(value)) for value in values]
    numbers = _numbers(values, often)
    order = np.argsort(numbers, kind="stable")
    ends = np.cumsum(np.bincount(numbers, minlength=len(values)))[:-1]
    parts = np.split(ordinals[order], ends)
    return [Matched(part, float(value)) for part, value in zip(parts, values, strict=True)]


def _numbers(values: Doubles, often: Doubles) -> NDArray[np.unsignedinteger[Any]]:
    """Return the place of each of many numbers among the values that they have, which rise."""
    scale = (_SHARES - 1) / values[-1] if values[0] >= 0 else 0.0
    shares = (values * scale).astype(np.uint16)
    kind = numbering(len(values))
    if len(np.unique(shares)) < len(values):  # some lie too close together for a table
        return np.searchsorted(values, often).astype(kind)
    table = np.zeros(_SHARES, kind)
    table[shares] = np.arange(len(values))
    return table[(often * scale).astype(np.uint16)]


def _decoded(
    rows: Iterable[bytes], size: int, worth: Doubles
) -> tuple[list[tuple[bytes, Group]], Ordinals, Doubles]:
    """Return the groups of many lists: those of bits, and all others as ordinals.

    What each of these counts for comes with it.
    """
    bits, decoder = list[tuple[bytes, Group]](), Decoder(size)
    for data in rows:
        if data[0] == 1 and data[1] < 0x80 and data[2] < SHORT and not data[1] & 1:  # as most
            decoder.add_whole(data[1] >> 1, data[2], data[3:])
            continue
        for group in groups_of(data, size):
            if group.kind == "bits":
                bits.append((data, group))
            else:
                decoder.add(group.pattern, data, group)
    ordinals, patterns = decoder.decoded()
    return bits, ordinals, worth[patterns]


# From a document's number to its ordinal in a large segment.


_SPARSE = 8


class Inverse(Mapping[int, int]):
    """Ordinals by document: a table where the numbers lie close together, else a search."""

    def __init__(self, documents: Sequence[int]) -> None:
        self._documents = np.asarray(documents, np.int64)
        self._first = int(self._documents.min())
        span = int(self._documents.max()) - self._first + 1
        self._table = self._order = np.empty(0, np.int64)
        if span <= _SPARSE * len(documents):
            self._table = np.full(span, -1, np.int32)
            self._table[self._documents - self._first] = np.arange(len(documents))
        else:
            self._order = np.argsort(self._documents)

    def __getitem__(self, document: int) -> int:
        if len(self._table):
            place = document - self._first
            found = int(self._table[place]) if 0 <= place < len(self._table) else -1
        else:
            found = self._search(document)
        if found < 0:
            raise KeyError(document)
        return found

    def __iter__(self) -> Iterator[int]:
        return iter(self._documents.tolist())

    def __len__(self) -> int:
        return len(self._documents)

    def _search(self, document: int) -> int:
        place = int(np.searchsorted(self._documents, document, sorter=self._order))
        if place == len(self._order) or self._documents[self._order[place]] != document:
            return -1
        return int(self._order[place])


# Documents of one entry lie side by side in a large segment.


class Entries:
    """Numbers of entries by ordinals of documents, rising; hardly any entry has several."""

    def __init__(self, siblings: Sequence[int]) -> None:
        self._siblings = np.asarray(siblings, np.int32)

    def of(self, ordinals: Ordinals) -> Ordinals:
        """Return the number of the entry of each of these documents."""
        if not len(self._siblings):
            return ordinals
        before = np.searchsorted(self._siblings, ordinals, side="right")
        return ordinals - before.astype(np.int32)

    def count(self, held: Mask) -> int:
        """Return of how many entries any document is held."""
        if not len(self._siblings):
            return int(np.count_nonzero(held))
        entries = self.of(np.flatnonzero(held).astype(np.int32))
        return int(np.count_nonzero(np.diff(entries, prepend=-1)))

    def whole(self, held: Mask) -> Mask:
        """Return all documents of the entries of which any document is held."""
        if not len(self._siblings):
            return held
        entries = self.of(np.arange(len(held), dtype=np.int32))
        marked = np.zeros(len(held), np.bool_)
        marked[entries[held]] = True
        found: Mask = marked[entries]
        return found

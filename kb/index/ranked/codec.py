"""Lists of documents as bytes: the same for both evaluators, and for merging.

A list is a sequence of groups: the ordinals of a segment's documents that hold a term in the
same pattern. A pattern says how often the term stands in each column, so it is kept once for
a group. Its ordinals are ascending: as bits where more than one in 16 documents is among them,
else as their lower 16 bits, behind how many lie in each chunk of 65,536.

The layout of lists in chunks follows Chambi, Lemire, Kaser and Godin, "Better bitmap
performance with Roaring bitmaps", Software: Practice and Experience 46 (2016).
"""

from __future__ import annotations

import sys
from array import array
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

CHUNK = 1 << 16
"""The documents of a chunk."""

SHORT = 64
"""Groups of fewer documents have whole ordinals, unless they are bits."""

_DENSE = 16
_WIDTHS = {1: "B", 2: "H", 4: "I"}


class Group(NamedTuple):
    """Where the ordinals of a pattern lie in the bytes of a list."""

    pattern: int
    length: int
    kind: str
    """``bits``, ``short`` (16 bits each), ``long`` (32 bits each) or ``chunks``."""
    start: int
    end: int


def packed(groups: Iterable[tuple[int, Sequence[int]]], size: int) -> bytes:
    """Return the bytes of a list, given as patterns with ascending ordinals below ``size``.

    >>> unpacked(packed([(3, [0, 7]), (5, [2])], 10), 10)
    [(3, [0, 7]), (5, [2])]
    """
    head, body = bytearray(), bytearray()
    some = list(groups)
    _put_number(head, len(some))
    for pattern, ordinals in some:
        kind = _kind(len(ordinals), size)
        _put_number(head, pattern * 2 + (kind == "bits"))
        _put_number(head, len(ordinals))
        body += _ENCODERS[kind](ordinals, size)
    return bytes(head + body)


def packed_group(pattern: int, ordinals: Sequence[int], size: int) -> bytes:
    """Return the bytes of a list of one pattern, as most are.

    >>> packed_group(3, [7], 10) == packed([(3, [7])], 10)
    True
    """
    if len(ordinals) == 1 and pattern < 1 << 6:
        width = 2 if size <= CHUNK else 4
        return bytes((1, pattern * 2, 1)) + ordinals[0].to_bytes(width, "little")
    return packed([(pattern, ordinals)], size)


def unpacked(data: bytes, size: int) -> list[tuple[int, list[int]]]:
    """Return the patterns of a list with their ordinals."""
    if one := unpacked_one(data, size):
        return [(one[0], [one[1]])]
    heads, place = _heads(data)
    if size <= CHUNK and not any(pattern & 1 for pattern, _ in heads):
        every = iter(_read(data[place:], "H"))
        return [(pattern >> 1, list(islice(every, count))) for pattern, count in heads]
    return [(group.pattern, ordinals_of(data, group, size)) for group in groups_of(data, size)]


def unpacked_one(data: bytes, size: int) -> tuple[int, int] | None:
    """Return the pattern and the ordinal of a short list that holds one, as most do.

    >>> unpacked_one(packed([(3, [7])], 10), 10), unpacked_one(packed([(3, [7, 8])], 10), 10)
    ((3, 7), None)
    """
    if len(data) == 5 and size <= CHUNK:
        return data[1] >> 1, data[3] | data[4] << 8
    return None


def groups_of(data: bytes, size: int) -> Iterator[Group]:
    """Yield where the groups of a list lie."""
    heads, place = _heads(data)
    chunked = size > CHUNK
    for pattern, count in heads:
        if pattern & 1:
            kind, end = "bits", place + -(-size // 8)
        elif not chunked:
            kind, end = "short", place + 2 * count
        elif count < SHORT:
            kind, end = "long", place + 4 * count
        else:
            kind, end = "chunks", place + 4 * -(-size // CHUNK) + 2 * count
        yield Group(pattern >> 1, count, kind, place, end)
        place = end


def ordinals_of(data: bytes, group: Group, size: int) -> list[int]:
    """Return the ordinals of a group."""
    raw = data[group.start : group.end]
    if group.kind == "bits":
        bits = int.from_bytes(raw, "little")
        return [place for place in range(size) if bits >> place & 1]
    if group.kind == "chunks":
        chunks = -(-size // CHUNK)
        counts = _read(raw[: 4 * chunks], "I")
        lows = iter(_read(raw[4 * chunks :], "H"))
        return [
            chunk * CHUNK + next(lows) for chunk, count in enumerate(counts) for _ in range(count)
        ]
    return list(_read(raw, "H" if group.kind == "short" else "I"))


def packed_places(places: Sequence[int]) -> bytes:
    """Return places as bytes: the width of each, and then all of them."""
    if not places:
        return b""
    if len(places) == 1 and places[0] < 1 << 8:
        return bytes((1, places[0]))
    most = max(places)
    width = 1 if most < 1 << 8 else 2 if most < 1 << 16 else 4
    return bytes((width,)) + _written(_WIDTHS[width], places)


def unpacked_places(data: bytes) -> Sequence[int]:
    """Return the places of such bytes."""
    return _read(data[1:], _WIDTHS[data[0]]) if data else ()


def packed_numbers(numbers: Sequence[int]) -> bytes:
    """Return numbers as 32 bits each."""
    return _written("I", numbers)


def unpacked_numbers(data: bytes) -> Sequence[int]:
    """Return the numbers of such bytes."""
    return _read(data, "I")


def _heads(data: bytes) -> tuple[list[tuple[int, int]], int]:
    """Return the head of each group, its pattern doubled and its length, and where they end."""
    number, place = _number(data, 0)
    heads = []
    for _ in range(number):
        pattern, count = data[place], data[place + 1]
        if pattern > 0x7F or count > 0x7F:
            pattern, place = _number(data, place)
            count, place = _number(data, place)
        else:
            place += 2
        heads.append((pattern, count))
    return heads, place


def _kind(count: int, size: int, *, bits: bool = True) -> str:
    if bits and count * _DENSE > size and count > _DENSE:
        return "bits"
    if size <= CHUNK:
        return "short"
    return "long" if count < SHORT else "chunks"


def _bits(ordinals: Sequence[int], size: int) -> bytes:
    data = bytearray(-(-size // 8))
    for ordinal in ordinals:
        data[ordinal >> 3] |= 1 << (ordinal & 7)
    return bytes(data)


def _chunks(ordinals: Sequence[int], size: int) -> bytes:
    counts = [0] * -(-size // CHUNK)
    for ordinal in ordinals:
        counts[ordinal // CHUNK] += 1
    lows = [ordinal % CHUNK for ordinal in ordinals]
    return _written("I", counts) + _written("H", lows)


_ENCODERS = {
    "bits": _bits,
    "short": lambda ordinals, size: _written("H", ordinals),
    "long": lambda ordinals, size: _written("I", ordinals),
    "chunks": _chunks,
}


def _written(kind: str, numbers: Sequence[int]) -> bytes:
    made = array(kind, numbers)
    if sys.byteorder == "big":
        made.byteswap()
    return made.tobytes()


def _read(data: bytes, kind: str) -> array[int]:
    made = array(kind, data)
    if sys.byteorder == "big":
        made.byteswap()
    return made


def _put_number(data: bytearray, number: int) -> None:
    """Add a number, 7 bits to a byte, the lowest first."""
    while number > 0x7F:
        data.append(number & 0x7F | 0x80)
        number >>= 7
    data.append(number)


def _number(data: bytes, place: int) -> tuple[int, int]:
    """Return the number at a place, and the place behind it."""
    number = shift = 0
    while (byte := data[place]) > 0x7F:
        number |= (byte & 0x7F) << shift
        place, shift = place + 1, shift + 7
    return number | byte << shift, place + 1

"""The binary format of posting lists, for both evaluators and for merging.

A posting list is a sequence of blocks: the ordinals of documents that contain a term in the same
pattern. A pattern says how often the term occurs in each column, so it is stored once per block.
Its ordinals are ascending and take 16 bits each, or 32 in a segment of more than 65,536 documents.
"""

from __future__ import annotations

import json
import sys
from array import array
from collections.abc import Iterable, Iterator, Sequence

MOST_SHORT = 1 << 16
"""The documents of a segment up to which an ordinal takes 16 bits."""

_WIDTHS = {1: "B", 2: "H", 4: "I"}


def packed(blocks: Iterable[tuple[int, Sequence[int]]], size: int) -> bytes:
    """Return the bytes of a list from patterns with ascending ordinals below ``size``.

    >>> [(number, *some) for number, some in unpacked(packed([(3, [0, 7]), (5, [2])], 10), 10)]
    [(3, 0, 7), (5, 2)]
    """
    head, body = bytearray(), bytearray()
    some = list(blocks)
    _put_number(head, len(some))
    for pattern, ordinals in some:
        _put_number(head, pattern)
        _put_number(head, len(ordinals))
        body += _written(_whole(size), ordinals)
    return bytes(head + body)


def unpacked(data: bytes, size: int) -> Iterator[tuple[int, Sequence[int]]]:
    """Yield the patterns of a list with their ordinals."""
    heads, start = heads_of(data)
    every, first = _read(data[start:], _whole(size)), 0
    for pattern, count in heads:
        yield pattern, every[first : first + count]
        first += count


def heads_of(data: bytes) -> tuple[Sequence[tuple[int, int]], int]:
    """Return the patterns of a list with their document counts, and where its ordinals begin."""
    if data[0] == 1 and data[1] <= 0x7F and data[2] <= 0x7F:  # as most
        return ((data[1], data[2]),), 3
    number, place = _number(data, 0)
    heads = []
    for _ in range(number):
        pattern, place = _number(data, place)
        count, place = _number(data, place)
        heads.append((pattern, count))
    return heads, place


def packed_numbers(numbers: Sequence[int]) -> bytes:
    """Return numbers as bytes: the width of each, then all of them."""
    if not numbers:
        return b""
    most = max(numbers)
    width = 1 if most < 1 << 8 else 2 if most < 1 << 16 else 4
    return bytes((width,)) + _written(_WIDTHS[width], numbers)


def unpacked_numbers(data: bytes) -> Sequence[int]:
    """Return the numbers in such bytes."""
    return _read(data[1:], _WIDTHS[data[0]]) if data else ()


def _whole(size: int) -> str:
    return "H" if size <= MOST_SHORT else "I"


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
    """Append a number with 7 bits per byte, lowest first."""
    while number > 0x7F:
        data.append(number & 0x7F | 0x80)
        number >>= 7
    data.append(number)


def _number(data: bytes, place: int) -> tuple[int, int]:
    """Return the number at an offset, and the next offset."""
    number = shift = 0
    while (byte := data[place]) > 0x7F:
        number |= (byte & 0x7F) << shift
        place, shift = place + 1, shift + 7
    return number | byte << shift, place + 1


def packed_patterns(patterns: Iterable[tuple[int, ...]]) -> str:
    """Return the stored form of a segment's patterns.

    >>> unpacked_patterns(packed_patterns([(), (0, 5), (2,)]))
    [(), (0, 5), (2,)]
    """
    return json.dumps(list(patterns), separators=(",", ":"))


def unpacked_patterns(stored: str) -> list[tuple[int, ...]]:
    """Return the patterns of a segment from their stored form."""
    return list(map(tuple, json.loads(stored)))

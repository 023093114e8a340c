"""The binary format of posting lists, for both evaluators and for merging.

A posting list is a sequence of blocks: the ordinals of documents that contain a term in the same
pattern. A pattern says how often the term occurs in each column, so it is stored once per block.
Its ordinals are ascending: a bitmap if the block has more than one in 16 documents, otherwise 16
bits each, or 32 in a segment of more than 65,536 documents.
"""

from __future__ import annotations

import json
import sys
from array import array
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

MOST_SHORT = 1 << 16
"""The documents of a segment up to which an ordinal takes 16 bits."""

_DENSE = 16
_WIDTHS = {1: "B", 2: "H", 4: "I"}


class Block(NamedTuple):
    """The place of a pattern's ordinals in the bytes of a list, and whether they are a bitmap."""

    pattern: int
    length: int
    is_bitmap: bool
    start: int
    end: int


def packed(blocks: Iterable[tuple[int, Sequence[int]]], size: int) -> bytes:
    """Return the bytes of a list from patterns with ascending ordinals below ``size``.

    >>> unpacked(packed([(3, [0, 7]), (5, [2])], 10), 10)
    [(3, [0, 7]), (5, [2])]
    """
    head, body = bytearray(), bytearray()
    some = list(blocks)
    _put_number(head, len(some))
    for pattern, ordinals in some:
        bits = len(ordinals) * _DENSE > size and len(ordinals) > _DENSE
        _put_number(head, pattern * 2 + bits)
        _put_number(head, len(ordinals))
        body += _bitmap(ordinals, size) if bits else _written(_whole(size), ordinals)
    return bytes(head + body)


def unpacked(data: bytes, size: int) -> list[tuple[int, list[int]]]:
    """Return the patterns of a list with their ordinals."""
    return [(block.pattern, ordinals_of(data, block, size)) for block in blocks_of(data, size)]


def blocks_of(data: bytes, size: int) -> Iterator[Block]:
    """Yield the places of the blocks of a list."""
    number, place = _number(data, 0)
    heads, width = [], 2 if size <= MOST_SHORT else 4
    for _ in range(number):
        pattern, count = data[place], data[place + 1]
        if pattern > 0x7F or count > 0x7F:
            pattern, place = _number(data, place)
            count, place = _number(data, place)
        else:  # as most
            place += 2
        heads.append((pattern, count))
    for pattern, count in heads:
        end = place + (-(-size // 8) if pattern & 1 else width * count)
        yield Block(pattern >> 1, count, bool(pattern & 1), place, end)
        place = end


def ordinals_of(data: bytes, block: Block, size: int) -> list[int]:
    """Return the ordinals of a block."""
    raw = data[block.start : block.end]
    if block.is_bitmap:
        bits = int.from_bytes(raw, "little")
        return [place for place in range(size) if bits >> place & 1]
    return list(_read(raw, _whole(size)))


def packed_places(places: Sequence[int]) -> bytes:
    """Return positions as bytes: the width of each, then all of them."""
    if not places:
        return b""
    most = max(places)
    width = 1 if most < 1 << 8 else 2 if most < 1 << 16 else 4
    return bytes((width,)) + _written(_WIDTHS[width], places)


def unpacked_places(data: bytes) -> Sequence[int]:
    """Return the positions in such bytes."""
    return _read(data[1:], _WIDTHS[data[0]]) if data else ()


def packed_numbers(numbers: Sequence[int]) -> bytes:
    """Return numbers as 32 bits each."""
    return _written("I", numbers)


def unpacked_numbers(data: bytes) -> Sequence[int]:
    """Return the numbers in such bytes."""
    return _read(data, "I")


def _whole(size: int) -> str:
    return "H" if size <= MOST_SHORT else "I"


def _bitmap(ordinals: Sequence[int], size: int) -> bytes:
    data = bytearray(-(-size // 8))
    for ordinal in ordinals:
        data[ordinal >> 3] |= 1 << (ordinal & 7)
    return bytes(data)


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

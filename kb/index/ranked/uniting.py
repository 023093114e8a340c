"""Many lists as one: what begins alike counts as one phrase."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from kb.index.ranked.arrays import (
    Doubles,
    Matched,
    Ordinals,
    bits_of,
    firsts,
    numbering,
    ordinals_of,
)
from kb.index.ranked.codec import CHUNK, SHORT, Group, groups_of
from kb.index.ranked.decoding import Decoder

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

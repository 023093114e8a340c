"""Lists of documents as numpy arrays; see `kb.index.ranked.codec` for how they lie in bytes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple, TypeVar

import numpy as np
from numpy.typing import NDArray

from kb.index.ranked.building import Pattern, stems_of
from kb.index.ranked.codec import CHUNK, Group, groups_of

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

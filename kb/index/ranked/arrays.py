"""Lists of documents as numpy arrays; see `kb.index.ranked.codec` for how they lie in bytes."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kb.index.ranked.building import Pattern
from kb.index.ranked.codec import CHUNK, Group, groups_of
from kb.index.ranked.regrouping import stems_of
from kb.index.ranked.scoring import weighted

Ordinals = NDArray[np.int32]
Floats = NDArray[np.float32]
Doubles = NDArray[np.float64]
Mask = NDArray[np.bool_]

_SMALL = 64  # below it a count and a pattern take a byte each


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


def matched(
    data: bytes, size: int, patterns: Sequence[Pattern], weights: Mapping[str, float]
) -> list[Matched]:
    """Return a list with its frequencies by weight."""
    return [
        Matched(ordinals_of(data, group, size), weighted(patterns[group.pattern], weights))
        for group in groups_of(data, size)
    ]


def united(
    rows: Iterable[bytes], size: int, patterns: Sequence[Pattern], weights: Mapping[str, float]
) -> list[Matched]:
    """Return many lists as one: what stands in several counts for all of them."""
    table = np.array([weighted(pattern, weights) for pattern in patterns])
    ordinals, often = [], []
    for found, numbers in _decoded(rows, size):
        ordinals.append(found)
        often.append(table[numbers])
    if not ordinals:
        return []
    return summed(np.concatenate(ordinals), np.concatenate(often))


def summed(ordinals: Ordinals, often: Doubles) -> list[Matched]:
    """Return documents by the sum of how often is told of each."""
    order = np.argsort(ordinals, kind="stable")
    rising = ordinals[order]
    first = np.flatnonzero(np.concatenate(([True], rising[1:] != rising[:-1])))
    once, sums = rising[first], np.add.reduceat(often[order], first)
    return [Matched(once[sums == each], float(each)) for each in np.unique(sums)]


def _decoded(rows: Iterable[bytes], size: int) -> Iterator[tuple[Ordinals, NDArray[np.int64]]]:
    """Yield ordinals with the numbers of their patterns; most lists are short and of one."""
    short, heads = [], []
    for data in rows:
        if data[0] == 1 and data[1] < _SMALL * 2 and not data[1] & 1 and data[2] < _SMALL:
            short.append(data[3:])
            heads.append(data[1:3])
            continue
        for group in groups_of(data, size):
            ordinals = ordinals_of(data, group, size)
            yield ordinals, np.full(len(ordinals), group.pattern)
    if short:
        kind = "<u2" if size <= CHUNK else "<u4"
        told = np.frombuffer(b"".join(heads), np.uint8).reshape(-1, 2)
        numbers = np.repeat(told[:, 0].astype(np.int64) >> 1, told[:, 1])
        yield np.frombuffer(b"".join(short), kind).astype(np.int32), numbers


def spots_of(
    data: bytes, places: bytes, size: int, patterns: Sequence[Pattern], among: Ordinals
) -> NDArray[np.int64]:
    """Return where a term stands, in the order of documents, columns and places as one number.

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
    return np.sort(np.concatenate(found))


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

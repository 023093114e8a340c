"""Lists of documents as they are scored: of what is rare in order, of what is common in all."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from kb.index.ranked.arrays import Doubles, Floats, Mask, Matched, Ordinals, are_in, numbering
from kb.index.ranked.evaluation import Norm
from kb.records.clauses import K1, B

COMMON = 0.05
"""The share of documents above which what holds a phrase is common."""

Lengths = NDArray[np.unsignedinteger]


class Norms(NamedTuple):
    """What the length of each document adds below the fraction: in short, and exactly."""

    norm: Norm
    lengths: Lengths
    short: Floats

    def exact(self, ordinals: Ordinals) -> Doubles:
        """Return what the lengths of these documents add."""
        return exact_norms(self.lengths[ordinals], self.norm)


def exact_norms(lengths: Lengths, norm: Norm) -> Doubles:
    """Return what these lengths add below the fraction."""
    found: Doubles = K1 * (1 - B + B * lengths.astype(np.float64) / norm.average)
    return found


class List(Protocol):
    """The documents of a segment that hold a phrase, and how often each does, by weight."""

    @property
    def count(self) -> int:
        """How many documents hold it."""

    @property
    def bytes(self) -> int:
        """How many bytes it takes."""

    def mark(self, held: Mask) -> None:
        """Say of the documents that hold it that they do."""

    def holds(self, wanted: Ordinals) -> Mask:
        """Say of each of these documents whether it holds it."""

    def at(self, wanted: Ordinals) -> Doubles:
        """Return how often each of these documents holds it; 0 where it does not."""

    def add(self, sums: Floats, norms: Norms, idf: float) -> None:
        """Add to each document what it counts for there."""

    def most(self, norms: Norms) -> float:
        """Return the most that it counts for in any document, but for how much it tells."""


class Rare:
    """Few documents, rising, each with the number of how often it holds the phrase."""

    def __init__(self, groups: Sequence[Matched]) -> None:
        every = np.concatenate([np.empty(0, np.int32), *(group.ordinals for group in groups)])
        kind = numbering(len(groups))
        counts = [len(group.ordinals) for group in groups]
        numbers = np.repeat(np.arange(len(groups), dtype=kind), counts)
        order = np.argsort(every, kind="stable")
        self.ordinals: Ordinals = every[order]
        self._numbers: NDArray[np.unsignedinteger] = numbers[order]
        self._told = np.array([group.often for group in groups])
        self._impacts: tuple[Norm, Floats] | None = None

    @property
    def count(self) -> int:
        """How many documents hold it."""
        return len(self.ordinals)

    @property
    def counts(self) -> bool:
        """Whether it counts for something in each of its documents."""
        return bool((self._told > 0).all())

    @property
    def bytes(self) -> int:
        """How many bytes it takes."""
        return self.ordinals.nbytes * 2 + self._numbers.nbytes + self._told.nbytes + 500

    def mark(self, held: Mask) -> None:
        """Say of the documents that hold it that they do."""
        held[self.ordinals] = True

    def at(self, wanted: Ordinals) -> Doubles:
        """Return how often each of these documents holds it; 0 where it does not."""
        found = np.zeros(len(wanted))
        if len(self.ordinals):
            places = np.searchsorted(self.ordinals, wanted)
            np.minimum(places, len(self.ordinals) - 1, out=places)
            here = self.ordinals[places] == wanted
            found[here] = self._told[self._numbers[places[here]]]
        return found

    def holds(self, wanted: Ordinals) -> Mask:
        """Say of each of these documents whether it holds it."""
        return are_in(wanted, self.ordinals)

    def add(self, sums: Floats, norms: Norms, idf: float) -> None:
        """Add to each document what it counts for there."""
        np.add.at(sums, self.ordinals, self.impacts(norms) * np.float32(idf))

    def most(self, norms: Norms) -> float:
        """Return the most that it counts for in any document, but for how much it tells."""
        return float(self.impacts(norms).max(initial=0.0))

    def impacts(self, norms: Norms) -> Floats:
        """Return what it counts for in each of its documents, but for how much it tells."""
        if self._impacts is None or self._impacts[0] != norms.norm:
            often = self._told.astype(np.float32)[self._numbers]
            below = norms.short[self.ordinals]
            below += often
            often *= np.float32(K1 + 1)
            often /= below
            self._impacts = norms.norm, often
        return self._impacts[1]


class Common:
    """A number for every document, and how often that says."""

    def __init__(self, groups: Sequence[Matched], lengths: Lengths) -> None:
        kind, size = numbering(len(groups) + 1), len(lengths)
        self._numbers: NDArray[np.unsignedinteger] = np.zeros(size, kind)
        for number, group in enumerate(groups, 1):
            self._numbers[group.ordinals] = number
        self.bits = np.packbits(self._numbers != 0)
        """Whether each document holds it, a bit each."""
        self._often = np.array([0.0, *(group.often for group in groups)], np.float32)
        self._told = np.array([0.0, *(group.often for group in groups)])
        self.count = sum(len(group.ordinals) for group in groups)
        """How many documents hold it."""
        least = [lengths[group.ordinals].min() for group in groups]
        self._least = np.array(least, lengths.dtype)  # the shortest of each group scores highest

    @property
    def bytes(self) -> int:
        """How many bytes it takes."""
        return self._numbers.nbytes + self.bits.nbytes + 500

    def mark(self, held: Mask) -> None:
        """Say of the documents that hold it that they do."""
        held |= np.unpackbits(self.bits, count=len(held)).view(np.bool_)

    def holds(self, wanted: Ordinals) -> Mask:
        """Say of each of these documents whether it holds it."""
        found: Mask = self._numbers[wanted] != 0
        return found

    def at(self, wanted: Ordinals) -> Doubles:
        """Return how often each of these documents holds it; 0 where it does not."""
        found: Doubles = self._told[self._numbers[wanted]]
        return found

    def add(self, sums: Floats, norms: Norms, idf: float) -> None:
        """Add to each document what it counts for there."""
        sums += self._impacts(norms) * np.float32(idf)

    def most(self, norms: Norms) -> float:
        """Return the most that it counts for in any document, but for how much it tells."""
        often = self._told[1:]
        below = often + exact_norms(self._least, norms.norm)
        return float((often * (K1 + 1) / below).max(initial=0.0))

    def _impacts(self, norms: Norms) -> Floats:
        often = self._often[self._numbers]
        impacts: Floats = often * np.float32(K1 + 1) / (often + norms.short)
        return impacts


def listed(groups: Sequence[Matched], lengths: Lengths) -> List:
    """Return documents that hold a phrase, to be scored, of a segment of these lengths."""
    if sum(len(group.ordinals) for group in groups) > COMMON * len(lengths):
        return Common(groups, lengths)
    return Rare(groups)

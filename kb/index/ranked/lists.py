"""Lists of documents as they are scored: of what is rare in order, of what is common in all."""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple, Protocol

import numpy as np
from numpy.typing import NDArray

from kb.index.ranked.arrays import Doubles, Floats, Mask, Matched, Ordinals, are_in
from kb.index.ranked.scoring import Norm
from kb.records.clauses import K1

COMMON = 0.05
"""The share of documents above which what holds a phrase is common."""


class Norms(NamedTuple):
    """What the length of each document adds below the fraction, exactly and in short."""

    norm: Norm
    exact: Doubles
    short: Floats


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
    """Few documents, in groups of those that hold it equally often."""

    def __init__(self, groups: Sequence[Matched]) -> None:
        parts = [group.ordinals for group in groups] or [np.empty(0, np.int32)]
        self.ordinals: Ordinals = np.concatenate(parts)
        self._groups = groups
        self._impacts: tuple[Norm, Floats] | None = None

    @property
    def count(self) -> int:
        """How many documents hold it."""
        return len(self.ordinals)

    @property
    def bytes(self) -> int:
        """How many bytes it takes."""
        return 20 * len(self.ordinals) + 500

    def mark(self, held: Mask) -> None:
        """Say of the documents that hold it that they do."""
        held[self.ordinals] = True

    def at(self, wanted: Ordinals) -> Doubles:
        """Return how often each of these documents holds it; 0 where it does not."""
        found = np.zeros(len(wanted))
        rising, often = self._rising
        if len(rising):
            places = np.minimum(np.searchsorted(rising, wanted), len(rising) - 1)
            here = rising[places] == wanted
            found[here] = often[places[here]]
        return found

    def holds(self, wanted: Ordinals) -> Mask:
        """Say of each of these documents whether it holds it."""
        return are_in(wanted, self._rising[0])

    def add(self, sums: Floats, norms: Norms, idf: float) -> None:
        """Add to each document what it counts for there."""
        np.add.at(sums, self.ordinals, self.impacts(norms) * np.float32(idf))

    @cached_property
    def _rising(self) -> tuple[Ordinals, Doubles]:
        order = np.argsort(self.ordinals, kind="stable")
        told = [group.often for group in self._groups]
        often = np.repeat(np.array(told), [len(group.ordinals) for group in self._groups])
        return self.ordinals[order], often[order]

    def most(self, norms: Norms) -> float:
        """Return the most that it counts for in any document, but for how much it tells."""
        return float(self.impacts(norms).max(initial=0.0))

    def impacts(self, norms: Norms) -> Floats:
        """Return what it counts for in each of its documents, but for how much it tells."""
        if self._impacts is None or self._impacts[0] != norms.norm:
            made = norms.short[self.ordinals]
            start = 0
            for ordinals, often in self._groups:
                part = made[start : start + len(ordinals)]
                np.divide(np.float32(often * (K1 + 1)), part + np.float32(often), out=part)
                start += len(ordinals)
            self._impacts = norms.norm, made
        return self._impacts[1]


class Common:
    """A number for every document, and how often that says."""

    def __init__(self, groups: Sequence[Matched], size: int) -> None:
        kind = np.uint8 if len(groups) < 1 << 8 else np.uint32
        self._numbers: NDArray[np.unsignedinteger] = np.zeros(size, kind)
        for number, group in enumerate(groups, 1):
            self._numbers[group.ordinals] = number
        self._often = np.array([0.0, *(group.often for group in groups)], np.float32)
        self._told = np.array([0.0, *(group.often for group in groups)])
        self.count = sum(len(group.ordinals) for group in groups)
        """How many documents hold it."""
        self._most: tuple[Norm, float] | None = None

    @property
    def bytes(self) -> int:
        """How many bytes it takes."""
        return self._numbers.nbytes

    def mark(self, held: Mask) -> None:
        """Say of the documents that hold it that they do."""
        held |= self._numbers != 0

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
        if self._most is None or self._most[0] != norms.norm:
            self._most = norms.norm, float(self._impacts(norms).max())
        return self._most[1]

    def _impacts(self, norms: Norms) -> Floats:
        often = self._often[self._numbers]
        impacts: Floats = often * np.float32(K1 + 1) / (often + norms.short)
        return impacts


def listed(groups: Sequence[Matched], size: int) -> List:
    """Return the documents of a segment of this size that hold a phrase, to be scored."""
    if sum(len(group.ordinals) for group in groups) > COMMON * size:
        return Common(groups, size)
    return Rare(groups)

"""The best documents of a segment, exactly, without scoring all that hold a common word.

The rarer phrases are summed document by document (term at a time: Turtle and Flood, "Query
evaluation: strategies and optimizations", Information Processing & Management 31, 1995). What
the commoner ones can add at most decides which of those sums are completed at all, as MaxScore
does there; the threshold is the score of the last wanted entry among the best of the sums.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np

from kb.index.ranked.arrays import Doubles, Floats, Mask, Ordinals
from kb.index.ranked.lists import List, Norms, Rare
from kb.index.ranked.searching import Damped, Found
from kb.records.clauses import K1

_FEW = 4_096
"""So few documents are scored one by one, whatever holds them."""

_PROBED = 256
"""So many of the best sums are completed to know what is to be reached."""

_SLACK = 1 - 1e-5
"""What a sum in single precision may lack beside the exact one."""


class Scored(NamedTuple):
    """What holds a phrase, and how much that tells."""

    list: List
    idf: float


class Scorer:
    """Scores the documents of one segment.

    ``entries`` rises and is the same for documents of one entry; ``among`` narrows, where it
    is given.
    """

    def __init__(
        self,
        lists: Sequence[Scored],
        norms: Norms,
        among: Mask | None,
        damped: Sequence[Damped],
        entries: Ordinals,
    ) -> None:
        self._lists = lists
        self._norms = norms
        self._among = among
        self._damped = damped
        self._entries = entries
        self._rare = [(each.list, each.idf) for each in lists if isinstance(each.list, Rare)]
        self._common = [each for each in lists if not isinstance(each.list, Rare)]

    def total(self) -> int:
        """Return how many entries hold any phrase."""
        held = self._held
        if self._entries[-1] + 1 == len(self._entries):
            return int(np.count_nonzero(held))
        starts = np.flatnonzero(np.diff(self._entries, prepend=-1))
        return int(np.count_nonzero(np.logical_or.reduceat(held, starts)))

    def best(self, limit: int | None) -> list[Found]:
        """Return the best document of the best entries, best first."""
        if limit is None:
            return self._first(self._complete(_places(self._held)), None)
        if self._among is not None and np.count_nonzero(self._among) <= _FEW:
            return self._first(self._complete(_places(self._among)), limit)
        if self._rare:
            found = self._pruned(limit)
            if found is not None:
                return found
        return self._first(self._complete(self._all_sums(limit)), limit)

    def _pruned(self, limit: int) -> list[Found] | None:
        """Return the best where the rarer phrases decide, or nothing where they do not."""
        touched = np.concatenate([rare.ordinals for rare, _ in self._rare])
        every = self._sums([Scored(*each) for each in self._rare])
        sums = every[touched]
        if self._among is not None:
            kept = self._among[touched]
            touched, sums = touched[kept], sums[kept]
        most = _PROBED + 2 * limit
        # A document stands among those touched once for each list that holds it.
        probed = _once(_highest(touched, sums, most * len(self._rare)))
        probed = _highest(probed, every[probed], most)
        best = self._first(self._complete(probed), limit)
        least = best[-1].score if len(best) == limit else 0.0
        bound = least - sum(each.idf * each.list.most(self._norms) for each in self._common)
        if bound <= 0 and self._common:
            return None
        rest = _once(touched[sums >= bound * _SLACK])
        return self._first(self._complete(rest), limit)

    def _all_sums(self, limit: int) -> Ordinals:
        """Return the documents that may be among the best, by the sums of all phrases."""
        held = _places(self._held)
        sums = self._sums(self._lists)[held]
        most = _PROBED + 4 * limit
        while len(sums) > most:
            least = np.partition(sums, len(sums) - most)[-most]
            kept: Ordinals = held[sums >= least * _SLACK]
            if len(np.unique(self._entries[kept])) >= limit:
                return kept
            most *= 4
        return held

    def _sums(self, lists: Sequence[Scored]) -> Floats:
        sums = np.zeros(len(self._norms.exact), np.float32)
        for each, idf in lists:
            each.add(sums, self._norms, idf)
        for documents, factor in self._damped:
            sums[documents] *= np.float32(factor)
        return sums

    @cached_property
    def _held(self) -> Mask:
        """The documents that hold any phrase, of those that are wanted."""
        held = np.zeros(len(self._norms.exact), np.bool_)
        for each, _ in self._lists:
            each.mark(held)
        return held if self._among is None else held & self._among

    def _complete(self, ordinals: Ordinals) -> tuple[Ordinals, Doubles]:
        """Return those documents that hold any phrase, with their scores."""
        ordinals = ordinals[self._held[ordinals]]
        scores, norms = np.zeros(len(ordinals)), self._norms.exact[ordinals]
        for each, idf in self._lists:
            often = each.at(ordinals)
            scores += idf * (often * (K1 + 1)) / (often + norms)
        for documents, factor in self._damped:
            scores[documents[ordinals]] *= factor
        return ordinals, scores

    def _first(self, scored: tuple[Ordinals, Doubles], limit: int | None) -> list[Found]:
        """Return the best document of each entry, best first; of equals the lower ordinal."""
        ordinals, scores = scored
        if limit is not None and len(ordinals) > _PROBED + 4 * limit:
            # With all that are equal to the last of those that can be shown.
            least = np.partition(scores, len(scores) - 4 * limit)[-4 * limit]
            kept = scores >= least
            if len(np.unique(self._entries[ordinals[kept]])) >= limit:
                ordinals, scores = ordinals[kept], scores[kept]
        order = np.lexsort((ordinals, -scores))
        found: list[Found] = []
        seen: set[int] = set()
        entries = self._entries[ordinals[order]].tolist()
        ranked = zip(entries, ordinals[order].tolist(), scores[order].tolist(), strict=True)
        for entry, ordinal, score in ranked:
            if entry not in seen:
                seen.add(entry)
                found.append(Found(score, ordinal))
                if len(found) == limit:
                    break
        return found


def _highest(ordinals: Ordinals, sums: Floats, most: int) -> Ordinals:
    """Return so many documents of those with the highest sums."""
    if len(ordinals) <= most:
        return ordinals
    return ordinals[np.argpartition(sums, len(sums) - most)[-most:]]


def _places(mask: Mask) -> Ordinals:
    return np.flatnonzero(mask).astype(np.int32)


def _once(ordinals: Ordinals) -> Ordinals:
    """Return documents rising, each once."""
    rising = np.sort(ordinals)
    kept: Ordinals = rising[
        np.concatenate(([len(rising) > 0], rising[1:] != rising[:-1]))[: len(rising)]
    ]
    return kept

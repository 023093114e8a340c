"""The best documents of a segment, exactly, without scoring all that hold a common word.

The rarer phrases are summed document by document (term at a time: Turtle and Flood, "Query
evaluation: strategies and optimizations", Information Processing & Management 31, 1995). What
the commoner ones can add at most decides which of those sums are completed at all, as MaxScore
does there; the threshold is the score of the last wanted entry among the best of the sums.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from functools import cached_property, reduce
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kb.index.ranked.arrays import Doubles, Entries, Floats, Mask, Matched, Ordinals, are_in, once
from kb.index.ranked.evaluation import Damped, Found
from kb.index.ranked.lists import Common, Lengths, List, Norms, Rare
from kb.records.clauses import K1

_FEW = 4_096
"""So few documents are scored one by one, whatever holds them."""

_PROBED = 256
"""So many of the best sums are completed to know what is to be reached."""

_SAMPLED = 8
"""Of so many sums one is looked at to tell where about the best begin."""

_SLACK = 1 - 1e-5
"""What a sum in single precision may lack beside the exact one."""


class Scored(NamedTuple):
    """What holds a phrase, and how much that tells."""

    list: List
    idf: float


class Scorer:
    """Scores the documents of one segment.

    ``among`` narrows, where it is given; what is ``absent``, rising, is not there.
    """

    def __init__(
        self,
        lists: Sequence[Scored],
        norms: Norms,
        among: Mask | None,
        absent: Ordinals,
        damped: Sequence[Damped],
        entries: Entries,
    ) -> None:
        self._lists = lists
        self._norms = norms
        self._among = among
        self._absent = absent
        self._damped = damped
        self._entries = entries
        self._rare = [(each.list, each.idf) for each in lists if isinstance(each.list, Rare)]
        self._common = [(each.list, each.idf) for each in lists if isinstance(each.list, Common)]

    def total(self) -> int:
        """Return how many entries hold any phrase."""
        if self._few is not None:
            return len(np.unique(self._entries.of(self._few)))
        return self._entries.count(self._held)

    def best(self, limit: int | None) -> list[Found]:
        """Return the best document of the best entries, best first."""
        if self._few is not None:
            return self._first(self._scored(self._few), limit)
        if limit is None:
            return self._first(self._scored(_places(self._held)), None)
        if self._rare:
            found = self._pruned(limit)
            if found is not None:
                return found
        return self._first(self._complete(self._all_sums(limit)), limit)

    def _pruned(self, limit: int) -> list[Found] | None:
        """Return the best where the rarer phrases decide, or nothing where they do not."""
        touched = np.concatenate([rare.ordinals for rare, _ in self._rare])
        every = self._rare_sums
        sums = every[touched]
        if self._among is not None:
            kept = self._among[touched]
            touched, sums = touched[kept], sums[kept]
        most = _PROBED + 2 * limit
        # A document stands among those touched once for each list that holds it.
        probed = once(np.sort(_about_the_highest(touched, sums, most * len(self._rare))))
        probed = np.sort(_highest(probed, every[probed], most))
        known = self._complete(probed)
        best = self._first(known, limit)
        least = best[-1].score if len(best) == limit else 0.0
        bound = least - sum(idf * common.most(self._norms) for common, idf in self._common)
        if bound <= 0 and self._common:
            return None
        rest = once(np.sort(touched[sums >= bound * _SLACK]))
        rest = rest[~are_in(rest, probed)]
        if not len(rest):
            return best
        more = self._complete(rest)
        both = np.concatenate((known[0], more[0])), np.concatenate((known[1], more[1]))
        return self._first(both, limit)

    def _all_sums(self, limit: int) -> Ordinals:
        """Return the documents that may be among the best, by the sums of all phrases."""
        held = _places(self._held)
        sums = self._sums(self._lists)[held]
        most = _PROBED + 4 * limit
        while len(sums) > most:
            least = np.partition(sums, len(sums) - most)[-most]
            kept: Ordinals = held[sums >= least * _SLACK]
            if len(np.unique(self._entries.of(kept))) >= limit:
                return kept
            most *= 4
        return held

    @cached_property
    def _rare_sums(self) -> Floats:
        return self._sums([Scored(*each) for each in self._rare])

    def _sums(self, lists: Sequence[Scored]) -> Floats:
        sums = np.zeros(len(self._norms.short), np.float32)
        for each, idf in lists:
            each.add(sums, self._norms, idf)
        for documents, factor in self._damped:
            sums[documents] *= np.float32(factor)
        return sums

    @cached_property
    def _few(self) -> Ordinals | None:
        """The documents that hold any phrase where few are wanted, else nothing."""
        if self._among is None or np.count_nonzero(self._among) > _FEW:
            return None
        wanted = _places(self._among)
        wanted = wanted[~are_in(wanted, self._absent)]
        held = np.zeros(len(wanted), np.bool_)
        for each, _ in self._lists:
            held |= each.holds(wanted)
        return wanted[held]

    @cached_property
    def _held(self) -> Mask:
        """The documents that hold any phrase, of those that are wanted."""
        factors = [factor for _, factor in self._damped]
        held: Mask
        if all(rare.counts for rare, _ in self._rare) and min(factors, default=1) > 0:
            held = self._rare_sums != 0
        else:
            held = np.zeros(len(self._norms.short), np.bool_)
            for rare, _ in self._rare:
                rare.mark(held)
        if self._common:
            bits = reduce(np.bitwise_or, [common.bits for common, _ in self._common])
            held |= np.unpackbits(bits, count=len(held)).view(np.bool_)
        held[self._absent] = False
        return held if self._among is None else held & self._among

    def _complete(self, ordinals: Ordinals) -> tuple[Ordinals, Doubles]:
        """Return those documents that hold any phrase, with their scores."""
        return self._scored(ordinals[self._held[ordinals]])

    def _scored(self, ordinals: Ordinals) -> tuple[Ordinals, Doubles]:
        """Return documents with their scores."""
        scores, norms = np.zeros(len(ordinals)), self._norms.exact(ordinals)
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
            if len(np.unique(self._entries.of(ordinals[kept]))) >= limit:
                ordinals, scores = ordinals[kept], scores[kept]
        return first(ordinals, scores, np.lexsort((ordinals, -scores)), self._entries, limit)


def first(
    ordinals: Ordinals,
    scores: Doubles,
    order: NDArray[np.intp],
    entries: Entries,
    limit: int | None,
) -> list[Found]:
    """Return the first document of each of the first entries, in this order of documents."""
    found: list[Found] = []
    seen: set[int] = set()
    step = 2 * limit if limit else len(order)  # hardly any entry has several
    for start in range(0, len(order), step or 1):
        some = order[start : start + step]
        here = ordinals[some]
        ranked = zip(entries.of(here).tolist(), here.tolist(), scores[some].tolist(), strict=True)
        for entry, ordinal, score in ranked:
            if entry not in seen:
                seen.add(entry)
                found.append(Found(score, ordinal))
                if len(found) == limit:
                    return found
    return found


def _highest(ordinals: Ordinals, sums: Floats, most: int) -> Ordinals:
    """Return so many documents of those with the highest sums."""
    if len(ordinals) <= most:
        return ordinals
    return ordinals[np.argpartition(sums, len(sums) - most)[-most:]]


def _about_the_highest(ordinals: Ordinals, sums: Floats, most: int) -> Ordinals:
    """Return about so many documents of those with the highest sums, judged by some of them."""
    some = sums[::_SAMPLED]
    if len(some) <= most:
        return _highest(ordinals, sums, most)
    few = most // _SAMPLED
    about: Ordinals = ordinals[sums >= np.partition(some, len(some) - few)[-few]]
    return about


def _places(mask: Mask) -> Ordinals:
    return np.flatnonzero(mask).astype(np.int32)


# The documents of a phrase that can be among the best when nothing else is asked for.
#
# Of the documents that hold a phrase equally often the shorter one scores higher, whatever the
# average length, the weights of columns and how much the phrase tells; of equally long ones the
# lower ordinal comes first. So the shortest of each such group are champion lists (Manning,
# Raghavan and Schütze, "Introduction to Information Retrieval", 2008, 7.1.3) that stay right
# while other segments come and go. They are exact where no document that was left out of a group
# can come before the last that is shown: the last champion of its group comes before it, and the
# last that is shown before that one, as in the threshold algorithm of Fagin, Lotem and Naor
# ("Optimal aggregation algorithms for middleware", Journal of Computer and System Sciences 66,
# 2003).


MOST = 128
"""So many documents of a group at most are its champions."""


class Champions(NamedTuple):
    """The shortest documents of each group, rising, and how often each holds the phrase."""

    entries: int
    """How many entries hold the phrase in any document."""
    ordinals: Ordinals
    often: Doubles
    last: NDArray[np.intp]
    """The places of the last champions of those groups that have more documents."""

    @property
    def bytes(self) -> int:
        """How many bytes they take."""
        return self.ordinals.nbytes + self.often.nbytes + self.last.nbytes + 500


def chosen(groups: Iterable[Matched], lengths: Lengths, entries: int, *, alone: bool) -> Champions:
    """Return the champions of groups of documents of these lengths, of so many entries.

    Where documents are ``alone`` in their entries, those are left out too that are longer than
    `MOST` others that hold the phrase as often or more often: they are never among so many.
    """
    kept, often, more = [np.empty(0, np.int32)], [np.empty(0)], [np.empty(0, np.bool_)]
    shorter, longest = np.empty(0, lengths.dtype), np.iinfo(lengths.dtype).max
    for group in sorted(groups, key=lambda group: -group.often):
        first = _shortest(group, lengths)
        here = lengths[first]
        some = first[here <= longest]
        if not len(some):
            continue
        kept.append(some)
        often.append(np.full(len(some), group.often))
        more.append(np.zeros(len(some), np.bool_))
        more[-1][-1] = len(some) == len(first) < len(group.ordinals)
        if alone and group.often > 0:
            shorter = np.sort(np.concatenate((shorter, here[here <= longest])))[:MOST]
            longest = shorter[-1] if len(shorter) == MOST else longest
    ordinals = np.concatenate(kept)
    order = np.argsort(ordinals)
    last = np.flatnonzero(np.concatenate(more)[order])
    return Champions(entries, ordinals[order], np.concatenate(often)[order], last)


def best(
    some: Champions, idf: float, norms: Norms, entries: Entries, limit: int
) -> list[Found] | None:
    """Return the best document of the best entries, or nothing where the champions do not tell."""
    scores = idf * (some.often * (K1 + 1)) / (some.often + norms.exact(some.ordinals))
    found = first(some.ordinals, scores, np.argsort(-scores, kind="stable"), entries, limit)
    if not len(some.last):
        return found
    reached, lasts = found[-1], scores[some.last]
    early = lasts > reached.score
    early |= (lasts == reached.score) & (some.ordinals[some.last] < reached.ordinal)
    return None if len(found) < limit or early.any() else found


def _shortest(group: Matched, lengths: Lengths) -> Ordinals:
    """Return the champions of a group, the last of them last; all where none scores higher."""
    ordinals = group.ordinals
    if len(ordinals) <= MOST or group.often <= 0:
        return ordinals
    here = lengths[ordinals]
    few = ordinals[here <= np.partition(here, MOST - 1)[MOST - 1]]
    first: Ordinals = few[np.argsort(lengths[few], kind="stable")[:MOST]]
    return first

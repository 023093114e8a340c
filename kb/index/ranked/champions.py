"""The documents of a phrase that can be among the best when nothing else is asked for.

Of the documents that hold a phrase equally often the shorter one scores higher, whatever the
average length, the weights of columns and how much the phrase tells; of equally long ones the
lower ordinal comes first. So the shortest of each such group are champion lists (Manning,
Raghavan and Schütze, "Introduction to Information Retrieval", 2008, 7.1.3) that stay right
while other segments come and go. They are exact where no document that was left out of a group
can come before the last that is shown: the last champion of its group comes before it, and the
last that is shown before that one, as in the threshold algorithm of Fagin, Lotem and Naor
("Optimal aggregation algorithms for middleware", Journal of Computer and System Sciences 66, 2003).
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kb.index.ranked.arrays import Doubles, Matched, Ordinals
from kb.index.ranked.entries import Entries
from kb.index.ranked.lists import Lengths, Norms
from kb.index.ranked.searching import Found
from kb.index.ranked.topk import first
from kb.records.clauses import K1

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

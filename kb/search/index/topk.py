"""The exact top documents of a segment, without scoring all documents of frequent words.

Rare phrases are summed document by document (term at a time: Turtle and Flood, "Query evaluation:
strategies and optimizations", Information Processing & Management 31, 1995). The upper bounds of
frequent phrases decide which sums are completed, as in MaxScore there; the threshold is the score
of the k-th entry among the best sums.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kb.model.clauses import K1
from kb.search.index.arrays import Doubles, Entries, Floats, Mask, Ordinals, places_of
from kb.search.index.evaluation import Damped, Found, Norm

_COMMON = 0.05
"""The share of documents above which a phrase is frequent."""

_PROBED = 256
"""The number of best sums that are completed to find the threshold."""

_SLACK = 1 - 1e-5
"""The maximum error of a single-precision sum."""

Lengths = NDArray[np.unsignedinteger]


class Norms(NamedTuple):
    """The length normalization of each document, approximate and exact."""

    norm: Norm
    lengths: Lengths
    short: Floats

    def exact(self, ordinals: Ordinals) -> Doubles:
        """Return the exact length normalization of these documents."""
        found: Doubles = self.norm.of(self.lengths[ordinals])
        return found


class PostingList:
    """The documents of a segment with a phrase, ascending, with weighted frequencies."""

    def __init__(self, ordinals: Ordinals, often: Doubles) -> None:
        self.ordinals = ordinals
        self.often = often
        self.bytes = 2 * ordinals.nbytes + often.nbytes + 500
        """Its size in bytes with impacts."""
        self._impacts: tuple[Norm, Floats] | None = None

    def __len__(self) -> int:
        return len(self.ordinals)

    def at(self, wanted: Ordinals) -> Doubles:
        """Return the frequency in each of these documents; 0 if missing."""
        if not len(self):
            return np.zeros(len(wanted))
        places = np.minimum(np.searchsorted(self.ordinals, wanted), len(self) - 1)
        return np.where(self.ordinals[places] == wanted, self.often[places], 0.0)

    def impacts(self, norms: Norms) -> Floats:
        """Return its score in each of its documents, without its weight."""
        if self._impacts is None or self._impacts[0] != norms.norm:
            often = self.often.astype(np.float32)
            made = often * np.float32(K1 + 1) / (often + norms.short[self.ordinals])
            self._impacts = norms.norm, made
        return self._impacts[1]

    def upper_bound(self, norms: Norms) -> float:
        """Return its maximum score in any document, without its weight."""
        return float(self.impacts(norms).max(initial=0.0))


class Scored(NamedTuple):
    """The posting list of a phrase, and its weight."""

    list: PostingList
    idf: float


class Scorer:
    """Scores the documents of one segment, limited to ``among`` if given."""

    def __init__(
        self,
        lists: Sequence[Scored],
        norms: Norms,
        among: Mask | None,
        damped: Damped | None,
        entries: Entries,
    ) -> None:
        self._lists = lists
        self._norms = norms
        self._damped = damped
        self._entries = entries
        self._held = np.zeros(len(norms.lengths), np.bool_)
        for each, _ in lists:
            self._held[each.ordinals] = True
        if among is not None:
            self._held &= among

    def total(self) -> int:
        """Return the number of entries with any phrase."""
        return self._entries.count(self._held)

    def best(self, limit: int | None) -> list[Found]:
        """Return the best document of the best entries, best first."""
        if limit is None:
            return self._ranked(places_of(self._held), None)
        most = _COMMON * len(self._held)
        rare = [each for each in self._lists if len(each.list) <= most]
        common = [each for each in self._lists if len(each.list) > most]
        found = self._pruned(rare, common, limit) if rare else None
        return self._pruned(self._lists, [], limit) or [] if found is None else found

    def _pruned(
        self, summed: Sequence[Scored], left: Sequence[Scored], limit: int
    ) -> list[Found] | None:
        """Return the best documents by the sums of some phrases and the bounds of the others.

        Returns nothing if a document with only the other phrases may be among them.
        """
        sums = self._sums(summed)
        touched = places_of(self._held & (sums > 0) if left else self._held)
        of_each = sums[touched]
        most = min(_PROBED + 4 * limit, len(touched))
        probed = touched[np.argpartition(of_each, -most)[-most:]] if most else touched
        best = self._ranked(probed, limit)
        least = best[-1].score if len(best) == limit else 0.0
        bound = least - sum(idf * each.upper_bound(self._norms) for each, idf in left)
        if bound <= 0 and left:
            return None
        reaching = touched[of_each >= bound * _SLACK]
        if np.isin(reaching, probed, assume_unique=True).all():
            return best
        return self._ranked(reaching, limit)

    def _sums(self, lists: Sequence[Scored]) -> Floats:
        """Return approximate summed scores by ordinal."""
        sums = np.zeros(len(self._held), np.float32)
        for each, idf in lists:
            np.add.at(sums, each.ordinals, each.impacts(self._norms) * np.float32(idf))
        if self._damped is not None:
            sums[self._damped.documents] *= np.float32(self._damped.factor)
        return sums

    def _ranked(self, ordinals: Ordinals, limit: int | None) -> list[Found]:
        """Return the best document of each entry, best first; ties by ordinal."""
        scores = self._scores(ordinals)
        order = np.lexsort((ordinals, -scores))
        _, firsts = np.unique(self._entries.of(ordinals[order]), return_index=True)
        best = order[np.sort(firsts)[:limit]]
        return list(map(Found, scores[best].tolist(), ordinals[best].tolist()))

    def _scores(self, ordinals: Ordinals) -> Doubles:
        scores, norms = np.zeros(len(ordinals)), self._norms.exact(ordinals)
        for each, idf in self._lists:
            often = each.at(ordinals)
            scores += idf * (often * (K1 + 1)) / (often + norms)
        if self._damped is not None:
            scores[self._damped.documents[ordinals]] *= self._damped.factor
        return scores

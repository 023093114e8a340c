"""Terms in order, over arrays: the documents in which a phrase stands."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import reduce

import numpy as np
from numpy.typing import NDArray

from kb.index.ranked.arrays import Mask, Matched, Ordinals, documents_of, once, spots_of
from kb.index.ranked.reading import Postings
from kb.index.ranked.snapshot import Part
from kb.index.ranked.uniting import summed
from kb.records.clauses import Phrase
from kb.records.document import COLUMNS


def in_order(
    part: Part,
    postings: Postings,
    phrase: Phrase,
    weights: Mapping[str, float],
    holding: Callable[[Phrase], Mask],
) -> Sequence[Matched]:
    """Return the documents in which the terms of a phrase stand in order.

    ``holding`` gives the documents that hold a single term.
    """
    *whole, last = phrase.terms
    postings.fetch_places([part], whole)
    narrowing = whole if phrase.open else phrase.terms
    held = reduce(np.logical_and, [holding(Phrase((term,))) for term in narrowing])
    among = np.flatnonzero(held).astype(np.int32)
    spots = _spots(part, postings, Phrase((whole[0],)), among)
    for distance, term in enumerate([*whole[1:], last], 1):
        # Places of a beginning are many to read: only where what is before it stands.
        among = once(documents_of(spots)[0])
        if not len(among):
            return []
        begun = phrase.open and distance == len(whole)
        here = _spots(part, postings, Phrase((term,), begun), among) - distance
        spots = np.intersect1d(spots, here, assume_unique=True)
    if not len(spots):
        return []
    ordinals, columns = documents_of(spots)
    table = np.array([weights[name] for name in COLUMNS])
    return summed(ordinals, table[columns])


def _spots(part: Part, postings: Postings, phrase: Phrase, among: Ordinals) -> NDArray[np.int64]:
    """Return the places of a term, or of all that begin so, in some documents; rising."""
    segment, (term,) = part.segment, phrase.terms
    read = postings.placed_begun if phrase.open else postings.placed
    found = [
        spots_of(row.documents, places, segment.size, segment.patterns, among)
        for row, places in read(part, term)
    ]
    return once(np.sort(np.concatenate([np.empty(0, np.int64), *found])))

"""Re-ranking of the best candidates by what BM25 over single words does not see.

Each part is a function of numbers; the weights are in `kb.ranking.weights`. Texts are
coded (`kb.text.coding`): a term is one character.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from kb.ranking.sought import Place, Sought
from kb.ranking.weights import (
    COVERAGE_POWER,
    COVERAGE_WEIGHT,
    EXACT_WEIGHT,
    K1,
    PROXIMITY_WEIGHT,
    PROXIMITY_WINDOW,
    B,
)
from kb.text.coding import CodedText


class WeightedTerm(NamedTuple):
    """A word of the query: its spellings, its unstemmed forms and its weight (`idf`).

    ``ranked`` says that the index has already counted it, ``share`` for how much of that it
    counts.
    """

    spellings: tuple[str, ...]
    surfaces: tuple[str, ...]
    weight: float
    ranked: bool = True
    share: float = 1.0


class FieldTerms(NamedTuple):
    """The terms of a column of a document, and what a match in it counts for."""

    weight: float
    terms: CodedText


def idf(documents: int, holding: int) -> float:
    """Return how much a word tells: the more, the fewer documents hold it; never negative.

    The inverse document frequency of Robertson and Spärck Jones with the 1 that Lucene
    adds (BM25Similarity).

    >>> round(idf(1000, 10), 2), round(idf(1000, 900), 2)
    (4.56, 0.11)
    """
    return math.log(1 + (max(0, documents - holding) + 0.5) / (holding + 0.5))


def saturated(frequency: float, norm: float) -> float:
    """Return what a word counts for that stands so often in a text (Okapi BM25).

    ``norm`` is the text's length by the average. Robertson and Zaragoza, "The
    Probabilistic Relevance Framework: BM25 and Beyond", 2009.

    >>> saturated(0, 1), saturated(1, 1), saturated(1000, 1) < 2.2
    (0.0, 1.0, True)
    """
    return frequency * (K1 + 1) / (frequency + K1 * (1 - B + B * norm))


def coverage(asked: Sequence[WeightedTerm], held: Sequence[bool]) -> float:
    """Return what a text gains that holds all of the query, or nearly: 0 to the query's weight.

    >>> words = [WeightedTerm(("a",), (), 2.0), WeightedTerm(("b",), (), 1.0)]
    >>> coverage(words, [True, True]), round(coverage(words, [True, False]), 2)
    (3.0, 0.05)
    """
    whole = sum(word.weight for word in asked)
    part = sum(word.weight for word, holds in zip(asked, held, strict=True) if holds)
    return whole * (part / whole) ** COVERAGE_POWER if whole else 0.0


def proximity(weights: Sequence[float], places: Sequence[Place]) -> dict[int, float]:
    """Return how much each word of the query is surrounded by others of them in one column.

    ``places`` are those of all words, in order. Words beside each other add the other's
    weight over the square of their distance, and words that overlap nothing: Büttcher, Clarke
    and Lushman, "Term proximity scoring for ad-hoc retrieval on very large text collections",
    SIGIR 2006.

    >>> proximity([2.0, 1.0], [(0, 1, 0), (2, 3, 1), (30, 31, 0)])
    {0: 0.25, 1: 0.5}
    >>> proximity([2.0, 1.0], [(0, 2, 0), (1, 2, 1)])
    {}
    """
    near: dict[int, float] = {}
    for (left, end, one), (right, _, other) in pairwise(places):
        distance = right - left
        if one != other and right >= end and 0 < distance <= PROXIMITY_WINDOW:
            near[one] = near.get(one, 0.0) + weights[other] / distance**2
            near[other] = near.get(other, 0.0) + weights[one] / distance**2
    return near


class Reranker:
    """Scores documents once more, by all that a query asks.

    ``asked`` are the words of the query, ``names`` what translates them.
    """

    def __init__(self, asked: Sequence[WeightedTerm], names: Sequence[WeightedTerm]) -> None:
        self._asked = asked
        self._words = [*asked, *names]
        self._weights = [word.weight for word in self._words]
        self._sought = Sought(
            [word.spellings for word in self._words],
            [surface for word in asked for surface in word.surfaces],
        )

    def gain(self, fields: Sequence[FieldTerms], norm: float) -> float:
        """Return what is added to the score of a document that the index has ranked.

        ``norm`` is its length by the average.
        """
        counts = [[0.0] * len(word.spellings) for word in self._words]
        forms: dict[str, float] = {}
        near: dict[int, float] = {}
        for weight, terms in fields:
            found = self._sought.occurrences(terms)
            for (word, spelling), often in found.spelled.items():
                counts[word][spelling] += weight * often
            for form, often in found.forms.items():
                forms[form] = forms.get(form, 0.0) + weight * often
            for word, amount in proximity(self._weights, found.places).items():
                near[word] = near.get(word, 0.0) + weight * amount
        held = [any(of) for of in counts]
        return (
            sum([_correction(w, of, norm) for w, of in zip(self._words, counts, strict=True)])
            + EXACT_WEIGHT * _exactness(self._asked, forms, norm)
            + PROXIMITY_WEIGHT * _nearness(self._weights, near, norm)
            + COVERAGE_WEIGHT * coverage(self._asked, held[: len(self._asked)])
        )


def _correction(word: WeightedTerm, counts: Sequence[float], norm: float) -> float:
    """Return what the index has not counted of a word, or has counted too much.

    k-NN is indexed as it is written and as knn, so that either finds the other; where both
    are one place of a text they are one match.
    """
    if not any(counts):
        return 0.0
    once = word.share * saturated(max(counts), norm)
    counted = sum([saturated(count, norm) for count in counts if count]) if word.ranked else 0.0
    return word.weight * (once - counted)


def _exactness(asked: Sequence[WeightedTerm], forms: Mapping[str, float], norm: float) -> float:
    """Return what the words count for that stand in the very form they were asked in."""
    return sum(
        [
            word.weight * saturated(forms[surface], norm)
            for word in asked
            for surface in word.surfaces
            if surface in forms
        ]
    )


def _nearness(weights: Sequence[float], near: Mapping[int, float], norm: float) -> float:
    return sum([min(1.0, weights[w]) * saturated(amount, norm) for w, amount in near.items()])

"""The exact ranking, by counting every document: BM25 in float64, as each engine defines it.

The parts that engines define in their own way are the weight of a term and what a phrase
counts for; what they round (lengths of documents, estimated frequencies) is not rounded here.
"""

from __future__ import annotations

import math
from array import array
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import accumulate
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kb.model.clauses import Clause, Phrase
from tests.bench.scale.engines import DEPTH, K1, B

Scores = NDArray[np.float64]
Texts = Mapping[str, Sequence[str]]

TOLERANCE = 1e-6
"""By how much a score may lie below the tenth and still be one of the ten: float32's rounding."""

IDF: dict[str, Callable[[float, float], float]] = {
    # https://sqlite.org/fts5.html#the_bm25_function
    "fts5": lambda of, n: max(math.log((of - n + 0.5) / (n + 0.5)), 1e-6),
    # Lucene's, which Tantivy and bm25s have: never below 0
    "lucene": lambda of, n: math.log(1 + (of - n + 0.5) / (n + 0.5)),
    # whoosh.scoring.WeightingModel.idf
    "whoosh": lambda of, n: math.log(of / (n + 1)) + 1,
    # https://xapian.org/docs/bm25.html; a term of half the documents still counts
    "xapian": lambda of, n: _above_half((of - n + 0.5) / (n + 0.5)),
}
"""The weight of a term that stands in n of so many documents, by the name of a formula."""

PHRASES = {"fts5": "whole", "lucene": "sum of weights", "whoosh": "terms", "xapian": "terms"}
"""A phrase counts as a term of its own; as one with its terms' weights; or as its terms do."""


class Asked(NamedTuple):
    """What an engine was asked: to score these phrases of documents that meet every clause.

    A phrase counts once, or as often as ``weights`` say.
    """

    phrases: Sequence[Phrase]
    must: Sequence[Clause] = ()
    weights: Mapping[Phrase, float] = {}


class Oracle:
    """All documents as the numbers of their terms, column by column."""

    def __init__(self, documents: Iterable[tuple[int, Texts]], weights: Mapping[str, float]):
        self._weights = weights
        self._known: dict[str, int] = {}
        flat = {name: array("i") for name in weights}
        sizes = {name: array("q") for name in weights}
        numbers = array("q")
        for number, texts in documents:
            numbers.append(number)
            for name in weights:
                terms = texts.get(name, ())
                sizes[name].append(len(terms))
                flat[name].extend(self._known.setdefault(t, len(self._known)) for t in terms)
        self.numbers = np.array(numbers)
        self._flat = {name: np.array(each, np.int32) for name, each in flat.items()}
        self._ends = {name: np.array([*accumulate(each)], np.int64) for name, each in sizes.items()}
        lengths = sum(np.array(each, np.float64) for each in sizes.values())
        self._norm = lengths / max(1e-9, lengths.mean()) if len(numbers) else lengths

    def scores(self, asked: Asked, formula: str) -> Scores:
        """Return the score of every document in order, 0 of one that does not match."""
        total = np.zeros(len(self.numbers))
        for phrase in dict.fromkeys(asked.phrases):
            total += asked.weights.get(phrase, 1.0) * self._score(phrase, formula)
        for clause in asked.must:
            total[~np.any([self.often(p) > 0 for p in clause.phrases], axis=0)] = 0
        return total

    def _score(self, phrase: Phrase, formula: str) -> Scores:
        often, way = self.often(phrase), PHRASES[formula]
        if way == "terms" and len(phrase.terms) > 1:
            parts = sum(self._score(Phrase((term,)), formula) for term in phrase.terms)
            return np.where(often > 0, parts, 0)
        counted = [often]
        if way == "sum of weights" and len(phrase.terms) > 1:
            counted = [self.often(Phrase((term,))) for term in phrase.terms]
        weight = sum(self._idf(each, formula) for each in counted)
        return weight * often * (K1 + 1) / (often + K1 * (1 - B + B * self._norm))

    def _idf(self, often: Scores, formula: str) -> float:
        holding = np.count_nonzero(often)
        return IDF[formula](len(self.numbers), holding) if holding else 0.0

    def often(self, phrase: Phrase) -> Scores:
        """Return how often a phrase stands in each document, by the weights of the columns."""
        total = np.zeros(len(self.numbers))
        for name, weight in self._weights.items():
            places = self._places(self._flat[name], phrase)
            first = np.searchsorted(self._ends[name], places, side="right")
            last = np.searchsorted(self._ends[name], places + len(phrase.terms) - 1, side="right")
            total += weight * np.bincount(first[first == last], minlength=len(total))
        return total

    def _places(self, flat: NDArray[np.int32], phrase: Phrase) -> NDArray[np.int64]:
        *whole, last = phrase.terms
        ends = self._beginning(last) if phrase.open else np.array([self._known.get(last, -1)])
        places = np.flatnonzero(np.isin(flat, ends)) - len(whole)
        places = places[places >= 0]
        for at, term in enumerate(whole):
            places = places[flat[places + at] == self._known.get(term, -1)]
        return places

    def _beginning(self, text: str) -> NDArray[np.int64]:
        return np.array([n for term, n in self._known.items() if term.startswith(text)] or [-1])


def best_of_each(scores: Scores, groups: NDArray[np.int64]) -> Scores:
    """Return scores with 0 for what is not the best of its group.

    >>> best_of_each(np.array([1.0, 2.0, 3.0]), np.array([0, 0, 1])).tolist()
    [0.0, 2.0, 3.0]
    """
    best = np.zeros(groups.max(initial=-1) + 1)
    np.maximum.at(best, groups, scores)
    return np.where(scores < best[groups], 0, scores)


def recall(found: Sequence[int], numbers: NDArray[np.int64], scores: Scores) -> float | None:
    """Return the share of the best ten that was found, equal scores being equally good.

    Nothing where no document matches.

    >>> recall([3, 1], np.array([1, 2, 3]), np.array([0.5, 0.0, 2.0]))
    1.0
    """
    need = min(DEPTH, int(np.count_nonzero(scores > 0)))
    if not need:
        return None
    least = np.sort(scores)[-need] * (1 - TOLERANCE)
    good = set(numbers[(scores >= least) & (scores > 0)].tolist())
    return min(need, len(good.intersection(found))) / need


def _above_half(odds: float) -> float:
    return math.log(odds if odds >= 2 else odds * 0.5 + 1)

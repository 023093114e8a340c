"""Okapi BM25 over weighted columns, as both evaluators compute it.

Robertson and Zaragoza, "The Probabilistic Relevance Framework: BM25 and Beyond", Foundations
and Trends in Information Retrieval 3 (2009); the weights count for the frequency and not for
the length, as FTS5 has it (https://sqlite.org/fts5.html#the_bm25_function).
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import NamedTuple

from kb.index.ranked.building import Pattern
from kb.records.clauses import K1, B, Phrase
from kb.records.document import COLUMNS

_LEAST = 1e-6


class Wanted(NamedTuple):
    """A phrase to rank by, and how much it tells."""

    phrase: Phrase
    idf: float


class Norm(NamedTuple):
    """How the length of a document counts, by the average of all."""

    average: float

    def of(self, length: float) -> float:
        """Return what a document of this length adds below the fraction."""
        return K1 * (1 - B + B * length / self.average)


def idf(documents: int, holding: int) -> float:
    """Return how much a phrase tells that so many documents hold; hardly anything for half.

    >>> round(idf(1000, 10), 2), idf(10, 9)
    (4.55, 1e-06)
    """
    return max(math.log((documents - holding + 0.5) / (holding + 0.5)), _LEAST)


def score(idf: float, frequency: float, norm: float) -> float:
    """Return what a phrase counts for that stands so often, by weight, in a document.

    >>> score(2.0, 1.0, Norm(10).of(10))
    2.0
    """
    return idf * (frequency * (K1 + 1)) / (frequency + norm)


def weighted(pattern: Pattern, weights: Mapping[str, float]) -> float:
    """Return how often a term stands in a document, by the weights of its columns.

    >>> weighted((0, 2, 9), {name: 1.0 for name in COLUMNS} | {"question": 4.0})
    6.0
    """
    return sum(weights[COLUMNS[column % len(COLUMNS)]] for column in pattern)

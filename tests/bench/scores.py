"""How well an engine answers the queries of a set, and whether two engines differ."""

from __future__ import annotations

import gc
import math
import random
from collections.abc import Mapping, Sequence
from statistics import fmean
from typing import NamedTuple

from tests.bench.engine import Search
from tests.bench.judged import Query

DEPTH = 10


class Scores(NamedTuple):
    """The nDCG and the reciprocal rank of each query."""

    gains: Sequence[float]
    ranks: Sequence[float]

    @property
    def gain(self) -> float:
        """The mean nDCG."""
        return fmean(self.gains)

    @property
    def rank(self) -> float:
        """The mean reciprocal rank."""
        return fmean(self.ranks)


def measure(search: Search, queries: Sequence[Query]) -> Scores:
    """Return how well each query is answered by the first ten that are found."""
    gc.collect()
    gc.freeze()  # a pause to sort through other engines' objects would stop a query
    found = [(search(query.text, DEPTH), query.grades) for query in queries]
    return Scores([ndcg(*each) for each in found], [reciprocal_rank(*each) for each in found])


def ndcg(found: Sequence[str], grades: Mapping[str, float], depth: int = DEPTH) -> float:
    """Return the normalised discounted cumulative gain at ``depth``.

    Gain 2^grade - 1, discount log2(rank + 1): Järvelin and Kekäläinen, "Cumulated
    gain-based evaluation of IR techniques", ACM TOIS 20(4), 2002; in Burges's form.
    """
    return _dcg([grades.get(each, 0) for each in found[:depth]]) / _dcg(
        sorted(grades.values(), reverse=True)[:depth]
    )


def reciprocal_rank(found: Sequence[str], grades: Mapping[str, float], depth: int = DEPTH) -> float:
    """Return one over the rank of the first document that answers, or 0."""
    for rank, each in enumerate(found[:depth], 1):
        if each in grades:
            return 1 / rank
    return 0.0


def randomisation(ours: Sequence[float], theirs: Sequence[float], turns: int = 2000) -> float:
    """Return the p of a paired randomisation test, two-sided (Smucker et al., CIKM 2007)."""
    differences = [a - b for a, b in zip(ours, theirs, strict=True)]
    seen = abs(sum(differences))
    draw = random.Random(7)
    extreme = sum(
        abs(sum(d if draw.random() < 0.5 else -d for d in differences)) >= seen - 1e-12
        for _ in range(turns)
    )
    return (extreme + 1) / (turns + 1)


def holm(chances: Sequence[float]) -> list[float]:
    """Return chances as corrected for being several.

    Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal of
    Statistics 6 (1979).

    >>> holm([0.01, 0.04, 0.03])
    [0.03, 0.06, 0.06]
    """
    rising = sorted(range(len(chances)), key=chances.__getitem__)
    corrected, least = [0.0] * len(chances), 0.0
    for place, number in enumerate(rising):
        least = max(least, min(1.0, (len(chances) - place) * chances[number]))
        corrected[number] = least
    return corrected


def _dcg(grades: Sequence[float]) -> float:
    return sum((2**grade - 1) / math.log2(rank + 1) for rank, grade in enumerate(grades, 1))

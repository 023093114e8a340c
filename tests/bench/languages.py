"""How well danesh finds in each of twelve languages, beside the best rival in each.

The set is XQuAD: the same paragraphs of Wikipedia and questions about them, translated
(Artetxe et al., "On the cross-lingual transferability of monolingual representations",
ACL 2020). A language is measured by itself: its documents, its queries.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import NamedTuple

from tests.bench.engine import Make
from tests.bench.judged import Judged, read_set
from tests.bench.scores import holm, measure, randomisation

SET = "xquad"


class _Row(NamedTuple):
    """A language: how danesh finds in it, and the best rival, and how likely chance explains it."""

    head: str
    gain: float
    best: str
    theirs: float
    chance: float


def table(folder: Path, most: int, half: int, engines: Mapping[str, Make]) -> Iterator[str]:
    """Yield a row for each language: nDCG@10, and p, corrected over languages, below 0.05."""
    judged = read_set(folder / SET, 0, half)
    langs = sorted({query.lang for query in judged.queries})
    rows = [_row(judged.within(lang, most), engines) for lang in langs]
    yield f"| {SET} | danesh | best rival | | p, by Holm |"
    yield "|---|---|---|---|---|"
    for row, chance in zip(rows, holm([row.chance for row in rows]), strict=True):
        differs = f"{chance:.4f}" if chance < 0.05 else ""
        yield f"| {row.head} | {row.gain:.3f} | {row.theirs:.3f} | {row.best} | {differs} |"


def _row(judged: Judged, engines: Mapping[str, Make]) -> _Row:
    scores = {
        name: measure(make(judged.documents, judged.lang), judged.queries)
        for name, make in engines.items()
    }
    ours = scores.pop("danesh")
    head = f"{judged.lang} ({len(judged.queries)})"
    if not scores:
        return _Row(head, ours.gain, "", 0.0, 1.0)
    best = max(scores, key=lambda name: scores[name].gain)
    chance = randomisation(ours.gains, scores[best].gains)
    return _Row(head, ours.gain, best, scores[best].gain, chance)

"""How well danesh finds in each of twelve languages, beside the best rival in each.

The set is XQuAD: the same paragraphs of Wikipedia and questions about them, translated
(Artetxe et al., "On the cross-lingual transferability of monolingual representations",
ACL 2020). A language is measured by itself: its documents, its queries.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import Path

from tests.bench.engine import Make
from tests.bench.judged import Judged, read_set
from tests.bench.scores import measure, randomisation

SET = "xquad"


def table(folder: Path, most: int, half: int, engines: Mapping[str, Make]) -> Iterator[str]:
    """Yield a row for each language: nDCG@10, and p where it is below 0.05."""
    judged = read_set(folder / SET, 0, half)
    yield f"| {SET} | danesh | best rival | | p |"
    yield "|---|---|---|---|---|"
    for lang in sorted({query.lang for query in judged.queries}):
        yield _row(judged.within(lang, most), engines)


def _row(judged: Judged, engines: Mapping[str, Make]) -> str:
    scores = {
        name: measure(make(judged.documents, judged.lang), judged.queries)
        for name, make in engines.items()
    }
    ours = scores.pop("danesh")
    head = f"| {judged.lang} ({len(judged.queries)}) | {ours.gain:.3f}"
    if not scores:
        return f"{head} | | | |"
    best = max(scores, key=lambda name: scores[name].gain)
    p = randomisation(ours.gains, scores[best].gains)
    differs = f"{p:.4f}" if p < 0.05 else ""
    return f"{head} | {scores[best].gain:.3f} | {best} | {differs} |"

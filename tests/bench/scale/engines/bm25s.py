"""bm25s with its backend of numba. It knows bags of words: no phrase, no AND, no beginning."""

from __future__ import annotations

from pathlib import Path

from tests.bench.scale.asks import Ask, Source, lines_of
from tests.bench.scale.engines import DEPTH, K1, B, Opened, Run


def build(source: Source, folder: Path, level: str) -> None:
    """Score every term of every document, and keep that."""
    import bm25s as engine
    from bm25s.tokenization import Tokenized

    known: dict[str, int] = {}
    ids = [
        [known.setdefault(term, len(known)) for term in line.split()]
        for line in lines_of(source.terms)
    ]
    index = engine.BM25(k1=K1, b=B, backend="numba")
    index.index(Tokenized(ids=ids, vocab=known), show_progress=False)
    index.save(folder, show_progress=False)


def opened(folder: Path, level: str) -> Opened:
    """Load it whole."""
    import bm25s as engine

    index = engine.BM25.load(folder, show_progress=False)

    def prepare(ask: Ask) -> Run:
        def run() -> list[int]:
            places, scores = index.retrieve(
                [list(ask.terms)], k=DEPTH, show_progress=False, n_threads=1
            )
            return [int(n) for n, score in zip(places[0], scores[0], strict=True) if score > 0]

        return run

    return Opened(prepare, [])

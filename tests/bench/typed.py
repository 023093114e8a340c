"""What is there while one types: how often a text that answers is among the first five.

Each query is typed letter by letter, and at every second letter from the third on an engine is
asked for what it finds so far. danesh is asked for its first tier alone. FTS5 joins the words
by OR, the last as a prefix if no blank follows it.
"""

from __future__ import annotations

import tempfile
import time
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from statistics import fmean, quantiles
from unittest.mock import patch

from kb import open_library
from kb.model.results import Results
from kb.service.find import Find
from tests.bench.engine import Make, Search
from tests.bench.engines import fill, ids
from tests.bench.judged import Document, Query, read_set
from tests.bench.rivals.fts5 import fts5

SETS = ("squad11_dev", "stackfaq", "pquad")
MOST, SHOWN, FIRST, STEP = 100, 5, 3, 2


def table(folder: Path, most: int, half: int) -> Iterator[str]:
    """Yield a row for each engine: hits, what stays, and milliseconds at p50 / p95 of each set."""
    judged = [read_set(folder / name, min(most or MOST, MOST), half) for name in SETS]
    heads = [f"{each.name} ({len(each.queries)})" for each in judged]
    yield f"| typed: found / stays / ms | {' | '.join(heads)} | mean |"
    yield "|---|" + "---|" * (len(heads) + 1)
    for engine, make in ENGINES.items():
        cells, found = [], []
        for each in judged:
            share, cell = _measured(make(each.documents, each.lang), each.queries)
            cells.append(cell)
            found.append(share)
        yield f"| {engine} | {' | '.join(cells)} | {fmean(found):.3f} |"


def _measured(search: Search, queries: Sequence[Query]) -> tuple[float, str]:
    """Return the share of keystrokes at which a text that answers is shown, and a cell.

    What stays is the share of the texts shown that were so at the keystroke before.
    """
    hits, stays, took = list[bool](), list[float](), list[float]()
    for query in queries:
        before: list[str] = []
        for end in range(FIRST, len(query.text) + 1, STEP):
            began = time.perf_counter()
            found = search(query.text[:end], SHOWN)
            took.append((time.perf_counter() - began) * 1000)
            hits.append(not query.grades.keys().isdisjoint(found))
            if before:
                stays.append(len(set(before).intersection(found)) / len(before))
            before = found
    cuts = quantiles(took, n=20)
    share = fmean(hits)
    return share, f"{share:.3f} / {fmean(stays):.2f} / {cuts[9]:.1f}, {cuts[18]:.1f}"


def first_tier(documents: Sequence[Document], lang: str) -> Search:
    """Import the documents into an empty knowledge base; nothing is ranked again."""
    library = open_library(Path(tempfile.mkdtemp()) / "kb.db", bundled=False)
    fill(library, documents)

    def search(query: str, most: int) -> list[str]:
        with patch.object(Find, "_search", return_value=Results(query, 0, ())):
            return ids(next(library.search_typed(query, limit=most)))

    return search


ENGINES: Mapping[str, Make] = {
    "danesh, first tier": first_tier,
    "sqlite-utils FTS5": fts5("unicode61", typed=True),
    "sqlite-utils FTS5 porter": fts5("porter", typed=True),
}

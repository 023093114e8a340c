"""How well danesh finds in Persian what is asked in English, and the other way.

Every query is asked as ``kb search --lang`` asks it: for texts in the other language only,
so nothing in its own can take a place among the first ten. Dari counts as Persian, so
nothing is asked between the two. Three states of one knowledge base are measured: without
any glossary, with the one that comes with danesh, and with a reader's dictionaries.
"""

from __future__ import annotations

import tempfile
from collections.abc import Iterator, Sequence
from functools import partial
from pathlib import Path
from unittest.mock import patch

from kb import Library, open_library
from kb.model.results import Filters
from tests.bench.engines import fill, ids
from tests.bench.judged import Document, Query, read_set
from tests.bench.scores import Scores, measure

SETS = {
    "ml_cheatsheet_multi": "qrels_enfa.tsv",
    "ntrex_doc_enfa": "qrels_cross.tsv",
    "tico19_enfa": "qrels.tsv",
}
OTHER = {"en": "fa", "fa": "en", "prs": "en"}
STATES = ("no glossary", "the bundled glossary", "and two word lists of Wiktionary")


def table(folder: Path, most: int, half: int) -> Iterator[str]:
    """Yield a row for each state of the glossary: nDCG@10 / MRR@10 of each set."""
    lists = sorted((folder / "dict").glob("*.tsv"))
    heads, columns = [], []
    for name, qrels in SETS.items():
        judged = read_set(folder / "search" / name, 0, half, qrels)
        queries = _across(judged.documents, judged.queries)[: most or None]
        heads.append(f"{name} ({len(queries)})")
        columns.append([_measure(library, queries) for library in _states(judged.documents, lists)])
    yield f"| danesh with | {' | '.join(heads)} |"
    yield "|---|" + "---|" * len(heads)
    for state, row in zip(STATES, zip(*columns, strict=True), strict=True):
        yield f"| {state} | {' | '.join(f'{each.gain:.3f} / {each.rank:.3f}' for each in row)} |"


def _across(documents: Sequence[Document], queries: Sequence[Query]) -> list[Query]:
    """Return the queries that a document in the other language answers, with those grades."""
    langs = {document.id: document.lang for document in documents}
    narrowed = (
        query._replace(
            grades={id: g for id, g in query.grades.items() if langs[id] == OTHER[query.lang]}
        )
        for query in queries
    )
    return [query for query in narrowed if query.grades]


def _states(documents: Sequence[Document], lists: Sequence[Path]) -> Iterator[Library]:
    """Yield one knowledge base in the three states; every new one is given the glossary."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "kb.db"
        with patch("kb.content.bundled.bundled_folder", lambda: Path(folder)):
            library = open_library(path, bundled=False)
        with library:
            fill(library, documents)
            yield library
        with open_library(path, bundled=False) as library:
            yield library
            for each in lists:
                library.glossary.add(each)
            yield library


def _measure(library: Library, queries: Sequence[Query]) -> Scores:
    """Return how well queries are answered, those of each language together."""
    gains: list[float] = []
    ranks: list[float] = []
    for lang, other in OTHER.items():
        search = partial(_search, library, Filters(lang=other))
        scores = measure(search, [query for query in queries if query.lang == lang])
        gains += scores.gains
        ranks += scores.ranks
    return Scores(gains, ranks)


def _search(library: Library, filters: Filters, query: str, most: int) -> list[str]:
    return ids(library.search(query, limit=most, filters=filters))

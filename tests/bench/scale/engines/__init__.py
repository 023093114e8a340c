"""The engines of this comparison, each a module that builds an index in a folder and asks it.

A module has ``build(source, folder)`` and ``opened(folder, level) -> Opened``. It imports its
engine when it is used, so that any Python can run it that has that engine.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple, Protocol

from tests.bench.scale.asks import KINDS, LOG, PREFIX, QUESTION, WORD, Ask, Source

DEPTH = 10
K1, B = 1.2, 0.75
"""The parameters of BM25, the same for all."""

Run = Callable[[], list[int]]
"""Answers a query: the numbers of the best ten, or nothing where they are not numbered."""


class Opened(NamedTuple):
    """An index that was opened: what answers a query, and the queries that were stopped."""

    prepare: Callable[[Ask], Run]
    stopped: list[str]


class Module(Protocol):
    """What a module of an engine has."""

    def build(self, source: Source, folder: Path, level: str) -> None:
        """Make the index of a source in a folder."""

    def opened(self, folder: Path, level: str) -> Opened:
        """Open the index in a folder."""


class Level(NamedTuple):
    """A row of the tables: an engine, how much of its work is timed, and by what it ranks.

    Levels that have ``built`` in common ask the same index. ``formula`` is a name of
    `tests.bench.scale.oracle.IDF`; without one nothing is compared with the exact top ten,
    nor for the kinds that are ``unranked``.
    """

    engine: str
    name: str
    built: str
    package: str
    kinds: tuple[str, ...] = KINDS
    formula: str | None = None
    unranked: tuple[str, ...] = ()
    most: int | None = None


LEVELS: dict[str, Level] = {
    "danesh, ids": Level("danesh", "ids", "danesh", "kb", formula="fts5"),
    "danesh, whole door": Level("danesh", "door", "danesh", "kb"),
    "danesh, first tier": Level("danesh", "first", "danesh", "kb", kinds=(PREFIX,)),
    "FTS5": Level("fts5", "ids", "fts5", "sqlite3", formula="fts5"),
    "Tantivy, ids": Level(
        "tantivy", "ids", "tantivy", "tantivy", formula="lucene", unranked=(PREFIX,)
    ),
    "Tantivy, ids and total": Level("tantivy", "total", "tantivy", "tantivy"),
    "Tantivy, texts and snippets": Level("tantivy", "texts", "tantivy-texts", "tantivy"),
    "bm25s": Level("bm25s", "ids", "bm25s", "numba", kinds=(QUESTION, LOG, WORD), formula="lucene"),
    "Whoosh": Level(
        "whoosh", "ids", "whoosh", "whoosh", formula="whoosh", unranked=(PREFIX,), most=100_000
    ),
    "Xapian": Level("xapian", "ids", "xapian", "xapian", formula="xapian", unranked=(PREFIX,)),
}
"""Each level under the name of its row."""

"""SQLite's FTS5 by Python's own ``sqlite3``, over terms that are analysed already.

It has an index of the beginnings of words, as who searches while one types gives it.
"""

from __future__ import annotations

import sqlite3
from pathlib import Path

from tests.bench.scale.asks import ALL, PHRASE, PREFIX, Ask, Source, lines_of
from tests.bench.scale.engines import DEPTH, Opened, Run

_TABLE = """CREATE VIRTUAL TABLE docs USING fts5(terms, content='', prefix='1 2 3',
    tokenize="unicode61 remove_diacritics 0 categories 'L* N* Co M*'")"""
_FIND = "SELECT rowid - 1 FROM docs WHERE docs MATCH ? ORDER BY bm25(docs) LIMIT ?"


def build(source: Source, folder: Path, level: str) -> None:
    """Index the terms in one transaction, and merge what came of it."""
    connection = sqlite3.connect(folder / "docs.db")
    connection.execute(_TABLE)
    rows = enumerate(lines_of(source.terms), 1)
    connection.executemany("INSERT INTO docs (rowid, terms) VALUES (?, ?)", rows)
    connection.execute("INSERT INTO docs (docs) VALUES ('optimize')")
    connection.commit()
    connection.close()


def opened(folder: Path, level: str) -> Opened:
    """Rank by ``bm25()``."""
    connection = sqlite3.connect(folder / "docs.db")

    def prepare(ask: Ask) -> Run:
        asked = expression(ask)
        return lambda: [number for (number,) in connection.execute(_FIND, (asked, DEPTH))]

    return Opened(prepare, [])


def expression(ask: Ask) -> str:
    """Return a query in FTS5's language (https://sqlite.org/fts5.html#full_text_query_syntax).

    >>> expression(Ask(PREFIX, "", "", ("gradient", "de")))
    '"gradient" OR "de" *'
    >>> expression(Ask(PHRASE, "", "", ("gradient", "descent")))
    '"gradient descent"'
    """
    if ask.kind == PHRASE:
        return f'"{" ".join(ask.terms)}"'
    quoted = [f'"{term}"' for term in ask.terms]
    return (" AND " if ask.kind == ALL else " OR ").join(quoted) + " *" * (ask.kind == PREFIX)

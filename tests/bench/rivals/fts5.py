"""SQLite's FTS5 by way of sqlite-utils."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from tests.bench.engine import Make, Search
from tests.bench.judged import Document
from tests.bench.words import MARKED, UNSPACED, terms


def fts5(base: str, title: int = 1, *, typed: bool = False) -> Make:
    """Return what makes a table with sqlite-utils' full-text search; any word may match.

    In a query that is being ``typed`` the last word is a beginning, if it is the end.
    """

    def make(documents: Sequence[Document], lang: str) -> Search:
        from sqlite_utils import Database

        table = Database(sqlite3.connect(":memory:")).table("docs")
        table.insert_all(document._asdict() for document in documents)
        table.enable_fts(["title", "text"], tokenize=_tokenizer(base, lang))

        def sql(most: int) -> str:
            asked = table.search_sql(columns=["id"], limit=most)
            return asked.replace('"docs_fts".rank', f'bm25("docs_fts", {title}.0, 1.0)')

        def search(query: str, most: int) -> list[str]:
            words = terms(query, lang, 3)
            begun = "*" if typed and words and query.endswith(words[-1]) else ""
            asked = " OR ".join(f'"{word}"' for word in words) + begun
            rows = table.db.query(sql(most), {"query": asked}) if asked else ()
            return [row["id"] for row in rows]

        return search

    return make


def _tokenizer(base: str, lang: str) -> str:
    """Return the tokenizer of a language: https://sqlite.org/fts5.html#tokenizers."""
    if lang in UNSPACED:
        return "trigram"
    if lang not in MARKED:
        return base
    letters = "unicode61 categories 'L* N* Co M*'"
    return letters if base == "unicode61" else f"{base} {letters}"

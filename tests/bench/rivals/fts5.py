"""SQLite's FTS5 by way of sqlite-utils."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence

from tests.bench.engine import Make, Search
from tests.bench.judged import Document
from tests.bench.words import MARKED, UNSPACED, terms


def fts5(base: str) -> Make:
    """Return what makes a table with sqlite-utils' full-text search; any word may match."""

    def make(documents: Sequence[Document], lang: str) -> Search:
        from sqlite_utils import Database

        table = Database(sqlite3.connect(":memory:")).table("docs")
        table.insert_all(document._asdict() for document in documents)
        table.enable_fts(["title", "text"], tokenize=_tokenizer(base, lang))

        def search(query: str, most: int) -> list[str]:
            asked = " OR ".join(f'"{term}"' for term in terms(query, lang, 3))
            rows = table.search(asked, columns=["id"], limit=most) if asked else ()
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

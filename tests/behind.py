"""What tests look at and make behind the door: the file's own rows, the index, old formats."""

from __future__ import annotations

import contextlib
import io
import sqlite3
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, BinaryIO

from kb import Library
from kb.exchange.book import Batch, Book
from kb.records import silent


def raw(library: Library) -> Any:
    """Return SQLite's own connection of this thread."""
    return library._base.store.connection().raw


def damaged(library: Library) -> Sequence[int]:
    """Return the documents that are not indexed as their texts say."""
    return library._base.index.check(library._base.store.entries.documents())


def remember(library: Library, key: str, value: str) -> None:
    """Let a database remember something else."""
    with library._base.store.transaction():
        library._base.store.meta.put(key, value)


def written(write: Callable[[Book, BinaryIO], None], book: Book) -> str:
    """Return what a format makes of a book."""
    out = io.BytesIO()
    write(book, out)
    return out.getvalue().decode("utf-8")


def batch(read: Callable[..., Batch], text: str, name: str) -> Batch:
    """Return what a format reads of a text."""
    return read(io.BytesIO(text.encode("utf-8", "surrogatepass")), name, silent)


def make_first(path: Path) -> None:
    """Let a file look like one of the first format."""
    with contextlib.closing(sqlite3.connect(path)) as old, old:
        old.execute("DROP TABLE index_revision")
        old.execute("CREATE TABLE forward (document INTEGER PRIMARY KEY, terms TEXT)")
        old.execute("ALTER TABLE document DROP COLUMN wording")
        old.execute("DELETE FROM _sqlite_migrations WHERE name IN ('wording', 'own_index')")
        columns = "question, source, reference, notes, code, keywords"
        old.execute(
            f"CREATE VIRTUAL TABLE document_fts USING fts5({columns}, content=document, "
            "content_rowid=id)"
        )
        old.execute("PRAGMA user_version = 1")

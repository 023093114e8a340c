"""SQLite's own full-text index, for other programs.

Datasette, sqlite-utils and the ``sqlite3`` shell search the table ``document_fts`` with
``MATCH``; danesh itself does not use it. It indexes every listed document without a copy of its
text (``content``).

SQLite's tokenizer gets the texts as written, because it reads queries in the same way: quoted
words, phrases, hyphenated words and those with a half-space are found. Terms of `kb.text` that
are in no text (stems, other spellings) follow the keywords, where no phrase reaches them.

An edit updates the table in its own transaction; an import is followed in short steps. FTS5
deletes with the text that was added (https://sqlite.org/fts5.html#the_delete_command); its
``document_fts_docsize`` lists the existing documents. SQLite 3.40 or later can read it.
"""

from __future__ import annotations

import json
import re
import time
from collections.abc import Iterator, Sequence
from itertools import chain
from typing import TYPE_CHECKING

from kb.model.documents import COLUMNS, Document
from kb.store.sqlite.rows import LISTED
from kb.store.sqlite.store import FTS5

if TYPE_CHECKING:
    from kb.model.results import Progress
    from kb.search.index.engine import RankedIndex
    from kb.store.sqlite.store import Store

_MOST = 50_000
"""The number of entries up to which the table is kept by default: it slows imports by a fifth."""

_FEW = 500
"""Documents deleted in the transaction of an undo; with more, the table is rebuilt."""

_TURN = 0.3
"""Seconds after which a long transaction ends, so that others can write."""

_AT_ONCE = 1_000
_SAMPLE = 20

# Diacritics stay, and combining marks are letters, as in the terms of `kb.text`.
_TOKENIZER = "unicode61 remove_diacritics 0 categories 'L* N* Co M*'"
_NAMES = ", ".join(COLUMNS)
_CREATION = (
    f'CREATE VIRTUAL TABLE document_fts USING fts5({_NAMES}, content="document", '
    f'content_rowid="id", tokenize="{_TOKENIZER}")'
)
_MARKS = ", ".join("?" * (len(COLUMNS) + 1))
_ADDITION = f"INSERT INTO document_fts (rowid, {_NAMES}) VALUES ({_MARKS})"
_DELETION = f"INSERT INTO document_fts (document_fts, rowid, {_NAMES}) VALUES ('delete', {_MARKS})"
_HELD = "SELECT id FROM document_fts_docsize"
_SHOWN = f"SELECT d.id FROM document d JOIN entry e ON e.key = d.entry WHERE {LISTED}"
_BETWEEN = re.compile("[\x00-/:-@[-`{-\x7f\u200c«»،؛؟]+")
"""A sign that certainly ends a word for SQLite's tokenizer."""


def prepare(store: Store) -> None:
    """Prepare a file without the table to get one; the caller holds the transaction."""
    if not _is_kept(store):
        clear(store)


def add(store: Store, documents: Sequence[Document]) -> None:
    """Index the listed ones among these documents; the caller holds the transaction."""
    if _is_kept(store):
        sql = f"{_SHOWN} AND d.id IN (SELECT value FROM json_each(?)) AND d.id NOT IN ({_HELD})"
        _change(store, _ADDITION, documents, sql)


def remove(store: Store, documents: Sequence[Document]) -> None:
    """Delete documents with the texts that were added; the caller holds the transaction."""
    if _is_kept(store):
        _change(
            store, _DELETION, documents, f"{_HELD} WHERE id IN (SELECT value FROM json_each(?))"
        )


def follow(store: Store, layer: int, *, shown: bool) -> None:
    """Follow an import that was shown or undone; the caller holds the transaction.

    Hidden documents are removed at once; new ones are left to `update`.
    """
    if not _is_kept(store):
        return
    numbers = list(store.layers.documents(layer))
    if shown:
        known = store.meta.get(FTS5)
        store.meta.put(FTS5, str(min([*numbers, *([int(known)] if known else [])], default="")))
    elif len(numbers) > _FEW:
        clear(store)
    else:
        remove(store, list(store.entries.documents(store.layers.entries(layer))))


def update(store: Store, progress: Progress) -> None:
    """Index missing documents in short steps, unless the table has become too large.

    If ``progress`` raises, the next update continues.
    """
    if store.meta.get(FTS5) == "":
        return
    if not _is_wanted(store):
        if _is_kept(store):
            with store.transaction():
                clear(store)
        return
    done, total = 0, int(store.connection.value(f"SELECT count(*) FROM ({_SHOWN})"))
    with store.working("an update"):
        while count := _step(store):
            done += count
            progress(min(done, total), total)


def complete(store: Store) -> None:
    """Make the table of a copy contain all its documents, and no trace of others.

    The caller holds the transaction.
    """
    connection = store.connection
    if _is_kept(store) and _numbers(store, _HELD) == _numbers(store, "SELECT id FROM document"):
        connection.run("INSERT INTO document_fts (document_fts) VALUES ('optimize')")
        return
    clear(store)
    connection.run(_CREATION)
    connection.run_many(_ADDITION, map(_row, store.entries.documents()))
    store.meta.put(FTS5, "")


def clear(store: Store) -> None:
    """Remove the table, which the next `update` rebuilds; the caller holds the transaction."""
    store.connection.run("DROP TABLE IF EXISTS document_fts")
    store.meta.put(FTS5, "0")


def count(store: Store) -> int | None:
    """Return the number of documents in the table; nothing if it does not exist."""
    return len(_numbers(store, _HELD)) if _is_kept(store) else None


def differing(store: Store, index: RankedIndex) -> list[int]:
    """Return the documents of a sample that differ between this table and our index.

    The set of documents is compared completely.
    """
    if not _is_kept(store):
        return []
    with store.connection.snapshot():
        start, listed, held = store.meta.get(FTS5), _numbers(store, _SHOWN), _numbers(store, _HELD)
        due = {number for number in listed if not start or number < int(start)}
        both = sorted(held & listed)
        sample = both[:: len(both) // _SAMPLE + 1]
        found = store.entries.documents(store.entries.holding(sample))
        wrong = _unlike(store, index, [each for each in found if each.id in sample])
    return sorted({*wrong, *(held - listed), *(due - held)})


def _unlike(store: Store, index: RankedIndex, documents: Sequence[Document]) -> Iterator[int]:
    """Yield those of these documents whose terms differ."""
    numbers = [each.id for each in documents]
    terms = list(dict.fromkeys(chain.from_iterable(map(_terms, documents))))
    theirs: dict[int, set[str]] = {number: set() for number in numbers}
    sql = (
        "SELECT rowid FROM document_fts WHERE document_fts MATCH ? "
        "AND rowid IN (SELECT value FROM json_each(?))"
    )
    for term in terms:
        for (number,) in store.connection.rows(sql, (f'"{term}"', json.dumps(numbers))):
            theirs[number].add(term)
    for document, columns in zip(documents, index.occurrences(numbers, terms), strict=True):
        ours = {term for each in columns.values() for term in (*each.stems, *each.forms)}
        written, found = _written(document), theirs[document.id]
        # What is a term of other texts may be written here without being one: don't has a t.
        if not ours <= found or any(term not in written for term in found - ours):
            yield document.id


def _step(store: Store) -> int:
    """Index documents for a moment; return their number, 0 when none is missing."""
    connection, done = store.connection, 0
    with store.transaction():
        end = time.monotonic() + _TURN
        if not _is_kept(store):
            connection.run(_CREATION)
        sql = f"{_SHOWN} AND d.id >= ? AND d.id NOT IN ({_HELD}) ORDER BY d.id LIMIT ?"
        start = int(store.meta.get(FTS5) or 0)
        missing = [row[0] for row in connection.rows(sql, (start, _AT_ONCE))]
        store.meta.put(FTS5, str(missing[-1] + 1) if missing else "")
        wanted = set(missing)
        for document in store.entries.documents(store.entries.holding(missing)):
            if document.id in wanted:
                connection.run(_ADDITION, _row(document))
                done += 1
                if time.monotonic() > end:
                    store.meta.put(FTS5, str(document.id + 1))
                    break
    return done


def _change(store: Store, sql: str, documents: Sequence[Document], which: str) -> None:
    """Execute a statement for those of these documents that a query returns."""
    asked = json.dumps([each.id for each in documents])
    numbers = _numbers(store, which, (asked,))
    store.connection.run_many(sql, (_row(each) for each in documents if each.id in numbers))


def _numbers(store: Store, sql: str, values: Sequence[object] = ()) -> set[int]:
    return {row[0] for row in store.connection.rows(sql, values)}


def _is_kept(store: Store) -> bool:
    """Return whether the table exists in this form; older exports had another."""
    sql = "SELECT count(*) FROM sqlite_master WHERE name = 'document_fts' AND sql = ?"
    return bool(store.connection.value(sql, (_CREATION,)))


def _is_wanted(store: Store) -> bool:
    from kb.settings import read_settings

    setting = read_settings()[0].sqlite_search
    few = f"SELECT count(*) <= {_MOST} FROM (SELECT 1 FROM entry LIMIT {_MOST + 1})"
    return setting == "always" or (setting == "auto" and bool(store.connection.value(few)))


def _row(document: Document) -> tuple[int | str, ...]:
    """Return the indexed data of a document: its texts, and the terms in none of them."""
    *texts, keywords = (document.texts.get(column) or "" for column in COLUMNS)
    words = {each for each in _BETWEEN.split(_written(document)) if each.isalnum()}
    beside = [term for term in _terms(document) if term not in words]
    return (document.id, *texts, " ".join([keywords, *beside]))


def _terms(document: Document) -> dict[str, None]:
    """Return the terms of a document, without duplicates."""
    from kb.text.analyzer import indexed  # not needed to open a file

    texts = filter(None, document.texts.values())
    both = chain.from_iterable(indexed(text, document.lang) for text in texts)
    return dict.fromkeys(chain.from_iterable(both))


def _written(document: Document) -> str:
    """Return the texts of a document in lower case."""
    return "\n".join(filter(None, document.texts.values())).lower()

"""Titles and aliases as they are looked up: a number for each that spellings of it share."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, Protocol

from kb.text.analyzer import title_key

_INSERT = "INSERT OR IGNORE INTO title (folded, alias, document) VALUES (?, ?, ?)"
_STORED = "SELECT d.id, d.question, e.aliases FROM document d JOIN entry e ON e.key = d.entry"

Title = tuple[int, int, int]
"""The number of a title, whether it is an alias, and the document that has it."""


class _Rows(Protocol):
    """What statements are run through: a connection of ours, or the driver's own."""

    def execute(self, sql: str, /) -> Iterable[Any]: ...
    def executemany(self, sql: str, rows: Iterable[Title], /) -> object: ...


def titles_of(document: int, question: str, aliases: Sequence[str]) -> Iterator[Title]:
    """Yield the rows of a document with such a title and such aliases."""
    for place, text in enumerate((question, *aliases)):
        key = title_key(text)
        if key is not None:
            yield key, int(place > 0), document


def put(connection: _Rows, titles: Iterable[Title]) -> None:
    """Store titles; those of a document go with it."""
    connection.executemany(_INSERT, titles)


def fill(connection: _Rows) -> None:
    """Store the titles of all documents in place of those stored."""
    connection.execute("DELETE FROM title")
    put(connection, _stored(connection))


def wrong(connection: _Rows) -> set[int]:
    """Return the documents whose titles are not stored as they are written."""
    kept = set(connection.execute("SELECT folded, alias, document FROM title"))
    return {title[2] for title in {tuple(each) for each in kept} ^ set(_stored(connection))}


def _stored(connection: _Rows) -> Iterator[Title]:
    for document, question, aliases in connection.execute(_STORED):
        yield from titles_of(document, question, json.loads(aliases or "[]"))

"""What narrows a query, as a small tree, and the tree as SQL.

The tree speaks of documents (``d``: an entry in one language) and their entries
(``e``). Values are always bound, never written into the SQL.
"""

from __future__ import annotations

import json
from dataclasses import dataclass

from kb.records import Filters


@dataclass(frozen=True, slots=True)
class Match:
    """The document holds what an FTS5 expression asks for."""

    expression: str


@dataclass(frozen=True, slots=True)
class Has:
    """The document's entry has ``value`` in one of `FIELDS`."""

    field: str
    value: str


@dataclass(frozen=True, slots=True)
class Named:
    """The document's entry is one of these."""

    ids: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Every:
    """All of the conditions hold; of none, always."""

    of: tuple[Condition, ...] = ()


@dataclass(frozen=True, slots=True)
class Some:
    """At least one of the conditions holds."""

    of: tuple[Condition, ...]


@dataclass(frozen=True, slots=True)
class Lacks:
    """No document of the entry meets the condition."""

    condition: Condition


Condition = Match | Has | Named | Every | Some | Lacks

FIELDS = {
    "lang": "d.lang = ? COLLATE NOCASE",
    "collection": "e.collection = ?",
    "level": "e.level = ? COLLATE NOCASE",
    "topic": "e.topic = ? COLLATE NOCASE",
    "kind": "e.kind = ? COLLATE NOCASE",
    "id": "e.id = ?",
    "tag": "EXISTS (SELECT 1 FROM json_each(e.tags) WHERE value = ? COLLATE NOCASE)",
    "verdict": "EXISTS (SELECT 1 FROM annotation a WHERE a.entry = e.id"
    " AND a.verdict = ? COLLATE NOCASE)",
}
"""The fields a reader can ask for, each with its test of one bound value."""


def from_filters(filters: Filters) -> Every:
    """Return the condition that all given filters hold."""
    given = {
        "lang": filters.lang,
        "collection": filters.collection,
        "level": filters.level,
        "verdict": filters.verdict,
        "tag": filters.tag,
    }
    return Every(tuple(Has(name, value) for name, value in given.items() if value is not None))


def to_sql(condition: Condition) -> tuple[str, list[str]]:
    """Return the condition as an SQL expression and the values to bind.

    >>> to_sql(Every((Has("level", "H"), Lacks(Match('"gpu"')))))[1]
    ['H', '"gpu"']
    """
    match condition:
        case Match(expression):
            found = "SELECT rowid FROM document_fts WHERE document_fts MATCH ?"
            return f"d.id IN ({found})", [expression]
        case Has(field, value):
            return FIELDS[field], [value]
        case Named(ids):
            return "e.id IN (SELECT value FROM json_each(?))", [json.dumps(ids)]
        case Every(of):
            return _join(of, " AND ", empty="1")
        case Some(of):
            return _join(of, " OR ", empty="0")
        case Lacks(inner):
            sql, values = to_sql(inner)
            entries = "SELECT d.entry FROM document d JOIN entry e ON e.id = d.entry"
            return f"e.id NOT IN ({entries} WHERE {sql})", values


def _join(of: tuple[Condition, ...], word: str, empty: str) -> tuple[str, list[str]]:
    if not of:
        return empty, []
    parts = [to_sql(part) for part in of]
    sql = word.join(f"({text})" for text, _ in parts)
    return sql, [value for _, values in parts for value in values]

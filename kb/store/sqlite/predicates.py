"""Predicates as SQL over documents (``d``) and their entries (``e``); values are always bound."""

from __future__ import annotations

import json
from collections.abc import Callable, Sequence

from kb.records.clauses import (
    Clause,
    Every,
    Has,
    Lacks,
    Matches,
    Named,
    Predicate,
    Some,
    is_of_entries,
)

SqlFragment = tuple[str, list[str]]
"""An SQL expression and the values to bind."""

Matching = Callable[[Clause], Sequence[int]]
"""Returns the numbers of the documents that meet a clause; the index alone knows how."""

FIELDS = {
    "lang": "d.lang = ? COLLATE NOCASE",
    # Its name, or the beginning of it that ends at a slash.
    "collection": "instr(e.collection || '/', ? || '/') = 1",
    "level": "e.level = ? COLLATE NOCASE",
    "topic": "e.topic = ? COLLATE NOCASE",
    "kind": "e.kind = ? COLLATE NOCASE",
    "id": "e.id = ?",
    "tag": "EXISTS (SELECT 1 FROM json_each(e.tags) WHERE value = ? COLLATE NOCASE)",
    "verdict": "EXISTS (SELECT 1 FROM annotation a WHERE a.entry = e.id"
    " AND a.verdict = ? COLLATE NOCASE)",
}
"""The fields a predicate can ask for, each with its test of one bound value."""


def to_sql(predicate: Predicate, matching: Matching) -> SqlFragment:
    """Return the predicate in SQL.

    >>> to_sql(Every((Has("level", "H"), Lacks(Matches(Clause(()))))), lambda clause: [7])[1]
    ['H', '[7]']
    """
    match predicate:
        case Matches(clause):
            documents = json.dumps(matching(clause))
            return "d.id IN (SELECT value FROM json_each(?))", [documents]
        case Has(field, value):
            return FIELDS[field], [value]
        case Named(ids):
            return "e.id IN (SELECT value FROM json_each(?))", [json.dumps(ids)]
        case Every(of):
            return _join(of, matching, " AND ", empty="1")
        case Some(of):
            return _join(of, matching, " OR ", empty="0")
        case Lacks(inner):
            return _lacking(inner, matching)


def _join(of: tuple[Predicate, ...], matching: Matching, word: str, empty: str) -> SqlFragment:
    if not of:
        return empty, []
    parts = [to_sql(part, matching) for part in of]
    sql = word.join(f"({text})" for text, _ in parts)
    return sql, [value for _, values in parts for value in values]


def _lacking(inner: Predicate, matching: Matching) -> SqlFragment:
    """Say that no document of the entry meets a predicate; one on entries is met by all or none."""
    sql, values = to_sql(inner, matching)
    if is_of_entries(inner):
        return f"({sql}) IS NOT TRUE", values
    joined = "" if isinstance(inner, Matches) else " JOIN entry e ON e.key = d.entry"
    return f"e.key NOT IN (SELECT d.entry FROM document d{joined} WHERE {sql})", values

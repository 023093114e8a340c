"""Predicates as SQL over documents (``d``) and their entries (``e``); values are always bound."""

from __future__ import annotations

import json
from collections.abc import Callable

from kb.records.clauses import Clause
from kb.records.predicates import Every, Has, Lacks, Matches, Named, Predicate, Some, is_of_entries
from kb.store.sqlite.visibility import SHOWN

SqlFragment = tuple[str, list[str]]
"""An SQL expression and the values to bind."""

Matching = Callable[[Clause], SqlFragment]
"""Says in SQL that a document meets a clause; the index alone knows how."""

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


def narrowed(predicate: Predicate, matching: Matching) -> SqlFragment:
    """Return the predicate in SQL, of the entries that are there for a reader."""
    sql, values = to_sql(predicate, matching)
    return f"({sql}) AND {SHOWN}", values


def to_sql(predicate: Predicate, matching: Matching) -> SqlFragment:
    """Return the predicate in SQL.

    >>> by_name = lambda clause: ("d.id IN (…)", ["gpu"])
    >>> to_sql(Every((Has("level", "H"), Lacks(Matches(Clause(()))))), by_name)[1]
    ['H', 'gpu']
    """
    match predicate:
        case Matches(clause):
            return matching(clause)
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
    joined = "" if isinstance(inner, Matches) else " JOIN entry e ON e.id = d.entry"
    return f"e.id NOT IN (SELECT d.entry FROM document d{joined} WHERE {sql})", values

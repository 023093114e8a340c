"""Clauses in FTS5's query language (https://sqlite.org/fts5.html#full_text_query_syntax).

Every term is quoted, and terms hold only letters, digits and marks.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from kb.model.clauses import Clause, Phrase


def any_of(clauses: Iterable[Clause], also: str = "") -> str:
    """Return the expression that any of the clauses meets, and another where there is one.

    >>> any_of([Clause((Phrase(("k", "nn")), Phrase(("knn",)))), Clause((Phrase(("gr",), True),))])
    '("k nn" OR "knn") OR "gr" *'
    >>> any_of([Clause((Phrase(("gr",)),))], also='"ad"')
    '("gr") AND "ad"'
    """
    either = " OR ".join(dict.fromkeys(map(expression, clauses)))
    return f"({either}) AND {also}" if also else either


def all_of(clauses: Iterable[Clause]) -> str:
    """Return the expression that all clauses meet."""
    return " AND ".join(dict.fromkeys(f"({expression(clause)})" for clause in clauses))


def expression(clause: Clause) -> str:
    """Return the expression of one clause."""
    phrases = list(dict.fromkeys(map(_phrase, clause.phrases)))
    return phrases[0] if len(phrases) == 1 else f"({' OR '.join(phrases)})"


def matching(clause: Clause) -> tuple[str, list[str]]:
    """Say in SQL that a document meets a clause."""
    found = "SELECT rowid FROM document_fts WHERE document_fts MATCH ?"
    return f"d.id IN ({found})", [expression(clause)]


def _phrase(phrase: Phrase) -> str:
    return _quoted(phrase.terms) + " *" * phrase.open


def _quoted(terms: Sequence[str]) -> str:
    return f'"{" ".join(terms)}"'

"""What narrows a query, a list or an export, as a small tree.

The tree speaks of documents: an entry in one language.
"""

from __future__ import annotations

from dataclasses import dataclass

from kb.records.clauses import Clause
from kb.records.results import Filters


@dataclass(frozen=True, slots=True)
class Matches:
    """The document holds what a clause asks for."""

    clause: Clause


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
    """All of the predicates hold; of none, always."""

    of: tuple[Predicate, ...] = ()


@dataclass(frozen=True, slots=True)
class Some:
    """At least one of the predicates holds."""

    of: tuple[Predicate, ...]


@dataclass(frozen=True, slots=True)
class Lacks:
    """No document of the entry meets the predicate."""

    predicate: Predicate


Predicate = Matches | Has | Named | Every | Some | Lacks

FIELDS = ("lang", "collection", "level", "topic", "kind", "id", "tag", "verdict")
"""The fields a reader can ask for."""


def from_filters(filters: Filters) -> Every:
    """Return the predicate that all given filters hold."""
    given = filters._asdict().items()
    return Every(tuple(Has(name, value) for name, value in given if value is not None))


def described(predicate: Predicate) -> str:
    """Return a predicate as a person would say it.

    >>> described(Every((Has("level", "H"), Lacks(Has("tag", "gpu")))))
    'level is H, and no tag is gpu'
    >>> described(Every())
    'none'
    """
    match predicate:
        case Matches(clause):
            return f"the text holds {describe_clause(clause)}"
        case Has(field, value):
            return f"{field} is {value}"
        case Named(ids):
            return f"one of {len(ids)} entries"
        case Every(of):
            return ", and ".join(map(described, of)) or "none"
        case Some(of):
            return " or ".join(map(described, of)) or "nothing can meet it"
        case Lacks(inner):
            return f"no {described(inner)}"


def describe_clause(clause: Clause) -> str:
    """Return a clause as a person would write it.

    >>> from kb.records.clauses import Phrase
    >>> describe_clause(Clause((Phrase(("k", "nn")), Phrase(("knn",), open=True))))
    '"k nn" or "knn…"'
    """
    phrases = (f'"{" ".join(terms)}{"…" * begun}"' for terms, begun in clause.phrases)
    return " or ".join(phrases)

"""Index queries as records, independent of any engine."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from kb.model.results import Filters

K1, B = 1.2, 0.75
"""BM25 parameters: the saturation of term frequency and the weight of text length, as in FTS5
(https://sqlite.org/fts5.html#the_bm25_function)."""


class Phrase(NamedTuple):
    """Adjacent terms in order; if ``open``, the last is a prefix."""

    terms: tuple[str, ...]
    open: bool = False


class Clause(NamedTuple):
    """The alternatives for a word or phrase of a query.

    ``weight`` is its weight in ranking.
    """

    phrases: tuple[Phrase, ...]
    weight: float = 1.0


def weights_of(clauses: Iterable[Clause]) -> dict[Phrase, float]:
    """Return the weight of each phrase in some clauses: the maximum over its clauses.

    >>> network = Phrase(("network",))
    >>> weights_of([Clause((network,)), Clause((network,), 2.0)])
    {Phrase(terms=('network',), open=False): 2.0}
    """
    weights: dict[Phrase, float] = {}
    for clause in clauses:
        for phrase in clause.phrases:
            weights[phrase] = max(weights.get(phrase, 0.0), clause.weight)
    return weights


class Scoring(NamedTuple):
    """The scoring of documents: a factor per column, and for some languages."""

    weights: dict[str, float]
    damped: tuple[str, ...] = ()
    damping: float = 1.0


class Candidate(NamedTuple):
    """A matching document: its entry, language and score (higher is better)."""

    document: int
    entry: str
    lang: str
    score: float = 0.0


class Candidates(NamedTuple):
    """The best documents, one per entry, and the number of matching entries."""

    total: int
    found: tuple[Candidate, ...]


class Occurrences(NamedTuple):
    """The positions of query terms in a column of a document.

    ``stems`` has for each occurring term its ascending positions from 0; ``forms`` has its
    frequency among inflected forms.
    """

    stems: dict[str, list[int]]
    forms: dict[str, int]


# What narrows a query, a list or an export, as a small tree.
#
# The tree speaks of documents: an entry in one language.


@dataclass(frozen=True, slots=True)
class Matches:
    """The document matches a clause."""

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
    """All predicates hold; true if there are none."""

    of: tuple[Predicate, ...] = ()


@dataclass(frozen=True, slots=True)
class Some:
    """At least one of the predicates holds."""

    of: tuple[Predicate, ...]


@dataclass(frozen=True, slots=True)
class Lacks:
    """No document of the entry matches the predicate."""

    predicate: Predicate


Predicate = Matches | Has | Named | Every | Some | Lacks

FIELDS = ("lang", "collection", "level", "topic", "kind", "id", "tag", "verdict")
"""The fields of queries."""


def from_filters(filters: Filters) -> Every:
    """Return the predicate of all given filters."""
    given = filters._asdict().items()
    return Every(tuple(Has(name, value) for name, value in given if value is not None))


def is_of_entries(predicate: Predicate) -> bool:
    """Return whether a predicate holds for all documents of an entry or for none."""
    match predicate:
        case Matches():
            return False
        case Has(field, _):
            return field != "lang"
        case Named() | Lacks():
            return True
        case Every(of) | Some(of):
            return all(map(is_of_entries, of))


def every(predicates: Sequence[Predicate]) -> Every:
    """Return the conjunction of predicates; excluded texts become one clause.

    >>> every([Lacks(Matches(Clause(("a",)))), Lacks(Matches(Clause(("b",))))]).of
    (Lacks(predicate=Matches(clause=Clause(phrases=('a', 'b'), weight=1.0))),)
    """
    distinct = dict.fromkeys(predicates)
    without = [e for e in distinct if isinstance(e, Lacks) and isinstance(e.predicate, Matches)]
    held = tuple(each for each in distinct if each not in without)
    texts = [each.predicate for each in without]
    return Every((*held, Lacks(any_of(texts))) if texts else held)


def any_of(predicates: Sequence[Predicate]) -> Predicate:
    """Return the disjunction of predicates; several texts become one clause.

    >>> any_of([Matches(Clause(("a",))), Has("level", "H"), Matches(Clause(("b",)))]).of
    (Matches(clause=Clause(phrases=('a', 'b'), weight=1.0)), Has(field='level', value='H'))
    """
    distinct = dict.fromkeys(predicates)
    texts = [each for each in distinct if isinstance(each, Matches)]
    others = [each for each in distinct if not isinstance(each, Matches)]
    phrases = dict.fromkeys(phrase for text in texts for phrase in text.clause.phrases)
    held = (Matches(Clause(tuple(phrases))), *others) if texts else tuple(others)
    return held[0] if len(held) == 1 else Some(held)


def described(predicate: Predicate) -> str:
    """Return a predicate in readable form.

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
    """Return a clause in readable form.

    >>> from kb.model.clauses import Phrase
    >>> describe_clause(Clause((Phrase(("k", "nn")), Phrase(("knn",), open=True))))
    '"k nn" or "knn…"'
    """
    phrases = (f'"{" ".join(terms)}{"…" * is_open}"' for terms, is_open in clause.phrases)
    return " or ".join(phrases)

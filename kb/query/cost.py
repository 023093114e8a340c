"""What it costs to ask an index, judged before it is asked, by how frequent the words are.

An index does in one step what takes long where words are frequent, so no count of its steps
says in time what a question takes. The figures are in units of `kb.work`, measured on 20,000
and 100,000 documents.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Protocol

from kb.records.clauses import (
    Clause,
    Every,
    Has,
    Lacks,
    Matches,
    Named,
    Predicate,
    Some,
    demands,
    is_of_entries,
)

STATEMENT = 60.0
"""What any statement takes."""

_READ = 0.02  # a document in the list of a word
_FOUND = 0.1  # a document that is scored
_PLAINLY, _LITTLE = 2.0, 4_096  # what more it takes where there is little, and what is little
_HELD = 0.05  # a document that is kept for a predicate on texts
_CHOSEN = 10.0  # a clause that is looked for in a few documents
_RULED_OUT = 2.5  # a document whose entry a predicate rules out
_LISTED = 0.15  # an entry that is counted
_LATER = 0.6
_FIELDS = {"tag": 0.8, "verdict": 0.5, "collection": 0.5, "lang": 0.5}
_FIELD = 0.25
_LOOK, _TERM = 3.0, 0.004  # a spelling that is looked for in a document, and in a term of it


class Frequencies(Protocol):
    """How often words stand in an index."""

    def learn(self, terms: Iterator[str]) -> None:
        """Look up terms that will be asked for, all at once."""

    def frequency(self, term: str) -> int:
        """Return in how many documents a term stands."""

    def clause_frequency(self, clause: Clause) -> int:
        """Return in how many documents a clause is met, at most."""


def of_search(
    clauses: Sequence[Clause], predicate: Predicate, known: Frequencies, documents: int
) -> float:
    """Return what it takes to rank the documents that meet any clause, and the predicate."""
    demanded, others = demands(predicate)
    known.learn(_terms([*clauses, *demanded]))
    read = sum(_reading(clause, known) for clause in clauses)
    rows = min(documents, sum(_met(clause, known) for clause in clauses))
    found = min([rows, *(_met(clause, known) for clause in demanded)])
    asked = found * _FOUND + min(found, _LITTLE) * _PLAINLY
    held = sum(_held(clause, known) for clause in demanded if clause not in clauses)
    narrowed = rows * _each(others) + _once(others, known, documents)
    return STATEMENT + read * _READ + asked + held + narrowed


def of_list(predicate: Predicate, known: Frequencies, documents: int) -> float:
    """Return what it takes to count and to list the entries that meet a predicate."""
    each = 2 * (_LISTED + _each(predicate))
    return 2 * STATEMENT + documents * each + 2 * _once(predicate, known, documents)


def of_choice(
    clauses: Sequence[Clause], predicate: Predicate, known: Frequencies, documents: int
) -> float:
    """Return what it takes to say which of a few documents meet any clause, and the predicate."""
    demanded, others = demands(predicate)
    known.learn(_terms([*clauses, *demanded]))
    read = sum(_reading(clause, known) for clause in (*clauses, *demanded))
    looked = _CHOSEN * len(clauses)
    return 2 * STATEMENT + read * _READ + looked + _once(others, known, documents)


def of_closer_look(spellings: int, length: int) -> float:
    """Return what it takes to look for so many spellings in a document of so many terms."""
    return spellings * (_LOOK + _TERM * length)


def _each(predicate: Predicate) -> float:
    """Return what a predicate takes for one document."""
    match predicate:
        case Has(field, _):
            return _FIELDS.get(field, _FIELD)
        case Matches() | Named():
            return _FIELD
        case Some(of):
            return sum(map(_each, of))
        case Every(of):
            # What the first denies is not asked of the others.
            return sum(_each(one) * _LATER**place for place, one in enumerate(of))
        case Lacks(inner):
            return _FIELD + _each(inner)


def _once(predicate: Predicate, known: Frequencies, documents: int) -> float:
    """Return what a predicate takes before the first document."""
    match predicate:
        case Has():
            return 0.0
        case Matches(clause):
            return _held(clause, known)
        case Named(ids):
            return float(len(ids))
        case Every(of) | Some(of):
            return sum(_once(each, known, documents) for each in of)
        case Lacks(Matches(clause)):
            return _held(clause, known) + _met(clause, known) * _RULED_OUT
        case Lacks(inner) if is_of_entries(inner):
            return _once(inner, known, documents)
        case Lacks(inner):
            return _once(inner, known, documents) + documents * (_RULED_OUT + _each(inner))


def _held(clause: Clause, known: Frequencies) -> float:
    known.learn(_terms([clause]))
    return _reading(clause, known) * _READ + _met(clause, known) * _HELD


def _met(clause: Clause, known: Frequencies) -> int:
    """Return in how many documents any phrase of a clause may stand."""
    if len(clause.phrases) == 1:
        return known.clause_frequency(clause)
    return sum([known.clause_frequency(Clause((phrase,))) for phrase in clause.phrases])


def _reading(clause: Clause, known: Frequencies) -> float:
    """Return how many documents stand in the lists of a clause's words."""
    listed = 0
    for phrase in clause.phrases:
        if phrase.open:
            listed += known.clause_frequency(Clause((phrase,)))
        else:
            listed += sum([known.frequency(term) for term in phrase.terms])
    return listed


def _terms(clauses: Sequence[Clause]) -> Iterator[str]:
    phrases = (phrase for clause in clauses for phrase in clause.phrases if not phrase.open)
    return (term for phrase in phrases for term in phrase.terms)

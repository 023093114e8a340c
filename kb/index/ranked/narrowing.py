"""Predicates as sets of the documents of a part, whatever an evaluator takes for a set."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import reduce
from operator import or_
from typing import Any

from kb.index.ranked.building import fact
from kb.index.ranked.searching import Searcher
from kb.records.clauses import Clause, Phrase
from kb.records.predicates import Every, Has, Lacks, Matches, Named, Predicate, Some

Ordinals = Callable[[tuple[str, ...]], Iterable[int]]
"""Gives the ordinals of the documents of entries."""


def meeting(searcher: Searcher, predicate: Predicate, of_entries: Ordinals) -> Any | None:
    """Return the documents that meet a predicate, or nothing where all do."""
    match predicate:
        case Every(of):
            return _both(searcher, of, of_entries)
        case Some(of):
            return _either(searcher, of, of_entries)
        case Matches(clause):
            return holding(searcher, clause)
        case Named(ids) | Has("id", ids):
            return searcher.chosen(of_entries(ids if isinstance(ids, tuple) else (ids,)))
        case Has(field, value):
            return searcher.with_facts(_facts(searcher, field, value))
        case Lacks(inner):
            met = meeting(searcher, inner, of_entries)
            if met is None:
                return searcher.none()
            return searcher.without(searcher.of_entries(met))


def holding(searcher: Searcher, clause: Clause) -> Any:
    """Return the documents that meet a clause."""
    if not clause.phrases:
        return searcher.none()
    return reduce(or_, map(searcher.holding, clause.phrases))


def names(predicate: Predicate) -> Iterator[str]:
    """Yield the terms and the names of facts that a predicate asks for, as far as they are known.

    >>> [name.replace(chr(0), "|") for name in names(Every((Has("level", "H"), Named(("a",)))))]
    ['|level|h']
    """
    match predicate:
        case Every(of) | Some(of):
            for each in of:
                yield from names(each)
        case Matches(clause):
            yield from terms(clause.phrases)
        case Has(field, value):
            if field != "id":
                yield fact(field, value)
        case Lacks(inner):
            yield from names(inner)


def terms(phrases: Iterable[Phrase]) -> Iterator[str]:
    """Yield the terms of phrases that are whole."""
    for words, begun in phrases:
        yield from words[:-1] if begun else words


def _facts(searcher: Searcher, field: str, value: str) -> list[str]:
    """Return the names of the facts that a value in a field means: a collection holds others."""
    name = fact(field, value)
    return [name, *searcher.facts(name + "/")] if field == "collection" else [name]


def _either(searcher: Searcher, of: Iterable[Predicate], of_entries: Ordinals) -> Any:
    found = searcher.none()
    for each in of:
        met = meeting(searcher, each, of_entries)
        found = found | (searcher.every if met is None else met)
    return found


def _both(searcher: Searcher, of: Iterable[Predicate], of_entries: Ordinals) -> Any | None:
    found: Any | None = None
    for each in of:
        met = meeting(searcher, each, of_entries)
        if met is not None:
            found = met if found is None else found & met
    return found

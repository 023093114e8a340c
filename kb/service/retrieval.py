"""Retrieval in two stages: the index finds and ranks candidates, the best few are ranked again.

The index is asked for the words that tell something by themselves: function words find nothing
worth reading beside these. The best few are then scored by the whole query.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Sequence
from dataclasses import dataclass

from kb.index.port import Index
from kb.query import cost
from kb.query.compile import Plan, QueryTerm, clauses_of
from kb.query.lexicon import Lexicon
from kb.ranking.rerank import (
    FIELD_WEIGHTS,
    FUNCTION_WEIGHT,
    TRANSLATION_WEIGHT,
    Reranker,
    WeightedTerm,
    idf,
)
from kb.records import Page
from kb.records.clauses import Candidate, Candidates, Every, Predicate, Scoring
from kb.store.sqlite.catalog import Catalog
from kb.work import Budget

CANDIDATES = 50
"""How many of the best are ranked again."""


@dataclass(frozen=True, slots=True)
class Searched:
    """What is searched: an index of so many documents, its words, and the lists of the store."""

    index: Index
    catalog: Catalog
    lexicon: Lexicon
    documents: int

    @property
    def budget(self) -> Budget:
        """What may be done for the search."""
        return self.lexicon.budget


def retrieve(source: Searched, plan: Plan, narrowed: Predicate, page: Page) -> Candidates:
    """Return a page of what a plan finds, ranked if it asks for text."""
    predicate = Every((plan.predicate, narrowed))
    if not plan.terms:
        source.budget.spend(cost.of_list(predicate, source.lexicon, source.documents))
        total, refs = source.catalog.select(predicate, page)
        return Candidates(total, tuple(Candidate(0, *ref) for ref in refs))
    _look_up(source.lexicon, plan)
    end = None if page.limit is None else page.offset + page.limit
    found = _ranked(source, plan, sought(plan), predicate, end)
    return Candidates(found.total, found.found[page.offset : end])


def sought(plan: Plan) -> Sequence[QueryTerm]:
    """Return the terms of which a document that a plan finds meets one."""
    return about_something(plan.terms) if plan.optional else plan.terms


def about_something(terms: Sequence[QueryTerm]) -> Sequence[QueryTerm]:
    """Return the terms that tell something by themselves, or all where none does."""
    return [term for term in terms if term.is_content] or terms


def _look_up(lexicon: Lexicon, plan: Plan) -> None:
    """Look up all terms of a plan at once."""
    every = (*plan.terms, *plan.words, *plan.translations)
    lexicon.learn(term for each in every for spelling in each.spellings for term in spelling)


def _ranked(
    source: Searched,
    plan: Plan,
    terms: Sequence[QueryTerm],
    predicate: Predicate,
    end: int | None,
) -> Candidates:
    """Return the first that these terms find, the best of them ranked again."""
    most = None if end is None else max(CANDIDATES, end)
    scoring = Scoring(FIELD_WEIGHTS, plan.translated_into, TRANSLATION_WEIGHT)
    terms = affordable(source, terms, predicate)
    candidates = source.index.candidates(clauses_of(terms), predicate, scoring, most)
    asked = _asked(source, plan.words, terms)
    names = _asked(source, plan.translations, terms)
    ordered = _reranked(source, asked, names, candidates.found, plan.lang)
    return Candidates(candidates.total, tuple(ordered))


def affordable(
    source: Searched, terms: Sequence[QueryTerm], predicate: Predicate
) -> Sequence[QueryTerm]:
    """Count what it takes to ask for terms, and leave out the commonest that are too much.

    Raises `DeadlineExceeded` where the rarest is.
    """

    def takes(some: Sequence[QueryTerm]) -> float:
        return cost.of_search(clauses_of(some), predicate, source.lexicon, source.documents)

    needed = takes(terms)
    if not source.budget.affords(needed):
        source.budget.leave_undone()
        by_rarity = sorted(terms, key=lambda term: source.lexicon.clause_frequency(term.clause))
        fitting = bisect_right(
            range(1, len(terms)), source.budget.left, key=lambda n: takes(by_rarity[:n])
        )
        terms = by_rarity[: max(1, fitting)]
        needed = takes(terms)
    source.budget.spend(needed)
    return terms


def _asked(
    source: Searched, words: Sequence[QueryTerm], ranked: Sequence[QueryTerm]
) -> list[WeightedTerm]:
    return [
        WeightedTerm(
            word.spellings,
            word.surfaces,
            idf(source.documents, source.lexicon.clause_frequency(word.clause))
            * (1.0 if word.is_content else FUNCTION_WEIGHT)
            * word.clause.weight,
            word in ranked,
            word.share,
        )
        for word in words
    ]


def _reranked(
    source: Searched,
    asked: Sequence[WeightedTerm],
    names: Sequence[WeightedTerm],
    found: Sequence[Candidate],
    lang: str,
) -> list[Candidate]:
    """Rank the first candidates again; of equals, those in the reader's language come first.

    Those that are equal in that, too, are in the order of their entries' ids.
    """
    if not (asked or names):
        return list(found)
    best, rest = found[:CANDIDATES], found[CANDIDATES:]
    lengths = source.index.lengths([each.document for each in best])
    average = sum(lengths) / len(lengths) if any(lengths) else 1.0
    spellings = sum(len(word.spellings) + len(word.surfaces) for word in (*asked, *names))
    best = best[: _looked_at(source.budget, spellings, lengths)]
    reranker = Reranker(asked, names)
    columns = source.index.occurrences([each.document for each in best], reranker.terms)
    scored = []
    for each, there, length in zip(best, columns, lengths, strict=False):
        # Always in one order: to add in another may change the last digit.
        fields = [(weight, there[name]) for name, weight in FIELD_WEIGHTS.items() if name in there]
        score = each.score + reranker.gain(fields, length / average)
        scored.append(Candidate(each.document, each.entry, each.lang, score))
    scored.sort(key=lambda each: (-each.score, each.lang != lang, each.entry))
    return [*scored, *found[len(scored) : CANDIDATES], *rest]


def _looked_at(budget: Budget, spellings: int, lengths: Sequence[int]) -> int:
    """Count the work of looking closer at texts; return at how many of them the budget does."""
    whole = sum([cost.of_closer_look(spellings, length) for length in lengths])
    if budget.affords(whole):
        budget.spend(whole)
        return len(lengths)
    for place, length in enumerate(lengths):
        takes = cost.of_closer_look(spellings, length)
        if not budget.affords(takes):
            budget.leave_undone()
            return place
        budget.spend(takes)
    return len(lengths)

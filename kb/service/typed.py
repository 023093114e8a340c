"""What is found at once while a query is typed: ranked by the index alone."""

from __future__ import annotations

from kb.query.compile import Plan, clauses_of
from kb.query.interpret import begun
from kb.query.parser import Node
from kb.ranking.rerank import FIELD_WEIGHTS, Wanted
from kb.records.clauses import Every, Predicate, Scoring
from kb.service.arranging import Match, arranged, exact_titles
from kb.service.retrieval import Searched, affordable, sought
from kb.text.analyzer import is_function_word


def first_matches(
    source: Searched, node: Node, typed: str, narrowed: Predicate, limit: int
) -> list[Match]:
    """Return the best documents for the words typed so far that tell something, one an entry.

    They are ranked as candidates are, in their own language and not ranked again. Raises
    `DeadlineExceeded` where that takes more than the budget has.
    """
    plan = begun(node, typed, source.lexicon)
    titles = exact_titles(source, node, typed, narrowed, lambda: plan)
    if not plan.terms:
        return list(titles[:limit])
    predicate = Every((plan.predicate, narrowed))
    clauses = clauses_of(affordable(source, sought(plan), predicate))
    found = source.index.candidates(clauses, predicate, Scoring(FIELD_WEIGHTS), limit).found
    wanted = _shown(plan)
    matches = [Match(each, "text", wanted) for each in found]
    return arranged(source, titles, matches)[:limit]


def _shown(plan: Plan) -> Wanted:
    """Return what is marked: what is shown at once is the first place that matches, not the best.

    Function words would be that place nearly always.
    """
    wanted = plan.wanted
    terms = {term: number for term, number in wanted.terms.items() if not is_function_word(term)}
    return Wanted(terms or wanted.terms, wanted.prefixes, 1)

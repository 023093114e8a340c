"""How a query was read and ranked, for ``--explain``."""

from __future__ import annotations

from kb.query.fallbacks import FALLBACKS, LITTLE
from kb.ranking.rerank import FIELD_WEIGHTS
from kb.records.clauses import Predicate, describe_clause, described
from kb.service.answer import SearchAnswer
from kb.service.retrieval import CANDIDATES


def explanation(found: SearchAnswer, narrowed: Predicate) -> tuple[str, ...]:
    """Return the lines that say what was asked, in which order, and how it was ranked."""
    weights = ", ".join(f"{name} {value:g}" for name, value in FIELD_WEIGHTS.items())
    order = ", ".join(fallback.name for fallback in FALLBACKS)
    asked = [
        f"{step.name}: " + (", ".join(map(describe_clause, step.plan.clauses)) or "no text")
        for step in found.steps
    ]
    demanded = [f"demanded: {described(step.plan.predicate)}" for step in found.steps[:1]]
    titled = [f"exact titles, before all others: {', '.join(found.titled)}"] if found.titled else []
    return (
        *asked,
        *titled,
        *demanded,
        f"filters: {described(narrowed)}",
        f"ranking: BM25, best document of each entry; weights {weights}",
        f"re-ranked, the first {CANDIDATES}: words near each other, exact forms",
        "a note and the cards made from it are one hit",
        f"fallbacks where fewer than {LITTLE} are found: joined words in their parts, {order}",
    )

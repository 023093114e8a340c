"""A search from the query to the hits, in the order of resort that ``--explain`` shows."""

from __future__ import annotations

import dataclasses
import time
from itertools import islice

from kb.model import Filters, Hit, Results
from kb.search import excerpt, spelling
from kb.search.listing import Page
from kb.search.parser import parse
from kb.search.plan import Plan, Reading, Wanted, make_plan
from kb.search.tree import Bare, Node, Prefix, Words, positive_texts
from kb.search.weights import FIELD_WEIGHTS
from kb.store import index, queries
from kb.store.conditions import Condition, Every, from_filters
from kb.store.database import Database
from kb.store.driver import SQLITE_ERRORS
from kb.store.index import Found, Ranking, Retrieved

_MOST_MENDED = 8
_TOO_SLOW = "The query asks too much at once and was stopped; ask for fewer or rarer words."


def search(
    database: Database,
    query: str,
    filters: Filters,
    page: Page,
    *,
    explain: bool = False,
    typing: bool = False,
) -> Results:
    """Find the entries a query asks for, best first.

    ``typing`` reads the last word as one that may not be finished.
    """
    began = time.perf_counter()
    parsed = parse(query)
    if parsed.node is None:
        return Results(query, 0, (), notice=parsed.notice)
    node = _unfinished(parsed.node) if typing and query[-1:].strip() else parsed.node
    narrowed = from_filters(filters)
    with database.errors():
        plan, retrieved, notice = _resort(database, node, narrowed, page)
        hits = tuple(_hit(database, found, plan.wanted) for found in retrieved.found)
        suggestion = (
            None if retrieved.total or notice else _suggestion(database, query, node, filters)
        )
    return Results(
        query=query,
        total=retrieved.total,
        hits=hits,
        took_ms=round((time.perf_counter() - began) * 1000, 3),
        suggestion=suggestion,
        notice=parsed.notice or notice,
        explanation=_explanation(node, plan, narrowed) if explain else (),
    )


def mark(database: Database, text: str, lang: str, query: str) -> tuple[tuple[int, int], ...]:
    """Return the places in a text that a query matches, as a search would mark them."""
    node = parse(query).node
    if node is None:
        return ()
    with database.errors():
        languages = index.languages(database.connection)
    return excerpt.marks(text, lang, make_plan(node, Reading(languages)).wanted)


def _resort(
    database: Database, node: Node, narrowed: Condition, page: Page
) -> tuple[Plan, Retrieved, str | None]:
    """Ask as it was written, and if that finds nothing, with joined words in their parts."""
    languages = index.languages(database.connection)
    plan = make_plan(node, Reading(languages))
    try:
        with index.deadline(database.connection):
            retrieved = _retrieve(database, plan, narrowed, page)
            if not retrieved.total:
                loose = make_plan(node, Reading(languages, loose=True))
                if loose.expression != plan.expression:
                    plan, retrieved = loose, _retrieve(database, loose, narrowed, page)
    except SQLITE_ERRORS as error:
        if "interrupted" not in str(error):
            raise
        return plan, Retrieved(0, ()), _TOO_SLOW
    return plan, retrieved, None


def _retrieve(database: Database, plan: Plan, narrowed: Condition, page: Page) -> Retrieved:
    condition = Every((plan.condition, narrowed))
    limit = -1 if page.limit is None else page.limit
    connection = database.connection
    if plan.expression:
        return index.retrieve(
            connection, plan.expression, condition, plan.ranking, limit, page.offset
        )
    total, found = queries.select(connection, condition, limit, page.offset)
    return Retrieved(total, tuple(Found(0, entry, lang, 0.0) for entry, lang in found))


def _hit(database: Database, found: Found, wanted: Wanted) -> Hit:
    connection = database.connection
    hit = queries.get_hit(connection, found.entry, found.lang)
    texts = queries.get_document(connection, found.entry, found.lang)
    return dataclasses.replace(
        hit,
        score=round(found.score, 6),
        via="text",
        excerpt=excerpt.excerpt(texts, found.lang, wanted),
    )


def _suggestion(database: Database, query: str, node: Node, filters: Filters) -> str | None:
    """Return the query with its unknown words mended, if it then finds something."""
    vocabulary = dict(index.vocabulary(database.connection))
    suggested = query
    for text in islice(positive_texts(node), _MOST_MENDED):
        mended = spelling.correct(text.text, vocabulary, lambda term: _as_written(database, term))
        if mended is not None:
            suggested = suggested.replace(text.text, mended, 1)
    found = parse(suggested).node
    if suggested == query or found is None:
        return None
    return suggested if _resort(database, found, from_filters(filters), Page(1))[1].total else None


def _as_written(database: Database, term: str) -> str:
    """Return a term as some document writes it: terms are folded, and many are stems."""
    ranking = Ranking(FIELD_WEIGHTS)
    found = index.retrieve(database.connection, f'"{term}"', Every(), ranking, 5).found
    wanted = Wanted(frozenset([term]))
    spellings = [
        text[start:end]
        for document in found
        for text in queries.get_document(
            database.connection, document.entry, document.lang
        ).values()
        if text
        for start, end in excerpt.marks(text, document.lang, wanted)
    ]
    return min(spellings, key=len, default=term)


def _unfinished(node: Node) -> Node:
    """Read the last word as a beginning, too."""
    if isinstance(node, Words):
        return Bare((node, Prefix(node.text)))
    if isinstance(node, Bare) and isinstance(node.of[-1], Words):
        return Bare((*node.of, Prefix(node.of[-1].text)))
    return node


def _explanation(node: Node, plan: Plan, narrowed: Condition) -> tuple[str, ...]:
    weights = ", ".join(f"{name} {value:g}" for name, value in FIELD_WEIGHTS._asdict().items())
    return (
        f"query: {node}",
        f"index: {plan.expression or '(no text: every entry that meets the condition)'}",
        f"condition: {plan.condition}",
        f"filters: {narrowed}",
        f"ranking: BM25, best document of each entry; weights {weights}",
        "resort: as written; then joined words in their parts; then a suggestion",
    )

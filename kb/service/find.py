"""A search from the query to the hits, in the order of resort that ``--explain`` shows."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Callable, Iterator
from itertools import islice

from kb.index.fts5 import index
from kb.index.fts5.index import Ranking
from kb.index.fts5.terms import Vocabulary
from kb.query import spelling
from kb.query.fallbacks import FOREIGN, LITTLE, MOST_MISSPELT, RESORTS, known
from kb.query.parser import parse
from kb.query.plan import Reading, Wanted, any_of, make_plan
from kb.query.tree import Bare, Node, Prefix, Words, positive_texts
from kb.ranking import excerpt
from kb.ranking.weights import FIELD_WEIGHTS
from kb.records import Filters, Hit, Page, Results
from kb.service.answer import Answer, Match, answer
from kb.service.retrieval import CANDIDATES, frequencies, retrieve, telling
from kb.store.sqlite import queries
from kb.store.sqlite.conditions import Condition, Every, from_filters
from kb.store.sqlite.database import Database
from kb.store.sqlite.driver import SQLITE_ERRORS

Cancelled = Callable[[], bool]
"""Is asked whether the answer is still wanted."""

_MOST_MENDED = 8
_FEW_WORDS = 4
_MOST_AT_ONCE = 20
_LOOKED_AT_ONCE = 500  # characters of a text in which the first match is looked for


def never() -> bool:
    """Say that an answer is still wanted."""
    return False


def search(
    database: Database,
    query: str,
    filters: Filters,
    page: Page,
    *,
    explain: bool = False,
    typing: bool = False,
    cancelled: Cancelled = never,
) -> Results:
    """Find the entries a query asks for, best first.

    ``typing`` reads the last word as one that may not be finished. A search that is
    ``cancelled`` gives up and finds nothing.
    """
    began = time.perf_counter()
    parsed = parse(query)
    if parsed.node is None:
        return Results(query, 0, (), notice=parsed.notice)
    node = _unfinished(parsed.node) if typing and query[-1:].strip() else parsed.node
    narrowed = from_filters(filters)
    with database.errors():
        # Half a word is no misspelling.
        resorts = [each for each in RESORTS if not (typing and each.via == "spelling")]
        found = answer(database, node, narrowed, page, resorts, cancelled)
        hits = tuple(_hit(database, match) for match in found.matches)
        asked = _may_be_misspelt(node, found, typing) and not cancelled()
        words = found.vocabulary
        suggestion = _suggestion(database, query, node, filters, words) if asked else None
    return Results(
        query=query,
        total=found.total,
        hits=hits,
        took_ms=round((time.perf_counter() - began) * 1000, 3),
        suggestion=suggestion,
        notice=parsed.notice or found.notice,
        explanation=_explanation(found, narrowed) if explain else (),
    )


def as_typed(
    database: Database, query: str, filters: Filters, page: Page, cancelled: Cancelled
) -> Iterator[Results]:
    """Yield what is found at once, unranked, and then the ranked answer, unless cancelled.

    The first asks only for entries that hold every word, the last one as a beginning if no
    blank follows it; where there is none, for those that hold the rarest.
    """
    began = time.perf_counter()
    node = parse(query).node
    words = [text.text for text in positive_texts(node)] if node is not None else []
    plain = words and node in (Words(words[0]), Bare(tuple(map(Words, words))))
    if plain and not page.offset:
        last = Prefix(words[-1]) if query[-1:].strip() else Words(words[-1])
        with database.errors(), index.deadline(database.connection, cancelled):
            texts = Bare((*map(Words, words[:-1]), last))
            found = _at_once(database, texts, from_filters(filters), page)
        if found and not cancelled():
            hits = tuple(_hit(database, match, _LOOKED_AT_ONCE) for match in found)
            took = round((time.perf_counter() - began) * 1000, 3)
            yield Results(query, len(hits), hits, took_ms=took)
    if cancelled():
        return
    ranked = search(database, query, filters, page, typing=True, cancelled=cancelled)
    if not cancelled():
        yield ranked


def _at_once(database: Database, texts: Bare, narrowed: Condition, page: Page) -> list[Match]:
    connection = database.connection
    reading = Reading(index.languages(connection))
    plan = make_plan(texts, reading)
    pieces = [piece for text in texts.of for piece in make_plan(text, reading).pieces]
    if not pieces:
        return []
    # What is shown at once is the first place that matches, not the best.
    wanted = plan.wanted._replace(words=1)
    limit = _MOST_AT_ONCE if page.limit is None else min(page.limit, _MOST_AT_ONCE)
    try:
        every = " AND ".join(f"({piece.expression})" for piece in pieces)
        found = index.first(connection, every, narrowed, limit)
        if not found and len(pieces) > 1:
            rarest = any_of(telling(pieces, frequencies(connection), 1))
            found = index.first(connection, rarest, narrowed, limit)
    except SQLITE_ERRORS as error:
        if "interrupted" not in str(error):
            raise
        return []
    return [Match(each, "text", wanted) for each in found]


def mark(database: Database, text: str, lang: str, query: str) -> tuple[tuple[int, int], ...]:
    """Return the places in a text that a query matches, as a search would mark them."""
    node = parse(query).node
    if node is None:
        return ()
    with database.errors():
        languages = index.languages(database.connection)
    return excerpt.marks(text, lang, make_plan(node, Reading(languages)).wanted)


def _hit(database: Database, match: Match, within: int | None = None) -> Hit:
    connection = database.connection
    found = match.found
    hit = queries.get_hit(connection, found.entry, found.lang)
    texts = queries.get_document(connection, found.entry, found.lang)
    return dataclasses.replace(
        hit,
        score=round(found.score, 6),
        via=match.via,
        excerpt=excerpt.excerpt(texts, found.lang, match.wanted, within),
    )


def _may_be_misspelt(node: Node, found: Answer, typing: bool) -> bool:
    """Say whether a spelling is to be looked for: little was found, or few words were asked."""
    if found.notice or any(match.via in FOREIGN for match in found.matches):
        return False
    few = sum(1 for _ in positive_texts(node)) <= _FEW_WORDS and not typing
    return few or found.plain < LITTLE


def _suggestion(
    database: Database, query: str, node: Node, filters: Filters, vocabulary: Vocabulary
) -> str | None:
    """Return the query with its unknown words mended, if it then finds something."""
    unknown = sum(not known(vocabulary, text.text) for text in positive_texts(node))
    if not 0 < unknown <= MOST_MISSPELT:
        return None
    suggested = query
    for text in islice(positive_texts(node), _MOST_MENDED):
        mended = spelling.correct(text.text, vocabulary, lambda term: _as_written(database, term))
        if mended is not None:
            suggested = suggested.replace(text.text, mended, 1)
    found = parse(suggested).node
    if suggested == query or found is None:
        return None
    plan = make_plan(found, Reading(index.languages(database.connection)))
    return suggested if retrieve(database, plan, from_filters(filters), Page(1)).total else None


def _as_written(database: Database, term: str) -> str:
    """Return a term as some document writes it: terms are folded, and many are stems."""
    ranking = Ranking(FIELD_WEIGHTS)
    found = index.retrieve(database.connection, f'"{term}"', Every(), ranking, 5).found
    wanted = Wanted({term: 0}, {}, 1)
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


def _explanation(found: Answer, narrowed: Condition) -> tuple[str, ...]:
    weights = ", ".join(f"{name} {value:g}" for name, value in FIELD_WEIGHTS._asdict().items())
    order = ", ".join(resort.name for resort in RESORTS)
    return (
        *(
            f"{name}: {plan.expression or '(no text: every entry that meets the condition)'}"
            for name, plan in found.steps
        ),
        f"condition: {found.steps[0][1].condition}" if found.steps else "",
        f"filters: {narrowed}",
        f"ranking: BM25, best document of each entry; weights {weights}",
        f"second look at {CANDIDATES}: the whole query, words near each other, exact forms",
        f"resorts where fewer than {LITTLE} are found: joined words in their parts, {order}",
    )

"""Finding: as a query was written and translated, and by the resorts where that finds little."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Sequence
from typing import NamedTuple

from kb.index.fts5 import index
from kb.index.fts5.index import Found, Retrieved
from kb.index.fts5.terms import Vocabulary
from kb.query.fallbacks import FOREIGN, LITTLE, Resort, compounded, is_foreign, readings
from kb.query.plan import Plan, Reading, Wanted, any_of, make_plan
from kb.query.translation import languages_of, translated
from kb.query.tree import Node
from kb.records import Page, Via
from kb.service.retrieval import about_something, retrieve
from kb.store.sqlite.conditions import Condition, Every, Lacks, Named
from kb.store.sqlite.database import Database
from kb.store.sqlite.driver import SQLITE_ERRORS, Connection

_TOO_SLOW = "The query asks too much at once and was stopped; ask for fewer or rarer words."


class Match(NamedTuple):
    """A document that was found, by what, and the forms it is marked by."""

    found: Found
    via: Via
    wanted: Wanted


class Answer(NamedTuple):
    """What was found, of ``total``, of which ``plain`` as it was written, and by what steps.

    ``vocabulary`` has what was looked up in the index on the way.
    """

    total: int
    plain: int
    matches: tuple[Match, ...]
    steps: tuple[tuple[str, Plan], ...]
    vocabulary: Vocabulary
    notice: str | None = None


def answer(
    database: Database,
    node: Node,
    narrowed: Condition,
    page: Page,
    resorts: Sequence[Resort],
    cancelled: Callable[[], bool],
) -> Answer:
    """Ask as it was written; where that finds little, take the resorts in their order."""
    steps: list[tuple[str, Plan]] = []
    vocabulary = Vocabulary(database.connection)
    try:
        with index.deadline(database.connection, cancelled):
            return _resorted(database, node, narrowed, page, resorts, steps, vocabulary)
    except SQLITE_ERRORS as error:
        if "interrupted" not in str(error):
            raise
        return Answer(0, 0, (), tuple(steps), vocabulary, _TOO_SLOW)


def _resorted(
    database: Database,
    node: Node,
    narrowed: Condition,
    page: Page,
    resorts: Sequence[Resort],
    steps: list[tuple[str, Plan]],
    vocabulary: Vocabulary,
) -> Answer:
    connection = database.connection
    reading = Reading(index.languages(connection))
    node = compounded(node, vocabulary)
    written = make_plan(node, reading)
    into = languages_of(connection, node)
    plan = make_plan(translated(node, connection), reading)
    names = tuple(piece for piece in plan.words if piece not in written.words)
    plan = dataclasses.replace(plan, words=written.words, translations=names, translated_into=into)
    steps.append(("as written", written))
    if plan.expression != written.expression:
        steps.append(("and translated", plan))
    plain = retrieve(database, plan, narrowed, page)
    if not plain.total:
        loose = make_plan(node, dataclasses.replace(reading, loose=True))
        if loose.expression != plan.expression:
            plan = loose
            steps.append(("joined words in their parts", loose))
            plain = retrieve(database, loose, narrowed, page)
    matches = _in_own_language(connection, written, plain.found, narrowed, plan.wanted)
    as_it_is = Answer(plain.total, plain.total, tuple(matches), tuple(steps), vocabulary)
    by_chance = plain.total >= LITTLE and is_foreign(node, vocabulary)
    if by_chance:  # by parts of words that are in another alphabet or layout
        resorts = [resort for resort in resorts if resort.via in FOREIGN]
    for resort, other in readings(node, vocabulary, resorts, 0 if by_chance else plain.total):
        again = make_plan(other, reading)
        steps.append((resort.name, again))
        if by_chance:
            more, beside = retrieve(database, again, narrowed, page), 0
        else:
            more, beside = _behind(database, plan, again, narrowed, page), plain.total
        if more.total:
            found = [Match(each, resort.via, again.wanted) for each in more.found]
            shown = (*(matches if beside else ()), *found)
            return Answer(beside + more.total, beside, shown, tuple(steps), vocabulary)
    return as_it_is._replace(steps=tuple(steps))


def _in_own_language(
    connection: Connection,
    written: Plan,
    found: Sequence[Found],
    narrowed: Condition,
    wanted: Wanted,
) -> list[Match]:
    """Give each of what was found in the language it was asked in, if that text matches too."""
    if not written.pieces:
        return [Match(each, "text", wanted) for each in found]
    condition = Every((written.condition, narrowed))
    telling = any_of(about_something(written.pieces))
    own = index.matching(connection, found, telling, condition, written.lang)
    return [
        Match(own.get(each.entry, each), "text", written.wanted)
        if each.entry in own
        else Match(each, "translation", wanted)
        for each in found
    ]


def _behind(
    database: Database, plain: Plan, other: Plan, narrowed: Condition, page: Page
) -> Retrieved:
    """Return what another plan finds beside the little that was found, on the same page."""
    little = retrieve(database, plain, narrowed, Page(LITTLE))
    taken = tuple(found.entry for found in little.found)
    without = Every((narrowed, Lacks(Named(taken)))) if taken else narrowed
    shown = len(taken[page.offset :])
    limit = None if page.limit is None else max(0, page.limit - shown)
    return retrieve(database, other, without, Page(limit, max(0, page.offset - len(taken))))

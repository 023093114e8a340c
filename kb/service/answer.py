"""Finding: as a query was written and translated, and by the fallbacks where that finds little."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from kb.errors import DeadlineExceeded
from kb.query import cost
from kb.query.compile import Plan, clauses_of
from kb.query.fallbacks import FALLBACKS, FOREIGN, LITTLE, is_foreign, readings
from kb.query.interpret import Interpretation, interpret
from kb.query.parser import Node
from kb.records import Page
from kb.records.clauses import Candidate, Candidates, Clause, Every, Lacks, Named, Predicate
from kb.service.arranging import Match, arranged, exact_titles
from kb.service.retrieval import CANDIDATES, Searched, about_something, retrieve, sought
from kb.store.sqlite.glossary import Glossary


class Step(NamedTuple):
    """A way in which a query was read, and what that asks for."""

    name: str
    plan: Plan


class SearchAnswer(NamedTuple):
    """What was found, of ``total``, of which ``plain`` as it was written, and by what steps.

    ``titled`` are the entries that come first, as the query is their title or an alias.
    """

    total: int
    plain: int
    matches: tuple[Match, ...]
    steps: tuple[Step, ...]
    titled: tuple[str, ...] = ()


_NOTHING = SearchAnswer(0, 0, (), ())

_COUNTED = 4 * CANDIDATES
"""Where more matches, a card behind those that are looked at counts in the total as a hit of its
own; the pages are right in any case."""


def answer(
    source: Searched, glossary: Glossary, node: Node, typed: str, narrowed: Predicate, page: Page
) -> SearchAnswer:
    """Return a page of what is found: exact titles first, and a note and its cards as one.

    ``typed`` is the query as it was typed: a blank at its end ends its last word. Where the
    budget ends, what was found until then is returned. Raises `DeadlineExceeded` where the
    answer is no more wanted.
    """
    titles: Sequence[Match] = ()
    try:
        titles = exact_titles(
            source,
            node,
            typed,
            narrowed,
            lambda: interpret(node, typed, source.lexicon, glossary).translated,
        )
    except DeadlineExceeded:
        if source.budget.cancelled:
            raise
    cards = source.catalog.has_cards()
    if not titles and not cards:
        return _found(source, glossary, node, typed, narrowed, page)
    end = None if page.limit is None else page.offset + page.limit
    most = None if end is None else max(end, CANDIDATES if cards else 0)
    while True:
        found = _found(source, glossary, node, typed, narrowed, Page(most))
        shown = arranged(source, titles, found.matches)
        fetched = len(found.matches)
        counted = not cards or not fetched < found.total <= _COUNTED
        if end is None or most is None or fetched < most or (counted and len(shown) >= end):
            break
        most *= 4
    behind = found.total - fetched
    if behind:  # where titles that were not fetched stand among others: they hold all words
        names = {each.found.entry for each in found.matches}
        behind -= sum(each.found.entry not in names for each in titles)
    return SearchAnswer(
        max(behind, 0) + len(shown),
        max(found.plain, len(titles)),
        tuple(shown[page.offset : end]),
        found.steps,
        tuple(each.found.entry for each in titles),
    )


def _found(
    source: Searched, glossary: Glossary, node: Node, typed: str, narrowed: Predicate, page: Page
) -> SearchAnswer:
    """Ask as it was written; where that finds little, take the fallbacks in their order."""
    found = _NOTHING
    try:
        for better in _answers(source, glossary, node, typed, narrowed, page):
            found = better
    except DeadlineExceeded:
        if source.budget.cancelled:
            raise
    return found


def _answers(
    source: Searched, glossary: Glossary, node: Node, typed: str, narrowed: Predicate, page: Page
) -> Iterator[SearchAnswer]:
    """Yield what is found, each time in place of the one before."""
    asked = interpret(node, typed, source.lexicon, glossary)
    plan = asked.translated
    steps = [Step("as written", asked.written)]
    if plan.clauses != asked.written.clauses:
        steps.append(Step("and translated", plan))
    plain = retrieve(source, plan, narrowed, page)
    yield _as_ranked(plain, plan, steps)
    if not plain.total:
        loose = asked.loosened(source.lexicon)
        if loose.clauses != plan.clauses:
            plan, asked = loose, asked._replace(written=loose)
            steps.append(Step("joined words in their parts", loose))
            plain = retrieve(source, loose, narrowed, page)
            yield _as_ranked(plain, loose, steps)
    matches = _in_own_language(source, asked, plan, plain.found, narrowed)
    found = SearchAnswer(plain.total, plain.total, tuple(matches), tuple(steps))
    yield found
    yield _by_fallbacks(source, asked.node, plan, found, steps, narrowed, page)


def _as_ranked(plain: Candidates, plan: Plan, steps: Sequence[Step]) -> SearchAnswer:
    """Return what was found in whatever language it ranked best."""
    matches = tuple(Match(each, "text", plan.wanted) for each in plain.found)
    return SearchAnswer(plain.total, plain.total, matches, tuple(steps))


def _by_fallbacks(
    source: Searched,
    node: Node,
    plan: Plan,
    plain: SearchAnswer,
    steps: list[Step],
    narrowed: Predicate,
    page: Page,
) -> SearchAnswer:
    """Return what was found, and where that is little what the first fallback finds behind it."""
    lexicon = source.lexicon
    # What parts of words find that are in another alphabet or layout, they find by chance;
    # what a translation finds, it finds as it was meant.
    as_meant = any(match.via != "text" for match in plain.matches)
    by_chance = plain.total >= LITTLE and not as_meant and is_foreign(node, lexicon)
    tried = [each for each in FALLBACKS if not by_chance or each.via in FOREIGN]
    for fallback, again in readings(node, lexicon, tried, 0 if by_chance else plain.total):
        steps.append(Step(fallback.name, again))
        if by_chance:
            more, beside = retrieve(source, again, narrowed, page), 0
        else:
            more, beside = _behind(source, plan, again, narrowed, page), plain.total
        if more.total:
            found = (Match(each, fallback.via, again.wanted) for each in more.found)
            shown = (*(plain.matches if beside else ()), *found)
            return SearchAnswer(beside + more.total, beside, shown, tuple(steps))
    return plain._replace(steps=tuple(steps))


def _in_own_language(
    source: Searched,
    asked: Interpretation,
    plan: Plan,
    found: Sequence[Candidate],
    narrowed: Predicate,
) -> list[Match]:
    """Give each of what a plan found in the language it was asked in, if that text matches too.

    One that holds a name which is nowhere as it was typed is given as it was found.
    """
    written = asked.written
    if not written.terms or not found:
        return [Match(each, "text", plan.wanted) for each in found]
    predicate = Every((written.predicate, narrowed))
    content = clauses_of(about_something(written.terms))
    takes = cost.of_choice(content, predicate, source.lexicon, source.documents)
    source.budget.spend(takes)
    same = clauses_of(sought(plan)) == content and plan.predicate == written.predicate
    # What was found by the very same in the language that was asked in is its own best.
    matching = {each.entry: [each] for each in found if same and each.lang == written.lang}
    others = [each.entry for each in found if each.entry not in matching]
    for each in source.index.documents_of(others, content, predicate) if others else ():
        matching.setdefault(each.entry, []).append(each)
    named = _holding(source, found, asked.namesakes, narrowed)
    matches = []
    for each in found:
        own = matching.get(each.entry)
        if each.document in named:
            matches.append(Match(each, "transliteration", plan.wanted))
        elif own is None:
            matches.append(Match(each, "translation", plan.wanted))
        else:
            best = min(own, key=lambda this, each=each: _order(this, each, written.lang))  # type: ignore[misc]  # ours
            kept = each._replace(document=best.document, lang=best.lang)
            matches.append(Match(kept, "text", written.wanted))
    return matches


def _holding(
    source: Searched, found: Sequence[Candidate], names: Sequence[Clause], narrowed: Predicate
) -> set[int]:
    """Return the numbers of the documents of what was found that hold one of these names."""
    if not names:
        return set()
    source.budget.spend(cost.of_choice(names, narrowed, source.lexicon, source.documents))
    entries = [each.entry for each in found]
    return {each.document for each in source.index.documents_of(entries, names, narrowed)}


def _order(this: Candidate, found: Candidate, lang: str) -> tuple[bool, bool, str]:
    """Put the text in the language that was asked in first, then the one that was found."""
    return this.lang != lang, this.document != found.document, this.lang


def _behind(
    source: Searched, plain: Plan, other: Plan, narrowed: Predicate, page: Page
) -> Candidates:
    """Return what another plan finds beside the little that was found, on the same page."""
    little = retrieve(source, plain, narrowed, Page(LITTLE))
    taken = tuple(found.entry for found in little.found)
    without = Every((narrowed, Lacks(Named(taken)))) if taken else narrowed
    shown = len(taken[page.offset :])
    limit = None if page.limit is None else max(0, page.limit - shown)
    return retrieve(source, other, without, Page(limit, max(0, page.offset - len(taken))))

"""Search from query to hits, and lists without a query."""

from __future__ import annotations

import dataclasses
import functools
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING

from kb.errors import DeadlineExceeded, Message, joined_sentences
from kb.model.clauses import (
    Clause,
    Every,
    Phrase,
    Predicate,
    Scoring,
    describe_clause,
    described,
    from_filters,
)
from kb.model.results import Excerpt, Filters, Hit, Page, Results
from kb.search import excerpt, fallbacks, lexicon
from kb.search.compile import Analysis, Plan, clauses_of, make_plan
from kb.search.excerpt import Marker, marks
from kb.search.fallbacks import FALLBACKS, FOREIGN, LITTLE, MOST_UNKNOWN
from kb.search.interpret import beginning_plan, planned
from kb.search.lexicon import Lexicon
from kb.search.parser import Node, Prefix, parse, positive_texts
from kb.search.rerank import FIELD_WEIGHTS, Wanted
from kb.search.translation import key_of
from kb.service.answer import (
    CANDIDATES,
    JOINED,
    Match,
    Question,
    SearchAnswer,
    affordable,
    answer,
    arranged,
    exact_titles,
    query_terms_of,
    retrieve,
)
from kb.service.base import Service, clean, clean_filters, count_of, only_our_errors
from kb.store.sqlite.ledger import Glossary
from kb.store.sqlite.rows import Ref, Texts
from kb.store.sqlite.store import VECTORS
from kb.text.analyzer import is_affix, is_function_word
from kb.text.fold import script
from kb.text.languages import default_language
from kb.work import Budget, never, undisturbed

if TYPE_CHECKING:
    from kb.service.meaning import Meaning

IsCancelled = Callable[[], bool]
"""Returns whether the answer is no longer wanted."""

_MOST_AT_ONCE = 20
_LOOKED_AT_ONCE = 500  # characters of a text in which the first match is looked for

# Units of work that a search may take: enough for any question to this many documents.
_LEAST, _A_DOCUMENT, _MOST = 120_000, 6, 2_000_000
_FIRST_TIER = 0.2  # its share of it
_ALL = 600 * _LEAST  # who writes all that is found waits for it
_MARKS = 150_000

STOPPED = Message(
    "The query was too much work and was stopped, so results may be missing. Use fewer or "
    "rarer words."
)
"""The message for a query that was stopped."""


class Find(Service):
    """Search and lists."""

    def search(
        self,
        query: str,
        *,
        limit: int | None = 10,
        offset: int = 0,
        filters: Filters | None = None,
        explain: bool = False,
        cancelled: IsCancelled = never,
    ) -> Results:
        """Find entries for a query, best first.

        Entries that match most of the plain words come first. Any text is a query. Raises
        `UsageError` for a negative limit or offset. It stops once ``cancelled`` returns true.
        """
        page = Page(count_of("limit", limit), count_of("offset", offset) or 0)
        wanted = from_filters(clean_filters(filters))
        with undisturbed():
            return self._search(clean("a query", query), wanted, page, explain, cancelled)

    def search_typed(
        self,
        query: str,
        *,
        limit: int | None = 10,
        filters: Filters | None = None,
        cancelled: IsCancelled = never,
    ) -> Iterator[Results]:
        """Yield the results of a query being typed: quick ones first, then all.

        ``cancelled`` is called during the work; once it returns true, nothing more is yielded.
        The quick results rank the words so far, the last as a prefix unless a space follows,
        without translations and fallbacks; their total counts only them. They are omitted if
        empty. The second results are those of `search`.
        """
        with only_our_errors(self._base.path):
            page, typed = Page(count_of("limit", limit)), clean("a query", query)
            narrowed = from_filters(clean_filters(filters))
            began = time.perf_counter()
            hits = self._at_once(typed, narrowed, page, cancelled)
            if hits and not cancelled():
                yield Results(typed, len(hits), hits, took_ms=_since(began))
            if not cancelled():
                ranked = self._search(typed, narrowed, page, False, cancelled)
                if not cancelled():
                    yield ranked

    def list(
        self,
        *,
        limit: int | None = None,
        offset: int = 0,
        filters: Filters | None = None,
        hidden: bool = False,
    ) -> Results:
        """Return the entries that match the filters, in the order of their collections.

        They are the listed entries, or those that the reader has ``hidden``.
        """
        page = Page(count_of("limit", limit), count_of("offset", offset) or 0)
        predicate = from_filters(clean_filters(filters))
        total, refs = self._base.store.catalog.select(predicate, page, hidden=hidden)
        return Results("", total, tuple(self._base.store.catalog.hits(refs)))

    def ids(self, query: str, *, filters: Filters | None = None) -> Sequence[str]:
        """Return the ids of all results of `search`, page by page, best first."""
        node = parse(clean("a query", query)).node
        if node is None:
            return ()
        narrowed = from_filters(clean_filters(filters))
        budget = Budget(_ALL)
        asked = self._question(budget, node, query, narrowed)
        with self._base.store.connection.within(budget):
            found = answer(asked, Page(answer(asked, Page(1)).total))
        if budget.ended:
            raise DeadlineExceeded
        return tuple(match.found.entry for match in found.matches)

    def marks(self, text: str, lang: str, query: str) -> tuple[tuple[int, int], ...]:
        """Return the matching spans of a text for a query, as a search marks them.

        Only the first part of a long text is marked.
        """
        node = parse(clean("a query", query)).node
        shown, spoken = clean("a text", text), clean("a language", lang)
        if node is None:
            return ()
        reading = Analysis(self._base.store.catalog.languages())
        marker = Marker(make_plan(node, reading).wanted)
        return excerpt.marks(shown, spoken, marker, Budget(_MARKS))

    def _question(
        self, budget: Budget, node: Node, typed: str, narrowed: Predicate, *, quick: bool = False
    ) -> Question:
        """Return a query with what is searched for it; if ``quick``, by words alone."""
        index, catalog = self._base.index, self._base.store.catalog
        near = None
        if not quick and self._base.store.meta.get(VECTORS) != "0":
            near = self._meaning.near(" ".join(text.text for text in positive_texts(node)))
        lexicon, names = Lexicon(index, catalog.languages(), budget), self._base.store.glossary
        size = index.size()
        return Question(index, catalog, names, lexicon, size, node, typed, narrowed, near)

    @functools.cached_property
    def _meaning(self) -> Meaning:
        from kb.service.meaning import Meaning

        return Meaning(self._base)

    def _budget(self, cancelled: IsCancelled, share: float = 1.0) -> Budget:
        documents = self._base.index.size()
        return Budget(share * min(_MOST, max(_LEAST, documents * _A_DOCUMENT)), cancelled)

    def _search(
        self, query: str, narrowed: Predicate, page: Page, explain: bool, cancelled: IsCancelled
    ) -> Results:
        began = time.perf_counter()
        parsed = parse(query)
        if parsed.node is None:
            return Results(query, 0, (), notice=parsed.notice)
        try:
            with self._base.store.connection.snapshot():
                budget = self._budget(cancelled)
                asked = self._question(budget, parsed.node, query, narrowed)
                with self._base.store.connection.within(budget):
                    found = answer(asked, page)
                hits = self._hits(_by_rarity(found.matches, asked), cancelled)
                meant = self._suggested(asked, found)
        except DeadlineExceeded as error:
            return Results(query, 0, (), took_ms=_since(began), notice=error.message)
        told = (parsed.notice, STOPPED if budget.ended else None)
        return Results(
            query=query,
            total=found.total,
            hits=hits,
            took_ms=_since(began),
            suggestion=meant,
            notice=joined_sentences(*filter(None, told)) or None,
            explanation=explanation(found, narrowed, self._meaning.state()) if explain else (),
        )

    def _suggested(self, asked: Question, found: SearchAnswer) -> str | None:
        """Return a suggestion, or none if it would take too much work."""
        budget = asked.budget.part(asked.budget.left)
        asked.lexicon.budget = budget
        try:
            with self._base.store.connection.within(budget):
                return suggestion(asked, found)
        except DeadlineExceeded:
            return None

    def _hits(
        self, matches: Sequence[Match], cancelled: IsCancelled, within: int | None = None
    ) -> tuple[Hit, ...]:
        """Return matches as list lines, each with its excerpt."""
        of_ref = {Ref(match.found.entry, match.found.lang): match for match in matches}
        # Matches of one plan share what is wanted.
        markers = {id(match.wanted): Marker(match.wanted) for match in matches}
        page = Budget(excerpt.A_PAGE + excerpt.A_PASSAGE * len(matches), cancelled)
        hits = []
        with self._base.store.connection.within(page):
            lines = self._base.store.catalog.page(list(of_ref))
            for place, (hit, texts) in enumerate(lines):
                page.check()
                match = of_ref[Ref(hit.id, hit.lang)]
                share = page.part(page.left / (len(lines) - place))
                marker = markers[id(match.wanted)]
                passage = excerpt.excerpt(texts, hit.lang, marker, share, within)
                found = dataclasses.replace(
                    hit,
                    score=round(match.found.score, 6),
                    via=match.via,
                    excerpt=passage,
                    cards=match.cards,
                    titled=match.titled,
                    section=_section(hit, texts, passage),
                )
                hits.append(found)
        return tuple(hits)

    def _at_once(
        self, query: str, narrowed: Predicate, page: Page, cancelled: IsCancelled
    ) -> tuple[Hit, ...]:
        """Return the best entries by the index alone; none if that takes too much work."""
        node = parse(query).node
        if node is None:
            return ()
        limit = _MOST_AT_ONCE if page.limit is None else min(page.limit, _MOST_AT_ONCE)
        budget = self._budget(cancelled, _FIRST_TIER)
        try:
            with self._base.store.connection.within(budget):
                asked = self._question(budget, node, query, narrowed, quick=True)
                matches = first_matches(asked, limit)
            return self._hits(matches, cancelled, _LOOKED_AT_ONCE)
        except DeadlineExceeded:
            return ()


def _section(hit: Hit, texts: Texts, passage: Excerpt) -> str | None:
    """Return the heading of a passage in a long note."""
    if hit.kind != "note":
        return None
    from kb.text import sections

    for text in (texts.get("source"), texts.get("reference")):
        if text and sections.is_long(text):
            place = excerpt.place_in(text, passage)
            return None if place is None else sections.address_at(text, place)
    return None


def _by_rarity(matches: Sequence[Match], asked: Question) -> list[Match]:
    """Return matches whose rare words are marked first; those of one plan share them."""
    known = asked.lexicon.known_frequency
    wanted = {id(each.wanted): each.wanted for each in matches}
    weighed = {id: each.by_rarity(known, asked.documents) for id, each in wanted.items()}
    return [each._replace(wanted=weighed[id(each.wanted)]) for each in matches]


def _since(began: float) -> float:
    return round((time.perf_counter() - began) * 1000, 3)


# What was probably meant, word by word, where a query has a few that are nowhere.


_FEW_WORDS = 4
_MOST_SEEN = 5
_LONGEST_NAME = 4
"""The maximum number of words of a glossary name, for spelling."""

_A_TEXT = 2_000
"""The work limit for finding a word's written form in a text."""


def suggestion(asked: Question, found: SearchAnswer) -> str | None:
    """Return the query with corrected words, if that finds something.

    It is tried if few hits were found or few words asked, and the hits were not typed in another
    alphabet or layout. A Persian word found as a name may be misspelt; one that the glossary
    translates is not, and neither is a prefix.
    """
    query, node = asked.typed, asked.node
    not_as_typed = FOREIGN - {"transliteration"} if script(query) == "arabic" else FOREIGN
    if any(match.via in not_as_typed for match in found.matches):
        return None
    if sum(1 for _ in positive_texts(node)) > _FEW_WORDS and found.plain >= LITTLE:
        return None
    lexicon = asked.lexicon
    texts = [text.text for text in positive_texts(node) if not isinstance(text, Prefix)]
    unknown = _unknown(lexicon, texts)
    named = _named(asked.glossary, texts, frozenset(unknown)) if unknown else set()
    unknown = [text for text in unknown if text not in named]
    if not 0 < len(unknown) <= MOST_UNKNOWN:
        return None
    suggested = query
    for text in unknown:
        corrected = _corrected(asked, text)
        if corrected is not None:
            suggested = suggested.replace(text, corrected, 1)
    other = parse(suggested).node
    if suggested == query or other is None:
        return None
    plan = planned(other, lexicon)
    return suggested if retrieve(asked, plan, Page(1)).total else None


def _named(glossary: Glossary, texts: Sequence[str], unknown: frozenset[str]) -> set[str]:
    """Return the words within glossary names, of texts of which some are ``unknown``."""
    count = len(texts)
    runs = [
        texts[start:end]
        for start in range(count)
        for end in range(start + 1, min(start + _LONGEST_NAME, count) + 1)
        if unknown.intersection(texts[start:end])
    ]
    keys = [key_of(" ".join(run)) for run in runs]
    names = glossary.translations(keys)
    return {text for run, key in zip(runs, keys, strict=True) if key in names for text in run}


def _unknown(lexicon: Lexicon, texts: Sequence[str]) -> list[str]:
    """Return the texts that are not indexed; an affix counts with its neighbours."""
    return [
        text
        for text in texts
        if not lexicon.knows(text)
        and (len(texts) == 1 or not is_affix(text, default_language(text)))
    ]


def _corrected(asked: Question, text: str) -> str | None:
    """Return a text with corrected words, using at most half of the remaining budget.

    So one expensive word leaves a share for the others.
    """
    lexicon, whole = asked.lexicon, asked.budget
    lexicon.budget = whole.part(whole.left / 2)
    try:
        return fallbacks.correct(text, lexicon, lambda term: _as_written(asked, term), MOST_UNKNOWN)
    except DeadlineExceeded:
        if whole.cancelled:
            raise
        return None
    finally:
        lexicon.budget = whole


def _as_written(asked: Question, term: str) -> str:
    """Return a term as some document writes it: terms are normalized, and many are stems."""
    clause, scoring = Clause((Phrase((term,)),)), Scoring(FIELD_WEIGHTS)
    asked.budget.spend(lexicon.of_search([clause], Every(), asked.lexicon, asked.documents))
    found = asked.index.candidates([clause], Every(), scoring, _MOST_SEEN).found
    refs = [Ref(each.entry, each.lang) for each in found]
    marker = Marker(Wanted({term: 0}, {}, 1))
    spellings = [
        text[start:end]
        for hit, texts in asked.catalog.page(refs)
        for text in filter(None, texts.values())
        for start, end in marks(text, hit.lang, marker, asked.budget.part(_A_TEXT))
    ]
    return min(spellings, key=len, default=term)


# What is found at once while a query is typed: ranked by the index alone.


def first_matches(asked: Question, limit: int) -> list[Match]:
    """Return the best documents for the content words typed so far, one per entry.

    They are ranked by the index only, in their own language. Raises `DeadlineExceeded` if that
    exceeds the budget.
    """
    plan = beginning_plan(asked.node, asked.typed, asked.lexicon)
    titles = exact_titles(asked, lambda: plan)
    if not plan.terms:
        return list(titles[:limit])
    predicate = Every((plan.predicate, asked.narrowed))
    clauses = clauses_of(affordable(asked, query_terms_of(plan), predicate))
    found = asked.index.candidates(clauses, predicate, Scoring(FIELD_WEIGHTS), limit).found
    wanted = _shown(plan)
    matches = [Match(each, "text", wanted) for each in found]
    return arranged(asked, titles, matches)[:limit]


def _shown(plan: Plan) -> Wanted:
    """Return the forms to mark: quick results show the first match, not the best.

    Function words would almost always be that match.
    """
    wanted = plan.wanted
    terms = {term: number for term, number in wanted.terms.items() if not is_function_word(term)}
    return Wanted(terms or wanted.terms, wanted.prefixes, 1)


# How a query was read and ranked, for ``--explain``.


def explanation(
    found: SearchAnswer, narrowed: Predicate, meaning: Mapping[str, object]
) -> tuple[str, ...]:
    """Return lines that describe the query, its steps and its ranking."""
    facts = ", ".join(f"{name} {value}" for name, value in meaning.items())
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
        f"by meaning: {facts}; {JOINED}",
    )

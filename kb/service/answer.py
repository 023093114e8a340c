"""Finding: the query as written and translated, then fallbacks if that finds little."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

from kb.errors import DeadlineExceeded
from kb.model.clauses import (
    Candidate,
    Candidates,
    Clause,
    Every,
    Lacks,
    Matches,
    Named,
    Predicate,
    Scoring,
)
from kb.model.results import Page, Titled, Via
from kb.search import lexicon
from kb.search.compile import Plan, QueryTerm, clauses_of
from kb.search.fallbacks import FALLBACKS, FOREIGN, LITTLE, is_foreign, readings
from kb.search.interpret import Interpretation, interpret, planned
from kb.search.lexicon import Lexicon
from kb.search.parser import And, Bare, FieldValue, Keyword, Node, Not, Quoted
from kb.search.rerank import (
    FIELD_WEIGHTS,
    FUNCTION_WEIGHT,
    TRANSLATION_WEIGHT,
    Reranker,
    Wanted,
    WeightedTerm,
    idf,
)
from kb.service.meaning import nearest_words
from kb.text.analyzer import title_key
from kb.text.languages import default_language
from kb.work import Budget

if TYPE_CHECKING:
    from kb.search.index.engine import RankedIndex
    from kb.store.sqlite.catalog import Catalog
    from kb.store.sqlite.ledger import Glossary

# Retrieval in two stages: the index finds and ranks candidates, the best few are ranked again.
#
# The index is asked for the words that tell something by themselves: function words find nothing
# worth reading beside these. The best few are then scored by the whole query.


CANDIDATES = 50
"""The number of best candidates that are re-ranked."""


Near = Callable[[Predicate, Sequence[int]], Sequence[Candidate]]
"""Returns the entries closest in meaning to the query that match a predicate, closest first.

The score of each is its closeness. The given documents are among them if they have vectors.
"""


@dataclass(frozen=True, slots=True)
class Question:
    """A query: parsed, as ``typed``, and its filters; and what is searched for it.

    That is the index with its words and its number of ``documents``, and the store's lists and
    names of concepts. ``near`` searches by meaning, where that is possible. A trailing space ends
    the last word.
    """

    index: RankedIndex
    catalog: Catalog
    glossary: Glossary
    lexicon: Lexicon
    documents: int
    node: Node
    typed: str
    narrowed: Predicate
    near: Near | None = None

    @property
    def budget(self) -> Budget:
        """The work budget of the search."""
        return self.lexicon.budget

    def interpreted(self) -> Interpretation:
        """Return the query as written and as translated."""
        return interpret(self.node, self.typed, self.lexicon, self.glossary, nearest_words)


def retrieve(asked: Question, plan: Plan, page: Page) -> Candidates:
    """Return a page of a plan's results that the filters allow, ranked if it asks for text."""
    predicate = Every((plan.predicate, asked.narrowed))
    if not plan.terms:
        asked.budget.spend(lexicon.of_list(predicate, asked.lexicon, asked.documents))
        total, refs = asked.catalog.select(predicate, page)
        return Candidates(total, tuple(Candidate(0, *ref) for ref in refs))
    every = (*plan.terms, *plan.words, *plan.translations)  # looked up together
    asked.lexicon.learn(term for each in every for spelling in each.spellings for term in spelling)
    end = None if page.limit is None else page.offset + page.limit
    terms = affordable(asked, query_terms_of(plan), predicate)
    found = _ranked(asked, plan, terms, predicate, end)
    if plan.textless:
        found = _and_textless(asked, terms, predicate, found, end)
    return Candidates(found.total, found.found[page.offset : end])


def query_terms_of(plan: Plan) -> Sequence[QueryTerm]:
    """Return the terms of a plan, of which its ranked results have at least one."""
    return [term for term in plan.terms if term.is_content] if plan.optional else plan.terms


def _ranked(
    asked: Question, plan: Plan, terms: Sequence[QueryTerm], predicate: Predicate, end: int | None
) -> Candidates:
    """Return the first results of these terms, re-ranked at the top."""
    most = None if end is None else max(CANDIDATES, end)
    scoring = Scoring(FIELD_WEIGHTS, plan.translated_into, TRANSLATION_WEIGHT)
    candidates = asked.index.candidates(clauses_of(terms), predicate, scoring, most)
    words = _asked(asked, plan.words, terms)
    names = _asked(asked, plan.translations, terms)
    ordered = _reranked(asked, words, names, candidates.found, plan.lang)
    return Candidates(candidates.total, tuple(ordered))


def _and_textless(
    asked: Question,
    terms: Sequence[QueryTerm],
    predicate: Predicate,
    found: Candidates,
    end: int | None,
) -> Candidates:
    """Append the entries that match a predicate without any of the terms, in order of the list."""
    phrases = dict.fromkeys(phrase for term in terms for phrase in term.clause.phrases)
    with_text = Every((predicate, Matches(Clause(tuple(phrases)))))
    others = Every((predicate, Lacks(with_text)))
    asked.budget.spend(lexicon.of_list(others, asked.lexicon, asked.documents))
    limit = None if end is None else max(0, end - len(found.found))
    total, refs = asked.catalog.select(others, Page(limit))
    rest = (Candidate(0, *ref) for ref in refs)
    return Candidates(found.total + total, (*found.found, *rest))


def affordable(
    asked: Question, terms: Sequence[QueryTerm], predicate: Predicate
) -> Sequence[QueryTerm]:
    """Charge the cost of terms, and drop the most frequent ones if it is too high.

    Raises `DeadlineExceeded` if even the rarest is too expensive.
    """

    def takes(some: Sequence[QueryTerm]) -> float:
        return lexicon.of_search(clauses_of(some), predicate, asked.lexicon, asked.documents)

    needed = takes(terms)
    if not asked.budget.affords(needed):
        asked.budget.leave_undone()
        by_rarity = sorted(terms, key=lambda term: asked.lexicon.clause_frequency(term.clause))
        fitting = bisect_right(
            range(1, len(terms)), asked.budget.left, key=lambda n: takes(by_rarity[:n])
        )
        terms = by_rarity[: max(1, fitting)]
        needed = takes(terms)
    asked.budget.spend(needed)
    return terms


def _asked(
    asked: Question, words: Sequence[QueryTerm], ranked: Sequence[QueryTerm]
) -> list[WeightedTerm]:
    return [
        WeightedTerm(
            word.spellings,
            word.surfaces,
            idf(asked.documents, asked.lexicon.clause_frequency(word.clause))
            * (1.0 if word.is_content else FUNCTION_WEIGHT)
            * word.clause.weight,
            word in ranked,
            word.share,
        )
        for word in words
    ]


def _reranked(
    asked: Question,
    words: Sequence[WeightedTerm],
    names: Sequence[WeightedTerm],
    found: Sequence[Candidate],
    lang: str,
) -> list[Candidate]:
    """Re-rank the first candidates; the reader's language wins ties.

    Remaining ties are broken by entry id.
    """
    if not (words or names):
        return list(found)
    best, rest = found[:CANDIDATES], found[CANDIDATES:]
    lengths = asked.index.lengths([each.document for each in best])
    average = sum(lengths) / len(lengths) if any(lengths) else 1.0
    spellings = sum(len(word.spellings) + len(word.surfaces) for word in (*words, *names))
    best = best[: _looked_at(asked.budget, spellings, lengths)]
    reranker = Reranker(words, names)
    columns = asked.index.occurrences([each.document for each in best], reranker.terms)
    scored = []
    for each, there, length in zip(best, columns, lengths, strict=False):
        # Always in one order: to add in another may change the last digit.
        fields = [(weight, there[name]) for name, weight in FIELD_WEIGHTS.items() if name in there]
        score = each.score + reranker.gain(fields, length / average)
        scored.append(Candidate(each.document, each.entry, each.lang, score))
    scored.sort(key=lambda each: (-each.score, each.lang != lang, each.entry))
    return [*scored, *found[len(scored) : CANDIDATES], *rest]


def _looked_at(budget: Budget, spellings: int, lengths: Sequence[int]) -> int:
    """Charge the work of reading texts; return how many the budget allows."""
    for place, length in enumerate(lengths):
        takes = lexicon.of_closer_look(spellings, length)
        if not budget.affords(takes):
            budget.leave_undone()
            return place
        budget.spend(takes)
    return len(lengths)


class Step(NamedTuple):
    """An interpretation of the query, and its plan."""

    name: str
    plan: Plan


class SearchAnswer(NamedTuple):
    """The hits, of ``total``, of which ``plain`` matched as written, and the steps taken.

    ``titled`` entries come first, because the query is their title or an alias.
    """

    total: int
    plain: int
    matches: tuple[Match, ...]
    steps: tuple[Step, ...]
    titled: tuple[str, ...] = ()


_NOTHING = SearchAnswer(0, 0, (), ())

_COUNTED = 4 * CANDIDATES
"""Above this number of matches, cards beyond the examined ones count separately in the total;
pages are still right."""


def answer(asked: Question, page: Page) -> SearchAnswer:
    """Return a page of results: exact titles first, a note and its cards as one hit.

    If the budget ends, the results so far are returned. Raises `DeadlineExceeded` if the search
    was cancelled.
    """
    titles = tuple[Match, ...]()
    try:
        titles = exact_titles(asked, lambda: asked.interpreted().translated)
    except DeadlineExceeded:
        if asked.budget.cancelled:
            raise
    cards = asked.catalog.has_cards()
    if not titles and not cards:
        return _joined(asked, page)
    end = None if page.limit is None else page.offset + page.limit
    most = None if end is None else max(end, CANDIDATES)
    while True:
        found = _joined(asked, Page(most))
        shown = arranged(asked, titles, found.matches)
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


# What words find, joined with what is close in meaning.


HEAD = 100
"""The number of best results of either kind that are joined."""

MEANING_WEIGHT = 1.25
"""How much closeness counts beside the score of words, chosen on half 0 of the judged sets."""

_NEW, _CLOSE = 10, 0.5
"""The most results that no word found, and their closeness, as a share of the highest."""

JOINED = f"the first {HEAD} by s / s₁ + {MEANING_WEIGHT:g} (c - c₀) / (c₁ - c₀)"
"""How words (s) and closeness (c) are joined: see `_in_joint_order`."""


def _joined(asked: Question, page: Page) -> SearchAnswer:
    """Search by words, and rank the first results and the closest texts together.

    A single word that finds nothing finds nothing by meaning: any word is close to some text.
    """
    near, end = asked.near, None if page.limit is None else page.offset + page.limit
    if near is None:
        return _found(asked, page)
    most = None if end is None else max(end, HEAD) + _NEW
    found = _found(asked, Page(most))
    plan = found.steps[-1].plan if found.steps else None
    worded = plan is not None and plan.terms and not plan.textless
    if plan is not None and worded and (found.total or len(plan.words) > 1):
        head, rest = found.matches[:HEAD], found.matches[HEAD:]
        predicate = Every((plan.predicate, asked.narrowed))
        closest = near(predicate, [match.found.document for match in head])
        known = {match.found.entry for match in head}
        new = [
            Match(each, "meaning", plan.wanted)
            for each in closest[:_NEW]
            if each.entry not in known and each.score >= _CLOSE * closest[0].score
        ]
        # Words find some of them, too, further down.
        named = tuple(match.found.entry for match in new)
        early = {match.found.entry for match in rest}.intersection(named)
        if found.total > len(found.matches):
            words, index = clauses_of(query_terms_of(plan)), asked.index
            early = {each.entry for each in index.documents_of(named, words, predicate)}
        rest = tuple(match for match in rest if match.found.entry not in early)
        total = found.total + len(new) - len(early)
        matches = (*_in_joint_order(head, new, closest), *rest)
        found = found._replace(total=total, matches=matches)
    return found._replace(matches=found.matches[page.offset : end])


def _in_joint_order(
    head: Sequence[Match], new: Sequence[Match], closest: Sequence[Candidate]
) -> list[Match]:
    """Rank results by s / s₁ + a (c - c₀) / (c₁ - c₀).

    s is the score by words, and s₁ the highest; c is the closeness, c₁ the highest, and c₀ that
    of the last of the closest `HEAD`, or 0.
    """
    closeness = {each.entry: each.score for each in closest}
    highest = max(closeness.values(), default=0.0)
    lowest = max(0.0, closest[HEAD - 1].score if len(closest) >= HEAD else 0.0)
    best = max((match.found.score for match in head), default=0.0) or 1.0

    def score(match: Match) -> float:
        words = match.found.score / best if match.via != "meaning" else 0.0
        close = max(0.0, closeness.get(match.found.entry, lowest) - lowest)
        return words + MEANING_WEIGHT * close / ((highest - lowest) or 1.0)

    scored = [
        match._replace(found=match.found._replace(score=score(match))) for match in (*head, *new)
    ]
    return sorted(scored, key=lambda match: -match.found.score)


def _found(asked: Question, page: Page) -> SearchAnswer:
    """Search as written; if that finds little, try the fallbacks in order."""
    found = _NOTHING
    try:
        for better in _answers(asked, page):
            found = better
    except DeadlineExceeded:
        if asked.budget.cancelled:
            raise
    return found


def _answers(question: Question, page: Page) -> Iterator[SearchAnswer]:
    """Yield results, each replacing the one before."""
    asked = question.interpreted()
    plan = asked.translated
    steps = [Step("as written", asked.written)]
    if plan.clauses != asked.written.clauses:
        steps.append(Step("and translated", plan))
    plain = retrieve(question, plan, page)
    yield _as_ranked(plain, plan, steps)
    if not plain.total:
        loose = planned(asked.node, question.lexicon, loose=True)
        if loose.clauses != plan.clauses:
            plan, asked = loose, asked._replace(written=loose)
            steps.append(Step("joined words in their parts", loose))
            plain = retrieve(question, loose, page)
            yield _as_ranked(plain, loose, steps)
    matches = _in_own_language(question, asked, plan, plain.found)
    found = SearchAnswer(plain.total, plain.total, tuple(matches), tuple(steps))
    yield found
    yield _by_fallbacks(replace(question, node=asked.node), plan, found, steps, page)


def _as_ranked(plain: Candidates, plan: Plan, steps: Sequence[Step]) -> SearchAnswer:
    """Return the results in the language that ranked best."""
    matches = tuple(Match(each, "text", plan.wanted) for each in plain.found)
    return SearchAnswer(plain.total, plain.total, matches, tuple(steps))


def _by_fallbacks(
    asked: Question, plan: Plan, plain: SearchAnswer, steps: list[Step], page: Page
) -> SearchAnswer:
    """Return the results, followed by those of the first successful fallback if they are few."""
    node, lexicon = asked.node, asked.lexicon
    # What parts of words find that are in another alphabet or layout, they find by chance;
    # what a translation finds, it finds as it was meant.
    as_meant = any(match.via != "text" for match in plain.matches)
    by_chance = plain.total >= LITTLE and not as_meant and is_foreign(node, lexicon)
    tried = [each for each in FALLBACKS if not by_chance or each.via in FOREIGN]
    for fallback, again in readings(node, lexicon, tried, 0 if by_chance else plain.total):
        steps.append(Step(fallback.name, again))
        if by_chance:
            more, beside = retrieve(asked, again, page), 0
        else:
            more, beside = _behind(asked, plan, again, page), plain.total
        if more.total:
            found = (Match(each, fallback.via, again.wanted) for each in more.found)
            shown = (*(plain.matches if beside else ()), *found)
            return SearchAnswer(beside + more.total, beside, shown, tuple(steps))
    return plain._replace(steps=tuple(steps))


def _in_own_language(
    question: Question, asked: Interpretation, plan: Plan, found: Sequence[Candidate]
) -> list[Match]:
    """Return each result in the query's language, if that text matches, too.

    A match of another spelling of an unknown name stays in its language.
    """
    written = asked.written
    if not written.terms or not found:
        return [Match(each, "text", plan.wanted) for each in found]
    predicate = Every((written.predicate, question.narrowed))
    content = clauses_of(query_terms_of(written))
    takes = lexicon.of_search(content, predicate, question.lexicon, len(found))
    question.budget.spend(takes)
    same = clauses_of(query_terms_of(plan)) == content
    # What was found by the very same in the language that was asked in is its own best.
    matching = {each.entry: [each] for each in found if same and each.lang == written.lang}
    others = [each.entry for each in found if each.entry not in matching]
    for each in question.index.documents_of(others, content, predicate) if others else ():
        matching.setdefault(each.entry, []).append(each)
    named = _holding(question, found, asked.other_spellings, question.narrowed)
    matches = []
    for each in found:
        own = matching.get(each.entry)
        if each.document in named:
            matches.append(Match(each, "transliteration", plan.wanted))
        elif own is None:
            via: Via = "translation" if each.document else "text"
            matches.append(Match(each, via, plan.wanted))
        else:
            best = _best(own, each, written.lang)
            kept = each._replace(document=best.document, lang=best.lang)
            matches.append(Match(kept, "text", written.wanted))
    return matches


def _holding(
    asked: Question, found: Sequence[Candidate], names: Sequence[Clause], narrowed: Predicate
) -> set[int]:
    """Return the numbers of found documents that contain one of these names."""
    if not names:
        return set()
    asked.budget.spend(lexicon.of_search(names, narrowed, asked.lexicon, len(found)))
    entries = [each.entry for each in found]
    return {each.document for each in asked.index.documents_of(entries, names, narrowed)}


def _best(own: Sequence[Candidate], found: Candidate, lang: str) -> Candidate:
    """Return the text in the query's language, or else the one that was found."""
    return min(
        own, key=lambda each: (each.lang != lang, each.document != found.document, each.lang)
    )


def _behind(asked: Question, plain: Plan, other: Plan, page: Page) -> Candidates:
    """Append another plan's results to the few that were found, on the same page."""
    little = retrieve(asked, plain, Page(LITTLE))
    taken = tuple(found.entry for found in little.found)
    without = Every((asked.narrowed, Lacks(Named(taken)))) if taken else asked.narrowed
    shown = len(taken[page.offset :])
    limit = None if page.limit is None else max(0, page.limit - shown)
    rest = Page(limit, max(0, page.offset - len(taken)))
    return retrieve(replace(asked, narrowed=without), other, rest)


# What was found as it is shown: exact titles first, and a note and its cards as one hit.


class Match(NamedTuple):
    """A found document, how it was found, and the forms to mark.

    ``cards`` are found entries of the same note.
    """

    found: Candidate
    via: Via
    wanted: Wanted
    cards: tuple[str, ...] = ()
    titled: Titled = ""


def exact_titles(asked: Question, plan_of: Callable[[], Plan]) -> tuple[Match, ...]:
    """Return entries with the query as title, then as alias; several are ranked.

    Fields and exclusions beside the title filter them. ``plan_of`` gives the plan that ranks
    them.
    """
    narrowed = asked.narrowed
    found: dict[str, tuple[bool, Candidate]] = {}
    texts = [(asked.typed, narrowed)]
    words = _without_fields(asked.node)
    if words:
        texts.append((words, Every((planned(asked.node, asked.lexicon).predicate, narrowed))))
    for text, predicate in texts:
        key = title_key(text)
        rows = asked.catalog.titled(key, predicate) if key is not None else ()
        lang = default_language(text)
        for alias, each in sorted(rows, key=lambda row: (row[0], row[1].lang != lang, row[1].lang)):
            found.setdefault(each.entry, (alias, each))
    if not found:
        return ()
    plan = plan_of()
    order: dict[str, Candidate] = {}
    if len(found) > 1:
        among = replace(asked, narrowed=Every((narrowed, Named(tuple(found)))))
        order = {each.entry: each for each in retrieve(among, plan, Page(None)).found}
    place = {entry: number for number, entry in enumerate(order)}
    ranked = sorted(
        found.values(),
        key=lambda pair: (pair[0], place.get(pair[1].entry, len(place)), pair[1].entry),
    )
    return tuple(
        Match(each, "text", plan.wanted, titled="alias" if alias else "title")
        for alias, each in ranked
    )


def _without_fields(node: Node) -> str:
    """Return the words of a query with fields or exclusions beside them, else nothing."""
    parts = node.of if isinstance(node, Bare | And) else ()
    texts = [part.text for part in parts if isinstance(part, Keyword | Quoted)]
    others = [part for part in parts if isinstance(part, FieldValue | Not)]
    return " ".join(texts) if others and len(texts) + len(others) == len(parts) else ""


def arranged(asked: Question, titles: Sequence[Match], matches: Sequence[Match]) -> list[Match]:
    """Return matches with exact titles first, and a note and its cards as one.

    The first of them represents the others. A title has at least the score of what it precedes.
    """
    known = {match.found.entry: match for match in matches}
    most = max((match.found.score for match in matches), default=0.0)
    first = []
    for title in titles:
        found = known.get(title.found.entry)
        shown = found if found is not None and found.via == "text" else title
        raised = shown.found._replace(score=max(most, shown.found.score))
        first.append(shown._replace(found=raised, titled=title.titled))
    named = {match.found.entry for match in first}
    every = [*first, *(match for match in matches if match.found.entry not in named)]
    if not asked.catalog.has_cards():
        return every
    notes = asked.catalog.notes_of([match.found.entry for match in every])
    groups: dict[str, list[Match]] = {}
    for match in every:
        groups.setdefault(notes.get(match.found.entry, match.found.entry), []).append(match)
    return [
        best._replace(cards=tuple(each.found.entry for each in others))
        for best, *others in groups.values()
    ]

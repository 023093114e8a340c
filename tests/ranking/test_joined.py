"""How the score of a hit comes about: the parts of re-ranking, and words joined with meaning."""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import Any

import pytest

from kb.errors import DeadlineExceeded
from kb.model.clauses import Candidate, Every, Occurrences
from kb.model.results import Page
from kb.search.compile import Analysis, make_plan
from kb.search.fallbacks import FALLBACKS, FOREIGN, Fallback
from kb.search.parser import Bare, Keyword
from kb.search.rerank import NOTHING, Reranker, WeightedTerm, idf, saturated
from kb.service import answer
from kb.service.answer import Match
from kb.work import Budget


def by_words(entry: str, score: float) -> Match:
    return Match(Candidate(1, entry, "en", score), "text", NOTHING)


def scores(head: list[Match], new: list[Match], closest: list[Candidate]) -> dict[str, float]:
    joined = answer._in_joint_order(head, new, closest)
    return {match.found.entry: round(match.found.score, 3) for match in joined}


OFTEN = {"zebra": 5, "lion": 900, "otter": 70}
CLOSE = [Candidate(1, "b", "en", 0.9), Candidate(2, "c", "en", 0.5), Candidate(3, "d", "en", 0.3)]


def test_the_share_of_words_and_five_quarters_of_that_of_closeness_are_added() -> None:
    head, new = [by_words("a", 4.0), by_words("b", 1.0)], Match(CLOSE[1], "meaning", NOTHING)
    assert scores(head, [new], CLOSE) == {"b": 1.5, "a": 1.0, "c": 0.694}
    assert answer.JOINED == "the first 100 by s / s₁ + 1.25 (c - c₀) / (c₁ - c₀)"


@pytest.mark.parametrize(("number", "expected"), [(2, 0.0), (3, 0.417), (4, 0.694)])
def test_closeness_counts_above_that_of_the_last_of_the_closest(
    monkeypatch: pytest.MonkeyPatch, number: int, expected: float
) -> None:
    monkeypatch.setattr(answer, "HEAD", number)
    new = Match(CLOSE[1], "meaning", NOTHING)
    assert scores([by_words("a", 2.0)], [new], CLOSE) == {"a": 1.0, "c": expected}


def test_words_without_a_score_leave_the_order_to_closeness() -> None:
    assert scores([by_words("a", 0.0), by_words("b", 0.0)], [], CLOSE) == {"b": 1.25, "a": 0.0}


@pytest.mark.parametrize(
    ("ways", "by_chance"),
    [
        (("text", "text", "text"), True),
        (("text", "translation", "text"), False),
        (("translation", "translation", "transliteration"), False),
        (("text", "text"), False),
    ],
)
def test_what_words_in_another_layout_find_is_by_chance_unless_it_is_little_or_translated(
    monkeypatch: pytest.MonkeyPatch, ways: tuple[Any, ...], by_chance: bool
) -> None:
    tried: list[tuple[set[str], int]] = []

    def readings(node: object, lexicon: object, fallbacks: list[Fallback], found: int) -> list[Any]:
        tried.append(({each.via for each in fallbacks}, found))
        return []

    monkeypatch.setattr(answer, "is_foreign", lambda node, lexicon: True)
    monkeypatch.setattr(answer, "readings", readings)
    matches = tuple(by_words("a", 1.0)._replace(via=via) for via in ways)
    plain = answer.SearchAnswer(len(matches), len(matches), matches, ())
    asked: Any = SimpleNamespace(node=None, lexicon=None)
    found = answer._by_fallbacks(asked, NOTHING, plain, [], Page(10))  # type: ignore[arg-type]
    assert found == plain
    every = {each.via for each in FALLBACKS}
    assert tried == [(every & set(FOREIGN), 0) if by_chance else (every, len(matches))]


@pytest.mark.parametrize(
    ("units", "looked_for"),
    [
        (30, ["zebra", "lion", "otter"]),
        (29, ["zebra", "otter"]),
        (20, ["zebra", "otter"]),
        (19, ["zebra"]),
        (10, ["zebra"]),
        (9, []),
    ],
)
def test_of_words_that_take_more_work_than_there_is_the_rarest_are_looked_for(
    monkeypatch: pytest.MonkeyPatch, units: int, looked_for: list[str]
) -> None:
    terms = make_plan(Bare(tuple(map(Keyword, OFTEN))), Analysis(("en",))).words
    names = {term.clause: term.spellings[0][0] for term in terms}
    monkeypatch.setattr(answer.lexicon, "of_search", lambda clauses, *_: 10.0 * len(clauses))
    known = SimpleNamespace(clause_frequency=lambda clause: OFTEN[names[clause]])
    source: Any = SimpleNamespace(budget=Budget(units), lexicon=known, documents=1_000)
    try:
        found = [names[term.clause] for term in answer.affordable(source, terms, Every())]
    except DeadlineExceeded:
        found = []
    assert found == looked_for
    assert source.budget.ended == (units < 30)
    assert source.budget.left == (units - 10 * len(looked_for) if looked_for else 0)


@pytest.mark.parametrize(("documents", "holding"), [(0, 0), (9, 9), (9, 12)])
def test_a_word_that_every_document_holds_weighs_next_to_nothing(
    documents: int, holding: int
) -> None:
    assert idf(documents, holding) == math.log(1 + 0.5 / (holding + 0.5))


def test_a_title_scores_at_least_as_much_as_what_follows() -> None:
    source: Any = SimpleNamespace(catalog=SimpleNamespace(has_cards=lambda: False))
    matches = [by_words("a", 3.0), by_words("b", 2.0)]
    for title, raised in (("b", 3.0), ("c", 3.0), ("a", 3.0)):
        first = answer.arranged(source, [by_words(title, 1.0)], matches)[0]
        assert (first.found.entry, first.found.score) == (title, raised)


def test_a_spelling_counts_as_often_as_it_stands_in_all_columns() -> None:
    """A word with two spellings is scored by the more frequent one, each by weight and number."""
    word = WeightedTerm((("knn",), ("k", "nn")), (), 2.0, ranked=False, share=0.5)
    columns = [
        (4.0, Occurrences({"knn": [0, 5, 9]}, {})),
        (1.0, Occurrences({"knn": [2, 4], "k": [7], "nn": [8]}, {})),
    ]
    assert Reranker([word], []).gain(columns, 1.2) == pytest.approx(2 * 0.5 * saturated(14, 1.2))

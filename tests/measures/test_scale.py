"""What the comparison of sizes must give on cases that can be reckoned by hand."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from kb.model.clauses import Clause, Phrase
from kb.model.draft import Amendment, Draft
from tests.bench.scale import report
from tests.bench.scale.asking import Crowd, in_turn
from tests.bench.scale.asks import (
    ALL,
    KINDS,
    PHRASE,
    PREFIX,
    QUESTION,
    WORD,
    Ask,
    Source,
    read_asks,
    write_asks,
)
from tests.bench.scale.drawing import draw
from tests.bench.scale.engines import danesh, fts5
from tests.bench.scale.figures import Answers, Built, Size, Times, growth, percentiles
from tests.bench.scale.judging import asked, asked_of, oracle_of
from tests.bench.scale.oracle import Asked, Oracle, best_of_each, recall
from tests.bench.scale.processes import ChildFailed
from tests.terms import index_text

TEXTS = (
    ("en", "Gradient descent finds a minimum of a function."),
    ("en", "A deep network is trained by gradient descent."),
    ("en", "A random forest has many trees."),
    ("fa", "شبکه عصبی عمیق با کاهش گرادیان آموزش می‌بیند."),
    ("fa", "جنگل تصادفی درخت‌های زیادی دارد."),
)
QUESTIONS = ("How does gradient descent train a deep network?", "What is a random forest?")
LOG_OF_QUERIES = ("شبکه عصبی عمیق چگونه آموزش می بیند؟", "جنگل تصادفی چیست؟")


def rows() -> list[str]:
    return [index_text(text, lang) for lang, text in TEXTS]


def asks() -> dict[str, list[Ask]]:
    return draw(QUESTIONS, LOG_OF_QUERIES, rows, 20)


def oracle() -> Oracle:
    return Oracle(((n, {"terms": row.split()}) for n, row in enumerate(rows())), {"terms": 1.0})


def size(documents: int, seconds: float) -> Size:
    times = {"FTS5": {QUESTION: Times([seconds], [seconds, seconds])}}
    answers = Answers(times, {"FTS5": {QUESTION: 3}}, {"FTS5": {QUESTION: 0.5}}, {"FTS5": 1}, [])
    built = {"fts5": Built(2 * seconds, 1 << 20, 100 * documents)}
    return Size(documents, 50 * documents, 1.0, built, answers, missing={"xapian": "not there"})


def test_percentiles_are_in_milliseconds_and_of_one_figure_that_figure() -> None:
    assert percentiles([0.005]) == (5, 5, 5)
    assert percentiles([n / 1000 for n in range(101)]) == pytest.approx((50, 95, 99))


def test_growth_is_a_ratio_and_none_can_be_told_from_nothing() -> None:
    assert growth([0.002], [0.003]) == pytest.approx((1.5, 1.5, 1.5))
    assert growth([0.0], [0.003]) == (0, 0, 0)


def test_a_size_is_told_with_its_memory_its_bytes_and_what_was_stopped() -> None:
    told = "\n".join(report.of_size(size(10, 0.5)))
    assert "| fts5 | 1.00 | 10 | 5 | 100.0 | 2.00 | 1 | 0 |" in told
    assert "| FTS5 | 500 / 500 / 500 |  |  |  |  |  |" in told
    assert "| FTS5 | 0.5000 |" in told
    assert "| xapian | not there |  |" in told
    assert "FTS5, question: 3 queries were stopped before their end." in told


def test_growth_is_told_of_what_was_measured_at_both_sizes() -> None:
    told = "\n".join(report.of_growth(size(10, 0.5), size(100, 1.0)))
    assert "From 10 to 100 documents, 10 times as many" in told
    assert "| FTS5 | 2.00 / 2.00 / 2.00 |  |  |  |  |  |" in told
    assert "| fts5 | 2.00 | 1.00 | 10.0 |" in told


def test_queries_of_every_kind_are_drawn_the_same_every_time_in_both_languages(
    tmp_path: Path,
) -> None:
    drawn = asks()
    assert list(drawn) == list(KINDS) and all(drawn.values()) and drawn == asks()
    for kind in (WORD, PREFIX, PHRASE, ALL):
        assert {ask.typed.isascii() for ask in drawn[kind]} == {True, False}, kind
    write_asks(tmp_path / "asks.json", drawn)
    assert read_asks(tmp_path / "asks.json") == drawn


def test_phrases_and_words_that_are_asked_for_together_are_met_by_a_document() -> None:
    drawn, judge = asks(), oracle()
    assert '"gradient descent"' in {ask.expression for ask in drawn[PHRASE]}
    for ask in (*drawn[PHRASE], *drawn[ALL]):
        assert judge.scores(asked(ask), "fts5").any(), ask
    assert not draw(QUESTIONS, LOG_OF_QUERIES, lambda: ["other words"], 20)[PHRASE]


@pytest.mark.parametrize("kind", KINDS)
def test_what_fts5_finds_is_the_exact_top_ten(kind: str, tmp_path: Path) -> None:
    source, judge = Source.of(tmp_path), oracle()
    source.terms.write_text("".join(f"{row}\n" for row in rows()), encoding="utf-8")
    fts5.build(source, tmp_path, "ids")
    index = fts5.opened(tmp_path, "ids")
    for ask in asks()[kind]:
        share = recall(index.prepare(ask)(), judge.numbers, judge.scores(asked(ask), "fts5"))
        assert share in (None, 1), ask


@pytest.mark.long
@pytest.mark.parametrize("kind", KINDS)
def test_what_danesh_finds_is_the_exact_top_ten(kind: str, tmp_path: Path) -> None:
    with danesh.library_in(tmp_path) as library:
        for lang, text in TEXTS:
            library.edit.new(Draft({lang: text[:20]}, {"source": {lang: text}}))
        both = Amendment(answer="جنگل تصادفی: random forest", lang="fa")
        library.edit.amend("notes/a-random-forest-has", both)
    index = danesh.opened(tmp_path, "ids")
    with danesh.library_in(tmp_path) as library:
        judge, entries = oracle_of(library)
        for ask in asks()[kind]:
            scores = best_of_each(judge.scores(asked_of(library, ask), "fts5"), entries)
            assert recall(index.prepare(ask)(), judge.numbers, scores) in (None, 1), ask


def test_half_of_the_best_is_a_recall_of_a_half_and_equals_are_equally_good() -> None:
    numbers, scores = np.arange(1, 13), np.array([2.0] + [1.0] * 11)
    assert recall([1, *range(4, 13)], numbers, scores) == 1
    assert recall([1, 12, 11, 10, 9], numbers, scores) == 0.5
    assert recall([], numbers, np.zeros(12)) is None


@pytest.mark.parametrize("formula", ["fts5", "lucene", "whoosh", "xapian"])
def test_more_of_a_rare_word_scores_higher_by_every_formula(formula: str) -> None:
    texts = ["rare rare other words", "rare other words here", "other words here too"] * 2
    rows = ((n, {"terms": text.split()}) for n, text in enumerate([*texts, *["other"] * 9]))
    scores = Oracle(rows, {"terms": 1.0}).scores(Asked([Phrase(("rare",))]), formula)
    assert scores[0] > scores[1] > scores[2] == 0


def test_a_phrase_ends_with_its_document_and_a_clause_that_must_be_met_is() -> None:
    rows = enumerate([["a", "b"], ["b", "a"], ["a", "bc"]])
    judge = Oracle(((n, {"terms": terms}) for n, terms in rows), {"terms": 1.0})
    assert judge.often(Phrase(("b", "a"))).tolist() == [0, 1, 0]
    assert judge.often(Phrase(("a", "b"), open=True)).tolist() == [1, 0, 1]
    either = [Phrase(("a",)), Phrase(("bc",))]
    scores = judge.scores(Asked(either, [Clause((each,)) for each in either]), "lucene")
    assert np.flatnonzero(scores).tolist() == [2]


class Answering:
    """A process that answers, or ends at once."""

    def __init__(self, log: list[str], name: str, fails: bool = False) -> None:
        self.log, self.name, self.fails, self.killed = log, name, fails, False

    def seconds(self, start: int, stop: int) -> list[float]:
        if self.fails:
            raise ChildFailed("it ended")
        self.log.append(self.name)
        return [1.0] * (min(stop, 30) - start)

    def kill(self) -> None:
        self.killed = True


def test_engines_take_turns_and_each_begins_as_often() -> None:
    log: list[str] = []
    crowd = Crowd({name: Answering(log, name) for name in "ab"})
    times = in_turn(crowd, 30, 2)
    assert log[::2].count("a") == log[::2].count("b") == 3
    assert {name: tuple(map(len, each)) for name, each in times.items()} == {
        "a": (30, 60), "b": (30, 60),
    }  # fmt: skip


def test_an_engine_that_fails_leaves_the_others_to_be_measured() -> None:
    failing = Answering([], "b", fails=True)
    crowd = Crowd({"a": Answering([], "a"), "b": failing})
    assert list(in_turn(crowd, 30, 1)) == ["a"]
    assert crowd.failed == ["b: it ended"] and failing.killed

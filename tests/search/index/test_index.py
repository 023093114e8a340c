"""What every index must hold, the one of a base and one in memory."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from unittest.mock import patch

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from kb import Library
from kb.model.clauses import (
    K1,
    B,
    Candidates,
    Clause,
    Every,
    Has,
    Lacks,
    Matches,
    Named,
    Phrase,
    Predicate,
    Scoring,
    Some,
)
from kb.model.documents import COLUMNS, Document
from kb.model.entry import Answer, Entry
from kb.model.results import silent
from kb.search.index.engine import RankedIndex
from kb.service.write import put_entry
from kb.text.consonants import consonant_keys
from tests.behind import raw
from tests.databases import new_library, passing_library
from tests.plugin import times
from tests.search.index.memory import MemoryIndex

WEIGHTS = {"question": 4.0, "wording": 2.0, "source": 1.0, "reference": 1.0, "notes": 0.7,
           "code": 0.4, "keywords": 2.0}  # fmt: skip
SCORING = Scoring(WEIGHTS)


def entry(id: str, question: dict[str, str], answer: str = "", **facts: object) -> Entry:
    answers = (Answer("source", next(iter(question)), answer),) if answer else ()
    return Entry(id, "question", "c", question, answers=answers, **facts)  # type: ignore[arg-type]


ENTRIES = (
    entry("one", {"en": "What is a neural network?"}, "Neural networks learn.", level="E"),
    entry("two", {"en": "Why does a gradient vanish?"}, "Deep networks.", level="H", tags=("rnn",)),
    entry("three", {"fa": "شبکه‌های عصبی چیست؟"}, "شبکه یاد می‌گیرد.", level="E"),
    entry("four", {"en": "What is k-NN?", "fa": "گرادیان چیست؟"}, "A lazy learner."),
    entry("five", {"ar": "ما هي الخوارزمية؟"}, "الخوارزميات تتعلم."),
)


class Under:
    """An index under test, the documents in it, and the store they lie in."""

    def __init__(
        self, library: Library, make: Callable[[Library], RankedIndex | MemoryIndex]
    ) -> None:
        self._library = library
        self._make = make
        self.index = make(library)
        self.fill(ENTRIES)

    @property
    def documents(self) -> list[Document]:
        return list(self._library._base.store.entries.documents())

    def fill(self, entries: tuple[Entry, ...]) -> None:
        base = self._library._base
        with base.store.transaction():
            base.store.collections.put("c", {})
            for each in entries:
                put_entry(base, each, "user")
        if self.index is not base.index:
            self.index.rebuild(self.documents, 0, silent)

    def changing(self, change: Callable[[], None]) -> None:
        with self._library._base.store.transaction():
            change()


ENGINES: dict[str, Callable[[Library], RankedIndex | MemoryIndex]] = {
    "ranked": lambda library: library._base.index,
    "memory": lambda library: MemoryIndex(),
}


@pytest.fixture(params=ENGINES)
def under(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[Under]:
    with new_library(tmp_path / "kb.db") as library:
        yield Under(library, ENGINES[request.param])


def asks(*terms: str, open: bool = False) -> Clause:
    return Clause((Phrase(terms, open),))


def ids(found: Candidates) -> list[str]:
    return [each.entry for each in found.found]


def test_what_holds_a_term_is_found_and_what_holds_it_in_its_question_comes_first(
    under: Under,
) -> None:
    found = under.index.candidates([asks("network")], Every(), SCORING, 10)
    assert (found.total, ids(found)) == (2, ["one", "two"])
    assert found.found[0].score > found.found[1].score > 0


def test_a_long_text_counts_less_by_how_its_length_is_beside_the_average(under: Under) -> None:
    words = "alpha beta gamma delta epsilon zeta theta kappa lambda sigma"
    under.fill(
        (entry("short", {"en": "zebra"}), entry("long", {"en": " ".join(["zebra", *[words] * 3])}))
    )
    found = under.index.candidates([asks("zebra")], Every(), SCORING, 10).found
    scores = {each.entry: each.score for each in found}
    lengths = {"short": 1, "long": 31}
    average = sum(
        len(text.split()) for each in under.documents for text in each.texts.values() if text
    ) / len(under.documents)
    damped = {id: WEIGHTS["question"] + K1 * (1 - B + B * n / average) for id, n in lengths.items()}
    assert scores["short"] / scores["long"] == pytest.approx(damped["long"] / damped["short"], 0.1)


def test_any_clause_is_enough_and_more_of_them_are_better(under: Under) -> None:
    found = under.index.candidates([asks("gradient"), asks("network")], Every(), SCORING, 10)
    assert set(ids(found)) == {"one", "two"}
    assert ids(found)[0] == "two"


def test_a_phrase_is_met_only_in_its_order(under: Under) -> None:
    assert ids(under.index.candidates([asks("neural", "network")], Every(), SCORING, 9)) == ["one"]
    assert not under.index.candidates([asks("network", "neural")], Every(), SCORING, 9).total


@pytest.mark.parametrize("few", [0, 10**9], ids=["vector", "plain"])
def test_every_term_of_a_phrase_stands_in_its_place(under: Under, few: int) -> None:
    with patch("kb.search.index.segments.FEW", few):
        for terms, found in (
            (("neural", "network", "learn"), ["one"]),
            (("neural", "learn", "network"), []),
            (("network", "neural", "learn"), []),
        ):
            for clause in (asks(*terms), asks(*terms, open=True)):
                assert ids(under.index.candidates([clause], Every(), SCORING, 9)) == found


def test_the_last_term_of_an_open_phrase_is_only_begun(under: Under) -> None:
    begun = under.index.candidates([asks("gradi", open=True)], Every(), SCORING, 9)
    assert ids(begun) == ["two"]
    assert ids(under.index.candidates([asks("گراد", open=True)], Every(), SCORING, 9)) == ["four"]


def test_one_of_several_phrases_is_enough(under: Under) -> None:
    clause = Clause((Phrase(("k", "nn")), Phrase(("شبکه",))))
    assert set(ids(under.index.candidates([clause], Every(), SCORING, 9))) == {"four", "three"}


@pytest.mark.long
@pytest.mark.parametrize(
    ("predicate", "entries"),
    [
        (Every(), {"one", "two"}),
        (Has("level", "h"), {"two"}),
        (Has("tag", "RNN"), {"two"}),
        (Has("lang", "fa"), set()),
        (Named(("one", "none")), {"one"}),
        (Lacks(Has("level", "E")), {"two"}),
        (Lacks(Matches(asks("gradient"))), {"one"}),
        (Every((Has("kind", "question"), Has("collection", "c"))), {"one", "two"}),
        (Some((Has("id", "one"), Has("level", "H"))), {"one", "two"}),
        (Some(()), set()),
    ],
)
def test_a_predicate_narrows(under: Under, predicate: Predicate, entries: set[str]) -> None:
    found = under.index.candidates([asks("network")], predicate, SCORING, 9)
    assert set(ids(found)) == entries
    assert found.total == len(entries)


@pytest.mark.parametrize("few", [0, 10**9], ids=["vector", "plain"])
def test_what_an_entry_lacks_it_lacks_in_all_its_languages(under: Under, few: int) -> None:
    with patch("kb.search.index.segments.FEW", few):
        lacking = Lacks(Matches(asks("گرادیان")))
        assert not under.index.candidates([asks("nn")], lacking, SCORING, 9).total
        assert ids(under.index.candidates([asks("network")], lacking, SCORING, 9)) == ["one", "two"]


def test_a_limit_cuts_what_is_given_and_not_what_is_counted(under: Under) -> None:
    asked = [asks("what"), asks("network")]
    whole = under.index.candidates(asked, Every(), SCORING, None)
    for limit in (0, 1, 2):
        part = under.index.candidates(asked, Every(), SCORING, limit)
        assert (part.total, part.found) == (whole.total, whole.found[:limit])


@pytest.mark.parametrize("few", [0, 10**9], ids=["vector", "plain"])
def test_a_language_can_count_for_less(under: Under, few: int) -> None:
    asked = [asks("شبکه")]
    damped = Scoring(WEIGHTS, ("fa",), 0.5)
    with patch("kb.search.index.segments.FEW", few):
        plain = under.index.candidates(asked, Every(), SCORING, 9).found[0]
        less = under.index.candidates(asked, Every(), damped, 9).found[0]
    assert less.score == pytest.approx(plain.score / 2)


@pytest.mark.parametrize("few", [0, 10**9], ids=["vector", "plain"])
@pytest.mark.parametrize(
    ("terms", "column"),
    [
        (("vanish",), "question"),
        (("gradient", "vanish"), "question"),
        (("deep", "network"), "source"),
    ],
)
def test_a_match_counts_by_the_weight_of_its_column(
    under: Under, few: int, terms: tuple[str, ...], column: str
) -> None:
    alone = {name: Scoring({**dict.fromkeys(COLUMNS, 0.0), name: 1.0}) for name in COLUMNS}
    with patch("kb.search.index.segments.FEW", few):
        found = {
            name: under.index.candidates([asks(*terms)], Every(), scoring, 9).found
            for name, scoring in alone.items()
        }
    assert [name for name in COLUMNS if found[name] and found[name][0].score] == [column]


def test_weights_count_in_any_order(under: Under) -> None:
    turned = dict(reversed(WEIGHTS.items()))
    asked = [asks("network")]
    as_named = under.index.candidates(asked, Every(), Scoring(turned), 9)
    assert as_named == under.index.candidates(asked, Every(), SCORING, 9)


def test_the_documents_of_an_entry_that_match_are_each_given(under: Under) -> None:
    asked = [asks("nn"), asks("گرادیان")]
    found = under.index.documents_of(["four", "one"], asked, Every())
    assert sorted(each.lang for each in found) == ["en", "fa"]
    assert {each.entry for each in found} == {"four"}
    found = under.index.documents_of(["two", "four", "one"], [*asked, asks("network")], Every())
    assert [each.entry for each in found] == ["one", "two", "four", "four"]
    assert {each.score for each in found} == {0.0}


def test_frequencies_count_documents(under: Under) -> None:
    assert under.index.term_frequencies(["network", "خوارزم", "zebra"]) == {
        "network": 2,
        "خوارزم": 1,
        "zebra": 0,
    }
    clauses = [asks("network"), asks("neural", "network"), asks("netw", open=True), asks("zebra")]
    assert list(map(under.index.frequency, clauses)) == [2, 1, 2, 0]


def test_terms_are_found_by_the_consonants_of_a_name(under: Under) -> None:
    assert "gradient" in under.index.terms_like(sorted(consonant_keys("gradient")), 9)
    assert under.index.terms_like(sorted(consonant_keys("heisenberg")), 9) == []


def test_the_next_terms_come_in_order(under: Under) -> None:
    some = under.index.next_terms("gradient", 3)
    assert some[0] == "gradient" and some == sorted(some) and 1 <= len(some) <= 3
    assert under.index.next_terms("گ", 1)[0].startswith("گ")
    assert under.index.next_terms("\U0010ffff", 3) == []


def test_positions_are_those_of_the_terms(under: Under) -> None:
    document = next(d for d in under.documents if d.entry == "one")
    asked = ["neural", "network", "networks", "zebra"]
    question, answer = ["what", "is", "a", "neural", "network"], ["neural", "network", "learn"]
    (columns,) = under.index.occurrences([document.id], asked)
    assert columns == {
        "question": ({"neural": [3], "network": [4]}, {}),
        "source": ({"neural": [0], "network": [1]}, {"networks": 1}),
    }
    assert under.index.lengths([document.id, 10**6]) == [len(question) + len(answer) + 1, 0]
    assert under.index.occurrences([10**6, document.id], ["zebra"]) == [{}, {}]


def test_the_positions_of_persian_terms_count_each_time_they_stand(under: Under) -> None:
    document = next(d for d in under.documents if d.entry == "three")
    (columns,) = under.index.occurrences([document.id], ["شبکه", "عصبی"])
    assert columns["question"].stems == {"شبکه": [0], "عصبی": [1]}
    assert columns["source"].stems == {"شبکه": [0]}


def test_what_is_taken_out_is_found_no_more_until_it_is_put_back(under: Under) -> None:
    gone = [document for document in under.documents if document.entry == "one"]
    assert len(ids(under.index.candidates([asks("network")], Every(), SCORING, 9))) == 2
    under.changing(lambda: under.index.remove(gone))
    assert ids(under.index.candidates([asks("network")], Every(), SCORING, 9)) == ["two"]
    assert under.index.check(under.documents) == [document.id for document in gone]
    under.changing(lambda: under.index.add(gone))
    assert under.index.check(under.documents) == []
    assert len(ids(under.index.candidates([asks("network")], Every(), SCORING, 9))) == 2


def test_a_document_that_is_not_indexed_as_it_is_stored_is_told(under: Under) -> None:
    first, *rest = under.documents
    changed = first._replace(texts={**first.texts, "question": "changed behind its back"})
    assert under.index.check([changed, *rest]) == [first.id]
    assert under.index.check(rest) == [first.id]


@pytest.mark.parametrize(
    "damage",
    [
        "UPDATE index_posting SET documents = CAST(x'ff' || documents AS BLOB)",
        "DELETE FROM index_documents",
    ],
)
def test_of_an_index_that_cannot_be_read_every_document_is_told(damage: str) -> None:
    with passing_library() as library:
        under = Under(library, ENGINES["ranked"])
        under.fill(ENTRIES)
        raw(library).execute(damage)
        assert under.index.check(under.documents) == sorted(each.id for each in under.documents)


def test_an_index_made_anew_is_the_same(under: Under) -> None:
    before = under.index.candidates([asks("network")], Every(), SCORING, 9)
    told: list[tuple[int, int]] = []
    documents = under.documents
    under.changing(lambda: told.append((under.index.rebuild(documents, len(documents), silent), 0)))
    assert told == [(len(documents), 0)]
    assert under.index.candidates([asks("network")], Every(), SCORING, 9) == before
    assert under.index.check(documents) == []


TERMS = st.sampled_from(["network", "gradient", "deep", "شبکه", "عصبی", "learn"])
TEXTS = st.lists(TERMS, min_size=1, max_size=8).map(" ".join)


@settings(
    max_examples=times(5),
    suppress_health_check=[HealthCheck.function_scoped_fixture],
)
@given(texts=st.lists(TEXTS, min_size=1, max_size=8), asked=st.lists(TERMS, min_size=1, max_size=3))
def test_it_ranks_as_the_shortest_index_does(texts: list[str], asked: list[str]) -> None:
    with passing_library() as library:
        under = Under(library, ENGINES["ranked"])
        under.fill(tuple(entry(f"t{n}", {"en": text}) for n, text in enumerate(texts)))
        plain = MemoryIndex()
        plain.add(under.documents)
        clauses = [
            Clause((Phrase((term if term[0] > "z" else plain.next_terms(term[:4], 1)[0],)),))
            for term in dict.fromkeys(asked)
        ]
        one = under.index.candidates(clauses, Every(), SCORING, None)
        other = plain.candidates(clauses, Every(), SCORING, None)
        assert one.total == other.total
        scores = {each.entry: each.score for each in other.found}
        for each in one.found:
            assert each.score == pytest.approx(scores[each.entry], rel=1e-9, abs=1e-12)


def test_the_control_of_these_tests_is_an_index_that_forgets_a_column() -> None:
    class Forgetful(MemoryIndex):
        def add(self, documents):  # type: ignore[no-untyped-def]
            super().add(each._replace(texts={**each.texts, "question": ""}) for each in documents)

    with passing_library() as library:
        under = Under(library, lambda _: Forgetful())
        with pytest.raises(AssertionError):
            test_what_holds_a_term_is_found_and_what_holds_it_in_its_question_comes_first(under)
        assert under.index.check(under.documents)


def test_weights_name_every_column_that_is_searched() -> None:
    from kb.search.rerank import FIELD_WEIGHTS

    assert tuple(FIELD_WEIGHTS) == COLUMNS
    assert replace(ENTRIES[0], tags=("x",)).digest != ENTRIES[0].digest

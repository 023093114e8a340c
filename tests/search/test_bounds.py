"""A query's work is bounded: counted the same on every machine, and told where it ends."""

from __future__ import annotations

import itertools
import json
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from unittest.mock import patch

import pytest

from kb import Library
from kb.errors import NotFound
from kb.model.clauses import Clause, Every, Phrase
from kb.model.results import Filters, Results
from kb.search.interpret import planned
from kb.search.lexicon import of_search, reading_cost
from kb.search.parser import Bare, Keyword, parse
from kb.service.find import STOPPED
from tests.search.test_spellings import lexicon

BOTH = pytest.mark.parametrize("word", ["gradient", "گرادیان"], ids=["en", "fa"])
FEW = 2_000
"""Units of work in which a question is found, but not ranked or corrected to its end."""


def _told(results: Results) -> object:
    return [(hit.id, hit.score, hit.excerpt) for hit in results.hits], results.notice


@contextmanager
def _units(most: int) -> Iterator[None]:
    with patch("kb.service.find._LEAST", most):
        yield


@pytest.mark.long
@BOTH
def test_how_busy_the_machine_is_changes_no_answer(
    bundled: Library, monkeypatch: pytest.MonkeyPatch, word: str
) -> None:
    idle = bundled.search(f"{word} the را")
    clock = itertools.count(step=60)
    for name in ("thread_time", "monotonic", "process_time", "perf_counter"):
        monkeypatch.setattr(time, name, lambda: float(next(clock)))
    busy = bundled.search(f"{word} the را")
    assert idle.hits and _told(idle) == _told(busy)


@BOTH
def test_what_was_found_until_the_work_ends_is_given_and_told(bundled: Library, word: str) -> None:
    whole = bundled.search(f"{word} matrix شبکه")
    with _units(FEW):
        part = bundled.search(f"{word} matrix شبکه")
    assert whole.notice is None
    assert part.notice == STOPPED
    assert part.hits and {hit.id for hit in part.hits} <= {
        hit.id for hit in bundled.search(f"{word} matrix شبکه", limit=None).hits
    }


@BOTH
def test_where_the_work_ends_at_once_nothing_is_found_and_that_is_told(
    bundled: Library, word: str
) -> None:
    with _units(1):
        part = bundled.search(f"{word} matrix شبکه")
    assert (part.hits, part.total, part.notice) == ((), 0, STOPPED)


@BOTH
def test_wherever_the_work_ends_an_answer_that_differs_says_so(bundled: Library, word: str) -> None:
    query = f"{word} matrix شبکه"
    whole = [(hit.id, hit.score) for hit in bundled.search(query).hits]
    stopped = set()
    for most in (int(FEW * 1.15**step) for step in range(30)):
        with _units(most):
            part = bundled.search(query)
        stopped.add(part.notice)
        assert part.notice == STOPPED or [(hit.id, hit.score) for hit in part.hits] == whole
    assert stopped == {None, STOPPED}


@pytest.mark.parametrize(("holding", "units"), [(100, 272.0), (5_000, 8_852.0)])
def test_what_a_common_word_takes_is_judged_from_how_many_hold_it(
    holding: int, units: float
) -> None:
    known = lexicon({"gradient": holding})
    assert of_search([Clause((Phrase(("gradient",)),))], Every(), known, 10_000) == units


def test_where_the_work_ends_does_not_depend_on_what_was_asked_before(bundled: Library) -> None:
    query = "vanishng gradeint شبکخ (batch OR norm) -gpu"
    for most in (300, 1_000, FEW, 5_000, 20_000):
        with _units(most):
            first = _told(bundled.search(query))
            bundled.search("other words that fill what is remembered")
            assert _told(bundled.search(query)) == first


@pytest.mark.parametrize(
    ("letter", "others"), [("s", "abcdefghij"), ("ش", "بپجچدرزسصض")], ids=["en", "fa"]
)
def test_a_letter_that_begins_much_is_not_asked_for_as_a_beginning(
    empty: Library, tmp_path: Path, letter: str, others: str
) -> None:
    texts = [f"{letter}{a}{b} word" for a in others for b in others]
    file = tmp_path / "many.jsonl"
    rows = [{"id": str(n), "title": text, "text": text} for n, text in enumerate([*texts, letter])]
    file.write_text("\n".join(json.dumps(row, ensure_ascii=False) for row in rows))
    empty.import_file(file, collection="many")
    asked: list[str] = []
    empty.find._base.store.connection.raw.set_trace_callback(asked.append)
    first = next(empty.search_typed(f"word {letter}"))
    alone = next(empty.search_typed(letter))
    assert first.hits and [hit.id for hit in alone.hits] == ["many/100"]
    assert asked and not any("term >=" in each and "documents" in each for each in asked)
    next(empty.search_typed(f"{letter}{others[0]}"))
    assert any("term >=" in each and "documents" in each for each in asked)


def test_a_query_without_an_end_asks_the_index_no_more_than_a_long_one(bundled: Library) -> None:
    def statements(query: str) -> int:
        asked: list[str] = []
        raw = bundled.find._base.store.connection.raw
        raw.set_trace_callback(asked.append)
        bundled.search(query)
        raw.set_trace_callback(None)
        return len(asked)

    statements("warm up: the tables that show the words are made once")
    for word in ("verdict:", "shabake:", "شبکخ:", "np."):
        assert statements(word * 200) and statements(word * 800) <= statements(word * 200)
        assert statements(word * 800) < 2_000


@pytest.mark.parametrize(
    ("written", "words"),
    [("lang:" * 300, 64), ("梯度下降" * 300, 64), ("a.b" * 500, 64), ("x" * 2_000, 1)],
)
def test_a_long_query_is_read_by_the_parts_of_its_words(written: str, words: int) -> None:
    from kb.text.words import parts

    parsed = parse(written)
    assert isinstance(parsed.node, Keyword) and parsed.notice
    counted = [(p.end - p.start) / 2 if p.kind == "pairs" else 1 for p in parts(parsed.node.text)]
    assert sum(counted) == words


def test_the_first_distinct_words_of_a_long_query_are_read() -> None:
    parsed = parse(" ".join(f"word{number % 100}" for number in range(1_000)))
    assert parsed.node == Bare(tuple(Keyword(f"word{number}") for number in range(64)))


def test_what_a_ligature_stands_for_counts_as_its_letters(bundled: Library) -> None:
    assert "longer" in str(bundled.search("\ufdfa" * 500).notice)


@pytest.mark.parametrize("query", ["-tag:x -tag:y gradient", "NOT NOT gradient", "-level:E -gpu"])
def test_what_is_ruled_out_by_a_field_is_ruled_out_for_all_texts_of_an_entry(
    bundled: Library, query: str
) -> None:
    entries = {hit.id: bundled.show(hit.id) for hit in bundled.search(query, limit=None).hits}
    assert entries
    assert not any({"x", "y"} & set(entry.tags) for entry in entries.values())
    if "level" in query:
        assert all(entry.level != "E" for entry in entries.values())


def test_ruling_out_twice_is_asking_for_it(bundled: Library) -> None:
    plain = {hit.id for hit in bundled.search("level:E", limit=None).hits}
    twice = {hit.id for hit in bundled.search("NOT (NOT level:E)", limit=None).hits}
    assert plain and plain == twice


def test_words_that_must_all_be_there_rank_as_they_did_one_by_one(bundled: Library) -> None:
    both = bundled.search("gradient AND the", limit=None)
    either = {hit.id for hit in bundled.search("gradient OR the", limit=None).hits}
    assert both.hits and {hit.id for hit in both.hits} <= either


@pytest.mark.parametrize("name", ["a" * 1_000_000, "گرادیان-" * 50_000, "ﷺ" * 100_000])
def test_a_name_without_an_end_is_said_to_be_unknown_in_a_sentence(
    bundled: Library, name: str
) -> None:
    for read in (bundled.show, bundled.snippet):
        with pytest.raises(NotFound) as caught:
            read(name)
        assert len(caught.value.message) < 400
    assert bundled.glossary.translate(name) == {}
    assert bundled.list(filters=Filters(tag=name)).total == 0
    assert bundled.search("gradient", filters=Filters(tag=name)).total == 0


def test_the_passage_of_a_text_as_long_as_a_book_is_found(empty: Library, tmp_path: Path) -> None:
    text = "plain words of no interest . " * 40_000 + "then an eigenvalue appears at last"
    file = tmp_path / "book.jsonl"
    file.write_text(f'{{"id": "book", "lang": "en", "title": "A book", "text": "{text}"}}\n')
    empty.import_file(file, collection="books")
    (hit,) = empty.search("eigenvalue").hits
    assert hit.excerpt and "eigenvalue" in hit.excerpt.text and hit.excerpt.marks


@pytest.mark.parametrize("letters", ["abcdefghijklmnopqrstuvwxyz", "ابپتثجچحخدذرزژسشصضطظعغفقکگ"])
def test_of_a_short_query_of_many_words_it_is_told_that_not_all_are_read(
    bundled: Library, letters: str
) -> None:
    words = [f"{one}{two}" for one in letters for two in letters][:65]
    told = "The query has more than 64 words; its first 64 words were read."
    assert told in (bundled.search(" ".join(words)).notice or "")
    assert told not in (bundled.search(" ".join(words[:64])).notice or "")
    assert told not in (bundled.search(" ".join(words[:3] * 40)).notice or "")
    assert parse("(" * 20 + "gradient" + ")" * 20).notice is None
    nested = parse("(" * 21 + " ".join(words)).notice
    assert nested and nested.endswith(told) and nested != told


@pytest.mark.parametrize("word", ["gradient", "گرادیان"], ids=["en", "fa"])
def test_a_word_of_a_query_is_paid_for_once_in_all_its_plans(word: str) -> None:
    known = lexicon({})
    before = known.budget.left
    planned(Bare((Keyword(word), Keyword("loss"))), known)
    paid = before - known.budget.left
    assert paid == reading_cost(word, 2) + reading_cost("loss", 2) > 0
    planned(Bare((Keyword(word), Keyword("loss"), Keyword("rate"))), known, loose=True)
    assert before - known.budget.left == paid + reading_cost("rate", 2)


def test_a_letter_that_spells_out_to_several_costs_as_many() -> None:
    assert reading_cost("abc", 2) == reading_cost("\u200cab", 2) == 24.0
    assert reading_cost("\ufdfa", 1) == 4.0 * 18

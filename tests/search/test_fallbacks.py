"""What is tried when a query finds little: by what it was found, and never before plain hits."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from kb import Library
from tests.databases import new_library

DOCUMENTS = {
    "over": ("en", "What is overfitting?", "Dropout and regularization reduce it."),
    "over-fa": ("fa", "بیش‌برازش چیست؟", "مدل داده را حفظ می‌کند."),
    "under-fa": ("fa", "کم‌برازش چیست؟", "مدل بسیار ساده است."),
    "net-fa": ("fa", "شبکه‌های عصبی عمیق", "لایه‌های پنهان فراوان."),
    "grad-fa": ("fa", "گرادیان کاهشی", "پارامترها را جابه‌جا می‌کنیم."),
    "set": ("en", "Why split a dataset?", "Training data and test data."),
}


@pytest.fixture
def small(tmp_path: Path) -> Iterator[Library]:
    file = tmp_path / "notes.jsonl"
    rows = ({"id": i, "lang": a, "title": b, "text": c} for i, (a, b, c) in DOCUMENTS.items())
    file.write_text("\n".join(json.dumps(row, ensure_ascii=False) for row in rows))
    with new_library(tmp_path / "small.db") as library:
        library.import_file(file, collection="n")
        yield library


def found(library: Library, query: str) -> list[tuple[str, str | None]]:
    return [(hit.id.removeprefix("n/"), hit.via) for hit in library.search(query).hits]


@pytest.mark.long
@pytest.mark.parametrize(
    ("query", "entry", "via"),
    [
        ("regul", "over", "text"),
        ("گراد", "grad-fa", "text"),
        ("shabake asabi", "net-fa", "transliteration"),
        ("geradian", "grad-fa", "transliteration"),
        ("bish barazesh", "over-fa", "transliteration"),
        ("یقخحخعف", "over", "layout"),
        ("'vhndhk", "grad-fa", "layout"),
        ("regularisaton", "over", "spelling"),
        ("گرادین", "grad-fa", "spelling"),
    ],
)
def test_a_word_that_is_nowhere_is_found_by_a_fallback(
    small: Library, query: str, entry: str, via: str
) -> None:
    assert found(small, query)[0] == (entry, via)


def test_a_word_that_is_indexed_is_never_read_otherwise(small: Library) -> None:
    assert found(small, "dropout") == [("over", "text")]
    assert {via for _, via in found(small, "data shabake")[:1]} == {"text"}


def test_what_the_words_find_by_themselves_stands_before_what_a_fallback_finds(
    small: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    # The nearest words of dataset would find another text.
    monkeypatch.setattr("kb.service.answer.nearest_words", lambda word: ())
    hits = found(small, "dataset shabake")
    assert hits == [("set", "text"), ("net-fa", "transliteration")]
    for offset, id in enumerate(["n/set", "n/net-fa"]):
        page = small.search("dataset shabake", limit=1, offset=offset)
        assert [hit.id for hit in page.hits] == [id]
    assert small.search("dataset shabake", limit=1, offset=1).total == 2


def test_a_compound_written_apart_is_not_its_second_half(small: Library) -> None:
    hits = found(small, "بیش برازش")
    assert hits == [("over-fa", "text"), ("over", "translation")]
    assert {entry for entry, _ in found(small, "برازش")} >= {"over-fa", "under-fa"}


@pytest.mark.parametrize("query", ["regularisaton", "regul", "گراد", "dataset", "shabake asabi"])
def test_one_query_has_one_answer_whoever_types_it(small: Library, query: str) -> None:
    *_, typed = small.search_typed(query)
    asked = small.search(query)
    assert (typed.hits, typed.total, typed.suggestion) == (
        asked.hits,
        asked.total,
        asked.suggestion,
    )


def test_the_order_of_the_fallbacks_is_explained(small: Library) -> None:
    lines = "\n".join(small.search("geradian", explain=True).explanation)
    assert "as written: " in lines
    assert "Latin letters as Persian: " in lines
    order = ["words as beginnings", "Latin letters", "keyboard layout", "nearest spelling"]
    told = next(line for line in lines.split("\n") if line.startswith("fallbacks"))
    assert sorted(order, key=told.index) == order


@pytest.mark.parametrize("number", [2, 3])
def test_a_word_in_the_other_layout_wins_over_three_that_its_parts_find(
    small: Library, tmp_path: Path, number: int
) -> None:
    file = tmp_path / "letters.jsonl"
    rows = [
        {"id": f"v{n}", "lang": "en", "title": "v", "text": "hk is a pair"} for n in range(number)
    ]
    file.write_text("\n".join(map(json.dumps, rows)))
    small.import_file(file, collection="letters")
    assert found(small, "hk")[0] == ("letters/v0", "text")
    by_parts = [("letters/v0", "text"), ("letters/v1", "text")] if number == 2 else []
    assert found(small, "tvh,hk") == [*by_parts, ("net-fa", "layout")]


def test_a_misspelt_word_beside_a_known_one_is_suggested(small: Library) -> None:
    results = small.search("dropuot regularization")
    assert [hit.id for hit in results.hits] == ["n/over"]
    assert results.suggestion == "dropout regularization"
    assert small.search("گرادین کاهشی").suggestion == "گرادیان کاهشی"


@pytest.mark.parametrize(
    ("query", "meant"),
    [
        ("شبکه های عصبی", None),
        ("شبکخ های عصبی", "شبکه های عصبی"),
        ("می شود گرادیانت", "می شود گرادیان"),
    ],
)
def test_an_affix_that_is_written_apart_is_no_slip(
    bundled: Library, query: str, meant: str | None
) -> None:
    assert bundled.search(query).suggestion == meant


@pytest.mark.parametrize(
    ("query", "meant"),
    [('"tests dataa"', '"tests data"'), ('"شبکه‌ها عصبیی"', '"شبکه‌ها عصبی"')],
)
def test_a_word_that_is_indexed_in_another_form_is_not_corrected(
    small: Library, query: str, meant: str
) -> None:
    assert small.search(query).suggestion == meant


def test_nothing_is_suggested_for_what_was_typed_in_another_alphabet(small: Library) -> None:
    results = small.search("shabake asabi")
    assert results.hits and results.suggestion is None


@pytest.mark.parametrize("query", ["گرادیان دیسنت", "گرادینت دیسنت", "stochastic گرادیان دیسنت"])
def test_a_word_of_a_name_that_the_glossary_has_is_not_corrected(
    bundled: Library, query: str
) -> None:
    results = bundled.search(query)
    assert results.hits and results.suggestion is None

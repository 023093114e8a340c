"""As one types: what is there at once, then the whole answer, and nothing once it is stale."""

from __future__ import annotations

import json
import pkgutil
from collections.abc import Sequence
from pathlib import Path

import pytest

from kb import Library
from kb.model.results import Filters, Hit


def test_first_comes_what_the_words_so_far_rank_best_then_the_whole_answer(
    bundled: Library,
) -> None:
    first, whole = bundled.search_typed("matrix multipl")
    scores = [hit.score for hit in first.hits]
    assert scores == sorted(scores, reverse=True) and scores[-1] > 0
    expected = bundled.search("matrix multipl")
    assert [hit.id for hit in whole.hits] == [hit.id for hit in expected.hits]


def test_it_is_the_same_in_persian(bundled: Library) -> None:
    first, whole = bundled.search_typed("گرادی")
    assert first.hits and whole.hits
    assert all("گرادی" in (hit.excerpt.text if hit.excerpt else "") for hit in first.hits[:3])


SPREAD = {
    "en": (
        "how do glaciers carve deep val",
        "glaciers carve deep valleys",
        ("how do glaciers melt in spring", "how to carve wood", "deep water", "val"),
    ),
    "fa": (
        "چگونه یخچال‌ها دره‌های ژرف می‌تراش",
        "یخچال‌ها دره‌های ژرف می‌تراشند",
        ("چگونه یخچال‌ها آب می‌شوند", "دره‌های سبز", "آب ژرف", "چگونه می‌توان نوشت"),
    ),
}
"""A query that is being typed, the text that it asks for, and texts that hold a word each."""


@pytest.mark.parametrize("lang", SPREAD)
def test_of_texts_that_share_the_words_of_a_query_the_one_with_most_comes_first(
    empty: Library, tmp_path: Path, lang: str
) -> None:
    typed, best, others = SPREAD[lang]
    _fill(empty, tmp_path, lang, [*others, best])
    first = next(empty.search_typed(typed))
    assert best in first.hits[0].question.values()
    assert len(first.hits) > 2


@pytest.mark.parametrize(("lang", "word"), [("en", "glacier"), ("fa", "یخچال")])
def test_equal_texts_come_in_the_order_of_their_ids_whatever_came_first(
    empty: Library, tmp_path: Path, lang: str, word: str
) -> None:
    _fill(empty, tmp_path, lang, [word] * 3, "cab")
    first = next(empty.search_typed(word[:-1]))
    assert [hit.id for hit in first.hits] == ["texts/a", "texts/b", "texts/c"]


@pytest.mark.parametrize(
    ("typed", "going_on"),
    [
        ("deep glacier", (" ", " i", " in", " in d")),
        ("in glacier", (" i", " in")),
        ("یخچال", (" ", " د", " در")),
        ("در یخچال", (" د", " در")),
    ],
)
def test_what_tells_nothing_yet_changes_nothing(
    empty: Library, tmp_path: Path, typed: str, going_on: tuple[str, ...]
) -> None:
    _fill(empty, tmp_path, "en", ["glacier in a deep inlet", "a deep glacier", "ideas", "then"])
    _fill(empty, tmp_path, "fa", ["یخچال‌های دره", "یخچال", "درخت", "دریا"], "efgh")
    shown = [next(empty.search_typed(typed + " ")).hits]
    shown += [next(empty.search_typed(typed + more)).hits for more in going_on]
    assert shown[0] and all(_ids(hits) == _ids(shown[0]) for hits in shown)


@pytest.mark.parametrize(("letter", "word"), [("k", "kernels"), ("گ", "گرادیان")], ids=["en", "fa"])
def test_a_letter_alone_is_the_word_that_it_is_and_only_else_a_beginning(
    empty: Library, tmp_path: Path, letter: str, word: str
) -> None:
    _fill(empty, tmp_path, "en", [word, f"{word} once more"])
    assert len(next(empty.search_typed(letter)).hits) == 2
    _fill(empty, tmp_path, "en", [f"the letter {letter}"], "z")
    assert [hit.id for hit in next(empty.search_typed(letter)).hits] == ["texts/z"]


@pytest.mark.parametrize("typed", ["(deep) glac", "deep -warm glac", "glac lang:en"])
def test_groups_and_demands_are_heeded_while_one_types(
    empty: Library, tmp_path: Path, typed: str
) -> None:
    _fill(empty, tmp_path, "en", ["deep glacier", "warm deep glacier"])
    ids = _ids(next(empty.search_typed(typed)).hits)
    assert ids[0] == "texts/a"
    assert ("texts/b" in ids) is ("-warm" not in typed)


def test_the_first_tier_is_left_out_where_it_finds_nothing(bundled: Library) -> None:
    (ranked,) = bundled.search_typed("zzzz")
    assert ranked.total == 0


def test_nothing_comes_once_it_is_cancelled(bundled: Library) -> None:
    assert list(bundled.search_typed("matrix", cancelled=lambda: True)) == []
    asked = iter([False] * 3)
    tiers = bundled.search_typed("matrix", cancelled=lambda: next(asked, True))
    assert len(list(tiers)) < 2


def test_filters_narrow_both_tiers(bundled: Library) -> None:
    for tier in bundled.search_typed("gradient", filters=Filters(level="H")):
        assert tier.hits and {hit.level for hit in tier.hits} == {"H"}


@pytest.mark.parametrize("stage", ["suggestion", "excerpt.excerpt"])
def test_a_suggestion_and_a_page_are_given_up_once_nobody_wants_them(
    bundled: Library, monkeypatch: pytest.MonkeyPatch, stage: str
) -> None:
    wanted = [True]
    for later in (False, True):
        done = _leaving(f"kb.service.find.{stage}", wanted, bundled, later)
        with monkeypatch.context() as patch:
            patch.setattr(f"kb.service.find.{stage}", done)
            found = bundled.find.search("gradient vanishng", cancelled=lambda: not wanted[0])
        assert bool(found.hits and found.suggestion) is not later


def _leaving(stage: str, wanted: list[bool], library: Library, later: bool) -> object:
    """Return a stage of a search in the middle of which the reader leaves."""
    real = pkgutil.resolve_name(stage.replace(".excerpt.", ":excerpt."))

    def left(*given: object) -> object:
        wanted[0] = not later
        asked = library._base.store.connection
        asked.value("SELECT count(*) FROM document a, document b, document c")
        return real(*given)

    return left


def _fill(
    library: Library, folder: Path, lang: str, texts: Sequence[str], ids: str = "abcdefgh"
) -> None:
    """Import texts of a line under these ids, in this order."""
    rows = [
        {"id": id, "lang": lang, "title": text, "text": text}
        for id, text in zip(ids, texts, strict=False)
    ]
    file = folder / "texts.jsonl"
    lines = (json.dumps(row, ensure_ascii=False) for row in rows)
    file.write_text("\n".join(lines), encoding="utf-8")
    library.import_file(file, collection="texts")


def _ids(hits: Sequence[Hit]) -> list[str]:
    return [hit.id for hit in hits]

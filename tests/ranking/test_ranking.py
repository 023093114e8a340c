"""What comes first: the whole query, words beside each other, the form that was asked for."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from kb import Library
from tests.databases import new_library
from tests.search.test_golden import entry

DOCUMENTS = {
    "singular": ("en", "", "The operator of the north."),
    "plural": ("en", "", "The operators of the north."),
    "apart": ("en", "", "A policy that is old, and in the end a gradient that is new."),
    "near": ("en", "", "In the end that is an old and a new policy gradient that is."),
    "apart-fa": ("fa", "", "سیاست کهنه است و در پایان کار هم گرادیان تازه‌ای هست."),
    "near-fa": ("fa", "", "در پایان کار هم کهنه و تازه‌ای از گرادیان سیاست هست."),
    "one": ("en", "", "Momentum, momentum and momentum without the rest."),
    "both": ("en", "", "Momentum and curvature, and then there is the rest."),
    "gpu-fa": ("fa", "", "GPU"),
    "gpu-en": ("en", "", "GPU"),
    "bigger": ("fa", "", "این مدل از آن بزرگ‌تر است."),
    "joined": ("fa", "", "این مدل از آن بزرگتر است."),
    "apis": ("fa", "", "همهٔ APIها آماده‌اند."),
}


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    folder = tmp_path_factory.mktemp("ranking")
    rows = ({"id": i, "lang": a, "title": b, "text": c} for i, (a, b, c) in DOCUMENTS.items())
    file = folder / "n.jsonl"
    file.write_text("\n".join(json.dumps(row, ensure_ascii=False) for row in rows))
    with new_library(folder / "small.db") as library:
        library.import_file(file, collection="n")
        yield library


def found(library: Library, query: str) -> list[str]:
    return [hit.id.removeprefix("n/") for hit in library.search(query, limit=100).hits]


@pytest.mark.parametrize(
    ("query", "first", "second"),
    [
        ("operators", "plural", "singular"),
        ("policy gradient", "near", "apart"),
        ("گرادیان سیاست", "near-fa", "apart-fa"),
        ("momentum curvature", "both", "one"),
        ("GPU", "gpu-en", "gpu-fa"),
    ],
)
def test_of_two_that_hold_the_words_the_better_comes_first(
    small: Library, query: str, first: str, second: str
) -> None:
    assert found(small, query)[:2] == [first, second]


@pytest.mark.parametrize("query", ["بزرگ‌تر", "بزرگتر", "بزرگ تر"])
def test_a_comparative_is_found_however_it_is_joined(small: Library, query: str) -> None:
    assert {"bigger", "joined"} <= set(found(small, query))


def test_a_latin_word_is_found_inside_its_persian_plural(small: Library) -> None:
    assert found(small, "API") == ["apis"]


@pytest.fixture(scope="module")
def many(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    folder = tmp_path_factory.mktemp("many")
    rows = [{"id": f"d{n}", "lang": "en", "title": "", "text": f"the note {n}"} for n in range(900)]
    rows.append({"id": "zebra", "lang": "en", "title": "", "text": "the zebra of the note"})
    file = folder / "n.jsonl"
    file.write_text("\n".join(map(json.dumps, rows)))
    with new_library(folder / "many.db") as library:
        library.import_file(file, collection="n")
        yield library


def test_a_rare_word_beside_common_ones_comes_first_and_the_rest_fills_the_page(
    many: Library,
) -> None:
    results = many.search("note zebra", limit=20)
    assert results.hits[0].id == "n/zebra"
    assert len(results.hits) == 20


def test_function_words_find_nothing_beside_words_that_tell(many: Library, small: Library) -> None:
    assert [hit.id for hit in many.search("what is the zebra").hits] == ["n/zebra"]
    assert found(small, "این سیاست چیست") == found(small, "سیاست")


def test_a_slip_beside_function_words_is_mended(many: Library) -> None:
    results = many.search("what is the zebro")
    assert [(hit.id, hit.via) for hit in results.hits] == [("n/zebra", "spelling")]
    assert results.suggestion == "what is the zebra"


def test_common_words_alone_are_found(many: Library) -> None:
    assert many.search("the", limit=5).total == 901
    assert many.search("the note", limit=5).total == 901


def test_what_was_asked_for_without_fail_is_not_left_out(many: Library) -> None:
    assert many.search("the OR zebra", limit=5).total == 901
    assert [hit.id for hit in many.search("the AND zebra").hits] == ["n/zebra"]


def test_pages_behind_the_reranked_ones_follow_without_gap_or_repeat(many: Library) -> None:
    pages = [many.search("the note", limit=50, offset=at).hits for at in range(0, 300, 50)]
    ids = [hit.id for page in pages for hit in page]
    assert len(set(ids)) == 300


def test_what_only_common_words_find_follows_what_rare_ones_find(many: Library) -> None:
    first = many.search("zebra note", limit=10).hits
    later = [
        hit.id
        for at in range(10, 310, 50)
        for hit in many.search("zebra note", limit=50, offset=at).hits
    ]
    ids = [hit.id for hit in first] + later
    assert len(ids) == len(set(ids)) == 310
    assert ids[0] == "n/zebra"


def test_without_a_limit_everything_comes(many: Library) -> None:
    assert len(many.search("note", limit=None).hits) == 901


@pytest.mark.parametrize(
    ("lang", "word", "other"), [("en", "matrices", "plain"), ("fa", "شبکه‌ها", "ساده")]
)
@pytest.mark.parametrize("blank", [" ", "\n\n"])
def test_what_matches_far_into_a_text_is_marked_where_it_stands(
    small: Library, lang: str, word: str, other: str, blank: str
) -> None:
    text = blank.join([word, *[other] * 300, word, *[other] * 10, word])
    marked = [text[start:end] for start, end in small.find.marks(text, lang, word)]
    assert marked == [word] * 3
    assert not small.find.marks(text.replace(word, other), lang, word)


@pytest.fixture(scope="module")
def alike(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    """Sixty texts that score alike, of which two have the words beside each other."""
    folder = tmp_path_factory.mktemp("alike")
    texts = dict.fromkeys(range(1, 61), "the policy that is an old gradient")
    texts |= dict.fromkeys((50, 51), "the policy gradient that is an old")
    rows = ({"id": f"d{n:02}", "lang": "en", "title": "", "text": t} for n, t in texts.items())
    file = folder / "n.jsonl"
    file.write_text("\n".join(map(json.dumps, rows)))
    with new_library(folder / "alike.db") as library:
        library.import_file(file, collection="n")
        yield library


def test_the_first_fifty_are_ranked_again_and_no_more(alike: Library) -> None:
    ids = found(alike, "policy gradient")
    assert ids[0] == "d50"
    assert ids[50] == "d51"


def test_an_entry_is_shown_in_the_language_that_was_asked_in_though_another_text_ranks_first(
    empty: Library, tmp_path: Path
) -> None:
    texts = {
        "en": {"question": "Is one lane of Omnipath enough for all of it?", "source": "No."},
        "zh": {"question": "Omnipath", "source": "Omnipath"},
    }
    file = tmp_path / "lane.json"
    file.write_text(json.dumps({"schema_version": 1, "entries": [entry("lane", texts)]}))
    empty.import_file(file)
    assert [hit.lang for hit in empty.search("Omnipath").hits] == ["en"]

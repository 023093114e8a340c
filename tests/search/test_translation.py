"""Finding across languages: by the glossary, by a reader's dictionary, and said as such."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from kb import Library
from kb.errors import BadData, NotFound
from kb.model.entry import ConceptName, Name
from kb.model.results import Filters
from kb.text.analyzer import stems
from tests.databases import new_library

DOCUMENTS = (
    ("en-gradient", "en", "Why do gradients vanish?", "The chain rule multiplies many factors."),
    ("fa-gradient", "fa", "گرادیان کاهشی چیست؟", "پارامترها را جابه‌جا می‌کنیم."),
    ("fa-memory", "fa", "چرا حافظه کم می‌آید؟", "فعال‌سازی‌ها جا می‌گیرند."),
    ("en-otter", "en", "Where does an otter live?", "In a river."),
)


@pytest.fixture
def library(tmp_path: Path) -> Iterator[Library]:
    file = tmp_path / "n.jsonl"
    rows = ({"id": i, "lang": a, "title": b, "text": c} for i, a, b, c in DOCUMENTS)
    file.write_text("\n".join(json.dumps(row, ensure_ascii=False) for row in rows))
    with new_library(tmp_path / "t.db") as opened:
        opened.import_file(file, collection="n")
        yield opened


def found(library: Library, query: str) -> list[tuple[str, str | None]]:
    return [(hit.id.removeprefix("n/"), hit.via) for hit in library.search(query).hits]


def test_a_text_in_the_other_language_is_found_and_said_to_be(library: Library) -> None:
    assert found(library, "gradients") == [("en-gradient", "text"), ("fa-gradient", "translation")]
    assert found(library, "گرادیان") == [("fa-gradient", "text"), ("en-gradient", "translation")]
    assert found(library, "memory") == [("fa-memory", "translation")]


@pytest.mark.parametrize(
    ("query", "entry"),
    [("memories", "fa-memory"), ("رودخانه", "en-otter"), ("live نهر", "en-otter")],
)
def test_a_word_that_is_known_is_not_corrected_where_only_what_translates_it_stands(
    library: Library, query: str, entry: str
) -> None:
    assert found(library, query)[0][0] == entry
    assert library.search(query).suggestion is None


def test_a_word_that_nobody_knows_is_corrected_beside_one_that_is_translated(
    library: Library,
) -> None:
    assert library.search("memory gradiants").suggestion == "memory gradients"


def test_a_term_of_several_words_is_translated_as_one(library: Library) -> None:
    hit = library.search("gradient descent", filters=Filters(lang="fa")).hits[0]
    assert (hit.id, hit.via) == ("n/fa-gradient", "translation")
    assert hit.excerpt is not None
    marked = [hit.excerpt.text[a:b] for a, b in hit.excerpt.marks]
    assert marked == ["گرادیان", "کاهشی"]


def test_within_operators_a_word_stands_for_its_translations_too(library: Library) -> None:
    assert found(library, "memory AND حافظه") == [("fa-memory", "translation")]
    assert found(library, "gradient AND memory") == []
    assert found(library, "gradient -گرادیان") == [("en-gradient", "text")]


def test_the_glossary_can_be_looked_up(library: Library) -> None:
    assert library.glossary.translate("Gradients")["fa"][0] == "گرادیان"
    assert library.glossary.translate("شبکهٔ عصبی بازگشتی")["en"][0] == "recurrent neural network"
    assert library.glossary.translate("zzzz") == {}


def test_a_readers_dictionary_is_used_and_replaced_by_its_name(
    library: Library, tmp_path: Path
) -> None:
    words = tmp_path / "animals.tsv"
    assert found(library, "سمور آبی") == []
    words.write_text("# animals\notter\tسمور آبی\tn\tan animal\n\nseal\tفُک\n")
    assert library.glossary.add(words).pairs == 2
    assert found(library, "سمور آبی") == [("en-otter", "translation")]
    words.write_text("seal\tفُک\n")
    library.glossary.add(words)
    assert found(library, "سمور آبی") == []
    assert library.glossary.translate("gradient")


def test_a_dictionary_of_other_languages_is_used_alike(library: Library, tmp_path: Path) -> None:
    words = tmp_path / "deutsch.tsv"
    words.write_text("Fischotter\totter\n")
    library.glossary.add(words, languages=("de", "en"))
    assert library.glossary.translate("otter") == {"de": ["Fischotter"]}


@pytest.mark.parametrize(
    ("text", "told"),
    [("otter\n", ":1: a line needs two columns"), ("a\tb\n\tc\n", ":2:"), ("\n", "no pair")],
)
def test_a_broken_dictionary_is_named_and_changes_nothing(
    library: Library, tmp_path: Path, text: str, told: str
) -> None:
    words = tmp_path / "words.tsv"
    words.write_text("otter\tسمور آبی\n")
    library.glossary.add(words)
    words.write_text(text)
    with pytest.raises(BadData, match=told):
        library.glossary.add(words)
    assert found(library, "سمور آبی") == [("en-otter", "translation")]
    with pytest.raises(NotFound):
        library.glossary.add(tmp_path / "none.tsv")


def test_only_a_newline_ends_a_line_of_a_dictionary(library: Library, tmp_path: Path) -> None:
    words = tmp_path / "words.tsv"
    words.write_bytes("otter\u2028\tسمور\x85 آبی\r\nriver\x0c\tرود\n".encode())
    assert library.glossary.add(words).pairs == 2
    words.write_text("river\u2028\tرود\notter\n")
    with pytest.raises(BadData, match=":2: a line needs two columns"):
        library.glossary.add(words)


def test_an_empty_database_has_the_glossary_too(tmp_path: Path) -> None:
    with new_library(tmp_path / "e.db") as empty:
        assert empty.list().total == 0
        assert empty.glossary.translate("matrix")


def test_a_rebuild_finds_the_names_of_the_glossary_by_the_stems_of_today(empty: Library) -> None:
    names = (
        ConceptName(1, 0, "en", "zorbed quaxes", "of old"),
        ConceptName(1, 0, "fa", "زورب", ""),
    )
    base, key = empty._base, (" ".join(stems("zorbed quaxes", "en")), "en")
    with base.store.transaction():
        base.store.glossary.put(names, "mine")
    assert base.store.glossary.translations([key]) == {}
    empty.rebuild()
    assert base.store.glossary.translations([key]) == {key: [Name("زورب", "fa")]}

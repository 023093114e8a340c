"""Names that no dictionary knows meet by their consonants, in either alphabet."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from kb import Library
from tests.databases import new_library

DOCUMENTS = {
    "wittgenstein-fa": ("fa", "ویتگنشتاین و گرانش", "زمان و مکان با هم خمیده می‌شوند."),
    "gravity-fa": ("fa", "گرانش و آزمایش‌های آن", "سیب می‌افتد."),
    "gravity-en": ("en", "Gravity in short", "Light is equally fast for everybody."),
    "gravity-en-2": ("en", "What gravity does to time", "Moving clocks are slow."),
    "gravity-en-3": ("en", "Who measured gravity", "Clocks in a plane."),
    "schrodinger": ("en", "The cat of Schrodinger", "It is alive and dead."),
    "spinoza": ("en", "Ethics by Spinoza", "All things follow from one."),
    "heisenberg-fa": ("fa", "هایزنبرگ و اصل عدم قطعیت", "مکان و تکانه با هم معلوم نیستند."),
}


@pytest.fixture(scope="module")
def library(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Library]:
    folder = tmp_path_factory.mktemp("names")
    file = folder / "n.jsonl"
    rows = ({"id": i, "lang": a, "title": b, "text": c} for i, (a, b, c) in DOCUMENTS.items())
    file.write_text("\n".join(json.dumps(row, ensure_ascii=False) for row in rows))
    with new_library(folder / "n.db") as opened:
        opened.import_file(file, collection="n")
        yield opened


def found(library: Library, query: str) -> list[tuple[str, str | None]]:
    return [(hit.id.removeprefix("n/"), hit.via) for hit in library.search(query).hits]


@pytest.mark.parametrize(
    ("query", "entry"),
    [
        ("Wittgenstein", "wittgenstein-fa"),
        ("Heisenberg", "heisenberg-fa"),
        ("شرودینگر", "schrodinger"),
        ("اسپینوزا", "spinoza"),
        ("ویتگنشتن", "wittgenstein-fa"),
    ],
)
def test_a_name_is_found_as_another_alphabet_or_writer_spells_it(
    library: Library, query: str, entry: str
) -> None:
    assert found(library, query) == [(entry, "transliteration")]


@pytest.mark.long
@pytest.mark.parametrize("spelled", ["ویتگنشتاین", "ویتگنشتین", "ویتگنشتائین", "ویتگنشتن"])
def test_each_persian_spelling_of_a_name_is_found_by_the_latin_one_and_finds_it(
    tmp_path: Path, spelled: str
) -> None:
    rows = [{"id": "fa", "lang": "fa", "title": f"زندگی {spelled}", "text": "در برن."}]
    rows += [{"id": "en", "lang": "en", "title": "A walk in Bern", "text": "It was long."}]
    file = tmp_path / "n.jsonl"
    file.write_text("\n".join(json.dumps(row) for row in rows))
    with new_library(tmp_path / "n.db") as library:
        library.import_file(file, collection="n")
        assert found(library, "Wittgenstein") == [("fa", "transliteration")]
    rows[0] = {"id": "fa", "lang": "fa", "title": "زندگی او", "text": "در برن."}
    rows[1]["title"] = "Wittgenstein in Bern"
    file.write_text("\n".join(json.dumps(row) for row in rows))
    with new_library(tmp_path / "m.db") as library:
        library.import_file(file, collection="n")
        assert found(library, spelled) == [("en", "transliteration")]


def test_a_name_beside_words_that_are_found_is_looked_for_too(library: Library) -> None:
    hits = found(library, "Wittgenstein gravity")
    assert hits[0] == ("wittgenstein-fa", "transliteration")
    assert ("gravity-en", "text") in hits
    assert ("gravity-fa", "translation") in hits
    hit = library.search("Wittgenstein gravity").hits[0]
    assert hit.excerpt is not None
    text, marks = hit.excerpt.text, hit.excerpt.marks
    assert "ویتگنشتاین" in [text[start:end] for start, end in marks]


def test_within_operators_a_name_is_looked_for_too(library: Library) -> None:
    assert found(library, "Wittgenstein AND gravity") == [("wittgenstein-fa", "transliteration")]
    assert found(library, "گرانش -Wittgenstein")[0][1] == "text"


@pytest.mark.parametrize("query", ["Eisenhower", "Spencer", "شرلوک", "هایدگر", "Ein", "شرو", "Ali"])
def test_other_names_and_short_words_do_not_meet(library: Library, query: str) -> None:
    assert "transliteration" not in {via for _, via in found(library, query)}


def test_a_name_that_is_there_as_it_was_typed_is_not_read_otherwise(
    library: Library,
) -> None:
    assert found(library, "ویتگنشتاین") == [("wittgenstein-fa", "text")]


def test_a_name_whose_entry_is_deleted_is_found_no_more(tmp_path: Path) -> None:
    file = tmp_path / "n.jsonl"
    rows = [{"id": f"fa-{n}", "lang": "fa", "title": "هایزنبرگ", "text": "متن"} for n in range(2)]
    file.write_text("\n".join(map(json.dumps, rows)))
    with new_library(tmp_path / "n.db") as library:
        library.import_file(file, collection="n")
        library.edit.remove(["n/fa-0"])
        assert found(library, "Heisenberg") == [("fa-1", "transliteration")]
        library.edit.remove(["n/fa-1"])
        assert found(library, "Heisenberg") == []


def test_the_steps_of_a_search_tell_the_spellings_of_a_name(library: Library) -> None:
    lines = library.search("Wittgenstein gravity", explain=True).explanation
    assert any(line.startswith("and translated") and "ویتگنشتاین" in line for line in lines)

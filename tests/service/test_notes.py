"""What a reader adds: found, exported, kept through every change of the texts, never lost."""

from __future__ import annotations

import json
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb import Library, open_library
from kb.errors import Conflict, NotFound, Untrusted, UsageError
from kb.model.entry import Annotation, TextSpan
from kb.model.results import Filters
from kb.text.quotation import find_quotation, quote
from tests.behind import damaged

QUESTION = "rnn-backprop-complexity"
CARD = "preprocessing-bottleneck"
INTRODUCTION = "introduction"
NOTES = {"en": "Ask zymurgy of Teresa.", "fa": "از ترانه دربارهٔ زرافه بپرس."}


def _note(library: Library, words: str, note: str, role: str = "reference", lang: str = "en",
          verdict: str = "note", entry: str = CARD) -> Annotation:  # fmt: skip
    text = library.show(entry).text(role, lang)
    start = text.index(words)
    place = TextSpan(role, lang, start, start + len(words))
    return library.own.annotate(entry, place, note, verdict=verdict)


def _words(library: Library, role: str, lang: str, entry: str = CARD) -> str:
    """Return some words from the middle of a text."""
    text = library.show(entry).text(role, lang)
    middle = text.index(" ", len(text) // 2) + 1
    return text[middle : middle + 24].strip()


@pytest.mark.long
@pytest.mark.parametrize(("lang", "word"), [("en", "zymurgy"), ("fa", "زرافه")])
def test_a_note_is_shown_found_listed_and_exported(bundled: Library, lang: str, word: str) -> None:
    words = _words(bundled, "reference", lang)
    made = _note(bundled, words, NOTES[lang], "reference", lang)
    (found,) = [a for a in bundled.show(CARD).annotations if a.own]
    assert found == made
    assert (found.target.quote, found.verdict, found.note) == (words, "note", {lang: NOTES[lang]})
    assert bundled.search(word).hits[0].id == CARD
    assert [h.id for h in bundled.list(filters=Filters(verdict="note")).hits] == [CARD]
    assert damaged(bundled) == []


@pytest.mark.long
@pytest.mark.parametrize("format", ["json", "jsonl", "csv", "md", "jsonld", "sqlite"])
def test_every_export_holds_the_note_and_the_program(
    bundled: Library, tmp_path: Path, format: str
) -> None:
    _note(bundled, _words(bundled, "reference", "fa"), NOTES["fa"], lang="fa")
    bundled.own.save_snippet(CARD, "print('wombat: 1')\n")
    bundled.export(format, tmp_path / "out")
    written = (tmp_path / "out").read_bytes()
    assert NOTES["fa"].encode() in written
    assert (b"wombat" in written) == (format not in ("csv", "jsonld"))


@pytest.mark.long
def test_what_a_reader_added_goes_to_another_knowledge_base_with_its_entry(
    bundled: Library, tmp_path: Path
) -> None:
    note = _note(bundled, _words(bundled, "reference", "en"), NOTES["fa"], verdict="wrong")
    program = bundled.own.save_snippet(CARD, "print(1)\n", title="One")
    bundled.export("json", tmp_path / "all.json", ids=[CARD])
    for made_from in (True, False):
        with open_library(tmp_path / f"{made_from}.db", bundled=made_from) as other:
            other.import_file(tmp_path / "all.json")
            other.import_file(tmp_path / "all.json")
            assert [a for a in other.show(CARD).annotations if a.own] == [note]
            assert [s for s in other.show(CARD).snippets if s.own] == [program]
            assert other.search("زرافه").hits[0].id == CARD
            assert damaged(other) == []


def test_a_note_is_changed_and_withdrawn(bundled: Library) -> None:
    made = _note(bundled, _words(bundled, "reference", "en"), "first quokka")
    changed = bundled.own.amend(made.id, "دوم: وامبات", verdict="misleading")
    assert (changed.note, changed.verdict) == ({"fa": "دوم: وامبات"}, "misleading")
    assert not bundled.search('"quokka"').total
    assert bundled.search("وامبات").total
    bundled.own.withdraw(made.id)
    assert not any(a.own for a in bundled.show(CARD).annotations)
    assert not bundled.search('"وامبات"').total
    assert damaged(bundled) == []


def test_a_note_in_a_language_that_the_entry_lacks_is_found(empty: Library, tmp_path: Path) -> None:
    file = tmp_path / "deck.jsonl"
    file.write_text('{"id": "1", "lang": "en", "title": "What is loss?", "text": "A number."}\n')
    empty.import_file(file)
    empty.own.annotate("deck/1", TextSpan("source", "en", 2, 8), "یعنی زرافه")
    assert empty.search("زرافه").hits[0].id == "deck/1"
    empty.rebuild()
    assert empty.search("زرافه").hits[0].id == "deck/1"


def test_importing_a_deck_again_keeps_the_notes_on_it(empty: Library, tmp_path: Path) -> None:
    file = tmp_path / "deck.jsonl"
    line = {"id": "1", "lang": "en", "title": "What is loss?", "text": "A number that tells."}
    file.write_text(json.dumps(line))
    empty.import_file(file)
    made = empty.own.annotate(
        "deck/1", TextSpan("source", "en", 2, 8), NOTES["en"], verdict="wrong"
    )
    empty.own.save_snippet("deck/1", "print(1)")
    file.write_text(json.dumps(line | {"text": "In short: a number, A number that tells a story."}))
    empty.import_file(file)
    entry = empty.show("deck/1")
    assert [a.id for a in entry.annotations] == [made.id]
    assert entry.annotations[0].target.start == len("In short: a number, A ")
    assert len(entry.snippets) == 1
    assert empty.search("zymurgy").total


def _changed_content(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, change: Callable[[Path], object]
) -> None:
    data = tmp_path / "data"
    shutil.copytree(Path(__file__).parents[2] / "data", data)
    change(data / "systems-for-ml" / "06-preprocessing-bottleneck.toml")
    monkeypatch.setattr("kb.content.bundled.bundled_folder", lambda: data)


@pytest.mark.long
@pytest.mark.parametrize("lang", ["en", "fa"])
def test_a_note_follows_its_words_when_the_content_changes(
    bundled_path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lang: str
) -> None:
    with open_library(bundled_path) as library:
        words = _words(library, "reference", lang)
        made = _note(library, words, NOTES[lang], "reference", lang)
        text = library.show(CARD).text("reference", lang)
        beginning = text.split()[0]
        library.own.save_snippet(CARD, "print(1)\n")

    def change(file: Path) -> None:
        file.write_text(file.read_text().replace(f"\n{beginning}", f"\nWORDS BEFORE. {beginning}"))

    _changed_content(tmp_path, monkeypatch, change)
    with open_library(bundled_path) as library:
        entry = library.show(CARD)
        assert "WORDS BEFORE. " in entry.text("reference", lang)
        (found,) = [a for a in entry.annotations if a.own]
        assert found.id == made.id
        assert found.target.start == made.target.start + len("WORDS BEFORE. ")
        assert found.status == "no-evidence"
        assert [s.own for s in entry.snippets].count(True) == 1
        assert library.search("zymurgy" if lang == "en" else "زرافه").hits[0].id == CARD
        assert damaged(library) == []


def test_a_note_whose_words_are_gone_is_kept_as_orphaned(
    bundled_path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_library(bundled_path) as library:
        words = _words(library, "reference", "fa")
        made = _note(library, words, NOTES["fa"], "reference", "fa")

    def change(file: Path) -> None:
        file.write_text(file.read_text().replace(words, "چیز دیگر"))

    _changed_content(tmp_path, monkeypatch, change)
    with open_library(bundled_path) as library:
        (found,) = [a for a in library.show(CARD).annotations if a.own]
        assert (found.status, found.target) == ("orphaned", made.target)
        assert library.search("زرافه").hits[0].id == CARD


@pytest.mark.long
def test_an_entry_that_new_content_lacks_stays_while_a_note_speaks_of_it(
    bundled_path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with open_library(bundled_path) as library:
        text = library.show(INTRODUCTION).question["en"]
        made = library.own.annotate(
            INTRODUCTION, TextSpan("question", "en", 0, len(text)), NOTES["en"]
        )
    introduction = Path("complexity-and-numerics", "00-introduction.toml")
    _changed_content(tmp_path, monkeypatch, lambda file: (file.parents[1] / introduction).unlink())
    with open_library(bundled_path) as library:
        assert any(a.own for a in library.show(INTRODUCTION).annotations)
        library.own.withdraw(made.id)
    monkeypatch.setattr("kb.service.opening.stamp", lambda folder: "another")
    with open_library(bundled_path) as library, pytest.raises(NotFound):
        library.show(INTRODUCTION)


def test_a_program_of_ones_own_runs_unasked_and_another_of_its_name_does_not(
    bundled: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = bundled.own.save_snippet(CARD, '"""Three.\n\nMore."""\nprint("three: 3")\n')
    assert kept.title == {"en": "Three"}
    assert bundled.run(kept.id).figures == {"three": 3}
    bundled.own.save_snippet(CARD, 'print("three: 4")\n', name=kept.id)
    assert bundled.run(kept.id).figures == {"three": 4}
    with sqlite3.connect(bundled.path) as behind:
        behind.execute("UPDATE snippet SET code = 'print(1)' WHERE id = ?", (kept.id,))
    with pytest.raises(Untrusted):
        bundled.run(kept.id)
    monkeypatch.setenv("KB_SETTINGS", str(tmp_path / "elsewhere" / "settings.toml"))
    with pytest.raises(Untrusted):
        bundled.run(kept.id)
    bundled.own.withdraw(kept.id)
    with pytest.raises(NotFound):
        bundled.snippet(kept.id)


def test_typed_code_runs_without_being_kept(bundled: Library) -> None:
    outcome = bundled.run_code('print("x: 2")\n', name="mine")
    assert (outcome.snippet, outcome.status, outcome.figures) == ("mine", "ok", {"x": 2})


def test_what_is_not_ones_own_is_neither_changed_nor_withdrawn(bundled: Library) -> None:
    theirs = bundled.show(QUESTION).annotations[0].id
    program = bundled.show(QUESTION).snippets[0].id
    before = bundled.show(QUESTION)
    for name in (theirs, program, QUESTION, "nothing"):
        with pytest.raises(NotFound):
            bundled.own.withdraw(name)
        with pytest.raises(NotFound):
            bundled.own.amend(name, "x")
    with pytest.raises(Conflict):
        bundled.own.save_snippet(QUESTION, "print(1)", name=program)
    assert bundled.show(QUESTION) == before


@pytest.mark.parametrize(
    ("place", "note", "verdict"),
    [
        (TextSpan("source", "en", 0, 0), "x", "note"),
        (TextSpan("source", "en", -1, 3), "x", "note"),
        (TextSpan("source", "en", 0, 1 << 40), "x", "note"),
        (TextSpan("source", "xx", 0, 1), "x", "note"),
        (TextSpan("sauce", "en", 0, 1), "x", "note"),
        (TextSpan("source", "en", 0, 1), " \n", "note"),
        (TextSpan("source", "en", 0, 1), "x" * 200_000, "note"),
        (TextSpan("source", "en", 0, 1), "x", "worng"),
    ],
)
def test_what_cannot_be_noted_is_refused_and_nothing_is_stored(
    bundled: Library, place: TextSpan, note: str, verdict: str
) -> None:
    with pytest.raises(UsageError):
        bundled.own.annotate(CARD, place, note, verdict=verdict)
    assert not any(a.own for a in bundled.show(CARD).annotations)


@given(
    before=st.text("ab ی‌كک", max_size=30),
    words=st.text("xyzمن ", min_size=1, max_size=20),
    after=st.text("ab ی‌كک", max_size=30),
    more=st.text("cd ", max_size=40),
)
def test_words_are_found_again_wherever_text_came_before_them(
    before: str, words: str, after: str, more: str
) -> None:
    text = before + words + after
    quoted = quote(text, len(before), len(before) + len(words))
    assert find_quotation(text, quoted) == (len(before), len(before) + len(words))
    found = find_quotation(more + text, quoted)
    assert found is None or (more + text)[found[0] : found[1]] == words


def test_of_several_places_the_one_with_the_old_surroundings_is_taken() -> None:
    text = "the loss falls. the loss grows. the loss stays."
    quoted = quote(text, text.index("loss grows"), text.index(" grows"))
    changed = f"A loss. {text}"
    assert find_quotation(changed, quoted) == (24 + 4, 24 + 8)
    assert find_quotation("Another loss altogether, of other things.", quoted) is None

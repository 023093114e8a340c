"""Python blocks in texts: one's own run, and what came from elsewhere never without a yes."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from kb import Library, open_library
from kb.errors import Conflict, NotFound, Untrusted
from kb.evidence.trust import trusted_by_reader, written_by_reader
from kb.model.draft import Amendment, Draft
from kb.present.fences import fenced_programs
from tests.cli.process import run
from tests.databases import new_library

FIRST, SECOND = "print('first: 1')", "print('second: 2')"
TEXT = {
    "en": f"It is:\n\n```python\n{FIRST}\n```\n\nand then\n\n```py\n{SECOND}\n```\n"
    "\n```sh\nls\n```\n",
    "fa": f"چنین است:\n\n```python\n{FIRST}\n```\n\nو سپس\n\n```py\n{SECOND}\n```\n",
}
ASKED = {"en": "What is it?", "fa": "چیست؟"}


def own(library: Library, lang: str, text: str) -> str:
    return library.edit.new(Draft({lang: ASKED[lang]}, {"source": {lang: text}})).ids[0]


def foreign(library: Library, folder: Path, lang: str, text: str) -> str:
    """Import an entry with such a text, and return its id."""
    line = {"id": f"web-{lang}", "lang": lang, "title": ASKED[lang], "text": text}
    file = folder / "web.jsonl"
    file.write_text(json.dumps(line) + "\n", encoding="utf-8")
    return library.import_file(file).entries[0].id


@pytest.mark.parametrize("lang", TEXT)
def test_blocks_of_ones_own_text_run_without_a_question(empty: Library, lang: str) -> None:
    id = own(empty, lang, TEXT[lang])
    assert empty.run(id).figures == empty.run(f"{id}::block-1").figures == {"first": 1}
    assert empty.run(f"{id}::block-2").figures == {"second": 2}
    (program,) = empty.programs.of_run(f"{id}::block-2")
    assert (program.whose, program.asks, program.entries) == ("yours", False, (id,))
    with pytest.raises(NotFound):
        empty.run(f"{id}::block-3")


@pytest.mark.parametrize("lang", TEXT)
def test_an_imported_block_never_runs_without_a_yes_to_its_code(
    empty: Library, tmp_path: Path, lang: str
) -> None:
    id = foreign(empty, tmp_path, lang, TEXT[lang])
    for name in (id, f"{id}::block-1", f"{id}::block-2"):
        with pytest.raises(Untrusted):
            empty.run(name)
    (program,) = empty.programs.of_run(id)
    assert (program.whose, program.asks, program.entries) == ("file", True, (id,))
    with pytest.raises(Untrusted):
        empty.run(f"{id}::block-2", yes=[program.digest])
    assert empty.run(id, yes=[program.digest]).figures == {"first": 1}
    with pytest.raises(Untrusted):
        empty.run(id)
    assert trusted_by_reader() == frozenset()


@pytest.mark.parametrize("lang", TEXT)
@pytest.mark.parametrize("how", ["tag", "the block", "another block", "all of it"])
def test_an_edit_of_an_imported_text_makes_none_of_its_blocks_ones_own(
    empty: Library, tmp_path: Path, lang: str, how: str
) -> None:
    id = foreign(empty, tmp_path, lang, TEXT[lang])
    text = TEXT[lang]
    if how == "tag":
        empty.edit.amend(id, Amendment(tag=("x",)))
    else:
        changed = {
            "the block": text.replace("first: 1", "first: 3"),
            "another block": f"```python\nprint('first: 3')\n```\n\n{text}",
            "all of it": "```python\nprint('first: 3')\n```\n",
        }
        empty.edit.amend(id, Amendment(answer=changed[how], lang=lang))
    for _ in range(2):
        with pytest.raises(Untrusted):
            empty.run(id)
        empty.edit.edit(id, empty.edit.draft_of(id))
    assert trusted_by_reader() == frozenset()


def test_a_language_word_behind_the_fence_of_an_imported_text_trusts_nothing(
    empty: Library, tmp_path: Path
) -> None:
    id = foreign(empty, tmp_path, "en", f"```\n{FIRST}\n```\n")
    with pytest.raises(NotFound):
        empty.run(id)
    empty.edit.amend(id, Amendment(answer=f"```python\n{FIRST}\n```\n", lang="en"))
    with pytest.raises(Untrusted):
        empty.run(id)


@pytest.mark.parametrize("lang", TEXT)
def test_an_edit_of_ones_own_block_runs_and_so_does_what_undo_brings_back(
    empty: Library, lang: str
) -> None:
    id = own(empty, lang, TEXT[lang])
    empty.edit.amend(id, Amendment(answer=TEXT[lang].replace("first: 1", "first: 3"), lang=lang))
    assert empty.run(id).figures == {"first": 3}
    empty.changes.undo()
    assert empty.run(id).figures == {"first": 1}


def test_an_imported_text_that_differs_from_ones_own_in_a_letter_is_asked_about(
    empty: Library, tmp_path: Path
) -> None:
    own(empty, "en", TEXT["en"])
    stolen = foreign(empty, tmp_path, "en", TEXT["en"].replace("first: 1", "first: 9"))
    with pytest.raises(Untrusted):
        empty.run(stolen)
    # What was written here may run wherever it stands: it is the same code.
    same = foreign(empty, tmp_path, "fa", TEXT["en"])
    assert empty.run(same).figures == {"first": 1}


def test_a_database_from_elsewhere_runs_nothing_whatever_it_says_of_its_owner(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "theirs"))
    with new_library(tmp_path / "theirs.db") as library:
        id = own(library, "en", TEXT["en"])
        assert library.run(id).status == "ok"
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "ours"))
    with open_library(tmp_path / "theirs.db") as library:
        with pytest.raises(Untrusted):
            library.run(id)
        library.edit.amend(id, Amendment(tag=("x",)))
        with pytest.raises(Untrusted):
            library.run(id)
    assert written_by_reader() == {}


HIDING = ["a = '\u202e'", "# coding: utf-7\nprint('+AGE-')", "a\u200b = 1", "a = '\x1b[2J'"]


@pytest.mark.parametrize("code", HIDING)
def test_a_block_that_hides_what_python_runs_is_refused_whoever_wrote_it(
    empty: Library, tmp_path: Path, code: str
) -> None:
    text = f"```python\n{code}\n```\n"
    for id in (own(empty, "en", text), foreign(empty, tmp_path, "en", text)):
        (program,) = empty.programs.of_run(id)
        assert program.unfit
        with pytest.raises(Untrusted):
            empty.run(id, yes=[program.digest], trust=True)


def test_lines_may_end_as_on_windows_and_a_lone_carriage_return_is_refused(empty: Library) -> None:
    assert empty.run(own(empty, "en", "```python\r\nprint('a: 1')\r\n```\r\n")).figures == {"a": 1}
    with pytest.raises(Untrusted):
        empty.run(own(empty, "en", "```python\nprint('a: 1')\rprint('b: 2')\n```\n"))


ANNOTATION = {
    "id": "a", "verdict": "wrong", "severity": "high", "note": {"en": "No."},
    "target": {"role": "source", "lang": "en", "quote": "It is 2", "start": 0, "end": 7,
               "file": "f"},
}  # fmt: skip


def test_a_stored_program_does_not_take_the_name_of_a_block(empty: Library, tmp_path: Path) -> None:
    id = own(empty, "en", TEXT["en"])
    evil = {
        "id": "evil", "kind": "question", "collection": "web", "question": {"en": "What?"},
        "answers": [{"role": "source", "lang": "en", "text": "It is 2."}],
        "annotations": [ANNOTATION | {"evidence": [
            {"snippet": f"{id}::block-1", "figure": "first", "expected": 1}
        ]}],
        "snippets": [
            {"id": name, "title": {}, "code": "print('evil: 1')\n", "main": True}
            for name in ("block-1", f"{id}::block-1")
        ],
    }  # fmt: skip
    file = tmp_path / "evil.json"
    file.write_text(json.dumps({"schema_version": 1, "entries": [evil]}))
    empty.import_file(file)
    assert empty.run(id).figures == {"first": 1}
    for name in ("block-1", f"{id}::block-1"):
        with pytest.raises((Conflict, Untrusted)):
            empty.run(name)
    assert empty.judge_run(id, empty.run(id)) == ()


def test_an_entry_that_came_with_programs_has_no_others(bundled: Library) -> None:
    assert fenced_programs(bundled.show("radius-mask")) == ()


def test_the_same_code_in_two_languages_is_one_program(empty: Library) -> None:
    draft = Draft(ASKED, {"source": TEXT})
    entry = empty.show(empty.edit.new(draft).ids[0])
    assert [each.code for each in fenced_programs(entry)] == [f"{FIRST}\n", f"{SECOND}\n"]


@pytest.mark.long
@pytest.mark.parametrize(("lang", "told"), [("en", "not run"), ("fa", "اجرا نشد")])
def test_the_command_line_runs_the_block_of_a_number_and_refuses_what_is_foreign(
    empty: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lang: str, told: str
) -> None:
    monkeypatch.setenv("KB_LANG", lang)
    monkeypatch.setenv("KB_DB", str(empty.path))
    mine, theirs = own(empty, lang, TEXT[lang]), foreign(empty, tmp_path, lang, TEXT[lang] + "x")
    for options, out in (((), "first: 1\n"), (("--block", "2"), "second: 2\n")):
        done = run("run", mine, *options)
        assert (done.returncode, done.stdout) == (0, out), done.stderr
    assert run("run", mine, "--block", "3").returncode == 3
    changed = TEXT[lang].replace("first: 1", "first: 7")
    theirs = foreign(empty, tmp_path, lang, changed)
    done = run("run", theirs)
    assert (done.returncode, done.stdout) == (5, "")
    assert told in done.stderr
    assert run("run", theirs, "--trust").stdout == "first: 7\n"


@pytest.mark.parametrize("hidden", ["\u202e", "\x0c", "é\u0301\u0301\u0301\u0301\u0301"])
def test_a_block_that_hides_code_is_named_by_the_import(
    empty: Library, tmp_path: Path, hidden: str
) -> None:
    note = tmp_path / "note.md"
    note.write_text(f"# Why?\n\nSo.\n\n~~~ python\nx = 1  # {hidden}\n~~~\n", encoding="utf-8")
    (told,) = empty.import_file(note).unfit
    assert (told.text, "line 1 of its code has" in told.reason) == ("block-1", True)
    note.write_text("# Why?\n\nSo it is é.\n\n```python\nx = 1\n```\n", encoding="utf-8")
    assert empty.import_file(note).unfit == ()

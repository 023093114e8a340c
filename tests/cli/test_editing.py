"""What ``kb new`` and ``kb edit`` must hold, whatever the reader's editor does."""

from __future__ import annotations

import json
import os
import re
import shutil
import sys
from pathlib import Path
from subprocess import CompletedProcess

import pytest

from kb import open_library
from kb.errors import ExitCode
from kb.model.draft import Draft
from kb.model.entry import Entry
from kb.model.results import Filters
from tests.cli.process import at_terminal, run
from tests.databases import new_library

_EDITOR = """
import json, pathlib, subprocess, sys
steps = pathlib.Path({steps!r})
file = pathlib.Path(sys.argv[-1])
first, *rest = json.loads(steps.read_text())
steps.write_text(json.dumps(rest))
if "kb" in first:
    subprocess.run([sys.executable, "-m", "kb", *first["kb"]], check=True, capture_output=True)
if "seen" in first:
    pathlib.Path(first["seen"]).write_bytes(file.read_bytes())
if "write" in first:
    file.write_text(first["write"], encoding="utf-8")
if "bytes" in first:
    file.write_bytes(bytes(first["bytes"]))
if "replace" in first:
    file.write_text(file.read_text("utf-8").replace(*first["replace"]), encoding="utf-8")
sys.exit(first.get("exit", 0))
"""

SAID = [
    ("en", "What is a logit?", "The log of odds.", "It is the log of odds."),
    ("fa", "لاجیت چیست؟", "لگاریتم بخت.", "لگاریتم نسبت بخت‌هاست."),
]


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A base with an entry in each language."""
    path = tmp_path_factory.mktemp("template") / "own.db"
    with new_library(path) as library:
        for lang, question, answer, _ in SAID:
            library.edit.new(Draft({lang: question}, {"source": {lang: answer}}))
    return path


@pytest.fixture
def written(template: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with such a base, which the command line uses."""
    monkeypatch.setenv("KB_DB", str(shutil.copy(template, tmp_path / "own.db")))
    monkeypatch.setenv("TMPDIR", str(tmp_path / "kept"))
    (tmp_path / "kept").mkdir()
    return tmp_path


def id_of(lang: str) -> str:
    return {"en": "notes/what-is-a-logit", "fa": "notes/لاجیت-چیست"}[lang]


def edit(base: Path, monkeypatch: pytest.MonkeyPatch, *steps: dict[str, object]) -> None:
    """Let the reader's editor do these things, one each time it is opened."""
    told, script = base / "steps.json", base / "fake editor.py"
    told.write_text(json.dumps(steps))
    script.write_text(_EDITOR.format(steps=str(told)))
    monkeypatch.setenv("EDITOR", f"{sys.executable} '{script}'")
    monkeypatch.delenv("VISUAL", raising=False)


def opened(base: Path, steps: int) -> int:
    """Return how often the editor was opened, of so many steps it was told."""
    return steps - len(json.loads((base / "steps.json").read_text()))


def entry(id: str) -> Entry:
    with open_library(os.environ["KB_DB"]) as library:
        return library.show(id)


def texts(id: str) -> tuple[str, ...]:
    return Draft.of(entry(id)).texts


def log() -> int:
    with open_library(os.environ["KB_DB"]) as library:
        return len(library.changes.log(limit=None))


def kept(base: Path) -> list[str]:
    return [file.read_text("utf-8", "replace") for file in (base / "kept").rglob("*.md")]


def one_sentence(done: CompletedProcess[str]) -> None:
    assert "Traceback" not in done.stderr
    assert done.stdout == ""
    assert 1 <= len(done.stderr.strip().split("\n")) <= 3, done.stderr


@pytest.mark.long
@pytest.mark.parametrize(("lang", "question", "was", "now"), SAID)
def test_what_is_changed_in_the_editor_is_stored_and_taken_back(
    written: Path, monkeypatch: pytest.MonkeyPatch, lang: str, question: str, was: str, now: str
) -> None:
    before = entry(id_of(lang))
    edit(written, monkeypatch, {"replace": [was, now]})
    done = run("edit", id_of(lang))
    assert done.returncode == 0, done.stderr
    assert texts(id_of(lang)) == (question, now)
    assert run("undo").returncode == 0
    assert entry(id_of(lang)) == before
    assert kept(written) == []


@pytest.mark.long
@pytest.mark.parametrize("lang", ["en", "fa"])
@pytest.mark.parametrize("step", [{}, {"write": ""}, {"write": " \n\n"}])
def test_an_editor_that_changes_nothing_or_leaves_nothing_changes_nothing(
    written: Path, monkeypatch: pytest.MonkeyPatch, lang: str, step: dict[str, object]
) -> None:
    before, changes = entry(id_of(lang)), log()
    edit(written, monkeypatch, step, step)
    for command, told in ((["edit", id_of(lang)], f"{id_of(lang)}\n"), (["new"], "")):
        done = run(*command)
        assert (done.returncode, done.stdout) == (0, told)
        assert "Traceback" not in done.stderr
    assert (entry(id_of(lang)), log()) == (before, changes)
    assert kept(written) == []


@pytest.mark.parametrize("lang", ["en", "fa"])
def test_an_editor_that_fails_is_told_in_one_sentence_and_nothing_changes(
    written: Path, monkeypatch: pytest.MonkeyPatch, lang: str
) -> None:
    before = entry(id_of(lang))
    edit(written, monkeypatch, {"exit": 3})
    done = run("edit", id_of(lang))
    one_sentence(done)
    assert done.returncode not in (0, ExitCode.INTERNAL)
    assert "ended with an error (3)" in done.stderr
    assert entry(id_of(lang)) == before
    assert kept(written) == []


@pytest.mark.parametrize(("lang", "_", "was", "now"), SAID)
def test_what_was_written_before_the_editor_failed_is_kept_in_a_file_that_is_named(
    written: Path, monkeypatch: pytest.MonkeyPatch, lang: str, _: str, was: str, now: str
) -> None:
    before = entry(id_of(lang))
    edit(written, monkeypatch, {"replace": [was, now], "exit": 1})
    done = run("edit", id_of(lang))
    one_sentence(done)
    assert entry(id_of(lang)) == before
    (text,) = kept(written)
    assert now in text
    assert str(written / "kept") in done.stderr


MISTAKES = [
    ("kind: question", "knd: question", "no such key"),
    ("level:", "level: XX", "unknown level"),
    ("tags:", "tags: a\x07b", "control characters"),
    ("tags:", f"tags: {'ب' * 301}", "at most 300"),
    ("collection: notes", "collection: a//b", "collection"),
]


@pytest.mark.long
@pytest.mark.parametrize(("lang", "_", "was", "now"), SAID)
@pytest.mark.parametrize(("right", "wrong", "words"), MISTAKES)
def test_a_mistake_opens_the_editor_again_and_once_mended_all_is_stored(
    written: Path, monkeypatch: pytest.MonkeyPatch, right: str, wrong: str, words: str,
    lang: str, _: str, was: str, now: str,
) -> None:  # fmt: skip
    edit(
        written, monkeypatch,
        {"replace": [right, wrong]}, {"replace": [wrong, right]}, {"replace": [was, now]},
    )  # fmt: skip
    done = run("edit", id_of(lang))
    assert words in done.stderr
    assert "Traceback" not in done.stderr
    assert opened(written, 3) == 2
    assert done.returncode == 0, done.stderr
    assert kept(written) == []


@pytest.mark.long
@pytest.mark.parametrize(("right", "wrong", "words"), MISTAKES)
def test_a_mistake_that_stays_ends_it_with_the_text_kept(
    written: Path, monkeypatch: pytest.MonkeyPatch, right: str, wrong: str, words: str
) -> None:
    before = entry(id_of("fa"))
    edit(written, monkeypatch, {"replace": [right, wrong]}, {})
    done = run("edit", id_of("fa"))
    assert done.returncode not in (0, ExitCode.INTERNAL)
    assert words in done.stderr
    assert "is kept in" in done.stderr
    assert entry(id_of("fa")) == before
    (text,) = kept(written)
    assert wrong in text


def test_bytes_that_are_no_text_are_refused_and_kept(
    written: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    before = entry(id_of("en"))
    edit(written, monkeypatch, {"bytes": [255, 254, 250]})
    done = run("edit", id_of("en"))
    one_sentence(done)
    assert "UTF-8" in done.stderr
    assert entry(id_of("en")) == before
    assert len(kept(written)) == 1


@pytest.mark.parametrize(("lang", "_", "was", "now"), SAID)
def test_who_edits_what_another_has_changed_meanwhile_is_told_and_loses_nothing(
    written: Path, monkeypatch: pytest.MonkeyPatch, lang: str, _: str, was: str, now: str
) -> None:
    edit(written, monkeypatch, {"kb": ["edit", id_of(lang), "--level", "H"], "replace": [was, now]})
    done = run("edit", id_of(lang))
    one_sentence(done)
    assert done.returncode == ExitCode.CONFLICT
    assert "nothing was overwritten" in done.stderr
    assert entry(id_of(lang)).level == "H"
    assert was in texts(id_of(lang))
    (text,) = kept(written)
    assert now in text


@pytest.mark.parametrize("editor", ["", "no-such-editor-here", "'unclosed", "false"])
def test_an_editor_that_cannot_be_started_is_one_sentence(
    written: Path, monkeypatch: pytest.MonkeyPatch, editor: str
) -> None:
    monkeypatch.setenv("EDITOR", editor)
    monkeypatch.setenv("PATH", "/nowhere" if not editor else "/usr/bin:/bin")
    done = run("edit", id_of("en"))
    one_sentence(done)
    assert done.returncode not in (0, ExitCode.INTERNAL)
    assert kept(written) == []


SAID_OF_LEVEL = [
    ("en", "unknown level 'XX'. Levels: easy, medium, hard."),
    ("fa", "سطح ناشناخته: «XX». سطح‌ها: آسان، متوسط، سخت."),
]
"""What stands in the first line of a form with a level that is none."""


@pytest.mark.parametrize(("lang", "told"), SAID_OF_LEVEL)
def test_the_editor_opens_again_with_the_mistake_in_the_first_line_and_the_text_kept(
    written: Path, monkeypatch: pytest.MonkeyPatch, lang: str, told: str
) -> None:
    monkeypatch.setenv("KB_LANG", lang)
    seen, again = written / "seen", written / "again"
    mistake = {"seen": str(seen), "replace": ["level:\n", "level: XX\n"]}
    mended = {"seen": str(again), "replace": ["level: XX", "level: سخت"]}
    edit(written, monkeypatch, mistake, mended)
    done = run("edit", id_of(lang))
    assert done.returncode == 0, done.stderr
    before, after = (each.read_text("utf-8").split("\n") for each in (seen, again))
    assert after[0] == f"# form:{1 + after.index('level: XX')}: {told}"
    assert [line.replace("level: XX", "level:") for line in after[1:]] == before[1:]
    assert entry(id_of(lang)).level == "H"


@pytest.mark.parametrize(
    ("lang", "answers", "opened_times"), [("en", "n\n", 1), ("fa", "n\n", 1), ("en", "\nno\n", 2)]
)
def test_on_a_terminal_the_reader_is_asked_and_who_gives_up_keeps_the_text(
    written: Path, monkeypatch: pytest.MonkeyPatch, lang: str, answers: str, opened_times: int
) -> None:
    monkeypatch.setenv("KB_LANG", lang)
    before = entry(id_of(lang))
    edit(written, monkeypatch, {"replace": ["level:\n", "level: XX\n"]}, {}, {})
    code, out, told = at_terminal(
        "edit", id_of(lang), answer=answers, columns=200, question=b"[Y/n]"
    )
    assert (code, out) == (ExitCode.BAD_DATA, "")
    assert told.count("[Y/n]") == opened_times == opened(written, 3)
    (text,) = kept(written)
    assert "level: XX" in text
    assert str(written / "kept") in told
    assert entry(id_of(lang)) == before


@pytest.mark.parametrize("lang", ["en", "fa"])
def test_on_a_terminal_an_empty_answer_opens_the_editor_again(
    written: Path, monkeypatch: pytest.MonkeyPatch, lang: str
) -> None:
    monkeypatch.setenv("KB_LANG", lang)
    # The same mistake after a look is asked about again; without a terminal it ends the command.
    edit(
        written, monkeypatch, {"replace": ["level:\n", "level: XX\n"]}, {},
        {"replace": ["level: XX", "level: easy"]},
    )  # fmt: skip
    code, out, told = at_terminal("edit", id_of(lang), answer="\n\n", question=b"[Y/n]")
    assert (code, out) == (0, f"{id_of(lang)}\n"), told
    assert entry(id_of(lang)).level == "E"
    assert kept(written) == []


@pytest.mark.parametrize("lang", ["en", "fa"])
def test_a_blank_form_is_for_a_text_in_the_language_of_the_interface(
    written: Path, monkeypatch: pytest.MonkeyPatch, lang: str
) -> None:
    monkeypatch.setenv("KB_LANG", lang)
    edit(written, monkeypatch, {"replace": [f"## Question ({lang})\n", "## Question\n\nچرا؟\n"]})
    done = run("new")
    assert done.returncode == 0, done.stderr
    assert entry(done.stdout.strip()).question == {"fa": "چرا؟"}


@pytest.mark.parametrize(("word", "level"), [("hard", "H"), ("آسان", "E")])
def test_a_level_is_a_word_or_a_letter_wherever_one_is_given(
    written: Path, word: str, level: str
) -> None:
    id = id_of("fa")
    assert run("edit", id, "--level", word).returncode == 0
    assert entry(id).level == level
    for asked in (["list", "--level", word], ["search", f"level:{word}"]):
        done = run(*asked, "--json")
        assert id in done.stdout, (asked, done.stderr)
    with open_library(os.environ["KB_DB"]) as library:
        assert library.list(filters=Filters(level=word)).hits[0].id == id
        assert library.edit.new(Draft({"en": "Q?"}, level=word)).ids
    line = json.dumps({"id": "a-line", "title": "What?", "level": word})
    (written / "a.jsonl").write_text(line + "\n")
    (written / "a.csv").write_text(f"question,level\nWhy so?,{word}\n")
    assert run("import", str(written / "a.jsonl"), str(written / "a.csv")).returncode == 0
    with open_library(os.environ["KB_DB"]) as library:
        assert [hit.level for hit in library.list(limit=None).hits].count(level) == 4


@pytest.mark.parametrize(
    ("lang", "told"), [("en", "'hrad' is not one of 'easy'"), ("fa", "«hrad» یکی از این‌ها نیست")]
)
def test_a_level_that_is_none_names_those_there_are(
    written: Path, monkeypatch: pytest.MonkeyPatch, lang: str, told: str
) -> None:
    monkeypatch.setenv("KB_LANG", lang)
    done = run("list", "--level", "hrad")
    assert done.returncode == ExitCode.USAGE
    assert told in re.sub("[\u200e\u200f]", "", done.stderr)

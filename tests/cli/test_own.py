"""Entries of one's own on the command line: written, changed, moved, taken back."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from kb import open_library
from kb.model.draft import Draft
from tests.cli.process import run

QUESTION = {"en": "What is a zymurgy logit?", "fa": "لاجیت زرافه چیست؟"}
ANSWER = {"en": "The log of the odds.", "fa": "لگاریتم بخت."}


def said(*arguments: str, code: int = 0, **options: Any) -> Any:
    """Return the document that a command writes."""
    done = run(*arguments, "--json", **options)
    assert done.returncode == code, done.stderr
    return json.loads(done.stdout)


def written(lang: str, *options: str) -> str:
    (id,) = said("new", "--question", QUESTION[lang], "--answer", ANSWER[lang], *options)["ids"]
    return str(id)


@pytest.mark.long
@pytest.mark.parametrize("lang", ["en", "fa"])
def test_an_entry_is_written_found_changed_and_taken_back(kb: Path, lang: str) -> None:
    id = written(lang, "--level", "E", "--tag", "losses")
    shown = said("show", id)
    assert (shown["collection"], shown["level"], shown["tags"]) == ("notes", "E", ["losses"])
    assert shown["question"] == {lang: QUESTION[lang]}
    assert said("search", QUESTION[lang])["hits"][0]["id"] == id
    other = {"en": "fa", "fa": "en"}[lang]
    said("edit", id, "--question", QUESTION[other])
    assert said("show", id)["question"] == {lang: QUESTION[lang], other: QUESTION[other]}
    assert said("search", QUESTION[other])["hits"][0]["id"] == id
    assert said("undo")["ids"] == [id]
    assert said("show", id)["question"] == {lang: QUESTION[lang]}
    assert said("redo")["ids"] == [id]
    assert other in said("show", id)["question"]


@pytest.mark.long
def test_entries_are_tagged_moved_removed_and_all_of_it_is_taken_back(kb: Path) -> None:
    ids = [written(lang) for lang in QUESTION]
    said("tag", *ids, "+exam", "+later", "-none")
    said("tag", ids[0], "-later")
    assert [said("show", id)["tags"] for id in ids] == [["exam"], ["exam", "later"]]
    said("mv", *ids, "reading/زیان")
    assert {said("show", id)["collection"] for id in ids} == {"reading/زیان"}
    tree = said("collection", "list")["collections"]
    counts = {each["id"]: (each["entries"], each["parent"]) for each in tree}
    assert (counts["reading"], counts["reading/زیان"]) == ((2, None), (2, "reading"))
    assert said("list", "--collection", "reading")["total"] == 2
    assert said("rm", *ids)["ids"] == ids
    assert run("show", ids[0]).returncode == 3
    said("undo", "4")
    assert said("list", "--collection", "notes")["total"] == 2
    said("redo", "4")
    assert run("list", "--collection", "reading").returncode == 1


@pytest.mark.long
def test_what_came_with_danesh_is_hidden_and_shown_again(kb: Path) -> None:
    total = said("list")["total"]
    said("rm", "radius-mask")
    assert said("list")["total"] == total - 1
    assert [hit["id"] for hit in said("list", "--hidden")["hits"]] == ["radius-mask"]
    assert all(hit["id"] != "radius-mask" for hit in said("search", "radius mask")["hits"])
    said("unhide", "radius-mask")
    assert said("list")["total"] == total
    assert said("search", "radius mask")["hits"][0]["id"] == "radius-mask"


@pytest.mark.long
def test_the_journal_tells_what_was_changed_field_by_field(kb: Path) -> None:
    id = written("fa")
    change = said("edit", id, "--level", "M")["change"]
    rows = said("history", id)["changes"]
    assert [row["what"] for row in rows if row["field"] in (None, "level")] == ["new", "edit"]
    (level,) = [row for row in rows if row["field"] == "level"]
    assert (level["before"], level["after"], level["change"]) == (None, "M", change)
    log = said("log")["changes"]
    ids = [row["change"] for row in log]
    assert ids == sorted(ids, reverse=True)
    assert log[0]["id"] == change


def test_a_change_that_changes_nothing_is_none(kb: Path) -> None:
    id = written("en", "--level", "M")
    assert said("edit", id, "--level", "M") == {"schema_version": 1, "ids": [id], "change": None}
    assert said("tag", id, "-nothing")["change"] is None


@pytest.mark.long
def test_collections_are_made_renamed_and_removed(kb: Path) -> None:
    id = written("en", "-c", "reading/losses")
    said("collection", "new", "empty", "--title", "خالی")
    said("collection", "rename", "reading", "papers")
    assert said("show", id)["collection"] == "papers/losses"
    said("undo")
    assert said("show", id)["collection"] == "reading/losses"
    said("collection", "rm", "empty")
    for arguments, code in (
        (("rm", "reading"), 6),
        (("rm", "nowhere"), 3),
        (("new", "reading/losses"), 6),
        (("rename", "reading", "reading/deeper"), 6),
        (("rename", "complexity-and-numerics", "other"), 6),
        (("new", " / "), 2),
    ):
        done = run("collection", *arguments)
        assert done.returncode == code, arguments
        assert done.stderr.startswith("kb: ")
        assert "Traceback" not in done.stderr


@pytest.mark.long
@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        (("edit", "nothing-like-it", "--level", "M"), 3),
        (("rm", "nothing-like-it"), 3),
        (("mv", "nothing-like-it", "notes"), 3),
        (("tag", "nothing-like-it", "+a"), 3),
        (("history", "nothing-like-it"), 3),
        (("undo",), 3),
        (("redo",), 3),
        (("new", "--question", " "), 2),
        (("new", "--question", "x", "--lang", "not a code"), 2),
        (("new", "--question", "x", "--tag", "a\x1bb"), 2),
        (("tag", "radius-mask"), 2),
        (("tag", "+a", "-b"), 2),
        (("resolve", "--mine"), 2),
        (("resolve", "radius-mask", "--mine"), 3),
    ],
)
def test_what_cannot_be_done_is_one_sentence(
    kb: Path, arguments: tuple[str, ...], code: int
) -> None:
    done = run(*arguments)
    assert (done.returncode, done.stdout) == (code, "")
    assert done.stderr.startswith("kb: ")
    assert "Traceback" not in done.stderr
    assert "\x1b" not in done.stderr


def test_standard_input_is_imported(kb: Path) -> None:
    line = json.dumps({"id": "a", "title": "نرم چیست؟", "text": "طول"}, ensure_ascii=False)
    report = said("import", "-", "--format", "jsonl", "--collection", "web", input=line + "\n")
    assert [entry["id"] for entry in report["entries"]] == ["web/a"]
    report = said("import", "-", input="# Web\n\n## What is a norm?\n\nA length.\n")
    assert report["added"] == 1


def test_an_import_of_several_files_is_one_change_and_its_report_one_document(
    kb: Path, tmp_path: Path
) -> None:
    for name in ("one", "two"):
        (tmp_path / f"{name}.md").write_text(f"# T\n\n## What is {name}?\n\nA number.\n")
    files = [str(tmp_path / "one.md"), str(tmp_path / "two.md")]
    assert said("import", "--dry-run", *files)["change"] is None
    report = said("import", *files)
    assert (report["added"], len(report["files"])) == (2, 2)
    said("undo")
    assert run("list", "--collection", "one").returncode == 1


def test_what_an_import_skips_is_a_line_for_each_reason(kb: Path, tmp_path: Path) -> None:
    for name in ("a.rs", "b.rs", "c.rs", "d.toml", "note.md"):
        (tmp_path / "vault" / name).parent.mkdir(exist_ok=True)
        (tmp_path / "vault" / name).write_text("# A note\n\nSome text.\n")
    lines = run("import", str(tmp_path / "vault")).stdout.splitlines()[1:]
    assert lines == [
        f"  skipped: {tmp_path}/vault/a.rs and 2 more: no format is known for a '.rs' file",
        f"  skipped: {tmp_path}/vault/d.toml: no format is known for a '.toml' file",
        "  'kb import --dry-run' lists everything that is skipped.",
    ]
    whole = run("import", "--dry-run", str(tmp_path / "vault")).stdout
    assert whole.count("skipped: ") == 4 and "lists all" not in whole


@pytest.mark.long
def test_a_conflict_is_told_by_the_exit_code(kb: Path, tmp_path: Path) -> None:
    file = tmp_path / "notes.md"
    file.write_text("# T\n\n## What is a norm?\n\nA length.\n\n## What is a sum?\n\nA total.\n")
    entry, _ = said("import", str(file))["entries"]
    said("edit", entry["id"], "--answer", "Mine.")
    file.write_text("# T\n\n## What is a norm?\n\nTheirs.\n\n## What is a sum?\n\nA total.\n")
    assert said("import", str(file), code=6)["conflicts"] == [entry["id"]]
    (field,) = said("resolve")["contested"]
    assert field["field"] == "answers.source.en"
    said("resolve", entry["id"], "--theirs")
    assert said("show", entry["id"])["answers"][0]["text"] == "Theirs."
    assert run("resolve").returncode == 1


def test_bad_lines_are_set_aside_in_a_file(kb: Path, tmp_path: Path) -> None:
    good = json.dumps({"id": "a", "title": "A?", "text": "b"})
    (tmp_path / "deck.jsonl").write_text(f"{good}\nbroken\n")
    assert run("import", "deck.jsonl", cwd=tmp_path).returncode == 4
    done = run("import", "deck.jsonl", "--skip-bad", cwd=tmp_path)
    assert done.returncode == 0
    assert "deck.jsonl.bad" in done.stderr
    assert (tmp_path / "deck.jsonl.bad").read_text() == "broken\n"


@pytest.mark.parametrize("more", [["--report", "no/folder"], ["--skip-bad"]])
def test_an_import_whose_report_cannot_be_written_is_told_as_made(
    kb: Path, tmp_path: Path, more: list[str]
) -> None:
    name = f"{'n' * 248}.jsonl"  # of a name that leaves no room for .bad
    text = json.dumps({"id": "a", "title": "A?", "text": "b"})
    (tmp_path / name).write_text(text + ("\nbroken\n" if more == ["--skip-bad"] else "\n"))
    done = run("import", name, "--collection", "c", *more, cwd=tmp_path)
    assert done.returncode == 4
    assert "The change was made. 'kb undo' undoes it." in done.stderr
    assert said("show", "c/a")["id"] == "c/a"


def test_a_report_never_replaces_what_is_imported(kb: Path, tmp_path: Path) -> None:
    text = json.dumps({"id": "a", "title": "A?", "text": "b"})
    (tmp_path / "deck.jsonl").write_text(text)
    (tmp_path / "link").symlink_to("deck.jsonl")
    (tmp_path / "loop").symlink_to("loop")
    (tmp_path / "picture.png").write_bytes(b"png")
    for report in ("deck.jsonl", "./deck.jsonl", "link", "loop", "picture.png"):
        for path in ("deck.jsonl", ".")[report in ("loop", "picture.png") :]:
            done = run("import", path, "--report", report, cwd=tmp_path)
            assert done.returncode == 6
    assert (tmp_path / "deck.jsonl").read_text() == text
    assert (tmp_path / "picture.png").read_bytes() == b"png"
    for report in ("skipped.log", "../skipped.log"):
        assert run("import", ".", "--report", report, cwd=tmp_path).returncode == 0


@pytest.mark.long
@pytest.mark.parametrize(
    ("lang", "own", "source"),
    [
        ("en", "Your answer", "Source answer"),
        ("fa", "پاسخ شما", "پاسخ منبع"),
    ],
)
def test_ones_own_answer_is_not_called_the_source_s(
    kb: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, lang: str, own: str, source: str
) -> None:
    texts = {"source": {lang: "One. یک."}, "reference": {lang: "Two. دو."}}
    with open_library(kb) as library:
        (id,) = library.edit.new(Draft({lang: "What? چه؟"}, texts)).ids
        assert library.read.is_own(id)
        assert not library.read.is_own("rnn-backprop-complexity")
    monkeypatch.setenv("KB_LANG", lang)
    shown = run("show", id, "--all").stdout
    assert own in shown and source not in shown
    file = tmp_path / "a.json"
    assert run("export", "-f", "json", "--collection", "notes", "-o", str(file)).returncode == 0
    other = str(tmp_path / "other.db")
    assert run("import", str(file), "--db", other).returncode == 0
    shown = run("show", id, "--all", "--db", other).stdout
    assert source in shown and own not in shown

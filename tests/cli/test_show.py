"""Layers that fit a screen, hits in two lines, ids by their ends, and what a shell completes."""

from __future__ import annotations

import json
import os
import pty
import re
import sqlite3
import subprocess
import sys
from pathlib import Path

import pytest

from kb.cli.main import run as run_here
from kb.cli.output import Bidi
from kb.i18n import use_language
from kb.terminal.bidi.direction import has_rtl
from kb.terminal.layout import text_width
from tests.cli.process import ROOT, run

STYLE = re.compile(r"\x1b\[[0-9;]*m|\x1b\]8;;[!-~]*\x1b\\\\")


@pytest.fixture
def here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let commands run in this process in a window of 100 columns."""
    monkeypatch.setenv("COLUMNS", "100")
    monkeypatch.setattr(Bidi, "told", None)


def ids_of(*arguments: str) -> list[str]:
    return [hit["id"] for hit in json.loads(run(*arguments, "--json").stdout)["hits"]]


def test_what_is_wrong_is_told_worst_first_and_the_rest_is_counted(kb: Path) -> None:
    shown = run("show", "batch-norm-epsilon").stdout
    told = shown.split("What is wrong with the source answer\n")[1].split("\n\n")[0]
    assert re.findall(r"^  (\S \d+)\.", told, re.MULTILINE) == ["✗ 3"]
    more = "Example, Common mistakes, Follow-up questions, Sources: see --all"
    assert re.search(rf"\n  \d more annotations, {more}$", told)
    whole = run("show", "batch-norm-epsilon", "--all").stdout
    numbers = re.findall(r"^\S (\d+)\. ", whole, re.MULTILINE)
    assert numbers == [str(number) for number in range(1, 8)]


def test_figures_stand_in_a_table_once_they_are_wanted_or_do_not_hold(kb: Path) -> None:
    assert "claimed" not in run("show", "batch-norm-epsilon").stdout
    whole = run("show", "batch-norm-epsilon", "--all").stdout
    assert re.search(r"batch_norm_epsilon +│ claimed │ expected │ measured\n", whole)
    assert re.search(r"output std at variance 1e-5 │ +1 │ 0\.707107 │ 0\.707107\n", whole)
    with sqlite3.connect(kb) as base:
        base.execute(
            "INSERT INTO verification SELECT DISTINCT annotation, 'refuted', '{}' FROM evidence"
        )
    refuted = run("show", "batch-norm-epsilon").stdout
    assert re.search(r"noise std \(median\) +│ +0\.21\n", refuted)
    with sqlite3.connect(kb) as base:
        base.execute("UPDATE verification SET status = 'confirmed'")
    assert "claimed" not in run("show", "batch-norm-epsilon").stdout
    whole = run("show", "batch-norm-epsilon", "--all").stdout
    assert re.search(r"output std at variance 1e-5 │ +1 │ 0\.707107 │ 0\.707107\n", whole)


@pytest.mark.parametrize("lang", ["en", "fa"])
def test_an_entry_fits_a_screen(
    kb: Path, here: None, lang: str, capfdbinary: pytest.CaptureFixture[bytes]
) -> None:
    """At most 60 lines of 100 columns, for 30 of the 33 entries that came with danesh."""
    counts = {}
    try:
        for id in ids_of("list"):
            capfdbinary.readouterr()
            assert run_here(["--bidi", "app", "--language", lang, "show", id]) == 0
            shown = capfdbinary.readouterr().out.decode().splitlines()
            assert max(text_width(line) for line in shown) <= 100
            counts[id] = len(shown)
    finally:
        use_language("en")
        os.environ.pop("KB_LANG", None)
    assert len(counts) == 33
    assert sum(count <= 60 for count in counts.values()) >= 30, sorted(counts.values())


def test_hits_have_two_lines_and_what_matched_is_in_its_own_language(kb: Path) -> None:
    for command in (["list"], ["search", "gradient", "--limit", "20"]):
        lines = run(*command).stdout.splitlines()
        hits = [line for line in lines if not line.startswith("    ")]
        assert len(lines) == 2 * len(hits)
        cut = _at_both_ends(command, {"COLUMNS": "100"}).splitlines()
        cut = [line for line in cut if not line.startswith("kb:")]
        assert len(cut) == len(lines)
        assert max(map(text_width, cut)) <= 100 < max(map(text_width, lines))
    first, passage = run("search", "نرمال‌سازی دسته‌ای", "--limit", "1").stdout.splitlines()
    assert not has_rtl(first) and has_rtl(passage)
    found = ids_of("search", "gradient", "--limit", "50")
    assert found == ids_of("search", "gradient", "--limit", "50", "--language", "fa")
    assert "نرمافزار" not in run("list", "--language", "fa").stdout


def test_what_is_longer_than_the_screen_is_paged(
    kb: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pager = tmp_path / "pager"
    pager.write_text("#!/bin/sh\ncat\necho PAGED\n")
    pager.chmod(0o755)
    paged = ["show", "batch-norm-epsilon"]
    assert _at_both_ends(paged, {"PAGER": str(pager)}).rstrip().endswith("PAGED")
    for more in (["--no-pager"], ["--plain"], ["--json"]):
        assert "PAGED" not in _at_both_ends([*paged, *more], {"PAGER": str(pager)})
    assert "PAGED" not in _at_both_ends(["list", "-n", "2"], {"PAGER": str(pager)})
    monkeypatch.setenv("PAGER", str(pager))
    assert "PAGED" not in run(*paged).stdout


def test_all_of_a_note_includes_its_properties(kb: Path, tmp_path: Path) -> None:
    (tmp_path / "clip.md").write_text("---\ndescription: On the kernel trick\n---\nText.\n")
    run("import", str(tmp_path / "clip.md"))
    assert "description: On the kernel trick\n" in run("show", "notes/clip", "--all").stdout
    assert "description" not in run("show", "notes/clip").stdout


@pytest.fixture
def notes(kb: Path, tmp_path: Path) -> list[str]:
    """Import entries whose ids have slashes, some with the same end."""
    rows = [{"id": id, "lang": "en", "title": f"What is {id}?", "text": "So."}
            for id in ("deep/logit", "wide/logit", "wide/softmax", "radius-mask")]  # fmt: skip
    file = tmp_path / "mine.jsonl"
    file.write_text("\n".join(map(json.dumps, rows)))
    assert run("import", str(file), "--collection", "mine").returncode == 0
    return [f"mine/{row['id']}" for row in rows]


def test_the_end_of_an_id_is_enough_where_one_has_it(notes: list[str]) -> None:
    for short in ("softmax", "wide/softmax", "mine/wide/softmax"):
        assert json.loads(run("show", short, "--json").stdout)["id"] == "mine/wide/softmax"
    assert run("show", "oftmax").returncode == 3
    exact = json.loads(run("show", "radius-mask", "--json").stdout)
    assert (exact["id"], exact["collection"]) == ("radius-mask", "complexity-and-numerics")
    for command in (["show"], ["rm"], ["edit", "--level", "M"], ["history"], ["tag", "+x"]):
        done = run(command[0], "logit", *command[1:])
        assert done.returncode == 3
        assert "mine/deep/logit, mine/wide/logit" in done.stderr


@pytest.mark.parametrize(
    "command", [["edit", "softmax", "--level", "M"], ["mv", "softmax", "other"], ["rm", "softmax"],
                ["tag", "softmax", "+x"]], ids=lambda each: each[0]
)  # fmt: skip
def test_what_changes_an_entry_names_it_in_full(notes: list[str], command: list[str]) -> None:
    assert run(*command).stdout == "mine/wide/softmax\n"


def test_a_name_that_was_an_id_stands_for_no_other(notes: list[str]) -> None:
    made = run("new", "--question", "Softmax", "--answer", "So.", "-c", "mine").stdout.strip()
    assert made == "mine/softmax"
    run("rm", made)
    done = run("show", made)
    assert done.returncode == 3


@pytest.mark.long
@pytest.mark.parametrize(
    ("words", "found"),
    [
        ("kb show rad", ["radius-mask"]),
        ("kb show wid", ["wide/logit", "wide/softmax"]),
        ("kb edit soft", ["softmax"]),
        ("kb list --collection sys", ["systems-for-ml"]),
        ("kb search x --tag nump", ["numpy"]),
        ("kb tag softmax +nump", ["+numpy"]),
        ("kb mv softmax min", ["mine", "mine/deep/logit", "mine/radius-mask"]),
        ("kb list --level ", ["easy", "medium", "hard"]),
    ],
)
@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_completes_ids_collections_and_tags(
    notes: list[str], monkeypatch: pytest.MonkeyPatch, words: str, found: list[str], shell: str
) -> None:
    count = len(words.split(" ")) - 1
    monkeypatch.setenv("COMP_WORDS", words)
    monkeypatch.setenv("COMP_CWORD", words.split(" ")[-1] if shell == "fish" else str(count))
    monkeypatch.setenv("_KB_COMPLETE", f"{shell}_complete")
    told = run().stdout.replace("plain\n", "plain,").replace("\n_", "").splitlines()
    offered = {line.split(",")[1] for line in told}
    assert set(found) <= offered
    if "mv" not in words:
        assert set(found) == offered


def test_what_a_shell_might_obey_is_not_offered(kb: Path, tmp_path: Path) -> None:
    rows = [{"id": id, "lang": "en", "title": "What?", "text": "So."}
            for id in ("zz$(touch x)", "zz;ls", "zz a", "-zz", "zz\nb", "zzplain")]  # fmt: skip
    file = tmp_path / "evil.jsonl"
    file.write_text("\n".join(map(json.dumps, rows)))
    run("import", str(file), "--collection", "evil")
    asked = {"COMP_WORDS": "kb show zz", "COMP_CWORD": "2", "_KB_COMPLETE": "bash_complete"}
    done = subprocess.run(
        [sys.executable, "-m", "kb"], capture_output=True, text=True, check=False,
        env={**os.environ, **asked, "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    assert done.stdout.splitlines() == ["plain,zzplain"]


def test_without_a_database_nothing_is_completed_and_none_is_made(tmp_path: Path) -> None:
    path = tmp_path / "none.db"
    asked = {"COMP_WORDS": "kb show ", "COMP_CWORD": "2", "_KB_COMPLETE": "bash_complete"}
    done = subprocess.run(
        [sys.executable, "-m", "kb"], capture_output=True, text=True, check=False,
        env={**os.environ, **asked, "KB_DB": str(path), "PYTHONPATH": str(ROOT)},
    )  # fmt: skip
    assert (done.stdout.strip(), done.stderr, path.exists()) == ("", "", False)


def _at_both_ends(arguments: list[str], variables: dict[str, str]) -> str:
    """Run a command with a terminal at both ends, and return what it shows."""
    ours, theirs = pty.openpty()
    process = subprocess.Popen(
        [sys.executable, "-m", "kb", *arguments], stdin=theirs, stdout=theirs, stderr=theirs,
        env={"TERM": "xterm", **os.environ, "PYTHONPATH": str(ROOT), **variables},
    )  # fmt: skip
    os.close(theirs)
    seen = b""
    try:
        while piece := os.read(ours, 1 << 16):
            seen += piece
    except OSError:  # the other end is closed
        pass
    process.wait()
    os.close(ours)
    return STYLE.sub("", seen.decode()).replace("\r", "")


def test_a_number_names_the_only_entry_that_has_it(kb: Path) -> None:
    assert json.loads(run("show", "1.1", "--json").stdout)["id"] == "matrix-chain-three"
    several = run("show", "6")
    assert several.returncode == 3
    assert "'6' can mean 2 entries" in several.stderr
    assert "preprocessing-bottleneck, rnn-backprop-complexity" in several.stderr

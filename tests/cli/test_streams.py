"""What the command line must hold where its streams are closed, full, or nobody reads them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from kb.cli.main import COMMANDS
from tests.cli.process import ROOT

ASKED = {
    "tui": "tui",
    "search": "search gradient",
    "show": "show radius-mask",
    "list": "list",
    "run": "run radius_mask",
    "verify": "verify radius-mask",
    "new": "new --question What?",
    "edit": "edit radius-mask --level H",
    "rm": "rm radius-mask",
    "unhide": "unhide radius-mask",
    "mv": "mv radius-mask other",
    "tag": "tag radius-mask +x",
    "collection": "collection list",
    "undo": "undo",
    "redo": "redo",
    "log": "log",
    "history": "history radius-mask",
    "import": "import -",
    "export": "export -f json",
    "prune": "prune",
    "resolve": "resolve",
    "sync": "sync /dev/null",
    "review": "review",
    "hub": "hub list --course c --hub postgresql://nobody@/x?host=/nowhere",
    "glossary": "glossary show gradient",
    "init": "init --json",
    "backup": "backup",
    "restore": "restore nothing.db",
    "self-test": "self-test",
    "compact": "compact",
    "rebuild": "rebuild --json",
    "doctor": "doctor",
    "info": "info",
    "due": "due",
    "stats": "stats",
    "study": "study </dev/null",
    "completion": "completion bash",
}
SILENT = (
    "resolve",
    "sync",
    "hub",
    "review",
    "restore",
    "backup",
    "undo",
    "redo",
    "prune",
    "tui",
    "import",
    "log",
    "history",
)
"""What says nothing on stdout here."""


def shell(kb: Path, line: str) -> subprocess.CompletedProcess[str]:
    command = f"{sys.executable} -m kb {line}"
    return subprocess.run(
        ["bash", "-c", command],
        capture_output=True,
        text=True,
        check=False,
        cwd=ROOT,
        env={
            "KB_DB": str(kb),
            "HOME": str(kb.parent),
            "PATH": "/usr/bin:/bin",
            "LC_ALL": "C.UTF-8",
        },
    )


def test_every_command_is_asked() -> None:
    assert set(COMMANDS) <= set(ASKED)


@pytest.mark.long
@pytest.mark.parametrize("name", ASKED)
def test_a_closed_output_is_one_sentence_and_nothing_is_done(kb: Path, name: str) -> None:
    before = kb.read_bytes()
    done = shell(kb, f"{ASKED[name]} >&-")
    assert done.returncode == 4
    assert "standard output is closed, so nothing was done" in done.stderr
    assert done.stderr.count("\n") == 1
    assert kb.read_bytes() == before


@pytest.mark.long
@pytest.mark.parametrize("name", [each for each in ASKED if each != "self-test"])  # as doctor
def test_a_full_output_is_one_sentence(kb: Path, name: str) -> None:
    done = shell(kb, f"{ASKED[name]} >/dev/full")
    assert "Traceback" not in done.stderr
    assert "Exception ignored" not in done.stderr
    if name not in SILENT:
        assert done.returncode == 4
        assert "standard output: No space left on device" in done.stderr


@pytest.mark.long
@pytest.mark.parametrize("end", ["2>&-", "2>/dev/full", "<&-", "<&- 2>&-"])
@pytest.mark.parametrize("name", ["list", "show", "export"])
def test_what_is_closed_beside_the_output_changes_nothing_of_it(
    kb: Path, name: str, end: str
) -> None:
    expected, done = shell(kb, f"{ASKED[name]} </dev/null"), shell(kb, f"{ASKED[name]} {end}")
    assert (done.returncode, done.stdout) == (expected.returncode, expected.stdout)
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("end", ["2>&-", "<&- 2>&-"])
def test_an_error_that_nobody_hears_keeps_its_code(kb: Path, end: str) -> None:
    assert shell(kb, f"show nothing-of-the-kind {end}").returncode == 3
    assert shell(kb, f"list --jsno {end}").returncode == 2


@pytest.mark.long
@pytest.mark.parametrize("line", ["--help", "list --help", "list", "export -f md", "list --json"])
def test_a_pipe_that_nobody_reads_ends_quietly(kb: Path, line: str) -> None:
    done = shell(kb, f"{line} | true; exit ${{PIPESTATUS[0]}}")
    assert (done.returncode, done.stderr) == (0, "")


def test_a_change_that_cannot_be_told_is_said_to_be_made(kb: Path) -> None:
    done = shell(kb, "tag radius-mask +x >/dev/full")
    assert done.returncode == 4
    assert "The change was made. 'kb undo' undoes it" in done.stderr
    assert '"x"' in shell(kb, "show radius-mask --json").stdout


def test_a_closed_output_is_told_as_json_where_json_is_asked_for(kb: Path) -> None:
    done = shell(kb, "list --json >&-")
    assert json.loads(done.stderr)["error"]["code"] == "output-failed"


def test_a_database_never_gets_the_descriptor_of_a_closed_stream(kb: Path) -> None:
    done = shell(kb, "show nothing-of-the-kind 2>&- <&-; cat $KB_DB | head -c 15")
    assert done.stdout.startswith("SQLite format 3")

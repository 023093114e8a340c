"""What the command line must hold of what it writes to a terminal: orders come from it alone."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.databases import new_library
from tests.robustness.forked import told
from tests.robustness.payloads import PAYLOADS, Case, fill, orders

STYLE = re.compile(r"\x1b\[[0-9]*m|\x1b\]8;;[!-~]*\x1b\\")
FIELDS = (
    "id",
    "collection",
    "number",
    "tag",
    "topic",
    "language",
    "snippet",
    "snippet title",
    "code",
    "annotation",
    "reference",
    "figure",
    "repeats",
    "related",
    "own note",
    "markdown",
)
HOSTILE = ("osc title", "osc link", "c1 csi", "return", "override", "separators", "tags")


@pytest.fixture
def hostile(tmp_path: Path) -> tuple[Path, list[Case]]:
    path = tmp_path / "hostile.db"
    new_library(path).close()
    pairs = [(payload, field) for payload in HOSTILE for field in FIELDS]
    found = [
        Case(payload, field, f"q{number:03}z") for number, (payload, field) in enumerate(pairs)
    ]
    fill(path, found)
    return path, found


def said(path: Path, *arguments: str, terminal: bool = True) -> str:
    environ = {
        "KB_DB": str(path),
        "HOME": str(path.parent),
        "PATH": "/usr/bin:/bin",
        "TERM": "xterm",
    }
    return told(arguments, environ, terminal=terminal, into=str(path.parent))


@pytest.mark.long
@pytest.mark.parametrize(
    "deed",
    [
        "list",
        "collection list",
        "verify",
        "log",
        "doctor",
        "export -f md",
        "export -f csv",
        "export -f json",
        "search what",
    ],
)
def test_a_command_over_all_gives_the_terminal_no_orders_of_an_entry(
    hostile: tuple[Path, list[Case]], deed: str
) -> None:
    told_all = STYLE.sub("", said(hostile[0], *deed.split()))
    assert "Traceback" not in told_all
    assert set(orders(told_all)) <= {"\t", "\r"}  # its own progress begins with a return
    assert "fine\r" not in told_all


@pytest.mark.long
def test_what_is_told_of_one_entry_gives_the_terminal_no_orders(
    hostile: tuple[Path, list[Case]],
) -> None:
    path, cases = hostile
    for case in cases[:: len(cases) // 12]:
        for deed in ("show", "history", "run"):
            assert set(orders(STYLE.sub("", said(path, deed, case.entry.id)))) == set(), case
    assert "\x1b[1m" in said(path, "list")  # styles of our own come through


def test_what_has_one_line_shows_a_line_break_as_a_sign(tmp_path: Path) -> None:
    path = tmp_path / "lines.db"
    new_library(path).close()
    fill(
        path, [Case("newline", field, f"q{field[:2]}z") for field in ("id", "number", "collection")]
    )
    listed = said(path, "list", terminal=False)
    assert len(listed.strip().split("\n")) == 6  # two lines an entry
    assert "qidza␊kb: all is well" in listed
    assert "\nkb: all is well" not in listed + said(
        path, "show", "nothing\nkb: all is well", terminal=False
    )


def test_an_export_down_a_pipe_is_what_is_stored_and_in_a_terminal_is_safe(
    hostile: tuple[Path, list[Case]],
) -> None:
    path, _ = hostile
    for name in ("md", "csv"):
        assert PAYLOADS["osc title"] in said(path, "export", "-f", name, terminal=False)
        assert "␛]0;pwned␇" in said(path, "export", "-f", name)


@pytest.mark.long
@pytest.mark.parametrize("payload", HOSTILE)
def test_mistakes_of_the_reader_are_told_without_orders(tmp_path: Path, payload: str) -> None:
    path, text = tmp_path / "new.db", f"a{PAYLOADS[payload]}b"
    new_library(path).close()
    for arguments in (
        [text],
        [f"--{text}"],
        ["list", "--level", text],
        ["list", "--limit", text],
        ["completion", text],
        ["show", text],
        ["import", text],
        ["export", "-f", text],
    ):
        shown = said(path, *arguments)
        assert shown.startswith("kb: ")
        assert list(orders(shown)) == []

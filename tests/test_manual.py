"""The man pages: current, one for each command, in the wheel, and read without a warning."""

from __future__ import annotations

import shutil
import subprocess
import tomllib

import pytest

from kb.cli.main import COMMANDS, GROUPS
from tests.manual import MAN, ROOT, escaped, manual, text

PAGES = manual()


def test_the_pages_are_current() -> None:
    stored = {path.name: path.read_text(encoding="utf-8") for path in MAN.glob("*.1")}
    assert stored == PAGES, "run: python -m tests.reference"


def test_there_is_a_page_of_each_command_and_one_that_lists_them() -> None:
    assert {*PAGES} == {"kb.1", *(f"kb-{name}.1" for name in COMMANDS)}
    for name in COMMANDS:
        assert f".BR kb\\-{escaped(name)} (1)\n" in PAGES["kb.1"]
    for group in GROUPS:
        assert f".SS {group}\n" in PAGES["kb.1"]


def test_a_page_has_the_options_of_its_command_and_of_those_below_it() -> None:
    assert "\\fB\\-\\-dry\\-run\\fR\nShow what would be imported" in PAGES["kb-import.1"]
    assert "\\fB\\-\\-title TEXT\\fR\n" in PAGES["kb-collection.1"]
    assert "\\-\\-db" not in PAGES["kb-import.1"]
    assert "\\fB\\-\\-db PATH\\fR\n" in PAGES["kb.1"]
    assert "\\fBKB_DB\\fR\n" in PAGES["kb.1"]
    assert "\\fB130\\fR\n" in PAGES["kb.1"]


def test_what_troff_would_obey_is_shown() -> None:
    assert text("Ask. 'kb x' runs --fast. .rm no\\w") == (
        "Ask.\n\\fBkb x\\fR runs \\fB\\-\\-fast\\fR. .rm no\\ew"
    )
    assert escaped("'a") == "\\&'a"


def test_the_pages_are_in_the_wheel() -> None:
    built = tomllib.loads((ROOT / "pyproject.toml").read_text())["tool"]["hatch"]["build"]
    assert built["targets"]["wheel"]["shared-data"] == {"docs/man": "share/man/man1"}


@pytest.mark.parametrize("name", sorted(PAGES))
@pytest.mark.parametrize(
    "reader",
    [("mandoc", "-T", "lint", "-W", "warning"), ("groff", "-man", "-ww", "-Kutf8", "-Tutf8", "-z")],
    ids=lambda reader: reader[0],
)
def test_a_page_is_read_without_a_warning(name: str, reader: tuple[str, ...]) -> None:
    if not shutil.which(reader[0]):
        pytest.skip(f"there is no {reader[0]}")
    done = subprocess.run([*reader, MAN / name], capture_output=True, text=True, check=False)
    assert (done.stdout, done.stderr, done.returncode) == ("", "", 0)

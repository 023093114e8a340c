"""What deletes more than was named, or for good, says how much and asks at a terminal."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.behind import raw
from tests.cli.process import at_terminal, run
from tests.databases import new_library

QUESTIONS = ("Q: What is a bit?\nA: A digit.\n\nQ: What is a byte?\nA: Eight bits.\n",
             "Q: What is a bit?\nA: A digit.\n")  # fmt: skip


@pytest.fixture
def gone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """Return the entry that is no longer in its file."""
    monkeypatch.setenv("KB_DB", str(tmp_path / "kb.db"))
    monkeypatch.setenv("KB_LANG", "en")
    assert run("init", "--empty").returncode == 0
    file = tmp_path / "cards.md"
    for text in QUESTIONS:
        file.write_text(f"# Cards\n\n{text}")
        assert run("import", str(file)).returncode == 0
    (found,) = json.loads(run("prune", "--dry-run", "--json").stdout)["ids"]
    assert isinstance(found, str)
    return found


def listed() -> int:
    return int(json.loads(run("list", "--json").stdout)["total"])


@pytest.mark.long
def test_prune_shows_what_it_deletes_and_asks(gone: str) -> None:
    before = listed()
    code, out, seen = at_terminal("prune", answer="\n")
    assert code == 0
    assert gone in out
    assert "Delete 1 entry? [y/N]" in seen and "nothing changed" in seen
    assert listed() == before
    code, out, seen = at_terminal("prune", answer="y\n")
    assert (code, listed()) == (0, before - 1)
    code, out, seen = at_terminal("prune", answer="")
    assert "[y/N]" not in seen  # there is nothing to delete


@pytest.mark.long
@pytest.mark.parametrize("yes", ["-y", "--yes"])
def test_prune_with_yes_does_not_ask(gone: str, yes: str) -> None:
    before = listed()
    _code, _out, seen = at_terminal("prune", yes, answer="")
    assert "[y/N]" not in seen
    assert listed() == before - 1


@pytest.mark.long
def test_prune_without_a_terminal_does_not_ask(gone: str) -> None:
    before = listed()
    done = run("prune", "--json", input="n\n")
    assert (json.loads(done.stdout)["ids"], done.stderr) == ([gone], "")
    assert listed() == before - 1


@pytest.mark.long
def test_the_document_of_a_prune_that_was_declined_names_nothing(gone: str) -> None:
    _code, out, seen = at_terminal("prune", "--json", answer="n\n")
    assert json.loads(out) == {"schema_version": 1, "ids": [], "change": None}
    assert "[y/N]" in seen


@pytest.mark.long
def test_the_question_is_asked_in_persian(gone: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("KB_LANG", "fa")
    _code, _out, seen = at_terminal("prune", "--bidi", "off", answer="n\n")
    assert "۱ مدخل حذف شود؟ [y/N]" in seen


@pytest.mark.long
def test_compact_asks_before_it_deletes_what_can_then_not_be_undone(gone: str) -> None:
    code, out, seen = at_terminal("compact", "--days", "0", answer="n\n")
    assert (code, out) == (0, "0 changes deleted, 0 KiB freed\n")
    assert "Delete 2 changes for good? [y/N]" in seen
    _code, out, seen = at_terminal("compact", "--days", "0", "--json", answer="n\n")
    assert json.loads(out)["changes"] == 0
    _code, out, _seen = at_terminal("compact", "--days", "0", answer="y\n")
    assert out.startswith("2 changes deleted, ")
    _code, out, seen = at_terminal("compact", "--days", "0", answer="")
    assert (out.split(",")[0], "[y/N]" in seen) == ("0 changes deleted", False)


@pytest.mark.long
def test_compact_in_a_script_and_with_yes_does_not_ask(gone: str) -> None:
    _code, out, seen = at_terminal("compact", "--days", "0", "-y", answer="")
    assert (out.split(",")[0], "[y/N]" in seen) == ("2 changes deleted", False)
    assert run("undo").returncode == 3
    assert run("compact", "--days", "0", input="n\n").stdout.startswith("0 changes deleted")


def test_what_compact_would_forget_is_counted_to_the_moment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with new_library(tmp_path / "kb.db") as library:
        library.collections.new("notes")
        (made,) = raw(library).execute("SELECT at FROM change").fetchone()
        monkeypatch.setattr("kb.service.changes._moment", lambda days: made if not days else "2")
        assert (library.changes.older(days=0), library.changes.older(days=1)) == (1, 0)
        assert library.changes.compact(days=0).changes == 1
        assert library.changes.older(days=0) == 0

"""The yes on the command line: asked at a terminal, told in a script, to what was shown alone."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from kb.terminal.layout import text_width
from tests.cli.process import at_terminal, run

CODE = "first = 1\nprint(f'foreign: {first}')\n"


@pytest.fixture
def foreign(kb: Path, tmp_path: Path) -> str:
    target = {"role": "source", "lang": "en", "quote": "It is", "start": 0, "end": 5, "file": "f"}
    proof = [{"snippet": "matrix_chain_order", "figure": "x", "claimed": 2, "expected": 1}]
    entry = {
        "id": "web", "kind": "question", "collection": "web", "question": {"en": "What?"},
        "answers": [{"role": "source", "lang": "en", "text": "It is 1."}],
        "snippets": [{"id": "web_program", "title": {}, "code": CODE, "main": True}],
        "annotations": [{"id": "a", "target": target, "verdict": "wrong", "severity": "low",
                         "note": {"en": "No."}, "evidence": proof, "status": "confirmed"}],
    }  # fmt: skip
    file = tmp_path / "web.json"
    file.write_text(json.dumps({"schema_version": 1, "entries": [entry]}))
    done = run("import", str(file))
    assert "not trusted" in done.stdout
    return str(file)


@pytest.mark.long
def test_foreign_code_is_shown_whole_and_runs_after_a_yes(foreign: str) -> None:
    code, out, seen = at_terminal("run", "web", answer="y\n")
    assert (code, out) == (0, "foreign: 1\n")
    shown = seen.split("[y/N]")[0]
    assert "1  first = 1\n  2  print(f'foreign: {first}')\n" in shown
    assert "from the file" in shown and "sha256" in shown


@pytest.mark.long
@pytest.mark.parametrize("columns", [20, 80])
def test_no_row_of_foreign_code_looks_like_a_line_of_its_own(
    kb: Path, tmp_path: Path, columns: int
) -> None:
    blanks = " " * 3000
    code = f"y = 2  #{blanks}3  if x > y:\nx = 1{blanks}; print(5)\n# سلام {'می‌شود ' * 30}\n"
    entry = {"id": "web", "kind": "card", "collection": "web", "question": {"en": "What?"},
             "snippets": [{"id": "p", "title": {}, "code": code, "main": True}]}  # fmt: skip
    file = tmp_path / "web.json"
    file.write_text(json.dumps({"schema_version": 1, "entries": [entry]}))
    run("import", str(file))
    seen = at_terminal("run", "web", answer="n\n", columns=columns)[2].split("\n\n")[1]
    rows = [row.removeprefix("\u200e") for row in seen.split("\n")]
    assert [row[:5] for row in rows if row[:5] != "   ↳ "] == ["  1  ", "  2  ", "  3  "]
    assert all(text_width(row) < columns for row in rows)
    whole = "".join(row[5:] for row in rows)
    assert "#⟨␣ × 3000⟩3  if x > y:" in whole and "x = 1⟨␣ × 3000⟩; print(5)" in whole
    assert whole.count("می⟨\\u200c⟩شود") == 30


@pytest.mark.long
def test_an_import_says_which_programs_never_run(kb: Path, tmp_path: Path) -> None:
    code = 'NAME = "Ada\ufe01\ufe02"\nprint("hidden: 1")\n'
    entry = {"id": "web", "kind": "card", "collection": "web", "question": {"en": "What?"},
             "snippets": [{"id": "p", "title": {}, "code": code, "main": True}]}  # fmt: skip
    file = tmp_path / "web.jsonl"
    file.write_text(json.dumps(entry))
    done = run("import", str(file))
    assert "1 added" in done.stdout and "line 1 of its code has a hidden" in done.stdout
    (told,) = json.loads(run("import", str(file), "--json").stdout)["unfit"]
    assert (told["line"], told["text"]) == (1, "p")
    assert (json.loads(run("show", "web", "--json").stdout)["snippets"][0]["code"]) == code
    status, out, seen = at_terminal("run", "web", answer="y\n")
    assert (status, out, "[y/N]" in seen) == (5, "", False)
    assert "VARIATION SELECTOR-2 (U+FE01)" in seen


@pytest.mark.long
@pytest.mark.parametrize("answer", ["\n", "n\n", "yeah\n"])
def test_anything_but_a_yes_is_a_no(foreign: str, answer: str) -> None:
    code, out, _seen = at_terminal("run", "web", answer=answer)
    assert (code, out) == (5, "")


def test_trust_is_told_by_name_and_digest_and_only_for_what_is_named(foreign: str) -> None:
    digest = json.loads(run("show", "web_program", "--json").stdout)["digest"]
    done = run("run", "web", "--trust")
    assert done.stdout == "foreign: 1\n"
    assert f"--trust runs web_program (sha256 {digest})" in done.stderr


def test_show_says_whose_a_program_is_that_evidence_names(foreign: str) -> None:
    shown = run("show", "web", "--all").stdout
    assert "matrix_chain_order is a program of matrix-chain-three" in shown
    assert "measured" not in shown
    assert re.search(r"matrix_chain_order │ claimed │ expected\n.*\n *x +│ +2 │ +1\n", shown)
    assert "bundled with danesh" in run("show", "matrix_chain_order").stdout
    assert foreign in run("show", "web_program").stdout

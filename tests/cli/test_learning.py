"""``kb glossary learn`` as a command: what it says, as a document too, and how it refuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.process import run

SENTENCES = """\
a red house	خانه قرمز
red flowers	گل‌های قرمز
old houses	خانه‌های قدیمی
old friends	دوستان قدیمی
old friends	دوستان قدیمی
"""


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.setenv("KB_DB", str(tmp_path / "kb.db"))
    assert run("init", "--empty").returncode == 0
    path = tmp_path / "houses.tsv"
    path.write_text(SENTENCES, encoding="utf-8")
    return path


@pytest.mark.long
def test_it_tells_what_was_learned_and_what_was_not_taken(file: Path) -> None:
    done = run("glossary", "learn", str(file))
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout.splitlines() == [
        "3 pairs of words in the glossary 'houses', from 5 sentences and their translations",
        "  1 skipped: it was there before",
    ]
    shown = run("glossary", "show", "houses", "--json")
    assert "خانه" in json.loads(shown.stdout)["translations"]["fa"]


def test_its_document_has_its_shape(file: Path) -> None:
    done = run("glossary", "learn", str(file), "--json")
    assert json.loads(done.stdout) == {
        "schema_version": 1,
        "name": "houses",
        "pairs": 3,
        "sentences": 5,
        "repeated": 1,
        "too_long": 0,
    }


def test_its_columns_may_be_of_other_languages(file: Path) -> None:
    lines = (line.split("\t") for line in SENTENCES.splitlines())
    file.write_text("".join(f"{other}\t{one}\n" for one, other in lines), encoding="utf-8")
    done = run("glossary", "learn", str(file), "--from", "fa", "--to", "en", "--json")
    assert json.loads(done.stdout)["pairs"] == 3


@pytest.mark.long
@pytest.mark.parametrize(
    ("text", "told"),
    [("a red house\n", ":1: a line needs two columns"), ("", ": contains no pair of sentences")],
)
def test_bad_input_ends_with_a_sentence_that_names_the_place(
    file: Path, text: str, told: str
) -> None:
    file.write_text(text, encoding="utf-8")
    done = run("glossary", "learn", str(file), "--json")
    assert (done.returncode, done.stdout) == (4, "")
    error = json.loads(done.stderr)["error"]
    assert error["message"] == f"{file}{told}"
    assert "a tab" in error["hint"]


def test_without_anything_to_learn_from_it_says_what_would_help(file: Path) -> None:
    done = run("glossary", "learn")
    assert done.returncode == 3
    assert "no entry has a text in both languages (en and fa)" in done.stderr
    assert run("glossary", "learn", str(file), "--to", "en").returncode == 2

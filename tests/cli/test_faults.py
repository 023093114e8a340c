"""What the command line must hold where something is misspelt, closed, empty or our own fault."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from pathlib import Path

import pytest

from kb import Library
from kb.cli.main import run as run_here
from kb.errors import NotFound
from kb.service.find import Find
from tests.cli.process import ROOT, run


def test_an_unknown_option_is_a_mistake_that_names_the_nearest_one(kb: Path) -> None:
    done = run("search", "--jsno", "gradient")
    assert (done.returncode, done.stdout) == (2, "")
    assert "--jsno" in done.stderr
    assert "--json" in done.stderr


@pytest.mark.parametrize("option", ["--limit", "-n", "--level", "--tag"])
def test_an_option_without_its_value_is_named(kb: Path, option: str) -> None:
    done = run("search", "gradient", option)
    assert (done.returncode, done.stdout) == (2, "")
    assert f"Option '{option}' requires an argument" in done.stderr


@pytest.mark.parametrize("name", ["", " ", "-", "%", "'", "x" * 100_000, "ش" * 5_000])
def test_an_id_that_is_none_is_not_found_whatever_it_is(bundled: Library, name: str) -> None:
    for ask in (bundled.show, bundled.read.snippet, bundled.run):
        with pytest.raises(NotFound):
            ask(name)


@pytest.mark.parametrize("query", [["gradient", "-relu"], ["--", "--jsno"], ["--", "شبکه"]])
def test_what_is_no_option_is_a_query(kb: Path, query: list[str]) -> None:
    assert run("search", *query).returncode in (0, 1)


@pytest.mark.parametrize("word", ["gradient", "شبکه"])
def test_n_is_the_limit(kb: Path, word: str) -> None:
    short, long = (
        run("search", "-n", "1", "--plain", word),
        run("search", "--limit=1", "--plain", word),
    )
    assert short.returncode == 0
    assert short.stdout.split("took")[0] == long.stdout.split("took")[0]


@pytest.mark.long
@pytest.mark.parametrize("word", ["gradient", "شبکه"])
def test_a_limit_of_zero_counts_and_denies_nothing(kb: Path, word: str) -> None:
    told = run("search", "--limit", "0", word)
    assert told.returncode == 0
    assert "nothing" not in (told.stdout + told.stderr).lower()
    counted = json.loads(run("search", "--limit", "0", "--json", word).stdout)
    assert counted["total"] > 0
    assert counted["hits"] == []
    assert run("search", "--limit", "0", "qqqxzzv").returncode == 1


def test_a_list_into_a_pipe_that_closes_is_done(kb: Path) -> None:
    piped = f"set -o pipefail; '{sys.executable}' -m kb list --json | head -c 1"
    done = subprocess.run(["bash", "-c", piped], capture_output=True, cwd=ROOT, check=False)
    assert (done.returncode, done.stderr) == (0, b"")


@pytest.mark.parametrize(
    "bug", [AttributeError("x"), TypeError("x"), KeyError("x"), ValueError("x"), OverflowError("x")]
)
def test_a_bug_of_ours_is_no_mistake_of_the_readers(
    kb: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    bug: Exception,
) -> None:
    def fail(*_: object) -> object:
        raise bug

    monkeypatch.setattr(Find, "_search", fail)
    assert run_here(["--json", "search", "gradient"]) == 70
    told = json.loads(capsys.readouterr().err)["error"]
    assert "report" in told["hint"]
    named = re.search(r"\S*error-\S+\.txt", told["hint"])
    assert named is not None
    assert "Traceback" in Path(named[0]).read_text()
    assert "Traceback" not in told["message"] + told["hint"]


@pytest.mark.long
def test_the_explanation_speaks_of_words_not_of_records(kb: Path) -> None:
    for query in ("gradient", "lang:en", "gradient -relu level:E", "شبکه عصبی"):
        told = run("search", "--explain", query)
        assert not re.search(r"Every\(|Some\(|Matches|of=|\(\)", told.stdout + told.stderr)


def test_a_report_of_an_import_is_the_contracts_document(
    kb: Path,
    tmp_path: Path,
) -> None:
    file = tmp_path / "mine.jsonl"
    lines = [{"id": f"mine-{n}", "lang": "en", "title": f"q {n}", "text": "a"} for n in range(2)]
    file.write_text("".join(json.dumps(line) + "\n" for line in lines))
    done = run("import", str(file), "--json")
    assert done.returncode == 0, done.stderr
    told = json.loads(done.stdout)
    assert told["schema_version"] == 1
    assert told["added"] == 2
    assert [each["path"] for each in told["files"]] == [str(file)]

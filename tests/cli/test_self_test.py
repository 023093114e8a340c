from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from kb.service import diagnose
from kb.service.diagnose import examine_installation
from tests.cli.process import run


@pytest.fixture(scope="module")
def reader_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A base of a reader's, without what came with danesh."""
    path = tmp_path_factory.mktemp("own") / "own.db"
    assert run("--db", str(path), "init", "--empty").returncode == 0
    return path


@pytest.mark.long
def test_an_installation_that_does_what_it_promises_passes_its_own_test(reader_file: Path) -> None:
    before = reader_file.read_bytes()
    done = run("--db", str(reader_file), "self-test", "--json")
    assert done.returncode == 0, done.stderr
    checks = {check["check"]: check for check in json.loads(done.stdout)["checks"]}
    assert {"database", "index", "sandbox", "search", "evidence"} <= checks.keys()
    assert checks["search"]["found"].startswith("10 of 10")
    confirmed = re.match(r"(\d+) of (\d+) ", checks["evidence"]["found"])
    assert confirmed and confirmed[1] == confirmed[2] and int(confirmed[1]) > 80
    assert reader_file.read_bytes() == before


def test_five_of_the_known_questions_are_persian() -> None:
    assert sum("\u0600" <= query[0] <= "\u06ff" for query in diagnose.SEARCHES) == 5


@pytest.mark.long
def test_a_search_that_finds_another_entry_first_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    known = {**diagnose.SEARCHES, "پس‌انتشار در شبکهٔ بازگشتی": "introduction"}
    monkeypatch.setattr(diagnose, "SEARCHES", known)
    monkeypatch.setattr(diagnose, "_evidence", lambda base, progress: diagnose._searches(base))
    search, _ = examine_installation(lambda done, total: None)
    assert not search.well
    assert "9 of 10" in search.found
    assert "پس‌انتشار در شبکهٔ بازگشتی: rnn-backprop-complexity" in search.found

"""``kb study``, ``kb due`` and ``kb stats``: through the real command line, by a shifted clock."""

from __future__ import annotations

import io
import json
import os
import signal
import subprocess
import sys
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from kb.cli.main import run
from kb.library import open_library
from kb.service.study import Study
from tests.cli.process import ROOT
from tests.databases import new_library

START = datetime.fromisoformat("2026-03-01T09:00+03:30")
QUESTIONS = "".join(
    json.dumps({"id": f"q{n:02}", "lang": "en", "title": f"Question {n}?", "text": f"Answer {n}."})
    + "\n"
    for n in range(30)
)


@pytest.fixture
def deck(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> Path:
    """A knowledge base of thirty questions, at nine in the morning."""
    path = tmp_path / "deck.db"
    monkeypatch.setenv("KB_DB", str(path))
    at(monkeypatch, START)
    (tmp_path / "cards.jsonl").write_text(QUESTIONS, encoding="utf-8")
    assert run(["init", "--empty"]) == 0
    assert run(["import", str(tmp_path / "cards.jsonl")]) == 0
    capsys.readouterr()
    return path


def at(monkeypatch: pytest.MonkeyPatch, now: datetime) -> None:
    monkeypatch.setattr(Study, "_now", lambda self: now)


def typed(monkeypatch: pytest.MonkeyPatch, text: str) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO(text))


def document(capsys: pytest.CaptureFixture[str], *arguments: str) -> Any:
    assert run([*arguments, "--json"]) in (0, 1)
    return json.loads(capsys.readouterr().out)


def test_a_session_asks_shows_and_tells_when_it_comes_back(
    deck: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    typed(monkeypatch, "3\n4\n1\n1\nq\n")
    assert run(["study"]) == 0
    out = capsys.readouterr().out
    assert "Question 0?" in out and out.index("How sure") < out.index("Answer 0.")
    assert "comes back today" in out and "2 answers, 1 recalled" in out


def test_what_is_asked_again_today_counts_as_a_review_in_the_text_and_in_json(
    deck: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    typed(monkeypatch, "3\n1\nq\n")
    assert run(["study", "--json"]) == 0
    left = json.loads(capsys.readouterr().out)["left"]
    found = document(capsys, "due")
    assert (found["reviews"], found["collections"][0]["again"]) == (1, 1)
    assert left == found["reviews"] + found["new"]
    assert run(["due"]) == 0
    assert "today: 1 review and" in capsys.readouterr().out
    with open_library(deck) as library:
        assert library.study.waiting() == 1


def test_an_input_that_ends_stops_a_session_and_does_not_say_that_nothing_is_due(
    deck: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    typed(monkeypatch, "")
    assert run(["study"]) == 0
    assert "nothing is due" not in capsys.readouterr().out


def test_a_session_undoes_skips_and_helps(
    deck: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    typed(monkeypatch, "u\nh\n9\n2\n4\nu\n2\n3\ns\n")
    assert run(["study"]) == 0
    out = capsys.readouterr().out
    assert "there is nothing to undo" in out and "undone" in out
    assert "Type one of 1, 2, 3." in out
    assert "1 answer, 1 recalled" in out
    found = document(capsys, "stats")
    assert found["reviews"] == 1 and found["cards"] == 1


def test_two_weeks_of_study(
    deck: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A reader who forgets every seventh answer and is away for four days."""
    answered, now = 0, START
    for day in range(14):
        if day in range(5, 9):
            now += timedelta(days=1)
            continue
        at(monkeypatch, now)
        due = document(capsys, "due")
        asked = 0
        while asked < 100:
            asked += 1
            answered += 1
            typed(monkeypatch, f"2\n{1 if answered % 7 == 0 else 3}\n")
            now += timedelta(minutes=1)
            at(monkeypatch, now)
            if run(["study", "--limit", "1", "--json"]) != 0:
                capsys.readouterr()
                break
            session = json.loads(capsys.readouterr().out)
            assert len(session["graded"]) == 1
        assert asked < 100 and due["day"] == now.date().isoformat()
        assert document(capsys, "due")["new"] == 0
        now = now.replace(hour=9, minute=0) + timedelta(days=1)
    found = document(capsys, "stats")
    assert found["cards"] == 30 and 8 <= len(found["days"]) <= 10
    assert 0.7 < found["retention"] < 1 and sum(found["weeks"]) == 30


def test_a_script_gets_one_document_and_no_prompt(
    deck: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    typed(monkeypatch, "3\n4\n")
    assert run(["study", "--json"]) == 0
    out, err = capsys.readouterr()
    told = json.loads(out)
    assert told["graded"][0]["rating"] == 4 and told["left"] == 19
    assert "How sure are you" in err


def test_entries_are_suspended_resumed_and_named_by_their_last_part(
    deck: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    assert document(capsys, "study", "--suspend", "q00")["ids"] == ["cards/q00"]
    typed(monkeypatch, "q\n")
    assert run(["study"]) == 0
    assert "Question 1?" in capsys.readouterr().out
    assert document(capsys, "due")["suspended"] == 0, "what was never asked is not counted"
    assert document(capsys, "study", "--undo")["ids"] == ["cards/q00"]
    assert run(["study", "--suspend", "nothing"]) == 3
    assert run(["study", "q00"]) == 2
    assert run(["study", "--cram", "--preview"]) == 2


def test_cramming_and_previewing_keep_nothing(
    deck: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    typed(monkeypatch, "2\n" * 5)
    assert run(["study", "--preview"]) == 0
    typed(monkeypatch, "2\n" * 5)
    assert run(["study", "--cram"]) == 1
    capsys.readouterr()
    assert document(capsys, "stats")["reviews"] == 0


def test_faults_and_predictions_are_asked_in_both_languages(
    kb: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """A prediction is asked again until it is a number."""
    at(monkeypatch, START)
    typed(monkeypatch, "about a million\nh\n1e6\n1\n")
    assert run(["study", "--kind", "predict", "--limit", "1"]) == 0
    out = capsys.readouterr().out
    assert "type a number or a range" in out and "It is between" in out
    assert "The program measures" in out and "rated" in out
    typed(monkeypatch, "x\nw because\n3\n3\n")
    assert run(["study", "--kind", "fault", "--limit", "1", "--language", "fa"]) == 0
    out = capsys.readouterr().out
    assert "بخشی از پاسخ منبع" in out and "نمرهٔ" in out


@pytest.mark.long
def test_whatever_moment_it_is_killed_what_was_told_is_kept(deck: Path) -> None:
    """Once the day of the next review is told, the rating is in the file."""
    told = 0
    for number in range(1, 8):
        process = subprocess.Popen(
            [sys.executable, "-u", "-m", "kb", "study"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            encoding="utf-8",
            env={**os.environ, "PYTHONPATH": str(ROOT), "KB_LANG": "en"},
        )
        assert process.stdin and process.stdout
        process.stdin.write("2\n3\n" * number)
        process.stdin.flush()
        seen = 0
        for line in process.stdout:
            seen += "comes back" in line
            if seen == number:
                break
        process.send_signal(signal.SIGKILL)
        process.communicate()
        told += seen
        if told > 20:
            break
    with new_library(deck) as library:
        assert library.study.statistics().reviews >= min(told, 20) > 5
        assert library._base.store.check() == "ok"

"""Writers take turns: who waits is let in, and is told for whom."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from kb import open_library
from kb.errors import Cancelled, Conflict
from kb.model.draft import Draft
from kb.model.results import Writer
from kb.store.sqlite import locking
from kb.store.sqlite.locking import WriteLock
from tests.cli.process import ROOT

MINE = Draft({"fa": "از خودم"}, {"source": {"fa": "پاسخ"}})
LINES = "\n".join(
    json.dumps({"id": str(n), "lang": "en", "title": f"Question {n}", "text": "gradient " * 90})
    for n in range(1500)
)


@pytest.mark.long
def test_notes_of_another_program_get_their_turn_beside_an_import(tmp_path: Path) -> None:
    path, lines = tmp_path / "kb.db", tmp_path / "lines.jsonl"
    lines.write_text(LINES)
    open_library(path, bundled=False).close()
    command = [sys.executable, "-m", "kb", "--db", str(path), "import", str(lines)]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    between = 0
    with (
        open_library(path, bundled=False) as library,
        subprocess.Popen(command, env=environment, stdout=subprocess.DEVNULL) as importing,
    ):
        while importing.poll() is None:
            library.edit.new(MINE)
            between += bool(library._base.store.layers.staged())
        assert importing.returncode == 0
        assert between > 2
        assert library.list(limit=0).total == 1500 + len(library.changes.log(limit=None)) - 1
    assert sorted(file.name for file in tmp_path.iterdir()) == ["kb.db", "lines.jsonl"]


def test_long_work_lets_in_whoever_waits(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(locking, "_LONGEST_TURN", 250)  # so that no busy machine ends it
    first, second = WriteLock(str(tmp_path / "kb.db")), WriteLock(str(tmp_path / "kb.db"))
    lock, order = threading.Lock(), []
    waits, stop = threading.Event(), threading.Event()

    def wait() -> None:
        def begin() -> bool:
            waits.set()
            return lock.acquire(timeout=0.01)

        second.take(begin)
        order.append("note")
        lock.release()

    with first.working("kb import"):
        for step in range(3):
            first.take(lock.acquire)
            if not step:
                waiting = threading.Thread(target=wait)
                waiting.start()
                waits.wait()
                while not list(tmp_path.glob("kb.db.wait-*")):
                    stop.wait(0.001)
            order.append(f"step {step}")
            lock.release()
    waiting.join()
    assert order == ["step 0", "note", "step 1", "step 2"]
    assert not list(tmp_path.iterdir())


def test_who_keeps_the_lock_and_for_how_long_is_told(
    bundled_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(locking, "PATIENCE", 0)
    with open_library(bundled_path) as one, open_library(bundled_path) as other:
        held, end = threading.Event(), threading.Event()

        def hold() -> None:
            store = one._base.store
            with store.working("kb import"), store.transaction():
                held.set()
                end.wait()

        holder = threading.Thread(target=hold)
        holder.start()
        held.wait()
        try:
            pid = os.getpid()
            with pytest.raises(Conflict, match=rf"\(kb import, process {pid}\) has been writing"):
                other.edit.new(MINE)
        finally:
            end.set()
            holder.join()
        assert other.edit.new(MINE).change


def test_a_record_of_a_dead_writer_counts_for_nothing(tmp_path: Path) -> None:
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    for kind in ("work", "wait"):
        told = json.dumps({"what": "kb import", "since": 0})
        (tmp_path / f"kb.db.{kind}-{gone.pid}-1").write_text(told)
    assert WriteLock(str(tmp_path / "kb.db")).writer() == Writer()


@pytest.mark.parametrize("said", ["[" * 100_000, f'{{"what": "a", "since": 1{"0" * 400}}}', "{}"])
def test_a_record_that_cannot_be_read_counts_for_nothing(tmp_path: Path, said: str) -> None:
    (tmp_path / f"kb.db.work-{os.getpid()}-1").write_text(said)
    assert WriteLock(str(tmp_path / "kb.db")).writer() == Writer()


def test_whoever_waits_may_wait_no_more(tmp_path: Path) -> None:
    found = WriteLock(str(tmp_path / "kb.db"))
    told: list[Writer] = []

    def leave(writer: Writer, seconds: float) -> None:
        told.append(writer)
        raise Cancelled("enough")

    found.on_wait = leave
    with pytest.raises(Cancelled):
        found.take(lambda: False)
    assert told == [Writer()]
    assert not list(tmp_path.iterdir())


@pytest.mark.long
def test_the_command_line_says_whom_it_waits_for(bundled_path: Path) -> None:
    code = (
        "import sys; from kb import open_library\n"
        "library = open_library(sys.argv[1]); store = library._base.store\n"
        "with store.working('kb rebuild'), store.transaction():\n"
        "    print('held', flush=True); sys.stdin.read()\n"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-c", code, str(bundled_path)]
    with subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, encoding="utf-8",
                          stdout=subprocess.PIPE) as holder:  # fmt: skip
        assert holder.stdin is not None and holder.stdout is not None
        holder.stdout.readline()
        new = ("new", "--question", "Mine?", "--answer", "Yes.")
        command = [sys.executable, "-m", "kb", "--db", str(bundled_path), *new]
        with subprocess.Popen(command, env=environment, stderr=subprocess.PIPE,
                              encoding="utf-8") as waiting:  # fmt: skip
            assert waiting.stderr is not None
            said = next((line for line in waiting.stderr if "waiting:" in line), "")
            holder.stdin.close()
            waiting.stderr.read()
    assert waiting.returncode == 0
    assert f"waiting: another danesh (kb rebuild, process {holder.pid})" in said

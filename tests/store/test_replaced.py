"""A file that is replaced, removed or emptied while it is open, or before the next start."""

from __future__ import annotations

import os
import re
import shutil
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path
from unittest.mock import patch

import pytest

from kb import Library, open_library
from kb.errors import BadDatabase, ExitCode, Replaced
from kb.model.draft import Draft
from kb.service.opening import restore
from kb.store.sqlite import driver
from kb.store.sqlite.files import check_left, set_aside
from tests.behind import damaged, killed_after
from tests.cli.process import run

MINE = Draft({"en": "What is mine?", "fa": "چه چیز از من است؟"}, {"source": {"en": "This."}})


def replaced(path: Path, other: Path) -> None:
    os.replace(shutil.copy(path, other), path)


@pytest.mark.parametrize("how", ["replaced", "removed"])
def test_a_note_is_refused_where_the_file_is_no_more_the_one_that_was_opened(
    bundled_path: Path, tmp_path: Path, how: str
) -> None:
    with open_library(bundled_path) as library:
        library.edit.new(MINE)
        if how == "replaced":
            replaced(bundled_path, tmp_path / "other.db")
        else:
            bundled_path.unlink()
        with pytest.raises(Replaced, match=f"{how}.*nothing was written"):
            library.edit.new(MINE)
    assert bundled_path.exists() is (how == "replaced")
    assert Replaced.exit_code is ExitCode.BAD_DATA


def test_a_file_that_is_replaced_while_a_change_is_made_of_it_takes_nothing_in_silence(
    bundled_path: Path, tmp_path: Path
) -> None:
    with open_library(bundled_path) as library:
        store = library._base.store
        with pytest.raises(Replaced), store.transaction():
            store.meta.put("mine", "1")
            replaced(bundled_path, tmp_path / "other.db")


@pytest.mark.parametrize("how", ["replaced", "removed"])
def test_another_thread_reads_no_other_file_and_makes_none(
    bundled_path: Path, tmp_path: Path, how: str
) -> None:
    found: list[BaseException] = []

    def search(library: Library) -> None:
        try:
            library.search("gradient")
        except Replaced as error:
            found.append(error)

    with open_library(bundled_path) as library:
        if how == "replaced":
            replaced(bundled_path, tmp_path / "other.db")
        else:
            bundled_path.unlink()
        thread = threading.Thread(target=search, args=(library,))
        thread.start()
        thread.join()
    assert len(found) == 1
    assert bundled_path.exists() is (how == "replaced")


@pytest.mark.long
def test_the_journal_of_a_database_that_is_gone_meets_no_new_one(
    bundled_path: Path, tmp_path: Path
) -> None:
    with open_library(bundled_path) as library:
        library.edit.new(MINE)
        shutil.copy(f"{bundled_path}-wal", tmp_path / "left")
    bundled_path.unlink()
    os.replace(tmp_path / "left", f"{bundled_path}-wal")
    with open_library(bundled_path) as library:
        assert library.list().total == 33
        assert damaged(library) == []
        assert "kb.db.left-" in " ".join(library.notices)
    assert list(tmp_path.glob("kb.db.left-*-wal"))


@pytest.mark.parametrize("text", ["", "x"])
def test_of_what_lies_beside_a_missing_database_what_holds_something_is_kept(
    tmp_path: Path, text: str
) -> None:
    path = tmp_path / "kb.db"
    for end, held in (("-wal", text), ("-journal", "y"), ("-shm", "z")):
        Path(f"{path}{end}").write_text(held)
    moved = [Path(each) for each in set_aside(str(path))]
    assert sorted(file.read_text() for file in moved) == (["x", "y"] if text else ["y"])
    assert sorted(moved) == sorted(tmp_path.iterdir())
    assert all(re.fullmatch(r"kb\.db\.left-\d{8}-\d{6}-(wal|journal)", f.name) for f in moved)
    assert set_aside(str(path)) == []


OPENED = """
import sqlite3, sys
base = sqlite3.connect(sys.argv[1])
base.execute("PRAGMA journal_mode=WAL")
base.execute("CREATE TABLE t (x)")
print("opened", flush=True)
sys.stdin.read()
"""


def test_a_log_is_checked_only_where_nobody_has_its_database_open(tmp_path: Path) -> None:
    path = str(tmp_path / "kb.db")
    command = [sys.executable, "-c", OPENED, path]
    checked = patch("kb.store.sqlite.files.is_whole", return_value=True)
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        assert other.stdout and other.stdout.readline()
        with checked as asked:
            check_left(path)
        assert not asked.called
        other.kill()
    with checked as asked:
        check_left(path)
    assert asked.called


MANY = "for n in range(40): library.edit.new(Draft({'en': f'Question {n}'}, {}))"


@pytest.mark.long
def test_a_copy_put_over_a_killed_sessions_file_by_hand_is_explained_and_can_be_mended(
    bundled_path: Path, tmp_path: Path
) -> None:
    copy = shutil.copy(bundled_path, tmp_path / "copy.db")
    with open_library(copy) as library:  # pages of it are elsewhere than in the file
        library.edit.remove([hit.id for hit in library.list().hits][:9])
        library.edit.new(Draft({"en": "Longer " * 2000}, {}))
        library.changes.compact(days=0)
    killed_after(bundled_path, MANY)
    shutil.copy(copy, bundled_path)
    wal = Path(f"{bundled_path}-wal")
    before = bundled_path.read_bytes(), wal.read_bytes()
    told = run("--db", str(bundled_path), "doctor")
    assert told.returncode == ExitCode.FINDINGS
    assert f"the journal {wal} is damaged or from another file" in told.stdout
    assert "kb restore" in told.stdout
    with pytest.raises(BadDatabase, match="from another file"):
        open_library(bundled_path)
    assert (bundled_path.read_bytes(), wal.read_bytes()) == before
    done = restore(bundled_path, copy)
    with open_library(bundled_path) as library:
        assert library.list().total == 25
    assert Path(done.kept).read_bytes() == before[0]


@pytest.mark.long
def test_what_a_killed_session_left_is_taken_up_where_it_is_of_this_file(
    bundled_path: Path,
) -> None:
    killed_after(bundled_path, MANY)
    assert Path(f"{bundled_path}-wal").stat().st_size
    with open_library(bundled_path) as library:
        assert library.list().total == 73
        assert damaged(library) == []
    with sqlite3.connect(bundled_path) as again:
        assert again.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_a_new_database_may_be_read_by_its_owner_alone(tmp_path: Path) -> None:
    open_library(tmp_path / "kb.db", bundled=False).close()
    assert (tmp_path / "kb.db").stat().st_mode & 0o777 == 0o600


def test_what_killed_processes_left_beside_the_file_is_swept_at_the_next_start(
    bundled_path: Path,
) -> None:
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    here = f"kb.db.{os.getpid()}-1.new"
    left = [f"kb.db.{gone.pid}-77.new", f"kb.db.{gone.pid}-77.new-wal", f"kb.db.work-{gone.pid}-1",
            f"kb.db.before-format-6.{gone.pid}-77.new", f"kb.db.wait-{gone.pid}-1"]  # fmt: skip
    kept = [here, f"other.db.{gone.pid}-77.new", "kb.db.new", f"kb.db.{gone.pid}.new"]
    for name in (*left, *kept):
        (bundled_path.parent / name).write_text("x")
    open_library(bundled_path).close()
    assert sorted(file.name for file in bundled_path.parent.iterdir()) == sorted(["kb.db", *kept])


def test_an_empty_journal_of_a_killed_restore_is_swept(bundled_path: Path) -> None:
    journal = Path(f"{bundled_path}-journal")
    journal.touch()
    open_library(bundled_path).close()
    assert journal.exists() is (driver.journal_mode() != "wal")

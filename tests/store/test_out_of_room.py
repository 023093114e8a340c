"""Reading where nothing can be written, and messages that name what is full."""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from kb.errors import BadData, ExitCode, KbError
from kb.foreign import opened
from kb.store.sqlite import driver
from kb.store.sqlite.copies import fill_from
from kb.store.sqlite.driver import explain
from tests.behind import killed_after

ROOT = Path(__file__).parents[2]
# Who may write nothing that is root's; to read, as the interpreter may lie in root's own folder.
_ORDINARY = ("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups",
             "--inh-caps=-all,+dac_read_search", "--ambient-caps=-all,+dac_read_search",
             "--bounding-set=-all,+dac_read_search")  # fmt: skip
_FULL = 4096
MADE_AND_UNDONE = "library.edit.new(Draft({'en': 'Mine?'}, {})); library.changes.undo()"
as_root = pytest.mark.skipif(os.getuid() != 0, reason="a disk of its own is root's to make")


def kb(*arguments: str, ordinary: bool = False, **more: object) -> subprocess.CompletedProcess[str]:
    """Run the command line, as an ordinary user where that is asked for."""
    command = [sys.executable, "-m", "kb", *arguments]
    environment = {**os.environ, "PYTHONPATH": str(ROOT), "PYTHONDONTWRITEBYTECODE": "1", **more}
    return subprocess.run(
        [*(_ORDINARY if ordinary else ()), *command],
        capture_output=True, encoding="utf-8", check=False, env=environment,
    )  # fmt: skip


@pytest.fixture
def disk(tmp_path: Path) -> Iterator[Path]:
    """A small disk of its own."""
    place = tmp_path / "disk"
    place.mkdir()
    subprocess.run(["mount", "-t", "tmpfs", "-o", "size=16m", "tmpfs", place], check=True)
    yield place
    subprocess.run(["umount", "-l", place], check=True)


def fill(place: Path, left: int) -> None:
    """Leave so many bytes of a disk free."""
    with (place / "ballast").open("wb", buffering=0) as ballast:
        while (room := os.statvfs(place).f_bavail * os.statvfs(place).f_frsize) > left:
            ballast.write(b"x" * min(room - left, 1 << 16))


def reads(path: Path, elsewhere: Path, **more: object) -> None:
    """Let every command that only reads do its work on a database."""
    found = kb("--db", str(path), "search", "intractable", "--json", **more)
    assert found.returncode == 0, found.stderr
    assert json.loads(found.stdout)["hits"][0]["id"]
    listed = kb("--db", str(path), "list", "--json", **more)
    assert json.loads(listed.stdout)["total"] == 33, listed.stderr
    shown = kb("--db", str(path), "show", json.loads(found.stdout)["hits"][0]["id"], **more)
    assert shown.returncode == 0 and shown.stdout
    for format in ("json", "sqlite"):
        target = elsewhere / f"out.{format}"
        written = kb("--db", str(path), "export", "-f", format, "-o", str(target), **more)
        assert written.returncode == 0, written.stderr
        assert target.stat().st_size > 100_000
        target.unlink()


@pytest.mark.long
@as_root
@pytest.mark.parametrize("left", [0, _FULL])
@pytest.mark.parametrize("killed", [False, True])
def test_a_database_on_a_full_disk_is_read_and_the_message_names_it(
    bundled_path: Path, disk: Path, tmp_path: Path, left: int, killed: bool
) -> None:
    path = disk / "kb.db"
    shutil.copy(bundled_path, path)
    if killed:
        killed_after(path, MADE_AND_UNDONE)
    fill(disk, left)
    before = path.read_bytes()
    reads(path, tmp_path)
    refused = kb("--db", str(path), "new", "--question", "x" * 9000, "--answer", "y " * 50_000)
    assert refused.returncode == ExitCode.BAD_DATA
    assert f"{path}: the disk is full" in refused.stderr
    if not killed:
        assert path.read_bytes() == before
    (disk / "ballast").unlink()
    written = kb("--db", str(path), "new", "--question", "Now?", "--answer", "Yes.")
    assert written.returncode == 0, written.stderr


@pytest.mark.long
@as_root
@pytest.mark.parametrize("killed", [False, True])
@pytest.mark.parametrize("kind", ["file system", "folder", "file", "folder and file"])
def test_what_may_only_be_read_is_read_and_that_is_told(
    bundled_path: Path, disk: Path, tmp_path: Path, kind: str, killed: bool
) -> None:
    path = disk / "kb.db"
    shutil.copy(bundled_path, path)
    if killed:
        killed_after(path, MADE_AND_UNDONE)
    ordinary = kind != "file system"
    elsewhere = tmp_path / "elsewhere"
    elsewhere.mkdir(mode=0o777)
    elsewhere.chmod(0o777)
    for folder in (tmp_path, *tmp_path.parents):
        if folder.stat().st_uid == 0 and folder != Path("/"):
            folder.chmod(folder.stat().st_mode | 0o055)
    for file in disk.iterdir():
        file.chmod(0o644 if "file" in kind else 0o666)
    disk.chmod(0o755 if "folder" in kind else 0o777)
    if not ordinary:
        subprocess.run(["mount", "-o", "remount,ro", disk], check=True)
    home = {"HOME": str(elsewhere), "XDG_DATA_HOME": str(elsewhere)}
    reads(path, elsewhere, ordinary=ordinary, **home)
    refused = kb("--db", str(path), "new", "--question", "Mine?", "--answer", "x",
                 ordinary=ordinary, **home)  # fmt: skip
    if kind == "folder" and killed:  # what SQLite needs beside the file lies there already
        assert refused.returncode == 0, refused.stderr
        return
    assert refused.returncode == ExitCode.BAD_DATA, refused
    assert str(path) in refused.stderr and "read-only" in refused.stderr
    told = kb("--db", str(path), "doctor", ordinary=ordinary, **home)
    assert "read-only" in told.stdout


@as_root
def test_where_the_target_is_full_the_message_names_the_target(
    bundled_path: Path, disk: Path
) -> None:
    fill(disk, 1 << 16)
    target = disk / "out"
    for command in (("export", "-f", "json", "-o"), ("export", "-f", "sqlite", "-o"), ("backup",)):
        refused = kb("--db", str(bundled_path), *command, str(target))
        assert refused.returncode == ExitCode.BAD_DATA
        assert str(target) in refused.stderr and str(bundled_path) not in refused.stderr
    assert sorted(file.name for file in disk.iterdir()) == ["ballast"]
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "kb", "--db", str(bundled_path), "export", "-f", "json"],
            stdout=full, stderr=subprocess.PIPE, encoding="utf-8", check=False,
            env={**os.environ, "PYTHONPATH": str(ROOT)},
        )  # fmt: skip
    assert done.returncode == ExitCode.BAD_DATA
    assert "standard output: No space left" in done.stderr


def test_a_folder_without_rights_is_named_and_is_no_full_disk(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    failed = sqlite3.OperationalError("disk I/O error")
    monkeypatch.setattr("os.access", lambda path, mode: False)
    assert explain(failed, "/locked/kb.db").message == "/locked: permission denied"
    monkeypatch.setattr("os.access", lambda path, mode: True)
    assert "full or failing" in explain(failed, "/locked/kb.db").message


def test_where_sqlite_does_not_say_which_of_two_files_failed_both_are_named(tmp_path: Path) -> None:
    first, second = str(tmp_path / "kb.db"), str(tmp_path / "copy.db")
    told = explain(sqlite3.OperationalError("disk I/O error"), first, second).message
    assert told == f"{first} or {second}: the disk is full or failing, so nothing was changed"


class _Failing:
    """A database that cannot be copied."""

    path = "kb.db"
    raw = property(lambda self: self)
    snapshot = contextlib.nullcontext

    def backup(self, target: object) -> None:
        raise driver.sqlite3.OperationalError("disk I/O error")


def test_where_a_copy_fails_the_database_and_the_copy_are_named(tmp_path: Path) -> None:
    with pytest.raises(KbError) as told:
        fill_from(_Failing(), str(tmp_path / "draft"), str(tmp_path / "copy.db"))  # type: ignore[arg-type]
    assert told.value.message.startswith(f"kb.db or {tmp_path / 'copy.db'}: the disk")


@pytest.mark.parametrize("error", [OSError(5, "Input/output error"), BrokenPipeError(32, "gone")])
def test_a_failure_while_a_file_is_read_names_the_file(tmp_path: Path, error: OSError) -> None:
    file = tmp_path / "notes.md"
    file.write_text("# Note\n")
    with pytest.raises((BadData, BrokenPipeError)) as told, opened(file, 100):
        raise error
    if isinstance(error, BrokenPipeError):
        assert told.value is error
    else:
        assert told.value.message == f"{file}: cannot be read (Input/output error)"

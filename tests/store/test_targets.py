"""No command writes over a database, or over the files that SQLite keeps beside one."""

from __future__ import annotations

import os
import sqlite3
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from kb import Library, open_library
from kb.errors import BadDatabase, Conflict, ExitCode
from kb.formats.registry import EXPORTERS
from kb.service.opening import remove_empty, restore

Write = Callable[[Library, str], object]

WRITERS: dict[str, Write] = {
    **{name: lambda library, path, name=name: library.export(name, path) for name in EXPORTERS},
    "backup": lambda library, path: library.backups.make(path),
    "backup --replace": lambda library, path: library.backups.make(path, replace=True),
    "export to a path": lambda library, path: library.export("json", Path(path)),
}


NAMES: dict[str, Callable[[Path], str]] = {
    "the log": lambda folder: f"{folder}/empty.db-wal",
    "its memory": lambda folder: f"{folder}/empty.db-shm",
    "the journal": lambda folder: f"{folder}/empty.db-journal",
    "through a folder and back": lambda folder: f"{folder}/sub/../empty.db-wal",
    "with a slash behind it": lambda folder: f"{folder}/empty.db-wal/",
    "through a linked folder": lambda folder: f"{folder}/loop/empty.db-wal",
    "relative": lambda folder: os.path.relpath(folder / "empty.db-shm"),
    "a link to the database": lambda folder: f"{folder}/soft.db",
    "beside a link to the database": lambda folder: f"{folder}/soft.db-journal",
    "a hard link of the database": lambda folder: f"{folder}/hard.db",
    "beside a hard link of the database": lambda folder: f"{folder}/hard.db-wal",
    "a link to the journal": lambda folder: f"{folder}/to-journal",
    "a hard link of the log": lambda folder: f"{folder}/hard-wal.json",
    "the log of another": lambda folder: f"{folder}/other.db-wal",
    "the journal of another": lambda folder: f"{folder}/other.db-JOURNAL",
    "a link called like the memory of another": lambda folder: f"{folder}/other.db-shm",
}


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a database of another program, and with names for those of ours."""
    made = tmp_path_factory.mktemp("targets")
    with sqlite3.connect(made / "other.db") as raw:
        raw.execute("CREATE TABLE t (x)")
    raw.close()
    return made


@pytest.fixture(scope="module")
def library(folder: Path) -> Iterator[Library]:
    with open_library(folder / "empty.db", bundled=False) as opened:
        log = folder / "empty.db-wal"
        if not log.exists():  # a SQLite that is not trusted with one
            log.touch()
        (folder / "sub").mkdir()
        (folder / "loop").symlink_to(folder, target_is_directory=True)
        (folder / "soft.db").symlink_to(folder / "empty.db")
        (folder / "to-journal").symlink_to(folder / "empty.db-journal")
        (folder / "other.db-shm").symlink_to(folder / "elsewhere.json")
        os.link(folder / "empty.db", folder / "hard.db")
        os.link(log, folder / "hard-wal.json")
        yield opened


def held(folder: Path) -> dict[str, bytes]:
    """Return what every file of a folder holds, but for the memory that SQLite shares."""
    return {
        str(file): file.read_bytes()
        for file in sorted(folder.iterdir())
        if file.is_file() and not file.name.endswith("-shm")
    }


@pytest.mark.long
@pytest.mark.parametrize("writer", WRITERS)
def test_nothing_is_written_over_a_database_or_what_belongs_to_one(
    library: Library, folder: Path, writer: str
) -> None:
    before = held(folder)
    for said, name in {"itself": lambda folder: f"{folder}/empty.db", **NAMES}.items():
        with pytest.raises(Conflict, match=r"database( itself)?$"):
            WRITERS[writer](library, name(folder))
            pytest.fail(f"{writer}: {said}")
    assert held(folder) == before
    assert library._base.store.check() == "ok"


@pytest.mark.long
@pytest.mark.parametrize("writer", ["json", "sqlite", "site", "backup"])
def test_a_name_that_ends_like_a_journal_is_free_where_no_database_has_it(
    library: Library, tmp_path: Path, writer: str
) -> None:
    (tmp_path / "text.md").write_text("SQLite format 3 is what this text is about.")
    for name in ("notes-journal", "یادداشت-journal", "text.md-wal"):
        WRITERS[writer](library, str(tmp_path / name))
        assert (tmp_path / name).exists()


def test_a_stream_into_the_log_is_refused_and_any_other_is_not(
    library: Library, folder: Path, tmp_path: Path
) -> None:
    with (folder / "empty.db-wal").open("r+b") as stream, pytest.raises(Conflict, match="output"):
        library.export("json", stream)
    with tempfile.TemporaryFile(dir=tmp_path) as stream:
        library.export("json", stream)
        assert stream.tell()


def test_no_database_is_made_or_restored_where_another_keeps_a_journal(
    library: Library, folder: Path, tmp_path: Path
) -> None:
    copy = tmp_path / "copy.db"
    library.backups.make(copy)
    for end in ("-wal", "-journal"):
        place = Path(f"{folder}/other.db{end}")
        with pytest.raises(Conflict):
            open_library(place, bundled=False)
        with pytest.raises(Conflict):
            restore(place, copy)
        assert not place.exists()
        place.touch()
        with pytest.raises(Conflict):
            remove_empty(str(place))
        place.unlink()  # it was kept


def test_looking_at_a_database_that_is_open_leaves_it_locked(
    library: Library, folder: Path, tmp_path: Path
) -> None:
    code = "import sqlite3, sys; sqlite3.connect(sys.argv[1], 0).execute('BEGIN IMMEDIATE')"
    copy = library.backups.make(tmp_path / "second.db").path
    with open_library(copy, bundled=False) as second, second._base.store.transaction():
        with pytest.raises(Conflict):
            library.export("json", f"{copy}-wal")
        tried = subprocess.run([sys.executable, "-c", code, copy], capture_output=True, check=False)
    assert b"locked" in tried.stderr


@pytest.mark.parametrize("bundled", [True, False])
@pytest.mark.parametrize("name", ["empty.txt", "خالی.txt"])
def test_an_empty_file_is_not_made_a_database_unasked(
    tmp_path: Path, name: str, bundled: bool
) -> None:
    (tmp_path / name).touch()
    with pytest.raises(BadDatabase, match=f"{name}: this file is empty") as caught:
        open_library(tmp_path / name, bundled=bundled)
    assert caught.value.exit_code == ExitCode.BAD_DATA
    assert [file.name for file in tmp_path.iterdir()] == [name]
    assert (tmp_path / name).read_bytes() == b""


@pytest.mark.parametrize("blank", [b" ", b" \n\t\n" * 600, b"\0" * 4096])
def test_a_file_of_blanks_is_no_database_and_stays(tmp_path: Path, blank: bytes) -> None:
    path = tmp_path / "blank.db"
    path.write_bytes(blank)
    remove_empty(str(path))
    said = "this file is empty" if len(blank) < 2 else "damaged, or belongs to another program"
    with pytest.raises(BadDatabase, match=said):
        open_library(path)
    assert [file.name for file in tmp_path.iterdir()] == ["blank.db"]
    assert path.read_bytes() == blank


def test_what_an_empty_file_is_removed_for_is_a_file(tmp_path: Path) -> None:
    (tmp_path / "folder").mkdir()
    (tmp_path / "empty.db").touch()
    for name in ("folder", "empty.db", "absent.db"):
        remove_empty(str(tmp_path / name))
    assert [file.name for file in tmp_path.iterdir()] == ["folder"]

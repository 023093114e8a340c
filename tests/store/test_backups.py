"""Copies of the whole base: whole and verified, never over another file, and put back whole."""

from __future__ import annotations

import os
import shutil
import sqlite3
import stat
import threading
from pathlib import Path

import pytest

from kb import open_library
from kb.errors import BadDatabase, Conflict, NotFound, UsageError
from kb.model.draft import Draft
from kb.service.opening import restore
from kb.store.sqlite import files
from tests.behind import damaged

MINE = Draft({"en": "What is mine?", "fa": "چه چیز از من است؟"}, {"source": {"en": "This."}})


def seen(path: Path) -> dict[str, object]:
    with open_library(path) as library:
        assert damaged(library) == []
        return {hit.id: library.show(hit.id) for hit in library.list().hits}


def mode_of(path: Path | str) -> int:
    return stat.S_IMODE(os.stat(path).st_mode)


@pytest.mark.long
def test_a_copy_holds_all_there_is_and_only_its_owner_may_read_it(
    bundled_path: Path, tmp_path: Path
) -> None:
    with open_library(bundled_path) as library:
        library.edit.new(MINE)
        made = library.backups.make(tmp_path / "copy.db")
    assert (made.entries, made.bytes) == (34, (tmp_path / "copy.db").stat().st_size)
    assert mode_of(made.path) == 0o600
    assert seen(Path(made.path)) == seen(bundled_path)


@pytest.mark.long
def test_without_a_path_copies_have_dates_and_the_last_ten_are_kept(bundled_path: Path) -> None:
    with open_library(bundled_path) as library:
        made = [library.backups.make().path for _ in range(12)]
    folder = bundled_path.parent / "backups"
    assert sorted(str(file) for file in folder.iterdir()) == sorted(made[2:])
    assert mode_of(folder) == 0o700


@pytest.mark.long
def test_no_file_is_replaced_unless_that_is_said(bundled_path: Path, tmp_path: Path) -> None:
    target = tmp_path / "letter.txt"
    target.write_text("Dear reader")
    with open_library(bundled_path) as library:
        with pytest.raises(Conflict, match="this file already exists"):
            library.backups.make(target)
        assert target.read_text() == "Dear reader"
        library.backups.make(target, replace=True)
    assert len(seen(target)) == 33


@pytest.mark.long
def test_a_copy_made_while_others_write_is_of_one_moment(
    bundled_path: Path, tmp_path: Path
) -> None:
    stop = threading.Event()

    def write() -> None:
        with open_library(bundled_path) as library:
            while not stop.is_set():
                library.edit.new(MINE)

    writer = threading.Thread(target=write)
    writer.start()
    try:
        with open_library(bundled_path) as library:
            copies = [Path(library.backups.make(tmp_path / f"{n}.db").path) for n in range(5)]
    finally:
        stop.set()
        writer.join()
    for copy in copies:
        assert len(seen(copy)) >= 33


@pytest.mark.long
def test_a_copy_is_put_back_and_what_was_there_is_kept_and_comes_back_in_its_turn(
    bundled_path: Path, tmp_path: Path
) -> None:
    with open_library(bundled_path) as library:
        copy = library.backups.make(tmp_path / "copy.db").path
        before = {hit.id for hit in library.list().hits}
        library.edit.new(MINE)
    later = seen(bundled_path)
    done = restore(bundled_path, copy)
    assert seen(bundled_path).keys() == before
    assert (done.path, done.entries) == (str(bundled_path), 33)
    restore(bundled_path, done.kept)
    assert seen(bundled_path) == later
    assert mode_of(bundled_path) == mode_of(done.kept)


def test_an_open_library_goes_on_with_the_copy_that_it_put_back(bundled_path: Path) -> None:
    with open_library(bundled_path) as library:
        copy = library.backups.make().path
        made = library.edit.new(MINE).ids[0]
        assert library.search("mine").total
        library.backups.restore(copy)
        assert made not in {hit.id for hit in library.list().hits}
        assert library.edit.new(MINE).change


@pytest.mark.long
def test_what_a_killed_session_left_beside_the_file_goes_with_it(bundled_path: Path) -> None:
    with open_library(bundled_path) as library:
        copy = library.backups.make().path
        library.edit.new(MINE)
        shutil.copy(bundled_path, bundled_path.with_name("as-killed.db"))
        shutil.copy(f"{bundled_path}-wal", bundled_path.with_name("as-killed.db-wal"))
    os.replace(bundled_path.with_name("as-killed.db"), bundled_path)
    os.replace(bundled_path.with_name("as-killed.db-wal"), f"{bundled_path}-wal")
    done = restore(bundled_path, copy)
    assert len(seen(bundled_path)) == 33
    assert len(seen(Path(done.kept))) == 34
    assert not list(bundled_path.parent.glob("kb.db-*"))


def test_a_damaged_database_is_restored_and_kept_as_it_was_found(
    bundled_path: Path, tmp_path: Path
) -> None:
    copy = shutil.copy(bundled_path, tmp_path / "copy.db")
    spoilt = bundled_path.read_bytes()[:9000] + os.urandom(5000)
    bundled_path.write_bytes(spoilt)
    done = restore(bundled_path, copy)
    assert Path(done.kept).read_bytes() == spoilt
    assert len(seen(bundled_path)) == 33


def test_where_the_database_is_gone_it_is_put_back_alone(
    tmp_path: Path, bundled_path: Path
) -> None:
    copy = shutil.copy(bundled_path, tmp_path / "copy.db")
    bundled_path.unlink()
    assert restore(bundled_path, copy).kept == ""
    assert len(seen(bundled_path)) == 33


@pytest.mark.parametrize("kind", ["absent", "text", "foreign", "newer", "damaged", "itself"])
def test_what_is_no_whole_copy_of_ours_is_refused_and_nothing_is_changed(
    bundled_path: Path, tmp_path: Path, kind: str
) -> None:
    copy = tmp_path / "copy.db"
    if kind == "text":
        copy.write_text("This is a shopping list. " * 20)
    elif kind == "itself":
        copy = bundled_path
    elif kind == "foreign":
        with sqlite3.connect(copy) as other:
            other.execute("CREATE TABLE entry (id)")
    elif kind != "absent":
        shutil.copy(bundled_path, copy)
    if kind == "newer":
        with sqlite3.connect(copy) as newer:
            newer.execute(f"PRAGMA user_version = {files.VERSION + 1}")
    if kind == "damaged":
        whole = copy.read_bytes()
        copy.write_bytes(whole[:40960] + b"\xa5" * 40960 + whole[81920:])
    before = bundled_path.read_bytes()
    with pytest.raises((BadDatabase, NotFound, Conflict)):
        restore(bundled_path, copy)
    assert bundled_path.read_bytes() == before
    assert not list(tmp_path.glob("*before*")) and not list(tmp_path.glob("*.new*"))


def test_while_another_has_the_database_open_nothing_is_put_back(
    bundled_path: Path, tmp_path: Path
) -> None:
    copy = shutil.copy(bundled_path, tmp_path / "copy.db")
    with open_library(bundled_path) as library:
        library.edit.new(MINE)
        with pytest.raises(Conflict, match="open"):
            restore(bundled_path, copy)
        assert library.list().total == 34
    assert len(seen(bundled_path)) == 34


def test_a_base_in_memory_has_nothing_to_copy(tmp_path: Path) -> None:
    with open_library(":memory:", bundled=False) as library, pytest.raises(UsageError):
        library.backups.make()


def test_a_place_that_no_copy_can_lie_in_is_named(bundled_path: Path, tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("Dear reader")
    refused = pytest.raises(BadDatabase, match=r"letter\.txt/x\.db: the database cannot be created")
    with open_library(bundled_path) as library, refused:
        library.backups.make(tmp_path / "letter.txt" / "x.db")


def test_a_restore_that_was_killed_before_its_end_leaves_no_second_name(
    bundled_path: Path,
) -> None:
    second = bundled_path.with_name("kb.db.before-restore-20260501-101502")
    os.link(bundled_path, second)
    other = Path(shutil.copy(bundled_path, f"{second}-2"))
    open_library(bundled_path).close()
    assert other.exists() and not second.exists()


def test_who_starts_meanwhile_leaves_a_living_restore_the_name_it_keeps(bundled_path: Path) -> None:
    kept = bundled_path.with_name("kb.db.before-restore-20260501-101502")
    os.link(bundled_path, kept)
    draft = bundled_path.with_name(f"kb.db.{os.getpid()}-1.new")
    draft.write_bytes(b"to be placed")
    open_library(bundled_path).close()
    assert kept.exists()
    draft.unlink()
    open_library(bundled_path).close()
    assert not kept.exists()

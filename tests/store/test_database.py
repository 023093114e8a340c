"""What the database file must hold, above all when things go wrong."""

from __future__ import annotations

import contextlib
import dataclasses
import json
import os
import re
import resource
import shutil
import sqlite3
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from kb import open_library
from kb.errors import BadDatabase, Conflict, ExitCode, KbError, ReadOnly
from kb.model.entry import Entry
from kb.service import opening
from kb.store.sqlite import driver, files, locking
from kb.store.sqlite.database import Database
from tests.behind import damaged, make_first, make_seventh, make_twelfth, raw
from tests.cli.process import run
from tests.conftest import PATIENCE

LINES = "\n".join(
    json.dumps({"id": str(n), "lang": "en", "title": f"Question {n}", "text": "gradient " * 50})
    for n in range(400)
)


def entry_count(path: Path) -> int:
    with open_library(path) as library:
        return library.list().total


@pytest.mark.long
def test_a_new_database_has_a_folder_the_bundled_content_and_nothing_beside_it(
    tmp_path: Path,
) -> None:
    assert entry_count(tmp_path / "a" / "b" / "kb.db") == 33
    assert [file.name for file in (tmp_path / "a" / "b").iterdir()] == ["kb.db"]


def test_an_empty_one_stays_empty(tmp_path: Path) -> None:
    open_library(tmp_path / "kb.db", bundled=False).close()
    assert entry_count(tmp_path / "kb.db") == 0


@pytest.mark.parametrize("what", ["a pipe", "a link to a device"])
@pytest.mark.parametrize(
    ("ending", "code"), [(".in-999999999-1", 0), ("-journal", 4), ("-wal", 4), ("-shm", 4)]
)
def test_what_lies_beside_a_database_and_is_no_file_is_not_read(
    bundled_path: Path, what: str, ending: str, code: int
) -> None:
    beside = Path(f"{bundled_path}{ending}")
    if what == "a pipe":
        os.mkfifo(beside)
    else:
        beside.symlink_to("/dev/zero")
    done = run("--db", str(bundled_path), "list", "--limit", "1", timeout=PATIENCE)
    assert done.returncode == code, done.stderr
    assert "this is not a file" in done.stderr or code == 0


def test_the_settings_of_every_connection_are_those_of_the_house(bundled_path: Path) -> None:
    connection = driver.connect(str(bundled_path))

    def pragma(name: str) -> object:
        return connection.execute(f"PRAGMA {name}").fetchone()[0]

    assert pragma("synchronous") == 2
    assert pragma("foreign_keys") == 1
    assert pragma("recursive_triggers") == 1
    assert pragma("trusted_schema") == 0
    assert pragma("journal_mode") == driver.journal_mode()
    connection.close()


def test_write_ahead_logging_is_used_only_where_it_is_safe(monkeypatch: pytest.MonkeyPatch) -> None:
    for version, mode in (("3.40.1", "truncate"), ("3.51.2", "truncate"), ("3.51.3", "wal")):
        monkeypatch.setattr(driver.sqlite3, "sqlite_version", version)
        assert driver.journal_mode() == mode


@pytest.mark.parametrize(
    ("name", "content", "words"),
    [
        ("foreign.txt", b"This is a shopping list. " * 20, "the database is damaged"),
        ("short.db", b"SQLite format 3\0", "the database is damaged"),
        ("byte.db", b"x", "this file is empty"),
    ],
)
def test_a_file_that_is_no_database_is_refused_and_kept(
    tmp_path: Path, name: str, content: bytes, words: str
) -> None:
    path = tmp_path / name
    path.write_bytes(content)
    with pytest.raises(BadDatabase, match=words):
        open_library(path)
    assert path.read_bytes() == content


def test_a_truncated_database_is_refused(bundled_path: Path) -> None:
    whole = bundled_path.read_bytes()
    bundled_path.write_bytes(whole[: len(whole) // 2])
    with pytest.raises(BadDatabase, match="the database is damaged"):
        open_library(bundled_path)


def test_a_damaged_database_is_one_clear_sentence(bundled_path: Path) -> None:
    raw = bytearray(bundled_path.read_bytes())
    raw[4096 : len(raw) - 4096] = b"\xa5" * (len(raw) - 8192)
    bundled_path.write_bytes(raw)
    with pytest.raises(BadDatabase), open_library(bundled_path) as library:
        library.search("gradient")


def test_another_programs_database_is_refused_and_kept(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    with sqlite3.connect(path) as other:
        other.execute("CREATE TABLE entry (id)")
    before = path.read_bytes()
    with pytest.raises(BadDatabase, match="another program"):
        open_library(path)
    assert path.read_bytes() == before


def test_a_newer_database_is_refused_and_kept(bundled_path: Path) -> None:
    with sqlite3.connect(bundled_path) as newer:
        newer.execute(f"PRAGMA user_version = {files.VERSION + 1}")
    with pytest.raises(BadDatabase, match="newer danesh"):
        open_library(bundled_path)


def test_a_folder_is_not_a_database(tmp_path: Path) -> None:
    with pytest.raises(BadDatabase, match="folder"):
        open_library(tmp_path)


def test_a_place_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("x")
    with pytest.raises(BadDatabase, match="cannot be created there"):
        open_library(tmp_path / "file" / "kb.db")


def test_a_name_with_a_nul_is_one_clear_sentence_and_no_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    with pytest.raises(BadDatabase, match="not a file name"):
        open_library("a\0b")
    assert list(tmp_path.iterdir()) == []


def test_a_read_only_database_is_searched_but_not_changed(
    bundled_path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    lines = tmp_path / "more.jsonl"
    lines.write_text(LINES)
    real = driver.connect
    monkeypatch.setattr(
        "kb.store.sqlite.driver.connect", lambda target, mode="write": real(target, "read")
    )
    with open_library(bundled_path) as library:
        assert library.search("intractable").total
        with pytest.raises(ReadOnly, match="read-only"):
            library.import_file(lines)
    assert ReadOnly.exit_code is ExitCode.BAD_DATA


def test_a_full_disk_changes_nothing(bundled_path: Path, tmp_path: Path) -> None:
    lines = tmp_path / "more.jsonl"
    lines.write_text(LINES)
    with open_library(bundled_path) as library:
        connection = raw(library)
        pages = connection.execute("PRAGMA page_count").fetchone()[0]
        connection.execute(f"PRAGMA max_page_count = {pages + 5}")
        with pytest.raises(BadDatabase, match="disk is full"):
            library.import_file(lines)
        assert library.list().total == 33
        connection.execute(f"PRAGMA max_page_count = {pages + 100_000}")
        assert library.import_file(lines).added == 400


def test_a_disk_that_is_full_from_the_start_leaves_no_half_made_file(tmp_path: Path) -> None:
    def fill_up() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (100_000, 100_000))

    done = subprocess.run(
        [sys.executable, "-m", "kb", "--db", str(tmp_path / "kb.db"), "init"],
        preexec_fn=fill_up,
        capture_output=True,
        text=True,
        check=False,
        env={**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])},
    )
    assert done.returncode == ExitCode.BAD_DATA, done.stderr
    assert "Traceback" not in done.stderr
    assert list(tmp_path.iterdir()) == []


@pytest.mark.long
def test_two_writers_at_once_lose_nothing(bundled_path: Path, tmp_path: Path) -> None:
    files = []
    for name in ("one", "two"):
        file = tmp_path / f"{name}.jsonl"
        file.write_text(LINES)
        files.append(file)
    failed: list[BaseException] = []

    def add(file: Path) -> None:
        try:
            with open_library(bundled_path) as library:
                library.import_file(file)
        except KbError as error:
            failed.append(error)

    threads = [threading.Thread(target=add, args=(file,)) for file in files]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed
    assert entry_count(bundled_path) == 33 + 800


def test_a_writer_that_waits_too_long_is_told_so(
    bundled_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(locking, "PATIENCE", 0)
    # The same library: locks of two SQLites in one process do not see each other.
    holder = driver.sqlite3.connect(str(bundled_path), isolation_level=None)
    holder.execute("BEGIN IMMEDIATE")
    with open_library(bundled_path) as library, pytest.raises(Conflict, match="another program"):
        library.rebuild()
    holder.execute("ROLLBACK")
    holder.close()


@pytest.mark.long
def test_two_programs_that_make_one_database_both_get_a_whole_one(tmp_path: Path) -> None:
    command = [sys.executable, "-m", "kb", "--db", str(tmp_path / "kb.db"), "list", "--json"]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[2])}
    both = [subprocess.Popen(command, stdout=subprocess.PIPE, env=environment) for _ in range(2)]
    for process in both:
        output, _ = process.communicate()
        assert json.loads(output)["total"] == 33


@pytest.mark.long
def test_the_index_is_what_the_stored_texts_give(bundled_path: Path) -> None:
    with open_library(bundled_path) as library:
        connection = raw(library)
        assert damaged(library) == []
        connection.execute("UPDATE document SET question = 'changed behind its back' WHERE id = 3")
        assert damaged(library) == [3]
        library.rebuild()
        assert damaged(library) == []


@pytest.mark.long
def test_a_database_of_the_first_version_is_brought_up_to_date(bundled_path: Path) -> None:
    make_first(bundled_path)
    with open_library(bundled_path) as library:
        assert library.search("intractable").total
        assert damaged(library) == []


def as_seventh(entry: Entry) -> Entry:
    """Return an entry without what the seventh format had no column for."""
    return dataclasses.replace(
        entry,
        short={},
        example={},
        mistakes={},
        further={},
        assessment=None,
        answers=tuple(
            each._replace(checked="", until="", evidence=(), status="", release=None)
            for each in entry.answers
        ),
        annotations=tuple(
            dataclasses.replace(
                each,
                anchors={},
                release=None,
                checked="",
                until="",
                evidence=tuple(dataclasses.replace(figure, basis="") for figure in each.evidence),
            )
            for each in entry.annotations
        ),
    )


@pytest.mark.long
def test_a_database_with_ids_in_all_its_rows_is_brought_up_to_date_with_all_it_knows(
    bundled_path: Path, tmp_path: Path
) -> None:
    mine = tmp_path / "پرسش‌ها.md"
    other = "\n## نرم چیست؟\n\nاندازه است.\n"
    before = f"## گرادیان چیست؟\n\nشیب است.\n{other}"
    after = f"## گرادیان چیست؟\n\nبردار شیب است.\n{other}"
    mine.write_text(before)
    with open_library(bundled_path) as library:
        taken, _ = library.import_file(mine).entries
        mine.write_text(after)
        library.import_file(mine)
        every = [as_seventh(library.show(hit.id)) for hit in library.list().hits]
    make_seventh(bundled_path)
    with open_library(bundled_path) as library:
        assert [as_seventh(library.show(hit.id)) for hit in library.list().hits] == every
        assert library.import_file(mine).unchanged == 2
        assert library.changes.undo().ids == (taken.id,)
        assert library.show(taken.id).answer("fa").text == "شیب است."
        assert library.import_file(mine).updated == 1
        library.rebuild()  # the index still has the layers that the older file had no place for
        assert damaged(library) == []
        assert all(check.well for check in library.doctor())
        assert raw(library).execute("PRAGMA foreign_key_check").fetchall() == []


@pytest.mark.long
def test_a_file_of_the_twelfth_format_keeps_its_entries_and_knows_their_titles_and_links(
    bundled_path: Path,
) -> None:
    with open_library(bundled_path) as library:
        every = [library.show(hit.id) for hit in library.list().hits]
    make_twelfth(bundled_path)
    with open_library(bundled_path) as library:
        assert [library.show(hit.id) for hit in library.list().hits] == every
        assert all(check.well for check in library.doctor())
        linked = {each.id: library.read.backlinks(each.id) for each in every}
        assert any(linked.values())
        for entry in every:
            assert all(entry.id in linked[name] for name in entry.related if name in linked)


def test_a_file_of_the_nineteenth_format_has_no_further_cards_until_a_file_brings_them(
    tmp_path: Path,
) -> None:
    card = {"id": "a", "kind": "card", "collection": "c", "question": {"en": "A"},
            "answers": [{"role": "source", "lang": "en", "text": "B"}]}  # fmt: skip
    file, base = tmp_path / "a.json", tmp_path / "kb.db"
    file.write_text(json.dumps({"schema_version": 1, "entries": [card]}), encoding="utf-8")
    with open_library(base, bundled=False) as library:
        library.import_file(file)
        before = library.show("a")
    with contextlib.closing(sqlite3.connect(base)) as old, old:
        old.execute("ALTER TABLE entry DROP COLUMN prompts")
        old.execute("DELETE FROM _sqlite_migrations WHERE name = 'prompts'")
        old.execute("PRAGMA user_version = 19")
    with open_library(base, bundled=False) as library:
        assert library.show("a") == before
        further = {**card, "prompts": [["", "Use"], []]}
        file.write_text(json.dumps({"schema_version": 1, "entries": [further]}), encoding="utf-8")
        assert library.import_file(file).updated == 1
        assert library.show("a").prompts == (("", "Use"), ())
        library.changes.undo()
        assert library.show("a") == before


def test_an_entry_without_the_fields_of_notes_has_the_digest_that_is_stored() -> None:
    entry = Entry("a", "note", "c", {"fa": "سلام"}, tags=("x",))
    assert entry.digest == "c42238fe9a0d459a8f9a6afb4cfc395a"
    for other in ({"aliases": ("درود",)}, {"prompts": (("",),)}):
        assert dataclasses.replace(entry, **other).digest != entry.digest


def make_older(path: Path) -> None:
    """Let a file look like one of the format before."""
    with contextlib.closing(sqlite3.connect(path)) as old:
        version = old.execute("PRAGMA user_version").fetchone()[0]
        old.execute(f"PRAGMA user_version = {version - 1}")


def test_before_a_file_is_brought_up_to_date_a_copy_of_it_is_put_beside_it_and_named(
    bundled_path: Path, tmp_path: Path
) -> None:
    mine = tmp_path / "mine.md"
    mine.write_text("What is mine?\nThis is mine.\n")
    with open_library(bundled_path) as library:
        library.import_file(mine)
        before = [library.show(hit.id) for hit in library.list().hits]
    make_older(bundled_path)
    with open_library(bundled_path) as library:
        assert [library.show(hit.id) for hit in library.list().hits] == before
        (copy,) = bundled_path.parent.glob("kb.db.before-format-*")
        assert str(copy) in " ".join(library.notices)
    with contextlib.closing(sqlite3.connect(copy)) as old:
        assert old.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert old.execute("SELECT count(*) FROM entry").fetchone()[0] == len(before)
    with open_library(bundled_path) as library:
        assert library.notices == ()


def test_of_the_copies_beside_a_file_the_last_two_are_kept(bundled_path: Path) -> None:
    seen: set[str] = set()
    for _ in range(4):
        make_older(bundled_path)
        open_library(bundled_path).close()
        kept = {file.name for file in bundled_path.parent.glob("kb.db.before-format-*")}
        assert len(kept) == min(2, len(seen | kept))
        seen |= kept


def test_where_no_copy_can_be_made_the_file_stays_as_it_was(
    bundled_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_older(bundled_path)

    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("kb.store.sqlite.copies.fill_from", full)
    with pytest.raises(KbError, match="No space left"):
        open_library(bundled_path)
    with contextlib.closing(sqlite3.connect(bundled_path)) as old:
        assert old.execute("PRAGMA user_version").fetchone()[0] == files.VERSION - 1
        assert old.execute("PRAGMA integrity_check").fetchone() == ("ok",)
    assert not list(bundled_path.parent.glob("kb.db.*before*"))


@pytest.mark.long
def test_an_index_made_by_another_analyzer_is_made_anew(bundled_path: Path) -> None:
    with sqlite3.connect(bundled_path) as old:
        old.execute("UPDATE meta SET value = 'older' WHERE key = ?", ("analyzer",))
        old.execute("DELETE FROM index_posting")
    with open_library(bundled_path) as library:
        assert library.search("intractable").total


@pytest.mark.long
def test_a_changed_content_renews_ours_and_leaves_the_readers(
    bundled_path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    notes = tmp_path / "mine.md"
    notes.write_text("What is mine?\nThis is mine.\n")
    with open_library(bundled_path) as library:
        mine = library.import_file(notes).entries[0].id
        before = library.show(mine)
    data = tmp_path / "data"
    shutil.copytree(Path(__file__).parents[2] / "data", data)
    entry = data / "systems-for-ml" / "06-preprocessing-bottleneck.toml"
    entry.write_text(entry.read_text().replace('tags = ["systems"', 'tags = ["zymurgy", "systems"'))
    (data / "complexity-and-numerics" / "00-introduction.toml").unlink()
    monkeypatch.setattr("kb.content.bundled.bundled_folder", lambda: data)
    with open_library(bundled_path) as library:
        assert [hit.id for hit in library.search("zymurgy").hits] == ["preprocessing-bottleneck"]
        assert library.list().total == 33
        assert library.show(mine) == before
        assert damaged(library) == []


def test_a_journal_beside_the_file_may_hold_what_the_file_lacks(bundled_path: Path) -> None:
    whole = bundled_path.read_bytes()
    bundled_path.write_bytes(whole[:-4096])
    Path(f"{bundled_path}-wal").write_bytes(b"")
    with pytest.raises(BadDatabase) as caught, open_library(bundled_path) as library:
        library.rebuild()
    assert isinstance(caught.value.__cause__, driver.sqlite3.Error)  # SQLite itself has looked


def test_a_pipe_is_not_a_database(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(BadDatabase, match="not a file"):
        open_library(tmp_path / "pipe")


@pytest.mark.long
def test_new_content_leaves_out_what_the_reader_has_a_name_for(
    bundled_path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    own = tmp_path / "own.jsonl"
    own.write_text(
        json.dumps(
            {
                "id": "my-entry",
                "kind": "card",
                "collection": "own",
                "question": {"en": "Mine?"},
                "snippets": [{"id": "future", "title": {}, "code": "print(1)", "main": True}],
            }
        )
    )
    data = tmp_path / "data"
    shutil.copytree(Path(__file__).parents[2] / "data", data)
    with open_library(bundled_path) as library:
        library.import_file(own)
    (data / "snippets" / "future.py").write_text('"""A title."""\nprint("x: 1")\n')
    entry = data / "systems-for-ml" / "06-preprocessing-bottleneck.toml"
    entry.write_text(re.sub("snippets = .*", 'snippets = ["future"]', entry.read_text(), count=1))
    monkeypatch.setattr("kb.content.bundled.bundled_folder", lambda: data)
    with open_library(bundled_path) as library:
        assert library.snippet("future").code == "print(1)"
        assert library.show("my-entry").question == {"en": "Mine?"}
        names = [snippet.id for snippet in library.show("preprocessing-bottleneck").snippets]
        assert "future" not in names
        assert damaged(library) == []


def test_each_thread_has_a_connection_of_its_own(bundled_path: Path) -> None:
    database = Database.open(str(bundled_path), lambda new: None, lambda new: None)
    seen = {id(database.connection)}
    thread = threading.Thread(target=lambda: seen.add(id(database.connection)))
    thread.start()
    thread.join()
    assert len(seen) == 2
    database.close()


@pytest.mark.long
def test_what_ends_between_new_tables_and_a_new_index_is_made_up_for(
    bundled_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    make_first(bundled_path)

    def stopped(*_: object) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patch:
        patch.setattr(opening, "refresh", stopped)
        patch.setattr(opening, "Base", stopped)
        with pytest.raises(KeyboardInterrupt):
            open_library(bundled_path)
    with open_library(bundled_path) as library:
        assert damaged(library) == []
        assert library.search("intractable").total
        assert library.search("گرادیان").total


def test_an_older_file_whose_tables_cannot_be_changed_is_named_and_no_mistake_of_ours(
    bundled_path: Path,
) -> None:
    with contextlib.closing(sqlite3.connect(bundled_path)) as old, old:
        old.execute("DELETE FROM _sqlite_migrations WHERE name = 'wording'")
        old.execute("PRAGMA user_version = 1")
    with pytest.raises(BadDatabase, match=re.escape(f"{bundled_path}: ")):
        open_library(bundled_path)


@pytest.mark.parametrize("made_without", [False, True])
def test_room_of_what_was_removed_is_given_back_where_the_file_can(
    tmp_path: Path, made_without: bool
) -> None:
    path = tmp_path / "kb.db"
    open_library(path, bundled=False).close()
    if made_without:
        with contextlib.closing(sqlite3.connect(path)) as old:
            old.execute("PRAGMA auto_vacuum=NONE")
            old.execute("VACUUM")
    with open_library(path, bundled=False) as library:
        raw(library).execute("CREATE TABLE large AS SELECT zeroblob(10000000) AS bytes")
        raw(library).execute("DROP TABLE large")
        library._base.tidy(lambda done, total: None)
        free, pages = (
            raw(library).execute(f"PRAGMA {name}_count").fetchone()[0]
            for name in ("freelist", "page")
        )
        assert (free > 0.05 * pages) == made_without
        library.changes.compact()
        assert raw(library).execute("PRAGMA auto_vacuum").fetchone()[0] == 2
        assert raw(library).execute("PRAGMA freelist_count").fetchone()[0] == 0

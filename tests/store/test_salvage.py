"""What can still be read of a damaged database is saved, and what was lost is told."""

from __future__ import annotations

import contextlib
import json
import random
import shutil
import sqlite3
from collections import Counter
from pathlib import Path

import pytest

from kb import open_library
from kb.errors import BadDatabase, Conflict, ExitCode, NotFound
from kb.records import Salvaged
from kb.records.draft import Draft
from kb.service.opening import salvage
from tests.behind import damaged
from tests.cli.process import run

PAGE = 4096
TABLES = (
    "source", "collection", "entry", "document", "snippet", "entry_snippet", "annotation",
    "evidence", "review", "media",
)  # fmt: skip
DERIVED = ("index_posting", "index_gone", "idx_document_entry_lang", "sqlite_autoindex_entry_1")
Rows = dict[str, Counter[tuple[object, ...]]]


@pytest.fixture(scope="session")
def _small_file(_bundled_file: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a database with the bundled entries and few words of the glossary."""
    path = Path(shutil.copy(_bundled_file, tmp_path_factory.mktemp("small") / "kb.db"))
    with contextlib.closing(sqlite3.connect(path)) as base:
        base.execute("PRAGMA journal_mode=DELETE")
        base.execute("DELETE FROM name WHERE id > 300")
        base.commit()
        base.execute("VACUUM")
    return path


@pytest.fixture
def path(_small_file: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(_small_file, tmp_path / "kb.db"))


def spoil(path: Path, *pages: int, seed: int = 1) -> None:
    """Put random bytes over pages."""
    chance = random.Random(seed)
    with path.open("r+b") as file:
        for page in pages:
            file.seek((page - 1) * PAGE)
            file.write(chance.randbytes(PAGE))


def root(path: Path, name: str) -> int:
    with contextlib.closing(sqlite3.connect(path)) as base:
        sql = "SELECT rootpage FROM sqlite_master WHERE name = ?"
        return int(base.execute(sql, (name,)).fetchone()[0])


def rows(path: Path) -> Rows:
    with contextlib.closing(sqlite3.connect(path)) as base:
        return {table: Counter(base.execute(f"SELECT * FROM {table}")) for table in TABLES}


def ids(path: Path) -> set[str]:
    with contextlib.closing(sqlite3.connect(path)) as base:
        return {row[0] for row in base.execute("SELECT id FROM entry")}


def saved(path: Path) -> tuple[Salvaged, Path]:
    """Salvage a file; what comes of it is sound."""
    new = path.with_name("new.db")
    made = salvage(path, new)
    with contextlib.closing(sqlite3.connect(new)) as base:
        assert base.execute("PRAGMA integrity_check").fetchall() == [("ok",)]
        assert base.execute("PRAGMA foreign_key_check").fetchall() == []
    return made, new


@pytest.mark.parametrize("seed", range(10))
def test_what_is_not_saved_of_six_random_pages_is_told(path: Path, seed: int) -> None:
    whole, named = rows(path), ids(path)
    chance = random.Random(seed)
    spoil(path, *chance.sample(range(1, path.stat().st_size // PAGE + 1), 6), seed=seed)
    made, new = saved(path)
    found = rows(new)
    marked = {(*row[:11], b"", *row[12:]) for row in whole["entry"]}  # those that miss something
    found["entry"] = Counter(row for row in found["entry"] if row not in marked)
    for table in TABLES:
        missing = (whole[table] - found[table]).total()
        told = made.lost.get(table, 0) + (len(made.partly) if table == "entry" else 0)
        assert missing <= told or not made.complete, table
    assert named <= ids(new)


def test_a_whole_file_is_saved_whole(path: Path) -> None:
    whole = rows(path)
    made, new = saved(path)
    assert made.complete and not made.partly and not made.lost
    assert rows(new) == whole


def test_damage_to_the_first_page_and_the_schema_loses_no_row(path: Path) -> None:
    whole = rows(path)
    spoil(path, 1)
    made, new = saved(path)
    assert rows(new) == whole
    assert made.lost == {}


def test_an_entry_whose_row_is_lost_has_its_id_and_collection_from_the_indexes(path: Path) -> None:
    with contextlib.closing(sqlite3.connect(path)) as base:
        place = dict(base.execute("SELECT id, collection FROM entry"))
    spoil(path, *leaves(path, b"", 15))
    made, new = saved(path)
    with contextlib.closing(sqlite3.connect(new)) as base:
        assert dict(base.execute("SELECT id, collection FROM entry")) == place
    assert made.partly == tuple(sorted(place)) and made.lost == {"entry": 33}


def leaves(path: Path, word: bytes, columns: int) -> list[int]:
    """Return the pages of the table whose rows have so many columns."""
    from kb.store.sqlite.pages import Pages

    pages = Pages(str(path))
    found = []
    for page in range(1, pages.count + 1):
        with contextlib.suppress(Exception):
            records = [*pages._records(page)] if pages._kind(page) == 13 else []
            if records and len(records[0].values) == columns and word in pages._page(page):
                found.append(page)
    return found


def test_what_a_reader_wrote_is_saved_also_from_the_log_beside_the_file(path: Path) -> None:
    copied = path.with_name("killed.db")
    with open_library(path) as library:
        mine = library.edit.new(Draft({"fa": "از خودم"}, {"source": {"fa": "پاسخ"}}, tags=("من",)))
        for end in ("", "-wal"):
            shutil.copy(f"{path}{end}", f"{copied}{end}")
    assert Path(f"{copied}-wal").stat().st_size
    _, new = saved(copied)
    with open_library(new, bundled=False) as library:
        found = library.show(mine.ids[0])
        assert (found.question, found.tags) == ({"fa": "از خودم"}, ("من",))
        assert damaged(library) == []


def test_what_is_lost_of_the_bundled_content_comes_back_when_the_new_file_is_opened(
    path: Path,
) -> None:
    whole = rows(path)
    spoil(path, *leaves(path, b"", 16)[:8])
    made, new = saved(path)
    assert made.lost["document"] and made.partly
    with open_library(new) as library:
        assert not [each for each in library.doctor() if not each.well and each.name == "index"]
    assert {row[2:] for row in rows(new)["document"]} == {row[2:] for row in whole["document"]}


def test_what_was_undone_is_not_saved(path: Path, tmp_path: Path) -> None:
    (tmp_path / "notes.jsonl").write_text('{"id": "a", "title": "What?", "text": "This."}\n')
    with open_library(path) as library:
        library.import_file(tmp_path / "notes.jsonl")
        library.changes.undo()
        before = library.list().total
    made, new = saved(path)
    assert made.saved["entry"] == before == len(ids(new))


@pytest.mark.parametrize("end", ["", "-wal", "-shm", "-journal"])
def test_nothing_is_saved_over_the_database_or_what_sqlite_keeps_beside_it(
    path: Path, end: str
) -> None:
    before = path.read_bytes()
    with pytest.raises(Conflict, match="database"):
        salvage(path, f"{path}{end}")
    assert path.read_bytes() == before and [*path.parent.iterdir()] == [path]


def test_where_nothing_can_be_read_there_is_no_new_file(tmp_path: Path) -> None:
    bad = tmp_path / "kb.db"
    bad.write_bytes(random.Random(3).randbytes(40 * PAGE))
    with pytest.raises(BadDatabase, match="nothing could be read"):
        salvage(bad, tmp_path / "new.db")
    with pytest.raises(NotFound):
        salvage(tmp_path / "absent.db", tmp_path / "new.db")
    assert [*tmp_path.iterdir()] == [bad]


@pytest.mark.parametrize("size", [50, 5_000, 100_000, 1_000_003])
def test_a_file_that_was_cut_gives_what_is_left(path: Path, size: int) -> None:
    whole = rows(path)
    path.write_bytes(path.read_bytes()[:size])
    if size < 100_000:
        with pytest.raises(BadDatabase):
            salvage(path, path.with_name("new.db"))
        return
    made, new = saved(path)
    assert not made.complete
    assert rows(new)["source"] <= whole["source"]


@pytest.mark.parametrize("name", DERIVED)
def test_a_damaged_index_is_made_anew_and_nothing_stored_changes(path: Path, name: str) -> None:
    whole = rows(path)
    spoil(path, root(path, name))
    with open_library(path) as library:
        if name != "index_gone":
            assert library.rebuild() == 66
        else:
            assert "made anew" in library.repair()[0]
        assert damaged(library) == []
        assert library.search("gradient").total
        assert {each.name: each.well for each in library.doctor()}["database"]
    assert rows(path) == whole
    assert [*path.parent.glob("kb.db.before-restore-*")]


def test_rebuild_and_repair_leave_damaged_texts_alone_and_advise_to_salvage(path: Path) -> None:
    spoil(path, *leaves(path, b"", 16)[:3])
    with open_library(path) as library:
        for mend in (library.rebuild, library.repair):
            with pytest.raises(BadDatabase, match="damaged") as caught:
                mend()
            assert "kb doctor --salvage NEW" in caught.value.hint
    assert not [*path.parent.glob("kb.db.*")]


def test_the_command_tells_what_was_saved_and_what_was_lost(path: Path) -> None:
    new = path.with_name("new.db")
    spoil(path, *leaves(path, b"", 16)[:3])
    done = run("--db", str(path), "doctor", "--salvage", str(new), "--json")
    told = json.loads(done.stdout)
    assert done.returncode == ExitCode.FINDINGS and told["complete"] is False
    assert told["saved"]["entry"] == 33 and told["lost"]["document"] and told["partly"]
    again = run("--db", str(path), "doctor", "--salvage", str(new))
    assert again.returncode == ExitCode.CONFLICT


@pytest.mark.parametrize("language", ["en", "fa"])
def test_every_command_on_a_damaged_file_advises_to_salvage(path: Path, language: str) -> None:
    spoil(path, *range(1, path.stat().st_size // PAGE + 1))
    for arguments in (("search", "x"), ("list",), ("show", "x"), ("export", "-f", "json")):
        done = run("--db", str(path), "--language", language, *arguments)
        assert done.returncode == ExitCode.BAD_DATA
        assert "kb doctor --salvage" in done.stderr and len(done.stderr.splitlines()) == 2

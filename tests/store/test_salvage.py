"""What can still be read of a damaged database is saved, and what was lost is told."""

from __future__ import annotations

import contextlib
import json
import random
import shutil
import sqlite3
from collections.abc import Callable
from pathlib import Path

import pytest

from kb import Library, open_library
from kb.cli.main import run as run_here
from kb.errors import BadDatabase, Conflict, ExitCode, NotFound
from kb.model.draft import Draft
from kb.model.reports import Salvaged
from kb.service.opening import salvage
from kb.store.sqlite import copies
from kb.store.sqlite.driver import SQLITE_ERRORS, connect
from kb.store.sqlite.salvage import _tables as tables_of
from tests.behind import damaged
from tests.cli.process import run
from tests.databases import new_library
from tests.robustness.damage import (
    PAGE,
    Draw,
    change,
    damage,
    draws,
    measured,
    pages_of,
    rows_of,
    trim_glossary,
    write_own,
)  # fmt: skip

DERIVED = (
    "index_posting", "index_gone", "index_skeleton", "index_documents", "index_segment",
    "index_revision", "sqlite_autoindex_index_gone_1", "sqlite_sequence", "_sqlite_migrations",
    "idx_document_entry_lang", "idx_name_lang_stems", "sqlite_autoindex_entry_1",
    "sqlite_autoindex_path_1", "document_fts_data", "document_fts_idx", "document_fts_docsize",
)  # fmt: skip
LONG = "notes/long"


@pytest.fixture(scope="session")
def _own_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Make a database with entries of a reader's own, one of them long, and few words."""
    folder = tmp_path_factory.mktemp("own")
    path = folder / "kb.db"
    new_library(path).close()
    trim_glossary(path)
    with open_library(path) as library:
        write_own(library, folder)
        change(library)
        library.edit.new(Draft({"en": "Long"}, {"source": {"en": "gradients " * 4000}}))
    return path


@pytest.fixture
def path(_own_file: Path, tmp_path: Path) -> Path:
    return Path(shutil.copy(_own_file, tmp_path / "kb.db"))


def spoil(path: Path, *pages: int) -> None:
    """Put random bytes over pages."""
    damage(path, Draw(1, pages))


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


def test_what_was_on_other_pages_is_saved_and_every_entry_has_its_id(path: Path) -> None:
    whole, named = measured(path), ids(path)
    for draw in draws(3, 1, [whole, whole]):
        damaged_file = Path(shutil.copy(path, path.with_name(f"{draw.seed}.db")))
        damage(damaged_file, draw)
        made, new = saved(damaged_file)
        found = rows_of(new)
        assert whole.left(draw) <= found
        assert named <= ids(new)
        assert not (made.complete and whole.rows.keys() - found)
        new.unlink()


def test_what_is_lost_is_counted_and_its_entries_are_named(path: Path) -> None:
    whole = measured(path)
    spoil(path, pages_of(path, "document", "leaf")[0])
    made, new = saved(path)
    lost = {row for row in whole.rows if row[0] == "document"} - rows_of(new)
    with contextlib.closing(sqlite3.connect(new)) as base:
        keys = dict(base.execute("SELECT key, id FROM entry"))
    assert made.lost == {"document": len(lost)} and not made.complete
    assert set(made.partly) == {keys[row[1][1]] for row in lost}


def test_a_whole_file_is_saved_whole(path: Path) -> None:
    whole = rows_of(path)
    made, new = saved(path)
    assert made.complete and not made.partly and not made.lost
    assert rows_of(new) == whole


def test_damage_to_the_first_page_and_the_schema_loses_no_row(path: Path) -> None:
    whole = rows_of(path)
    spoil(path, 1)
    made, new = saved(path)
    assert rows_of(new) == whole
    assert made.lost == {}


def test_an_entry_whose_row_is_lost_has_its_id_and_collection_from_the_indexes(path: Path) -> None:
    with contextlib.closing(sqlite3.connect(path)) as base:
        place = dict(base.execute("SELECT id, collection FROM entry"))
    spoil(path, *pages_of(path, "entry", "leaf"))
    made, new = saved(path)
    with contextlib.closing(sqlite3.connect(new)) as base:
        assert dict(base.execute("SELECT id, collection FROM entry")) == place
    assert made.partly == tuple(sorted(place)) and made.lost == {"entry": len(place)}


def test_a_page_of_a_long_text_loses_what_follows_and_names_the_entry(path: Path) -> None:
    whole = measured(path)
    spoil(path, pages_of(path, "document", "overflow")[-4])
    made, new = saved(path)
    assert (made.partly, made.lost, made.complete) == ((LONG,), {"document": 1}, False)
    assert len(whole.rows.keys() - rows_of(new)) == 1
    with open_library(new) as library:
        left = library.show(LONG).answers[0].text
    assert ("gradients " * 4000).startswith(left) and len(left) > 10 * PAGE // 2


def test_what_a_reader_wrote_is_saved_also_from_the_log_beside_the_file(path: Path) -> None:
    copied = path.with_name("killed.db")
    with open_library(path) as library:
        mine = library.edit.new(Draft({"fa": "از خودم"}, {"source": {"fa": "پاسخ"}}, tags=("من",)))
        for end in ("", "-wal"):
            shutil.copy(f"{path}{end}", f"{copied}{end}")
    assert Path(f"{copied}-wal").stat().st_size
    made, new = saved(copied)
    assert made.complete
    with open_library(new, bundled=False) as library:
        found = library.show(mine.ids[0])
        assert (found.question, found.tags) == ({"fa": "از خودم"}, ("من",))
        assert damaged(library) == []


def test_a_log_is_read_up_to_its_first_foreign_frame_as_sqlite_does(path: Path) -> None:
    killed, read = path.with_name("killed.db"), path.with_name("read.db")
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as base:
        base.execute("PRAGMA journal_mode=WAL")
        base.execute("UPDATE document SET notes = 'first'")
        ends = Path(f"{path}-wal").stat().st_size
        base.execute("UPDATE document SET notes = 'second'")
        for end in ("", "-wal"):
            shutil.copy(f"{path}{end}", f"{killed}{end}")
    with Path(f"{killed}-wal").open("r+b") as log:
        log.seek(ends + 8)
        log.write(b"salt")
    for end in ("", "-wal"):
        shutil.copy(f"{killed}{end}", f"{read}{end}")
    _, new = saved(killed)
    assert rows_of(new) == rows_of(read)


def test_a_journal_that_a_killed_process_left_is_read(path: Path) -> None:
    killed = path.with_name("killed.db")
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as base:
        base.execute("PRAGMA journal_mode=DELETE")
        whole = rows_of(path)
        base.execute("PRAGMA cache_size=5")  # so that much is written before the end
        base.execute("BEGIN")
        base.execute("UPDATE document SET question = 'never', source = question || source")
        base.execute("DELETE FROM annotation")
        for end in ("", "-journal"):
            shutil.copy(f"{path}{end}", f"{killed}{end}")
    spoil(killed, 1)
    _, new = saved(killed)
    assert rows_of(new) == whole


def test_a_wrong_size_of_pages_in_the_header_hides_nothing(path: Path) -> None:
    whole = rows_of(path)
    with path.open("r+b") as file:
        file.seek(16)
        file.write((PAGE // 4).to_bytes(2, "big"))
    _, new = saved(path)
    assert rows_of(new) == whole


@pytest.mark.long
def test_what_is_lost_of_the_bundled_content_comes_back_when_the_new_file_is_opened(
    bundled_path: Path,
) -> None:
    whole = rows_of(bundled_path)
    spoil(bundled_path, *pages_of(bundled_path, "document", "leaf")[:4])
    made, new = saved(bundled_path)
    assert made.lost["document"] and made.partly
    with open_library(new) as library:
        assert damaged(library) == []
    texts = {row[1][2:] for row in whole if row[0] == "document"}
    assert texts == {row[1][2:] for row in rows_of(new) if row[0] == "document"}


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


@pytest.mark.parametrize("size", [50, 5_000])
def test_of_a_file_that_was_cut_at_its_beginning_nothing_is_left(path: Path, size: int) -> None:
    path.write_bytes(path.read_bytes()[:size])
    with pytest.raises(BadDatabase, match="nothing could be read"):
        salvage(path, path.with_name("new.db"))


def test_a_file_that_was_cut_within_a_page_gives_the_pages_before(path: Path) -> None:
    whole, size = measured(path), path.stat().st_size // 2 - 1000
    path.write_bytes(path.read_bytes()[:size])
    made, new = saved(path)
    assert not made.complete
    cut = tuple(range(size // PAGE + 1, whole.pages + 1))
    assert whole.left(Draw(0, cut)) <= rows_of(new)


@pytest.mark.long
@pytest.mark.parametrize("mend", ["rebuild", "repair"])
@pytest.mark.parametrize("name", DERIVED)
def test_a_damaged_index_is_made_anew_and_nothing_stored_changes(
    path: Path, name: str, mend: str
) -> None:
    whole = rows_of(path)
    some = pages_of(path, name)
    spoil(path, some[len(some) // 2])
    before = path.read_bytes()
    with open_library(path) as library:
        getattr(library, mend)()
        assert damaged(library) == []
        assert library.search("gradients").total
        assert {each.name: each.well for each in library.doctor()}["database"]
    assert rows_of(path) == whole
    (kept,) = path.parent.glob("kb.db.*")
    assert kept.read_bytes()[PAGE:] == before[PAGE:]


@pytest.mark.parametrize("name", ["document", "change"])
def test_rebuild_and_repair_leave_what_was_stored_alone_and_advise_to_salvage(
    path: Path, name: str
) -> None:
    spoil(path, pages_of(path, name, "leaf")[0])
    with open_library(path) as library:
        for mend in (library.rebuild, library.repair):
            with pytest.raises(BadDatabase, match="damaged") as caught:
                mend()
            assert "kb doctor --salvage NEW" in caught.value.hint
    assert not [*path.parent.glob("kb.db.*")]


def test_nobody_writes_while_a_damaged_file_is_made_anew(
    path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    spoil(path, *pages_of(path, "index_posting")[-1:])
    tried, placed = [], copies.place_over

    def place_over(draft: str, over: str) -> None:
        with contextlib.closing(connect(over)) as other:
            other.execute("PRAGMA busy_timeout=0")
            with pytest.raises(SQLITE_ERRORS, match="locked"):
                other.execute("UPDATE entry SET level = 'H'")
        tried.append(over)
        placed(draft, over)

    monkeypatch.setattr(copies, "place_over", place_over)
    with open_library(path) as library:
        library.repair()
    assert tried == [str(path)]


def test_a_file_that_another_has_open_is_not_made_anew(path: Path) -> None:
    spoil(path, *pages_of(path, "index_posting")[-1:])
    with open_library(path) as library, contextlib.closing(connect(str(path))) as other:
        library.list()
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(Conflict, match="another program has this database open"):
            library.repair()
        other.execute("ROLLBACK")
        assert library.list().total


@pytest.mark.long
def test_the_command_tells_what_was_saved_and_what_was_lost(path: Path) -> None:
    new = path.with_name("new.db")
    done = run("--db", str(path), "doctor", "--salvage", str(new))
    assert (done.returncode, done.stderr) == (0, "kb: The change log was not saved.\n")
    assert "entries saved" in done.stdout and "Nothing was lost." in done.stdout
    again = run("--db", str(path), "doctor", "--salvage", str(new))
    assert again.returncode == ExitCode.CONFLICT
    new.unlink()
    spoil(path, *pages_of(path, "document", "leaf")[:3])
    done = run("--db", str(path), "doctor", "--salvage", str(new), "--json")
    told = json.loads(done.stdout)
    assert done.returncode == ExitCode.FINDINGS and told["complete"] is False
    assert told["saved"]["entry"] and told["lost"]["document"] and told["partly"]


@pytest.mark.long
@pytest.mark.parametrize("language", ["en", "fa"])
def test_a_command_on_a_damaged_file_advises_to_salvage(path: Path, language: str) -> None:
    spoil(path, *range(1, path.stat().st_size // PAGE + 1))
    done = run("--db", str(path), "--language", language, "search", "x")
    assert done.returncode == ExitCode.BAD_DATA
    assert "kb doctor --salvage" in done.stderr and len(done.stderr.splitlines()) == 2
    done = run("--db", str(path), "--language", language, "doctor", "--salvage", f"{path}.new")
    assert done.returncode == ExitCode.BAD_DATA
    assert "kb restore" in done.stderr and len(done.stderr.splitlines()) == 2


def cut_in_half(path: Path) -> None:
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2 + 100])


def write_text(path: Path) -> None:
    path.write_text("This is a text.\n" * 3000, encoding="utf-8")


@pytest.mark.long
@pytest.mark.parametrize(
    "harm",
    [
        lambda path: spoil(path, 1),
        lambda path: spoil(path, pages_of(path, "entry", "leaf")[0]),
        lambda path: spoil(path, pages_of(path, "document", "leaf")[0]),
        lambda path: spoil(path, pages_of(path, "path", "leaf")[0]),
        lambda path: spoil(path, pages_of(path, "idx_document_entry_lang")[0]),
        cut_in_half,
        write_text,
    ],
    ids=["first page", "entry", "document", "path", "index", "cut", "text"],
)
def test_every_command_on_a_damaged_file_answers_or_names_the_way_out(
    path: Path, harm: Callable[[Path], None], capsys: pytest.CaptureFixture[str]
) -> None:
    harm(path)
    for arguments in (
        ("search", "gradients"), ("show", LONG), ("list",), ("export", "-f", "json"),
        ("doctor", "--repair"), ("rebuild",),
    ):  # fmt: skip
        code = run_here(["--db", str(path), *arguments])
        said = capsys.readouterr().err
        assert code in (ExitCode.DONE, ExitCode.BAD_DATA), (arguments, said)
        assert code == ExitCode.DONE or "kb doctor --salvage NEW" in said
        assert "Traceback" not in said


@pytest.mark.parametrize("name", ["study_log", "study_card", "study_scheduler"])
def test_a_row_of_the_log_of_studying_looks_like_one_of_no_other_table(
    name: str, empty: Library
) -> None:
    tables = tables_of(empty._base.store.connection)
    ours = next(each for each in tables if each.name == name)
    kinds = "".join(column.kinds[0] for column in ours.columns)
    assert [each.name for each in tables if each.fits(kinds)] == [name]


@pytest.mark.long
def test_what_was_studied_is_salvaged(bundled_path: Path) -> None:
    with open_library(bundled_path) as library:
        for key in ("matrix-chain-three", "batch-norm-epsilon"):
            library.study.grade(key, "recall", 3)
        before = [*library._base.store.studies.rows()]
    new = bundled_path.with_name("salvaged.db")
    found = salvage(bundled_path, new)
    assert found.saved["study_log"] == 2 and found.saved["study_card"] > 2
    with open_library(new) as library:
        assert [*library._base.store.studies.rows()] == before
        assert library.study.due().done == 2

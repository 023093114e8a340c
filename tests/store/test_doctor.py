"""What ``kb doctor`` finds, and what it mends."""

from __future__ import annotations

import contextlib
import sqlite3
from pathlib import Path

import pytest

from kb import Library, open_library
from kb.errors import BadDatabase, ExitCode
from kb.model.draft import Draft
from tests.behind import damaged, raw
from tests.cli.process import run


def unwell(library: Library) -> dict[str, str]:
    return {check.name: check.found for check in library.doctor() if not check.well}


@pytest.mark.long
def test_rows_without_their_others_are_found_and_mended_and_no_entry_is_lost(
    bundled_path: Path,
) -> None:
    with open_library(bundled_path) as library:
        library.edit.new(Draft({"fa": "از خودم"}, {"source": {"fa": "پاسخ"}}, collection="خودم"))
    with contextlib.closing(sqlite3.connect(bundled_path)) as broken:
        broken.execute("PRAGMA foreign_keys=OFF")
        broken.execute("DELETE FROM collection WHERE id = 'خودم'")
        broken.execute(
            "INSERT INTO evidence (annotation, position, snippet, figure, expected, tolerance) "
            "VALUES ('nobody', 0, 'x', 'y', 1, 0)"
        )
        broken.commit()
    with open_library(bundled_path) as library:
        assert unwell(library)["references"].endswith("1 of entry, 1 of evidence")
        done = library.repair()
        assert "before-repair" in done[0]
        assert "references" not in unwell(library)
        assert library.list().total == 34
        assert damaged(library) == []


@pytest.mark.long
def test_an_index_that_drifted_is_mended_from_the_stored_texts(bundled_path: Path) -> None:
    with open_library(bundled_path) as library:
        raw(library).execute("UPDATE document SET question = 'behind its back' WHERE id = 3")
        assert "index" in unwell(library)
        library.repair()
        assert damaged(library) == []


@pytest.mark.long
def test_a_damaged_file_is_left_as_it_is_and_a_copy_is_named(bundled_path: Path) -> None:
    with open_library(bundled_path) as library:
        copy = library.backups.make().path
    whole = bundled_path.read_bytes()
    spoilt = whole[: 300 * 4096] + b"\xa5" * (8 * 4096) + whole[308 * 4096 :]
    bundled_path.write_bytes(spoilt)
    with open_library(bundled_path) as library:
        assert "database" in unwell(library)
        with pytest.raises(BadDatabase) as caught:
            library.repair()
    assert copy in caught.value.hint
    assert bundled_path.read_bytes() == spoilt


def test_doctor_speaks_of_a_file_that_cannot_be_opened(bundled_path: Path) -> None:
    bundled_path.write_bytes(bundled_path.read_bytes()[:50_000])
    done = run("--db", str(bundled_path), "doctor")
    assert done.returncode == ExitCode.FINDINGS
    assert "✗ database" in done.stdout and "the database is damaged" in done.stdout


@pytest.mark.long
def test_doctor_tells_of_copies_and_rights(bundled_path: Path) -> None:
    bundled_path.chmod(0o644)
    with open_library(bundled_path) as library:
        copy = library.backups.make().path
        told = {check.name: check for check in library.doctor()}
    assert copy in told["copies"].found
    assert "others can read" in told["rights"].found and "chmod 600" in told["rights"].remedy

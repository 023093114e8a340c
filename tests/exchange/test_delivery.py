"""What an export leaves where it goes: the whole file, and nothing of exports that were killed."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from kb import open_library
from kb.disk.leftovers import scratch_of, sweep


@pytest.fixture
def gone() -> int:
    process = subprocess.Popen([sys.executable, "-c", ""])
    process.wait()
    return process.pid


def test_folders_of_exports_that_were_killed_are_swept_by_the_next_one(
    tmp_path: Path, gone: int
) -> None:
    for name in (f".danesh-{gone}-ab12cd", f".danesh-{os.getpid()}-ab12cd", ".danesh-mine"):
        (tmp_path / name).mkdir()
        (tmp_path / name / "new").write_text("half")
    with open_library(":memory:", bundled=False) as library:
        library.export("json", tmp_path / "out.json")
    found = sorted(file.name for file in tmp_path.iterdir())
    assert found == [f".danesh-{os.getpid()}-ab12cd", ".danesh-mine", "out.json"]


def test_a_link_that_looks_like_something_left_is_removed_and_not_followed(
    tmp_path: Path, gone: int
) -> None:
    (tmp_path / "precious").mkdir()
    (tmp_path / "precious" / "letter.txt").write_text("Dear reader")
    (tmp_path / f"danesh-{gone}-x").symlink_to(tmp_path / "precious")
    removed = sweep(tmp_path, scratch_of("danesh-"))
    assert [file.name for file in removed] == [f"danesh-{gone}-x"]
    assert (tmp_path / "precious" / "letter.txt").read_text() == "Dear reader"


def test_what_is_older_than_a_day_goes_though_its_number_is_somebodys_now(tmp_path: Path) -> None:
    for name in ("danesh-1-old", "danesh-1-new"):
        (tmp_path / name).write_text("x")
    os.utime(tmp_path / "danesh-1-old", (0, 0))
    sweep(tmp_path, scratch_of("danesh-"))
    assert [file.name for file in tmp_path.iterdir()] == ["danesh-1-new"]

"""Where an export goes it is whole and on its disk, and nothing else is left there."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from kb import Library, open_library
from kb.disk import scratch_of, sweep
from tests.databases import new_library

_NOBODY = (1 << 22) - 1
"""The number of a process that is not."""


@pytest.mark.parametrize("format", ["json", "md", "sqlite"])
def test_an_export_is_on_its_disk_before_it_has_its_name_and_the_name_after_it(
    empty: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, format: str
) -> None:
    done: list[str] = []

    def noted(name: str, call: Callable[..., Any]) -> Callable[..., Any]:
        return lambda *args, **options: (done.append(name), call(*args, **options))[1]

    monkeypatch.setattr(os, "fsync", noted("sync", os.fsync))
    monkeypatch.setattr(os, "replace", noted("name", os.replace))
    empty.export(format, tmp_path / "all")
    assert done == ["sync", "name", "sync"]


@pytest.mark.parametrize("format", ["jsonl", "sqlite"])
def test_what_a_killed_export_left_is_gone_with_the_next_export_there(
    empty: Library, tmp_path: Path, format: str
) -> None:
    folder = tmp_path / "فارسی"
    (folder / f".danesh-{_NOBODY}-abc").mkdir(parents=True)
    (folder / f".danesh-{_NOBODY}-abc" / "new").write_text("half")
    empty.export(format, folder / "all")
    assert [file.name for file in folder.iterdir()] == ["all"]


def test_what_a_killed_export_left_is_gone_once_danesh_is_started_again(tmp_path: Path) -> None:
    base, folder = tmp_path / "kb.db", tmp_path / "جای دیگر"
    new_library(base).close()
    left = folder / f".danesh-{_NOBODY}-abc"
    left.mkdir(parents=True)
    (folder / f"copy.db.{_NOBODY}-7.new-journal").write_text("half")
    (folder / ".danesh-mine").write_text("of another")
    note = tmp_path / f"kb.db.in-{_NOBODY}-7"
    note.write_text(str(folder), encoding="utf-8")
    open_library(base).close()
    assert [file.name for file in folder.iterdir()] == [".danesh-mine"]
    assert not note.exists()


def test_what_is_being_made_elsewhere_is_left_alone(tmp_path: Path) -> None:
    base, folder = tmp_path / "kb.db", tmp_path / "elsewhere"
    new_library(base).close()
    draft = folder / f".danesh-{os.getpid()}-abc"
    draft.mkdir(parents=True)
    note = tmp_path / f"kb.db.in-{os.getpid()}-7"
    note.write_text(str(folder))
    open_library(base).close()
    assert draft.exists()
    assert note.exists()


@pytest.mark.parametrize("format", ["json", "sqlite"])
def test_an_export_leaves_nothing_beside_the_database_or_its_target(
    tmp_path: Path, format: str
) -> None:
    base, folder = tmp_path / "kb.db", tmp_path / "out"
    folder.mkdir()
    with new_library(base) as library:
        library.export(format, folder / "all")
    assert sorted(file.name for file in tmp_path.rglob("*")) == ["all", "kb.db", "out"]


def test_a_link_that_looks_like_something_left_is_removed_and_not_followed(tmp_path: Path) -> None:
    (tmp_path / "precious").mkdir()
    (tmp_path / "precious" / "letter.txt").write_text("Dear reader")
    (tmp_path / f"danesh-{_NOBODY}-x").symlink_to(tmp_path / "precious")
    sweep(tmp_path, scratch_of("danesh-"))
    assert [file.name for file in tmp_path.iterdir()] == ["precious"]
    assert (tmp_path / "precious" / "letter.txt").read_text() == "Dear reader"


def test_what_is_older_than_a_day_goes_though_its_number_is_somebodys_now(tmp_path: Path) -> None:
    for name in ("danesh-1-old", "danesh-1-new"):
        (tmp_path / name).write_text("x")
    os.utime(tmp_path / "danesh-1-old", (0, 0))
    sweep(tmp_path, scratch_of("danesh-"))
    assert [file.name for file in tmp_path.iterdir()] == ["danesh-1-new"]

"""Takes the machine out of the tests: a home of their own, no database, no terminal."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest

from kb import Library, open_library


@pytest.fixture(scope="session")
def _cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A cache folder for all tests: what a machine can do is found out once."""
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(autouse=True)
def _own_home(
    tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch, _cache: Path
) -> None:
    home = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_DATA_HOME", str(home / "data"))
    monkeypatch.setenv("XDG_CACHE_HOME", str(_cache))
    for name in ("KB_DB", "NO_COLOR", "KB_LANG", "LANGUAGE", "TMUX", "STY", "VTE_VERSION"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LC_ALL", "C.UTF-8")


@pytest.fixture(scope="session")
def _bundled_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("bundled") / "kb.db"
    open_library(path).close()
    return path


@pytest.fixture
def bundled_path(_bundled_file: Path, tmp_path: Path) -> Path:
    """A database with the bundled content, for this test alone."""
    return Path(shutil.copy(_bundled_file, tmp_path / "kb.db"))


@pytest.fixture
def bundled(bundled_path: Path) -> Iterator[Library]:
    with open_library(bundled_path) as library:
        yield library


@pytest.fixture
def empty(tmp_path: Path) -> Iterator[Library]:
    with open_library(tmp_path / "empty.db", bundled=False) as library:
        yield library

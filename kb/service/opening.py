"""Opening a knowledge base: where it lies, and what a new one is made from."""

from __future__ import annotations

import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from kb.library import Library
from kb.records.progress import paced
from kb.service.guard import only_our_errors
from kb.store.sqlite.database import Database

if TYPE_CHECKING:
    from kb.records import Check, Progress


def default_path() -> str:
    """Return where the database lies: ``$KB_DB``, or the platform's folder for user data."""
    named = os.environ.get("KB_DB")
    if named:
        return named
    import platformdirs

    return str(Path(platformdirs.user_data_dir("kb", appauthor=False)) / "kb.db")


def open_library(
    path: str | os.PathLike[str] | None = None,
    *,
    bundled: bool = True,
    progress: Progress | None = None,
) -> Library:
    """Open a knowledge base, or make it: from the bundled content, or empty.

    A bundled entry that changed since is renewed; what a user added is never touched.
    Raises `BadDatabase` for a file that is none, newer, or cannot be made; `Cancelled` where
    ``progress`` does, and then there is no new file, and an old one is as it was.
    """
    from kb.content.location import bundled_folder
    from kb.service import sync

    folder, tell = bundled_folder(), paced(progress)
    with only_our_errors(str(path)):
        place = default_path() if path is None else os.fspath(path)
        database = Database.open(place, lambda new: sync.fill(new, folder, bundled, tell))
        library = Library(database)
        try:
            sync.refresh(database, folder, bundled, tell)
        except BaseException:
            library.close()
            raise
    return library


def check_folder(folder: str | os.PathLike[str]) -> Sequence[Check]:
    """Check a folder of content, of the form of ``data/``, and change nothing.

    Every mistake is a check that is not well, at its file, line and key; what is no
    mistake but weak is a check named ``advice``. Raises `NotFound` where there is none.
    """
    from kb.service.diagnose import examine_folder

    with only_our_errors(os.fspath(folder)):
        return examine_folder(Path(folder))

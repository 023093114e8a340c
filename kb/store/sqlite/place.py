"""The file that a path names: whether it is still the one that was opened."""

from __future__ import annotations

import os
import weakref

from kb.errors import Replaced


class Place:
    """The file that a path named when it was opened."""

    def __init__(self, path: str) -> None:
        self.path = path
        self.in_use = False
        """Whether this process may have connections to it."""
        self._file = _identity(path)
        _PLACES.add(self)

    def check(self) -> None:
        """Raise `Replaced` where the path names another file by now, or none."""
        now = _identity(self.path)
        if now == self._file:
            return
        raise Replaced(
            "the file was removed while it was open, so nothing was written"
            if now is None
            else "the file was replaced while it was open, so nothing was written",
            "Close danesh and open it again; 'kb restore' puts a copy back.",
            place=self.path,
        )

    def is_at(self, file: tuple[int, int]) -> bool:
        """Say whether this is that file, by its device and its number."""
        return self._file == file


_PLACES: weakref.WeakSet[Place] = weakref.WeakSet()


def is_open_here(path: str) -> bool:
    """Say whether this process has a database open that a path names.

    Such a file is not to be opened past SQLite: closing it would drop SQLite's locks on it
    (https://sqlite.org/howtocorrupt.html, 2.2).
    """
    file = _identity(path)
    return file is not None and any(each.in_use and each.is_at(file) for each in [*_PLACES])


def _identity(path: str) -> tuple[int, int] | None:
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino

"""Copies of the whole knowledge base: made, and put back."""

from __future__ import annotations

import os

from kb.errors import UsageError
from kb.records import Backup
from kb.service.base import Base
from kb.service.guard import door, path_of
from kb.service.opening import MEMORY


class Backups:
    """What a reader keeps for a bad day."""

    def __init__(self, base: Base) -> None:
        self._base = base

    @door
    def make(self, path: str | os.PathLike[str] | None = None, *, replace: bool = False) -> Backup:
        """Write a whole, verified copy of the knowledge base, of one moment.

        Without a path it has the date in its name and lies in ``backups`` beside the database,
        where the last ten are kept; in a folder that is named it has the date, too. Its owner
        alone may read it. Raises `Conflict` where there is such a file, unless it is to be
        replaced, and `BadDatabase` where it cannot be written.
        """
        self._in_a_file()
        wanted = None if path is None else os.fspath(path_of("a copy", path))
        return self._base.store.back_up(wanted, replace=replace)

    @door
    def restore(self, path: str | os.PathLike[str]) -> Backup:
        """Put a copy in the place of the knowledge base, and go on with it.

        The copy is examined first, and stays. What was there is kept beside the database, where
        ``kept`` says, and can be restored in its turn. Raises `NotFound`, `BadDatabase` for what
        is no whole knowledge base, `Conflict` where another program has the database open.
        """
        self._in_a_file()
        return self._base.store.restore(os.fspath(path_of("a copy", path)))

    def _in_a_file(self) -> None:
        if self._base.path == MEMORY:
            raise UsageError("a knowledge base in memory has no file", "Export it instead.")

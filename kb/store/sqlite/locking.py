"""The write lock: writers wait for each other, and long work lets others write.

SQLite's own lock is not fair: a process that starts a transaction right after another leaves no
gap for waiting ones. So a process that waits creates a file beside the database,
``NAME.wait-PID-THREAD``. Long work, which announces itself by ``NAME.work-PID-THREAD``, starts no
transaction while one exists. Files of dead processes are ignored, and if none can be created only
SQLite's lock is used.
"""

from __future__ import annotations

import json
import os
import re
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path

from kb.disk import is_alive, lock_holders, noted
from kb.errors import Conflict, KbError
from kb.foreign import read_text
from kb.limits import FORM
from kb.model.results import OnWait, Writer

PATIENCE = 60.0
"""Seconds after which a writer stops waiting."""

_LONGEST_TURN = 0.5
_MOMENT = 0.005
_BETWEEN_WORDS = 0.25
_WAL_WRITE_LOCK = 120  # of the -shm file: https://sqlite.org/walformat.html#wal_locks
_RESERVED_LOCK = 0x40000001  # of a file without WAL: https://sqlite.org/lockingv3.html


class WriteLock:
    """The write lock of one file in this process; an in-memory database has none."""

    def __init__(self, path: str | None) -> None:
        self._path = None if path is None else Path(path).absolute()
        self._here = threading.local()
        self.on_wait: OnWait = lambda writer, seconds: None

    def take(self, begin: Callable[[], bool]) -> None:
        """Wait until ``begin`` returns true. Raises `Conflict` if the wait is too long.

        ``begin`` itself waits for a moment.
        """
        if getattr(self._here, "depth", 0):  # waiting writers go first, one transaction each
            end = time.monotonic() + _LONGEST_TURN
            while self._others("wait") and time.monotonic() < end:
                time.sleep(_MOMENT)
        if begin():
            return
        with self._told("wait", ""):
            began = spoken = time.monotonic()
            while not begin():
                now = time.monotonic()
                if now - began > PATIENCE:
                    raise Conflict(
                        "{said}, so nothing was changed",
                        "Try again when it has finished.",
                        place=self._path,
                        said=self.writer().said,
                    )
                if now - spoken > _BETWEEN_WORDS:
                    spoken = now
                    self.on_wait(self.writer(), now - began)

    @contextmanager
    def working(self, what: str) -> Iterator[None]:
        """Announce long work of this thread, and let others write in between."""
        depth = getattr(self._here, "depth", 0)
        self._here.depth = depth + 1
        try:
            if depth:
                yield
            else:
                with self._told("work", what):
                    yield
        finally:
            self._here.depth = depth

    def writer(self) -> Writer:
        """Return who is writing, as far as known."""
        known = [found for file in self._others("work") if (found := _read(file)) is not None]
        oldest = max(known, key=lambda writer: writer.seconds, default=None)
        return oldest or Writer(pid=self._holder())

    @contextmanager
    def _told(self, kind: str, what: str) -> Iterator[None]:
        """Create a lock file for this thread."""
        said = json.dumps({"what": what, "since": time.time()}).encode()
        with nullcontext() if self._path is None else noted(str(self._path), kind, said):
            yield

    def _others(self, kind: str) -> list[Path]:
        """Return the lock files of other live threads."""
        if self._path is None:
            return []
        pattern = told_of(self._path.name, kind)
        own = f"-{os.getpid()}-{threading.get_ident()}"
        found = []
        with suppress(OSError), os.scandir(self._path.parent) as folder:
            for each in folder:
                met = pattern.fullmatch(each.name)
                if met and not each.name.endswith(own) and is_alive(int(met["pid"])):
                    found.append(Path(each.path))
        return found

    def _holder(self) -> int:
        for path, byte in ((f"{self._path}-shm", _WAL_WRITE_LOCK), (self._path, _RESERVED_LOCK)):
            for pid in lock_holders(str(path), byte, writing=True) or ():
                return pid
        return 0


def told_of(name: str, kind: str = "(wait|work)") -> re.Pattern[str]:
    """Return the names of the lock files for a database of this name."""
    return re.compile(rf"{re.escape(name)}\.{kind}-(?P<pid>\d+)-\d+")


def _read(file: Path) -> Writer | None:
    from kb.model.json import loads

    try:
        told = loads(read_text(file, FORM), str(file))
        since = max(0.0, time.time() - float(told["since"]))
        return Writer(str(told["what"]), int(file.name.split("-")[-2]), since)
    except (KbError, OverflowError, ValueError, KeyError, TypeError):
        return None

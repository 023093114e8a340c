"""A connection to a file wherever it lies: where it cannot be written it can still be read.

SQLite needs room for a file of its own beside a database in WAL mode even to read it, and finds
none on a full disk, a read-only one, or in a folder that is not the reader's.
"""

from __future__ import annotations

import contextlib
import os
import shutil
import tempfile
import weakref
from collections.abc import Callable
from typing import NamedTuple

from kb.disk.leftovers import scratch_prefix
from kb.errors import KbError
from kb.store.sqlite import driver, schema

_NO_ROOM = 1 << 16
_IOERR, _READONLY, _CANTOPEN, _FULL = 10, 8, 14, 13
_OUT_OF_REACH = (_IOERR, _READONLY, _CANTOPEN, _FULL)


class Reached(NamedTuple):
    """A connection, and why it can only read, if so."""

    raw: driver.RawConnection
    limit: KbError | None = None


def reach(path: str) -> Reached:
    """Return a connection to a file, to write it or else only to read it.

    Raises `BadDatabase` where it cannot even be read.
    """
    try:
        raw = _tried(path, "write")
    except driver.SQLITE_ERRORS as error:
        if not os.path.exists(path) or _code(error) not in _OUT_OF_REACH:
            raise driver.explain(error, path) from error
        for way in _WAYS:
            with contextlib.suppress(*driver.SQLITE_ERRORS, OSError, _NotThisWay):
                return Reached(way(path), _limit(path))
        raise driver.explain(error, path) from error
    if not os.access(path, os.W_OK):  # SQLite then reads, and says so only when it is to write
        return Reached(raw, driver.read_only(path))
    _use_journal(raw)
    return Reached(raw)


def _use_journal(raw: driver.RawConnection) -> None:
    """Let a file of ours have the journal it is safe with; a copy of a backup has another."""
    # Another may have it open, or it is read-only.
    with contextlib.suppress(*driver.SQLITE_ERRORS):
        wanted = driver.journal_mode()
        ours = raw.execute("PRAGMA application_id").fetchone()[0] == schema.APPLICATION_ID
        if ours and raw.execute("PRAGMA journal_mode").fetchone()[0] != wanted:
            raw.execute(f"PRAGMA journal_mode={wanted}")


class _NotThisWay(Exception):
    """A file cannot be read in one of the ways that there are."""


def _tried(path: str, mode: driver.Mode) -> driver.RawConnection:
    raw = driver.connect(path, mode)
    try:
        raw.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except BaseException:
        raw.close()
        raise
    return raw


def _read(path: str) -> driver.RawConnection:
    return _tried(path, "read")


def _read_still(path: str) -> driver.RawConnection:
    """Read a file that has no journal: who could change it has no room, either."""
    if any(os.path.exists(f"{path}{end}") and os.path.getsize(f"{path}{end}")
           for end in ("-wal", "-journal")):  # fmt: skip
        raise _NotThisWay
    raw = _tried(path, "still")
    raw.execute("PRAGMA temp_store=MEMORY")
    return raw


def _read_copy(path: str) -> driver.RawConnection:
    """Read a copy of a file and of its journal; it goes with the connection."""
    folder = tempfile.mkdtemp(prefix=scratch_prefix("danesh-"))
    try:
        copy = os.path.join(folder, "kb.db")
        for end in ("", "-wal", "-journal"):
            if os.path.exists(f"{path}{end}"):
                shutil.copyfile(f"{path}{end}", f"{copy}{end}")
        raw = _tried(copy, "read")
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    weakref.finalize(raw, shutil.rmtree, folder, True)
    return raw


_WAYS: tuple[Callable[[str], driver.RawConnection], ...] = (_read, _read_still, _read_copy)
"""How a file is read that cannot be written; tried in this order."""


def _limit(path: str) -> KbError:
    """Return why a file can only be read."""
    try:
        room = os.statvfs(os.path.dirname(os.path.abspath(path)))
        full = room.f_bavail * room.f_frsize < _NO_ROOM and not room.f_flag & os.ST_RDONLY
    except (OSError, AttributeError):
        full = False
    return driver.full(path) if full else driver.read_only(path)


def _code(error: Exception) -> int:
    return (getattr(error, "sqlite_errorcode", None) or 0) & 0xFF

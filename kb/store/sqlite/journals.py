"""The journals beside a database: whether one that was left there belongs to it."""

from __future__ import annotations

import contextlib
import os
import time

from kb.disk.locks import lock_holders
from kb.errors import BadDatabase, KbError
from kb.store.sqlite import driver
from kb.store.sqlite.connection import Connection
from kb.store.sqlite.files import BESIDE
from kb.store.sqlite.place import is_open_here

_CONNECTED = 128  # of the -shm file: https://sqlite.org/walformat.html#wal_locks


def check_left(path: str) -> None:
    """Refuse a database beside which a killed session's log lies that is of another file.

    SQLite would write it into the file at the next chance. Raises `BadDatabase` that says how to
    mend it. What others have open is not looked at.
    """
    left = _size(f"{path}-wal") and not is_open_here(path)
    if left and lock_holders(f"{path}-shm", _CONNECTED) == [] and not is_whole(path, "read"):
        _refuse(path)


def _refuse(path: str) -> None:
    if is_whole(path, "still"):
        raise BadDatabase(
            f"{path}: the journal beside it ({path}-wal) is not of this file, or is damaged; "
            "without it the file is whole",
            f"Move {path}-wal and {path}-shm elsewhere, or put a copy back with 'kb restore'.",
        )
    raise driver.damaged(path)


def is_whole(path: str, mode: driver.Mode) -> bool:
    """Say whether a file is whole, with the journal beside it or, where ``still``, without.

    Nothing of it or beside it is changed.
    """
    try:
        with contextlib.closing(Connection(driver.connect(path, mode), path)) as connection:
            return bool(connection.value("PRAGMA integrity_check(1)") == "ok")
    except driver.SQLITE_ERRORS:
        return False
    except KbError:
        return False


def drop_cold(path: str, connection: Connection) -> None:
    """Remove a rollback journal that undoes nothing, beside a database that uses none.

    As long as a connection has the database in WAL mode nobody can begin to use one. One that
    begins with a zero is of no use to SQLite, either: https://sqlite.org/fileformat.html#rollbackjournal
    """
    if connection.limit is None and connection.value("PRAGMA journal_mode") == "wal":
        with contextlib.suppress(OSError), open(f"{path}-journal", "rb") as journal:
            if journal.read(1) in (b"", b"\0"):
                os.unlink(f"{path}-journal")


def set_aside(path: str) -> list[str]:
    """Move journals away whose database is gone, before another one is made in its place.

    Returns their new names.
    """
    moved = []
    stamp = time.strftime("%Y%m%d-%H%M%S")
    for end in BESIDE:
        if _size(f"{path}{end}") and end != "-shm":
            moved.append(f"{path}.left-{stamp}{end}")
            os.rename(f"{path}{end}", moved[-1])
        else:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(f"{path}{end}")
    return moved


def _size(path: str) -> int:
    try:
        return os.path.getsize(path)
    except OSError:
        return 0

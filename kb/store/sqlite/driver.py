"""Which SQLite is used, how a connection is set up, and what its errors mean to a reader.

`pysqlite3` brings a current SQLite where it has wheels. The one Python was built
with may be older than 3.51.3, before which two connections that write at once
can damage a file in WAL mode (https://sqlite.org/wal.html#walresetbug); there
the rollback journal is used instead.
"""

from __future__ import annotations

import os
from pathlib import Path
from types import ModuleType
from typing import Any, Literal

from kb.errors import BadDatabase, Conflict, DeadlineExceeded, DiskFull, KbError, Message, ReadOnly

sqlite3: ModuleType
try:
    import pysqlite3

    sqlite3 = pysqlite3
except ImportError:
    import sqlite3 as stdlib_sqlite3

    sqlite3 = stdlib_sqlite3

SQLITE_ERRORS: tuple[type[Exception], ...] = (sqlite3.Error,)
MEMORY = "file:danesh-memory-"
"""How the names of databases begin that lie in memory alone."""

Mode = Literal["make", "write", "read", "still"]
"""What a connection may do."""

_MODES: dict[Mode, str] = {
    "make": "mode=rwc",
    "write": "mode=rw",
    "read": "mode=ro",
    "still": "mode=ro&immutable=1",
}
BUSY_SECONDS = 10
"""How long SQLite waits for a lock that is held for a moment."""

_WAL_IS_SAFE_FROM = (3, 51, 3)
_BUSY = (5, 6)  # SQLITE_BUSY, SQLITE_LOCKED
_INTERRUPTED = 9  # SQLITE_INTERRUPT

RawConnection = Any  # both modules have a class of this name, and neither knows the other


INCREMENTAL = "PRAGMA auto_vacuum=INCREMENTAL"
"""Lets room be given back some at a time; it holds for a file that is empty or made anew."""


def journal_mode() -> str:
    """Name the journal this SQLite may be trusted with."""
    version = tuple(map(int, sqlite3.sqlite_version.split(".")))
    return "wal" if version >= _WAL_IS_SAFE_FROM else "truncate"


def connect(target: str, mode: Mode = "write") -> RawConnection:
    """Open a connection with the house's settings; ``target`` is a path or begins with `MEMORY`.

    ``make`` alone makes a file where there is none. Who reads a file that is ``still`` looks for
    no journal beside it, and takes no lock: nobody else may change it.
    """
    uri = target
    if not target.startswith(MEMORY):
        uri = f"{Path(target).absolute().as_uri()}?{_MODES[mode]}"
    connection = sqlite3.connect(
        uri, uri=True, timeout=BUSY_SECONDS, isolation_level=None, check_same_thread=False
    )
    connection.row_factory = sqlite3.Row
    for pragma in (
        "foreign_keys=ON",
        "recursive_triggers=ON",
        "trusted_schema=OFF",
        "cell_size_check=ON",
        "mmap_size=0",
        "synchronous=FULL",
        # Where fsync stops short of the disk (macOS), all the way.
        "fullfsync=ON",
        "checkpoint_fullfsync=ON",
    ):
        connection.execute(f"PRAGMA {pragma}")
    return connection


def damaged(path: str) -> KbError:
    """Return the error of a file that is not whole."""
    return BadDatabase(*_NOT_WHOLE, place=path)


def full(path: str) -> DiskFull:
    """Return the error of a file for which there is no room."""
    return DiskFull(*_FULL, place=path)


def read_only(path: str) -> ReadOnly:
    """Return the error of a file that may not be written."""
    return ReadOnly(*_READ_ONLY, place=path)


def is_busy(error: Exception) -> bool:
    """Say whether an error means that another holds a lock."""
    code = getattr(error, "sqlite_errorcode", None)
    return code is not None and code & 0xFF in _BUSY


def is_damage(error: Exception) -> bool:
    """Say whether an error means that the file which is read is not whole."""
    text = str(error).lower()
    return any(word in text for word in _DAMAGE)


def is_disk_error(error: Exception) -> bool:
    """Say whether an error means that a disk fails, in reading or in writing."""
    return "disk i/o" in str(error).lower()


def explain(error: Exception, *paths: str) -> KbError:
    """Turn an error of SQLite into a sentence with the exit code of its cause.

    It names the file; where SQLite does not say which of two failed, both.
    """
    if getattr(error, "sqlite_errorcode", None) == _INTERRUPTED:
        return DeadlineExceeded()
    if is_disk_error(error):
        folders = [os.path.dirname(os.path.abspath(path)) for path in paths]
        closed = [each for each in folders if not os.access(each, os.R_OK | os.W_OK | os.X_OK)]
        if closed:
            return ReadOnly("permission denied", _READ_ONLY[1], place=closed[0])
    text, named = str(error).lower(), " or ".join(paths)
    for words, kind, sentence, hint in _CAUSES:
        if any(word in text for word in words):
            return kind(sentence, hint, place=named)
    return BadDatabase(
        "the database cannot be used ({error})", "Try 'kb doctor'.", place=named, error=error
    )


SALVAGE = "Save what can be read with 'kb doctor --salvage NEW'."
"""What can be done about a damaged file."""

_NOT_WHOLE = (Message("the database is damaged, or made by another program"), SALVAGE)
_READ_ONLY = (
    Message("the database is read-only, so nothing was changed"),
    Message("Give yourself the right to write the file and its folder, or name another with --db."),
)
_FULL = (
    Message("the disk is full or failing, so nothing was changed"),
    Message("Free some space and try again."),
)
_DAMAGE = (
    "not a database", "malformed", "disk image", "no such table", "no such column", "not decode",
)  # fmt: skip
_CAUSES: tuple[tuple[tuple[str, ...], type[KbError], str, str], ...] = (
    (
        _DAMAGE,
        BadDatabase,
        *_NOT_WHOLE,
    ),
    (("readonly", "read-only"), ReadOnly, *_READ_ONLY),
    (("disk is full", "disk i/o"), DiskFull, *_FULL),
    (
        ("locked", "busy"),
        Conflict,
        "another program is writing to the database",
        "Try again when it has finished.",
    ),
    (
        ("unable to open",),
        BadDatabase,
        "the database cannot be opened or made there",
        "Name a file in a folder you may write to with --db.",
    ),
)

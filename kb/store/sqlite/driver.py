"""The SQLite library, the setup of connections, and the meaning of errors.

`pysqlite3` provides a current SQLite where it has wheels. Python's own may be older than 3.51.3,
before which two simultaneous writers can damage a file in WAL mode
(https://sqlite.org/wal.html#walresetbug); the rollback journal is then used.
"""

from __future__ import annotations

import contextlib
import os
import weakref
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from types import ModuleType
from typing import TYPE_CHECKING, Any, Literal

from kb.errors import (
    BadDatabase,
    Conflict,
    DeadlineExceeded,
    DiskFull,
    KbError,
    Message,
    ReadOnly,
    Replaced,
)
from kb.store.sqlite.locking import WriteLock

if TYPE_CHECKING:
    from kb.store.sqlite.store import Store
    from kb.work import Budget

sqlite3: ModuleType
try:
    import pysqlite3

    sqlite3 = pysqlite3
except ImportError:
    import sqlite3 as stdlib_sqlite3

    sqlite3 = stdlib_sqlite3

SQLITE_ERRORS: tuple[type[Exception], ...] = (sqlite3.Error,)
MEMORY = "file:danesh-memory-"
"""The prefix of in-memory database names."""

Mode = Literal["make", "write", "read", "still"]
"""The access mode of a connection."""

_MODES: dict[Mode, str] = {
    "make": "mode=rwc",
    "write": "mode=rw",
    "read": "mode=ro",
    "still": "mode=ro&immutable=1",
}
BUSY_SECONDS = 10
"""How long SQLite waits for a briefly held lock."""

_WAL_IS_SAFE_FROM = (3, 51, 3)
_BUSY = (5, 6)  # SQLITE_BUSY, SQLITE_LOCKED
_INTERRUPTED = 9  # SQLITE_INTERRUPT

RawConnection = Any  # both modules have a class of this name, and neither knows the other


INCREMENTAL = "PRAGMA auto_vacuum=INCREMENTAL"
"""Enables incremental vacuum; only effective for an empty or rebuilt file."""


def journal_mode() -> str:
    """Return the journal mode that is safe with this SQLite."""
    version = tuple(map(int, sqlite3.sqlite_version.split(".")))
    return "wal" if version >= _WAL_IS_SAFE_FROM else "truncate"


def connect(target: str, mode: Mode = "write") -> RawConnection:
    """Open a connection with our settings; ``target`` is a path or begins with `MEMORY`.

    Only ``make`` creates a missing file. Reading a ``still`` file ignores journals beside it and
    takes no lock: nobody else may change it.
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
    """Return the error for a damaged file."""
    return BadDatabase(*_NOT_WHOLE, place=path)


def full(path: str) -> DiskFull:
    """Return the error for a full disk."""
    return DiskFull(*_FULL, place=path)


def read_only(path: str) -> ReadOnly:
    """Return the error for a read-only file."""
    return ReadOnly(*_READ_ONLY, place=path)


def code_of(error: Exception) -> int:
    """Return the primary code of an SQLite error, or 0."""
    return (getattr(error, "sqlite_errorcode", None) or 0) & 0xFF


def is_damage(error: Exception) -> bool:
    """Return whether an error means that the file is damaged."""
    text = str(error).lower()
    return any(word in text for word in _DAMAGE)


def is_disk_error(error: Exception) -> bool:
    """Return whether an error means that the disk fails."""
    return "disk i/o" in str(error).lower()


def explain(error: Exception, *paths: str) -> KbError:
    """Convert an SQLite error to a message with its exit code.

    It names the file, or both files if SQLite does not say which one failed.
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


@contextlib.contextmanager
def explained(path: str) -> Iterator[None]:
    """Convert SQLite's errors within the block to ours, which name a file (see `explain`)."""
    try:
        yield
    except SQLITE_ERRORS as error:
        raise explain(error, path) from error


SALVAGE = "Save what can be read with 'kb doctor --salvage NEW'."
"""The remedy for a damaged file."""

_NOT_WHOLE = (Message("the database is damaged, or belongs to another program"), SALVAGE)
_READ_ONLY = (
    Message("the database is read-only, so nothing was changed"),
    Message("Make the file and its folder writable, or name another file with --db."),
)
_FULL = (
    Message("the disk is full or failing, so nothing was changed"),
    Message("Free some space and try again."),
)
_DAMAGE = (
    "not a database", "malformed", "disk image", "no such table", "no such column", "not decode",
)  # fmt: skip
_CAUSES: tuple[tuple[tuple[str, ...], type[KbError], str, str], ...] = (
    (_DAMAGE, BadDatabase, *_NOT_WHOLE),
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


# One thread's connection to a file: every statement goes through here, and so does every error.


Row = Mapping[str, Any]
_MOMENT = 25  # milliseconds


class Connection:
    """A connection that closes with its thread; it raises our errors."""

    def __init__(self, raw: RawConnection, path: str, place: Place | None = None) -> None:
        self.raw = raw
        self.path = path
        self.moment: dict[str, object] = {}
        """Data cached within the current `snapshot`."""
        self.writing = False
        """Whether it holds the write lock: what it sees may still be rolled back."""
        self.limit: KbError | None = None
        """Why it is read-only, if it is."""
        self._place = place or Place(None, WriteLock(None))

    def rows(self, sql: str, values: Sequence[object] = ()) -> list[Any]:
        """Return all rows of a statement."""
        with explained(self.path):
            return list(self.raw.execute(sql, values))

    def column(self, sql: str, values: Sequence[object] = ()) -> list[Any]:
        """Return the first value of each row of a statement."""
        return [row[0] for row in self.rows(sql, values)]

    def stream(self, sql: str, values: Sequence[object] = ()) -> Iterator[Any]:
        """Yield the rows of a statement as they come."""
        with explained(self.path):
            yield from self.raw.execute(sql, values)

    def row(self, sql: str, values: Sequence[object] = ()) -> Any | None:
        """Return the first row of a statement, or nothing."""
        with explained(self.path):
            return self.raw.execute(sql, values).fetchone()

    def value(self, sql: str, values: Sequence[object] = ()) -> Any:
        """Return the first value of the first row, or nothing."""
        row = self.row(sql, values)
        return None if row is None else row[0]

    def run(self, sql: str, values: Sequence[object] = ()) -> int:
        """Execute a statement without result; return the number of an inserted row."""
        with explained(self.path):
            return int(self.raw.execute(sql, values).lastrowid or 0)

    def run_many(self, sql: str, rows: Iterable[Sequence[object]]) -> None:
        """Execute a statement for each of these rows of values."""
        with explained(self.path):
            self.raw.executemany(sql, rows)

    def insert(self, table: str, values: Mapping[str, Any]) -> int:
        """Insert a row; table and column names come from the schema."""
        return self.run(_insertion(table, values), tuple(values.values()))

    def insert_many(self, table: str, rows: Sequence[Mapping[str, Any]]) -> None:
        """Insert rows with the same columns."""
        if rows:
            self.run_many(_insertion(table, rows[0]), (tuple(row.values()) for row in rows))

    def upsert(self, table: str, values: Mapping[str, Any], keys: tuple[str, ...]) -> None:
        """Insert a row, or update the one with these keys."""
        self.upsert_many(table, tuple(values), (tuple(values.values()),), keys)

    def upsert_many(
        self,
        table: str,
        columns: Sequence[str],
        rows: Iterable[Sequence[object]],
        keys: tuple[str, ...],
    ) -> None:
        """Insert rows, or update those with these keys."""
        renewed = ", ".join(f'"{n}" = excluded."{n}"' for n in columns if n not in keys)
        added = _insertion(table, columns)
        self.run_many(f"{added} ON CONFLICT ({', '.join(keys)}) DO UPDATE SET {renewed}", rows)

    @contextlib.contextmanager
    def transaction(self) -> Iterator[None]:
        """Hold the write lock; commit at the end, or change nothing.

        Raises `Conflict` if another writer keeps the lock, and `Replaced` if the file was
        replaced, so that nothing was written to it.
        """
        self._place.check()
        if self.limit is not None:
            raise self.limit
        self._place.write_lock.take(self._begin)
        try:
            self._place.check()
            self.writing = True
            yield
            self.run("COMMIT")
        except BaseException:
            # A full disk ends the transaction by itself.
            if self.raw.in_transaction:
                self.run("ROLLBACK")
            raise
        finally:
            self.writing = False
        self._place.check()

    @contextlib.contextmanager
    def without_references(self) -> Iterator[None]:
        """Allow tables with references to be rebuilt in the transactions within."""
        self.run("PRAGMA foreign_keys=OFF")
        try:
            yield
        finally:
            self.run("PRAGMA foreign_keys=ON")

    def _begin(self) -> bool:
        """Take the write lock, unless it stays held."""
        self.run(f"PRAGMA busy_timeout={_MOMENT}")
        try:
            self.raw.execute("BEGIN IMMEDIATE")
        except SQLITE_ERRORS as error:
            if code_of(error) in _BUSY:  # another connection holds the lock
                return False
            raise explain(error, self.path) from error
        finally:
            self.run(f"PRAGMA busy_timeout={BUSY_SECONDS * 1000}")
        return True

    @contextlib.contextmanager
    def snapshot(self) -> Iterator[None]:
        """Read a consistent state within, even while others write."""
        if self.raw.in_transaction:
            yield
            return
        self.run("BEGIN")
        self.moment = {}
        try:
            self.value("SELECT count(*) FROM sqlite_master")
            yield
        finally:
            self.run("ROLLBACK")
            self.moment = {}

    @contextlib.contextmanager
    def savepoint(self) -> Iterator[None]:
        """Make the changes within a transaction all or nothing."""
        self.run("SAVEPOINT part")
        try:
            yield
        except BaseException:
            # A full disk ends the transaction by itself, and the savepoint with it.
            if self.raw.in_transaction:
                self.run("ROLLBACK TO part")
                self.run("RELEASE part")
            raise
        self.run("RELEASE part")

    @contextlib.contextmanager
    def within(self, budget: Budget) -> Iterator[None]:
        """Stop the statements within if they exceed the budget."""
        from kb.work import STEPS, undisturbed

        self.raw.set_progress_handler(budget.stops, STEPS)
        try:
            with undisturbed():
                yield
        finally:
            self.raw.set_progress_handler(None, 0)

    def languages_of(self, table: str) -> list[str]:
        """Return the languages in a table, with one index lookup each."""
        sql = f"""
            WITH RECURSIVE langs(lang) AS (
                SELECT min(lang) FROM {table}
                UNION ALL SELECT (SELECT min(lang) FROM {table} WHERE {table}.lang > langs.lang)
                FROM langs WHERE langs.lang IS NOT NULL
            ) SELECT lang FROM langs WHERE lang IS NOT NULL
        """
        return [row[0] for row in self.rows(sql)]

    def close(self) -> None:
        """Close it, from any thread."""
        self.raw.close()

    def __del__(self) -> None:
        with contextlib.suppress(*SQLITE_ERRORS):
            self.raw.close()


def opened(path: str, mode: Mode) -> contextlib.closing[Connection]:
    """Open a file for a block."""
    with explained(path):
        return contextlib.closing(Connection(connect(path, mode), path))


class Part:
    """A part of the store, which uses the connection of the calling thread."""

    def __init__(self, store: Store) -> None:
        self._store = store

    @property
    def _db(self) -> Connection:
        return self._store.connection


def _insertion(table: str, names: Collection[str]) -> str:
    columns = ", ".join(f'"{name}"' for name in names)
    return f'INSERT INTO "{table}" ({columns}) VALUES ({", ".join("?" * len(names))})'


# The file that a path names: whether it is still the one that was opened.


class Place:
    """The identity of the file at a path when it was opened, and its write lock.

    A database in memory and a draft have no path.
    """

    def __init__(self, path: str | None, write_lock: WriteLock) -> None:
        self.path = path
        self.write_lock = write_lock
        self.in_use = False
        """Whether this process may have connections to it."""
        self.file = _identity(path)
        """Its device and inode."""
        _PLACES.add(self)

    def check(self) -> None:
        """Raise `Replaced` if the path names another file, or none."""
        now = _identity(self.path)
        if now == self.file:
            return
        raise Replaced(
            "the file was removed while it was open, so nothing was written"
            if now is None
            else "the file was replaced while it was open, so nothing was written",
            "Close danesh and open it again, or restore a copy with 'kb restore'.",
            place=self.path,
        )


_PLACES: weakref.WeakSet[Place] = weakref.WeakSet()


def is_open_here(path: str) -> bool:
    """Return whether this process has the database at a path open.

    Such a file must not be opened directly: closing it would drop SQLite's locks
    (https://sqlite.org/howtocorrupt.html, 2.2).
    """
    file = _identity(path)
    return file is not None and any(each.in_use and each.file == file for each in [*_PLACES])


def _identity(path: str | None) -> tuple[int, int] | None:
    try:
        found = os.stat(path or "")
    except OSError:
        return None
    return found.st_dev, found.st_ino

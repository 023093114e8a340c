"""A database file: created atomically, with a connection per thread."""

from __future__ import annotations

import contextlib
import itertools
import os
import re
import shutil
import tempfile
import threading
import weakref
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path
from typing import Any, Self

from kb.disk import scratch_prefix
from kb.errors import DiskFull, KbError, Message
from kb.store.sqlite import driver
from kb.store.sqlite.driver import Connection, Place, explained, sqlite3
from kb.store.sqlite.files import (
    APPLICATION_ID,
    VERSION,
    check_left,
    check_ours,
    check_place,
    copy_with_journal,
    drafted,
    drop_cold,
    has_journal,
    is_absent,
    place_new,
    refuse_database,
    set_aside,
    sweep_beside,
)
from kb.store.sqlite.locking import WriteLock

_memory_names = itertools.count(1)


Renew = Callable[[Any], None]
"""Updates the rest of a file after its tables."""


class Database:
    """A knowledge-base file. Create one with `Database.open`; close it when done.

    ``notices`` are messages about upgrades of an older file.
    """

    def __init__(self, path: str, target: str, renew: Renew) -> None:
        self.path = path
        self._renew = renew
        self.notices: tuple[str, ...] = ()
        self._target = target
        self._local = threading.local()
        # A connection goes with its thread, which alone holds it.
        self._connections: weakref.WeakSet[Connection] = weakref.WeakSet()
        self._lock = threading.Lock()
        self._anchor: Connection | None = None
        self.write_lock = WriteLock(path if path == target else None)
        """Who writes next."""
        self._place = Place(None, self.write_lock)

    @classmethod
    def open(cls, path: str, fill: Callable[[Self], None], renew: Renew) -> Self:
        """Open the file, or create it with the content from ``fill``.

        ``renew`` is called within every transaction that creates or changes tables.
        """
        if path == ":memory:":
            name = f"{driver.MEMORY}{os.getpid()}-{next(_memory_names)}?mode=memory&cache=shared"
            database = cls(path, name, renew)
            database._anchor = database.connection  # it lasts as long as a connection does
            database.build(fill)
            return database
        check_place(path)
        sweep_beside(path)
        told = cls._make(path, fill, renew) if is_absent(path) else ()
        database = cls(path, path, renew)
        try:
            database._begin(told)
        except BaseException:
            database.close()
            raise
        return database

    def _begin(self, notices: tuple[str, ...] = ()) -> None:
        """Continue with the file that the path now names."""
        if Path(f"{self.path}-wal").exists():
            check_left(self.path)
        self._place = Place(self.path, self.write_lock)
        self.notices = notices
        self._check()
        if Path(f"{self.path}-journal").exists():
            drop_cold(self.path, self.connection)

    @property
    def connection(self) -> Connection:
        """This thread's connection: SQLite connections must not be shared."""
        found: Connection | None = getattr(self._local, "connection", None)
        if found is None:
            found = self._connected()
            self._local.connection = found
            with self._lock:
                self._connections.add(found)
        return found

    def _connected(self) -> Connection:
        """Return a new connection. Raises `Replaced` if the path names another file."""
        if self._place.path is None:  # in memory, or a draft that is being filled
            with driver.explained(self.path):
                return Connection(driver.connect(self._target), self.path, self._place)
        self._place.check()
        self._place.in_use = True
        raw, limit = reach(self.path)
        made = Connection(raw, self.path, self._place)
        made.limit = limit
        self._place.check()
        return made

    def keep_as_it_is(self, why: str) -> str:
        """Write a verified copy beside the file before it changes, and return its path.

        ``why`` is part of its name; the last two for each reason are kept.
        """
        from kb.store.sqlite import copies

        return copies.put_beside(self.connection, self.path, f"before-{why}")

    @contextlib.contextmanager
    def replaced(self) -> Iterator[None]:
        """Close it, and continue with the file that its path names at the end of the block."""
        self.close()
        try:
            yield
        finally:
            self._begin()

    def close(self) -> None:
        """Close the connections of all threads."""
        with self._lock:
            for connection in self._connections:
                connection.close()
            self._connections.clear()
        self._place.in_use = False
        self._local, self._anchor = threading.local(), None

    @classmethod
    def _make(cls, path: str, fill: Callable[[Self], None], renew: Renew) -> tuple[str, ...]:
        """Build a new file under a temporary name and rename it; return notices."""
        refuse_database(path)
        told: tuple[str, ...] = ()
        with drafted(path) as draft:
            with contextlib.closing(cls(path, draft, renew)) as new:
                new.build(fill)
                new.connection.run(f"PRAGMA journal_mode={driver.journal_mode()}")
            if left := set_aside(path):
                told = (Message("the journal of a missing database is now {file}", file=left[0]),)
            with contextlib.suppress(FileExistsError):
                place_new(draft, path)
        return told

    def build(self, fill: Callable[[Self], None]) -> None:
        """Create the tables of an empty file, and their content."""
        self.connection.run(driver.INCREMENTAL)
        with self.connection.without_references(), self.connection.transaction():
            migrate(self.connection)
            self._renew(self)
        fill(self)

    def _check(self) -> None:
        """Reject foreign, newer or truncated files; migrate an older file."""
        version = check_ours(self.connection, self.path)
        if version < VERSION:
            self._migrate(version)
        if isinstance(self.connection.limit, DiskFull):
            self.notices += (Message("{file} is read-only: the disk is full", file=self.path),)

    def _migrate(self, version: int) -> None:
        """Migrate an older file after a verified copy is beside it."""
        copy = self.keep_as_it_is(f"format-{VERSION}")
        with (
            self.write_lock.working("an update"),
            self.connection.without_references(),
            self.connection.transaction(),
        ):
            # Another program may have been faster.
            if self.connection.value("PRAGMA user_version") < VERSION:
                migrate(self.connection)
                self._renew(self)
        told = Message(
            "{file} was upgraded from format {version} to {newest}; a copy of it is {copy}",
            file=self.path,
            version=version,
            newest=VERSION,
            copy=copy,
        )
        self.notices += (told,)


# A connection to a file wherever it lies: where it cannot be written it can still be read.
#
# SQLite needs room for a file of its own beside a database in WAL mode even to read it, and finds
# none on a full disk, a read-only one, or in a folder that is not the reader's.


_NO_ROOM = 1 << 16
_IOERR, _READONLY, _CANTOPEN, _FULL = 10, 8, 14, 13
_OUT_OF_REACH = (_IOERR, _READONLY, _CANTOPEN, _FULL)


def reach(path: str) -> tuple[driver.RawConnection, KbError | None]:
    """Return a connection to a file, and why it is read-only, if it is.

    Raises `BadDatabase` if it cannot be read at all.
    """
    try:
        raw = _tried(path, "write")
    except driver.SQLITE_ERRORS as error:
        if not os.path.exists(path) or driver.code_of(error) not in _OUT_OF_REACH:
            raise driver.explain(error, path) from error
        for way in _WAYS:
            with contextlib.suppress(*driver.SQLITE_ERRORS, OSError):
                return way(path), _limit(path)
        raise driver.explain(error, path) from error
    if not os.access(path, os.W_OK):  # SQLite then reads, and says so only when it is to write
        return raw, driver.read_only(path)
    _use_journal(raw)
    return raw, None


def _use_journal(raw: driver.RawConnection) -> None:
    """Set a file's safe journal mode; a restored copy has another."""
    # Another may have it open, or it is read-only.
    with contextlib.suppress(*driver.SQLITE_ERRORS):
        wanted = driver.journal_mode()
        ours = raw.execute("PRAGMA application_id").fetchone()[0] == APPLICATION_ID
        if ours and raw.execute("PRAGMA journal_mode").fetchone()[0] != wanted:
            raw.execute(f"PRAGMA journal_mode={wanted}")


def _tried(path: str, mode: driver.Mode) -> driver.RawConnection:
    raw = driver.connect(path, mode)
    try:
        raw.execute("SELECT count(*) FROM sqlite_master").fetchone()
    except BaseException:
        raw.close()
        raise
    return raw


def _read_still(path: str) -> driver.RawConnection:
    """Read a file without a journal: nobody has space to change it."""
    if has_journal(path):
        raise OSError("a journal beside it may be newer")
    raw = _tried(path, "still")
    raw.execute("PRAGMA temp_store=MEMORY")
    return raw


def _read_copy(path: str) -> driver.RawConnection:
    """Read a copy of a file and its journal, deleted with the connection."""
    folder = tempfile.mkdtemp(prefix=scratch_prefix("danesh-"))
    try:
        raw = _tried(copy_with_journal(path, folder), "read")
    except BaseException:
        shutil.rmtree(folder, ignore_errors=True)
        raise
    weakref.finalize(raw, shutil.rmtree, folder, True)
    return raw


_WAYS: tuple[Callable[[str], driver.RawConnection], ...] = (
    partial(_tried, mode="read"),
    _read_still,
    _read_copy,
)
"""The ways to read a file that cannot be written, in order."""


def _limit(path: str) -> KbError:
    """Return why a file is read-only."""
    try:
        room = os.statvfs(os.path.dirname(os.path.abspath(path)))
        full = room.f_bavail * room.f_frsize < _NO_ROOM and not room.f_flag & os.ST_RDONLY
    except (OSError, AttributeError):
        full = False
    return driver.full(path) if full else driver.read_only(path)


# The tables, made and migrated by the parts of ``schema.sql``.


def migrate(connection: Connection) -> None:
    """Apply the missing migrations. The caller holds the write lock.

    Some make tables again to which others refer, so the caller does without foreign keys meanwhile.
    """
    from sqlite_utils import Database, Migrations

    from kb.store.sqlite.entries import fill_titles

    migrations = Migrations("danesh")
    for name, part in _parts():

        @migrations(name=name)
        def step(db: Database, part: str = part) -> None:
            for statement in _statements(part):
                db.execute(statement)

    connection.raw.create_function("halved", 1, lambda digest: bytes.fromhex(digest[:32]))
    untitled = not connection.value("SELECT 1 FROM sqlite_master WHERE name = 'title'")
    with explained(connection.path):
        migrations.apply(Database(connection.raw, use_old_upsert=False))
        if untitled:
            fill_titles(connection.raw)
    connection.run(f"PRAGMA user_version = {VERSION}")
    connection.run(f"PRAGMA application_id = {APPLICATION_ID}")


def _parts() -> Iterator[tuple[str, str]]:
    """Yield the names of migrations with their statements."""
    text = Path(__file__).with_name("schema.sql").read_text(encoding="utf-8")
    _, *parts = re.split(r"^-- part (\w+)$", text, flags=re.MULTILINE)
    yield from zip(parts[::2], parts[1::2], strict=True)


def _statements(part: str) -> Iterator[str]:
    """Yield the statements of a part; a trigger has several semicolons."""
    statement = ""
    for line in part.splitlines():
        statement += f"{line}\n"
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""

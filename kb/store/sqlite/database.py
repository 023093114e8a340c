"""One knowledge-base file: made whole or not at all, a connection for each thread."""

from __future__ import annotations

import contextlib
import itertools
import os
import threading
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path

from kb.errors import BadDatabase
from kb.store.sqlite import driver, schema
from kb.store.sqlite.connection import Connection
from kb.store.sqlite.files import check_place, drafted, put_copy_beside

_COPIES_KEPT = 2
_memory_names = itertools.count(1)


class Database:
    """A knowledge-base file. Make one with `Database.open`; close it when done.

    ``notices`` are sentences about what was done to an older file.
    """

    def __init__(self, path: str, target: str) -> None:
        self.path = path
        self.notices: tuple[str, ...] = ()
        self._target = target
        self._local = threading.local()
        # A connection goes with its thread, which alone holds it.
        self._connections: weakref.WeakSet[Connection] = weakref.WeakSet()
        self._lock = threading.Lock()
        self._anchor: Connection | None = None

    @classmethod
    def open(cls, path: str, fill: Callable[[Database], None]) -> Database:
        """Open the file, or make it and let ``fill`` put in what it begins with."""
        if path == ":memory:":
            name = f"{driver.MEMORY}{os.getpid()}-{next(_memory_names)}?mode=memory&cache=shared"
            database = cls(path, name)
            database._anchor = database.connection  # it lasts as long as a connection does
            database.build(fill)
            return database
        check_place(path)
        if not Path(path).exists():
            cls._make(path, fill)
        database = cls(path, path)
        try:
            database._check()
        except BaseException:
            database.close()
            raise
        return database

    @property
    def connection(self) -> Connection:
        """This thread's connection: SQLite's must not be shared."""
        found: Connection | None = getattr(self._local, "connection", None)
        if found is None:
            try:
                found = Connection(driver.connect(self._target), self.path)
            except driver.SQLITE_ERRORS as error:
                raise driver.explain(error, self.path) from error
            self._local.connection = found
            with self._lock:
                self._connections.add(found)
        return found

    def copy_to(self, path: str) -> None:
        """Write a whole, closed copy of the file, even while others write to this one."""
        try:
            target = driver.connect(path)
            with contextlib.closing(target):
                self.connection.raw.backup(target)
                target.execute("PRAGMA journal_mode=DELETE")
        except driver.SQLITE_ERRORS as error:
            raise driver.explain(error, self.path) from error

    def close(self) -> None:
        """Close the connections of all threads."""
        with self._lock:
            for connection in self._connections:
                connection.close()
            self._connections.clear()
        self._local, self._anchor = threading.local(), None

    @classmethod
    def _make(cls, path: str, fill: Callable[[Database], None]) -> None:
        """Build a new file beside its place and link it there whole."""
        with drafted(path) as draft, contextlib.closing(cls(path, draft)) as new:
            new.build(fill)
            new.connection.run(f"PRAGMA journal_mode={driver.journal_mode()}")

    def build(self, fill: Callable[[Database], None]) -> None:
        """Make the tables of an empty file, and what is in them."""
        with self.connection.transaction():
            schema.migrate(self.connection)
        fill(self)

    def _check(self) -> None:
        """Refuse what is not ours, newer or cut short; bring an older file up to date."""
        connection = self.connection
        tables = connection.value("SELECT count(*) FROM sqlite_master")
        if tables and connection.value("PRAGMA application_id") != schema.APPLICATION_ID:
            raise BadDatabase(
                f"{self.path}: this is a database of another program",
                "Name another file with --db; this one was not touched.",
            )
        version = connection.value("PRAGMA user_version")
        if version > schema.VERSION:
            raise BadDatabase(
                f"{self.path}: made by a newer danesh (format {version}, this one knows "
                f"{schema.VERSION})",
                "Upgrade danesh, or name another file with --db.",
            )
        if version < schema.VERSION:
            self._migrate(version)

    def _migrate(self, version: int) -> None:
        """Bring an older file up to date, once a verified copy of it lies beside it."""
        name = f"before-format-{schema.VERSION}"
        copy = put_copy_beside(self.path, name, _COPIES_KEPT, self._copy_verified)
        with self.connection.transaction():
            # Another program may have been faster.
            if self.connection.value("PRAGMA user_version") < schema.VERSION:
                schema.migrate(self.connection)
        self.notices = (
            (
                f"{self.path} was brought from format {version} to {schema.VERSION}; "
                f"as it was before it lies in {copy}"
            ),
        )

    def _copy_verified(self, path: str) -> None:
        self.copy_to(path)
        with contextlib.closing(Connection(driver.connect(path, read_only=True), path)) as copy:
            if copy.value("PRAGMA quick_check(1)") != "ok":
                raise driver.damaged(self.path)
            for table in self._tables():
                count = f'SELECT count(*) FROM "{table}"'
                if copy.value(count) != self.connection.value(count):
                    raise driver.damaged(path)

    def _tables(self) -> Iterator[str]:
        for (name,) in self.connection.rows(schema.TABLES):
            yield name


__all__ = ["Database"]

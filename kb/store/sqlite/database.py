"""One knowledge-base file: made whole or not at all, a connection for each thread."""

from __future__ import annotations

import contextlib
import itertools
import os
import threading
from collections.abc import Callable, Iterator
from pathlib import Path

from kb.errors import BadDatabase
from kb.store.sqlite import schema
from kb.store.sqlite.driver import MEMORY, SQLITE_ERRORS, Connection, connect, explain, journal_mode

CONTENT_KEY = "content"
"""Under which a file remembers the bundled content it holds, or `NO_CONTENT`."""

NO_CONTENT = "none"
FINGERPRINT_KEY = "analyzer"
"""Under which a file remembers the analyzer its index was made by."""

GLOSSARY_KEY = "glossary"
"""Under which a file remembers the glossary it holds."""

_memory_names = itertools.count(1)


class Database:
    """A knowledge-base file. Make one with `Database.open`; close it when done."""

    def __init__(self, path: str, target: str) -> None:
        self.path = path
        self._target = target
        self._local = threading.local()
        self._connections: list[Connection] = []
        self._lock = threading.Lock()

    @classmethod
    def open(cls, path: str, fill: Callable[[Database], None]) -> Database:
        """Open the file, or make it and let ``fill`` put in what it begins with.

        A new file is built beside its place and linked there when it is whole, so
        nobody ever sees half of one, and of two programs that make it at once one wins.
        """
        if path == ":memory:":
            name = f"{MEMORY}{os.getpid()}-{next(_memory_names)}?mode=memory&cache=shared"
            database = cls(path, name)
            database.build(fill)
            return database
        _check_place(path)
        if not Path(path).exists():
            _make(cls, path, fill)
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
        found = getattr(self._local, "connection", None)
        if found is None:
            with self.errors():
                found = connect(self._target)
            self._local.connection = found
            with self._lock:
                self._connections.append(found)
        return found

    @contextlib.contextmanager
    def errors(self) -> Iterator[None]:
        """Turn every error of SQLite into one of ours."""
        try:
            yield
        except SQLITE_ERRORS as error:
            raise explain(error, self.path) from error

    @contextlib.contextmanager
    def writing(self) -> Iterator[Connection]:
        """Hold the write lock for a transaction; commit at the end, or change nothing.

        Raises `Conflict` when another program keeps the lock for long.
        """
        connection = self.connection
        with self.errors():
            connection.execute("BEGIN IMMEDIATE")
            try:
                yield connection
                connection.execute("COMMIT")
            except BaseException:
                # A full disk ends the transaction by itself.
                if connection.in_transaction:
                    connection.execute("ROLLBACK")
                raise

    def meta(self, key: str) -> str | None:
        """Return what the file remembers under ``key``."""
        row = self.connection.execute("SELECT value FROM meta WHERE key = ?", (key,)).fetchone()
        return None if row is None else str(row[0])

    def copy_to(self, path: str) -> None:
        """Write a whole, closed copy of the file, even while others write to this one."""
        with self.errors():
            target = connect(path)
            try:
                self.connection.backup(target)
                target.execute("PRAGMA journal_mode=DELETE")
            finally:
                target.close()

    def close(self) -> None:
        """Close the connections of all threads."""
        with self._lock:
            for connection in self._connections:
                connection.close()
            self._connections.clear()
        self._local = threading.local()

    def build(self, fill: Callable[[Database], None]) -> None:
        """Make the tables of a new file, and let ``fill`` put in what it begins with."""
        with self.writing() as connection:
            schema.migrate(connection)
        fill(self)

    def _check(self) -> None:
        """Refuse what is not ours, newer or cut short; bring an older file up to date."""
        with self.errors():
            connection = self.connection
            tables = connection.execute("SELECT count(*) FROM sqlite_master").fetchone()[0]
            mark = connection.execute("PRAGMA application_id").fetchone()[0]
            version = connection.execute("PRAGMA user_version").fetchone()[0]
        if tables and mark != schema.APPLICATION_ID:
            raise BadDatabase(
                f"{self.path}: this is a database of another program",
                "Name another file with --db; this one was not touched.",
            )
        if version > schema.VERSION:
            raise BadDatabase(
                f"{self.path}: made by a newer danesh (format {version}, this one knows "
                f"{schema.VERSION})",
                "Upgrade danesh, or name another file with --db.",
            )
        if version < schema.VERSION:
            with self.writing() as connection:
                schema.migrate(connection)


def put_meta(connection: Connection, key: str, value: str) -> None:
    """Remember ``value`` under ``key``, within the caller's transaction."""
    connection.execute(
        "INSERT INTO meta (key, value) VALUES (?, ?) "
        "ON CONFLICT (key) DO UPDATE SET value = excluded.value",
        (key, value),
    )


def _make(kind: type[Database], path: str, fill: Callable[[Database], None]) -> None:
    """Build a new file beside its place and link it there whole."""
    draft = f"{path}.{os.getpid()}-{threading.get_ident()}.new"
    new = kind(path, draft)
    try:
        with new.errors():
            Path(path).absolute().parent.mkdir(parents=True, exist_ok=True)
            new.build(fill)
            new.connection.execute(f"PRAGMA journal_mode={journal_mode()}")
        new.close()
        with contextlib.suppress(FileExistsError):
            _place(draft, path)
    except OSError as error:
        reason = error.strerror or str(error)
        raise BadDatabase(
            f"{path}: the database cannot be made there ({reason})",
            "Name a file in a folder you may write to with --db.",
        ) from error
    finally:
        new.close()
        for left in (draft, f"{draft}-wal", f"{draft}-shm", f"{draft}-journal"):
            with contextlib.suppress(OSError):
                os.unlink(left)


def _place(draft: str, path: str) -> None:
    """Give the finished file its name, unless another program was first."""
    try:
        os.link(draft, path)
    except FileExistsError:
        raise
    except OSError:  # a file system without hard links
        if not Path(path).exists():
            os.rename(draft, path)


def _check_place(path: str) -> None:
    """Look at the file before SQLite does, for what SQLite only finds out later."""
    if "\0" in path:
        raise BadDatabase(f"{path!r}: this is not a file name")
    place = Path(path)
    try:
        if place.is_dir():
            raise BadDatabase(f"{path}: this is a folder, not a database", "Name a file with --db.")
        if not place.exists():
            return
        if not place.is_file():
            raise BadDatabase(f"{path}: this is not a file", "Name a file with --db.")
        with place.open("rb") as file:
            header = file.read(100)
        size = place.stat().st_size
    except OSError as error:
        reason = error.strerror or str(error)
        raise BadDatabase(f"{path}: the database cannot be read ({reason})") from error
    if size and not header.startswith(b"SQLite format 3\0"):
        raise explain(Exception("file is not a database"), path)
    # What is missing may lie in a journal beside the file, which SQLite reads by itself.
    journal = any(Path(path + end).exists() for end in ("-wal", "-journal"))
    if size and not journal and (len(header) < 100 or size < _bytes_promised(header)):
        raise explain(Exception("malformed: cut short"), path)
    if not size:
        raise BadDatabase(
            f"{path}: the file is empty", "Remove it, or name another file with --db."
        )


def _bytes_promised(header: bytes) -> int:
    """Return the size the header speaks of: page size (offset 16) by pages (offset 28)."""
    page = int.from_bytes(header[16:18], "big")
    return (65536 if page == 1 else page) * int.from_bytes(header[28:32], "big")


__all__ = ["Database", "put_meta"]

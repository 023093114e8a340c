"""One thread's connection to a file: every statement goes through here, and so does every error."""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from kb.errors import KbError
from kb.store.sqlite.driver import BUSY_SECONDS, SQLITE_ERRORS, RawConnection, explain, is_busy
from kb.store.sqlite.place import Place
from kb.store.sqlite.turns import Turns
from kb.work import STEPS, Budget, undisturbed

Row = Mapping[str, Any]
_MOMENT = 25  # milliseconds
_ROWS_AHEAD = 100
_ROOM = -(64 << 10)  # KiB


class Surroundings(NamedTuple):
    """What all connections to a file share: where it lies, and who writes next."""

    place: Place | None
    turns: Turns

    def check(self) -> None:
        """Raise `Replaced` where the file is no more the one that was opened."""
        if self.place is not None:
            self.place.check()


ALONE = Surroundings(None, Turns(None))


class Connection:
    """A connection that closes with the thread it belongs to; its errors are ours."""

    def __init__(self, raw: RawConnection, path: str, surroundings: Surroundings = ALONE) -> None:
        self.raw = raw
        self.path = path
        self.moment: dict[str, object] = {}
        """What was learnt of the file within the present `snapshot`; gone at its end."""
        self.writing = False
        """Whether it holds the write lock: what it then sees may yet be rolled back."""
        self.limit: KbError | None = None
        """Why nothing can be written through it, if so."""
        self._around = surroundings

    def rows(self, sql: str, values: Sequence[object] = ()) -> list[Any]:
        """Return all rows of a statement."""
        try:
            found: list[Any] = self.raw.execute(sql, values).fetchall()
        except SQLITE_ERRORS as error:
            raise explain(error, self.path) from error
        return found

    def stream(self, sql: str, values: Sequence[object] = ()) -> Iterator[Any]:
        """Yield the rows of a statement as they come."""
        try:
            cursor = self.raw.execute(sql, values)
            while many := cursor.fetchmany(_ROWS_AHEAD):
                yield from many
        except SQLITE_ERRORS as error:
            raise explain(error, self.path) from error

    def row(self, sql: str, values: Sequence[object] = ()) -> Any | None:
        """Return the first row of a statement, or nothing."""
        try:
            return self.raw.execute(sql, values).fetchone()
        except SQLITE_ERRORS as error:
            raise explain(error, self.path) from error

    def value(self, sql: str, values: Sequence[object] = ()) -> Any:
        """Return the first value of the first row, or nothing."""
        row = self.row(sql, values)
        return None if row is None else row[0]

    def run(self, sql: str, values: Sequence[object] = ()) -> int:
        """Carry out a statement that returns nothing; return the number of the row it added."""
        try:
            return int(self.raw.execute(sql, values).lastrowid or 0)
        except SQLITE_ERRORS as error:
            raise explain(error, self.path) from error

    def run_many(self, sql: str, rows: Iterable[Sequence[object]]) -> None:
        """Carry out a statement for each of these rows of values."""
        try:
            self.raw.executemany(sql, rows)
        except SQLITE_ERRORS as error:
            raise explain(error, self.path) from error

    def insert(self, table: str, values: Mapping[str, Any]) -> int:
        """Add a row; tables and columns are names of the schema."""
        return self.run(_insertion(table, values), tuple(values.values()))

    def insert_many(self, table: str, rows: Sequence[Mapping[str, Any]]) -> None:
        """Add rows, all of the same columns."""
        if rows:
            self.run_many(_insertion(table, rows[0]), (tuple(row.values()) for row in rows))

    def upsert(self, table: str, values: Mapping[str, Any], keys: tuple[str, ...]) -> None:
        """Add a row, or renew the one with these keys."""
        self.upsert_many(table, tuple(values), (tuple(values.values()),), keys)

    def upsert_many(
        self,
        table: str,
        columns: Sequence[str],
        rows: Iterable[Sequence[object]],
        keys: tuple[str, ...],
    ) -> None:
        """Add rows of these columns, or renew those with these keys."""
        renewed = ", ".join(f'"{n}" = excluded."{n}"' for n in columns if n not in keys)
        added = _insertion(table, columns)
        sql = f"{added} ON CONFLICT ({', '.join(keys)}) DO UPDATE SET {renewed}"
        self.run_many(sql, rows)

    @contextlib.contextmanager
    def transaction(self) -> Iterator[None]:
        """Hold the write lock; commit at the end, or change nothing.

        Raises `Conflict` where another keeps the lock, `Replaced` where the file is no more the
        one that was opened: then what was written did not reach it.
        """
        self._around.check()
        if self.limit is not None:
            raise self.limit
        self._around.turns.take(self._begin)
        try:
            self._around.check()
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
        self._around.check()

    @contextlib.contextmanager
    def without_references(self) -> Iterator[None]:
        """Let tables that others refer to be made anew in the transactions within."""
        self.run("PRAGMA foreign_keys=OFF")
        try:
            yield
        finally:
            self.run("PRAGMA foreign_keys=ON")

    def _begin(self) -> bool:
        """Take the write lock, unless it is held for longer than a moment."""
        self.run(f"PRAGMA busy_timeout={_MOMENT}")
        try:
            self.raw.execute("BEGIN IMMEDIATE")
        except SQLITE_ERRORS as error:
            if is_busy(error):
                return False
            raise explain(error, self.path) from error
        finally:
            self.run(f"PRAGMA busy_timeout={BUSY_SECONDS * 1000}")
        return True

    @contextlib.contextmanager
    def snapshot(self) -> Iterator[None]:
        """Read within what is there at one moment, whoever writes meanwhile."""
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
        """Within a transaction, change all that follows or nothing of it."""
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
        """Stop the statements within that take far more steps than there is budget."""
        self.raw.set_progress_handler(budget.stops, STEPS)
        try:
            with undisturbed():
                yield
        finally:
            self.raw.set_progress_handler(None, 0)

    @contextlib.contextmanager
    def roomy(self) -> Iterator[None]:
        """Keep more of the file in memory meanwhile: long work meets the same pages again."""
        before = int(self.value("PRAGMA cache_size"))
        self.run(f"PRAGMA cache_size={_ROOM}")
        try:
            yield
        finally:
            with contextlib.suppress(KbError):
                self.run(f"PRAGMA cache_size={before}")

    def checkpoint(self) -> None:
        """Bring what is written into the file itself. Closing does so, too, but hides a failure."""
        self.run("PRAGMA wal_checkpoint(TRUNCATE)")

    def languages_of(self, table: str) -> list[str]:
        """Return the languages that the rows of a table are in, a step for each of them."""
        sql = f"""
            WITH RECURSIVE langs(lang) AS (
                SELECT min(lang) FROM {table}
                UNION ALL SELECT (SELECT min(lang) FROM {table} WHERE {table}.lang > langs.lang)
                FROM langs WHERE langs.lang IS NOT NULL
            ) SELECT lang FROM langs WHERE lang IS NOT NULL
        """
        return [row[0] for row in self.rows(sql)]

    def close(self) -> None:
        """Close it, from whatever thread."""
        self.raw.close()

    def __del__(self) -> None:
        with contextlib.suppress(*SQLITE_ERRORS):
            self.raw.close()


def _insertion(table: str, names: Collection[str]) -> str:
    columns = ", ".join(f'"{name}"' for name in names)
    return f'INSERT INTO "{table}" ({columns}) VALUES ({", ".join("?" * len(names))})'

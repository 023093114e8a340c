"""Another program's SQLite file, read and never obeyed.

A database can hold views, triggers, virtual tables and columns that are computed when they are
read. None of them is asked: each table that is read must be a plain one, with the columns that
are wanted, and a statement may take so many steps and no more.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from kb import limits
from kb.errors import BadData

_PRAGMAS = (
    "query_only=ON",
    "trusted_schema=OFF",
    "cell_size_check=ON",
    "mmap_size=0",
    "temp_store=FILE",
    "cache_size=-8000",
)
_STEPS_BETWEEN = 100_000
_STORED = 0
"""What ``table_xinfo`` says of a column that is neither hidden nor computed."""


class Database:
    """A database whose tables are read row by row; ``name`` is what messages call it."""

    def __init__(self, connection: sqlite3.Connection, name: str) -> None:
        self._connection = connection
        self._name = name
        self._known: dict[str, frozenset[str]] = {}

    def has(self, table: str, *columns: str) -> bool:
        """Say whether there is a plain table of that name with these columns."""
        if table not in self._known:
            self._known[table] = frozenset(self._columns(table))
        return bool(columns) and self._known[table].issuperset(columns)

    def demand(self, table: str, *columns: str) -> None:
        """Raise `BadData` unless there is a plain table of that name with these columns."""
        if not self.has(table, *columns):
            said = f"has no table '{table}' as Anki's collections have it"
            raise BadData(f"{self._name}: {said}", "Export the deck again.")

    def rows(self, statement: str, *values: object) -> Iterator[Sequence[Any]]:
        """Yield the rows of a statement. Raises `BadData` where the file is damaged.

        A cell is a number, a text or nothing; one that holds no UTF-8 text is `bytes`.
        """
        steps = limits.STEPS // _STEPS_BETWEEN

        def stops() -> bool:
            nonlocal steps
            steps -= 1
            return steps < 0

        self._connection.set_progress_handler(stops, _STEPS_BETWEEN)
        try:
            yield from self._connection.execute(statement, values)
        except (sqlite3.Error, OverflowError, MemoryError, UnicodeError) as error:
            # SQLite's own messages repeat the words of a damaged schema, whatever these are.
            said = "asks for too much work" if steps < 0 else f"cannot be read ({error})"
            raise BadData(
                f"{self._name}: the collection {said}", "Export the deck again."
            ) from error

    def _columns(self, table: str) -> Iterator[str]:
        """Yield the columns of a table that are stored; of a view or a virtual table none."""
        made = "SELECT type, rootpage FROM sqlite_master WHERE name = ? COLLATE NOCASE"
        found = list(self.rows(made, table))
        if len(found) != 1 or found[0][0] != "table" or not found[0][1]:
            return
        for _, name, *_, hidden in self.rows(f"PRAGMA table_xinfo({table})"):
            if hidden == _STORED and isinstance(name, str):
                yield name.lower()


@contextmanager
def opened(file: Path, name: str) -> Iterator[Database]:
    """Open a file that nobody else changes, to be read alone. Raises `BadData`."""
    try:
        connection = sqlite3.connect(
            f"{file.absolute().as_uri()}?mode=ro&immutable=1", uri=True, isolation_level=None
        )
    except sqlite3.Error as error:
        raise BadData(f"{name}: the collection cannot be opened ({error})") from error
    try:
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, limits.CELLS)
        connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
        connection.text_factory = _text
        connection.create_collation("unicase", _in_order)
        database = Database(connection, name)
        for pragma in _PRAGMAS:
            list(database.rows(f"PRAGMA {pragma}"))
        yield database
    finally:
        connection.close()


def _text(data: bytes) -> str | bytes:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data


def _in_order(one: str, other: str) -> int:
    """Order texts as Anki's collation does, near enough for reading: letters of any case alike."""
    first, second = one.casefold(), other.casefold()
    return (first > second) - (first < second)

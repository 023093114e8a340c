"""The command line with one protection taken away: what the controls run.

``python -m tests.robustness.spoiled NAME …`` is ``kb …`` spoilt in the way of that name.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Callable, Iterator
from typing import Any

from kb.cli.main import run
from kb.errors import BadDatabase
from kb.service import exporting
from kb.store.sqlite import driver
from kb.store.sqlite.driver import Connection


def without_transactions() -> None:
    """Let every statement be for itself, and an export be written where it goes."""

    @contextlib.contextmanager
    def none(self: Connection) -> Iterator[None]:
        yield

    Connection.transaction = none  # type: ignore[method-assign]


def without_syncs() -> None:
    """Let nothing wait for the disk."""
    connect = driver.connect

    def careless(*args: Any, **options: Any) -> Any:
        connection = connect(*args, **options)
        connection.execute("PRAGMA synchronous=OFF")
        return connection

    driver.connect = careless
    os.fsync = lambda number: None


def without_errors() -> None:
    """Let the command go on where a statement or an export fails."""
    run_statement, deliver = Connection.run, exporting.deliver

    def heedless(self: Connection, *args: Any) -> int:
        with contextlib.suppress(BadDatabase):
            return run_statement(self, *args)
        return 0

    Connection.run = heedless  # type: ignore[method-assign]

    def heedlessly(*args: Any, **options: Any) -> None:
        with contextlib.suppress(Exception):
            deliver(*args, **options)

    exporting.deliver = heedlessly  # type: ignore[assignment]


def without_waiting() -> None:
    """Let a transaction begin by reading, and be refused at once where another writes."""

    def begin(self: Connection) -> bool:
        self.run("PRAGMA busy_timeout=0")
        self.run("BEGIN")
        return True

    Connection._begin = begin  # type: ignore[method-assign]


SPOILS: dict[str, Callable[[], None]] = {
    "transactions": without_transactions,
    "syncs": without_syncs,
    "errors": without_errors,
    "waiting": without_waiting,
}

if __name__ == "__main__":
    SPOILS[sys.argv[1]]()
    sys.exit(run(sys.argv[2:]))

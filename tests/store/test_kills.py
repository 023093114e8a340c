"""Killed at whatever statement, a base is as before the work or as after it, and goes on.

``python -m tests.store.kills --kills 1000`` kills as often as one wants.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

from kb.store.sqlite.connection import Connection
from tests.store.kills import WORKS, kill_many


def test_work_that_is_killed_is_done_whole_or_not_at_all_and_can_be_taken_up(
    tmp_path: Path,
) -> None:
    assert kill_many(2 * len(WORKS), 1, tmp_path) == []


@contextlib.contextmanager
def _none(self: Connection) -> Iterator[None]:
    yield


def _without_transactions() -> None:
    """Let every statement be for itself, in the process that is killed."""
    Connection.transaction = _none  # type: ignore[method-assign]


def test_a_change_without_a_transaction_is_found(tmp_path: Path) -> None:
    assert kill_many(9, 1, tmp_path, ["move", "rm", "edit"], _without_transactions)

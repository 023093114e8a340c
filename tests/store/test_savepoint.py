"""What a savepoint must hold where its transaction is ended by a full disk."""

from __future__ import annotations

import pytest

from kb import Library
from kb.errors import BadDatabase
from tests.behind import raw


def test_a_disk_that_is_full_within_a_savepoint_is_told_as_what_it_is(empty: Library) -> None:
    store = empty._base.store
    pages = raw(empty).execute("PRAGMA page_count").fetchone()[0]
    raw(empty).execute(f"PRAGMA max_page_count = {pages + 2}")
    with (
        pytest.raises(BadDatabase, match="the disk is full"),
        store.transaction(),
        store.connection.savepoint(),
    ):
        for number in range(2000):
            store.meta.put(f"key {number}", "x" * 4000)
    assert not raw(empty).in_transaction


def test_a_transaction_that_ended_within_a_savepoint_hides_no_cause(empty: Library) -> None:
    store = empty._base.store
    with pytest.raises(ZeroDivisionError), store.transaction(), store.connection.savepoint():
        raw(empty).execute("ROLLBACK")  # as SQLite does on a full disk
        raise ZeroDivisionError


def test_what_follows_a_savepoint_that_failed_is_kept(empty: Library) -> None:
    store = empty._base.store
    with store.transaction():
        with pytest.raises(ZeroDivisionError), store.connection.savepoint():
            store.meta.put("one", "1")
            raise ZeroDivisionError
        store.meta.put("two", "2")
    assert (store.meta.get("one"), store.meta.get("two")) == (None, "2")

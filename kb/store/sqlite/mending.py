"""Rows that speak of others that are missing: found, and mended."""

from __future__ import annotations

from collections import Counter

from kb.store.sqlite.connection import Connection


def orphans(connection: Connection) -> dict[str, int]:
    """Return how many rows speak of others that are missing, by their tables."""
    return dict(Counter(row[0] for row in connection.rows("PRAGMA foreign_key_check")))


def mend_orphans(connection: Connection) -> None:
    """Let no row speak of one that is missing; the caller holds the transaction.

    An entry gets its collection back, as the last one. Of what belongs to nothing any more the
    row goes; what belonged to that goes with it.
    """
    connection.run(
        "INSERT INTO collection (id, title, position, layer) "
        "SELECT name, '{}', (SELECT coalesce(max(position), 0) FROM collection) + "
        "row_number() OVER (ORDER BY name), 0 FROM (SELECT DISTINCT collection AS name "
        "FROM entry WHERE collection NOT IN (SELECT id FROM collection))"
    )
    while found := connection.rows("PRAGMA foreign_key_check"):
        for table, rowid, *_ in found:
            connection.run(f'DELETE FROM "{table}" WHERE rowid = ?', (rowid,))

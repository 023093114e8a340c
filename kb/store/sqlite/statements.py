"""The two statements that write a row; tables and columns are names of the schema."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kb.store.sqlite.driver import Connection


def insert(connection: Connection, table: str, values: Mapping[str, Any]) -> Any:
    """Add a row."""
    columns = ", ".join(f'"{name}"' for name in values)
    marks = ", ".join("?" * len(values))
    sql = f'INSERT INTO "{table}" ({columns}) VALUES ({marks})'
    return connection.execute(sql, tuple(values.values()))


def upsert(
    connection: Connection, table: str, values: Mapping[str, Any], keys: tuple[str, ...]
) -> None:
    """Add a row, or renew the one with these keys."""
    columns = ", ".join(f'"{name}"' for name in values)
    marks = ", ".join("?" * len(values))
    renewed = ", ".join(f'"{n}" = excluded."{n}"' for n in values if n not in keys)
    connection.execute(
        f'INSERT INTO "{table}" ({columns}) VALUES ({marks}) '
        f"ON CONFLICT ({', '.join(keys)}) DO UPDATE SET {renewed}",
        tuple(values.values()),
    )

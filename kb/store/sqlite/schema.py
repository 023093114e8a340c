"""The tables, made and migrated by the parts of ``schema.sql``."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

from kb.store.sqlite.driver import Connection, Explained, sqlite3
from kb.store.sqlite.files import APPLICATION_ID, VERSION

if TYPE_CHECKING:
    from sqlite_utils import Database


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
    with Explained(connection.path):
        migrations.apply(Database(connection.raw, use_old_upsert=False))
        if untitled:
            fill_titles(connection.raw)
    connection.run(f"PRAGMA user_version = {VERSION}")
    connection.run(f"PRAGMA application_id = {APPLICATION_ID}")


def _parts() -> Iterator[tuple[str, str]]:
    """Yield the names of migrations with their statements."""
    text = Path(__file__).with_suffix(".sql").read_text(encoding="utf-8")
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

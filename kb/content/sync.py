"""The bundled content into a database: what changed is renewed, what a user added stays."""

from __future__ import annotations

import contextlib
from pathlib import Path

from kb.content.place import stamp
from kb.errors import Conflict, ReadOnly
from kb.model import Entry, Progress
from kb.store import entries, queries
from kb.store.database import CONTENT_KEY, FINGERPRINT_KEY, NO_CONTENT, Database, put_meta
from kb.store.driver import Connection
from kb.text.fingerprint import FINGERPRINT


def fill(database: Database, folder: Path | None, progress: Progress | None = None) -> None:
    """Put the bundled content into a new database; without a folder it stays empty for good."""
    if folder is not None:
        _write(database, folder, progress)
        return
    with database.writing() as connection:
        put_meta(connection, CONTENT_KEY, NO_CONTENT)
        put_meta(connection, FINGERPRINT_KEY, FINGERPRINT)


def refresh(database: Database, folder: Path | None, progress: Progress | None = None) -> None:
    """Renew the index if the analyzer changed, and the content if ``folder`` did.

    A database that cannot be written keeps what it has.
    """
    with database.errors():
        known = database.meta(CONTENT_KEY)
        analyzer = database.meta(FINGERPRINT_KEY)
    try:
        if analyzer != FINGERPRINT:
            from kb.store import index

            with database.writing() as connection:
                index.rebuild(connection, progress)
        if folder is not None and known not in (NO_CONTENT, stamp(folder)):
            _write(database, folder, progress)
    except ReadOnly:
        return


def _write(database: Database, folder: Path, progress: Progress | None) -> None:
    """Store the content in one transaction; entries of ours that are gone are removed.

    An entry whose name a user has taken is left out, and so is one with a snippet or an
    annotation whose name is taken: theirs stays.
    """
    from kb.content.bundle import read_content

    mark, content = stamp(folder), read_content(folder)
    with database.writing() as connection:
        entries.put_sources(connection, content.sources)
        for name, title in content.collections.items():
            entries.put_collection(connection, name, title)
        users = queries.owned(connection, "user")
        ours = queries.owned(connection, "bundled")
        for position, entry in enumerate(content.entries):
            if entry.id not in users:
                with contextlib.suppress(Conflict):
                    _put(connection, entry, position)
            if progress is not None:
                progress(position + 1, len(content.entries))
        for gone in sorted(ours - {entry.id for entry in content.entries}):
            entries.remove_entry(connection, gone)
        entries.drop_unused(connection)
        put_meta(connection, CONTENT_KEY, mark)
        put_meta(connection, FINGERPRINT_KEY, FINGERPRINT)


def _put(connection: Connection, entry: Entry, position: int) -> None:
    """Store an entry whole, or leave the database as it was."""
    connection.execute("SAVEPOINT entry")
    try:
        entries.put_entry(connection, entry, "bundled", position)
    except Conflict:
        connection.execute("ROLLBACK TO entry")
        raise
    finally:
        connection.execute("RELEASE entry")

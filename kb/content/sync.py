"""The bundled content into a database: what changed is renewed, what a user added stays."""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Sequence
from pathlib import Path

from kb.content.place import GLOSSARY_FILE, stamp
from kb.errors import Conflict, ReadOnly
from kb.model import Entry, Progress
from kb.store import entries, glossary, queries
from kb.store.database import CONTENT_KEY, FINGERPRINT_KEY, NO_CONTENT, Database, put_meta
from kb.store.driver import Connection
from kb.text.fingerprint import FINGERPRINT

_GLOSSARY_KEY = "glossary"


def fill(database: Database, folder: Path, bundled: bool, progress: Progress | None = None) -> None:
    """Put into a new database the glossary and, if ``bundled``, the entries of a folder.

    Without them it stays without for good.
    """
    if bundled:
        _write(database, folder, progress)
    with database.writing() as connection:
        _put_glossary(connection, folder)
        if not bundled:
            put_meta(connection, CONTENT_KEY, NO_CONTENT)
            put_meta(connection, FINGERPRINT_KEY, FINGERPRINT)


def refresh(
    database: Database, folder: Path, bundled: bool, progress: Progress | None = None
) -> None:
    """Renew the index if the analyzer changed, and the content if ``folder`` did.

    A database that cannot be written keeps what it has.
    """
    with database.errors():
        content, analyzer = database.meta(CONTENT_KEY), database.meta(FINGERPRINT_KEY)
        terms = database.meta(_GLOSSARY_KEY)
    try:
        if analyzer != FINGERPRINT:
            from kb.store import index

            with database.writing() as connection:
                glossary.renew_stems(connection)
                index.rebuild(connection, progress)
        if bundled and content not in (NO_CONTENT, stamp(folder)):
            _write(database, folder, progress)
        if terms != _glossary_stamp(folder):
            with database.writing() as connection:
                _put_glossary(connection, folder)
    except ReadOnly:
        return


def _put_glossary(connection: Connection, folder: Path) -> None:
    """Store the glossary that comes with danesh in place of the one that is stored."""
    mark = _glossary_stamp(folder)
    glossary.put_names(connection, _glossary_names(folder, mark), glossary.BUNDLED)
    put_meta(connection, _GLOSSARY_KEY, mark)


@functools.lru_cache(maxsize=1)
def _glossary_names(folder: Path, mark: str) -> Sequence[glossary.Row]:
    """Return the rows of the bundled glossary; they are analysed once in a process."""
    from kb.content.glossary import read_glossary
    from kb.content.mistakes import Mistakes

    return glossary.rows_of(read_glossary(folder / GLOSSARY_FILE, Mistakes()))


def _glossary_stamp(folder: Path) -> str:
    """Return what changes when the glossary or its analysis does."""
    file = folder / GLOSSARY_FILE
    status = file.stat() if file.exists() else None
    size, when = (status.st_size, status.st_mtime_ns) if status else (0, 0)
    return f"{size} {when} {FINGERPRINT}"


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

"""The bundled content written into a database: what changed is renewed, what a user added stays.

A ``mark`` tells which content, or which glossary, a database then holds.
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Sequence
from pathlib import Path

from kb.content.folder import read_content
from kb.content.glossary import read_glossary
from kb.content.location import GLOSSARY_FILE
from kb.content.mistakes import Mistakes
from kb.errors import Conflict
from kb.index.fts5 import index
from kb.records import Entry, Progress
from kb.store.sqlite import entries, glossary, queries
from kb.store.sqlite.database import CONTENT_KEY, FINGERPRINT_KEY, GLOSSARY_KEY, Database, put_meta
from kb.store.sqlite.driver import Connection
from kb.text.fingerprint import FINGERPRINT


def write_index(database: Database, progress: Progress) -> None:
    """Make the index anew, and the stems of the glossary."""
    progress(0, 0)
    with database.writing() as connection:
        glossary.renew_stems(connection)
        index.rebuild(connection, progress)


def write_glossary(database: Database, folder: Path, mark: str, progress: Progress) -> None:
    """Store the glossary that comes with danesh in place of the one that is stored."""
    progress(0, 0)
    names = _glossary_names(folder, mark)
    progress(0, 0)
    with database.writing() as connection:
        glossary.put_names(connection, names, glossary.BUNDLED)
        put_meta(connection, GLOSSARY_KEY, mark)


@functools.lru_cache(maxsize=1)
def _glossary_names(folder: Path, mark: str) -> Sequence[glossary.Row]:
    """Return the rows of the bundled glossary; they are analysed once in a process."""
    return glossary.rows_of(read_glossary(folder / GLOSSARY_FILE, Mistakes()))


def write_content(database: Database, folder: Path, mark: str, progress: Progress) -> None:
    """Store the content in one transaction; entries of ours that are gone are removed.

    An entry whose name a user has taken is left out, and so is one with a snippet or an
    annotation whose name is taken: theirs stays.
    """
    content = read_content(folder, progress=progress)
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

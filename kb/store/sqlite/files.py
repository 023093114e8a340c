"""Database files: checked before SQLite opens them, created and replaced, with their journals."""

from __future__ import annotations

import contextlib
import glob
import os
import re
import shutil
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from kb.disk import (
    SCRATCH,
    lock_holders,
    make_private,
    scratch_of,
    sweep,
    sweep_named_folders,
    sync_file,
    sync_folder,
)
from kb.errors import BadDatabase, Conflict, KbError, Message
from kb.store.sqlite import driver
from kb.store.sqlite.driver import Connection, is_open_here
from kb.store.sqlite.locking import told_of

MAGIC = b"SQLite format 3\0"
APPLICATION_ID = 0x64616E65
"""Identifies our files (``dane``) in SQLite's header."""

VERSION = 20
"""The version of the tables in ``schema.sql``, stored as ``user_version``."""

SIDE_FILES = ("-wal", "-shm", "-journal")
"""The suffixes of SQLite's files beside a database."""
_DRAFT = rf"\.(?P<pid>\d+)-\d+\.new({'|'.join(SIDE_FILES)})?"
_ANY_DRAFT = re.compile(f".+{_DRAFT}")


def check_place(path: str) -> None:
    """Reject an existing file that cannot be a database. Raises `BadDatabase`."""
    if "\0" in path:
        raise BadDatabase("{path!r}: this is not a file name", path=path)
    place = Path(path)
    try:
        if place.is_dir():
            raise BadDatabase(
                "this is a folder, not a database", "Name a file with --db.", place=path
            )
        for each in (path, *(f"{os.path.realpath(path)}{end}" for end in SIDE_FILES)):
            linked = each != path and os.path.islink(each)
            if linked or (os.path.exists(each) and not os.path.isfile(each)):
                raise BadDatabase("this is not a file", "Name a file with --db.", place=each)
        if (
            place.exists() and place.stat().st_size < 2
        ):  # a single byte is an empty database for SQLite, too
            raise BadDatabase(
                "this file is empty, not a database",
                "Create a database with 'kb init', or restore a copy with 'kb restore'.",
                place=path,
            )
    except OSError as error:
        reason = error.strerror or str(error)
        raise BadDatabase(
            "the database cannot be read ({reason})", place=path, reason=reason
        ) from error


def check_ours(connection: Connection, path: str) -> int:
    """Return the version of a file; 0 for an empty one.

    Raises `BadDatabase` for another program's file, and for one of a newer danesh.
    """
    tables = connection.value("SELECT count(*) FROM sqlite_master")
    if tables and connection.value("PRAGMA application_id") != APPLICATION_ID:
        raise BadDatabase(
            "this is a database of another program",
            "Name another file with --db. This one was not changed.",
            place=path,
        )
    version = int(connection.value("PRAGMA user_version"))
    if version > VERSION:
        raise BadDatabase(
            "needs a newer danesh (format {version}, this one reads {newest})",
            "Upgrade danesh, or name another file with --db.",
            place=path,
            version=version,
            newest=VERSION,
        )
    return version


def refuse_database(target: str | int, database: str | None = None) -> None:
    """Refuse to overwrite a database or a file that SQLite keeps beside one. Raises `Conflict`.

    ``target`` is a path, or the number of an open file. Files of the ``database`` in use are
    recognized under any name, those of other databases by name, even before they exist.
    """
    named = target if isinstance(target, str) else "the output"
    known = [] if database is None else [database, os.path.realpath(database)]
    if any(_same_file(target, path) for path in known):
        raise Conflict("this is the database itself", place=named)
    beside = any(_same_file(target, f"{path}{end}") for path in known for end in SIDE_FILES)
    if isinstance(target, str):  # the target of a name and, if it is a link, its own path
        folder, name = os.path.split(target.rstrip(os.sep))
        own = os.path.join(os.path.realpath(folder), name)
        beside = beside or any(map(_is_side_file, {os.path.realpath(target), own}))
    if beside:
        raise Conflict(
            "SQLite keeps this file beside a database", "Name another file.", place=named
        )


def _same_file(target: str | int, path: str) -> bool:
    try:
        return os.path.samestat(os.stat(target), os.stat(path))
    except OSError:
        return False


def _is_side_file(path: str) -> bool:
    """Return whether a path is a file that SQLite keeps beside an existing database."""
    ends = [end for end in SIDE_FILES if path.casefold().endswith(end)]
    return any(_is_database(path[: -len(end)]) for end in ends)


def _is_database(path: str) -> bool:
    if is_open_here(path):
        return True
    try:
        if not os.path.isfile(path):
            return False
        with open(path, "rb") as file:
            return file.read(len(MAGIC)) == MAGIC
    except OSError:
        return False


@contextmanager
def drafted(path: str) -> Iterator[str]:
    """Provide the name of an empty temporary file, which is deleted at the end.

    It is invisible until `place_new` or `place_over` renames it.
    """
    draft = f"{path}.{os.getpid()}-{threading.get_ident()}.new"
    try:
        Path(path).absolute().parent.mkdir(parents=True, exist_ok=True)
        make_private(draft)
    except OSError as error:
        raise _not_there(path, error) from error
    try:
        yield draft
    except FileExistsError:  # another was first to give a file this name
        raise
    except OSError as error:
        raise _not_there(path, error) from error
    finally:
        for left in (draft, *(f"{draft}{end}" for end in SIDE_FILES)):
            with contextlib.suppress(OSError):
                os.unlink(left)


def _not_there(path: str, error: OSError) -> BadDatabase:
    return BadDatabase(
        "the database cannot be created there ({error})",
        "Name a file in a folder you may write to with --db.",
        place=path,
        error=error.strerror or error,
    )


def drafts_of(name: str) -> re.Pattern[str]:
    """Return the temporary names for a database of this name and its copies."""
    return re.compile(rf"{re.escape(name)}(\..+)?{_DRAFT}")


def sweep_beside(path: str) -> None:
    """Delete what killed processes left beside a database.

    That includes its second name, if a restore was killed. A running one has a temporary file.
    """
    place = Path(path).absolute()
    for pattern in (drafts_of(place.name), told_of(place.name)):
        sweep(place.parent, pattern)
    sweep_named_folders(path, (_ANY_DRAFT, scratch_of(SCRATCH)))
    with contextlib.suppress(OSError):
        drafted = any(map(drafts_of(place.name).fullmatch, os.listdir(place.parent)))
        if place.stat().st_nlink > 1 and not drafted:
            for each in place.parent.glob(f"{glob.escape(place.name)}.before-restore-*"):
                if each.samefile(place):
                    each.unlink()


def place_new(draft: str, path: str) -> None:
    """Give a finished temporary file its name. Raises `FileExistsError` if the name is taken."""
    sync_file(draft)
    try:
        os.link(draft, path)
    except FileExistsError:
        raise
    except OSError:  # a file system without hard links
        if os.path.lexists(path):
            raise FileExistsError(path) from None
        os.rename(draft, path)
    sync_folder(Path(path).absolute().parent)


def has_journal(path: str) -> bool:
    """Return whether a journal beside a file may hold what is not in it."""
    ends = ("-wal", "-journal")
    return any(os.path.exists(path + end) and os.path.getsize(path + end) for end in ends)


def copy_with_journal(path: str, folder: str) -> str:
    """Copy a file and its journals into a folder; return the path of the copy."""
    copy = os.path.join(folder, "kb.db")
    for end in ("", "-wal", "-journal"):
        if os.path.exists(f"{path}{end}"):
            shutil.copyfile(f"{path}{end}", f"{copy}{end}")
    return copy


def is_absent(path: str) -> bool:
    """Return whether a file is missing or empty."""
    try:
        return not os.path.getsize(path)
    except (FileNotFoundError, NotADirectoryError):
        return True


def place_over(draft: str, path: str) -> None:
    """Replace a file with a finished temporary file, atomically."""
    sync_file(draft)
    os.replace(draft, path)
    sync_folder(Path(path).absolute().parent)


# The journals beside a database: whether one that was left there belongs to it.


_CONNECTED = 128  # of the -shm file: https://sqlite.org/walformat.html#wal_locks


def check_left(path: str) -> None:
    """Reject a database with another file's log from a killed session beside it.

    SQLite would write that log into the file. Raises `BadDatabase` with the remedy. Databases
    that others have open are skipped.
    """
    left = _size(f"{path}-wal") and not is_open_here(path)
    if left and lock_holders(f"{path}-shm", _CONNECTED) == [] and not is_whole(path, "read"):
        _refuse(path)


def _refuse(path: str) -> None:
    if is_whole(path, "still"):
        raise BadDatabase(
            "the journal {path}-wal is damaged or from another file; without it the database "
            "is intact",
            Message(
                "Move {path}-wal and {path}-shm away, or restore a copy with 'kb restore'.",
                path=path,
            ),
            place=path,
            path=path,
        )
    raise driver.damaged(path)


def is_whole(path: str, mode: driver.Mode) -> bool:
    """Return whether a file is intact with its journal or, if ``still``, without it.

    Nothing is changed.
    """
    with contextlib.suppress(KbError), driver.opened(path, mode) as connection:
        return bool(connection.value("PRAGMA integrity_check(1)") == "ok")
    return False


def drop_cold(path: str, connection: Connection) -> None:
    """Remove an invalid rollback journal beside a database in another mode.

    No rollback journal can start while a connection uses WAL mode. One that begins with a zero is
    also ignored by SQLite: https://sqlite.org/fileformat.html#rollbackjournal
    """
    if connection.limit is None and connection.value("PRAGMA journal_mode") == "wal":
        with contextlib.suppress(OSError), open(f"{path}-journal", "rb") as journal:
            if journal.read(1) in (b"", b"\0"):
                os.unlink(f"{path}-journal")


def set_aside(path: str) -> list[str]:
    """Move the journals of a missing database away before a new one is created.

    Returns their new names.
    """
    moved = []
    stamp = time.strftime("%Y%m%d-%H%M%S")
    for end in SIDE_FILES:
        if _size(f"{path}{end}") and end != "-shm":
            moved.append(f"{path}.left-{stamp}{end}")
            os.rename(f"{path}{end}", moved[-1])
        else:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(f"{path}{end}")
    return moved


def _size(path: str) -> int:
    try:
        return os.path.getsize(path)
    except OSError:
        return 0

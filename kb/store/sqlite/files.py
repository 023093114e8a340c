"""Checks a file before SQLite opens it, for earlier and clearer errors."""

from __future__ import annotations

import contextlib
import glob
import os
import re
import shutil
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from kb.disk import (
    SCRATCH,
    make_private,
    scratch_of,
    sweep,
    sweep_named_folders,
    sync_file,
    sync_folder,
)
from kb.errors import BadDatabase, Conflict
from kb.store.sqlite.driver import Connection, is_open_here
from kb.store.sqlite.locking import told_of

_MAGIC = b"SQLite format 3\0"
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
        if not place.exists():
            return
        if not place.is_file():
            raise BadDatabase("this is not a file", "Name a file with --db.", place=path)
        if place.stat().st_size < 2:  # a single byte is an empty database for SQLite, too
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
            return file.read(len(_MAGIC)) == _MAGIC
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


def sweep_beside(path: str) -> list[Path]:
    """Delete what killed processes left beside a database; return the names."""
    place = Path(path).absolute()
    patterns = (drafts_of(place.name), told_of(place.name))
    swept = [file for each in patterns for file in sweep(place.parent, each)]
    named = sweep_named_folders(path, (_ANY_DRAFT, scratch_of(SCRATCH)))
    return [*swept, *named, *_second_names(place)]


def _second_names(place: Path) -> list[Path]:
    """Remove the second name of a database whose restore was killed.

    A running restore has a temporary file there, and keeps the second name.
    """
    removed = []
    with contextlib.suppress(OSError):
        drafted = any(map(drafts_of(place.name).fullmatch, os.listdir(place.parent)))
        if place.stat().st_nlink > 1 and not drafted:
            for each in place.parent.glob(f"{glob.escape(place.name)}.before-restore-*"):
                if each.samefile(place):
                    each.unlink()
                    removed.append(each)
    return removed


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

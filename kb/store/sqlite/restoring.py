"""A copy put in the place of a database: checked first, and what was there is kept."""

from __future__ import annotations

import contextlib
import os
import shutil
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from kb.disk.durable import sync_folder
from kb.errors import BadDatabase, Conflict
from kb.store.sqlite import driver
from kb.store.sqlite.connection import Connection
from kb.store.sqlite.copies import Copy, examined, fill_from, reading
from kb.store.sqlite.files import BESIDE, drafted, is_absent, place_over, refuse_database
from kb.store.sqlite.journals import is_whole

_PATIENCE = 2000
"""Milliseconds to wait for others that use the file."""


class Restored(NamedTuple):
    """What was put in place, and where what was there before is kept, if there was anything."""

    copy: Copy
    kept: str | None


def put_back(path: str, copy: str) -> Restored:
    """Put a copy in the place of a database. The copy stays as it is.

    What was there is kept under another name, to be restored in its turn; files of SQLite's that
    belong to it go with it. Raises `NotFound` and `BadDatabase` for what is no whole knowledge
    base of ours, `Conflict` where another program has the database open, or the path is that of
    a file beside another database.
    """
    refuse_database(path)
    found = examined(copy)
    if os.path.exists(path) and os.path.samefile(copy, path):
        raise Conflict("this is the database itself", place=copy)
    if os.path.isdir(path):
        raise BadDatabase("this is a folder, not a database", "Name a file with --db.", place=path)
    with drafted(path) as draft:
        with reading(copy) as source:
            fill_from(source, draft, path)
        _prepare(draft, path)
        examined(draft)
        with _alone(path) as usable:
            kept = _keep(path, usable)
            place_over(draft, path)
    return Restored(found._replace(path=path, bytes=os.path.getsize(path)), kept)


def remake(path: str, make: Callable[[str, str], None]) -> str:
    """Put what is made of a damaged file in its place; return where the damaged one is kept.

    ``make`` is given a copy to read and an empty file to fill. Raises `Conflict` where another
    program has the database open, or wrote to it meanwhile.
    """
    with drafted(path) as draft, contextlib.closing(driver.connect(path)) as raw:
        source = Connection(raw, path)
        version = source.value("PRAGMA data_version")
        with drafted(f"{path}.damaged") as copy:
            fill_from(source, copy, path)
            make(copy, draft)
        _prepare(draft, path)
        examined(draft)
        _lock(raw, path, "IMMEDIATE")
        if source.value("PRAGMA data_version") != version:
            raise _in_use(path)
        kept = _keep(path, usable=True)
        place_over(draft, path)
    return kept or ""


def _in_use(path: str) -> Conflict:
    return Conflict(
        "another program has this database open, so nothing was changed",
        "Close every other danesh, and try again.",
        place=path,
    )


def _prepare(draft: str, path: str) -> None:
    """Let a draft have the journal and the rights that the database has."""
    try:
        with contextlib.closing(driver.connect(draft, "write")) as raw:
            raw.execute(f"PRAGMA journal_mode={driver.journal_mode()}")
    except driver.SQLITE_ERRORS as error:
        raise driver.explain(error, path) from error
    if os.path.exists(path):
        shutil.copymode(path, draft)


@contextmanager
def _alone(path: str) -> Iterator[bool]:
    """Keep everybody else out of a database, all of which then lies in its one file.

    Gives False where there is none, or it is damaged: then nobody can be kept out.
    """
    # SQLite writes a journal that lies beside a file into it, be it of that file or not.
    if is_absent(path) or not is_whole(path, "read"):
        yield False
        return
    try:
        raw = driver.connect(path, "write")
    except driver.SQLITE_ERRORS as error:
        raise driver.explain(error, path) from error
    with contextlib.closing(raw):
        _lock(raw, path, "EXCLUSIVE")
        yield True


def _lock(raw: driver.RawConnection, path: str, lock: str) -> None:
    """Take a lock on a database, all of which then lies in its one file."""
    try:
        raw.execute(f"PRAGMA busy_timeout={_PATIENCE}")
        raw.execute("PRAGMA journal_mode=DELETE")
        raw.execute(f"BEGIN {lock}")
    except driver.SQLITE_ERRORS as error:
        problem = driver.explain(error, path)
        raise (_in_use(path) if isinstance(problem, Conflict) else problem) from error


def _keep(path: str, usable: bool) -> str | None:
    """Give what is at a path another name, too; what SQLite has beside it goes there."""
    folder = Path(path).absolute().parent
    there = os.path.exists(path)
    aside = _unused(f"{path}.before-restore-{time.strftime('%Y%m%d-%H%M%S')}")
    left = [end for end in BESIDE if os.path.lexists(f"{path}{end}")]
    for end in left:
        if usable or not there:
            os.unlink(f"{path}{end}")
        else:
            os.rename(f"{path}{end}", f"{aside}{end}")
    if not there:
        return None
    try:
        os.link(path, aside)
    except OSError:  # a file system without hard links
        shutil.copy2(path, aside)
    sync_folder(folder)
    return aside


def _unused(name: str) -> str:
    number, found = 1, name
    while os.path.lexists(found):
        number += 1
        found = f"{name}-{number}"
    return found

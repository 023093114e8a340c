"""Whole copies of a knowledge base: made while others write, verified, kept by their dates."""

from __future__ import annotations

import contextlib
import os
import re
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from kb.disk.durable import making_in, sweep
from kb.errors import Conflict, KbError, Message, NotFound
from kb.store.sqlite import driver, schema
from kb.store.sqlite.connection import Connection
from kb.store.sqlite.files import (
    check_place,
    drafted,
    drafts_of,
    place_new,
    place_over,
    refuse_database,
)
from kb.store.sqlite.visibility import SHOWN

BACKUPS_KEPT = 10
"""So many dated copies are kept in the folder ``backups``."""
_BESIDE_KEPT = 2


class Copy(NamedTuple):
    """A copy that was made, or looked at: where it lies, its entries, its bytes."""

    path: str
    entries: int
    bytes: int


def put_copy(source: Connection, path: str, *, replace: bool = False) -> Copy:
    """Write a verified copy of a database under a name, whole or not at all.

    It is of one moment, even while others write. Raises `Conflict` where there is a file, unless
    it is to be replaced, and where a database needs it; `BadDatabase` where there is no room.
    """
    refuse_database(path, source.path)
    if os.path.isdir(path):
        raise Conflict("this is a folder", "Name a file.", place=path)
    folder = Path(path).absolute().parent
    sweep(folder, drafts_of(Path(path).name))
    with making_in(folder, source.path), drafted(path) as draft:
        fill_from(source, draft, path)
        made = examined(draft)
        try:
            place_over(draft, path) if replace else place_new(draft, path)
        except FileExistsError as error:
            hint = Message("Name another file, or replace it with --replace.")
            raise Conflict("there is such a file already", hint, place=path) from error
    return made._replace(path=path)


def put_dated(source: Connection, path: str, folder: str) -> Copy:
    """Put a copy into a folder under the name of the file with the date; it is made if absent."""
    place = Path(folder)
    place.mkdir(mode=0o700, parents=True, exist_ok=True)
    stem, end = os.path.splitext(Path(path).name)
    stamp = time.strftime("%Y%m%d-%H%M%S")
    for name in _numbered(f"{stem}-{stamp}", end):
        with contextlib.suppress(Conflict):
            return put_copy(source, str(place / name))
    raise AssertionError("names do not end")


def put_beside(source: Connection, path: str, name: str) -> str:
    """Put a copy beside a file, before it is changed; of the copies of a kind two are kept."""
    for named in _numbered(f"{path}.{name}"):
        with contextlib.suppress(Conflict):
            made = put_copy(source, named)
            break
    family = name.split("-")[1]
    _keep_last(Path(path).absolute().parent, _beside(Path(path).name, family), _BESIDE_KEPT)
    return made.path


def keep_dated(path: str, folder: str) -> None:
    """Remove the dated copies of a file but for the last ones."""
    stem, end = map(re.escape, os.path.splitext(Path(path).name))
    pattern = re.compile(rf"{stem}-\d{{8}}-\d{{6}}(-\d+)?{end}")
    _keep_last(Path(folder), pattern, BACKUPS_KEPT)


def dated(path: str, folder: str) -> list[Path]:
    """Return the dated copies of a file, the newest first."""
    stem, end = map(re.escape, os.path.splitext(Path(path).name))
    return _found(Path(folder), re.compile(rf"{stem}-\d{{8}}-\d{{6}}(-\d+)?{end}"))[::-1]


def matching(folder: str, name: str, kind: str) -> list[str]:
    """Return the files beside one of this name that were put there before it changed, or left."""
    pattern = re.compile(rf"{re.escape(name)}\.{kind}-[^.]+")
    return [str(file) for file in _found(Path(folder), pattern)][::-1]


def fill_from(source: Connection, draft: str, path: str) -> None:
    """Fill a draft with what a database holds at one moment; ``path`` is what it is to become."""
    try:
        target = driver.connect(draft, "make")
    except driver.SQLITE_ERRORS as error:
        raise driver.explain(error, path) from error
    with contextlib.closing(target), source.snapshot():
        try:
            source.raw.backup(target)
            target.execute("PRAGMA journal_mode=DELETE")
        except driver.SQLITE_ERRORS as error:
            raise _explained(error, source, path) from error


def _explained(error: Exception, source: Connection, path: str) -> KbError:
    """Return what made copying fail, by the file it is about; where SQLite does not tell, by both.

    A copy that cannot be read back looks damaged, too.
    """
    if driver.is_damage(error):
        whole = source.value("PRAGMA quick_check(1)") == "ok"
        return driver.full(path) if whole else driver.explain(error, source.path)
    both = (source.path, path) if driver.is_disk_error(error) else (path,)
    return driver.explain(error, *both)


def examined(path: str) -> Copy:
    """Return what a copy holds. Raises `NotFound`, and `BadDatabase` unless it is whole and ours.

    It is only read.
    """
    if not os.path.lexists(path):
        raise NotFound("there is no such file", place=path)
    check_place(path)
    with reading(path) as copy:
        schema.check_ours(copy, path)
        if copy.value("PRAGMA integrity_check(1)") != "ok":
            raise driver.damaged(path)
        entries = int(copy.value(f"SELECT count(*) FROM entry e WHERE {SHOWN}"))
    return Copy(path, entries, os.path.getsize(path))


@contextmanager
def reading(path: str) -> Iterator[Connection]:
    """Give a connection that reads a file and changes nothing of it or beside it."""
    try:
        raw = driver.connect(path, "read" if _has_journal(path) else "still")
    except driver.SQLITE_ERRORS as error:
        raise driver.explain(error, path) from error
    with contextlib.closing(Connection(raw, path)) as connection:
        yield connection


def _has_journal(path: str) -> bool:
    return any(
        os.path.exists(f"{path}{end}") and os.path.getsize(f"{path}{end}")
        for end in ("-wal", "-journal")
    )


def _numbered(name: str, end: str = "") -> Iterator[str]:
    """Yield names for a new file: this, and then with numbers."""
    yield f"{name}{end}"
    number = 2
    while True:
        yield f"{name}-{number}{end}"
        number += 1


def _beside(name: str, family: str) -> re.Pattern[str]:
    return re.compile(rf"{re.escape(name)}\.before-{family}(-[^.]+)?")


def _keep_last(folder: Path, pattern: re.Pattern[str], most: int) -> None:
    for old in _found(folder, pattern)[:-most]:
        with contextlib.suppress(OSError):
            old.unlink()


def _found(folder: Path, pattern: re.Pattern[str]) -> list[Path]:
    """Return the files of a folder whose names are of a pattern, the oldest first."""
    try:
        met = [each for each in folder.iterdir() if pattern.fullmatch(each.name)]
    except OSError:
        return []
    return sorted(met, key=_age)


def _age(file: Path) -> tuple[int, str]:
    try:
        return file.stat().st_mtime_ns, file.name
    except OSError:
        return 0, file.name

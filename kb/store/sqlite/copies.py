"""Copies of a knowledge base: made during writes, verified, named by date."""

from __future__ import annotations

import contextlib
import itertools
import json
import os
import re
import shutil
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path

from kb.disk import making_in, sweep, sync_folder
from kb.errors import BadDatabase, Conflict, KbError, Message, NotFound
from kb.model.reports import Backup
from kb.store.sqlite import driver
from kb.store.sqlite.driver import Connection
from kb.store.sqlite.files import (
    SIDE_FILES,
    check_ours,
    check_place,
    drafted,
    drafts_of,
    has_journal,
    is_absent,
    is_whole,
    place_new,
    place_over,
    refuse_database,
)
from kb.store.sqlite.rows import SHOWN

BACKUPS_KEPT = 10
"""The number of dated copies kept in the folder ``backups``."""
_COPIES_KEPT = 2


def put_copy(source: Connection, path: str, *, replace: bool = False) -> Backup:
    """Write a verified copy of a database to a path, atomically.

    It is consistent even while others write. Raises `Conflict` if the file exists, unless it is
    to be replaced, or a database needs it; `BadDatabase` if there is no space.
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
            raise Conflict("this file already exists", hint, place=path) from error
    return made._replace(path=path)


def back_up(source: Connection, folder: Path | None) -> Backup:
    """Write a copy named by date into a folder.

    Without a folder it is ``backups`` beside the file, which keeps the last few.
    """
    place = folder or _backups(source.path)
    place.mkdir(mode=0o700, parents=True, exist_ok=True)
    stem, end = os.path.splitext(Path(source.path).name)
    stamp = time.strftime("%Y%m%d-%H%M%S")
    for name in _numbered(f"{stem}-{stamp}", end):
        with contextlib.suppress(Conflict):
            made = put_copy(source, str(place / name))
            break
    if folder is None:
        _keep_last(place, _dated_name(source.path), BACKUPS_KEPT)
    return made


def _backups(path: str) -> Path:
    return Path(path).absolute().parent / "backups"


def put_beside(source: Connection, path: str, name: str) -> str:
    """Write a copy beside a file before it changes; two copies of each kind are kept."""
    for named in _numbered(f"{path}.{name}"):
        with contextlib.suppress(Conflict):
            made = put_copy(source, named)
            break
    place, family = Path(path).absolute(), name.split("-")[1]
    pattern = re.compile(rf"{re.escape(place.name)}\.before-{family}(-[^.]+)?")
    _keep_last(place.parent, pattern, _COPIES_KEPT)
    return made.path


def copies_of(path: str) -> list[list[str]]:
    """Return the dated copies in ``backups``, those beside a file, and moved journals.

    The newest of each are first.
    """
    folder, name = Path(path).absolute().parent, re.escape(Path(path).name)
    beside = (_found(folder, re.compile(rf"{name}\.{kind}-[^.]+")) for kind in ("before", "left"))
    found = (_found(_backups(path), _dated_name(path)), *beside)
    return [[str(file) for file in reversed(some)] for some in found]


def _dated_name(path: str) -> re.Pattern[str]:
    stem, end = map(re.escape, os.path.splitext(Path(path).name))
    return re.compile(rf"{stem}-\d{{8}}-\d{{6}}(-\d+)?{end}")


def fill_from(source: Connection, draft: str, path: str) -> None:
    """Fill a new file with a consistent state of a database; errors name it as ``path``."""
    with driver.explained(path):
        target = driver.connect(draft, "make")
    with contextlib.closing(target), source.snapshot():
        try:
            source.raw.backup(target)
            target.execute("PRAGMA journal_mode=DELETE")
        except driver.SQLITE_ERRORS as error:
            raise _explained(error, source, path) from error


def _explained(error: Exception, source: Connection, path: str) -> KbError:
    """Return the error of a failed copy, with the file it is about, or both files.

    A copy that cannot be read back looks damaged, too.
    """
    if driver.is_damage(error):
        whole = source.value("PRAGMA quick_check(1)") == "ok"
        return driver.full(path) if whole else driver.explain(error, source.path)
    both = (source.path, path) if driver.is_disk_error(error) else (path,)
    return driver.explain(error, *both)


def examined(path: str) -> Backup:
    """Return the counts of a copy; raise `NotFound`, or `BadDatabase` if it is not intact.

    The copy is not changed.
    """
    if not os.path.lexists(path):
        raise NotFound("there is no such file", place=path)
    check_place(path)
    with reading(path) as copy:
        check_ours(copy, path)
        if copy.value("PRAGMA integrity_check(1)") != "ok":
            raise driver.damaged(path)
        entries = int(copy.value(f"SELECT count(*) FROM entry e WHERE {SHOWN}"))
    return Backup(path, entries, os.path.getsize(path))


def reading(path: str) -> contextlib.closing[Connection]:
    """Provide a connection that reads a file without changing it or files beside it."""
    return driver.opened(path, "read" if has_journal(path) else "still")


def _numbered(name: str, end: str = "") -> Iterator[str]:
    """Yield names for a new file: this one, then with numbers."""
    yield f"{name}{end}"
    yield from (f"{name}-{number}{end}" for number in itertools.count(2))


def _keep_last(folder: Path, pattern: re.Pattern[str], most: int) -> None:
    for old in _found(folder, pattern)[:-most]:
        with contextlib.suppress(OSError):
            old.unlink()


def _found(folder: Path, pattern: re.Pattern[str]) -> list[Path]:
    """Return the files of a folder that match a pattern, oldest first."""
    try:
        met = [each for each in folder.iterdir() if pattern.fullmatch(each.name)]
    except OSError:
        return []

    def age(file: Path) -> tuple[int, str]:
        try:
            return file.stat().st_mtime_ns, file.name
        except OSError:
            return 0, file.name

    return sorted(met, key=age)


# A copy put in the place of a database: checked first, and what was there is kept.


_PATIENCE = 2000
"""Milliseconds to wait for other users of the file."""


def put_back(path: str, copy: str) -> Backup:
    """Replace a database with a copy. The copy is unchanged.

    The previous database is kept under another name and can be restored; its SQLite files move
    with it. Raises `NotFound` and `BadDatabase` for an invalid copy, and `Conflict` if another
    program has the database open, or the path belongs to another database.
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
    return found._replace(path=path, bytes=os.path.getsize(path), kept=kept or "")


def remake(path: str, make: Callable[[str, str], None]) -> str:
    """Replace a damaged file with a rebuilt one; return the path of the damaged one.

    ``make`` gets a copy to read and an empty file to fill. Raises `Conflict` if another program
    has the database open or wrote to it.
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
        "Close every other danesh and try again.",
        place=path,
    )


def _prepare(draft: str, path: str) -> None:
    """Give a new file the journal mode and permissions of the database."""
    with driver.explained(path), contextlib.closing(driver.connect(draft, "write")) as raw:
        raw.execute(f"PRAGMA journal_mode={driver.journal_mode()}")
    if os.path.exists(path):
        shutil.copymode(path, draft)


@contextmanager
def _alone(path: str) -> Iterator[bool]:
    """Lock everybody out of a database, after its journal is merged into it.

    Gives False if there is none or it is damaged: then it cannot be locked.
    """
    # SQLite writes a journal that lies beside a file into it, be it of that file or not.
    if is_absent(path) or not is_whole(path, "read"):
        yield False
        return
    with driver.opened(path, "write") as connection:
        _lock(connection.raw, path, "EXCLUSIVE")
        yield True


def _lock(raw: driver.RawConnection, path: str, lock: str) -> None:
    """Lock a database, after its journal is merged into it."""
    try:
        raw.execute(f"PRAGMA busy_timeout={_PATIENCE}")
        raw.execute("PRAGMA journal_mode=DELETE")
        raw.execute(f"BEGIN {lock}")
    except driver.SQLITE_ERRORS as error:
        problem = driver.explain(error, path)
        raise (_in_use(path) if isinstance(problem, Conflict) else problem) from error


def _keep(path: str, usable: bool) -> str | None:
    """Give a file another name, too, and move its SQLite files there."""
    folder = Path(path).absolute().parent
    there = os.path.exists(path)
    names = _numbered(f"{path}.before-restore-{time.strftime('%Y%m%d-%H%M%S')}")
    aside = next(name for name in names if not os.path.lexists(name))
    left = [end for end in SIDE_FILES if os.path.lexists(f"{path}{end}")]
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


# A database reduced to chosen entries, so that it can be given away.


_PRIVATE = ("journal", "change", "version", "retired", "record", "file", "path", "review",
            "study_log", "study_card", "study_memory", "study_scheduler", "sync_space", "sync_row",
            "sync_dispute")  # fmt: skip
"""Tables about the reader: changes, authors, files and reviews."""

_KEPT = ("vectors", "analyzer", "document_fts", "content", "telling", "glossary")
"""The only metadata that says nothing about the reader."""

_CHOSEN = "SELECT value FROM json_each(?)"
_GONE = "annotation NOT IN (SELECT id FROM annotation)"
_USED = "SELECT snippet FROM entry_snippet UNION SELECT snippet FROM evidence"
_REST = (
    "UPDATE entry SET layer = 0, file = NULL",
    "UPDATE collection SET layer = 0",
    "DELETE FROM layer",
    f"DELETE FROM meta WHERE key NOT IN {_KEPT}",
    "DELETE FROM name WHERE owner <> 'bundled'",
    f"DELETE FROM verification WHERE {_GONE}",
    f"DELETE FROM evidence WHERE {_GONE}",
    f"DELETE FROM snippet WHERE id NOT IN (SELECT * FROM ({_USED}) WHERE snippet IS NOT NULL)",
)


def keep_only(
    connection: Connection,
    entries: Iterable[str],
    collections: Iterable[str],
    sources: Iterable[str],
) -> None:
    """Delete all rows except those of these entries, collections and source documents.

    Data about the reader is deleted, too, and so are dictionaries that are not bundled. The index
    is not updated. The caller holds the transaction.
    """
    connection.run("PRAGMA defer_foreign_keys = ON")
    chosen = json.dumps(list(entries))
    gone = f"SELECT key FROM entry WHERE id NOT IN ({_CHOSEN})"
    for statement, values in (
        (f"DELETE FROM document WHERE entry IN ({gone})", chosen),
        (f"DELETE FROM annotation WHERE entry NOT IN ({_CHOSEN})", chosen),
        (f"DELETE FROM entry_snippet WHERE entry NOT IN ({_CHOSEN})", chosen),
        (f"DELETE FROM entry WHERE id NOT IN ({_CHOSEN})", chosen),
        (f"DELETE FROM collection WHERE id NOT IN ({_CHOSEN})", json.dumps(list(collections))),
        (f"DELETE FROM source WHERE file NOT IN ({_CHOSEN})", json.dumps(list(sources))),
    ):
        connection.run(statement, (values,))
    for statement in (*(f"DELETE FROM {table}" for table in _PRIVATE), *_REST):
        connection.run(statement)

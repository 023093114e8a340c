"""Opens a knowledge base: its path, its initial content, and its parts."""

from __future__ import annotations

import os
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

from kb.content.bundled import GLOSSARY_FILE, VOCABULARY_FILE, stamp
from kb.errors import BadDatabase, DiskFull, Message, ReadOnly, UsageError
from kb.model.results import paced
from kb.service.base import Base, Service, only_our_errors, path_of
from kb.store.sqlite.driver import damaged, is_open_here
from kb.store.sqlite.files import refuse_database
from kb.store.sqlite.store import FTS5, Store
from kb.text.languages import FINGERPRINT

if TYPE_CHECKING:
    from kb.model.reports import Backup, Salvaged
    from kb.model.results import Progress
    from kb.store.sqlite.pages import Pages


MEMORY = ":memory:"
"""The path of an in-memory knowledge base."""

# Under which names a database remembers what it was made from.
CONTENT = "content"
"""The stamp of its bundled content, or `NO_CONTENT`."""

TELLING = "telling"
"""The entry that this content names as the first to show."""

NO_CONTENT = "none"
"""The stamp of a database whose bundled content is never updated."""

FINGERPRINT_OF_INDEX = "analyzer"
"""The version of the analyzer that made its index."""

GLOSSARY = "glossary"
"""The stamp of its glossary."""


def default_path() -> str:
    """Return the database path: ``$KB_DB``, or the platform's folder for user data."""
    named = os.environ.get("KB_DB")
    if named:
        return named
    import platformdirs

    return str(Path(platformdirs.user_data_dir("kb", appauthor=False)) / "kb.db")


def open_renewed(
    path: str | os.PathLike[str] | None, bundled: bool, progress: Progress | None
) -> tuple[Base, tuple[str, ...]]:
    """Open or create a database, update its bundled content, and report what was done.

    Raises `BadDatabase` if it is not a database, too new, or cannot be created, and `Cancelled`
    if ``progress`` does: a new file is then removed and an old one unchanged.
    """
    from kb.content.bundled import bundled_folder

    folder, tell = bundled_folder(), paced(progress)
    with only_our_errors(str(path)):
        place = default_path() if path is None else str(os.fspath(path))
        store = Store.open(
            place, lambda new: fill_new(Base(new), folder, bundled, tell), _prepare_index
        )
        base = Base(store)
        try:
            told = refresh(base, folder, bundled, tell)
        except BaseException:
            store.close()
            raise
    return base, (*store.notices, *told)


def remove_empty(path: str) -> None:
    """Remove an empty file, so that a database can be created there.

    Raises `Conflict` for one that belongs to another database.
    """
    with only_our_errors(path):
        if os.path.isfile(path) and not os.path.getsize(path):
            refuse_database(path)
            os.unlink(path)


@contextmanager
def open_base(path: str) -> Iterator[Base]:
    """Open a database unchanged, and close it at the end."""
    with closing(Store.open(path, lambda new: None, _prepare_index)) as store:
        yield Base(store)


def restore(path: str | os.PathLike[str] | None, copy: str | os.PathLike[str]) -> Backup:
    """Restore a copy, whatever the state of the database, or if there is none.

    See `kb.service.opening.Backups.restore` for an open database.
    """
    from kb.store.sqlite.copies import put_back

    place = default_path() if path is None else os.fspath(path_of("a database", path))
    with only_our_errors(place):
        return put_back(place, os.fspath(path_of("a copy", copy)))


def salvage(path: str | os.PathLike[str] | None, new: str | os.PathLike[str]) -> Salvaged:
    """Recover the readable data of a damaged database into a new file.

    The index is built when it is first opened. The change log is not recovered. Raises `Conflict`
    if the new file exists, `NotFound` without a database, and `BadDatabase` if nothing can be
    read.
    """
    from kb.errors import Conflict, NotFound
    from kb.store.sqlite.salvage import readable

    place = default_path() if path is None else os.fspath(path_of("a database", path))
    target = os.fspath(path_of("a new file", new))
    made: list[Salvaged] = []

    def fill(new: Store) -> None:
        found = _fill(new, pages, history=False)
        if not found.complete and not found.saved.get("entry"):
            advice = "Restore a copy with 'kb restore'."
            raise BadDatabase("nothing could be read", advice, place=place)
        made.append(found)

    with only_our_errors(place):
        refuse_database(target, place)
        if os.path.lexists(target):
            raise Conflict("this file already exists", "Name a new file.", place=target)
        if is_open_here(place):
            raise Conflict("the database is open", "Close it first.", place=place)
        if not os.path.isfile(place):
            raise NotFound("there is no such file", place=place)
        pages = readable(place)
        Store.open(target, fill, _prepare_index).close()
    return made[0]._replace(path=target)


def remake(base: Base) -> str:
    """Rebuild a damaged file whose stored data is readable; return the path of the old one.

    Its index is still empty. Raises `BadDatabase` if stored data is damaged, and `Conflict` if
    another program has the database open; nothing is then changed.
    """
    from kb.store.sqlite import copies
    from kb.store.sqlite.salvage import readable

    def make(copy: str, draft: str) -> None:
        with closing(Store(base.path, draft, _prepare_index)) as new:
            new.build(lambda new: fill(new, copy))

    def fill(new: Store, copy: str) -> None:
        if not _fill(new, readable(copy), history=True).complete:
            raise damaged(base.path)

    with base.store.replaced():
        return copies.remake(base.path, make)


def _fill(store: Store, pages: Pages, *, history: bool) -> Salvaged:
    """Fill a new file with the readable data of another, and update bundled content."""
    from kb.store.sqlite.salvage import fill

    connection = store.connection
    with connection.without_references(), connection.transaction():
        found, names_lost = fill(connection, pages, history=history)
        held = store.meta.get(CONTENT)
        if not found.complete and held is None and not store.entries.owned("bundled"):
            store.meta.put(CONTENT, NO_CONTENT)
        elif not found.complete and held != NO_CONTENT:
            store.meta.put(CONTENT, "")  # it is written again at the next start
        if names_lost:
            store.meta.put(GLOSSARY, "")
    return found


def _prepare_index(store: Store) -> None:
    """Create missing or outdated indexes, still empty.

    The caller holds the transaction: tables and index are migrated together.
    """
    from kb.search.index import fts5
    from kb.search.index.segments import prepare

    if prepare(store.connection):
        store.meta.put(FINGERPRINT_OF_INDEX, "")
    fts5.prepare(store)


# Copies of the whole knowledge base: made, and put back.


class Backups(Service):
    """Backup and restore."""

    def make(self, path: str | os.PathLike[str] | None = None, *, replace: bool = False) -> Backup:
        """Write a complete, verified and consistent copy of the knowledge base.

        Without a path, or in a named folder, the file name has the date. The default folder is
        ``backups`` beside the database, which keeps the last ten. Only its owner may read it.
        Raises `Conflict` if the file exists, unless it is to be replaced, and `BadDatabase` if it
        cannot be written.
        """
        self._in_a_file()
        from kb.store.sqlite import copies

        source = self._base.store.connection
        wanted = None if path is None else path_of("a copy", path)
        if wanted is None or wanted.is_dir():
            return copies.back_up(source, wanted)
        return copies.put_copy(source, os.fspath(wanted), replace=replace)

    def restore(self, path: str | os.PathLike[str]) -> Backup:
        """Replace the knowledge base with a copy, and continue with it.

        The copy is checked first, and stays. The previous database is kept at ``kept`` and can be
        restored. Raises `NotFound`, `BadDatabase` for an incomplete copy, and `Conflict` if
        another program has the database open.
        """
        self._in_a_file()
        with self._base.store.replaced():
            return restore(self._base.path, path)

    def _in_a_file(self) -> None:
        if self._base.path == MEMORY:
            raise UsageError("a knowledge base in memory has no file", "Export it instead.")


# Whether a database holds the bundled content as it is now; asked at every start.
#
# What writes the content is in `kb.service.content`, loaded only when something changed.


def fill_new(base: Base, folder: Path, bundled: bool, progress: Progress) -> None:
    """Fill a new database with the glossary and, if ``bundled``, a folder's entries.

    Without them it never gets bundled content.
    """
    from kb.service import content

    if bundled:
        content.write_content(base, folder, stamp(folder), progress)
    content.write_glossary(base, folder, _glossary_stamp(folder), progress)
    if not bundled:
        with base.store.transaction():
            base.store.meta.put(CONTENT, NO_CONTENT)
            base.store.meta.put(FINGERPRINT_OF_INDEX, FINGERPRINT)


def refresh(base: Base, folder: Path, bundled: bool, progress: Progress) -> tuple[str, ...]:
    """Update the index if the analyzer changed, and the content if ``folder`` did.

    Interrupted imports are completed. Before content is updated, a verified copy is made. A
    read-only database stays unchanged; notices about everything are returned.
    """
    told: list[str] = []
    if base.store.is_interrupted():
        from kb.service.finishing import settle

        with _unless_full(Message("Finishing an interrupted import"), told):
            settle(base, progress)
    meta = base.store.meta
    held, analyzer, terms = map(meta.get, (CONTENT, FINGERPRINT_OF_INDEX, GLOSSARY))
    names = _glossary_stamp(folder)
    changed = bundled and held not in (NO_CONTENT, stamp(folder))
    if analyzer == FINGERPRINT and meta.get(FTS5) != "":
        from kb.search.index import fts5

        with _unless_full(Message("SQLite's own search index"), told):
            fts5.update(base.store, progress)
    if analyzer == FINGERPRINT and terms == names and not changed:
        return tuple(told)
    from kb.service import content

    with _unless_full(Message("The content of a newer danesh"), told):
        progress(0, 0)
        with base.store.working("an update"):
            copy = base.store.keep_as_it_is("update") if changed else ""
            if analyzer != FINGERPRINT:
                content.write_index(base, progress)
            if changed:
                content.write_content(base, folder, stamp(folder), progress)
            if terms != names:
                content.write_glossary(base, folder, names, progress)
        if changed:
            told.append(
                Message(
                    "the bundled content was updated; a copy of the database is {copy}", copy=copy
                )
            )
    return tuple(told)


@contextmanager
def _unless_full(what: Message, told: list[str]) -> Iterator[None]:
    """Add a notice if the work within must wait for a writable database."""
    try:
        yield
    except (ReadOnly, DiskFull) as error:
        told.append(Message("{what} waits: {why}", what=what, why=error.message))


def _glossary_stamp(folder: Path) -> str:
    """Return a stamp of the glossary, the vocabulary and their analysis."""
    files = (folder / name for name in (GLOSSARY_FILE, VOCABULARY_FILE))
    told = (file.stat() for file in files if file.exists())
    return " ".join([*(f"{each.st_size} {each.st_mtime_ns}" for each in told), FINGERPRINT])

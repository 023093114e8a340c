"""Opening a knowledge base: where it lies, what a new one is made from, what it is made of."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, ParamSpec

from kb.content.tables import GLOSSARY_FILE, VOCABULARY_FILE, stamp
from kb.errors import BadDatabase, DiskFull, Message, ReadOnly, UsageError
from kb.model.results import paced
from kb.service.base import Base, Service, door, only_our_errors, path_of
from kb.store.sqlite.driver import damaged, is_open_here
from kb.store.sqlite.files import refuse_database
from kb.store.sqlite.store import Store
from kb.text.profile import FINGERPRINT

if TYPE_CHECKING:
    from kb.model.reports import Backup, Check, Salvaged
    from kb.model.results import Progress
    from kb.search.index.port import Index
    from kb.store.sqlite.pages import Pages
    from kb.store.sqlite.salvage import Found


MEMORY = ":memory:"
"""The path of a knowledge base that lies in memory alone."""

# Under which names a database remembers what it was made from.
CONTENT = "content"
"""The stamp of the bundled content it holds, or `NO_CONTENT`."""

TELLING = "telling"
"""The entry that this content names as the most telling one."""

NO_CONTENT = "none"
FINGERPRINT_OF_INDEX = "analyzer"
"""The analyzer its index was made by."""

GLOSSARY = "glossary"
"""The stamp of the glossary it holds."""

P = ParamSpec("P")


def default_path() -> str:
    """Return where the database lies: ``$KB_DB``, or the platform's folder for user data."""
    named = os.environ.get("KB_DB")
    if named:
        return named
    import platformdirs

    return str(Path(platformdirs.user_data_dir("kb", appauthor=False)) / "kb.db")


def open_renewed(
    path: str | os.PathLike[str] | None, bundled: bool, progress: Progress | None
) -> tuple[Base, tuple[str, ...]]:
    """Open a database or make it, bring its bundled content up to date, and say what is told.

    Raises `BadDatabase` for a file that is none, newer, or cannot be made; `Cancelled` where
    ``progress`` does, and then there is no new file, and an old one is as it was.
    """
    from kb.content.tables import bundled_folder

    folder, tell = bundled_folder(), paced(progress)
    with only_our_errors(str(path)):
        place = default_path() if path is None else str(os.fspath(path))
        base, notices = _opened(place, lambda new: fill_new(new, folder, bundled, tell))
        try:
            told = refresh(base, folder, bundled, tell)
        except BaseException:
            base.store.close()
            raise
    return base, (*notices, *told)


def remove_empty(path: str) -> None:
    """Remove a file of no bytes, so that a database can be made in its place.

    Raises `Conflict` for one that belongs to another database.
    """
    with only_our_errors(path):
        if os.path.isfile(path) and not os.path.getsize(path):
            refuse_database(path)
            os.unlink(path)


@contextmanager
def open_base(path: str) -> Iterator[Base]:
    """Open a database as it is, and close it at the end."""
    base, _ = _opened(path, lambda new: None)
    try:
        yield base
    finally:
        base.store.close()


def restore(path: str | os.PathLike[str] | None, copy: str | os.PathLike[str]) -> Backup:
    """Put a copy in the place of a database, whatever state that is in, or where none is.

    See `kb.service.opening.Backups.restore`, which does so to one that is open.
    """
    from kb.model.reports import Backup
    from kb.store.sqlite.copies import put_back

    place = default_path() if path is None else os.fspath(path_of("a database", path))
    with only_our_errors(place):
        made, kept = put_back(place, os.fspath(path_of("a copy", copy)))
        return Backup(*made, kept=kept or "")


def salvage(path: str | os.PathLike[str] | None, new: str | os.PathLike[str]) -> Salvaged:
    """Save into a new file what can be read of a damaged database, which is only read.

    Its index is made when it is first opened. The change log is left out. Raises `Conflict` where
    there is a file of that name, `NotFound` where there is no database, `BadDatabase` where
    nothing can be read of it.
    """
    from kb.errors import Conflict, NotFound
    from kb.model.reports import Salvaged
    from kb.store.sqlite.salvage import readable

    place = default_path() if path is None else os.fspath(path_of("a database", path))
    target = os.fspath(path_of("a new file", new))
    made: list[Found] = []

    def fill(new: Store) -> None:
        found = _fill(new, pages, history=False)
        if not found.is_whole and not found.saved.get("entry"):
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
    found = made[0]
    return Salvaged(target, found.saved, found.lost, found.partly, found.is_whole)


def remake(base: Base) -> str:
    """Rebuild a damaged file where all that was stored can be read; return where it is kept.

    Its index is then to be filled. Raises `BadDatabase` where anything stored is damaged,
    `Conflict` where another program has the database open; nothing is changed then.
    """
    from kb.store.sqlite.salvage import readable

    def make(copy: str, draft: str) -> None:
        with closing(Store(base.path, draft, _prepare_index)) as new:
            new.build(lambda new: fill(new, copy))

    def fill(new: Store, copy: str) -> None:
        if not _fill(new, readable(copy), history=True).is_whole:
            raise damaged(base.path)

    return base.store.remake(make)


def _fill(store: Store, pages: Pages, *, history: bool) -> Found:
    """Fill a new file with what can be read of another, and let what is bundled be renewed."""
    from kb.store.sqlite.salvage import fill

    connection = store.connection
    with connection.without_references(), connection.transaction():
        found = fill(connection, pages, history=history)
        if not found.is_whole:
            follow_again(store)
        if found.glossary:
            store.meta.put(GLOSSARY, "")
    return found


def check_folder(folder: str | os.PathLike[str]) -> Sequence[Check]:
    """Check a folder of content, of the form of ``data/``, and change nothing.

    Every mistake is a check that is not well, at its file, line and key; what is no
    mistake but weak is a check named ``advice``. Raises `NotFound` where there is none.
    """
    from kb.service.diagnose import examine_folder

    with only_our_errors(str(folder)):
        return examine_folder(path_of("a folder", folder))


def examine_installation(progress: Progress) -> Sequence[Check]:
    """Check what is installed on a base of the bundled content, made in memory for it alone."""
    from kb.service.self_test import examine_bundled

    base, _ = open_renewed(MEMORY, True, progress)
    try:
        return examine_bundled(base, progress)
    finally:
        base.store.close()


def _opened(path: str, fill: Callable[[Base], None]) -> tuple[Base, tuple[str, ...]]:
    """Open a file with the store and the index that this house is made of."""
    store = Store.open(path, lambda new: fill(_base(new)), _prepare_index)
    return _base(store), store.notices


def _base(store: Store) -> Base:
    def index() -> Index:
        from kb.search.index.engine import RankedIndex

        return RankedIndex(store)

    base = Base(store, index)
    store.matching = lambda clause: base.index.documents_with(clause)
    return base


def _prepare_index(store: Store) -> None:
    """Make the indexes where there are none of their present form; they are then to be filled.

    The caller holds the transaction: tables and index are brought up to date at once.
    """
    from kb.search.index import fts5
    from kb.search.index.schema import prepare

    if prepare(store.connection):
        store.meta.put(FINGERPRINT_OF_INDEX, "")
    fts5.prepare(store)


# Copies of the whole knowledge base: made, and put back.


class Backups(Service):
    """What a reader keeps for a bad day."""

    @door
    def make(self, path: str | os.PathLike[str] | None = None, *, replace: bool = False) -> Backup:
        """Write a whole, verified copy of the knowledge base, of one moment.

        Without a path it has the date in its name and lies in ``backups`` beside the database,
        where the last ten are kept; in a folder that is named it has the date, too. Its owner
        alone may read it. Raises `Conflict` where there is such a file, unless it is to be
        replaced, and `BadDatabase` where it cannot be written.
        """
        self._in_a_file()
        wanted = None if path is None else os.fspath(path_of("a copy", path))
        return self._base.store.back_up(wanted, replace=replace)

    @door
    def restore(self, path: str | os.PathLike[str]) -> Backup:
        """Put a copy in the place of the knowledge base, and go on with it.

        The copy is examined first, and stays. What was there is kept beside the database, where
        ``kept`` says, and can be restored in its turn. Raises `NotFound`, `BadDatabase` for what
        is no whole knowledge base, `Conflict` where another program has the database open.
        """
        self._in_a_file()
        return self._base.store.restore(os.fspath(path_of("a copy", path)))

    def _in_a_file(self) -> None:
        if self._base.path == MEMORY:
            raise UsageError("a knowledge base in memory has no file", "Export it instead.")


# Whether a database holds the bundled content as it is now; asked at every start.
#
# What writes the content is in `kb.service.content`, loaded only when something changed.


def fill_new(base: Base, folder: Path, bundled: bool, progress: Progress) -> None:
    """Put into a new database the glossary and, if ``bundled``, the entries of a folder.

    Without them it stays without for good.
    """
    from kb.service import content

    if bundled:
        content.write_content(base, folder, stamp(folder), progress)
    content.write_glossary(base, folder, _glossary_stamp(folder), progress)
    if not bundled:
        with base.store.transaction():
            leave_as_it_is(base.store)
            base.store.meta.put(FINGERPRINT_OF_INDEX, FINGERPRINT)


def leave_as_it_is(store: Store) -> None:
    """Let a database follow the bundled content no more; the caller holds the transaction."""
    store.meta.put(CONTENT, NO_CONTENT)


def follow_again(store: Store) -> None:
    """Let the bundled content be written again at the next start, where a database follows it.

    The caller holds the transaction.
    """
    held = store.meta.get(CONTENT)
    if held is None and not store.entries.owned("bundled"):
        leave_as_it_is(store)
    elif held != NO_CONTENT:
        store.meta.put(CONTENT, "")


def refresh(base: Base, folder: Path, bundled: bool, progress: Progress) -> tuple[str, ...]:
    """Renew the index if the analyzer changed, and the content if ``folder`` did.

    What an interrupted import has still to do is done. Before the content is renewed a verified
    copy is kept. A database that cannot be written keeps what it has; what is to be told of all
    that is returned.
    """
    told = []
    if base.store.layers.unsettled():
        told += _unless_full(Message("Finishing an interrupted import"), _settle, base, progress)
    meta = base.store.meta
    held, analyzer, terms = map(meta.get, (CONTENT, FINGERPRINT_OF_INDEX, GLOSSARY))
    names = _glossary_stamp(folder)
    changed = bundled and held not in (NO_CONTENT, stamp(folder))
    if analyzer == FINGERPRINT:
        told += _unless_full(Message("SQLite's own search index"), _follow, base, progress)
    if analyzer == FINGERPRINT and terms == names and not changed:
        return tuple(told)

    def renew() -> list[str]:
        from kb.service import content

        progress(0, 0)
        kept: list[str] = []
        with base.store.working("an update"):
            if changed:
                copy = base.store.keep_as_it_is("update")
                told = Message(
                    "the bundled content was updated; a copy of the database is {copy}", copy=copy
                )
                kept.append(told)
            if analyzer != FINGERPRINT:
                content.write_index(base, progress)
            if changed:
                content.write_content(base, folder, stamp(folder), progress)
            if terms != names:
                content.write_glossary(base, folder, names, progress)
        return kept

    return (*told, *_unless_full(Message("The content of a newer danesh"), renew))


def _unless_full(
    what: Message, work: Callable[P, list[str]], *given: P.args, **more: P.kwargs
) -> list[str]:
    """Do work that may wait until the database can be written; return what is to be told."""
    try:
        return work(*given, **more)
    except (ReadOnly, DiskFull) as error:
        return [Message("{what} waits: {why}", what=what, why=error.message)]


def _settle(base: Base, progress: Progress) -> list[str]:
    from kb.service.finishing import settle

    settle(base, progress)
    return []


def _follow(base: Base, progress: Progress) -> list[str]:
    from kb.search.index import fts5

    if base.store.meta.get(fts5.NEXT) != "":
        fts5.update(base.store, progress)
    return []


def _glossary_stamp(folder: Path) -> str:
    """Return what changes when the glossary, the vocabulary or their analysis does."""
    files = (folder / name for name in (GLOSSARY_FILE, VOCABULARY_FILE))
    told = (file.stat() for file in files if file.exists())
    return " ".join([*(f"{each.st_size} {each.st_mtime_ns}" for each in told), FINGERPRINT])

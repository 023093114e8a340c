"""Whether a database holds the bundled content as it is now; asked at every start.

What writes the content is in `kb.service.write`, loaded only when something changed.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, ParamSpec

from kb.content.tables import GLOSSARY_FILE, VOCABULARY_FILE, stamp
from kb.errors import DiskFull, Message, ReadOnly
from kb.service.glossary import CONTENT, FINGERPRINT_OF_INDEX, GLOSSARY, NO_CONTENT
from kb.text.profile import FINGERPRINT

if TYPE_CHECKING:
    from kb.model import Progress
    from kb.service.base import Base
    from kb.store.sqlite.store import Store

P = ParamSpec("P")


def fill(base: Base, folder: Path, bundled: bool, progress: Progress) -> None:
    """Put into a new database the glossary and, if ``bundled``, the entries of a folder.

    Without them it stays without for good.
    """
    from kb.service import write

    if bundled:
        write.write_content(base, folder, stamp(folder), progress)
    write.write_glossary(base, folder, _glossary_stamp(folder), progress)
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
    content = store.meta.get(CONTENT)
    if content is None and not store.entries.owned("bundled"):
        leave_as_it_is(store)
    elif content != NO_CONTENT:
        store.meta.put(CONTENT, "")


def refresh(base: Base, folder: Path, bundled: bool, progress: Progress) -> tuple[str, ...]:
    """Renew the index if the analyzer changed, and the content if ``folder`` did.

    What an interrupted import has still to do is done. Before the content is renewed a verified
    copy is kept. A database that cannot be written keeps what it has; what is to be told of all
    that is returned.
    """
    told = []
    if base.store.layers.unsettled():
        told += _unless_full(
            Message("What an interrupted import has still to do"), _settle, base, progress
        )
    meta = base.store.meta
    content, analyzer, terms = map(meta.get, (CONTENT, FINGERPRINT_OF_INDEX, GLOSSARY))
    names = _glossary_stamp(folder)
    changed = bundled and content not in (NO_CONTENT, stamp(folder))
    if analyzer == FINGERPRINT:
        told += _unless_full(Message("SQLite's own search index"), _follow, base, progress)
    if analyzer == FINGERPRINT and terms == names and not changed:
        return tuple(told)

    def renew() -> list[str]:
        from kb.service import write

        progress(0, 0)
        kept: list[str] = []
        with base.store.working("an update"):
            if changed:
                copy = base.store.keep_as_it_is("update")
                told = Message(
                    "what came with danesh was renewed; as it was before lies in {copy}", copy=copy
                )
                kept.append(told)
            if analyzer != FINGERPRINT:
                write.write_index(base, progress)
            if changed:
                write.write_content(base, folder, stamp(folder), progress)
            if terms != names:
                write.write_glossary(base, folder, names, progress)
        return kept

    return (*told, *_unless_full(Message("What came with a newer danesh"), renew))


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

    fts5.update(base.store, progress)
    return []


def _glossary_stamp(folder: Path) -> str:
    """Return what changes when the glossary, the vocabulary or their analysis does."""
    files = (folder / name for name in (GLOSSARY_FILE, VOCABULARY_FILE))
    told = (file.stat() for file in files if file.exists())
    return " ".join([*(f"{each.st_size} {each.st_mtime_ns}" for each in told), FINGERPRINT])

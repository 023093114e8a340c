"""What changes the library: done in a thread, told in a sentence, and shown everywhere after."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from textual.message_pump import MessagePump

from kb.errors import NotFound
from tui.messages import EntriesChanged
from tui.session import Session


class Done(NamedTuple):
    """What a deed did: what is to be said of it, and to which entries.

    ``away`` are those that are in no list any more, ``opened`` is to be read now, and a
    collection may have been ``renamed``.
    """

    said: str
    ids: Iterable[str] = ()
    away: Iterable[str] = ()
    opened: str | None = None
    renamed: tuple[str, str] | None = None


def do(session: Session, to: MessagePump, deed: Callable[[], Done], *, open_now: str = "") -> None:
    """Do a deed → `EntriesChanged`. ``open_now`` is the entry that is shown."""

    def make() -> EntriesChanged:
        return changed(session, deed(), open_now)

    session.ask(to, make, "deed")


def changed(session: Session, done: Done, open_now: str = "") -> EntriesChanged:
    """Return what there is to show after a deed; it is found out in the thread of the deed."""
    touched = {*done.ids}
    watched = {open_now, *session.marks} & touched
    gone = {each for each in watched if not _is_there(session, each)} | {*done.away}
    titles = session.library.read.collections()
    return EntriesChanged(done.said, titles, frozenset(gone), done.opened, done.renamed)


def _is_there(session: Session, entry: str) -> bool:
    try:
        session.library.show(entry)
    except NotFound:
        return False
    return True

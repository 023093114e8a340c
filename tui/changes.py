"""Changes of the library: made in a thread, told in a sentence, and shown everywhere after.

A form stays until what it holds is saved. While another program writes, the reader sees whom
a change waits for, and can go back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

from textual.message import Message
from textual.message_pump import MessagePump
from textual.screen import Screen
from textual.worker import get_current_worker

from kb.errors import Cancelled, Conflict, KbError, NotFound
from kb.i18n import N_, _, number
from tui.messages import EntriesChanged, WriterAwaited
from tui.phrases import error_sentence

if TYPE_CHECKING:
    from kb.model.draft import Draft
    from kb.model.results import Writer
    from tui.screens.progress import ProgressScreen
    from tui.session import Session


class Done(NamedTuple):
    """What a change did: what is to be said of it, and to which entries.

    ``away`` are those that are in no list any more, ``opened`` is to be read now, and a
    collection may have been ``renamed``.
    """

    said: str
    ids: Iterable[str] = ()
    away: Iterable[str] = ()
    opened: str | None = None
    renamed: tuple[str, str] | None = None


def make_change(
    session: Session, to: MessagePump, change: Callable[[], Done], *, open_now: str = ""
) -> None:
    """Change the library in a thread → `EntriesChanged`; ``open_now`` is the entry shown."""

    def make() -> EntriesChanged:
        return changed(session, change(), open_now)

    session.ask(to, make, "change")


def changed(session: Session, done: Done, open_now: str = "") -> EntriesChanged:
    """Return what there is to show after a change; call it in the thread of the change."""
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


@dataclass
class Saved(Message):
    """The entry is stored; ``changed`` is what the main screen is to show."""

    changed: EntriesChanged


@dataclass
class NotSaved(Message):
    """The entry was not stored, and why; ``seen`` is what is there by now."""

    why: str
    seen: str | None = None


def save(
    session: Session, to: MessagePump, draft: Draft, entry: str | None, seen: str | None
) -> None:
    """Store a draft as a new entry, or as what an entry is now → `Saved` or `NotSaved`."""
    edit = session.library.edit

    def make() -> Message:
        try:
            done = edit.edit(entry, draft, seen=seen) if entry else edit.new(draft)
        except Conflict as error:
            if entry is None or edit.digest_of(entry) == seen:
                return NotSaved(error_sentence(error))
            why = _(
                "Another program has changed this entry meanwhile; nothing was overwritten. "
                "Ctrl+S again puts what stands here in its place."
            )
            return NotSaved(why, edit.digest_of(entry))
        except KbError as error:
            return NotSaved(error_sentence(error))
        (id,) = done.ids
        said = _("Saved: {id}").format(id=id) if done.change else _("Nothing was changed.")
        return Saved(changed(session, Done(said, done.ids, opened=id)))

    session.ask(to, make, "change")


CHANGING = ("change", "own")
"""The groups of the workers that store something."""

_WRITES = N_("Another danesh ({what}, process {pid}) has been writing for {n} s.")
_SOMEBODY = N_("Another program is writing to the database.")


class WaitNotice:
    """What the reader sees while a change waits for another program, and how it ends."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._shown: ProgressScreen | None = None

    def told(self, writer: Writer, seconds: float) -> None:
        """Tell the screen whom a worker's change waits for: `kb.model.results.OnWait`."""
        worker = get_current_worker()
        shown = self._shown
        if worker.is_cancelled or (shown is not None and shown.stop.is_set()):
            raise Cancelled(_("Not stored yet: you did not wait."))
        if worker.group in CHANGING:
            self._session.screen.post_message(WriterAwaited(writer))

    def show(self, writer: Writer) -> None:
        """Show whom a change waits for, as long as one does."""
        if not self._waiting():
            return
        if self._shown is None:
            from tui.screens.progress import ProgressScreen

            self._shown = ProgressScreen(
                _("Waiting to store it"), _("Esc goes back; nothing that was written is lost."), ""
            )
            self._session.screen.app.push_screen(self._shown)
        self._shown.say(_said(writer))

    def end(self) -> None:
        """Take that away once nothing waits any more."""
        if self._shown is not None and not self._waiting():
            self._shown.end()
            self._shown = None

    def _waiting(self) -> bool:
        screen: Screen[Any] = self._session.screen
        return any(w.group in CHANGING and not w.is_finished for w in screen.workers)


def _said(writer: Writer) -> str:
    if not writer.what:
        return _(_SOMEBODY)
    seconds = number(round(writer.seconds))
    return _(_WRITES).format(what=writer.what, pid=writer.pid, n=seconds)

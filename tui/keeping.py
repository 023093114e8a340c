"""Keeping what a form holds: the form stays until it is stored, and says why it is not.

While another program writes, the reader sees whom a change waits for, and can go back.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from textual.screen import Screen
from textual.worker import get_current_worker

from kb.errors import Cancelled
from kb.i18n import N_, _, number
from tui.messages import WriterAwaited
from tui.widgets.bidi_text import BidiText

if TYPE_CHECKING:
    from kb.records.progress import Writer
    from tui.screens.progress import ProgressScreen
    from tui.session import Session

T = TypeVar("T")
Store = Callable[[T], Awaitable[str]]
"""Stores what a form holds; returns why it was not stored, or nothing."""

DEEDS = ("deed", "own")
"""The groups of the workers that store something."""

_WRITES = N_("Another danesh ({what}, process {pid}) has been writing for {n} s.")
_SOMEBODY = N_("Another program is writing to the database.")


class Keeping(Generic[T]):
    """Stores what a form returns before the form is left."""

    def __init__(self, form: Screen[T | None], store: Store[T]) -> None:
        self._form = form
        self._store = store
        self.busy = False
        """Whether it is being stored; the form is then not to be left."""

    def keep(self, choice: T) -> None:
        """Store it, and leave the form; or stay, and say why."""
        if not self.busy:
            self.busy = True
            self._form.run_worker(self._keep(choice), exit_on_error=False)

    async def _keep(self, choice: T) -> None:
        try:
            why = await self._store(choice)
        finally:
            self.busy = False
        if not why:
            self._form.dismiss(choice)
            return
        hint = self._form.query_one(".hint", BidiText)
        hint.show(why)
        hint.add_class("-warning")


class Waits:
    """What the reader sees while a change waits for another program, and how it ends."""

    def __init__(self, session: Session) -> None:
        self._session = session
        self._shown: ProgressScreen | None = None

    def told(self, writer: Writer, seconds: float) -> None:
        """Tell the screen whom a worker's change waits for: `kb.records.progress.OnWait`."""
        worker = get_current_worker()
        shown = self._shown
        if worker.is_cancelled or (shown is not None and shown.stop.is_set()):
            raise Cancelled(_("Not stored yet: you did not wait."))
        if worker.group in DEEDS:
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
        return any(w.group in DEEDS and not w.is_finished for w in screen.workers)


def _said(writer: Writer) -> str:
    if not writer.what:
        return _(_SOMEBODY)
    seconds = number(round(writer.seconds))
    return _(_WRITES).format(what=writer.what, pid=writer.pid, n=seconds)

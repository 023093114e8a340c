"""Syncs in the background with the places that were synced with before, if the settings say so."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import TYPE_CHECKING, cast

from textual.timer import Timer

from kb.errors import Cancelled, KbError
from kb.i18n import _, ngettext
from tui.phrases import error_sentence
from tui.session import Done, Session, Tell, following

if TYPE_CHECKING:
    from tui.app import DaneshApp

_REST_SECONDS = 180
"""How long nothing must change before changes are sent."""


class Syncing:
    """Syncs at the start, and some minutes after the last change.

    ``here`` returns the displayed entry. ``tell`` is called at the end with why that failed, or
    with nothing.
    """

    def __init__(
        self, session: Session, here: Callable[[], str], tell: Callable[[str], object]
    ) -> None:
        self._session = session
        self._here = here
        self._tell = tell
        self._timer: Timer | None = None

    @property
    def _wanted(self) -> bool:
        return cast("DaneshApp", self._session.screen.app).settings.sync == "on"

    def changed(self) -> None:
        """Sync when nothing has changed for some minutes."""
        if self._timer is not None:
            self._timer.stop()
        if self._wanted:
            self._timer = self._session.screen.set_timer(_REST_SECONDS, self.sync)

    def sync(self) -> None:
        """Sync in a thread, unless one is at work: then what follows a change is later."""
        screen = self._session.screen
        if not self._wanted:
            return
        if any(each.group == "sync" and not each.is_finished for each in screen.workers):
            self.changed()
        else:
            self._session.start(self._sync, "sync")

    def _sync(self, tell: Tell) -> None:
        library, why = self._session.library, ""
        progress = following(lambda done, total: None, threading.Event())
        try:
            done = library.sync.sync_known(progress=progress)
        except Cancelled:
            raise
        except KbError as error:
            why = error_sentence(error)
        else:
            ids = dict.fromkeys(id for each in done for id in each.entries)
            if ids:
                said = ngettext(
                    "The sync changed {n} entry", "The sync changed {n} entries", len(ids)
                )
                changed = self._session.changed(Done(said, ids), self._here())
                tell(self._session.screen.post_message, changed)
        tell(self._tell, _("Not synced: {why}").format(why=why) if why else "")

"""The part of the main screen that does long work: it imports and verifies, and can be stopped."""

from __future__ import annotations

import os
import threading
from dataclasses import replace
from typing import TYPE_CHECKING

from textual import on, work
from textual.widgets import Input
from textual.worker import Worker

from kb.errors import Cancelled
from tui.i18n import _
from tui.messages import EntryRenewed, Imported, Progressed, Verified
from tui.phrases import imported, verified
from tui.screens.finding import FindingScreen
from tui.widgets.entry_list import EntryList
from tui.widgets.entry_view import EntryView
from tui.widgets.filter_bar import FilterBar
from tui.workers import LONG

if TYPE_CHECKING:
    from tui.screens.importing import ImportChoice
    from tui.screens.progress import ProgressScreen


class LongWorkScreen(FindingScreen):
    """A screen that shows one piece of long work at a time, over all else."""

    _progress: ProgressScreen | None = None
    _choice: ImportChoice | None = None

    @work(exit_on_error=False)
    async def action_import_file(self) -> None:
        """Ask for a file and a collection, and import it."""
        from tui.screens.importing import ImportScreen

        form = ImportScreen(self.library.imports.endings(), self._choice)
        self._choice = await self.app.push_screen_wait(form)
        if self._choice is not None:
            name = os.path.basename(self._choice.path.rstrip(os.sep))
            stop = self._follow(
                _("Importing {name}").format(name=name),
                _("Esc stops; then nothing is stored."),
                _("Stopped; nothing was stored."),
            )
            self.read_in(self._choice.path, self._choice.collection, stop)

    def action_verify(self) -> None:
        """Run the evidence of the entry that is read, or all evidence."""
        reading = self.query_one(EntryView).reading if self.showing else None
        name = reading.entry.id if reading else ""
        stop = self._follow(
            _("Verifying {name}").format(name=name) if name else _("Verifying all evidence"),
            _("Esc stops; what was verified is kept."),
            _("Stopped; what was verified is kept."),
        )
        self.verify([name] if name else [], stop)

    def _follow(self, title: str, promise: str, ending: str) -> threading.Event:
        """Show the progress of work that begins; return what asks it to stop."""
        from tui.screens.progress import ProgressScreen

        self._progress = ProgressScreen(title, promise, ending)
        self.app.push_screen(self._progress)
        return self._progress.stop

    @on(Progressed)
    def _progressed(self, message: Progressed) -> None:
        if self._progress is not None:
            self._progress.show(message.done, message.total)

    @on(Worker.StateChanged)
    def _work_ended(self, event: Worker.StateChanged) -> None:
        """Take the progress away, and show the entry as it is after the work."""
        if event.worker.group != LONG or not event.worker.is_finished or self._progress is None:
            return
        self._progress.end()
        if isinstance(event.worker.error, Cancelled):
            self.say(self._progress.ending)
        self._progress = None
        reading = self.query_one(EntryView).reading
        if reading is not None:
            self.renew(reading.entry.id)

    @on(Imported)
    async def _imported(self, message: Imported) -> None:
        """List the collection that was imported."""
        self.say(imported(message.report))
        self._choice, self._titles = None, message.collections
        self.query_one("#query", Input).value = ""
        bar = self.query_one(FilterBar)
        await bar.offer(message.facets, message.collections)
        bar.only("collection", message.report.collection)
        self.showing = False
        self.query_one(EntryList).focus()
        self.look()

    @on(Verified)
    def _verified(self, message: Verified) -> None:
        self.say(verified(message.results))

    @on(EntryRenewed)
    def _renewed(self, message: EntryRenewed) -> None:
        view = self.query_one(EntryView)
        if view.reading is not None and view.reading.entry.id == message.entry.id:
            view.show(replace(view.reading, entry=message.entry), self._at)
            self._at = None

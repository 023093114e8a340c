"""The pane for what takes long or goes elsewhere: it imports, exports and verifies."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from textual import on, work
from textual.message import Message
from textual.worker import Worker

from kb.errors import Cancelled
from kb.i18n import _, ngettext
from tui.messages import (
    Exported,
    Imported,
    LookedThrough,
    Progressed,
    TableFound,
    Verified,
    VerifyAsked,
)
from tui.panes.entry import EntryPane
from tui.panes.pane import Pane
from tui.panes.search import SearchPane
from tui.phrases import imported, verified
from tui.running import Running
from tui.session import LONG, Session

if TYPE_CHECKING:
    from kb.model import ImportReport, TablePreview
    from tui.running import Answer
    from tui.screens.importing import ImportChoice
    from tui.screens.progress import ProgressScreen


class WorkPane(Pane):
    """Shows one piece of long work at a time, over all else; the reader can stop it."""

    takes_room = False

    @dataclass
    class TookIn(Message):
        """A file was imported, and is to be listed."""

        imported: Imported

    class Ended(Message):
        """Long work has ended, which may have changed what is listed."""

    def __init__(self, session: Session, search: SearchPane, entry: EntryPane) -> None:
        super().__init__(session)
        self._search = search
        self._entry = entry
        self._progress: ProgressScreen | None = None
        self._choice: ImportChoice | None = None
        self._next: Callable[[], object] | None = None
        """What to go on with once the progress that is shown is gone."""

    @work(exit_on_error=False)
    async def action_import_file(self) -> None:
        """Ask for a file and a collection, and show what is in it before it is imported."""
        from tui.screens.importing import ImportScreen

        form = ImportScreen(self.session.library.imports.endings(), self._choice)
        self._choice = await self.app.push_screen_wait(form)
        if self._choice is not None:
            self._look_through(self._choice)

    def _look_through(self, choice: ImportChoice) -> None:
        stop = self._follow_import(_("Looking through {name}"))
        self.session.look_through(self, choice, stop)

    @work(exit_on_error=False)
    async def _name_columns(self, table: TablePreview) -> None:
        """Let the reader say what the columns of a table are, and look through it so."""
        from tui.screens.importing import ColumnsScreen

        if self._choice is None:
            return
        name = os.path.basename(self._choice.path)
        columns = await self.app.push_screen_wait(ColumnsScreen(name, table))
        if columns is not None:
            self._choice = replace(self._choice, columns=columns)
            self._look_through(self._choice)

    @work(exit_on_error=False)
    async def _show_and_import(self, report: ImportReport) -> None:
        """Show what an import would do, and do it if the reader wants that."""
        from tui.screens.importing import PreviewScreen

        wanted = await self.app.push_screen_wait(PreviewScreen(report))
        if wanted and self._choice is not None:
            stop = self._follow_import(_("Importing {name}"))
            self.session.read_in(self, self._choice, stop)

    def _follow_import(self, title: str) -> threading.Event:
        assert self._choice is not None
        name = os.path.basename(self._choice.path.rstrip(os.sep))
        return self._follow(
            title.format(name=name),
            _("Esc stops; then nothing is stored."),
            _("Stopped; nothing was stored."),
        )

    def action_verify(self) -> None:
        """Run the evidence of the entry that is read, or all evidence."""
        reading = self._entry.reading if self._at_entry else None
        self._verify([reading.entry.id] if reading is not None else [])

    def _verify(self, ids: Sequence[str], answer: Answer | None = None) -> None:
        stop = self._follow(
            _("Verifying {name}").format(name=ids[0]) if ids else _("Verifying all evidence"),
            _("Esc stops; what was verified is kept."),
            _("Stopped; what was verified is kept."),
        )
        Running(self.session).verify(self, ids, stop, answer)

    @work(exit_on_error=False)
    async def _ask_and_verify(self, asked: VerifyAsked) -> None:
        """Show the code that would measure, and verify with what may run after the answer."""
        from tui.screens.consent import ConsentScreen

        hint = _("Without a yes the rest is verified.")
        answer = await self.app.push_screen_wait(ConsentScreen(asked.programs, hint))
        self._verify(asked.ids, answer)

    @property
    def _at_entry(self) -> bool:
        """Whether the reader is at an entry, and not at what was found."""
        return self.screen.has_class("-showing")

    @work(exit_on_error=False)
    async def action_export(self) -> None:
        """Ask for format and path, and write the entry in sight, or what is listed, to a file."""
        from tui.screens.export import ExportScreen

        in_sight = self._at_entry or not self.screen.has_class("-narrow")
        reading = self._entry.reading if in_sight else None
        entry = reading.entry.id if reading is not None else None
        results = self.session.found.results
        choice = await self.app.push_screen_wait(
            ExportScreen(
                self.session.library.exports.formats(),
                self.session.library.exports.endings(),
                entry=entry,
                listed=results.total if results else 0,
                at_entry=self._at_entry,
            )
        )
        if choice is None:
            return
        if choice.only_entry and entry is not None:
            self.session.export(self, choice.format, choice.path, entry=entry)
        else:
            query, filters = self._search.query_text, self._search.filters
            self.session.export(self, choice.format, choice.path, query=query, filters=filters)

    def end(self, event: Worker.StateChanged) -> None:
        """Take the progress away when its worker has ended, and show the entry as it is now."""
        if event.worker.group != LONG or not event.worker.is_finished or self._progress is None:
            return
        self._progress.end()
        if self._next is not None:
            self._next()
            self._next = None
        if isinstance(event.worker.error, Cancelled):
            self.session.say(self._progress.ending)
        self._progress = None
        self.post_message(self.Ended())

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

    def _go_on(self, step: Callable[[], object]) -> None:
        """Take the next step, once the progress that is shown is gone."""
        if self._progress is None:
            step()
        else:
            self._next = step

    @on(LookedThrough)
    def _looked(self, message: LookedThrough) -> None:
        self._go_on(lambda: self._show_and_import(message.report))

    @on(TableFound)
    def _found_table(self, message: TableFound) -> None:
        self._go_on(lambda: self._name_columns(message.table))

    @on(Imported)
    def _imported(self, message: Imported) -> None:
        self.session.say(imported(message.report))
        self._choice = None
        self.post_message(self.TookIn(message))

    @on(VerifyAsked)
    def _verify_asked(self, message: VerifyAsked) -> None:
        self._go_on(lambda: self._ask_and_verify(message))

    @on(Verified)
    def _verified(self, message: Verified) -> None:
        """Say what came of it, and keep it in sight beside what was found."""
        self.session.verified = message.results
        self.session.say(verified(message.results))
        if not all(result.stored for result in message.results):
            self.session.say_not_stored()
        self._search.tell()

    @on(Exported)
    def _exported(self, message: Exported) -> None:
        written = ngettext("{n} entry written to", "{n} entries written to", message.count)
        self.session.say(f"{written} {message.path}")

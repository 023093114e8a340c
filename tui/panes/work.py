"""The pane for long work: import, export and verification."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar

from textual import work
from textual.message import Message
from textual.worker import WorkerFailed

from kb.errors import Cancelled
from kb.i18n import _, ngettext
from tui.messages import PartsChanged
from tui.panes.entry import EntryPane
from tui.panes.pane import Pane
from tui.panes.search import SearchPane
from tui.phrases import verified
from tui.session import Session, Tell, following

if TYPE_CHECKING:
    from kb.model.entry import Program
    from kb.model.reports import ImportReport, TablePreview, Verification
    from kb.model.results import Progress
    from tui.screens.files import ImportChoice

T = TypeVar("T")


class WorkPane(Pane):
    """Shows one long task at a time over everything else; the reader can stop it."""

    @dataclass
    class TookIn(Message):
        """A file was imported into a collection, which is to be listed."""

        collection: str

    def __init__(self, session: Session, search: SearchPane, entry: EntryPane) -> None:
        super().__init__(session)
        self._search = search
        self._entry = entry
        self._failed: ImportChoice | None = None
        """The last import that was not finished: the next one begins with it."""

    @work(exit_on_error=False)
    async def action_import_file(self) -> None:
        """Ask for a file, a collection and the columns of a table, show a preview, and import."""
        from kb.model.reports import ImportReport
        from tui.screens.files import ColumnsScreen, ImportScreen, PreviewScreen, counts

        library = self.session.library
        form = ImportScreen(library.imports.endings(), self._failed)
        self._failed = choice = await self.app.push_screen_wait(form)
        if choice is None:
            return
        path, collection = choice.path, choice.collection
        columns: str | None = None

        def load(progress: Progress, *, dry_run: bool = False) -> ImportReport:
            return library.import_file(
                path, collection=collection, columns=columns, dry_run=dry_run, progress=progress
            )

        def look(progress: Progress) -> ImportReport | TablePreview:
            table = library.imports.table_in(path) if os.path.isfile(path) else None
            return table or load(progress, dry_run=True)

        found = await self._follow_import(_("Checking {name}"), path, look)
        if not isinstance(found, ImportReport):
            columns = await self.app.push_screen_wait(ColumnsScreen(os.path.basename(path), found))
            if columns is None:
                return
            look_again = partial(load, dry_run=True)
            found = await self._follow_import(_("Checking {name}"), path, look_again)
        if await self.app.push_screen_wait(PreviewScreen(found)):
            done = await self._follow_import(_("Importing {name}"), path, load)
            self._failed = None
            told = [_("Imported: {name}", name=done.collection), *counts(done)]
            self.session.say(" · ".join(told))
            self.post_message(self.TookIn(done.collection))

    async def _follow_import(self, title: str, path: str, task: Callable[[Progress], T]) -> T:
        name = os.path.basename(path.rstrip(os.sep))
        promise, ending = _("Esc stops, and nothing is saved."), _("Stopped. Nothing was saved.")
        return await self._follow(title.format(name=name), promise, ending, task)

    @work(exit_on_error=False)
    async def action_verify(self) -> None:
        """Verify the current entry, or all evidence.

        Code that needs consent is shown first.
        """
        from tui.screens.consent import consent

        at_entry, library = self.screen.has_class("-showing"), self.session.library
        reading = self._entry.reading if at_entry else None
        ids = [reading.entry.id] if reading is not None else []
        given: dict[str, Any] = {}

        def verify(progress: Progress) -> tuple[Sequence[Program], Sequence[Verification]]:
            asking = [] if given else [p for p in library.programs.of_verify(ids) if p.asks]
            return asking, () if asking else library.verify(ids, progress=progress, **given)

        follow = partial(
            self._follow,
            _("Verifying {name}").format(name=ids[0]) if ids else _("Verifying all evidence"),
            _("Esc stops and keeps what was verified."),
            _("Stopped. What was verified is kept."),
            verify,
        )
        asking, results = await follow()
        if asking:
            hint = _("Without consent only the rest is verified.")
            given["yes"] = await consent(self.session, asking, hint)
            _asking, results = await follow()
        # What came of it is kept in sight beside what was found.
        self.session.verified = results
        self.session.say(verified(results))
        if not all(result.stored for result in results):
            self.session.say_not_stored()
        self._search.tell()

    @work(exit_on_error=False)
    async def action_export(self) -> None:
        """Ask for format and path, and export the entry or the list."""
        from tui.screens.files import ExportScreen

        at_entry = self.screen.has_class("-showing")
        in_sight = at_entry or not self.screen.has_class("-narrow")
        reading = self._entry.reading if in_sight else None
        entry = reading.entry.id if reading is not None else None
        found, library = self.session.found.results, self.session.library
        every = await self.session.run(lambda: library.list(limit=1).total, "count")
        listed = found.total if found else 0
        named = await self.session.named(entry) if entry is not None else ""
        form = ExportScreen(library.exports, entry=entry, named=named, listed=listed, every=every)
        choice = await self.app.push_screen_wait(form)
        if choice is None:
            return
        of: dict[str, Any] = {"query": self._search.query_text, "filters": self._search.filters}
        if choice.scope == "entry" and entry is not None:
            of = {"ids": [entry]}
        elif choice.scope == "all":
            of = {}
        count = await self.session.run(
            lambda: library.export(choice.format, choice.path, **of), "export"
        )
        written = ngettext("{n} entry written to", "{n} entries written to", count)
        self.session.say(f"{written} {os.path.abspath(choice.path)}")

    async def _follow(
        self, title: str, promise: str, ending: str, task: Callable[[Progress], T]
    ) -> T:
        """Run work in a thread with visible progress; the reader can stop it.

        ``promise`` and ``ending`` say what happens to stopped work, before and after.
        """
        from tui.screens.progress import ProgressScreen

        shown = ProgressScreen(title, promise)
        self.app.push_screen(shown)

        def begin(tell: Tell) -> T:
            return task(following(lambda *done: tell(shown.show, *done), shown.stop))

        try:
            return await self.session.start(begin, "long", exclusive=True).wait()
        except WorkerFailed as failed:
            if isinstance(failed.error, Cancelled):
                self.session.say(ending)
            raise
        finally:
            shown.end()
            self.post_message(PartsChanged())

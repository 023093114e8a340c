"""All work that runs in threads, and the one place where its failures are shown.

A thread worker goes on after it was cancelled, so each asks before it speaks; and an
answer carries the number of its question. Every thread has a database connection of its
own, which the library sees to.
"""

from __future__ import annotations

import os
import threading
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING

from textual import work
from textual.message import Message
from textual.screen import Screen
from textual.worker import Worker, WorkerState, get_current_worker

from kb.errors import Cancelled, KbError, Untrusted
from kb.records import Page
from tui.bidi import Mark, label
from tui.i18n import _
from tui.messages import (
    CodeColoured,
    EntryLoaded,
    EntryRenewed,
    Exported,
    FacetsFound,
    Imported,
    OutputArrived,
    OwnChanged,
    PageFound,
    Progressed,
    ResultsFound,
    RunEnded,
    Verified,
)

if TYPE_CHECKING:
    from kb.library import Library
    from kb.records import Entry, Filters, Progress, Results

MOST_HITS = 50
MOST_LISTED = 300
LONG = "long"
"""The group of the workers whose progress is shown and that the reader can stop."""

# The cells a toast has at most, and those that its border and padding take.
_TOAST, _AROUND = 60, 4


class WorkingScreen(Screen[None]):
    """A screen that asks the library, in threads; answers come as messages."""

    def __init__(self, library: Library) -> None:
        super().__init__()
        self.library = library

    @work(thread=True, exclusive=True, group="search", exit_on_error=False)
    def find(self, query: str, filters: Filters, number: int) -> None:
        """Search as one types, or list everything for an empty query → `ResultsFound`."""
        worker = get_current_worker()
        if worker.is_cancelled:
            return
        collections = self.library.read.collections()
        if not query.strip():
            listed = self.library.list(limit=MOST_LISTED, filters=filters)
            self.tell(ResultsFound(number, listed, collections))
            return
        tiers = self.library.search_typed(
            query, limit=MOST_HITS, filters=filters, cancelled=lambda: worker.is_cancelled
        )
        for results in tiers:
            self.tell(ResultsFound(number, results, collections))

    @work(thread=True, exclusive=True, group="page", exit_on_error=False)
    def fetch_page(self, query: str, filters: Filters, number: int, page: Page) -> None:
        """Fetch a page of what a finished search, or a list, has found → `PageFound`."""
        worker = get_current_worker()
        if worker.is_cancelled:
            return
        try:
            found = self._page_of(query, filters, page, lambda: worker.is_cancelled)
        except Exception:
            self.tell(PageFound(number, page))
            raise
        # A search that was stopped, to be told by its notice, is no end of what there is.
        stopped = bool(found.notice) and not found.hits
        self.tell(PageFound(number, page, None if stopped else found))

    def _page_of(
        self, query: str, filters: Filters, page: Page, cancelled: Callable[[], bool]
    ) -> Results:
        limit, offset = page
        if not query.strip():
            return self.library.list(limit=limit, offset=offset, filters=filters)
        return self.library.find.search(
            query, limit=limit, offset=offset, filters=filters, cancelled=cancelled
        )

    @work(thread=True, exclusive=True, group="facets", exit_on_error=False)
    def fetch_facets(self) -> None:
        """Fetch the values that the list can be narrowed to → `FacetsFound`."""
        self.tell(FacetsFound(self.library.read.facets()))

    @work(thread=True, exclusive=True, group="entry", exit_on_error=False)
    def load(self, entry: str, number: int, query: str, read: bool) -> None:
        """Fetch an entry, and what the query matches in it → `EntryLoaded`."""
        if get_current_worker().is_cancelled:
            return
        found = self.library.show(entry)
        marks = self._matches(found, query) if query.strip() else {}
        titles = self.library.read.collections().get(found.collection, {})
        self.tell(EntryLoaded(number, found, read, titles, marks))

    def _matches(
        self, entry: Entry, query: str
    ) -> Mapping[tuple[str, str], tuple[tuple[int, int], ...]]:
        texts = {("question", lang): text for lang, text in entry.question.items()}
        texts |= {(answer.role, answer.lang): answer.text for answer in entry.answers}
        return {key: self.library.find.marks(text, key[1], query) for key, text in texts.items()}

    @work(thread=True, group="colour", exit_on_error=False)
    def colour(self, code: str) -> None:
        """Find the colours of Python code → `CodeColoured`. Pygments is loaded here only."""
        from textual.highlight import highlight

        content = highlight(code, language="python", tab_size=4)
        marks = tuple(Mark(span.start, span.end, str(span.style)) for span in content.spans)
        if content.plain == code.rstrip("\n"):
            self.tell(CodeColoured(code, marks))

    @work(thread=True, exclusive=True, group="run", exit_on_error=False)
    def run_code(self, snippet: str, code: str | None, number: int, stop: threading.Event) -> None:
        """Run a snippet, or the code made of it → `OutputArrived` as it writes, then `RunEnded`."""
        worker = get_current_worker()

        def arrived(stream: str, text: str) -> None:
            if worker.is_cancelled:
                stop.set()
            self.tell(OutputArrived(number, stream, text))

        try:
            if code is None:
                outcome = self.library.run(snippet, on_output=arrived, stop=stop)
            else:
                outcome = self.library.run_code(code, name=snippet, on_output=arrived, stop=stop)
        except Untrusted as error:
            self.tell(RunEnded(number, None, f"{error.message} {error.hint}".strip()))
        except Exception as error:
            self.tell(RunEnded(number, None, sentence(error)))
            raise
        else:
            self.tell(RunEnded(number, outcome))

    @work(thread=True, group="export", exit_on_error=False)
    def write_entry(self, format: str, path: str, entry: str) -> None:
        """Write an entry to a file → `Exported`."""
        count = self.library.export(format, path, ids=[entry])
        self.tell(Exported(count, os.path.abspath(path)))

    @work(thread=True, group="export", exit_on_error=False)
    def write_found(self, format: str, path: str, query: str, filters: Filters) -> None:
        """Write all that a search finds, or a list has, to a file → `Exported`."""
        count = self.library.export(format, path, query=query, filters=filters)
        self.tell(Exported(count, os.path.abspath(path)))

    @work(thread=True, group="own", exit_on_error=False)
    def change_own(self, entry: str, change: Callable[[], str | None]) -> None:
        """Change what a reader added to an entry → `OwnChanged`."""
        self.tell(OwnChanged(entry, change()))

    @work(thread=True, exclusive=True, group=LONG, exit_on_error=False)
    def read_in(self, path: str, collection: str | None, stop: threading.Event) -> None:
        """Import a file → `Progressed`, then `Imported`."""
        report = self.library.import_file(
            path, collection=collection, progress=self.following(stop)
        )
        self.tell(Imported(report, self.library.read.facets(), self.library.read.collections()))

    @work(thread=True, exclusive=True, group=LONG, exit_on_error=False)
    def verify(self, ids: Sequence[str], stop: threading.Event) -> None:
        """Run the evidence of entries, or all there is → `Progressed`, then `Verified`."""
        self.tell(Verified(self.library.verify(ids, progress=self.following(stop))))

    @work(thread=True, group="entry-again", exit_on_error=False)
    def renew(self, entry: str) -> None:
        """Fetch an entry anew → `EntryRenewed`."""
        self.tell(EntryRenewed(self.library.show(entry)))

    def following(self, stop: threading.Event) -> Progress:
        """Return what tells how far this worker is, and ends it once it is to ``stop``."""
        worker = get_current_worker()

        def progress(done: int, total: int) -> None:
            if stop.is_set() or worker.is_cancelled:
                raise Cancelled("stopped")
            self.tell(Progressed(done, total))

        return progress

    def tell(self, message: Message) -> None:
        """Post a worker's answer, unless the worker was cancelled meanwhile."""
        if not get_current_worker().is_cancelled:
            self.post_message(message)

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """Show what made a worker fail; nothing that failed stays silent."""
        error = event.worker.error if event.state is WorkerState.ERROR else None
        if error is not None and not isinstance(error, Cancelled):
            self.say(sentence(error), failed=True)

    def say(self, text: str, *, failed: bool = False) -> None:
        """Notify the reader, as plain text."""
        severity = "error" if failed else "information"
        room = min(_TOAST, self.app.size.width // 2) - _AROUND
        self.notify(label(text, room), severity=severity, markup=False)  # type: ignore[arg-type]


def sentence(error: BaseException) -> str:
    """Return what to tell the reader about an error."""
    if isinstance(error, KbError):
        return f"{error.message} {error.hint}".strip()
    kind = type(error).__name__
    return _("Something went wrong: {error}").format(error=f"{kind}: {error}")

"""All work that runs in threads beside the main screen, and where its failures are shown.

A thread worker goes on after it was cancelled, so each asks before it speaks; and an
answer carries the number of its question. It is told to the pane that asked. Every thread
has a database connection of its own, which goes with it.
"""

from __future__ import annotations

import os
import re
import threading
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import TYPE_CHECKING, Any, NamedTuple

from textual.message import Message
from textual.message_pump import MessagePump
from textual.screen import Screen
from textual.worker import Worker, WorkerState, get_current_worker

from kb.errors import Cancelled
from kb.i18n import LRM, _
from kb.present.markdown.reader import read_ahead
from tui.bidi import label
from tui.changes import WaitNotice
from tui.messages import (
    CodeColoured,
    EntryLoaded,
    EntryRenewed,
    Exported,
    FacetsFound,
    Imported,
    LookedThrough,
    OwnChanged,
    PageFound,
    Progressed,
    ProvenFound,
    ResultsFound,
    TableFound,
)
from tui.phrases import error_sentence

if TYPE_CHECKING:
    from kb.library import Library
    from kb.model import Entry, Filters, Hit, ImportReport, Page, Progress, Results, Verification
    from tui.screens.importing import ImportChoice


class Wanted(NamedTuple):
    """What is looked for: words, or everything without them; or what the reader has hidden."""

    words: str
    filters: Filters
    hidden: bool = False


def most_telling(hits: Sequence[Hit], named: str) -> str:
    """Return the entry to begin at: the one that is named, else one that is wrong, else the first.

    ``named`` is taken only if it is among the hits.
    """
    told = [hit.id for hit in hits if hit.id == named]
    wrong = [hit.id for hit in hits if hit.verdicts.get("wrong")]
    return next(iter([*told, *wrong, *(hit.id for hit in hits[:1])]), "")


class Found:
    """What was asked and found. Each question has a number; an older one's answer is dropped.

    >>> found = Found()
    >>> first, second = found.ask(), found.ask()
    >>> found.awaits(first), found.awaits(second)
    (False, True)
    """

    def __init__(self) -> None:
        self.results: Results | None = None
        self.titles: Mapping[str, Mapping[str, str]] = {}
        self.begins = ""
        """The entry to begin at, of those that were listed first."""
        self.everything = 0
        """How many entries there were at the beginning."""
        self.asked = 0
        self.beyond = 0
        self._answered = 0

    def ask(self) -> int:
        """Return the number of a new question."""
        self.asked += 1
        return self.asked

    def awaits(self, number: int) -> bool:
        """Say whether this is the number of the question that was asked last."""
        return number == self.asked

    def take(
        self,
        results: Results,
        titles: Mapping[str, Mapping[str, str]],
        beyond: int = 0,
        telling: str = "",
    ) -> None:
        """Keep the answer to the last question; ``beyond`` its filters there are so many."""
        if not self._answered:
            self.begins, self.everything = most_telling(results.hits, telling), results.total
        self.results, self.titles, self._answered = results, titles, self.asked
        self.beyond = beyond

    @property
    def answered(self) -> Results | None:
        """The results of the last question, once they have come."""
        return self.results if self._answered == self.asked else None

    @property
    def listed(self) -> bool:
        """Whether anything was found."""
        return bool(self.results and self.results.hits)

    @property
    def suggestion(self) -> str | None:
        """The spelling that was probably meant."""
        return self.results.suggestion if self.results else None

    @property
    def offer(self) -> str:
        """The command that is to find more where nothing is listed, if one can."""
        if self.listed:
            return ""
        return "suggestion" if self.suggestion else "no-filter" if self.beyond else ""


MOST_HITS = 50
MOST_LISTED = 300
LONG = "long"
"""The group of the workers whose progress is shown and that the reader can stop."""

# In a line from the right the first slash of a path would stand behind it.
_PATH = re.compile(r"(?<!\S)/")

# The cells a toast has at most, and those that its border and padding take.
_TOAST, _AROUND = 60, 4

Tell = Callable[[Message], None]
"""Posts a worker's answer, unless the worker was cancelled meanwhile."""


class Session:
    """What the panes of a screen share: the library, workers, what was found, what is marked."""

    def __init__(self, library: Library, screen: Screen[Any]) -> None:
        self.library = library
        self.found = Found()
        self.marks: dict[str, None] = {}
        """The entries that the reader has marked, in that order."""
        self.verified: Sequence[Verification] | None = None
        """What came of verifying, until something else is looked for."""
        self._told_not_stored = False
        self.screen = screen
        self.waits = WaitNotice(self)
        library.when_waiting(self.waits.told)

    def find(self, to: MessagePump, wanted: Wanted, number: int) -> None:
        """Search as one types, or list everything for an empty query → `ResultsFound`."""
        query, filters, hidden = wanted

        def work(tell: Tell) -> None:
            collections = self.library.read.collections()
            if not query.strip():
                listed = self._lister(hidden)(limit=MOST_LISTED, filters=filters)
                beyond, telling = self._beyond(wanted, listed), self.library.read.telling()
                tell(ResultsFound(number, listed, collections, beyond, telling))
                return
            tiers = self.library.search_typed(
                query, limit=MOST_HITS, filters=filters, cancelled=cancelled
            )
            for results in tiers:
                beyond = self._beyond(wanted, results)
                tell(ResultsFound(number, results, collections, beyond))

        self.start(to, work, "search", exclusive=True)

    def _beyond(self, wanted: Wanted, found: Results) -> int:
        """Return how many there are without the filters, where with them nothing was found."""
        if found.total or not any(wanted.filters) or wanted.hidden:
            return 0
        if wanted.words.strip():
            return self.library.find.search(wanted.words, limit=0, cancelled=cancelled).total
        return self.library.list(limit=0).total

    def fetch_page(self, to: MessagePump, wanted: Wanted, number: int, page: Page) -> None:
        """Fetch a page of what a finished search, or a list, has found → `PageFound`."""
        query, filters, hidden = wanted

        def work(tell: Tell) -> None:
            limit, offset = page
            try:
                if query.strip():
                    found = self.library.find.search(
                        query, limit=limit, offset=offset, filters=filters, cancelled=cancelled
                    )
                else:
                    found = self._lister(hidden)(limit=limit, offset=offset, filters=filters)
            except Exception:
                tell(PageFound(number, page))
                raise
            # A search that was stopped, to be told by its notice, is no end of what there is.
            stopped = bool(found.notice) and not found.hits
            tell(PageFound(number, page, None if stopped else found))

        self.start(to, work, "page", exclusive=True)

    def _lister(self, hidden: bool) -> Callable[..., Results]:
        return partial(self.library.find.list, hidden=True) if hidden else self.library.list

    def forget_page(self) -> None:
        """Fetch no page any more: something else is looked for."""
        self.screen.workers.cancel_group(self.screen, "page")

    def fetch_facets(self, to: MessagePump) -> None:
        """Fetch the values that the list can be narrowed to → `FacetsFound`."""
        read, tree = self.library.read, self.library.collections.tree
        self.ask(to, lambda: FacetsFound(read.facets(), tree()), "facets", exclusive=True)

    def count_proven(self, to: MessagePump) -> None:
        """Count how much of the evidence is confirmed → `ProvenFound`."""
        self.ask(to, lambda: ProvenFound(self.library.read.proven()), "proven", exclusive=True)

    def ask(
        self,
        to: MessagePump,
        make: Callable[[], Message],
        group: str = "ask",
        *,
        exclusive: bool = False,
    ) -> None:
        """Do work that makes one message, and tell it."""
        self.start(to, lambda tell: tell(make()), group, exclusive=exclusive)

    def load(self, to: MessagePump, entry: str, number: int, query: str, read: bool) -> None:
        """Fetch an entry, and what the query matches in it → `EntryLoaded`."""

        def make() -> EntryLoaded:
            found = self.library.show(entry)
            marks = self._matches(found, query) if query.strip() else {}
            titles = self.library.read.collections().get(found.collection, {})
            read_ahead(found)
            backlinks = self.library.read.backlinks(entry)
            return EntryLoaded(number, found, read, titles, marks, backlinks)

        self.ask(to, make, "entry", exclusive=True)

    def _matches(
        self, entry: Entry, query: str
    ) -> Mapping[tuple[str, str], tuple[tuple[int, int], ...]]:
        texts = {("question", lang): text for lang, text in entry.question.items()}
        texts |= {(answer.role, answer.lang): answer.text for answer in entry.answers}
        marks = self.library.find.marks
        return {key: marks(text, key[1], query) for key, text in texts.items()}

    def renew(self, to: MessagePump, entry: str) -> None:
        """Fetch an entry anew → `EntryRenewed`."""
        self.ask(to, lambda: EntryRenewed(self.library.show(entry)), "entry-again")

    def colour(self, to: MessagePump, code: str, language: str) -> None:
        """Find the colours of code → `CodeColoured`."""

        def work(tell: Tell) -> None:
            from tui.syntax import colours

            tell(CodeColoured(code, tuple(colours(code, language))))

        self.start(to, work, "colour")

    def export(
        self,
        to: MessagePump,
        format: str,
        path: str,
        *,
        entry: str | None = None,
        query: str = "",
        filters: Filters | None = None,
    ) -> None:
        """Write an entry, or all that a search finds or a list has, to a file → `Exported`."""

        def make() -> Exported:
            ids = None if entry is None else [entry]
            count = self.library.export(format, path, ids=ids, query=query, filters=filters)
            return Exported(count, os.path.abspath(path))

        self.ask(to, make, "export")

    async def keep(self, to: MessagePump, make: Callable[[], Message], group: str) -> str:
        """Do work that stores something, and tell its message; return why it failed, if it did."""
        refused: list[str] = []

        def work(tell: Tell) -> None:
            try:
                made = make()
            except Exception as error:
                refused.append(error_sentence(error))
            else:
                tell(made)

        await self.start(to, work, group).wait()
        return " ".join(refused)

    async def keep_own(self, entry: str, change: Callable[[], str | None]) -> str:
        """Change what a reader added to an entry → `OwnChanged`; return why not, if it failed."""
        return await self.keep(self.screen, lambda: OwnChanged(entry, change()), "own")

    def look_through(self, to: MessagePump, asked: ImportChoice, stop: threading.Event) -> None:
        """See what an import would do, and do nothing → `Progressed`, then `LookedThrough`.

        Of a table whose columns were not named → `TableFound`.
        """

        def work(tell: Tell) -> None:
            table = None
            if asked.columns is None and os.path.isfile(asked.path):
                table = self.library.imports.table_in(asked.path)
            if table is not None:
                tell(TableFound(table))
                return
            tell(LookedThrough(self._import(asked, following(tell, stop), dry_run=True)))

        self.start(to, work, LONG, exclusive=True)

    def read_in(self, to: MessagePump, asked: ImportChoice, stop: threading.Event) -> None:
        """Import a file → `Progressed`, then `Imported`."""

        def work(tell: Tell) -> None:
            report = self._import(asked, following(tell, stop))
            read, tree = self.library.read, self.library.collections.tree()
            tell(Imported(report, read.facets(), read.collections(), tree))

        self.start(to, work, LONG, exclusive=True)

    def _import(
        self, asked: ImportChoice, progress: Progress, *, dry_run: bool = False
    ) -> ImportReport:
        return self.library.import_file(
            asked.path,
            collection=asked.collection,
            columns=asked.columns,
            dry_run=dry_run,
            progress=progress,
        )

    def start(
        self, to: MessagePump, work: Callable[[Tell], None], group: str, *, exclusive: bool = False
    ) -> Worker[None]:
        """Begin work in a thread; ``exclusive`` work puts an end to what its group does."""

        def tell(message: Message) -> None:
            if not cancelled():
                to.post_message(message)

        def run() -> None:
            if not cancelled():
                work(tell)

        return self.screen.run_worker(
            run, thread=True, group=group, exclusive=exclusive, exit_on_error=False
        )

    def failed(self, event: Worker.StateChanged) -> None:
        """Show what made a worker fail; nothing that failed stays silent."""
        error = event.worker.error if event.state is WorkerState.ERROR else None
        if error is not None and not isinstance(error, Cancelled):
            self.say(error_sentence(error), failed=True)

    def say(self, text: str, *, failed: bool = False) -> None:
        """Notify the reader, as plain text."""
        room = min(_TOAST, self.screen.app.size.width // 2) - _AROUND
        shown = label(_PATH.sub(f"{LRM}/", text), room)
        if failed:
            self.screen.notify(shown, severity="error", markup=False)
        else:
            self.screen.notify(shown, markup=False)

    def say_not_stored(self) -> None:
        """Notify the reader, once, that what runs prove is not stored."""
        if not self._told_not_stored:
            self._told_not_stored = True
            self.say(_("Results were not stored: the database cannot be written"))


def cancelled() -> bool:
    """Say whether the worker that asks is to end."""
    return get_current_worker().is_cancelled


def following(tell: Tell, stop: threading.Event) -> Progress:
    """Return what tells how far this worker is, and ends it once it is to ``stop``."""

    def progress(done: int, total: int) -> None:
        if stop.is_set() or cancelled():
            raise Cancelled("stopped")
        tell(Progressed(done, total))

    return progress

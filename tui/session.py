"""Runs work in threads for the main screen, syncs in the background, and shows failures.

A thread continues after cancellation, so each checks before it reports; and an answer has the
number of its request. Every thread has its own database connection, which ends with it. While
another program writes, the reader sees whom a change waits for, and can cancel.
"""

from __future__ import annotations

import asyncio
import re
import threading
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from contextvars import copy_context
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, TypeVar, cast

from textual.message import Message
from textual.notifications import SeverityLevel
from textual.screen import Screen
from textual.timer import Timer
from textual.worker import Worker, WorkerState, get_current_worker

from kb.errors import Cancelled, KbError, NotFound, ReadOnly
from kb.i18n import LRM, N_, _, language, ngettext, number, of_language, right_to_left
from kb.present.titles import asked_in, named
from tui.bidi import label
from tui.messages import EntriesChanged, Titles
from tui.phrases import error_sentence

if TYPE_CHECKING:
    from kb.library import Library
    from kb.model.changes import Collection
    from kb.model.reports import Verification
    from kb.model.results import Hit, Progress, Results, Writer
    from tui.app import DaneshApp
    from tui.screens.progress import ProgressScreen


T = TypeVar("T")


class Found:
    """The current query and its results; answers to older queries are dropped.

    >>> found = Found()
    >>> first, second = found.ask(), found.ask()
    >>> found.awaits(first), found.awaits(second)
    (False, True)
    """

    def __init__(self) -> None:
        self.results: Results | None = None
        self.titles: Titles = {}
        self.begins = ""
        """The entry to begin at."""
        self.everything = 0
        """The number of entries at the start."""
        self.asked = 0
        self.beyond = 0
        self._answered = 0

    def ask(self) -> int:
        """Return the number of a new query."""
        self.asked += 1
        return self.asked

    def awaits(self, number: int) -> bool:
        """Return whether this is the number of the last query."""
        return number == self.asked

    def take(self, results: Results, titles: Titles, beyond: int = 0, begins: str = "") -> None:
        """Store the answer to the last query; ``beyond`` is the number without filters."""
        if not self._answered:
            self.begins, self.everything = begins, results.total
        self.results, self.titles, self._answered = results, titles, self.asked
        self.beyond = beyond

    @property
    def hits(self) -> Sequence[Hit]:
        """What the last answer lists."""
        return self.results.hits if self.results else ()

    @property
    def answered(self) -> Results | None:
        """The results of the last query, once available."""
        return self.results if self._answered == self.asked else None

    @property
    def listed(self) -> bool:
        """Whether anything was found."""
        return bool(self.results and self.results.hits)

    @property
    def suggestion(self) -> str | None:
        """The suggested spelling."""
        return self.results.suggestion if self.results else None

    @property
    def offer(self) -> str:
        """The command that would find more if nothing is listed, if any."""
        if self.listed:
            return ""
        return "suggestion" if self.suggestion else "no-filter" if self.beyond else ""


_WRITES = N_("Another danesh ({what}, process {pid}) has been writing for {n} s.")
_SOMEBODY = N_("Another program is writing to the database.")

# In a line from the right the first slash of a path would stand behind it.
_PATH = re.compile(r"(?<!\S)/")

# The cells around a toast's text, and the letters above which a title in a question is cut.
_AROUND, _TITLE = 3, 48
_SHORTEST, _LETTERS_A_SECOND = 5.0, 7

Tell = Callable[..., None]
"""Calls a function on the screen with a worker's result, unless the worker was cancelled."""


class Session:
    """The shared state of a screen's panes: library, workers, results, marks."""

    def __init__(self, library: Library, screen: Screen[Any]) -> None:
        self.library = library
        self.found = Found()
        self.marks: dict[str, None] = {}
        """The marked entries, in order."""
        self.open_now = ""
        """The displayed entry, if any."""
        self.verified: Sequence[Verification] | None = None
        """The results of verification, until the next search."""
        self.not_synced = ""
        """Why the last sync in the background failed, if so."""
        self._told_not_stored = False
        self.screen = screen
        self.waits = WaitNotice(screen)
        library.when_waiting(self.waits.told)

    async def run(self, work: Callable[[], T], group: str = "ask") -> T:
        """Run work in a thread and return its result; an error ends the caller, too."""
        return await self.start(lambda _tell: work(), group).wait()

    def title(self, entry: str) -> str:
        """Return the title of an entry, cut; nothing if there is none. Call it in a thread."""
        asked = self.library.read.questions([entry])
        return named(of_language(asked.get(entry, {}))[1], _TITLE)

    async def named(self, entry: str) -> str:
        """Return the title of an entry, cut, with its id if a listed one has the same."""
        title = await self.run(lambda: self.title(entry), "named")
        others = (asked_in(each, language())[1] for each in self.found.hits if each.id != entry)
        same = any(named(each, _TITLE) == title for each in others)
        return f"{title} ({entry})" if title and same else title or entry

    async def facets(self) -> tuple[Mapping[str, Sequence[str]], Sequence[Collection]]:
        """Return the current filter values by field, and the collections."""
        read, tree = self.library.read, self.library.collections.tree
        return await self.run(lambda: (read.facets(), tree()), "facets")

    def changed(self, change: EntriesChanged) -> EntriesChanged:
        """Complete the message about a change; call it in the change's thread."""
        watched = {self.open_now, *self.marks} & {*change.ids}
        gone = watched - self.library.read.questions(watched).keys() | {*change.away}
        return replace(change, titles=self.library.read.collections(), gone=gone)

    async def keep(self, make: Callable[[], Message | None]) -> str:
        """Run work that stores something, and notify the screen; return the error, if any."""

        def attempt() -> Message | str | None:
            try:
                made = make()
                return self.changed(made) if isinstance(made, EntriesChanged) else made
            except Exception as error:
                return error_sentence(error)

        made = await self.run(attempt, "change")
        if isinstance(made, str):
            return made
        if made is not None:
            self.screen.post_message(made)
        return ""

    async def change(self, make: Callable[[], Message]) -> str:
        """Run work like `keep` without a form, and show the error, if any."""
        why = await self.keep(make)
        if why:
            self.say(why, failed=True)
        return why

    def start(self, work: Callable[[Tell], T], group: str, *, exclusive: bool = False) -> Worker[T]:
        """Start work in a thread; ``exclusive`` work cancels others of its group."""

        def tell(take: Callable[..., object], *answer: object) -> None:
            if not cancelled():
                self.screen.call_later(take, *answer)

        def run() -> T:
            if cancelled():
                raise Cancelled("stopped")
            return work(tell)

        ran = partial(_in_daemon, run) if group == "sync" else run
        return self.screen.run_worker(
            ran, thread=ran is run, group=group, exclusive=exclusive, exit_on_error=False
        )

    def encode(self) -> None:
        """Encode new texts for search by meaning in the background, where it is installed."""

        def work(_tell: Tell) -> None:
            with suppress(NotFound, ReadOnly):
                self.library.meaning.encode(following())

        if not at_work(self.screen, "meaning"):
            self.start(work, "meaning")

    def failed(self, event: Worker.StateChanged) -> None:
        """Show the error of a worker; no failure is silent."""
        error = event.worker.error if event.state is WorkerState.ERROR else None
        if error is not None and not isinstance(error, Cancelled):
            self.say(error_sentence(error), failed=True)

    def say(self, text: str, *, failed: bool = False) -> None:
        """Notify the reader with plain text."""
        text = _PATH.sub(f"{LRM}/", text) if right_to_left() else text
        shown = label(text, self.screen.app.size.width - _AROUND)
        severity: SeverityLevel = "error" if failed else "information"
        seconds = max(_SHORTEST, len(text) / _LETTERS_A_SECOND)
        self.screen.notify(shown, severity=severity, markup=False, timeout=seconds)

    def say_not_stored(self) -> None:
        """Notify the reader once that results are not stored."""
        if not self._told_not_stored:
            self._told_not_stored = True
            self.say(_("Results were not saved: the database is read-only"))


async def _in_daemon(work: Callable[[], T]) -> T:
    """Run work in a thread that quitting awaits for a second only: it may wait for a silent hub."""
    ended: Future[T] = Future()
    ended.set_running_or_notify_cancel()

    def run() -> None:
        try:
            ended.set_result(work())
        except BaseException as error:
            ended.set_exception(error)

    thread = threading.Thread(target=copy_context().run, args=(run,), daemon=True)
    thread.start()
    try:
        return await asyncio.wrap_future(ended)
    finally:
        thread.join(1)


def at_work(screen: Screen[Any], group: str) -> bool:
    """Return whether a worker of this group has not ended."""
    return any(each.group == group and not each.is_finished for each in screen.workers)


def cancelled() -> bool:
    """Return whether the calling worker is cancelled."""
    return get_current_worker().is_cancelled


def following(
    tell: Callable[[int, int], object] | None = None, stop: threading.Event | None = None
) -> Progress:
    """Return a progress callback for this worker, which ends it once it must ``stop``."""

    def progress(done: int, total: int) -> None:
        if (stop is not None and stop.is_set()) or cancelled():
            raise Cancelled("stopped")
        if tell is not None:
            tell(done, total)

    return progress


class WaitNotice:
    """The notice while a change waits for another program."""

    def __init__(self, screen: Screen[Any]) -> None:
        self._screen = screen
        self._shown: ProgressScreen | None = None

    def told(self, writer: Writer, seconds: float) -> None:
        """Show whom a worker's change waits for: `kb.model.results.OnWait`."""
        worker = get_current_worker()
        shown = self._shown
        if worker.is_cancelled or (shown is not None and shown.stop.is_set()):
            raise Cancelled(_("Not saved yet: you did not wait."))
        if worker.group == "change":
            self._screen.call_later(self._show, writer)

    def _show(self, writer: Writer) -> None:
        """Show whom a change waits for, while one does."""
        if not at_work(self._screen, "change"):
            return
        if self._shown is None:
            from tui.screens.progress import ProgressScreen

            self._shown = ProgressScreen(
                _("Waiting to save"), _("Esc goes back. Nothing you wrote is lost.")
            )
            self._screen.app.push_screen(self._shown)
        self._shown.say(_said(writer))

    def end(self) -> None:
        """Remove the notice when nothing waits."""
        if self._shown is not None and not at_work(self._screen, "change"):
            self._shown.end()
            self._shown = None


def _said(writer: Writer) -> str:
    if not writer.what:
        return _(_SOMEBODY)
    seconds = number(round(writer.seconds))
    return _(_WRITES).format(what=writer.what, pid=writer.pid, n=seconds)


_REST_SECONDS = 180
"""How long nothing must change before changes are sent."""


class Syncing:
    """Syncs at the start, and some minutes after the last change.

    ``tell`` is called at the end with why that failed, or with nothing.
    """

    def __init__(self, session: Session, tell: Callable[[str], object]) -> None:
        self._session = session
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
        if not self._wanted:
            return
        if at_work(self._session.screen, "sync"):
            self.changed()
        else:
            self._session.start(self._sync, "sync")

    def _sync(self, tell: Tell) -> None:
        library, why = self._session.library, ""
        try:
            done = library.sync.sync_known(progress=following())
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
                changed = self._session.changed(EntriesChanged(said, ids))
                tell(self._session.screen.post_message, changed)
        tell(self._tell, _("Not synced: {why}").format(why=why) if why else "")

"""How work runs in threads beside the main screen, and where its failures are shown.

A thread worker goes on after it was cancelled, so each asks before it speaks; and an
answer carries the number of its question. Every thread has a database connection of its own,
which goes with it. While another program writes, the reader sees whom a change waits for, and
can go back.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypeVar

from textual.message import Message
from textual.notifications import SeverityLevel
from textual.screen import Screen
from textual.worker import Worker, WorkerState, get_current_worker

from kb.errors import Cancelled, NotFound
from kb.i18n import LRM, N_, _, number
from tui.bidi import label
from tui.messages import EntriesChanged, OwnChanged
from tui.phrases import error_sentence

if TYPE_CHECKING:
    from kb.library import Library
    from kb.model import Filters, Progress, Results, Verification
    from kb.model.changes import Collection
    from kb.model.results import Writer
    from tui.screens.progress import ProgressScreen

T = TypeVar("T")


class Wanted(NamedTuple):
    """What is looked for: words, or everything without them; or what the reader has hidden."""

    words: str
    filters: Filters
    hidden: bool = False


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
        """The entry to begin at."""
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
        begins: str = "",
    ) -> None:
        """Keep the answer to the last question; ``beyond`` its filters there are so many."""
        if not self._answered:
            self.begins, self.everything = begins, results.total
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


class Facets(NamedTuple):
    """The values that the list can be narrowed to, by field, and the collections."""

    values: Mapping[str, Sequence[str]]
    tree: Sequence[Collection]


CHANGING = ("change", "own")
"""The groups of the workers that store something."""

_WRITES = N_("Another danesh ({what}, process {pid}) has been writing for {n} s.")
_SOMEBODY = N_("Another program is writing to the database.")

# In a line from the right the first slash of a path would stand behind it.
_PATH = re.compile(r"(?<!\S)/")

# The cells a toast has at most, and those that its border and padding take.
_TOAST, _AROUND = 60, 4

Tell = Callable[..., None]
"""Lets the screen call what takes a worker's answer, unless the worker was cancelled meanwhile."""


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
        self.waits = WaitNotice(screen)
        library.when_waiting(self.waits.told)

    async def run(self, work: Callable[[], T], group: str = "ask") -> T:
        """Do work in a thread, and return what it makes; its failure ends who waits."""
        return await self.start(lambda _tell: work(), group).wait()

    async def facets(self) -> Facets:
        """Return what the list can be narrowed to now."""
        read, tree = self.library.read, self.library.collections.tree
        return await self.run(lambda: Facets(read.facets(), tree()), "facets")

    def changed(self, done: Done, open_now: str = "") -> EntriesChanged:
        """Return what there is to show after a change; call it in the thread of the change.

        ``open_now`` is the entry shown.
        """
        watched = {open_now, *self.marks} & {*done.ids}
        gone = {each for each in watched if not self._is_there(each)} | {*done.away}
        titles = self.library.read.collections()
        return EntriesChanged(done.said, titles, frozenset(gone), done.opened, done.renamed)

    def _is_there(self, entry: str) -> bool:
        try:
            self.library.show(entry)
        except NotFound:
            return False
        return True

    async def keep(self, make: Callable[[], Message], group: str = "change") -> str:
        """Do work that stores something, and tell the screen; return why it failed, if it did."""

        def attempt() -> Message | str:
            try:
                return make()
            except Exception as error:
                return error_sentence(error)

        made = await self.run(attempt, group)
        if isinstance(made, str):
            return made
        self.screen.post_message(made)
        return ""

    async def keep_own(self, entry: str, change: Callable[[], str | None]) -> str:
        """Change what a reader added to an entry → `OwnChanged`; return why not, if it failed."""
        return await self.keep(lambda: OwnChanged(entry, change()), "own")

    def start(self, work: Callable[[Tell], T], group: str, *, exclusive: bool = False) -> Worker[T]:
        """Begin work in a thread; ``exclusive`` work puts an end to what its group does."""

        def tell(take: Callable[..., object], *answer: object) -> None:
            if not cancelled():
                self.screen.call_later(take, *answer)

        def run() -> T:
            if cancelled():
                raise Cancelled("stopped")
            return work(tell)

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
        severity: SeverityLevel = "error" if failed else "information"
        self.screen.notify(shown, severity=severity, markup=False)

    def say_not_stored(self) -> None:
        """Notify the reader, once, that what runs prove is not stored."""
        if not self._told_not_stored:
            self._told_not_stored = True
            self.say(_("Results were not saved: the database is read-only"))


def cancelled() -> bool:
    """Say whether the worker that asks is to end."""
    return get_current_worker().is_cancelled


def following(tell: Callable[[int, int], object], stop: threading.Event) -> Progress:
    """Return what tells how far this worker is, and ends it once it is to ``stop``."""

    def progress(done: int, total: int) -> None:
        if stop.is_set() or cancelled():
            raise Cancelled("stopped")
        tell(done, total)

    return progress


class WaitNotice:
    """What the reader sees while a change waits for another program, and how it ends."""

    def __init__(self, screen: Screen[Any]) -> None:
        self._screen = screen
        self._shown: ProgressScreen | None = None

    def told(self, writer: Writer, seconds: float) -> None:
        """Show whom a worker's change waits for: `kb.model.results.OnWait`."""
        worker = get_current_worker()
        shown = self._shown
        if worker.is_cancelled or (shown is not None and shown.stop.is_set()):
            raise Cancelled(_("Not saved yet: you did not wait."))
        if worker.group in CHANGING:
            self._screen.call_later(self._show, writer)

    def _show(self, writer: Writer) -> None:
        """Show whom a change waits for, as long as one does."""
        if not self._waiting():
            return
        if self._shown is None:
            from tui.screens.progress import ProgressScreen

            self._shown = ProgressScreen(
                _("Waiting to save"), _("Esc goes back. Nothing you wrote is lost.")
            )
            self._screen.app.push_screen(self._shown)
        self._shown.say(_said(writer))

    def end(self) -> None:
        """Take that away once nothing waits any more."""
        if self._shown is not None and not self._waiting():
            self._shown.end()
            self._shown = None

    def _waiting(self) -> bool:
        return any(w.group in CHANGING and not w.is_finished for w in self._screen.workers)


def _said(writer: Writer) -> str:
    if not writer.what:
        return _(_SOMEBODY)
    seconds = number(round(writer.seconds))
    return _(_WRITES).format(what=writer.what, pid=writer.pid, n=seconds)

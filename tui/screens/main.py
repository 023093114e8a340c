"""The main screen: search box, list and entry, side by side or one at a time."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partialmethod
from typing import TYPE_CHECKING

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.reactive import reactive
from textual.widget import Widget
from textual.widgets import Input
from textual.worker import Worker

from kb.i18n import right_to_left
from tui.commands import Place, Situation
from tui.messages import EntriesChanged, EntryLoaded, KeepCode, OpenEntry, PartsChanged, RunSnippet
from tui.panes.entry import EntryPane
from tui.panes.notes import NotesPane
from tui.panes.pane import ROOM_FOR_TWO, Pane
from tui.panes.search import ListPane, SearchPane
from tui.panes.snippets import SnippetPane
from tui.panes.work import WorkPane
from tui.panes.writing import WritingPane
from tui.screens.commanding import CommandBar, Commanding
from tui.session import Session, Syncing
from tui.welcoming import Welcoming
from tui.widgets.bidi_text import BidiText
from tui.widgets.chip import Chip
from tui.widgets.entry_list import EntryList
from tui.widgets.entry_view import EntryView
from tui.widgets.scrolling import line_of, rows_in_sight
from tui.widgets.search_box import SearchBox

if TYPE_CHECKING:
    from kb.library import Library
    from kb.model.results import Page, Results

_ROOM_FOR_FRAMES = 30
"""The number of lines from which panes have frames."""


class MainScreen(Commanding[None]):
    """The main screen: search, list and reading in panes.

    On a narrow terminal, ``showing`` gives the whole screen to the entry.
    """

    PLACES = ("screen",)
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (ROOM_FOR_TWO, "-wide")]
    VERTICAL_BREAKPOINTS = [(0, "-low"), (_ROOM_FOR_FRAMES, "-high")]

    showing: reactive[bool] = reactive(False, toggle_class="-showing")
    """Whether the reader is at an entry, not at the list."""

    def __init__(self, library: Library, entry: str | None = None) -> None:
        super().__init__()
        self.session = Session(library, self)
        self._first = entry
        self._leaving = False
        """Whether the displayed entry is deleted, and to be replaced."""
        self._before: dict[str, tuple[str, bool]] = {}
        """The entry that was open before each new one, and whether the reader was at it."""
        self._passed_over: str | None = None
        """The entry under the cursor that is not shown because the start entry is further down."""
        self._followed = 0
        """The number of links followed since an entry of the list was opened."""
        self._search = SearchPane(self.session, id="asking")
        self._list = ListPane(self.session, self._search, id="listing")
        self._entry = EntryPane(self.session, id="reading")
        self._welcoming = Welcoming(self, self._list, self._entry, begins=entry is None)

    def compose(self) -> ComposeResult:
        """Compose the panes for the available space."""
        width, height = self.app.size
        wide, high = width >= ROOM_FOR_TWO, height >= _ROOM_FOR_FRAMES
        self.add_class("-wide" if wide else "-narrow", "-high" if high else "-low")
        yield self._search
        with Horizontal(id="panes"):
            yield self._list
            yield self._entry
        yield CommandBar()

    def on_screen_resume(self) -> None:
        """Go on where the reader was, if what had the focus is gone."""
        if self.focused is None:
            (self._entry.view if self.showing else self._list.entries).focus(scroll_visible=False)

    def on_mount(self) -> None:
        """List everything, and open the requested entry."""
        self._snippets = SnippetPane(self.session, self._entry.view)
        self._notes = NotesPane(self.session, self._entry.view)
        self._work = WorkPane(self.session, self._search, self._entry)
        self._writing = WritingPane(self.session, self._list, self._entry)
        self.syncing = Syncing(self.session, self._synced)
        self._without_room = (self._snippets, self._notes, self._work, self._writing)
        self._list.entries.focus()
        # The first screen is painted before a thread asks for its share of the interpreter.
        self.call_after_refresh(self._begin)

    async def _begin(self) -> None:
        await self.mount_all(self._without_room)
        self._search.look()
        self.session.encode()
        self.syncing.sync()
        if self._first is not None:
            self.open(self._first, read=True)

    def panes(self) -> Iterable[Pane]:
        """Return the panes in the order in which they are asked for commands."""
        return (self._search, self._list, self._entry, *self._without_room)

    @property
    def situation(self) -> Situation:
        """The state for commands."""
        editing = "code" in getattr(self.focused, "PLACES", ())
        in_sight = self.showing or not self.has_class("-narrow")
        found = self.session.found.results
        return Situation(
            typing=isinstance(self.focused, Input) or editing,
            editing=editing,
            nothing=found is not None
            and not found.hits
            and bool({"list", "search"} & {*self.here}),
            **self._search.facts(),
            **self._entry.facts(in_sight),
            **self._snippets.facts(in_sight),
        )

    @property
    def _at_entry(self) -> bool:
        """Whether the reader is at the entry, or at a part of it beside the list."""
        return self.showing or (self.focused is not None and self._entry in self.focused.ancestors)

    def focus_next(self, selector: str | type[Widget] = "*") -> Widget | None:
        """Focus the next part: from the text that is read, the first one in sight.

        From there or a part above the result of a run that is followed, it is the first one in it.
        """
        view, focused, top = self._entry.view, self.focused, self._entry.view.follower.line
        inside = [each for each in self.focus_chain if view in each.ancestors]
        if focused is view or (focused in inside and line_of(view, focused) < top):
            below = (each for each in inside if line_of(view, each) >= top)
            wanted = next((each for each in below if top or rows_in_sight(view, each)), None)
            if wanted is not None:
                self.set_focus(wanted, scroll_visible=bool(top))
                return wanted
        return super().focus_next(selector)

    @property
    def here(self) -> tuple[Place, ...]:
        """The reader's current place."""
        place: Place = "reading" if self._at_entry else "list"
        return (*self.PLACES, *(getattr(self.focused, "PLACES", ()) or (place,)))

    async def _offer(self, _screen: object = None) -> None:
        if self.is_mounted:
            self._search.tell()  # which key takes a suggestion depends on where one is
            await self._list.tell()
        await super()._offer()

    def open(self, entry: str, *, read: bool) -> None:
        """Load an entry; ``read`` also moves the reader there."""
        self._entry.open(entry, self._search.query_text, read=read)

    @on(SearchPane.Asked)
    def _asked(self) -> None:
        self._entry.keep_waiting()

    @on(SearchPane.Answered)
    def _found(self) -> None:
        """List results, and stay at the entry being read."""
        begins = self._welcoming.begin()
        self._list.show(begins)
        results = self.session.found.results
        beyond = begins and results and begins not in [hit.id for hit in results.hits]
        if beyond and self.has_class("-wide"):  # it is further down than the loaded list
            self._first = begins
            self._passed_over = self._list.entries.chosen
            self.open(begins, read=False)
        if self._leaving:
            self._go_on()
        reading = self._entry.reading
        stays = self.showing or not self._search.query_text
        if reading is not None and stays and not isinstance(self.focused, Input):
            self._list.entries.choose(reading.entry.id)
        elif self._first is not None:
            self._list.entries.choose(self._first)
        elif not self.session.found.listed:
            self._entry.leave()
        self.refresh_bindings()

    @on(EntryList.NothingToOpen)
    def _take_offer(self) -> None:
        self._search.take_offer()

    async def action_do(self, name: str) -> None:
        """Run a command; the welcome is closed first."""
        self._welcoming.give_way(name)
        await super().action_do(name)

    async def action_welcome(self) -> None:
        """Show the welcome again."""
        await self._welcoming.welcome()

    @on(EntryList.FetchPage)
    def _fetch(self, message: EntryList.FetchPage) -> None:
        self._search.fetch(message.page, self._page_came)

    def _page_came(self, page: Page, results: Results | None) -> None:
        self._list.take(page, results)
        if self._leaving:
            self._go_on()

    @on(SearchPane.Done)
    def _to_found(self) -> None:
        """Go to the results, and show the one under the cursor."""
        self._to_list()
        chosen, reading = self._list.entries.chosen, self._entry.reading
        if chosen and reading and chosen != reading.entry.id and self.has_class("-wide"):
            self.open(chosen, read=False)

    def _to_list(self) -> None:
        self.showing = False
        self._list.entries.focus()

    @on(EntryList.Highlighted)
    def _highlighted(self, message: EntryList.Highlighted) -> None:
        """Show the entry under the cursor, if there is space."""
        passed, self._passed_over = self._passed_over, None
        if message.entry == passed:
            return
        awaited = self._first is not None and self._entry.reading is None
        if self.has_class("-wide") and not self.showing and not awaited:
            if isinstance(self.focused, Input):
                self._entry.glance(message.entry, self._search.query_text)
            else:
                self.open(message.entry, read=False)

    @on(OpenEntry)
    def _asked_to_open(self, message: OpenEntry) -> None:
        if message.followed:
            self._followed += 1
        elif message.entry == self._list.entries.chosen:
            self._followed = 0
        self.open(message.entry, read=True)

    @on(EntryLoaded)
    def _loaded(self, message: EntryLoaded) -> None:
        if not self._entry.awaits(message):
            return
        self._first = None
        reading, entry = self._entry.reading, message.reading.entry.id
        if reading is None or reading.entry.id != entry:
            self._snippets.stop_running()
        self._entry.read(message)
        self._welcoming.loaded(message)
        if message.read:
            self.showing = True
            self._search.remember()
            self._list.entries.choose(entry)
            self._entry.view.focus()
        self.refresh_bindings()

    @on(EntryView.Appeared)
    def _fill(self) -> None:
        """Show the entry under the cursor when there is suddenly space."""
        chosen = self._list.entries.chosen
        awaited = self._first is not None
        if self.has_class("-wide") and chosen and not awaited and self._entry.reading is None:
            self.open(chosen, read=False)
        self.refresh_bindings()

    @on(RunSnippet)
    def _run(self, message: RunSnippet) -> None:
        self._snippets.start(message)

    @on(KeepCode)
    def _keep_code(self, message: KeepCode) -> None:
        self._notes.keep_code(message)

    @on(PartsChanged)
    def _parts_changed(self, message: PartsChanged) -> None:
        """Update entry and list, and go to the change, if there is one."""
        self._list.entries.renew()
        self._entry.renew(message.id)

    @on(PartsChanged)
    @on(EntriesChanged)
    @on(WorkPane.TookIn)
    def _count(self) -> None:
        self._search.count()
        self.syncing.changed()

    def _synced(self, problem: str) -> None:
        """Show what is unsent now, and why nothing was sent."""
        self.session.not_synced = problem
        self._search.tell()
        self._search.count()

    @on(EntriesChanged)
    def _entries_changed(self, message: EntriesChanged) -> None:
        """Update list, counts and entry without moving."""
        self._search.forget_length()
        self.session.encode()
        self.app.clear_notifications()  # what was said of an earlier change
        self.session.say(message.said)
        self.session.found.titles = message.titles
        for entry in message.gone & self.session.marks.keys():
            del self.session.marks[entry]
        reading = self._entry.reading
        self._leaving = reading is not None and reading.entry.id in message.gone
        shown = reading if self.showing or self.has_class("-wide") else None
        here = shown.entry.id if shown is not None else self._list.entries.chosen
        if here and message.opened and message.opened != here:
            self._before.setdefault(message.opened, (here, self.showing))
        self._search.renew(message.renamed)
        new = message.opened if message.opened != here else None
        goals = () if here in message.goals else message.goals
        goals = (message.opened,) if message.opened else goals
        if not self._list.renew(goals, new):
            self._search.look()
        if message.opened is None and not self._leaving:
            self._entry.renew()
        self._search.tell()
        if message.opened is not None:
            self.open(message.opened, read=True)

    def _go_on(self) -> None:
        """Replace a deleted entry by the one before it was written, or under the cursor."""
        self._leaving, was_showing = False, self.showing
        self._to_list()
        before, read = self._before.pop(self.session.open_now, ("", False))
        self._list.entries.choose(before)
        chosen = self._list.entries.chosen
        self.showing = read = read and was_showing and chosen == before
        if chosen is None:
            self._entry.view.reading = None
        elif read or self.has_class("-wide"):
            self.open(chosen, read=read)
        self.refresh_bindings()

    @on(WorkPane.TookIn)
    def _took_in(self, message: WorkPane.TookIn) -> None:
        """List the imported collection."""
        self._to_list()
        self._search.show_collection(message.collection)
        self.session.encode()

    @on(Worker.StateChanged)
    def _worked(self, event: Worker.StateChanged) -> None:
        """Show an error of background work, and stop waiting for it."""
        self.session.failed(event)
        self.session.waits.end()

    def stop_running(self) -> None:
        """Stop running programs."""
        if self.is_mounted:
            self._snippets.stop_running()

    def translate(self) -> None:
        """Switch to the interface language, and read in it."""
        self._welcoming.translate()
        for pane in self.panes():
            pane.translate()
        self.refresh_bindings()

    def lay_out_again(self) -> None:
        """Redraw every text after a change of who reorders it."""
        kinds: Iterable[type[BidiText | EntryList | SearchBox]] = (BidiText, EntryList, SearchBox)
        for part in (part for kind in kinds for part in self.query(kind)):
            part.lay_out_again()
        self.refresh_bindings()

    def _step_right(self, step: int) -> None:
        """Move right: into the entry or, in Persian, to the list.

        The entry is at the right; in Persian, the list is.
        """
        into = (step > 0) != right_to_left()
        if into and not self.showing:
            self._list.entries.action_open()
        elif self.showing and not into:
            self._to_list()

    action_right = partialmethod(_step_right, 1)
    action_left = partialmethod(_step_right, -1)

    async def action_edit(self) -> None:
        """Edit the current program, the current own note, or the entry."""
        program = self.showing and self._entry.view.at_program
        note = self.showing and self.situation.own_note
        await self.action_do("change_code" if program else "edit_note" if note else "change_entry")

    async def action_delete(self) -> None:
        """Delete the marked entries, the current own program or note, or the entry."""
        here = self.situation
        inside = self.showing or self._entry.view.focused_snippet is not None
        own = inside and here.own and not here.marked
        await self.action_do("withdraw" if own else "remove")

    @property
    def unsaved(self) -> bool:
        """Whether a changed program is not saved."""
        return self._entry.view.has_drafts

    def action_study(self) -> None:
        """Show what is due to study."""
        from tui.screens.study import StudyScreen

        self.app.push_screen(StudyScreen(self.session), lambda _: self._count())

    async def action_quit(self) -> None:
        """Quit; a running program is stopped."""
        await self.app.action_quit()

    def action_back(self) -> None:
        """Stop a run, follow a link back, leave the entry or box, or clear the search."""
        if self._snippets.running:
            self._snippets.stop_running()
        elif isinstance(self.focused, Input | Chip):
            self._to_found()
        elif self.showing and self._followed:
            self._followed -= 1
            self._entry.action_earlier()
        elif self._at_entry:
            self._to_list()
        elif self.session.marks:
            self._list.unmark()
        else:
            self._search.clear()
        self.refresh_bindings()

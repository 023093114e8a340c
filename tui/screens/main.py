"""The main screen: search box, list, entry; beside each other, or one at a time."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, cast

from textual import events, on, work
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.widgets import Input

from tui import i18n
from tui.commands import BY_ACTION, Situation, bindings
from tui.i18n import ngettext
from tui.messages import (
    EntryLoaded,
    Exported,
    OpenEntry,
    OwnChanged,
    ResultsFound,
)
from tui.screens.long_work import LongWorkScreen
from tui.widgets.bidi_text import BidiText
from tui.widgets.command_bar import CommandBar
from tui.widgets.entry_list import EntryList
from tui.widgets.entry_view import EntryView
from tui.widgets.filter_bar import Chip, FilterBar
from tui.widgets.search_box import SearchBox
from tui.widgets.snippet_view import SnippetView

if TYPE_CHECKING:
    from kb.library import Library
    from tui.app import DaneshApp


class MainScreen(LongWorkScreen):
    """Everything the library holds, found and read.

    Where the terminal is narrow, an entry that is ``showing`` has the screen to itself.
    """

    BINDINGS = bindings("screen")
    HORIZONTAL_BREAKPOINTS = [(0, "-narrow"), (100, "-wide")]

    def __init__(self, library: Library, entry: str | None = None) -> None:
        super().__init__(library)
        self._first = entry

    def compose(self) -> ComposeResult:
        """Put the parts together."""
        yield SearchBox(id="search")
        yield FilterBar(id="filters")
        with Horizontal(id="panes"):
            yield EntryList(id="list")
            yield EntryView(id="entry")
        yield CommandBar(id="commands")

    def on_mount(self) -> None:
        """List everything, and open the entry that was asked for."""
        self.query_one(EntryList).focus()
        self.bindings_updated_signal.subscribe(self, self._offer)
        # The first screen is painted before a thread asks for its share of the interpreter.
        self.call_after_refresh(self._begin)

    def _begin(self) -> None:
        self.look()
        if self._first is not None:
            self.open(self._first, read=True)

    @property
    def situation(self) -> Situation:
        """What commands can do now."""
        view = self.query_one(EntryView)
        reading = view.reading
        narrow = self.has_class("-narrow")
        editing = self.focused is not None and isinstance(self.focused.parent, SnippetView)
        seen = reading if self.showing or not narrow else None
        return Situation(
            typing=isinstance(self.focused, Input) or editing,
            editing=editing,
            reading=self.showing,
            entry=seen is not None,
            listed=bool(self._results and self._results.hits),
            languages=len(seen.languages) if seen else 0,
            runnable=bool(seen and seen.entry.snippets and not seen.hidden),
            running=self.running,
            hidden_answer=bool(seen and seen.hidden),
            suggestion=bool(self._results and self._results.suggestion),
            notes=bool(seen and seen.entry.annotations and not seen.hidden),
            answers=len(seen.answered) if seen and not seen.hidden else 0,
            changed=bool(seen and (chosen := view.chosen_snippet()) and chosen.id in view.drafts),
            own=bool(seen and view.own_in_focus),
            own_note=bool(seen and view.current_annotation and view.current_annotation.own),
            earlier=self._trail.leads(-1),
            later=self._trail.leads(1),
            filtered=self.query_one(FilterBar).filtered,
        )

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Say whether a command can be done now; the same rule feeds bar and palette."""
        command = BY_ACTION.get(action)
        return command is None or not self.is_mounted or command.available(self.situation)

    async def _offer(self, _screen: object = None) -> None:
        if self.is_mounted:
            await self.query_one(CommandBar).offer(self.situation)

    @on(ResultsFound)
    def _found(self, message: ResultsFound) -> None:
        if not self.take(message.number, message.results, message.collections):
            return
        listing = self.query_one(EntryList)
        reading = self.query_one(EntryView).reading
        if reading is not None and (self.showing or not message.results.hits):
            listing.choose(reading.entry.id)
        elif self._first is not None:
            listing.choose(self._first)
        self.refresh_bindings()

    @on(EntryList.Highlighted)
    def _highlighted(self, message: EntryList.Highlighted) -> None:
        """Show what is under the cursor, where there is room beside the list."""
        reading = self.query_one(EntryView).reading
        awaited = self._first is not None and reading is None
        if self.has_class("-wide") and not self.showing and not awaited:
            if isinstance(self.focused, Input):
                self.glance(message.entry)
            else:
                self.open(message.entry, read=False)

    @on(OpenEntry)
    def _asked_to_open(self, message: OpenEntry) -> None:
        self.open(message.entry, read=message.read)

    @on(EntryLoaded)
    def _loaded(self, message: EntryLoaded) -> None:
        if message.number != self._wanted:
            return
        self._first = None
        self.read(message)
        if message.read:
            self.showing = True
            self.query_one(SearchBox).remember()
            self.query_one(EntryList).choose(message.entry.id)
            self.query_one(EntryView).focus()
        self.refresh_bindings()

    @on(OwnChanged)
    def _own_changed(self, message: OwnChanged) -> None:
        """Show the entry and the list as they are now, and go to what was changed."""
        self._at = message.id
        self.query_one(EntryList).renew()
        self.renew(message.entry)

    @on(Exported)
    def _exported(self, message: Exported) -> None:
        written = ngettext("{n} entry written to", "{n} entries written to", message.count)
        self.say(f"{written} {message.path}")

    def on_resize(self, event: events.Resize) -> None:
        """Correct the news of a size that has passed; two of them would answer each other forever.

        The layout for a size posts that size again, so two that wait take turns.
        """
        if event.size != self.app.size:
            event.prevent_default()
            self.post_message(events.Resize.from_dimensions(self.app.size, None))
        else:
            self.refresh_bindings()  # the bar has room for more, or for less

    @on(EntryView.Appeared)
    def _fill(self) -> None:
        """Show the entry under the cursor when there is room for it all at once."""
        chosen = self.query_one(EntryList).chosen
        if self.has_class("-wide") and chosen and self.query_one(EntryView).reading is None:
            self.open(chosen, read=False)
        self.refresh_bindings()

    def action_back(self) -> None:
        """Stop a run, leave the entry or the search box, or clear the search."""
        listing = self.query_one(EntryList)
        if self.running:
            self.stop_running()
        elif self.showing or isinstance(self.focused, Input | Chip):
            self.showing = False
            listing.focus()
        else:
            self.query_one("#query", Input).value = ""
        self.refresh_bindings()

    def action_next_entry(self) -> None:
        """Open the next entry of the list."""
        self._step(1)

    def action_previous_entry(self) -> None:
        """Open the previous entry of the list."""
        self._step(-1)

    def _step(self, step: int) -> None:
        entry = self.query_one(EntryList).neighbour(step)
        if entry is not None:
            self.query_one(EntryList).choose(entry)
            if self.showing:
                self.open(entry, read=True)

    def action_other_interface(self) -> None:
        """Speak the other language in menus and messages, and read in it."""
        codes = list(i18n.LANGUAGES)
        i18n.use_language(codes[(codes.index(i18n.language()) + 1) % len(codes)])
        self._lang = i18n.language()
        cast("DaneshApp", self.app).settle(language=self._lang)
        self.query_one(SearchBox).translate()
        self.query_one(FilterBar).translate()
        view = self.query_one(EntryView)
        if self._results is not None:
            self.query_one(SearchBox).tell(self._results)
        self.query_one(EntryList).lay_out_again()
        if view.reading is not None:
            view.turn(replace(view.reading, wanted=self._lang, interface=self._lang))
        self.refresh_bindings()

    def lay_out_again(self) -> None:
        """Show every text anew, after it was settled who turns it."""
        for block in self.query(BidiText):
            block.lay_out_again()
        self.query_one(SearchBox).lay_out_again()
        self.query_one(EntryList).lay_out_again()
        self.refresh_bindings()

    def action_help(self) -> None:
        """Explain the keys, the signs and the query language."""
        from tui.screens.help import HelpScreen

        self.app.push_screen(HelpScreen())

    @work(exit_on_error=False)
    async def action_export(self) -> None:
        """Ask for format and path, and write the file."""
        from tui.screens.export import ExportScreen

        reading = self.query_one(EntryView).reading if self.situation.entry else None
        choice = await self.app.push_screen_wait(
            ExportScreen(
                self.library.exports.formats(),
                entry=reading.entry.id if reading else None,
                listed=self._results.total if self._results else 0,
                at_entry=self.showing,
            )
        )
        if choice is None:
            return
        if choice.only_entry and reading:
            self.write_entry(choice.format, choice.path, reading.entry.id)
        else:
            filters = self.query_one(FilterBar).filters
            self.write_found(choice.format, choice.path, self.query_text, filters)

"""The pane that lists what was found, a stretch of it at a time."""

from __future__ import annotations

from dataclasses import dataclass

from textual.app import ComposeResult
from textual.message import Message

from tui.panes.pane import Pane
from tui.panes.search import SearchPane
from tui.widgets.entry_list import EntryList


class ListPane(Pane):
    """An `EntryList`, which asks for pages of what was found as one goes through it."""

    @dataclass
    class Stepped(Message):
        """The reader went on to another entry of the list."""

        entry: str

    def compose(self) -> ComposeResult:
        """Show the list."""
        yield EntryList(id="list")

    @property
    def entries(self) -> EntryList:
        """The list itself."""
        return self.query_one(EntryList)

    def show(self) -> None:
        """List what was found; the cursor goes to the first entry."""
        found = self.session.found
        if found.results is not None:
            self.entries.show(found.results, found.titles)

    def take(self, message: SearchPane.PageCame) -> None:
        """List a page that came, or give it up."""
        if message.results is None:
            self.entries.give_up(message.page)
        else:
            self.entries.add(message.page, message.results)

    def translate(self) -> None:
        """Speak the language of the interface."""
        self.entries.lay_out_again()

    def lay_out_again(self) -> None:
        """Make the rows anew."""
        self.entries.lay_out_again()

    def action_next_entry(self) -> None:
        """Go to the next entry of the list, and open it where one is read."""
        self._step(1)

    def action_previous_entry(self) -> None:
        """Go to the entry of the list before."""
        self._step(-1)

    def _step(self, step: int) -> None:
        entry = self.entries.neighbour(step)
        if entry is not None:
            self.entries.choose(entry)
            self.post_message(self.Stepped(entry))

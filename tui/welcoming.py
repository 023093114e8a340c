"""How the app begins: at the most telling entry, with a welcome for who has not been here."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tui import welcomed
from tui.commands import BY_ACTION
from tui.commands.command import ENTRIES, FINDING
from tui.panes.entry import EntryPane
from tui.panes.listing import ListPane

if TYPE_CHECKING:
    from tui.screens.main import MainScreen


class Welcoming:
    """Knows when the welcome comes and goes; it ``begins`` unless an entry was asked for."""

    def __init__(
        self, screen: MainScreen, listing: ListPane, entry: EntryPane, *, begins: bool
    ) -> None:
        self._screen = screen
        self._list = listing
        self._entry = entry
        self._begins = begins

    def begin(self) -> str:
        """Return the entry that a list begins at: the first time one that tells something.

        A new reader is welcomed then.
        """
        begins, self._begins = self._begins, False
        if begins and not welcomed.before():
            self._screen.call_later(self.welcome)
        return self._list.session.found.begins if begins else ""

    async def welcome(self) -> None:
        """Show the welcome, its entry behind it; where that is narrow, it has the screen."""
        await self._entry.show_welcome()
        welcome = self._entry.welcome
        if welcome is None:
            return
        self._list.entries.choose(welcome.entry)
        if self._screen.has_class("-narrow") or self._screen.showing:
            self._screen.open(welcome.entry, read=False)
            self._screen.showing = True
            welcome.focus()

    def give_way(self, action: str) -> None:
        """Make room for what a command shows: the entry, or what is found or written."""
        if self._entry.welcome is not None:
            self._entry.go_on()
            if BY_ACTION[action].group in (FINDING, ENTRIES):
                self._screen.showing = False

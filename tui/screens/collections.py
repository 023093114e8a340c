"""The collection tree with counts: choose, create, rename, delete."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from textual import on, work
from textual.app import ComposeResult
from textual.containers import Vertical

from kb.i18n import N_, _, number
from kb.model.changes import Collection
from tui import choices
from tui.choices import Choice
from tui.messages import EntriesChanged
from tui.screens.commanding import CommandingModal
from tui.screens.questions import LineScreen
from tui.session import Session
from tui.widgets.bidi_text import BidiText
from tui.widgets.pick_list import PickList

_NAMED = N_("A slash nests collections: a/b. Enter continues, Esc closes.")

ALL, HIDDEN = "", "\0hidden"
"""Choices besides collections: everything, and hidden entries."""


class TreeScreen(CommandingModal[str | None]):
    """Returns a collection, `ALL` or `HIDDEN`, or nothing."""

    CSS_PATH = "picking.tcss"
    PLACES = ("dialog", "tree")

    def __init__(self, session: Session, at: str | None) -> None:
        super().__init__()
        self._session = session
        self._at = at

    def compose(self) -> ComposeResult:
        """Compose the tree below its title."""
        with Vertical(id="form"):
            yield BidiText(_("Collections"), classes="caption")
            yield PickList([], self._at)
            hint = _("Enter lists it. Ctrl+P: create, rename or delete one. Esc leaves.")
            yield BidiText(hint, classes="hint")

    def on_mount(self) -> None:
        """Load the collections."""
        self._look(self._at)

    @work(exit_on_error=False)
    async def _look(self, at: str | None) -> None:
        library = self._session.library

        def make() -> tuple[Sequence[Collection], int]:
            return library.collections.tree(), library.find.list(limit=0, hidden=True).total

        found, hidden = await self._session.run(make)
        entries = sum(each.entries for each in found if each.parent is None)
        every = [Choice(ALL, _("Everything"), note=number(entries)), *choices.collections(found)]
        if hidden:
            every.append(Choice(HIDDEN, _("Hidden entries"), note=number(hidden)))
        self.query_one(PickList).offer(every, at or ALL)

    @property
    def _chosen(self) -> str | None:
        """The collection under the cursor, if any."""
        picked = self.query_one(PickList).picked
        return picked if picked not in (None, ALL, HIDDEN) else None

    @on(PickList.Picked)
    def _picked(self, message: PickList.Picked) -> None:
        self.dismiss(message.value)

    @work(exit_on_error=False)
    async def action_new_collection(self) -> None:
        """Create a collection, by default within the one under the cursor."""
        above = f"{self._chosen}/" if self._chosen else ""
        new = self._session.library.collections.new

        async def store(name: str) -> str:
            done = EntriesChanged(_("Created: {name}").format(name=name))
            return await self._keep(lambda: new(name), done, name)

        title = _("A new collection")
        await self.app.push_screen_wait(LineScreen(title, _(_NAMED), above, store, needed=True))

    @work(exit_on_error=False)
    async def action_rename_collection(self) -> None:
        """Rename the collection under the cursor."""
        former = self._chosen
        if former is None:
            return
        title = _("Another name for {name}").format(name=former)
        rename = self._session.library.collections.rename

        async def store(name: str) -> str:
            said = _("{old} is now called {new}").format(old=former, new=name)
            done = EntriesChanged(said, renamed=(former, name))
            same = name == former
            return "" if same else await self._keep(lambda: rename(former, name), done, name)

        await self.app.push_screen_wait(LineScreen(title, _(_NAMED), former, store, needed=True))

    @work(exit_on_error=False)
    async def action_remove_collection(self) -> None:
        """Delete the collection under the cursor, if it is empty."""
        name, remove = self._chosen, self._session.library.collections.remove
        if name is not None:
            done = EntriesChanged(_("Deleted: {name}").format(name=name))
            why = await self._keep(lambda: remove(name), done, ALL)
            if why:
                self._session.say(why, failed=True)

    async def _keep(self, change: Callable[[], str | None], done: EntriesChanged, at: str) -> str:
        """Make a change, and show it; return the error, if any."""

        def make() -> EntriesChanged:
            change()
            return self._session.changed(done)

        why = await self._session.keep(make)
        if not why:
            self.query_one(PickList).clear()
            self._look(at)
        return why

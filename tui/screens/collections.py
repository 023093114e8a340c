"""The collection tree with counts: choose, create, rename, delete."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from textual import on, work
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Input

from kb.i18n import _, number
from kb.model.changes import Collection
from tui import choices
from tui.choices import Choice
from tui.messages import EntriesChanged
from tui.screens.commanding import CommandingModal, SavingForm, Store
from tui.session import Session
from tui.widgets.bidi_input import BidiInput
from tui.widgets.bidi_text import BidiText
from tui.widgets.pick_list import PickList


class NameScreen(SavingForm[str]):
    """Returns the stored name, or nothing."""

    CSS_PATH = "picking.tcss"
    PLACES = ("dialog",)

    def __init__(self, title: str, name: str, store: Store[str]) -> None:
        super().__init__(store)
        self._title = title
        self._first = name

    def compose(self) -> ComposeResult:
        """Compose the title above the input."""
        with Vertical(id="form"):
            yield BidiText(self._title, classes="caption")
            yield BidiInput(self._first, id="name", compact=True, select_on_focus=False)
            yield BidiText(
                _("A slash nests collections: a/b. Enter continues, Esc closes."), classes="hint"
            )

    @property
    def written(self) -> str:
        """The name."""
        return self.query_one(Input).value.strip()

    @on(Input.Submitted)
    def _named(self) -> None:
        name = self.written
        if all(part.strip() for part in name.split("/")):
            self.save(name)
        else:
            self.warn(_("A collection name must not have empty parts."))


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
            return await self._keep(lambda: new(name), done, name) if name else ""

        await self.app.push_screen_wait(NameScreen(_("A new collection"), above, store))

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
            fresh = name and name != former
            return await self._keep(lambda: rename(former, name), done, name) if fresh else ""

        await self.app.push_screen_wait(NameScreen(title, former, store))

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

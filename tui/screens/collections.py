"""The collections as a tree with counts: one is chosen, made, renamed, removed."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual import on, work
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.message import Message
from textual.widgets import Input

from kb.i18n import _, number
from tui import choices
from tui.changes import Done, changed, make_change
from tui.choices import Choice
from tui.messages import EntriesChanged
from tui.screens.commanding import CommandingModal, SavingForm, Store
from tui.session import Session
from tui.widgets.bidi_input import BidiInput
from tui.widgets.bidi_text import BidiText
from tui.widgets.pick_list import PickList

if TYPE_CHECKING:
    from kb.model.changes import Collection


class NameScreen(SavingForm[str]):
    """Returns the name that was typed once it is stored, or nothing."""

    CSS_PATH = "picking.tcss"
    PLACES = ("dialog",)

    def __init__(self, title: str, name: str, store: Store[str]) -> None:
        super().__init__(store)
        self._title = title
        self._first = name

    def compose(self) -> ComposeResult:
        """Put the title above the line."""
        with Vertical(id="form"):
            yield BidiText(self._title, classes="caption")
            yield BidiInput(self._first, id="name", compact=True, select_on_focus=False)
            yield BidiText(_("Slashes make a tree. Enter goes on, Esc leaves."), classes="hint")

    def on_mount(self) -> None:
        """Begin to type."""
        self.query_one(Input).focus()

    @on(Input.Submitted)
    def _named(self) -> None:
        name = self.query_one(Input).value.strip()
        if all(part.strip() for part in name.split("/")):
            self.save(name)
        else:
            self.warn(_("A collection needs a name, and so has each of its parts."))


ALL, HIDDEN = "", "\0hidden"
"""What may be chosen beside the collections: everything, and what the reader has hidden."""


@dataclass
class TreeCame(Message):
    """The collections came back, and how many entries are hidden."""

    tree: Sequence[Collection]
    hidden: int
    at: str | None = None


class TreeScreen(CommandingModal[str | None]):
    """Returns a collection, `ALL` or `HIDDEN`, or nothing."""

    CSS_PATH = "picking.tcss"
    PLACES = ("dialog", "tree")

    def __init__(self, session: Session, at: str | None) -> None:
        super().__init__()
        self._session = session
        self._at = at

    def compose(self) -> ComposeResult:
        """Put the tree under its title."""
        with Vertical(id="form"):
            yield BidiText(_("Collections"), classes="caption")
            yield PickList([], self._at)
            hint = _("Enter lists it. Ctrl+P: create, rename or delete one. Esc leaves.")
            yield BidiText(hint, classes="hint")

    def on_mount(self) -> None:
        """Ask for the collections."""
        self._look(self._at)

    def _look(self, at: str | None) -> None:
        library = self._session.library

        def make() -> TreeCame:
            hidden = library.find.list(limit=0, hidden=True).total
            return TreeCame(library.collections.tree(), hidden, at)

        self._session.ask(self, make, "choices")

    @on(TreeCame)
    def _show(self, found: TreeCame) -> None:
        entries = sum(each.entries for each in found.tree if each.parent is None)
        everything = Choice(ALL, _("Everything"), note=number(entries))
        hidden = Choice(HIDDEN, _("What you have hidden"), note=number(found.hidden))
        tree = choices.collections(found.tree)
        every = [everything, *tree, *([hidden] if found.hidden else [])]
        self.query_one(PickList).offer(every, found.at or ALL)

    @property
    def _chosen(self) -> str | None:
        """The collection under the cursor, if it is one."""
        picked = self.query_one(PickList).picked
        return picked if picked not in (None, ALL, HIDDEN) else None

    @on(PickList.Picked)
    def _picked(self, message: PickList.Picked) -> None:
        self.dismiss(message.value)

    @work(exit_on_error=False)
    async def action_new_collection(self) -> None:
        """Make a collection; within the one under the cursor, as one writes it."""
        above = f"{self._chosen}/" if self._chosen else ""
        new = self._session.library.collections.new

        async def store(name: str) -> str:
            done = Done(_("Made: {name}").format(name=name))
            return await self._keep(lambda: new(name), done, name) if name else ""

        await self.app.push_screen_wait(NameScreen(_("A new collection"), above, store))

    @work(exit_on_error=False)
    async def action_rename_collection(self) -> None:
        """Give the collection under the cursor another name."""
        former = self._chosen
        if former is None:
            return
        title = _("Another name for {name}").format(name=former)
        rename = self._session.library.collections.rename

        async def store(name: str) -> str:
            said = _("{old} is called {new} now").format(old=former, new=name)
            done = Done(said, renamed=(former, name))
            fresh = name and name != former
            return await self._keep(lambda: rename(former, name), done, name) if fresh else ""

        await self.app.push_screen_wait(NameScreen(title, former, store))

    def action_remove_collection(self) -> None:
        """Remove the collection under the cursor, if nothing is in it."""
        name, remove = self._chosen, self._session.library.collections.remove
        if name is not None:
            self._do(lambda: remove(name), Done(_("Removed: {name}").format(name=name)), ALL)

    async def _keep(self, change: Callable[[], str | None], done: Done, at: str) -> str:
        """Make a change, and show it; return why it was not made, if so."""

        def make() -> EntriesChanged:
            change()
            return changed(self._session, done)

        before, self._at = self._at, at
        why = await self._session.keep(self, make, "change")
        self._at = before if why else at
        return why

    def _do(self, change: Callable[[], str | None], done: Done, at: str) -> None:
        def made() -> Done:
            change()
            return done

        self._at = at
        make_change(self._session, self, made)

    @on(EntriesChanged)
    def _changed(self, message: EntriesChanged) -> None:
        """Let the main screen show it, and show the tree as it is now."""
        message.stop()
        self._session.screen.post_message(
            EntriesChanged(message.said, message.titles, renamed=message.renamed)
        )
        self.query_one(PickList).clear()
        self._look(self._at)

"""What was changed both here and in its file: both sides, and whose words stay."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual import on
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical
from textual.message import Message

from kb.i18n import _, share
from kb.present.changes import text_of
from tui.changes import Done, changed
from tui.commands import Situation, bindings
from tui.messages import EntriesChanged
from tui.screens.commanding import CommandingModal
from tui.session import Session
from tui.widgets.bidi_text import BidiText
from tui.widgets.scrolling import ScrollingPane

if TYPE_CHECKING:
    from kb.service.files import Contested, Side


@dataclass
class ContestedFound(Message):
    """The fields came back that were changed on both sides, and what a choice has changed."""

    fields: Sequence[Contested]
    changed: EntriesChanged | None = None


class Sides(ScrollingPane):
    """One entry's fields, yours beside the file's."""

    BINDINGS = bindings("reading")

    def __init__(self) -> None:
        super().__init__(id="changes")

    async def show(self, fields: Sequence[Contested], place: tuple[int, int]) -> None:
        """Show the fields of one entry: that of such a place among so many."""
        async with self.batch():
            await self.remove_children()
            await self.mount_all(_shown(fields, place))
        self.scroll_home(animate=False)
        self.focus()


class ContestedScreen(CommandingModal[None]):
    """Goes through all conflicts, and settles each for one side."""

    CSS_PATH = "changed.tcss"
    PLACES = ("dialog", "sides")
    BINDINGS = [*bindings("dialog"), *bindings("sides")]

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._fields: Sequence[Contested] = ()
        self._settled = 0

    def compose(self) -> ComposeResult:
        """Show the first conflict, once it has come."""
        yield Sides()

    def on_mount(self) -> None:
        """Ask for the conflicts."""
        files = self._session.library.files
        self._session.ask(self, lambda: ContestedFound(files.contested()), "choices")

    @property
    def situation(self) -> Situation:
        """What commands can do now: there is a side to take only where there are two."""
        return super().situation._replace(contested=bool(self._fields))

    @property
    def _entry(self) -> str | None:
        return self._fields[0].entry if self._fields else None

    @on(ContestedFound)
    async def _take(self, found: ContestedFound) -> None:
        self._fields = found.fields
        self.refresh_bindings()
        if found.changed is not None:
            self._session.screen.post_message(found.changed)
        here = [each for each in self._fields if each.entry == self._entry]
        left = len({each.entry for each in self._fields})
        place = self._settled + 1, self._settled + left
        await self.query_one(Sides).show(here, place)

    def action_mine(self) -> None:
        """Let what the reader made of it stay."""
        self._settle("mine", _("Yours stays: {id}"))

    def action_theirs(self) -> None:
        """Let what the file says take its place."""
        self._settle("theirs", _("The file's stays: {id}"))

    def _settle(self, side: Side, said: str) -> None:
        entry, session, files = self._entry, self._session, self._session.library.files
        if entry is None:
            return
        self._settled += 1
        self._fields = ()  # until the others have come

        def make() -> ContestedFound:
            done = files.resolve([entry], side)
            told = changed(session, Done(said.format(id=entry), done.ids))
            return ContestedFound(files.contested(), told)

        session.ask(self, make, "change")


def _shown(fields: Sequence[Contested], place: tuple[int, int]) -> Iterable[BidiText | Horizontal]:
    if not fields:
        yield BidiText(_("There are no conflicts."), classes="title")
        yield BidiText(_("Esc leaves."), classes="hint")
        return
    title = _("Changed here and in the file: {id}").format(id=fields[0].entry)
    yield BidiText(f"{title} ({share(*place)})", classes="title")
    for field in fields:
        yield BidiText(field.field, classes="caption")
        pairs = (_("Yours"), field.mine), (_("The file's"), field.theirs)
        yield Horizontal(*(_side(name, value) for name, value in pairs), classes="sides")
    yield BidiText(_("m keeps yours, t takes the file's, Esc leaves the rest."), classes="hint")


def _side(name: str, value: object) -> Vertical:
    said = BidiText(text_of(value) or _("nothing"), direction="auto", formulas=True)
    return Vertical(BidiText(name, classes="title"), said, classes="side")

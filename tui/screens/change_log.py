"""The history of an entry, and conflicts between an entry and its file."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import TYPE_CHECKING

from textual import work
from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical

from kb.i18n import _, ahead, digits, share
from kb.i18n.names import field_name
from kb.present.changes import differing, is_short, texts_of
from tui.bidi import StyledSpan
from tui.commands import Situation
from tui.messages import EntriesChanged
from tui.phrases import action_named
from tui.screens.commanding import CommandingModal
from tui.session import Session
from tui.widgets.bidi_text import BidiText
from tui.widgets.scrolling import ScrollingPane

if TYPE_CHECKING:
    from kb.model.changes import Change, FieldChange, Side
    from kb.service.write import Contested


class Sides(ScrollingPane):
    """The fields of one entry: the reader's beside the file's."""

    async def show(self, fields: Sequence[Contested], place: tuple[int, int]) -> None:
        """Show the fields of one entry, with its number among all."""
        async with self.batch():
            await self.remove_children()
            await self.mount_all(_shown(fields, place))
        self.scroll_home(animate=False)
        self.focus()


class ContestedScreen(CommandingModal[None]):
    """Goes through all conflicts, and resolves each for one side."""

    CSS_PATH = "changed.tcss"
    PLACES = ("dialog", "sides")

    def __init__(self, session: Session) -> None:
        super().__init__()
        self._session = session
        self._fields: Sequence[Contested] = ()
        self._resolved = 0

    def compose(self) -> ComposeResult:
        """Show the first conflict when it is loaded."""
        yield Sides(id="changes")

    @work(exit_on_error=False)
    async def on_mount(self) -> None:
        """Load the conflicts."""
        await self._show(await self._session.run(self._session.library.files.contested))

    @property
    def situation(self) -> Situation:
        """The available commands: a side can be chosen only if there are two."""
        return super().situation._replace(asked=bool(self._fields))

    @property
    def _entry(self) -> str | None:
        return self._fields[0].entry if self._fields else None

    async def _show(self, fields: Sequence[Contested]) -> None:
        self._fields = fields
        self.refresh_bindings()
        here = [each for each in self._fields if each.entry == self._entry]
        left = len({each.entry for each in self._fields})
        place = self._resolved + 1, self._resolved + left
        await self.query_one(Sides).show(here, place)

    def action_agree(self) -> None:
        """Keep the reader's version."""
        self._settle("mine", _("Your version is kept: {id}"))

    def action_refuse(self) -> None:
        """Take the other version."""
        self._settle("theirs", _("The other version is kept: {id}"))

    @work(exit_on_error=False)
    async def _settle(self, side: Side, said: str) -> None:
        entry, session, files = self._entry, self._session, self._session.library.files
        if entry is None:
            return
        self._resolved += 1
        self._fields = ()  # until the others have come

        def make() -> tuple[EntriesChanged, Sequence[Contested]]:
            done = files.resolve([entry], side)
            told = session.changed(EntriesChanged(said.format(id=entry), done.ids))
            return told, files.contested()

        told, fields = await session.run(make, "change")
        session.screen.post_message(told)
        await self._show(fields)


def _shown(fields: Sequence[Contested], place: tuple[int, int]) -> Iterable[BidiText | Horizontal]:
    if not fields:
        yield BidiText(_("There are no conflicts."), classes="title")
        yield BidiText(_("Esc closes."), classes="hint")
        return
    title = _("Changed here and elsewhere: {id}").format(id=fields[0].entry)
    yield BidiText(f"{title} ({share(*place)})", classes="title")
    for field in fields:
        yield BidiText(field_name(field.field), classes="caption")
        mine, theirs = texts_of(field.mine, field.theirs)
        pairs = (_("Yours"), mine), (_("The other"), theirs)
        yield Horizontal(*(_side(name, text) for name, text in pairs), classes="sides")
    yield BidiText(_("y keeps your version, n takes the other, Esc closes."), classes="hint")


def _side(name: str, text: str) -> Vertical:
    said = BidiText(text or _("nothing"), direction="auto", formulas=True)
    return Vertical(BidiText(name, classes="title"), said, classes="side")


_STYLES = {"+": "$text-success", "-": "$text-error"}
_MOST = 200


class ChangedScreen(CommandingModal[None]):
    """Shows the changes of an entry until closed."""

    CSS_PATH = "changed.tcss"
    PLACES = ("shown",)

    def __init__(self, entry: str, changes: Sequence[Change]) -> None:
        super().__init__()
        self._entry = entry
        self._changes = changes

    def compose(self) -> ComposeResult:
        """Compose the changes one below the other."""
        with ScrollingPane(id="changes"):
            yield BidiText(_("History of {id}").format(id=self._entry), classes="title")
            if not self._changes:
                yield BidiText(_("It has not changed since it was stored."), classes="item")
            for change in self._changes[-_MOST:]:
                yield BidiText(heading(change), classes="caption")
                for field in change.fields:
                    name = field.field or ""
                    internal = name in ("owner", "position") or name.startswith("record.")
                    if field.entry == self._entry and not internal:
                        yield from field_rows(field)

    action_quit = CommandingModal.action_back


def heading(change: Change) -> str:
    """Return the line above a change: when, by whom, what, and its state."""
    action = action_named(change.action, 1)
    again = {"undo": _("Undone: {action}"), "redo": _("Redone: {action}")}.get(change.what)
    said = again.format(action=action) if again else action
    when = digits(change.at[:16].replace("T", " "))
    state = "" if change.state == "done" else _("undone")
    return " · ".join(filter(None, [when, change.who, said, state]))


def field_rows(field: FieldChange) -> Iterator[BidiText]:
    """Yield a field before and after: short values in a line, texts by lines."""
    name = field_name(field.field) if field.field else _("the whole entry")
    before, after = texts_of(field.before, field.after)
    if is_short(before, after):
        nothing = _("nothing")
        yield BidiText(f"{name}: {before or nothing} {ahead()} {after or nothing}", classes="item")
        return
    yield BidiText(f"{name}:", classes="item")
    made = [f"+{line}" for line in after.split("\n")]
    for line in differing(before, after) if before else made:
        style = _STYLES.get(line[:1])
        marks = [StyledSpan(0, len(line), style)] if style else []
        yield BidiText(line, marks, direction="auto", classes="line")

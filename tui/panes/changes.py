"""The pane of what was changed: undone, redone, looked at, and settled."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual import on, work
from textual.message import Message

from kb.errors import NotFound
from kb.i18n import _, digits
from tui.changes import Done, changed
from tui.panes.pane import Pane
from tui.panes.writing import WritingPane
from tui.phrases import change_named, deed_to
from tui.session import Session

if TYPE_CHECKING:
    from kb.model.changes import Change
    from kb.service.changes import Taken


@dataclass
class OthersFound(Message):
    """Nothing of the app's is left to undo or redo, but a change that is not its own."""

    change: Change
    forward: bool


@dataclass
class HistoryFound(Message):
    """What became of an entry came back."""

    entry: str
    changes: Sequence[Change]


class ChangesPane(Pane):
    """Undoes and redoes what the app has done; shows what became of entries."""

    takes_room = False

    def __init__(self, session: Session, writing: WritingPane) -> None:
        super().__init__(session)
        self._writing = writing

    def action_undo(self) -> None:
        """Undo the newest change of the app; where none is left, ask about the newest of all."""
        self._replay(forward=False)

    def action_redo(self) -> None:
        """Redo what the app undid last; where nothing is left, ask about what others undid."""
        self._replay(forward=True)

    def _replay(self, *, forward: bool) -> None:
        changes = self.session.library.changes
        replay, newest = (
            (changes.redo, changes.next_redo) if forward else (changes.undo, changes.next_undo)
        )

        session, open_now = self.session, self._writing.open_now

        def make() -> Message:
            try:
                taken = replay(own=True)
            except NotFound:
                return OthersFound(newest(), forward)
            return changed(session, _done(taken, forward), open_now)

        session.ask(self, make, "change")

    @on(OthersFound)
    @work(exit_on_error=False)
    async def _ask(self, found: OthersFound) -> None:
        """Name the newest change, and undo or redo it if the reader agrees."""
        from tui.screens.confirm import ConfirmScreen

        if isinstance(self.app.screen, ConfirmScreen):
            return  # the key was pressed twice
        change, changes = found.change, self.session.library.changes
        replay = changes.redo if found.forward else changes.undo
        question, hint = _question(found)
        if await self.app.push_screen_wait(ConfirmScreen(question, hint)):
            self._writing.make_change(lambda: _done(replay(change=change.id), found.forward))

    def action_history(self) -> None:
        """Show what became of the entry at hand."""
        entry, changes = self._writing.at_hand, self.session.library.changes
        if entry is not None:
            self.session.ask(self, lambda: HistoryFound(entry, changes.history(entry)))

    @on(HistoryFound)
    def _show(self, found: HistoryFound) -> None:
        from tui.screens.change_log import ChangedScreen

        self.app.push_screen(ChangedScreen(found.entry, found.changes))

    def action_conflicts(self) -> None:
        """Show what was changed both here and in its file."""
        from tui.screens.change_log import ContestedScreen

        self.app.push_screen(ContestedScreen(self.session))


def _done(taken: Taken, forward: bool) -> Done:
    """Return what is said of an undo or a redo, and of which entries."""
    said = _("Redone: {deed}") if forward else _("Undone: {deed}")
    return Done(said.format(deed=deed_to(taken.deeds[0], taken.ids)), taken.ids)


def _question(found: OthersFound) -> tuple[str, str]:
    """Return what is asked before a change is undone or redone, and what is said of it."""
    change = found.change
    if found.forward:
        question = _("Redo this change: {deed}?")
        hint = _("It was undone by {who} at {when}, not in this app. Enter redoes it, Esc cancels.")
    else:
        question = _("Undo this change: {deed}?")
        hint = _("It was made by {who} at {when}, not in this app. Enter undoes it, Esc cancels.")
    when = digits(change.at[:16].replace("T", " "))
    return question.format(deed=change_named(change)), hint.format(who=change.who, when=when)

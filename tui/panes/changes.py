"""The pane of what was changed: undone, redone, looked at, and settled."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual import work

from kb.errors import NotFound
from kb.i18n import _, digits
from tui.panes.pane import Pane
from tui.panes.writing import WritingPane
from tui.phrases import change_named, deed_to
from tui.session import Done, Session

if TYPE_CHECKING:
    from kb.model.changes import Change
    from kb.service.changes import Taken
    from tui.messages import EntriesChanged


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

    @work(exit_on_error=False)
    async def _replay(self, *, forward: bool) -> None:
        from kb.model.changes import Change
        from tui.screens.questions import ConfirmScreen

        session, open_now = self.session, self._writing.open_now
        changes = session.library.changes
        replay, newest = (
            (changes.redo, changes.next_redo) if forward else (changes.undo, changes.next_undo)
        )

        def make() -> EntriesChanged | Change:
            try:
                taken = replay(own=True)
            except NotFound:
                return newest()
            return session.changed(_done(taken, forward), open_now)

        found = await session.run(make, "change")
        if not isinstance(found, Change):
            self.post_message(found)
            return
        if isinstance(self.app.screen, ConfirmScreen):
            return  # the key was pressed twice
        # Nothing of the app's own is left: name the newest change, and ask about it.
        if await self.app.push_screen_wait(ConfirmScreen(*_question(found, forward))):
            self._writing.make_change(lambda: _done(replay(change=found.id), forward))

    @work(exit_on_error=False)
    async def action_history(self) -> None:
        """Show what became of the entry at hand."""
        from tui.screens.change_log import ChangedScreen

        entry, history = self._writing.at_hand, self.session.library.changes.history
        if entry is not None:
            changes = await self.session.run(lambda: history(entry))
            self.app.push_screen(ChangedScreen(entry, changes))

    def action_conflicts(self) -> None:
        """Show what was changed both here and in its file."""
        from tui.screens.change_log import ContestedScreen

        self.app.push_screen(ContestedScreen(self.session))


def _done(taken: Taken, forward: bool) -> Done:
    """Return what is said of an undo or a redo, and of which entries."""
    said = _("Redone: {deed}") if forward else _("Undone: {deed}")
    return Done(said.format(deed=deed_to(taken.deeds[0], taken.ids)), taken.ids)


def _question(change: Change, forward: bool) -> tuple[str, str]:
    """Return what is asked before a change is undone or redone, and what is said of it."""
    if forward:
        question = _("Redo this change: {deed}?")
        hint = _("It was undone by {who} at {when}, not in this app. Enter redoes it, Esc cancels.")
    else:
        question = _("Undo this change: {deed}?")
        hint = _("It was made by {who} at {when}, not in this app. Enter undoes it, Esc cancels.")
    when = digits(change.at[:16].replace("T", " "))
    return question.format(deed=change_named(change)), hint.format(who=change.who, when=when)

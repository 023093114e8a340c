"""The pane of what was changed: taken back, done again, looked at, and settled."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual import on
from textual.message import Message

from kb.i18n import _
from tui.deeds import Done
from tui.panes.pane import Pane
from tui.panes.writing import WritingPane
from tui.phrases import deed_named
from tui.session import Session

if TYPE_CHECKING:
    from kb.records.changes import Change
    from kb.service.changes import Taken


@dataclass
class HistoryFound(Message):
    """What became of an entry came back."""

    entry: str
    changes: Sequence[Change]


class ChangesPane(Pane):
    """Takes changes back and does them again; shows what became of entries."""

    face = False

    def __init__(self, session: Session, writing: WritingPane) -> None:
        super().__init__(session)
        self._writing = writing

    def action_undo(self) -> None:
        """Take back the last change."""
        self._replay(self.session.library.changes.undo, _("Taken back: {deed}"))

    def action_redo(self) -> None:
        """Do again what was taken back."""
        self._replay(self.session.library.changes.redo, _("Done again: {deed}"))

    def _replay(self, replay: Callable[[], Taken], said: str) -> None:
        def deed() -> Done:
            taken = replay()
            named = deed_named(taken.deeds[0], len(taken.ids))
            return Done(said.format(deed=named), taken.ids)

        self._writing.do(deed)

    def action_history(self) -> None:
        """Show what became of the entry at hand."""
        entry, changes = self._writing.at_hand, self.session.library.changes
        if entry is not None:
            self.session.ask(self, lambda: HistoryFound(entry, changes.history(entry)))

    @on(HistoryFound)
    def _show(self, found: HistoryFound) -> None:
        from tui.screens.changed import ChangedScreen

        self.app.push_screen(ChangedScreen(found.entry, found.changes))

    def action_conflicts(self) -> None:
        """Show what was changed both here and in its file."""
        from tui.screens.contested import ContestedScreen

        self.app.push_screen(ContestedScreen(self.session))

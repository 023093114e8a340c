"""A part of a screen: it has a state of its own, answers to commands, and says what it can do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from textual.containers import Vertical
from textual.content import Content

from tui.bidi import edge_of, first_rows
from tui.session import Session

ROOM_FOR_TWO = 100
"""From so many columns on, there is room for two things beside each other."""

_AROUND = 4


class Pane(Vertical):
    """A pane asks the session, which tells its answers to the pane that asked.

    Its commands are its ``action_`` methods, which the screen finds by their names.
    """

    takes_room = True
    _title = ""

    def __init__(self, session: Session, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.session = session
        if not self.takes_room:
            self.display = False

    @property
    def title(self) -> str:
        """What stands above the pane, in logical order."""
        return self._title

    def entitle(self, title: str) -> None:
        """Put a title above the pane, on its frame if it has one."""
        self._title = title
        self._show_title()

    def on_resize(self) -> None:
        """Fit the title into the new width."""
        self._show_title()

    def _show_title(self) -> None:
        if not self._title:
            self.border_title = None
            return
        room = max(1, self.size.width - _AROUND)
        (row,) = first_rows(self._title, room, 1, edge_of())
        # On a frame blanks are around it anyway.
        text = row.line.text if self.gutter.left else f" {row.line.text} "
        self.border_title = Content(text)

    def facts(self) -> Mapping[str, Any]:
        """Return what commands depend on, by the names of `tui.commands.Situation`."""
        return {}

    def translate(self) -> None:
        """Speak the language of the interface, after it has changed."""

    def lay_out_again(self) -> None:
        """Show every text again, after it was settled who turns it."""

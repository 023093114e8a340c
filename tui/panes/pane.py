"""The base of panes: each has a state and commands."""

from __future__ import annotations

from textual.containers import Vertical
from textual.content import Content
from textual.widget import Widget

from tui.bidi import edge_of, first_rows
from tui.session import Session

ROOM_FOR_TWO = 100
"""The number of columns from which two things fit side by side."""

_AROUND = 4


class Pane(Vertical):
    """A pane uses the session, which sends it the results.

    Its commands are its ``action_`` methods, which the screen finds by name.
    """

    title = ""
    """The title of the pane, in logical order."""

    def __init__(self, session: Session, *parts: Widget, id: str | None = None) -> None:
        super().__init__(*parts, id=id)
        self.session = session

    def entitle(self, title: str) -> None:
        """Set the title, on the frame if there is one."""
        self.title = title
        self._show_title()

    def on_resize(self) -> None:
        """Fit the title to the new width."""
        self._show_title()

    def _show_title(self) -> None:
        if not self.title:
            self.border_title = None
            return
        room = max(1, self.size.width - _AROUND)
        (row,) = first_rows(self.title, room, 1, edge_of())
        # On a frame blanks are around it anyway.
        text = row.line.text if self.gutter.left else f" {row.line.text} "
        self.border_title = Content(text)

    def translate(self) -> None:
        """Switch to the interface language."""

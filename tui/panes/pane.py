"""A part of a screen: it has a state of its own, answers to commands, and says what it can do."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from textual.containers import Vertical

from tui.session import Session


class Pane(Vertical):
    """A pane asks the session, which tells its answers to the pane that asked.

    Its commands are its ``action_`` methods, which the screen finds by their names. One
    without a ``face`` takes no room.
    """

    face = True

    def __init__(self, session: Session, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self.session = session
        if not self.face:
            self.display = False

    def facts(self) -> Mapping[str, Any]:
        """Return what commands depend on, by the names of `tui.commands.Situation`."""
        return {}

    def translate(self) -> None:
        """Speak the language of the interface, after it has changed."""

    def lay_out_again(self) -> None:
        """Show every text anew, after it was settled who turns it."""

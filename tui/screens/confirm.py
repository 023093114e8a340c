"""A question that is answered with yes or no, before something is gone for good."""

from __future__ import annotations

from textual.app import ComposeResult

from tui.screens.commanding import CommandingModal
from tui.widgets.bidi_text import BidiText
from tui.widgets.scrolling import ScrollingForm


class ConfirmScreen(CommandingModal[bool]):
    """Returns whether the reader agreed."""

    CSS_PATH = "confirm.tcss"
    PLACES = ("dialog", "confirm")

    def __init__(self, question: str, hint: str) -> None:
        super().__init__()
        self._question = question
        self._hint = hint

    def compose(self) -> ComposeResult:
        """Ask."""
        with ScrollingForm(id="form"):
            yield BidiText(self._question, classes="caption")
            yield BidiText(self._hint, classes="hint")

    def action_agree(self) -> None:
        """Say yes."""
        self.dismiss(True)

    def action_refuse(self) -> None:
        """Say no."""
        self.dismiss(False)

    action_open = action_agree

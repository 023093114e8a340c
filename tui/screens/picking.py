"""A list over all else, of which one is picked; what is typed narrows it."""

from __future__ import annotations

from collections.abc import Sequence

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical

from kb.i18n import _
from tui.choices import Choice
from tui.screens.commanding import CommandingModal
from tui.widgets.bidi_text import BidiText
from tui.widgets.pick_list import PickList


class PickScreen(CommandingModal[str | None]):
    """Returns the value that was picked, or nothing.

    With ``free`` what was typed may be picked, too.
    """

    CSS_PATH = "picking.tcss"
    PLACES = ("dialog",)

    def __init__(
        self,
        title: str,
        choices: Sequence[Choice],
        current: str | None = None,
        *,
        free: bool = False,
    ) -> None:
        super().__init__()
        self._title = title
        self._choices = choices
        self._current = current
        self._free = free

    def compose(self) -> ComposeResult:
        """Put the title above the list."""
        with Vertical(id="form"):
            yield BidiText(self._title, classes="caption")
            yield PickList(self._choices, self._current, free=self._free)
            narrow = _("Type to narrow, ↑↓ and Enter pick, Esc leaves.")
            own = _("Type to narrow, or a new name; ↑↓ and Enter pick, Esc leaves.")
            yield BidiText(own if self._free else narrow, classes="hint")

    @on(PickList.Picked)
    def _picked(self, message: PickList.Picked) -> None:
        self.dismiss(message.value)

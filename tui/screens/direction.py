"""Which way Persian reads right in this terminal: two lines are shown, and one is chosen."""

from __future__ import annotations

from textual import events
from textual.app import ComposeResult
from textual.widgets import Static

from kb.i18n import _, digits
from kb.terminal import lay_out
from tui.bidi import from_left
from tui.screens.commanding import CommandingModal
from tui.widgets.bidi_text import BidiText
from tui.widgets.scrolling import ScrollingForm

SAMPLE = "شبکه‌های عصبی (RNN) در ۲۰ گام آموزش می‌بینند."
"""Half-spaces, brackets, a foreign name and a number: all that goes wrong where direction does."""

_WAYS = ("app", "terminal")


class DirectionScreen(CommandingModal[str | None]):
    """Asks which line reads right; returns ``app``, ``terminal``, ``off`` or nothing."""

    CSS_PATH = "direction.tcss"
    PLACES = ("dialog",)

    def compose(self) -> ComposeResult:
        """Show the sample as the app turns it and as the terminal gets it, and ask."""
        with ScrollingForm(id="form"):
            yield BidiText(_("Which line reads right?"), classes="caption")
            for place, way in enumerate(_WAYS, 1):
                (line,) = lay_out(SAMPLE, 200, turned=way == "app")
                parts = [digits(str(place)), line.text]
                shown = "   ".join(from_left(parts))
                yield Static(shown, markup=False, classes="line")
            question = _("Press the number of the line, 0 if none does; Esc leaves all as it is.")
            yield BidiText(question, classes="hint")

    def on_key(self, event: events.Key) -> None:
        """Take the number of a line, in either script."""
        pressed = (event.character or "").translate(str.maketrans("۰۱۲", "012"))
        chosen = {"0": "off", "1": "app", "2": "terminal"}.get(pressed)
        if chosen is not None:
            event.stop()
            self.dismiss(chosen)

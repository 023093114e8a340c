"""The form for a run with other values: a field for each parameter of a program."""

from __future__ import annotations

from textual import on
from textual.app import ComposeResult
from textual.widgets import Input

from kb.errors import UsageError
from kb.i18n import _
from kb.model import Snippet
from kb.present.programs import parameters_of, with_values
from tui.phrases import error_sentence, range_of
from tui.screens.commanding import CommandingModal
from tui.widgets.bidi_input import BidiInput
from tui.widgets.bidi_text import BidiText
from tui.widgets.scrolling import ScrollingForm


class RunningScreen(CommandingModal[str | None]):
    """Returns the code of a program with the values that the reader typed, or nothing."""

    CSS_PATH = "picking.tcss"
    PLACES = ("dialog",)

    def __init__(self, snippet: Snippet, code: str) -> None:
        super().__init__()
        self._snippet = snippet
        self._code = code
        self._parameters = parameters_of(code)

    def compose(self) -> ComposeResult:
        """Compose a field for each parameter below its name and range."""
        with ScrollingForm(id="form"):
            yield BidiText(_("Run {program} with", program=self._snippet.id), classes="caption")
            for each in self._parameters:
                yield BidiText(range_of(each))
                yield BidiInput(f"{each.value}", id=each.name, compact=True)
            hint = _("Enter goes to the next field, and after the last runs. Esc goes back.")
            yield BidiText(hint, classes="hint")

    def on_mount(self) -> None:
        """Begin to type."""
        self.query_one(Input).focus()

    @on(Input.Submitted)
    def _submitted(self, event: Input.Submitted) -> None:
        fields = list(self.query(Input))
        if event.input is not fields[-1]:
            self.focus_next()
            return
        values = {str(each.id): each.value.strip() for each in fields}
        try:
            self.dismiss(with_values(self._code, values))
        except UsageError as error:
            self.warn(error_sentence(error))

"""The forms for programs: a reader's own, by name and code, and a run with other values."""

from __future__ import annotations

from dataclasses import dataclass

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Input

from kb.errors import UsageError
from kb.i18n import _
from kb.model import Snippet
from kb.present.programs import parameters_of, with_values
from tui.phrases import error_sentence, range_of
from tui.screens.commanding import CommandingModal, SavingForm
from tui.widgets.bidi_input import BidiInput
from tui.widgets.bidi_text import BidiText
from tui.widgets.code_area import PythonArea
from tui.widgets.scrolling import ScrollingForm


@dataclass(frozen=True)
class ProgramChoice:
    """The reader's program; an empty name is generated."""

    name: str
    code: str


class ProgramScreen(SavingForm[ProgramChoice]):
    """A form that returns a `ProgramChoice` once it is stored, or nothing."""

    CSS_PATH = "program.tcss"
    PLACES = ("dialog", "program")

    def compose(self) -> ComposeResult:
        """Compose the name above the code."""
        with Vertical(id="form"):
            yield BidiText(_("A program of your own for this entry"), classes="caption")
            yield BidiText(_("Name"))
            yield BidiInput(id="name", compact=True)
            yield BidiText(_("Code"))
            yield PythonArea(id="code")
            hint = _("Print values as “name: value”. Ctrl+S saves the program, Esc closes.")
            yield BidiText(hint, classes="hint")

    def on_input_submitted(self) -> None:
        """Move to the code."""
        self.query_one(PythonArea).focus()

    @property
    def written(self) -> ProgramChoice:
        """The program."""
        name = self.query_one(Input).value.strip()
        return ProgramChoice(name, self.query_one(PythonArea).text)

    def action_save(self) -> None:
        """Return the program, if it is valid."""
        if self.written.code.strip():
            self.save(self.written)
        else:
            self.warn(_("A program needs some code."))


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

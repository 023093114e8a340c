"""The form for a reader's program: name and code."""

from __future__ import annotations

from dataclasses import dataclass

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Input

from kb.i18n import _
from tui.screens.commanding import SavingForm, Store
from tui.widgets.bidi_input import BidiInput
from tui.widgets.bidi_text import BidiText
from tui.widgets.code_area import PythonArea


@dataclass(frozen=True)
class ProgramChoice:
    """The reader's program; an empty name is generated."""

    name: str
    code: str


class ProgramScreen(SavingForm[ProgramChoice]):
    """A form that returns a `ProgramChoice` once it is stored, or nothing."""

    CSS_PATH = "program.tcss"
    PLACES = ("dialog", "program")

    def __init__(self, store: Store[ProgramChoice]) -> None:
        super().__init__(store)

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

    def on_mount(self) -> None:
        """Focus the name."""
        self.query_one(Input).focus()

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

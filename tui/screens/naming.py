"""One line to write: a name, or a new one."""

from __future__ import annotations

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Input

from kb.i18n import _
from tui.commands import bindings
from tui.screens.commanding import SavingForm, Store
from tui.widgets.bidi_input import BidiInput
from tui.widgets.bidi_text import BidiText


class NameScreen(SavingForm[str]):
    """Returns the name that was typed once it is stored, or nothing."""

    CSS_PATH = "picking.tcss"
    PLACES = ("dialog",)
    BINDINGS = bindings("dialog")

    def __init__(self, title: str, name: str, store: Store[str]) -> None:
        super().__init__(store)
        self._title = title
        self._first = name

    def compose(self) -> ComposeResult:
        """Put the title above the line."""
        with Vertical(id="form"):
            yield BidiText(self._title, classes="caption")
            yield BidiInput(self._first, id="name", compact=True, select_on_focus=False)
            yield BidiText(_("Slashes make a tree. Enter goes on, Esc leaves."), classes="hint")

    def on_mount(self) -> None:
        """Begin to type."""
        self.query_one(Input).focus()

    @on(Input.Submitted)
    def _named(self) -> None:
        name = self.query_one(Input).value.strip()
        if all(part.strip() for part in name.split("/")):
            self.save(name)
        else:
            self.warn(_("A collection needs a name, and so has each of its parts."))

"""The import form: which file or folder, and into which collection."""

from __future__ import annotations

import os
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

from textual import on
from textual.app import ComposeResult
from textual.widgets import Input

from kb.i18n import N_, _
from tui.commands import bindings
from tui.screens.commanding import CommandingModal
from tui.widgets.bidi_input import BidiInput
from tui.widgets.bidi_text import BidiText
from tui.widgets.scrolling import ScrollingForm


@dataclass(frozen=True)
class ImportChoice:
    """What the reader asked for; a folder names its collections itself.

    ``columns`` says what those of a table are, once that was asked.
    """

    path: str
    collection: str | None
    columns: str | None = None


_HINT = N_("Enter goes on, and behind the collection reads the file; Esc goes back.")


class ImportScreen(CommandingModal[ImportChoice | None]):
    """A form that returns an `ImportChoice`, or nothing.

    ``endings`` are those of the files that can be read; ``before`` is a choice that did
    not go well, to be mended.
    """

    CSS_PATH = "importing.tcss"
    PLACES = ("dialog",)
    BINDINGS = bindings("dialog")

    def __init__(self, endings: Sequence[str], before: ImportChoice | None = None) -> None:
        super().__init__()
        self._endings = endings
        self._before = before
        self._suggested = ""

    def compose(self) -> ComposeResult:
        """Put the questions together."""
        with ScrollingForm(id="form"):
            yield BidiText(_("Import"), classes="caption")
            yield BidiText(_("File or folder"))
            yield BidiInput(id="path", compact=True)
            yield BidiText(_("Collection"))
            yield BidiInput(id="collection", compact=True)
            yield BidiText(_(_HINT), classes="hint")

    def on_mount(self) -> None:
        """Show what was chosen before, if anything was."""
        if self._before is not None:
            self.query_one("#path", Input).value = self._before.path
            self.query_one("#collection", Input).value = self._before.collection or ""
        self.query_one("#path", Input).focus()

    @property
    def path(self) -> str:
        """The path, with the reader's home in place of ``~``."""
        return os.path.expanduser(self.query_one("#path", Input).value.strip())

    @on(Input.Changed, "#path")
    def _suggest(self) -> None:
        """Name the collection after the file, as long as it was not named otherwise."""
        collection = self.query_one("#collection", Input)
        suggested = "" if os.path.isdir(self.path) else Path(self.path).stem
        if collection.value == self._suggested:
            collection.value = suggested
        self._suggested = suggested
        hint = self.query_one(".hint", BidiText)
        hint.show(_(_HINT))
        hint.remove_class("-warning")

    @on(Input.Submitted, "#path")
    def _go_on(self) -> None:
        if self._check():
            self.query_one("#collection", Input).focus()

    @on(Input.Submitted, "#collection")
    def _submitted(self) -> None:
        if self._check():
            collection = self.query_one("#collection", Input).value.strip()
            folder = os.path.isdir(self.path)
            self.dismiss(ImportChoice(self.path, None if folder else collection or None))

    def _check(self) -> bool:
        """Say what is wrong with the path, if anything is."""
        problem = self._problem()
        if problem:
            hint = self.query_one(".hint", BidiText)
            hint.show(problem)
            hint.add_class("-warning")
            self.query_one("#path", Input).focus()
        return not problem

    def _problem(self) -> str:
        if not self.path:
            return _("A file needs a name.")
        if os.path.isdir(self.path):
            return ""
        if not os.path.isfile(self.path):
            return _("There is no such file.")
        if not self.path.lower().endswith(tuple(self._endings)):
            endings = _(", ").join(self._endings)
            return _("Files that can be read end in {endings}.").format(endings=endings)
        return ""

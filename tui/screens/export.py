"""The export form: scope, format and path."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from textual import on
from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Input, OptionList
from textual.widgets.option_list import Option

from kb.i18n import N_, _, ngettext
from tui.bidi import label
from tui.screens.commanding import CommandingModal
from tui.widgets.bidi_input import BidiInput
from tui.widgets.bidi_text import BidiText
from tui.widgets.scrolling import ScrollingForm

if TYPE_CHECKING:
    from kb.service.exporting import Export

Scope = Literal["entry", "listed", "all"]

_LONGEST = 64
_HINT = N_("Enter goes to the next field, and after the name writes the file. Esc goes back.")


@dataclass(frozen=True)
class ExportChoice:
    """The reader's choice."""

    format: str
    path: str
    scope: Scope


class ExportScreen(CommandingModal[ExportChoice | None]):
    """A form that returns an `ExportChoice`, or nothing.

    A format of ``exports`` without a file suffix writes a folder. An existing file is replaced
    only after a second Enter, a non-empty folder never.
    """

    CSS_PATH = "export.tcss"
    PLACES = ("dialog",)

    def __init__(self, exports: Export, *, entry: str | None, listed: int, every: int) -> None:
        super().__init__()
        self._formats, self._endings = exports.formats(), exports.endings()
        self._entry = entry
        self._listed = listed
        self._every = every
        self._warned: str | None = None
        self._suggested = ""

    def compose(self) -> ComposeResult:
        """Yield the questions."""
        with ScrollingForm(id="form"):
            yield BidiText(_("Export"), classes="caption")
            yield OneOf(self._scopes(), "scope")
            yield BidiText(_("Format"), classes="caption")
            formats = {name: f"{name}: {_(summary)}" for name, summary in self._formats.items()}
            yield OneOf(formats, "format")
            yield BidiText(_("File or folder"), classes="caption")
            yield BidiInput(id="path", compact=True)
            yield BidiText(_(_HINT), classes="hint")

    def _scopes(self) -> dict[str, str]:
        """Return what can be exported, with its name; what is read comes first."""
        scopes: dict[str, str] = {}
        if self._entry is not None:
            scopes["entry"] = _("this entry: {id}").format(id=self._entry)
        if 0 < self._listed < self._every:
            listed = ngettext("the {n} entry listed", "the {n} entries listed", self._listed)
            scopes["listed"] = listed
        scopes["all"] = ngettext("everything: {n} entry", "everything: {n} entries", self._every)
        return scopes

    def on_mount(self) -> None:
        """Suggest a path for what is read or listed, and the first format."""
        self._suggest()

    @property
    def scope(self) -> Scope:
        """What is exported."""
        chosen = self.query_one("#scope", OneOf).value
        return "entry" if chosen == "entry" else "listed" if chosen == "listed" else "all"

    @property
    def format(self) -> str:
        """The chosen format."""
        return self.query_one("#format", OneOf).value

    @on(OptionList.OptionHighlighted)
    def _suggest(self) -> None:
        """Update the path for format and scope, unless it was edited."""
        path = self.query_one("#path", Input)
        stem = (self._entry or "") if self.scope == "entry" else "danesh"
        name = "".join(char if char.isalnum() or char in "-_." else "-" for char in stem)
        suggested = f"{name}{self._endings[self.format] or f'-{self.format}'}"
        if path.value == self._suggested:
            path.value = suggested
        self._suggested = suggested

    @on(OptionList.OptionSelected)
    def _chosen(self) -> None:
        """Go to the next field."""
        self.focus_next()

    @on(Input.Changed)
    def _renamed(self) -> None:
        """Show the hint again instead of a warning about another name."""
        if self._warned != self._path:
            self.hint(_(_HINT))

    @property
    def _path(self) -> str:
        return os.path.expanduser(self.query_one("#path", Input).value.strip())

    @on(Input.Submitted)
    def _submitted(self) -> None:
        path = self._path
        if not path:
            self.warn(_("A file needs a name."))
        elif not self._endings[self.format] and _is_taken(path):
            self.warn(_("This folder is not empty: name another one."))
        elif self._endings[self.format] and os.path.exists(path) and self._warned != path:
            self._warned = path
            self.warn(_("This file exists. Press Enter again to replace it."))
        else:
            self.dismiss(ExportChoice(self.format, path, self.scope))


def _is_taken(path: str) -> bool:
    """Return whether a folder cannot be written there: it is not empty, or a file."""
    return os.path.exists(path) and not (os.path.isdir(path) and not os.listdir(path))


class OneOf(OptionList):
    """Values of which the one under the cursor is chosen; beyond them are the other fields."""

    def __init__(self, choices: Mapping[str, str], id: str) -> None:
        self._names = list(choices.values())
        options = (Option(Content(name), id=value) for value, name in choices.items())
        super().__init__(*options, id=id, markup=False)
        self.highlighted = 0

    def watch_highlighted(self, highlighted: int | None) -> None:
        """Mark the choice by a sign, not by colour alone."""
        super().watch_highlighted(highlighted)
        for number, name in enumerate(self._names):
            sign = "●" if number == highlighted else "○"
            prompt = Content(label(f"{sign} {name}", _LONGEST))
            self.replace_option_prompt_at_index(number, prompt)

    @property
    def value(self) -> str:
        """The chosen value."""
        return str(self.get_option_at_index(self.highlighted or 0).id)

    def action_cursor_up(self) -> None:
        """Go up, from the first value to the field above, if there is one."""
        if self.highlighted:
            super().action_cursor_up()
        elif self.screen.focus_chain[0] is not self:
            self.screen.focus_previous()

    def action_cursor_down(self) -> None:
        """Go down, from the last value to the field below."""
        if self.highlighted != self.option_count - 1:
            super().action_cursor_down()
        else:
            self.screen.focus_next()

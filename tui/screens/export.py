"""The export form: scope, format and path."""

from __future__ import annotations

import os
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal

from textual import on
from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import Input, OptionList, RadioButton, RadioSet
from textual.widgets.option_list import Option

from kb.i18n import N_, _, ngettext, right_to_left
from tui.bidi import label
from tui.screens.commanding import CommandingModal
from tui.widgets.bidi_input import BidiInput
from tui.widgets.bidi_text import BidiText
from tui.widgets.scrolling import ScrollingForm

Scope = Literal["entry", "listed", "all"]

_LONGEST = 60
_HINT = N_("Enter goes to the next field, and after the name writes the file. Esc goes back.")

_SIGNS = {True: "●", False: "○"}


@dataclass(frozen=True)
class ExportChoice:
    """The reader's choice."""

    format: str
    path: str
    scope: Scope


class ExportScreen(CommandingModal[ExportChoice | None]):
    """A form that returns an `ExportChoice`, or nothing.

    ``formats`` have descriptions, and ``endings`` are file suffixes, or nothing for folders. An
    existing file is replaced only after a second Enter, a non-empty folder never.
    """

    CSS_PATH = "export.tcss"
    PLACES = ("dialog",)

    def __init__(
        self,
        formats: Mapping[str, str],
        endings: Mapping[str, str],
        *,
        entry: str | None,
        listed: int,
        every: int,
        at_entry: bool,
    ) -> None:
        super().__init__()
        self._formats = dict(formats)
        self._endings = endings
        self._entry = entry
        self._listed = listed
        self._every = every
        self._at_entry = at_entry and entry is not None
        self._warned: str | None = None
        self._suggested = ""

    def compose(self) -> ComposeResult:
        """Yield the questions."""
        with ScrollingForm(id="form"):
            yield BidiText(_("Export"), classes="caption")
            with RadioSet(id="scope"):
                if self._entry is not None:
                    only = _("this entry: {id}").format(id=self._entry)
                    yield RadioChoice(only, self._at_entry, id="entry")
                some = 0 < self._listed < self._every
                if some:
                    listed = ngettext(
                        "the {n} entry listed", "the {n} entries listed", self._listed
                    )
                    yield RadioChoice(listed, not self._at_entry, id="listed")
                everything = ngettext(
                    "everything: {n} entry", "everything: {n} entries", self._every
                )
                yield RadioChoice(everything, not (some or self._at_entry), id="all")
            yield BidiText(_("Format"), classes="caption")
            yield Formats(
                *(
                    Option(Content(label(f"{name}: {_(summary)}", 64)), id=name)
                    for name, summary in self._formats.items()
                ),
                id="format",
                markup=False,
            )
            yield BidiText(_("File or folder"), classes="caption")
            yield BidiInput(id="path", compact=True)
            yield BidiText(_(_HINT), classes="hint")

    def on_mount(self) -> None:
        """Select the first format, and suggest a path."""
        self.query_one(OptionList).highlighted = 0
        self.query_one(OptionList).focus()
        self._suggest()

    @property
    def scope(self) -> Scope:
        """What is exported."""
        pressed = self.query_one(RadioSet).pressed_button
        chosen = pressed.id if pressed is not None else "all"
        return "entry" if chosen == "entry" else "listed" if chosen == "listed" else "all"

    @property
    def format(self) -> str:
        """The format under the cursor."""
        option = self.query_one(OptionList).highlighted_option
        return str(option.id) if option else next(iter(self._formats))

    @on(OptionList.OptionHighlighted)
    @on(RadioSet.Changed)
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
        """Move to the path."""
        self.query_one("#path", Input).focus()

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


class Formats(OptionList):
    """The formats; above the first is the scope, not the last."""

    def action_cursor_up(self) -> None:
        """Go up, from the first format to the scope."""
        if self.highlighted:
            super().action_cursor_up()
        else:
            self.screen.query_one(RadioSet).focus()

    def action_cursor_down(self) -> None:
        """Go down, at most to the last format."""
        if self.highlighted != self.option_count - 1:
            super().action_cursor_down()


class RadioChoice(RadioButton):
    """A choice with a sign at its start, not marked by colour alone."""

    def __init__(self, name: str, chosen: bool, *, id: str) -> None:
        first = not right_to_left()
        super().__init__(Content(label(name, _LONGEST)), chosen, button_first=first, id=id)

    def render(self) -> Content:
        """Return sign and name."""
        self.BUTTON_INNER = _SIGNS[self.value]
        return super().render()

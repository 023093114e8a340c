"""The palette of commands, from the right where the interface runs so."""

from __future__ import annotations

from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.command import CommandInput, CommandList, CommandPalette
from textual.content import Content
from textual.widgets.option_list import Option

from kb.i18n import _
from tui.bidi import label
from tui.mirror import BarAtEdge
from tui.widgets.bidi_input import BidiInput

if TYPE_CHECKING:
    from typing import Self

    from textual.visual import VisualType


class PaletteInput(CommandInput, BidiInput):
    """What is typed to find a command, as it reads."""


class PaletteList(BarAtEdge, CommandList):
    """The commands that were found, or that none was, in the reader's language."""

    def add_option(self, option: Option | VisualType | None = None) -> Self:
        """Add a command, or say that there is none: Textual says it in English alone."""
        if isinstance(option, Option) and option.disabled:
            option = Option(Content(label(_("Nothing matches"))), id=option.id, disabled=True)
        return super().add_option(option)


class Palette(CommandPalette):
    """Textual's palette, with an input and a list that know their direction."""

    def __init__(self) -> None:
        super().__init__(placeholder=label(_("What do you want to do?")), id="--command-palette")

    def compose(self) -> ComposeResult:
        """Put Textual's parts together, with our own in place of two of them."""
        for part in super().compose():
            if isinstance(part, CommandInput):
                yield PaletteInput(placeholder=part.placeholder, select_on_focus=False)
            else:
                yield PaletteList() if isinstance(part, CommandList) else part

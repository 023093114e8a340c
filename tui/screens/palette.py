"""The command palette: what can be done now, in the reader's language and direction."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from functools import partial
from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.command import (
    CommandInput,
    CommandList,
    CommandPalette,
    DiscoveryHit,
    Hit,
    Hits,
    Provider,
)
from textual.content import Content
from textual.widgets.option_list import Option

from kb.i18n import _
from tui.bidi import label, rows_of, styled
from tui.commands import Command, shown_keys, written_key
from tui.commands.command import MOVING
from tui.mirror import BarAtEdge
from tui.screens.commanding import Commanding
from tui.widgets.bidi_input import BidiInput

if TYPE_CHECKING:
    from typing import Self

    from textual.visual import VisualType

# The cells that the palette's own frame and scrollbar take.
_AROUND = 6


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
        """Yield Textual's parts, with our own in place of two of them."""
        for part in super().compose():
            if isinstance(part, CommandInput):
                yield PaletteInput(placeholder=part.placeholder, select_on_focus=False)
            else:
                yield PaletteList() if isinstance(part, CommandList) else part


class CommandProvider(Provider):
    """Offers the commands that `Command.available` allows at the moment."""

    def _offered(self) -> list[Command]:
        """Return what can be done now, a suggestion first; what only moves about comes last."""
        screen = self.screen
        commands = screen.commands() if isinstance(screen, Commanding) else ()
        return sorted(commands, key=lambda each: (each.group == MOVING, each.id != "suggestion"))

    async def discover(self) -> Hits:
        """Offer all that can be done now."""
        for command in self._offered():
            name = palette_name(command)
            sentence = self._shown(_(command.description))
            yield DiscoveryHit(Content(self._shown(name)), self._action(command), name, sentence)

    async def search(self, query: str) -> Hits:
        """Offer what the typed letters are in, in order, in name or sentence."""
        matcher = self.matcher(query)
        for command in self._offered():
            name, sentence = palette_name(command), _(command.description)
            score = max(matcher.match(name), matcher.match(sentence) / 2)
            if score > 0:
                display = Content(self._shown(name))
                yield Hit(score, display, self._action(command), name, self._shown(sentence))

    def _shown(self, text: str) -> str:
        """Return a text in lines for the palette, at the right where it runs right to left."""
        width = max(1, self.app.size.width - _AROUND)
        return "\n".join(styled(row, (), width).plain.rstrip() for row in rows_of(text, width))

    def _action(self, command: Command) -> Callable[[], Coroutine[object, object, None]]:
        screen = self.screen
        assert isinstance(screen, Commanding)
        return partial(screen.perform, command)


def palette_name(command: Command) -> str:
    """Return what a command is called in the palette, with its key if it has one."""
    keys = shown_keys(command)
    return f"{_(command.label)} ({written_key(keys[0])})" if keys else _(command.label)

"""The command palette, in the interface's language and direction."""

from __future__ import annotations

from collections.abc import Callable, Coroutine
from functools import partial
from typing import Self

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
from textual.visual import VisualType
from textual.widgets.option_list import Option

from kb.i18n import _, in_all_languages
from tui.bidi import label, rows_of, styled
from tui.choices import folded
from tui.commands import Command, Situation, shown_keys, written_key
from tui.commands.table import MOVING
from tui.mirror import BarAtEdge
from tui.screens.commanding import CommandBar, Commanding
from tui.widgets.bidi_input import BidiInput

# The most cells that the palette takes, and those of its own frame and scrollbar.
_WIDEST, _AROUND = 90, 6


class PaletteInput(CommandInput, BidiInput):
    """The palette's input, with correct direction."""


class PaletteList(BarAtEdge, CommandList):
    """The commands found, or a message that there are none."""

    def add_option(self, option: Option | VisualType | None = None) -> Self:
        """Add a command, or a translated message that there is none."""
        if isinstance(option, Option) and option.disabled:
            option = Option(Content(label(_("Nothing matches"))), id=option.id, disabled=True)
        return super().add_option(option)


class Palette(CommandPalette):
    """Textual's palette with our bidirectional input and list."""

    def __init__(self) -> None:
        super().__init__(placeholder=label(_("What do you want to do?")), id="--command-palette")

    def compose(self) -> ComposeResult:
        """Compose Textual's parts, with two of them replaced."""
        for part in super().compose():
            if isinstance(part, CommandInput):
                yield PaletteInput(placeholder=part.placeholder, select_on_focus=False)
            else:
                yield PaletteList() if isinstance(part, CommandList) else part

    def _action_command_list(self, action: str) -> None:
        """Move in the list, if a line of it has room."""
        if self.query_one(CommandList).size:
            super()._action_command_list(action)

    async def on_mount(self) -> None:
        """Show the keys, as in a dialog."""
        await self.mount(bar := CommandBar())
        await bar.offer(Situation(typing=True), ("help", "pick"))


class CommandProvider(Provider):
    """Provides the commands that `Command.available` allows."""

    def _offered(self) -> list[Command]:
        """Return the available commands, a suggestion first, navigation last."""
        screen = self.screen
        commands = screen.commands() if isinstance(screen, Commanding) else ()
        return sorted(commands, key=lambda each: (each.group == MOVING, each.id != "suggestion"))

    async def discover(self) -> Hits:
        """Yield all available commands."""
        for command in self._offered():
            name = palette_name(command)
            sentence = self._shown(_(command.description))
            yield DiscoveryHit(Content(self._shown(name)), self._action(command), name, sentence)

    async def search(self, query: str) -> Hits:
        """Yield commands with the beginnings of the typed words, in any language."""
        typed = folded(query).split()
        for command in self._offered():
            name, sentence = palette_name(command), _(command.description)
            named = folded(in_all_languages(command.label)).split()
            words = named + folded(in_all_languages(command.description)).split()
            if all(any(word.startswith(each) for word in words) for each in typed):
                score = sum(any(word.startswith(each) for word in named) for each in typed)
                display = Content(self._shown(name))
                yield Hit(1 + score, display, self._action(command), name, self._shown(sentence))

    def _shown(self, text: str) -> str:
        """Return a text in lines for the palette, right-aligned for right-to-left text."""
        width = max(1, min(self.app.size.width, _WIDEST) - _AROUND)
        return "\n".join(styled(row, (), width).plain.rstrip() for row in rows_of(text, width))

    def _action(self, command: Command) -> Callable[[], Coroutine[object, object, None]]:
        screen = self.screen
        assert isinstance(screen, Commanding)
        return partial(screen.perform, command)


def palette_name(command: Command) -> str:
    """Return the name of a command in the palette, with its key."""
    keys = shown_keys(command)
    return f"{_(command.label)} ({written_key(keys[0])})" if keys else _(command.label)

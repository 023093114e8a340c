"""The bar at the bottom: what can be done now, with keys; a click does it."""

from __future__ import annotations

from collections.abc import Sequence

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.widgets import Static

from kb.i18n import _
from tui.bidi import TOOLTIP, from_left, label
from tui.commands import Command, Place, Situation, bar_keys, bar_name, in_bar
from tui.commands.command import BACK

_AROUND = 2
_MOST = 6
"""So many commands are named: what matters in a place. The palette and the help have all."""


class CommandKey(Static):
    """One command: its key and its name; its sentence is the tooltip."""

    ALLOW_SELECT = False

    def __init__(self, command: Command, here: Sequence[Place], *, typing: bool = False) -> None:
        super().__init__(_key_and_name(command, here, typing=typing), markup=False)
        self.tooltip = Content(label(_(command.description), TOOLTIP))
        self.command = command

    async def on_click(self, event: events.Click) -> None:
        """Do what the command says."""
        from tui.screens.commanding import Commanding

        event.stop()
        if isinstance(self.screen, Commanding):
            await self.screen.perform(self.command)


class CommandBar(Horizontal):
    """The commands that the bar offers in a situation, from the side where one reads first."""

    DEFAULT_CSS = """
    CommandBar {
        height: 1;
        dock: bottom;
        background: $footer-background;
        CommandKey {
            width: auto;
            padding: 0 1;
            color: $footer-description-foreground;
            &:hover {
                background: $block-hover-background;
            }
        }
    }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._offered: list[tuple[str, str]] = []

    def compose(self) -> ComposeResult:
        """Show nothing yet: the screen says what can be done."""
        yield from ()

    async def offer(self, situation: Situation, places: Sequence[Place]) -> None:
        """Show what can be done now in these places, if that has changed."""
        here = in_bar(situation, places)
        commands = fitting(here, places, self.app.size.width, typing=situation.typing)
        offered = [
            (each.id, _key_and_name(each, places, typing=situation.typing).plain)
            for each in commands
        ]
        if offered != self._offered:
            self._offered = offered
            async with self.batch():
                await self.remove_children()
                await self.mount_all(
                    CommandKey(command, places, typing=situation.typing) for command in commands
                )


def fitting(
    commands: list[Command], here: Sequence[Place], width: int, *, typing: bool
) -> list[Command]:
    """Return the first commands that fit into so many cells; back and help, at the end, always do.

    However wide it is, there are no more than one can take in at a glance.
    """
    taken = [_key_and_name(each, here, typing=typing).cell_length + _AROUND for each in commands]
    ending = sum(max(each.bar.values()) >= BACK for each in commands)
    kept = min(len(commands), _MOST) - ending
    while kept and sum(taken[:kept]) + sum(taken[len(commands) - ending :]) > width:
        kept -= 1
    return [*commands[:kept], *commands[len(commands) - ending :]]


def _key_and_name(command: Command, here: Sequence[Place], *, typing: bool) -> Content:
    key = Content.styled(" ".join(bar_keys(command, typing=typing)), "$key bold")
    name = Content(label(_(bar_name(command, here))))
    return Content(" ").join(from_left([key, name]))

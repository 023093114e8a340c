"""The bar at the bottom: what can be done now, with keys; a click does it."""

from __future__ import annotations

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.widgets import Static

from tui.bidi import label
from tui.commands import Command, Situation, action_of, bar_key, in_bar
from tui.i18n import _, right_to_left

_TOOLTIP = 36


class CommandKey(Static):
    """One command: its key and its name; its sentence is the tooltip."""

    ALLOW_SELECT = False

    def __init__(self, command: Command, *, typing: bool = False) -> None:
        content = _key_and_name(command, typing=typing)
        super().__init__(content, markup=False)
        self.tooltip = Content(label(_(command.description), _TOOLTIP))
        self.command = command

    async def on_click(self, event: events.Click) -> None:
        """Do what the command says."""
        event.stop()
        within = "focused." if "code" in self.command.places else ""
        await self.screen.run_action(f"{within}{action_of(self.command)}")


class CommandBar(Horizontal):
    """The commands that the bar offers in a situation, from the side where one reads first."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._offered: list[tuple[str, str]] = []

    def compose(self) -> ComposeResult:
        """Show nothing yet: the screen says what can be done."""
        yield from ()

    async def offer(self, situation: Situation) -> None:
        """Show what can be done now, if that has changed."""
        commands = fitting(in_bar(situation), self.app.size.width, typing=situation.typing)
        offered = [
            (each.id, _key_and_name(each, typing=situation.typing).plain) for each in commands
        ]
        if offered != self._offered:
            self._offered = offered
            async with self.batch():
                await self.remove_children()
                await self.mount_all(
                    CommandKey(command, typing=situation.typing) for command in commands
                )


def fitting(commands: list[Command], width: int, *, typing: bool) -> list[Command]:
    """Return the commands that fit into so many cells; the last two, back and help, always do."""
    taken = [_key_and_name(each, typing=typing).cell_length + 1 for each in commands]
    kept = len(commands)
    while kept > 2 and sum(taken[: kept - 2]) + sum(taken[-2:]) > width:
        kept -= 1
    return [*commands[: kept - 2], *commands[-2:]] if kept > 1 else commands


def _key_and_name(command: Command, *, typing: bool) -> Content:
    key = (f" {bar_key(command, typing=typing)} ", "$key bold")
    parts = [key, label(_(command.label))]
    return Content.assemble(*(reversed(parts) if right_to_left() else parts))

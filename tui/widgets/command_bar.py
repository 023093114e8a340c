"""The bar at the bottom: what can be done now, with keys; a click does it."""

from __future__ import annotations

from collections.abc import Iterable

from textual import events
from textual.app import ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.widgets import Static

from kb.i18n import _
from tui.bidi import TOOLTIP, from_left, label
from tui.commands import Command, Place, Situation, action_of, bar_keys, in_bar
from tui.commands.command import BACK

_AROUND = 2


class CommandKey(Static):
    """One command: its key and its name; its sentence is the tooltip."""

    ALLOW_SELECT = False

    def __init__(self, command: Command, *, typing: bool = False) -> None:
        content = _key_and_name(command, typing=typing)
        super().__init__(content, markup=False)
        self.tooltip = Content(label(_(command.description), TOOLTIP))
        self.command = command

    async def on_click(self, event: events.Click) -> None:
        """Do what the command says."""
        event.stop()
        await self.screen.run_action(f"{self._owner}{action_of(self.command)}")

    @property
    def _owner(self) -> str:
        """Where the command's action is, as Textual names it: screen, app, or what has the focus.

        What the registry names as the screen's is asked of the screen in any case.
        """
        places = {"screen", *getattr(self.screen, "PLACES", ())}
        if "." in self.command.action or places & set(self.command.places):
            return ""
        return "app." if "app" in self.command.places else "focused."


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

    async def offer(self, situation: Situation, places: Iterable[Place]) -> None:
        """Show what can be done now in these places, if that has changed."""
        here = in_bar(situation, places)
        commands = fitting(here, self.app.size.width, typing=situation.typing)
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
    """Return the commands that fit into so many cells; back and help, at the end, always do."""
    taken = [_key_and_name(each, typing=typing).cell_length + _AROUND for each in commands]
    ending = sum(max(each.bar.values()) >= BACK for each in commands)
    kept = len(commands) - ending
    while kept and sum(taken[:kept]) + sum(taken[len(commands) - ending :]) > width:
        kept -= 1
    return [*commands[:kept], *commands[len(commands) - ending :]]


def _key_and_name(command: Command, *, typing: bool) -> Content:
    key = Content.styled(" ".join(bar_keys(command, typing=typing)), "$key bold")
    name = Content(label(_(command.short or command.label)))
    return Content(" ").join(from_left([key, name]))

"""What every screen has: commands that can be done now, for its keys, the palette and the bar.

The bar at the bottom names what can be done now, with keys; a click does it.
"""

from __future__ import annotations

import inspect
from collections.abc import Awaitable, Callable, Iterable, Sequence
from typing import Any, ClassVar, TypeAlias, TypeVar

from textual import events, on, work
from textual.app import App, ComposeResult
from textual.containers import Horizontal
from textual.content import Content
from textual.screen import ModalScreen, Screen, ScreenResultType
from textual.widget import Widget
from textual.widgets import Static

from kb.i18n import _
from tui.bidi import TOOLTIP, from_left, label
from tui.commands import (
    BY_ACTION,
    Command,
    Place,
    Situation,
    action_of,
    bar_keys,
    bar_name,
    bindings,
    in_bar,
    offered,
)
from tui.commands.command import BACK
from tui.mirror import in_reading_order
from tui.widgets.bidi_text import BidiText

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


T = TypeVar("T")
Store: TypeAlias = Callable[[T], Awaitable[str]]
"""Stores what a form holds; returns why it was not stored, or nothing."""


class Commanding(Screen[ScreenResultType]):
    """A screen whose commands are found by their names: its own, or those of its panes.

    ``PLACES`` says which commands of the table belong to it; their keys are bound.
    """

    PLACES: ClassVar[tuple[Place, ...]] = ()

    def __init_subclass__(cls, **options: Any) -> None:
        """Bind the keys of the commands of a screen's places, before Textual reads them."""
        if "PLACES" in vars(cls):
            cls.BINDINGS = [each for place in cls.PLACES for each in bindings(place)]
        super().__init_subclass__(**options)

    @on(events.Mount)
    def _follow(self) -> None:
        """Keep the bar at what can be done."""
        self.bindings_updated_signal.subscribe(self, self._offer)

    async def _offer(self, _screen: object = None) -> None:
        for bar in self.query(CommandBar) if self.is_mounted else ():
            await bar.offer(self.situation, self.here)

    def on_resize(self, event: events.Resize) -> None:
        """Correct the news of a size that has passed; two of them would answer each other forever.

        The layout for a size posts that size again, so two that wait take turns.
        """
        if event.size != self.app.size:
            event.prevent_default()
            self.post_message(events.Resize.from_dimensions(self.app.size, None))
        else:
            self.refresh_bindings()  # the bar has room for more, or for less

    @property
    def focus_chain(self) -> list[Widget]:
        """What may have the focus, in the order in which one reads."""
        return in_reading_order(super().focus_chain)

    @property
    def situation(self) -> Situation:
        """What commands can do now."""
        return Situation(typing=takes_letters(self.focused))

    @property
    def here(self) -> tuple[Place, ...]:
        """The places whose commands the bar names: of this screen and of what has the focus."""
        return (*self.PLACES, *getattr(self.focused, "PLACES", ()))

    def commands(self) -> Iterable[Command]:
        """Return what the palette offers now."""
        return offered(self.situation, (*self.here, "app"))

    async def perform(self, command: Command) -> None:
        """Do a command where its keys are bound: in what has the focus, the screen or the app."""
        inner = {*self.here} - {*self.PLACES}
        if self.focused is not None and inner & {*command.places}:
            await self.focused.run_action(command.action)
        elif "app" in command.places:
            await self.app.run_action(command.action)
        else:
            place: Place = "screen" if "screen" in self.PLACES else "dialog"
            await self.run_action(action_of(command, place))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Say whether a command can be done now; the same rule feeds bar and palette."""
        name = str(parameters[0]) if action == "do" and parameters else action
        command = BY_ACTION.get(name)
        return command is None or not self.is_mounted or command.available(self.situation)

    async def action_do(self, name: str) -> None:
        """Do what a command says: the screen, or the first of its panes that knows it."""
        method = self.method_of(name)
        result = method() if method is not None else None
        if inspect.isawaitable(result):
            await result

    def method_of(self, name: str) -> Callable[[], Any] | None:
        """Return what does a command, if anything here does."""
        found = (getattr(owner, f"action_{name}", None) for owner in (self, *self.panes()))
        return next(filter(None, found), None)

    def panes(self) -> Iterable[object]:
        """Return the panes of this screen."""
        return ()

    @property
    def unsaved(self) -> bool:
        """Whether something was written or chosen that leaving would drop."""
        return False


class CommandingModal(ModalScreen[ScreenResultType], Commanding[ScreenResultType]):
    """The same over another screen, until it is answered, with a bar of its own."""

    @on(events.Mount)
    async def _put_bar(self) -> None:
        """Put the bar below all else."""
        await self.mount(CommandBar())
        await self._offer()

    def action_back(self) -> Any:
        """Leave without an answer; ask before, if something would be dropped."""
        if self.unsaved:
            self._ask_to_leave()
        else:
            self.dismiss(None)

    @work(exit_on_error=False)
    async def _ask_to_leave(self) -> None:
        if await agrees_to_drop(self.app):
            self.dismiss(None)

    def hint(self, text: str, *, warning: bool = False) -> None:
        """Say what can be done here, or what is wrong."""
        hint = self.query_one(".hint", BidiText)
        hint.show(text)
        hint.set_class(warning, "-warning")

    def warn(self, text: str) -> None:
        """Say what is wrong, in the place of the hint."""
        self.hint(text, warning=True)


class SavingForm(CommandingModal[T | None]):
    """A form that returns what it holds once that is stored; where it is not, it says why.

    It asks before it drops what was ``written`` in it.
    """

    def __init__(self, store: Store[T]) -> None:
        super().__init__()
        self._store = store
        self._saving = False
        self._initial: object = None

    @property
    def written(self) -> object:
        """What stands in the form now, as far as the reader wrote or chose it."""
        raise NotImplementedError

    @on(events.Mount)
    def _begin(self) -> None:
        """Remember what it begins with, once it is filled: subclasses are told before this one."""
        self._initial = self.written

    @work(exit_on_error=False)
    async def save(self, choice: T) -> None:
        """Store a choice, and leave the form; or stay, and say why."""
        if self._saving:
            return
        self._saving = True
        try:
            why = await self._store(choice)
        finally:
            self._saving = False
        if why:
            self.warn(why)
        else:
            self.dismiss(choice)

    @property
    def unsaved(self) -> bool:
        """Whether something was written since it began."""
        return self.written != self._initial

    def action_back(self) -> Any:
        """Leave without an answer, unless it is being stored."""
        if not self._saving:
            super().action_back()


async def agrees_to_drop(app: App[Any]) -> bool:
    """Ask whether what was written and not saved is to be dropped."""
    from tui.screens.questions import ConfirmScreen

    question = _("Discard what you wrote?")
    hint = _("Enter discards it, Esc goes back.")
    agreed = await app.push_screen_wait(ConfirmScreen(question, hint))
    return bool(agreed)


def takes_letters(focused: Widget | None) -> bool:
    """Say whether a letter that is typed is text, and no command."""
    return focused is not None and focused.check_consume_key("a", "a")

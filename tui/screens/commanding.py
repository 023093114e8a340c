"""The base of screens: available commands, for keys, palette and bar.

The bar at the bottom names available commands with their keys; a click runs them.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Sequence
from typing import Any, ClassVar, TypeAlias, TypeVar

from textual import events, on, work
from textual.app import App, ComposeResult
from textual.await_complete import AwaitComplete
from textual.containers import Horizontal
from textual.content import Content
from textual.message import Message
from textual.screen import ModalScreen, Screen, ScreenResultType
from textual.widget import Widget
from textual.widgets import Static

from kb.i18n import _, number
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
from tui.commands.table import BACK
from tui.mirror import in_reading_order
from tui.session import Session
from tui.widgets.bidi_text import BidiText, Unscrolled
from tui.widgets.scrolling import ScrollingForm, ScrollingPane

_AROUND = 2
_MOST = 6
"""The maximum number of commands in the bar. The palette and the help list all."""


class CommandKey(Unscrolled, Static):
    """One command in the bar: key and name, with its description as tooltip."""

    ALLOW_SELECT = False

    def __init__(self, command: Command, shown: Content) -> None:
        super().__init__(markup=False)
        self.offer(command, shown)

    def offer(self, command: Command, shown: Content) -> None:
        """Show a command."""
        self.update(shown)
        self.tooltip = Content(label(_(command.description), TOOLTIP))
        self.command = command

    async def on_click(self, event: events.Click) -> None:
        """Run the command."""
        event.stop()
        if isinstance(self.screen, Commanding):
            await self.screen.perform(self.command)


class CommandBar(Horizontal):
    """The available commands, in reading order."""

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

    _offered: Sequence[tuple[Command, Content]] = ()

    async def offer(self, situation: Situation, places: Sequence[Place]) -> None:
        """Show the available commands of these places, if they have changed."""
        commands = [
            (each, _key_and_name(each, places, situation)) for each in in_bar(situation, places)
        ]
        offered = fitting(commands, self.app.size.width)
        if offered != self._offered:
            self._offered = offered
            known = list(self.query(CommandKey))  # new ones would be laid out twice
            for key, each in zip(known, offered, strict=False):
                key.offer(*each)
            async with self.batch():
                await self.remove_children(known[len(offered) :])
                await self.mount_all(CommandKey(*each) for each in offered[len(known) :])


def fitting(commands: list[tuple[Command, Content]], width: int) -> list[tuple[Command, Content]]:
    """Return the first commands that fit this many cells, always with back and help.

    The number is limited even on a wide screen.
    """
    ending = [each for each in commands if max(each[0].bar.values()) >= BACK]
    kept: list[tuple[Command, Content]] = []
    for each in commands[: len(commands) - len(ending)]:
        taken = sum(shown.cell_length + _AROUND for _command, shown in (*kept, each, *ending))
        if taken <= width and len(kept) < _MOST - len(ending):
            kept.append(each)
    return [*kept, *ending]


def _key_and_name(command: Command, here: Sequence[Place], situation: Situation) -> Content:
    key = Content.styled(" ".join(bar_keys(command, typing=situation.typing)), "$key bold")
    name, count = _(bar_name(command, here)), command.counted(situation)
    shown = Content(label(f"{name} ({number(count)})" if count else name))
    return Content(" ").join(from_left([key, shown]))


T = TypeVar("T")
Store: TypeAlias = Callable[[T], Message | None]
"""Stores a form, in a thread; returns the message about it, if anything changed."""


class Commanding(Screen[ScreenResultType]):
    """A screen that finds commands by name: its own, or its panes'.

    ``PLACES`` are the places of its commands; their keys are bound.
    """

    PLACES: ClassVar[tuple[Place, ...]] = ()

    def __init_subclass__(cls, **options: Any) -> None:
        """Bind the keys of a screen's places, before Textual reads them."""
        if "PLACES" in vars(cls):
            cls.BINDINGS = [each for place in cls.PLACES for each in bindings(place)]
        super().__init_subclass__(**options)

    @on(events.Mount)
    def _follow(self) -> None:
        """Keep the bar up to date."""
        self.bindings_updated_signal.subscribe(self, self._offer)

    async def _offer(self, _screen: object = None) -> None:
        for bar in self.query(CommandBar) if self.is_mounted else ():
            await bar.offer(self.situation, self.here)

    def on_resize(self, event: events.Resize) -> None:
        """Ignore outdated size events; two of them would trigger each other forever.

        Layout posts the size again, so two pending events alternate.
        """
        if event.size != self.app.size:
            event.prevent_default()
            self.post_message(events.Resize.from_dimensions(self.app.size, None))
        else:
            self.refresh_bindings()  # the bar has room for more, or for less

    def dismiss(self, result: ScreenResultType | None = None) -> AwaitComplete:
        """Close this screen once: a key that repeats must not close the screen below, too."""
        if self not in self.app.screen_stack:
            return AwaitComplete()
        return super().dismiss(result)

    @property
    def focus_chain(self) -> list[Widget]:
        """The focusable widgets in reading order."""
        return in_reading_order(super().focus_chain)

    @property
    def situation(self) -> Situation:
        """The state for commands."""
        return Situation(typing=takes_letters(self.focused))

    @property
    def here(self) -> tuple[Place, ...]:
        """The places for the bar: those of this screen and of the focused widget."""
        return (*self.PLACES, *getattr(self.focused, "PLACES", ()))

    def commands(self) -> Iterable[Command]:
        """Return the commands of the palette."""
        return offered(self.situation, (*self.here, "app"))

    async def perform(self, command: Command) -> None:
        """Run a command where its keys are bound: focused widget, screen or app."""
        inner = {*self.here} - {*self.PLACES}
        if self.focused is not None and inner & {*command.places}:
            await self.focused.run_action(command.action)
        elif "app" in command.places:
            await self.app.run_action(command.action)
        else:
            place: Place = "screen" if "screen" in self.PLACES else "dialog"
            await self.run_action(action_of(command, place))

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Return whether a command is available; bar and palette use the same rule."""
        name = str(parameters[0]) if action == "do" and parameters else action
        command = BY_ACTION.get(name)
        return command is None or not self.is_mounted or command.available(self.situation)

    async def action_do(self, name: str) -> None:
        """Run a command in the screen, or in the first pane that has it."""
        found = (getattr(owner, f"action_{name}", None) for owner in (self, *self.panes()))
        method = next(filter(None, found), None)
        result = method() if method is not None else None
        if inspect.isawaitable(result):
            await result

    def panes(self) -> Iterable[object]:
        """Return the panes of this screen."""
        return ()

    @property
    def unsaved(self) -> bool:
        """Whether leaving would drop something."""
        return False


class CommandingModal(ModalScreen[ScreenResultType], Commanding[ScreenResultType]):
    """A dialog over another screen, with its own bar."""

    @on(events.Mount)
    async def _put_bar(self) -> None:
        """Add the bar at the bottom."""
        await self.mount(CommandBar())
        await self._offer()

    def action_back(self) -> Any:
        """Leave without a result; ask first if something would be dropped."""
        if self.unsaved:
            ask_to_drop(self.app, lambda: self.dismiss(None))
        else:
            self.dismiss(None)

    def hint(self, text: str, *, warning: bool = False) -> None:
        """Show a hint."""
        hint = self.query(".hint").last(BidiText)
        hint.show(text)
        hint.set_class(warning, "-warning")

    def warn(self, text: str) -> None:
        """Show an error in place of the hint."""
        self.hint(text, warning=True)


class PageScreen(CommandingModal[ScreenResultType]):
    """A page in a frame, to be read."""

    CSS_PATH = "page.tcss"
    PLACES: ClassVar[tuple[Place, ...]] = ("dialog",)

    def __init__(self, parts: Iterable[Widget] = ()) -> None:
        super().__init__()
        self._parts = parts

    def compose(self) -> ComposeResult:
        """Compose the parts one below the other."""
        with ScrollingPane(id="page"):
            yield from self._parts


class FormScreen(CommandingModal[ScreenResultType]):
    """A dialog in a frame: a title, fields to fill in, and a hint if there is one."""

    CSS_PATH = "form.tcss"
    PLACES: ClassVar[tuple[Place, ...]] = ("dialog",)

    def __init__(self, title: str = "", hint: str = "", fields: Iterable[Widget] = ()) -> None:
        super().__init__()
        self._title = title
        self._hint = hint
        self._fields = fields

    def compose(self) -> ComposeResult:
        """Compose the parts one below the other."""
        with ScrollingForm(id="form"):
            yield BidiText(self._title, classes="caption")
            yield from self._fields
            if self._hint:
                yield BidiText(self._hint, classes="hint")


class SavingForm(FormScreen[T | None]):
    """A form that returns its content once stored; otherwise it shows the error.

    It asks before dropping what was ``written`` in it.
    """

    def __init__(
        self,
        session: Session,
        store: Store[T],
        title: str = "",
        hint: str = "",
        fields: Iterable[Widget] = (),
    ) -> None:
        super().__init__(title, hint, fields)
        self._session = session
        self._store = store
        self._saving = False
        self._initial: object = None

    @property
    def written(self) -> object:
        """The current content of the form, as entered by the reader."""
        raise NotImplementedError

    @on(events.Mount)
    def _begin(self) -> None:
        """Store the initial content after it is filled: subclasses run first."""
        self._initial = self.written

    @work(exit_on_error=False)
    async def save(self, choice: T) -> None:
        """Store a choice and close the form, or stay and show the error."""
        if self._saving:
            return
        self._saving = True
        try:
            why = await self._session.keep(lambda: self._store(choice))
        finally:
            self._saving = False
        if why:
            self.warn(why)
        else:
            self.dismiss(choice)

    @property
    def unsaved(self) -> bool:
        """Whether the content has changed."""
        return self.written != self._initial

    def action_back(self) -> Any:
        """Leave without a result, unless it is being stored."""
        if not self._saving:
            super().action_back()


def ask_to_drop(app: App[Any], drop: Callable[[], object]) -> None:
    """Ask whether to ``drop`` unsaved changes."""
    from tui.screens.questions import ConfirmScreen

    def answered(agreed: bool | None) -> None:
        if agreed:
            drop()

    screen = ConfirmScreen(_("Discard what you wrote?"), _("y discards it, Esc keeps it."))
    app.push_screen(screen, answered)


def takes_letters(focused: Widget | None) -> bool:
    """Return whether typed letters are text instead of commands."""
    return focused is not None and focused.check_consume_key("a", "a")

"""The app: language and terminal setup, theme and first screen."""

from __future__ import annotations

import gc
import os
import sys
from collections.abc import Callable, Sequence
from contextlib import ExitStack
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Any, cast

from textual import events, work
from textual.app import App
from textual.driver import Driver
from textual.filter import LineFilter
from textual.screen import Screen
from textual.worker import WorkerFailed

from kb import i18n
from kb.errors import Cancelled, InternalError, KbError, nearest
from kb.i18n import N_, _
from kb.settings import Settings, change_settings, read_settings
from kb.terminal.terminal import give_up
from tui import terminal
from tui.commands import (
    BY_ID,
    KEY_NAMES,
    bindings,
    by_current_id,
    clashes,
    moved,
    rebind,
    shown_keys,
    without_persian,
    written_key,
)
from tui.mirror import MirroringStylesheet
from tui.screens.commanding import Commanding, ask_to_drop, takes_letters
from tui.screens.main import MainScreen
from tui.screens.palette import CommandProvider
from tui.session import following
from tui.themes import themes
from tui.welcoming import first_press

if TYPE_CHECKING:
    from kb.library import Library
    from kb.model.results import Progress

Opening = Callable[["Progress"], "Library"]
"""Creates or updates a knowledge base with progress, and opens it."""

_SECONDS_IN_A_ROW = 0.001
_ALLOCATIONS_BETWEEN_LOOKS = 30_000
_TERMINAL_LOOKED_FOR = 2  # seconds between looks whether the terminal is there
_STOPPED = N_("stopped, nothing was changed")
_SAFE_LINES = terminal.SafeLines()
_FUNCTION_KEYS = frozenset(f"f{number}" for number in range(1, 13))


def open_app(
    library: Library | Opening, entry_id: str | None, bidi: str | None = None
) -> DaneshApp:
    """Run the app on a library, or on the function that creates it, until the reader quits.

    It begins at an entry if one is named. ``bidi`` overrides who reorders right-to-left text. The
    terminal is restored however the app ends.
    """
    told = terminal.colours(os.environ)
    if told is not None:
        os.environ["COLORTERM"] = told
    # A search in its thread gives way five times sooner than by default: keys come first.
    sys.setswitchinterval(_SECONDS_IN_A_ROW)
    settings, problems = read_settings()
    app = DaneshApp(library, entry_id, settings, bidi=bidi, problems=problems)
    had_terminal = _has_terminal()
    try:
        app.run()
    finally:
        gc.enable()
        if app.main is not None:
            app.main.stop_running()
        terminal.give_back()
        if had_terminal and not _has_terminal():
            for stream in filter(None, (sys.__stdout__, sys.__stderr__)):
                give_up(stream)  # at the exit it would be an error
    if app.return_code:
        raise app.failure or InternalError("the app ended because of an error")
    return app


def build_and_open(opening: Opening, entry_id: str | None, bidi: str | None = None) -> None:
    """Run the app: create or update the knowledge base with visible progress, then use it.

    Raises the errors of ``opening`` after the terminal is restored; `Cancelled` if the reader
    quit before it was created.
    """
    with ExitStack() as opened:
        app = open_app(lambda progress: opened.enter_context(opening(progress)), entry_id, bidi)
        if app.main is None:
            raise app.refusal or Cancelled(_STOPPED)


def _has_terminal() -> bool:
    return sys.__stdin__ is not None and sys.__stdin__.isatty()


def look_for_garbage() -> None:
    """Enable garbage collection again after the start, but only for new objects."""
    gc.freeze()
    gc.set_threshold(_ALLOCATIONS_BETWEEN_LOOKS)
    gc.enable()


class DaneshApp(App[None]):
    """The terminal app of danesh."""

    TITLE = "danesh"
    # The first screen's own: Textual reads it only for screens that are pushed.
    CSS_PATH = ["screens/main.tcss", "screens/entry.tcss"]
    BINDINGS = bindings("app")
    COMMANDS = {CommandProvider}

    def __init__(
        self,
        library: Library | Opening,
        entry_id: str | None = None,
        settings: Settings | None = None,
        *,
        bidi: str | None = None,
        problems: Sequence[str] = (),
    ) -> None:
        self.settings = settings or Settings()
        self._problems = problems
        terminal.look_at(os.environ, bidi or self.settings.bidi)
        i18n.use_language(i18n.wanted_language(os.environ, self.settings.language))
        self._keys = by_current_id(self.settings.keys)
        rebind(self._keys)
        if not os.environ.get("NO_COLOR"):
            os.environ.pop("NO_COLOR", None)  # an empty one asks for nothing (no-color.org)
        super().__init__()
        self.stylesheet = MirroringStylesheet(variables=self.get_css_variables())
        few = self.console.color_system in ("standard", "windows")
        for theme in themes(few=few, none=self.no_color):
            self.register_theme(theme)
        self.set_reactive(App.theme, f"textual-{self.settings.theme or 'dark'}")
        self.stylesheet.set_variables(self.get_css_variables())
        self._entry_id = entry_id
        self._opening = library if callable(library) else None
        self.main = None if callable(library) else MainScreen(library, entry_id)
        self.refusal: BaseException | None = None
        """Why the knowledge base cannot be opened, if so."""

    @property
    def failure(self) -> BaseException | None:
        """The error that ended the app, if any."""
        return self._exception

    def _print_error_renderables(self) -> None:
        """Print no traceback: it is in a named file."""
        self._exit_renderables.clear()

    def on_mount(self) -> None:
        """Apply the settings, and report invalid ones."""
        self.set_keymap(self._keys)
        if not self.is_headless and _has_terminal():
            self.set_interval(_TERMINAL_LOOKED_FOR, self._leave_without_terminal)
        if not gc.isenabled():
            self.call_after_refresh(look_for_garbage)
        if self._opening is not None:
            self._create(self._opening)
        else:
            self._tell()

    def _leave_without_terminal(self) -> None:
        """Exit if the terminal is gone: reading from it would use half a processor."""
        if not _has_terminal():
            self.exit()

    @work(exit_on_error=False)
    async def _create(self, opening: Opening) -> None:
        """Create or update the knowledge base with visible progress, then use it.

        If that fails, exit; the caller of the app reports the reason.
        """
        from tui.screens.progress import BuildingScreen

        shown = BuildingScreen()
        await self.push_screen(shown)
        progress = following(lambda *done: self.call_later(shown.show, *done), shown.stop)
        create = self.run_worker(partial(opening, progress), thread=True, exit_on_error=False)
        try:
            library = await create.wait()
        except WorkerFailed as failed:
            stopped = isinstance(failed.error, Cancelled)
            self.refusal = Cancelled(_STOPPED) if stopped else failed.error
            self.exit()
            return
        self.main = MainScreen(library, self._entry_id)
        while len(self.screen_stack) > 1:
            await self.pop_screen()
        await self.push_screen(self.main)
        self._tell()

    def _tell(self) -> None:
        """Report what opening the library did, and unknown settings."""
        if self.main is None:
            return
        missing = _("There is no such command:")
        strange = [f"{missing} {id}. {nearest(id, BY_ID)}" for id in self._keys if id not in BY_ID]
        twice = _("{key} is the key of two commands: {one}, {other}")
        doubled = [
            twice.format(key=key, one=one.id, other=other.id) for key, one, other in clashes()
        ]
        for told in self.main.session.library.notices:
            self.main.session.say(_(told))
        for problem in (*map(_, self._problems), *strange, *doubled):
            self.main.session.say(problem, failed=True)

    def settle(self, **changes: str) -> None:
        """Store settings."""
        self.settings = replace(self.settings, **changes)  # type: ignore[arg-type]  # fields of text
        try:
            change_settings(changes)
        except (OSError, KbError) as error:
            failure = _("The settings could not be written.")
            if self.main is not None:
                why = error.message if isinstance(error, KbError) else str(error)
                self.main.session.say(f"{failure} {_(why)}", failed=True)

    async def on_event(self, event: events.Event) -> None:
        """Explain a key that has moved, and do what it does now."""
        if isinstance(event, events.Key) and not event.is_forwarded:
            self._tell_moved(event.key)
        await super().on_event(event)

    def _tell_moved(self, key: str) -> None:
        """Explain it at the first press only."""
        screen = self.screen
        if self.main is None or not isinstance(screen, Commanding) or not screen.is_mounted:
            return
        if takes_letters(screen.focused) and key not in _FUNCTION_KEYS:
            return
        found = moved(key, screen.here, lambda: screen.situation)
        if found is None or not first_press(key):
            return
        before, now = found
        keys = shown_keys(before)
        where = written_key(keys[0]) if keys else _("in the list of all commands (Ctrl+P)")
        said = _("“{before}” is now: {where}.").format(before=_(before.label), where=where)
        if now is not None:
            english = without_persian(key)
            pressed = written_key(KEY_NAMES.get(english, english))
            doing = _("{key} is now “{now}”.").format(key=pressed, now=_(now.label))
            said = f"{doing} {said}"
        self.main.session.say(said)

    def get_default_screen(self) -> Screen[Any]:
        """Start with the main screen, if there is a library."""
        return self.main or super().get_default_screen()

    def get_line_filters(self) -> Sequence[LineFilter]:
        """Filter lines for the terminal to text and styles."""
        return [*super().get_line_filters(), _SAFE_LINES]

    def get_driver_class(self) -> type[Driver]:
        """Return the platform's driver, extended to stop a terminal's own reordering."""
        return terminal.with_switch(super().get_driver_class())

    def action_command_palette(self) -> None:
        """Show the commands that are available now; over the help, those of the screen below."""
        from textual.command import CommandPalette

        from tui.screens.help import HelpScreen

        if isinstance(self.screen, HelpScreen):
            self.pop_screen()
        if not CommandPalette.is_open(cast("App[object]", self)):
            from tui.screens.palette import Palette

            self.push_screen(Palette())

    @work(exit_on_error=False)
    async def action_direction(self) -> None:
        """Ask which line of Persian reads right, store the answer, and redraw."""
        from tui.screens.questions import DirectionScreen

        chosen = await self.push_screen_wait(DirectionScreen())
        if chosen is not None:
            self.settle(bidi=chosen)
            terminal.settle(chosen)
            if self._driver is not None:
                terminal.tell(self._driver.write)
            self.on_direction_answered()

    def on_direction_answered(self) -> None:
        """Redraw for a terminal that no longer reorders text."""
        if self.main is not None and self.main.is_mounted:
            self.main.lay_out_again()
            self.refresh(layout=True)

    def action_help(self) -> None:
        """Open or close the help, with the current place's keys first."""
        from tui.screens.help import HelpScreen

        if isinstance(self.screen, HelpScreen):
            self.screen.action_back()
        elif isinstance(self.screen, Commanding):
            self.push_screen(HelpScreen(self.screen))

    async def action_quit(self) -> None:
        """Quit; ask first if something written would be lost."""
        from tui.screens.questions import ConfirmScreen

        screens = (each for each in self.screen_stack if isinstance(each, Commanding))
        if not any(each.unsaved for each in screens):
            self.exit()
        elif not isinstance(self.screen, ConfirmScreen):
            ask_to_drop(self, self.exit)

    def action_other_interface(self) -> None:
        """Switch the interface language and its direction, and read in it."""
        codes = list(i18n.LANGUAGES)
        language = codes[(codes.index(i18n.language()) + 1) % len(codes)]
        i18n.use_language(language)
        self.settle(language=language)
        self.stylesheet.update(self)
        self.refresh(layout=True)
        if self.main is not None:
            self.main.translate()

    def action_use_theme(self, name: str) -> None:
        """Use the dark or light colours from now on."""
        self.theme = f"textual-{name}"
        self.settle(theme=name)

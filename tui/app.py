"""The app: language and terminal from the environment, theme, first screen."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, cast

from textual.app import App
from textual.driver import Driver

from kb.errors import KbError
from tui import i18n, terminal
from tui.bidi import label
from tui.commands import bindings
from tui.i18n import _
from tui.providers import CommandProvider
from tui.screens.main import MainScreen

if TYPE_CHECKING:
    from kb.library import Library


def open_app(library: Library, entry_id: str | None) -> None:
    """Open the app on a library, at an entry if one is named, until the reader leaves.

    The terminal is given back as it was, whatever ends the app.
    """
    told = terminal.colours(os.environ)
    if told is not None:
        os.environ["COLORTERM"] = told
    app = DaneshApp(library, entry_id)
    try:
        app.run()
    finally:
        app.main.stop_running()
        terminal.give_back()
    if app.return_code:
        raise KbError("the app ended because of an error")


class DaneshApp(App[None]):
    """The terminal app of danesh."""

    TITLE = "danesh"
    # The first screen's own: Textual reads it only for screens that are pushed.
    CSS_PATH = "screens/main.tcss"
    BINDINGS = bindings("app")
    COMMANDS = {CommandProvider}

    def __init__(self, library: Library, entry_id: str | None = None) -> None:
        terminal.look_at(os.environ)
        i18n.use_language(i18n.wanted_language(os.environ))
        super().__init__()
        self.main = MainScreen(library, entry_id)

    def get_default_screen(self) -> MainScreen:
        """Begin with the main screen."""
        return self.main

    def get_driver_class(self) -> type[Driver]:
        """Return the platform's driver, taught to stop a terminal that turns text itself."""
        driver = super().get_driver_class()
        return terminal.with_switch(driver) if terminal.support().switch else driver

    def action_command_palette(self) -> None:
        """List what can be done now."""
        from textual.command import CommandPalette

        if not CommandPalette.is_open(cast("App[object]", self)):
            placeholder = label(_("What do you want to do?"))
            self.push_screen(CommandPalette(placeholder=placeholder, id="--command-palette"))

    def action_other_theme(self) -> None:
        """Change between light and dark colours."""
        self.theme = "textual-light" if self.current_theme.dark else "textual-dark"

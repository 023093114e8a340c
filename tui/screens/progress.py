"""Long work: its progress, and a way to stop it.

It is the first screen if the knowledge base must be created or updated.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable
from typing import ClassVar

from rich.console import Console, ConsoleOptions, RenderResult
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.renderables.bar import Bar
from textual.widget import Widget
from textual.widgets import ProgressBar

from kb.i18n import NAME, _, right_to_left, share
from tui.commands import Place
from tui.screens.commanding import CommandingModal
from tui.widgets.bidi_text import ActionText, BidiText


class ProgressScreen(CommandingModal[None]):
    """Shows progress until the work ends; the reader can ``stop`` it.

    ``promise`` says what happens to stopped work.
    """

    CSS_PATH = "progress.tcss"
    PLACES: ClassVar[tuple[Place, ...]] = ("dialog",)

    def __init__(self, title: str, promise: str, introduction: Iterable[Widget] = ()) -> None:
        super().__init__()
        self.stop = threading.Event()
        self._introduction = introduction
        self._title = title
        self._promise = promise
        self._share = (0, 0)
        self._said = ""
        self._ended = False

    def compose(self) -> ComposeResult:
        """Yield the lines."""
        with Vertical(id="work"):
            yield from self._introduction
            yield BidiText(self._title, classes="caption")
            yield ReadingBar(show_percentage=False, show_eta=False)
            yield BidiText(id="share")
            yield ActionText(self._promise, action="back", classes="hint")

    def show(self, done: int, total: int) -> None:
        """Show progress; a total of 0 is unknown."""
        self._share = done, total
        self.say(share(done, total) if total else "")

    def say(self, text: str) -> None:
        """Show what the work waits for."""
        self._said = text
        self._draw()

    def _draw(self) -> None:
        """Show progress, once there is a screen."""
        if self.is_mounted:
            done, total = self._share
            self.query_one(ProgressBar).update(total=total or None, progress=done)
            self.query_one("#share", BidiText).show(self._said)

    on_mount = _draw

    def action_back(self) -> None:
        """Ask the work to stop; it reports when it has."""
        self.stop.set()
        self.query_one(ActionText).show(_("Stopping…"))

    def end(self) -> None:
        """Close, now or when no screen is over this one."""
        self._ended = True
        self.on_screen_resume()

    def on_screen_resume(self) -> None:
        """Close if the work has ended meanwhile."""
        if self._ended and self.is_active:
            self.app.pop_screen()


class FilledBar(Bar):
    """A bar that fills in reading direction: from the right in Persian."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Draw the bar."""
        if right_to_left():
            width = self.width or options.max_width
            start, end = self.highlight_range
            self.highlight_range = width - end, width - start
        yield from super().__rich_console__(console, options)


class ReadingBar(ProgressBar):
    """A progress bar in reading direction."""

    BAR_RENDERABLE = FilledBar


class BuildingScreen(ProgressScreen):
    """Shows how the knowledge base is created or updated."""

    PLACES: ClassVar[tuple[Place, ...]] = ("building",)

    def __init__(self) -> None:
        said = _(
            "The bundled content is being indexed. This happens once, and again after an update."
        )
        super().__init__(
            _("Creating the knowledge base"),
            _("Esc stops, and nothing is saved."),
            [BidiText(NAME, classes="caption"), BidiText(said, classes="paragraph")],
        )

    action_quit = ProgressScreen.action_back

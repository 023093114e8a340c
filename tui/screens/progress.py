"""Long work in sight: what is done, how much of how much, and a way to stop it."""

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

from kb.i18n import _, right_to_left, share
from tui.commands import Place
from tui.screens.commanding import CommandingModal
from tui.widgets.bidi_text import ActionText, BidiText


class ProgressScreen(CommandingModal[None]):
    """Shows how far work is until it has ended; the reader asks it to ``stop``.

    ``promise`` says what becomes of work that is stopped.
    """

    CSS_PATH = "progress.tcss"
    PLACES: ClassVar[tuple[Place, ...]] = ("dialog",)

    def __init__(self, title: str, promise: str) -> None:
        super().__init__()
        self.stop = threading.Event()
        self._title = title
        self._promise = promise
        self._share = (0, 0)
        self._said = ""
        self._ended = False

    def compose(self) -> ComposeResult:
        """Put the lines together."""
        with Vertical(id="work"):
            yield from self.introduction()
            yield BidiText(self._title, classes="caption")
            yield ReadingBar(show_percentage=False, show_eta=False)
            yield BidiText(id="share")
            yield ActionText(self._promise, action="back", classes="hint")

    def introduction(self) -> Iterable[Widget]:
        """Return what is said before all else."""
        return ()

    def on_mount(self) -> None:
        """Show what was told before there was anything to show it in."""
        self.show(*self._share)
        if self._said:
            self.say(self._said)

    def show(self, done: int, total: int) -> None:
        """Show how much is done; of 0 nobody knows yet how much it is."""
        self._share = done, total
        if self.is_mounted:
            self.query_one(ProgressBar).update(total=total or None, progress=done)
            self.query_one("#share", BidiText).show(share(done, total) if total else "")

    def say(self, text: str) -> None:
        """Say in words what is waited for."""
        self._said = text
        if self.is_mounted:
            self.query_one("#share", BidiText).show(text)

    def action_back(self) -> None:
        """Ask the work to stop; it says itself when it has."""
        self.stop.set()
        self.query_one(ActionText).show(_("Stopping…"))

    def end(self) -> None:
        """Go, now or when nothing lies over this screen any more."""
        self._ended = True
        self.on_screen_resume()

    def on_screen_resume(self) -> None:
        """Go if the work has ended meanwhile."""
        if self._ended and self.is_active:
            self.app.pop_screen()


class FilledBar(Bar):
    """A bar that fills from where one begins to read: from the right in Persian."""

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> RenderResult:
        """Draw the bar."""
        if right_to_left():
            width = self.width or options.max_width
            start, end = self.highlight_range
            self.highlight_range = width - end, width - start
        yield from super().__rich_console__(console, options)


class ReadingBar(ProgressBar):
    """How much is done, in the direction in which one reads."""

    BAR_RENDERABLE = FilledBar

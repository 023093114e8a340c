"""The first thing a reader sees where the knowledge base is still to be made, or renewed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar

from textual import events, on
from textual.message import Message
from textual.widget import Widget
from textual.worker import Worker, WorkerState

from kb.i18n import NAME, _
from tui.commands import Place
from tui.screens.progress import ProgressScreen
from tui.session import cancelled, following
from tui.widgets.bidi_text import BidiText

if TYPE_CHECKING:
    from kb.library import Library
    from kb.model import Progress

Opening = Callable[["Progress"], "Library"]
"""Makes or renews a knowledge base, tells of its steps, and opens it."""


class BuildingScreen(ProgressScreen):
    """Makes the knowledge base in a thread, and tells the app once it is open, or why it is not."""

    PLACES: ClassVar[tuple[Place, ...]] = ("building",)

    @dataclass
    class Opened(Message):
        """The knowledge base is open."""

        library: Library

    @dataclass
    class Failed(Message):
        """It could not be opened, or the reader stopped it: nothing was changed."""

        error: BaseException

    def __init__(self, opening: Opening) -> None:
        super().__init__(_("Making the knowledge base"), _("Esc stops; then nothing is stored."))
        self._opening = opening

    def introduction(self) -> Iterator[Widget]:
        """Say what is made, and how often."""
        yield BidiText(NAME, classes="caption")
        sentence = _(
            "What came with danesh is made ready to be read and searched offline: "
            "once, and again after an update."
        )
        yield BidiText(sentence, classes="paragraph")

    def action_quit(self) -> None:
        """Stop, and leave."""
        self.action_back()

    @on(events.Mount)
    def _begin(self) -> None:
        self.run_worker(self._open, thread=True, exit_on_error=False)

    def _open(self) -> None:
        def tell(done: int, total: int) -> None:
            self.call_later(self.show, done, total)

        library = self._opening(following(tell, self.stop))
        if cancelled() or not self.post_message(self.Opened(library)):
            library.close()  # the app has ended meanwhile

    @on(Worker.StateChanged)
    def _worked(self, event: Worker.StateChanged) -> None:
        if event.state is WorkerState.ERROR and event.worker.error is not None:
            self.post_message(self.Failed(event.worker.error))

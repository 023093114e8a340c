"""Long work on the command line: its progress in sight, and Ctrl+C ends it in good order."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from typing import TYPE_CHECKING

from kb.cli import messages
from kb.errors import Cancelled

if TYPE_CHECKING:
    from kb.records import Progress


@contextmanager
def working(what: str, ending: str = "nothing was changed") -> Iterator[Progress]:
    """Give the `Progress` of one piece of work, said of ``what`` where somebody watches.

    From its first step on Ctrl+C waits for the work to look, which then raises `Cancelled`;
    ``ending`` says what became of it. A second Ctrl+C waits for nothing.
    """
    line, interrupts = messages.ProgressLine(what), _Interrupts()

    def tell(done: int, total: int) -> None:
        interrupts.hold()
        if interrupts.came:
            raise Cancelled("stopped; {ending}", ending=ending)
        line.show(done, total)

    try:
        yield tell
    finally:
        line.end()
        interrupts.let_go()
    if interrupts.came:
        raise KeyboardInterrupt


class _Interrupts:
    """Whether Ctrl+C was pressed since it is held back."""

    def __init__(self) -> None:
        self.came = False
        self._held = False

    def hold(self) -> None:
        """Hold it back, unless it does nothing or something else already."""
        import signal  # not needed to start

        if not self._held and signal.getsignal(signal.SIGINT) is signal.default_int_handler:
            self._held = True
            signal.signal(signal.SIGINT, self._take)

    def let_go(self) -> None:
        """Let it interrupt again at once."""
        if self._held:
            import signal

            self._held = False
            signal.signal(signal.SIGINT, signal.default_int_handler)

    def _take(self, number: int, frame: object) -> None:
        if self.came:
            raise KeyboardInterrupt
        self.came = True

"""The panel of a run: result, figures and charts first, output folded below."""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.message import Message
from textual.timer import Timer

from kb.i18n import _, ngettext, number
from kb.present.charts.reading import charts
from tui.widgets.bidi_text import BidiText
from tui.widgets.charts import ChartLines
from tui.widgets.figures import FigureRow, FigureTable, figure_rows, result, succeeded
from tui.widgets.links import Fold
from tui.widgets.program_code import LongLines, SidewaysScroll

if TYPE_CHECKING:
    from kb.model import Outcome
    from kb.present.claims import Claim

_MOST_SHOWN = 40_000
_LAST_LINES = 8
_LONGEST_LINE = 1_000


@dataclass
class SnippetRun:
    """A run: its output so far, and its outcome.

    ``times`` counts the runs of its program, including this one. ``change`` says what the reader
    changed in it.
    """

    snippet: str
    stop: threading.Event = field(default_factory=threading.Event)
    output: str = ""
    outcome: Outcome | None = None
    refusal: str = ""
    began: float = field(default_factory=time.monotonic)
    times: int = 1
    change: str = ""

    @property
    def running(self) -> bool:
        """Whether it is running."""
        return self.outcome is None and not self.refusal


class RunPanel(Vertical):
    """A run: result, figures beside the source's, charts, and output.

    While it runs, the last lines of output are shown; then the output is folded if figures tell
    the result. Charts are drawn after the run.
    """

    @dataclass
    class Grew(Message):
        """The panel grew from this many lines."""

        panel: RunPanel
        before: int

    _height = 0
    _clock: Timer | None = None

    def __init__(self, run: SnippetRun, claims: Sequence[Claim]) -> None:
        super().__init__(name=f"run of {run.snippet}", classes="run")
        self.run = run
        self._claims = claims
        self._unfolded: bool | None = None

    def compose(self) -> ComposeResult:
        """Compose result, figures, charts and output."""
        yield BidiText(classes="ending")
        yield FigureTable()
        yield ChartLines()
        yield Fold("output")
        with SidewaysScroll():
            yield LongLines(longest=_LONGEST_LINE, classes="output")

    def on_mount(self) -> None:
        """Show what there is, and the elapsed time."""
        self._begin()

    def take(self, run: SnippetRun) -> None:
        """Show a new run; the previous figures stay until it ends."""
        self.run, self._unfolded = run, None
        if self.is_mounted:
            self._begin()

    def _begin(self) -> None:
        if self.run.running and self._clock is None:
            self._clock = self.set_interval(1, self.follow)
        self._show()

    def on_resize(self, event: events.Resize) -> None:
        """Report that the panel has grown."""
        before, self._height = self._height, event.size.height
        if self._height > before:
            self.post_message(self.Grew(self, before))

    def follow(self) -> None:
        """Show the output so far, and the result at the end."""
        if self.is_mounted:  # else its parts are still to come, and are shown with it
            self._show()

    def _show(self) -> None:
        if self._clock is not None and not self.run.running:
            self._clock.stop()
            self._clock = None
        outcome = self.run.outcome
        change = self.run.change
        rows = figure_rows(self._claims, outcome, change) if outcome is not None else []
        good = outcome is not None and succeeded(outcome, [] if change else rows)
        ending = self.query_one(".ending", BidiText)
        ending.show(self._ending(rows))
        ending.set_class(not self.run.running and not good, "-failed")
        ending.set_class(self.run.running, "-running")
        self.query_one(FigureTable).follow(rows, running=self.run.running)
        if not self.run.running:  # meanwhile those of the run before stay, as its figures do
            self.query_one(ChartLines).follow(charts(self.run.output))
        self._show_output(bool(rows) and outcome is not None and outcome.status == "ok")

    def _show_output(self, folded: bool) -> None:
        """Show the last lines of growing output, then all or none."""
        lines = self.run.output.rstrip("\n").split("\n")
        shown = self._unfolded if self._unfolded is not None else not folded
        written, running = bool(self.run.output.strip()), self.run.running
        text = "\n".join(lines[-_LAST_LINES:] if running else lines)
        self.query_one(LongLines).show(text[-_MOST_SHOWN:])
        self.query_one(SidewaysScroll).display = written and (shown or running)
        fold = self.query_one(Fold)
        fold.tell(ngettext("output · {n} line", "output · {n} lines", len(lines)), shown)
        fold.display = written and not running

    @on(Fold.Toggled)
    def _toggle(self, message: Fold.Toggled) -> None:
        """Unfold or fold the output."""
        message.stop()
        self._unfolded = not self.query_one(SidewaysScroll).display
        self.follow()

    def _ending(self, rows: Sequence[FigureRow]) -> str:
        if self.run.outcome:
            ended = result(self.run.outcome, rows, self.run.change)
            again = _("run {n}").format(n=number(self.run.times)) if self.run.times > 1 else ""
            return " · ".join(filter(None, [ended, again]))
        if self.run.refusal:
            return f"✗ {self.run.refusal}"
        seconds = int(time.monotonic() - self.run.began)
        so_far = _("{figure} s").format(figure=number(seconds)) if seconds else ""
        return " ".join(filter(None, [_("running…"), so_far, _("(Esc stops it)")]))

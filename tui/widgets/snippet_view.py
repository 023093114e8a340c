"""A program: its title, its folded code, and the panel of its run.

The code has numbered lines that scroll sideways. In the panel, result, figures and charts come
first, and the output is folded below.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import partialmethod
from typing import TYPE_CHECKING

from textual import events, on
from textual.app import ComposeResult
from textual.containers import Horizontal, HorizontalScroll, Vertical, VerticalScroll
from textual.message import Message
from textual.timer import Timer

from kb.i18n import _, ahead, ngettext, number, of_language
from kb.present.charts.reading import charts
from kb.present.programs import parameters_of, shown_code
from tui.bidi import StyledSpan, TextRow, edge_of, rows_of
from tui.commands import bindings
from tui.messages import CodeLeft, DraftChanged, RunSnippet
from tui.mirror import LeftToRight
from tui.phrases import value_of
from tui.themes import coloured
from tui.widgets.bidi_text import BidiText
from tui.widgets.charts import ChartLines
from tui.widgets.figures import FigureRow, FigureTable, counted, figure_rows, result, succeeded
from tui.widgets.links import Fold, Link
from tui.widgets.scrolling import bring

if TYPE_CHECKING:
    from kb.model.entry import Snippet
    from kb.model.reports import Outcome
    from kb.present.claims import Claim

_UNBROKEN = 1 << 20


class LongLines(BidiText):
    """Left-to-right lines that wrap only if they are very long."""

    def __init__(self, text: str = "", *, longest: int = _UNBROKEN, classes: str = "lines") -> None:
        super().__init__(text, direction="ltr", classes=classes)
        self._longest = longest

    def _rows_for(self, width: int) -> list[TextRow]:
        return rows_of(self.text, self._longest, "ltr")


class CodeLines(LongLines):
    """Lines of code in their colours."""

    def __init__(self, code: str) -> None:
        super().__init__(shown_code(code))
        self._marks = coloured(self.text, "python")


class LineNumbers(BidiText):
    """Line numbers, which are not part of a selection."""

    ALLOW_SELECT = False

    def __init__(self, lines: int) -> None:
        width = len(str(lines))
        numbers = "\n".join(f"{number:>{width}}" for number in range(1, lines + 1))
        super().__init__(numbers, direction="ltr")


class SidewaysScroll(HorizontalScroll, can_focus=False):
    """Scrolls long lines; the keys are those of the program."""


class ProgramCode(LeftToRight, Horizontal):
    """The code of a program beside its line numbers, which stay visible."""

    def __init__(self, code: str) -> None:
        lines = CodeLines(code)
        numbers = LineNumbers(lines.text.count("\n") + 1)
        super().__init__(numbers, SidewaysScroll(lines), classes="code")


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

    @property
    def failed(self) -> bool:
        """Whether it has ended without a result."""
        return bool(self.refusal) or (self.outcome is not None and self.outcome.status != "ok")


_FEW = 6
"""The most figures that are shown though all hold."""


class RunPanel(Vertical):
    """A run: result, figures beside the source's, charts, and output.

    While it runs, the last lines of output are shown; then the output is folded if figures tell
    the result, and many figures if all hold, unless it is shown ``whole``. Charts are drawn after
    the run.
    """

    @dataclass
    class Grew(Message):
        """The panel grew from this many lines."""

        panel: RunPanel
        before: int

    _height = 0
    _clock: Timer | None = None

    def __init__(self, run: SnippetRun, claims: Sequence[Claim], *, whole: bool = False) -> None:
        super().__init__(name=f"run of {run.snippet}", classes="run")
        self.run = run
        self._claims = claims
        self._unfolded = dict.fromkeys(("figures", "output"), True) if whole else {}

    def compose(self) -> ComposeResult:
        """Compose result, figures, charts and output."""
        yield BidiText(classes="ending")
        yield Fold("figures", classes="fold figures-fold")
        yield FigureTable()
        yield ChartLines()
        yield Fold("output", classes="fold output-fold")
        with SidewaysScroll():
            yield LongLines(longest=_LONGEST_LINE, classes="output")

    def take(self, run: SnippetRun) -> None:
        """Show a new run; the previous figures stay until it ends."""
        self.run, self._unfolded = run, {}
        if self.is_mounted:
            self._begin()

    def _begin(self) -> None:
        """Show what there is, and the elapsed time."""
        if self.run.running and self._clock is None:
            self._clock = self.set_interval(1, self.follow)
        self._show()

    on_mount = _begin

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
        said, aside = self._ending(rows)
        shown = f"{said}{aside}"
        ending.show(shown, [StyledSpan(len(said), len(shown), "$text-muted")])
        ending.set_class(not self.run.running and not good, "-failed")
        self._show_figures(rows, change)
        if not self.run.running:  # meanwhile those of the run before stay, as its figures do
            self.query_one(ChartLines).follow(charts(self.run.output))
        self._show_output(bool(rows) and outcome is not None and outcome.status == "ok")

    def _show_figures(self, rows: Sequence[FigureRow], change: str) -> None:
        """Show the figures; many of them are folded if all hold and nothing was changed.

        The folded line says to which annotations they belong.
        """
        table, fold = self.query_one(FigureTable), self.query_one(".figures-fold", Fold)
        table.follow(rows, running=self.run.running and not change)
        hold = len(rows) > _FEW and not change and all(row.holds for row in rows)
        fold.display = hold
        if hold:
            table.display = self._unfolded.get("figures", False)
            fold.tell(counted(rows), table.display)

    def _show_output(self, folded: bool) -> None:
        """Show the last lines of growing output, then all or none."""
        lines = self.run.output.rstrip("\n").split("\n")
        shown = self._unfolded.get("output", not folded)
        written, running = bool(self.run.output.strip()), self.run.running
        text = "\n".join(lines[-_LAST_LINES:] if running else lines)
        self.query_one(LongLines).show(text[-_MOST_SHOWN:])
        self.query_one(SidewaysScroll).display = written and (shown or running)
        fold = self.query_one(".output-fold", Fold)
        fold.tell(ngettext("output · {n} line", "output · {n} lines", len(lines)), shown)
        fold.display = written and not running

    @on(Fold.Toggled)
    def _toggle(self, message: Fold.Toggled) -> None:
        """Unfold or fold the output or the figures."""
        message.stop()
        part = self.query_one(FigureTable if message.name == "figures" else SidewaysScroll)
        self._unfolded[message.name] = not part.display
        self.follow()
        if part.display:
            pane = self.query_ancestor(VerticalScroll)
            # The first refresh lays it out.
            self.call_after_refresh(self.call_after_refresh, bring, pane, part)

    def _ending(self, rows: Sequence[FigureRow]) -> tuple[str, str]:
        """Return how the run ended, and what is said of it in passing."""
        if self.run.outcome:
            ended, facts = result(self.run.outcome, rows, self.run.change)
            again = [_("run {n}", n=self.run.times)] * (self.run.times > 1)
            return ended, facts + "".join(f" · {each}" for each in again)
        if self.run.refusal:
            return f"✗ {self.run.refusal}", ""
        seconds = int(time.monotonic() - self.run.began)
        so_far = _("{figure} s").format(figure=number(seconds)) if seconds else ""
        return _("running…"), "".join(f" {each}" for each in (so_far, _("(Esc stops it)")) if each)


_COLUMNS_AT_ONCE = 8


class SnippetView(Vertical, can_focus=True):
    """A runnable program; a click on its title runs it."""

    BINDINGS = bindings("snippet")

    def __init__(
        self, snippet: Snippet, lang: str, claims: Sequence[Claim], run: SnippetRun | None
    ) -> None:
        super().__init__(name=snippet.id, classes="snippet")
        self.snippet = snippet
        self._lang = lang
        self._claims = claims
        self._run = run
        self.draft: str | None = None
        self.fold = f"code of {snippet.id}"
        self.unfolded = False

    @property
    def code(self) -> str:
        """The displayed code: the program's, or the reader's changed one."""
        return self.snippet.code if self.draft is None else self.draft

    def compose(self) -> ComposeResult:
        """Compose title, code and, after a run, its panel."""
        yield SnippetTitle(self._title())
        if values := ", ".join(map(value_of, parameters_of(self.snippet.code))):
            yield ValuesLine(values)
        yield Fold(self.fold, self._counted(), shown=self._shows_code)
        if self._shows_code:
            yield ProgramCode(self.code)
        if self._run:
            yield RunPanel(self._run, self._claims)

    @property
    def _shows_code(self) -> bool:
        """Whether the code is unfolded: changed code always is."""
        return self.unfolded or self.draft is not None

    def _counted(self) -> str:
        return ngettext("code · {n} line", "code · {n} lines", len(self.code.splitlines()))

    def _title(self) -> str:
        title = of_language(self.snippet.title, self._lang)[1]
        own = _("your own") if self.snippet.own else ""
        changed = _("changed") if self.draft is not None else ""
        said = " · ".join(filter(None, [self.snippet.id, title, own, changed]))
        return f"{ahead('▶')} {said}"

    async def edit(self) -> None:
        """Edit the code in place."""
        from tui.widgets.text_area import CodeArea  # editing is not needed to start

        area = CodeArea(self.snippet, self.code)
        async with self.batch():
            await self.query(".code").remove()
            await self.mount(area, after=self.query_one(Fold))
        area.focus()

    async def reset(self) -> None:
        """Restore the original code."""
        self.draft = None
        self.post_message(DraftChanged(self.snippet.id, None))
        await self._show_code()

    @on(CodeLeft)
    async def _leave(self, message: CodeLeft) -> None:
        message.stop()
        await self._show_code()
        self.focus()

    @on(DraftChanged)
    def _changed(self, message: DraftChanged) -> None:
        self.draft = message.code
        self.query_one(SnippetTitle).show(self._title())

    async def _show_code(self) -> None:
        async with self.batch():
            await self.query(".code").remove()
            fold = self.query_one(Fold)
            fold.tell(self._counted(), self._shows_code)
            if self._shows_code:
                await self.mount(ProgramCode(self.code), after=fold)
        self.query_one(SnippetTitle).show(self._title())

    async def follow(self, run: SnippetRun) -> RunPanel:
        """Show a new run, and return its panel."""
        for panel in self.query(RunPanel):
            panel.take(run)
            return panel
        await self.mount(panel := RunPanel(run, self._claims))
        return panel

    def _scroll_code(self, step: int) -> None:
        """Scroll the code and the output right or left."""
        for lines in self.query(SidewaysScroll):
            lines.scroll_relative(x=step * _COLUMNS_AT_ONCE, animate=False)

    action_right = partialmethod(_scroll_code, 1)
    action_left = partialmethod(_scroll_code, -1)


class ValuesLine(Link):
    """The parameters of a program, and the way to run it with others."""

    def __init__(self, values: str) -> None:
        super().__init__(_("{values}: run with other values", values=values), classes="fold")

    def action_open(self) -> None:
        """Ask for the values."""
        self.call_later(self.screen.run_action, "do('run_with')")


class SnippetTitle(BidiText):
    """The title of a program; a click runs it."""

    def __init__(self, title: str) -> None:
        super().__init__(title, classes="title", direction=edge_of())

    def on_click(self, event: events.Click) -> None:
        """Run the program, or the reader's changed code."""
        event.stop()
        view = self.query_ancestor(SnippetView)
        self.post_message(RunSnippet(view.snippet.id, view.draft, based_on=view.snippet.code))

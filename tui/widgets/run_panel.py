"""What a run came to: its end and the figures first, what it wrote folded below."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.message import Message
from textual.timer import Timer

from kb.i18n import RLM, _, ahead, ngettext, number, right_to_left
from kb.terminal import text_width
from tui.bidi import StyledSpan, TextRow, edge_of, rows_of
from tui.commands import Place, bindings
from tui.outcomes import FigureRow, figure_rows, result, succeeded
from tui.phrases import annotation_sign
from tui.widgets.bidi_text import BidiText
from tui.widgets.program_code import LongLines, SidewaysScroll

if TYPE_CHECKING:
    from kb.model import Outcome
    from kb.present.claims import Claim

_MOST_SHOWN = 40_000
_LAST_LINES = 8
_LONGEST_LINE = 1_000


@dataclass
class SnippetRun:
    """A run in progress, or ended: what it wrote so far and what came of it.

    ``times`` counts the runs of its program, this one included.
    """

    number: int
    snippet: str
    stop: threading.Event = field(default_factory=threading.Event)
    output: str = ""
    outcome: Outcome | None = None
    refusal: str = ""
    began: float = field(default_factory=time.monotonic)
    times: int = 1

    @property
    def running(self) -> bool:
        """Whether it goes on."""
        return self.outcome is None and not self.refusal


class RunPanel(Vertical):
    """A run: how it ended, the figures beside what the source says, and the output.

    While it runs the last lines of the output are followed; then it is folded where the
    figures tell what came of it.
    """

    @dataclass
    class Grew(Message):
        """The panel is laid out, from so many lines to more."""

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
        """Put the ending, the figures and the output below each other."""
        yield BidiText(classes="ending")
        yield FigureTable()
        yield OutputFold()
        with SidewaysScroll():
            yield LongLines(longest=_LONGEST_LINE, classes="output")

    def on_mount(self) -> None:
        """Show what there is, and how long it takes."""
        self._begin()

    def take(self, run: SnippetRun) -> None:
        """Show a run from now on; the figures of the one before stay until it has ended."""
        self.run, self._unfolded = run, None
        if self.is_mounted:
            self._begin()

    def _begin(self) -> None:
        if self.run.running and self._clock is None:
            self._clock = self.set_interval(1, self.follow)
        self._show()

    def on_resize(self, event: events.Resize) -> None:
        """Tell when the panel has become higher."""
        before, self._height = self._height, event.size.height
        if self._height > before:
            self.post_message(self.Grew(self, before))

    def follow(self) -> None:
        """Show what the run has written, and its end when it has come."""
        if self.is_mounted:  # else its parts are still to come, and are shown with it
            self._show()

    def _show(self) -> None:
        if self._clock is not None and not self.run.running:
            self._clock.stop()
            self._clock = None
        outcome = self.run.outcome
        rows = figure_rows(self._claims, outcome) if outcome is not None else []
        good = outcome is not None and succeeded(outcome, rows)
        ending = self.query_one(".ending", BidiText)
        ending.show(self._ending(rows))
        ending.set_class(not self.run.running and not good, "-failed")
        ending.set_class(self.run.running, "-running")
        self.query_one(FigureTable).follow(rows, running=self.run.running)
        self._show_output(bool(rows) and outcome is not None and outcome.status == "ok")

    def _show_output(self, folded: bool) -> None:
        """Show the last lines of the output while it grows, then all of it or none."""
        lines = self.run.output.rstrip("\n").split("\n")
        shown = self._unfolded if self._unfolded is not None else not folded
        written, running = bool(self.run.output.strip()), self.run.running
        text = "\n".join(lines[-_LAST_LINES:] if running else lines)
        self.query_one(LongLines).show(text[-_MOST_SHOWN:])
        self.query_one(SidewaysScroll).display = written and (shown or running)
        fold = self.query_one(OutputFold)
        fold.tell(len(lines), shown)
        fold.display = written and not running

    def toggle(self) -> None:
        """Show the output, or fold it."""
        self._unfolded = not self.query_one(SidewaysScroll).display
        self.follow()

    def _ending(self, rows: Sequence[FigureRow]) -> str:
        if self.run.outcome:
            ended = result(self.run.outcome, rows)
            again = _("run {n}").format(n=number(self.run.times)) if self.run.times > 1 else ""
            return " · ".join(filter(None, [ended, again]))
        if self.run.refusal:
            return f"✗ {self.run.refusal}"
        seconds = int(time.monotonic() - self.run.began)
        so_far = _("{figure} s").format(figure=number(seconds)) if seconds else ""
        return " ".join(filter(None, [_("running…"), so_far, _("(Esc stops it)")]))


class FigureTable(BidiText):
    """The figures of a run; a click on one leads to the note that rests on it."""

    @dataclass
    class Chosen(Message):
        """The note of this number was asked for."""

        note: int

    def __init__(self) -> None:
        super().__init__(classes="figures", direction=edge_of())
        self._figures: Sequence[FigureRow] = ()
        self._table = Table("", (), {})

    def follow(self, rows: Sequence[FigureRow], *, running: bool) -> None:
        """Show the figures of a run; while it is ``running`` those of the one before."""
        if not running:
            self._figures = rows
            self._laid = None
            self.refresh(layout=True)
        self.set_class(running, "-before")
        self.display = bool(self._figures)

    def _rows_for(self, width: int) -> list[TextRow]:
        self._table = table(self._figures, max(1, width))
        self._text, self._marks = self._table.text, tuple(self._table.marks)
        return rows_of(self._text, max(1, width), self._direction)

    def on_click(self, event: events.Click) -> None:
        """Lead to the note of the line, unless words are being selected."""
        offset = event.get_content_offset(self)
        lines = self.rows(self.content_size.width)
        if offset is None or self.text_selection is not None or offset.y >= len(lines):
            return
        event.stop()
        note = self._table.notes.get(lines[offset.y].start, 0)
        if note:
            self.post_message(self.Chosen(note))


class OutputFold(BidiText, can_focus=True):
    """The line that stands for the output; a key or a click shows and folds it."""

    PLACES: ClassVar[tuple[Place, ...]] = ("link", "reading")
    BINDINGS = bindings("link")

    def __init__(self) -> None:
        super().__init__(classes="fold")

    def tell(self, lines: int, shown: bool) -> None:
        """Say how many lines there are, and whether they are shown."""
        said = ngettext("output · {n} line", "output · {n} lines", lines)
        self.show(f"{'▾' if shown else ahead('▸')} {said}")

    def on_click(self, event: events.Click) -> None:
        """Show the output, or fold it."""
        event.stop()
        self.action_open()

    def action_open(self) -> None:
        """Show the output, or fold it."""
        self.query_ancestor(RunPanel).toggle()


_GAPS = (3, 2)
_SHORTEST_NAME = 12


class Cell(NamedTuple):
    """What stands in a column: a text at its beginning, or a number at its right."""

    text: str
    style: str = ""
    number: bool = False


class Table(NamedTuple):
    """A table as text, its styles, and the note of each line by the place where that begins."""

    text: str
    marks: Sequence[StyledSpan]
    notes: dict[int, int]


def table(rows: Sequence[FigureRow], width: int) -> Table:
    """Lay rows out: a line each, and where there is less room two.

    What is said of evidence that does not hold goes below its row first; names are shortened
    then; where not even short ones leave room for the numbers all of those stand below. In a
    language that runs right to left the columns begin at the right; marks between them keep a
    terminal that turns text by itself from reading two as one.
    """
    wide, narrow = _GAPS
    for apart, gap in ((False, wide), (False, narrow), (True, narrow)):
        grid = _grid(rows, apart=apart)
        room = width - sum(gap + size for size in _sizes(grid, but=1))
        longest = max(text_width(cells[1].text) for cells in grid)
        if room >= (min(longest, _SHORTEST_NAME) if apart else longest):
            head, *lines = _lines(grid, min(room, longest), gap)
            return _joined([(head, 0), *_with_apart(rows, lines, gap, apart=apart)])
    return _joined([(line, row.note) for row in rows for line in _stacked(row, width)])


def _grid(rows: Sequence[FigureRow], *, apart: bool) -> list[list[Cell]]:
    """Return a head and the rows as cells, without the source where it names no figure."""
    sourced = any(row.source for row in rows)
    grid = [
        [
            Cell("", "$text-muted"),
            Cell(_("figure"), "$text-muted"),
            *([Cell(_("source"), "$text-muted", number=True)] if sourced else []),
            Cell(_("measured"), "$text-muted", number=True),
            Cell(""),
        ]
    ]
    for row in rows:
        numbers = [Cell(row.source, number=True)] if sourced else []
        numbers.append(Cell(row.measured or "–", number=True))
        said = Cell("" if apart and not row.holds else row.said, f"{row.style} bold")
        grid.append([Cell(annotation_sign(row.note), row.style), Cell(row.figure), *numbers, said])
    return grid


def _with_apart(
    rows: Sequence[FigureRow], lines: Sequence[list[Cell]], gap: int, *, apart: bool
) -> Iterator[tuple[list[Cell], int]]:
    """Yield lines with their notes, and below them what is said ``apart``."""
    for row, line in zip(rows, lines, strict=True):
        yield line, row.note
        if apart and not row.holds:
            indent = " " * (text_width(annotation_sign(row.note)) + gap)
            yield [Cell(indent), Cell(row.said, f"{row.style} bold")], row.note


def _sizes(grid: Sequence[Sequence[Cell]], but: int) -> list[int]:
    """Return the widths of the columns, without one of them."""
    columns = list(zip(*grid, strict=True))
    return [max(text_width(cell.text) for cell in c) for n, c in enumerate(columns) if n != but]


def _lines(grid: Sequence[Sequence[Cell]], name: int, gap: int) -> Iterator[list[Cell]]:
    sizes = _sizes(grid, but=1)
    sizes.insert(1, name)
    for row in grid:
        fitted = [row[0], row[1]._replace(text=shortened(row[1].text, name)), *row[2:]]
        yield [
            piece
            for cell, size in zip(fitted, sizes, strict=True)
            for piece in _padded(cell, size, gap)
        ]


def _padded(cell: Cell, size: int, between: int) -> Iterator[Cell]:
    """Yield a cell and what fills its column; digits end at the right whatever way it runs."""
    blank = " " * (size - text_width(cell.text))
    gap = " " * between
    if right_to_left():
        yield cell._replace(text=f"{cell.text}{RLM}")
        yield Cell(blank + gap)
    elif cell.number:
        yield Cell(blank)
        yield cell
        yield Cell(gap)
    else:
        yield cell
        yield Cell(blank + gap)


def _stacked(row: FigureRow, width: int) -> Iterator[list[Cell]]:
    """Yield a row in two lines: whose figure it is, and what is said of it."""
    note = annotation_sign(row.note)
    name = shortened(row.figure, width - text_width(note) - 1)
    yield [Cell(note, row.style), Cell(f" {name}")]
    said = [f"{_('source')} {row.source}"] if row.source else []
    said.append(f"{_('measured')} {row.measured or '–'}")
    yield [Cell("  " + " · ".join(said) + " · "), Cell(row.said, f"{row.style} bold")]


def _joined(lines: Iterable[tuple[list[Cell], int]]) -> Table:
    text = ""
    marks: list[StyledSpan] = []
    places: dict[int, int] = {}
    for line, note in lines:
        text += "\n" * bool(places)
        places[len(text)] = note
        for cell in line:
            if cell.style and cell.text:
                marks.append(StyledSpan(len(text), len(text) + len(cell.text), cell.style))
            text += cell.text
    return Table(text, marks, places)


def shortened(text: str, width: int) -> str:
    """Return a text in at most so many cells, with an ellipsis where its middle is left out.

    Names of figures differ at their ends as often as at their beginnings.

    >>> shortened("hidden_error_when_reset", 13), shortened("steps", 10)
    ('hidden…_reset', 'steps')
    """
    shown = text
    for kept in range(len(text) - 1, -1, -1):
        if text_width(shown) <= width:
            break
        shown = f"{text[: kept - kept // 2]}…{text[len(text) - kept // 2 :]}"
    return shown

"""The result of a run: how it ended, and each figure beside the source's in a table."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from textual import events
from textual.message import Message

from kb.i18n import RLM, _, ahead, ngettext, number, right_to_left, share
from kb.i18n.names import BASES, RUNS, sandbox_name
from kb.model.reports import REASONS
from kb.present.claims import Claim, Finding, Measured, figure_in_words, measured
from kb.terminal import text_width
from tui.bidi import StyledSpan, TextRow, edge_of, rows_of
from tui.commands import Place, bindings
from tui.messages import ShowPart
from tui.phrases import annotation_sign, verdict_of
from tui.widgets.bidi_text import BidiText

if TYPE_CHECKING:
    from kb.model import Annotation, Outcome
    from tui.reading import Values

_HOLDS, _FAILS = "$text-success", "$text-error"
_TOLD = ("time", "asked")
"""The reasons for the end of a run that its status tells, too."""


class FigureRow(NamedTuple):
    """A figure behind notes: the source's value, the measured value, and the result.

    ``notes`` are the notes' numbers, ``source`` is empty without a claimed value, and ``against``
    means that the claimed value differs from the measured one. A row outside a program links to
    the ``snippet`` that prints the figure.
    """

    notes: tuple[int, ...]
    figure: str
    source: str
    measured: str
    said: str
    style: str
    holds: bool
    against: bool
    expected: str = ""
    snippet: str = ""


def proof_rows(annotation: Annotation, ran: Values) -> list[FigureRow]:
    """Return a row for each figure behind a note, as known or as measured by the last runs."""
    rows, holds = [], annotation.holds
    for each in annotation.evidence:
        claim = Claim(annotation.verdict, each)
        found = measured([claim], {f: ran[p, f] for p, f in ran if p == each.snippet})
        row = _row(claim, found[0] if found else None)
        if not found:
            basis = _(BASES[each.basis]) if each.basis in BASES else ""
            row = row._replace(measured=row.expected if holds else "", style=_HOLDS, holds=holds)
            row = row._replace(said="✓" if holds and not basis else basis)
        rows.append(row._replace(snippet=each.snippet))
    return rows


def figure_rows(claims: Sequence[Claim], outcome: Outcome, change: str = "") -> list[FigureRow]:
    """Return a row for each figure behind notes; after a failed run, the measured ones.

    Notes that expect the same and agree about the result share a row. After a ``change`` of the
    program, other values refute nothing.
    """
    found = {each.claim: each for each in measured(claims, outcome.figures)}
    rows: list[FigureRow] = []
    for each in claims:
        row = _row(each, found.get(each))
        if change and not row.holds:
            before = _("{figure} without the change", figure=number(each.evidence.expected))
            row = row._replace(said=before, style="$text-muted", against=False)
        if row.measured or outcome.status == "ok":
            _add(rows, row)
    return rows


def _add(rows: list[FigureRow], row: FigureRow) -> None:
    """Add a row, or add its notes to the row with the same result and no other source's value."""
    for place, other in enumerate(rows):
        same = (row.figure, row.expected, row.holds) == (other.figure, other.expected, other.holds)
        if same and (row.source == other.source or not (row.source and other.source)):
            fuller = row if row.source and not other.source else other
            rows[place] = fuller._replace(notes=tuple(dict.fromkeys(other.notes + row.notes)))
            return
    rows.append(row)


def _row(claim: Claim, found: Measured | None) -> FigureRow:
    evidence = claim.evidence
    source = "" if evidence.claimed is None else number(evidence.claimed)
    shown = "" if found is None else number(found.figure)
    holds = found is not None and found.finding.holds
    against = found is not None and found.finding is Finding.AGAINST_SOURCE
    said, style = _said(claim, found)
    notes = (claim.number,) if claim.number else ()
    row = FigureRow(notes, evidence.figure, source, shown, said, style, holds, against)
    return row._replace(expected=number(evidence.expected))


def _said(claim: Claim, found: Measured | None) -> tuple[str, str]:
    """Return the result of a figure with its sign and style."""
    if found is None:
        return _("✗ evidence: not measured"), _FAILS
    if found.finding is Finding.UNEXPECTED:
        expected = number(claim.evidence.expected)
        return _("✗ evidence: {figure} was expected").format(figure=expected), _FAILS
    if found.finding is Finding.AS_CLAIMED:
        return _("✗ evidence: the source's value was measured"), _FAILS
    if found.finding is Finding.AGAINST_SOURCE:
        verdict = verdict_of(claim.verdict)
        return f"{verdict.sign} {_('source')}", verdict.style
    return "✓", _HOLDS


def succeeded(outcome: Outcome, rows: Sequence[FigureRow]) -> bool:
    """Return whether a run succeeded with confirmed figures."""
    return outcome.status == "ok" and all(row.holds for row in rows)


def result(outcome: Outcome, rows: Sequence[FigureRow], change: str = "") -> str:
    """Return the summary of a run: result, ``change``, time, memory and sandbox level."""
    good = succeeded(outcome, [] if change else rows)
    sign = ("✓" if succeeded(outcome, rows) else "•") if good else "✗"
    ended = _(RUNS.get(outcome.status, outcome.status))
    if rows and outcome.status == "ok":
        holding = share(sum(row.holds for row in rows), len(rows))
        changed = _("{share} values hold within tolerance")
        ended = (changed if change else _("{share} values confirmed")).format(share=holding)
    why = "" if outcome.reason in _TOLD else REASONS.get(outcome.reason, "")
    against = sum(row.against for row in rows)
    refuted = ngettext("{n} contradicts the source", "{n} contradict the source", against)
    return " · ".join(
        [
            f"{sign} {ended}",
            *([f"✗ {refuted}"] if against else []),
            *([_(why)] if why else []),
            _("{figure} s").format(figure=number(round(outcome.seconds, 2))),
            _("{figure} MiB").format(figure=number(outcome.peak_memory_bytes >> 20)),
            sandbox_name(outcome.level, outcome.isolation),
            *([_("with {change}", change=change)] if change else []),
        ]
    )


class Figures(BidiText):
    """Rows of figures; a click selects one."""

    def __init__(self, figures: Sequence[FigureRow], classes: str) -> None:
        super().__init__(classes=classes, direction=edge_of())
        self._figures = figures
        self._table = Table("", (), {})

    def _rows_for(self, width: int) -> list[TextRow]:
        self._table = table(self._figures, max(1, width))
        self._text, self._marks = self._table.text, tuple(self._table.marks)
        return rows_of(self._text, max(1, width), self._direction)

    def row_at(self, event: events.Click) -> FigureRow | None:
        """Return the row under the mouse, unless text is being selected."""
        offset = event.get_content_offset(self)
        lines = self.rows(self.content_size.width)
        if offset is None or self.text_selection is not None or offset.y >= len(lines):
            return None
        event.stop()
        return self._table.rows.get(lines[offset.y].start)


class FigureTable(Figures):
    """The figures of a run; a click leads to the first note behind one."""

    @dataclass
    class Chosen(Message):
        """The note with this number was requested."""

        note: int

    def __init__(self) -> None:
        super().__init__((), "figures")

    def follow(self, rows: Sequence[FigureRow], *, running: bool) -> None:
        """Show the figures of a run; while it is ``running``, the previous ones."""
        if not running:
            self._figures = rows
            self._laid = None
            self.refresh(layout=True)
        self.set_class(running, "-before")
        self.display = bool(self._figures)

    def on_click(self, event: events.Click) -> None:
        """Go to the note of the line."""
        row = self.row_at(event)
        if row is not None and row.notes:
            self.post_message(self.Chosen(row.notes[0]))


class EvidenceTable(Figures, can_focus=True):
    """The figures of a note, folded if a run has confirmed them.

    A click leads to the program that prints one.
    """

    PLACES: ClassVar[tuple[Place, ...]] = ("link", "reading")
    BINDINGS = bindings("link")

    def __init__(self, annotation: Annotation, ran: Values) -> None:
        super().__init__(proof_rows(annotation, ran), "evidence")
        self.annotation = annotation
        self._ran = ran
        self._folded = all(row.holds for row in self._figures)

    def _rows_for(self, width: int) -> list[TextRow]:
        if not self._folded:
            return super()._rows_for(width)
        now = [row.holds for row in self._figures if (row.snippet, row.figure) in self._ran]
        held = now or [row.holds for row in self._figures]
        confirmed = _("{share} values confirmed").format(share=share(sum(held), len(self._figures)))
        said = [f"{'✓' if all(held) else '✗'} {confirmed}", *([_("now")] if now else [])]
        if not now and self.annotation.status != "confirmed":
            said = [ngettext("{n} value", "{n} values", len(held)), _("r checks them here")]
        self._text, self._marks = f"{' · '.join(said)} {ahead('▸')}", ()
        return rows_of(self._text, max(1, width), self._direction)

    def on_click(self, event: events.Click) -> None:
        """Unfold the table, or go to the program of the line."""
        if self._folded:
            event.stop()
            self.action_open()
            return
        row = self.row_at(event)
        if row is not None:
            self.post_message(ShowPart(row.snippet))

    def action_open(self) -> None:
        """Unfold or fold the table."""
        self._folded = not self._folded
        self.lay_out_again()


_GAP, _REMARK = 2, 12


class Cell(NamedTuple):
    """The content of a column: a text at its start, or a right-aligned number."""

    text: str
    style: str = ""
    number: bool = False


class Table(NamedTuple):
    """A table as text, its styles, and the rows by line start."""

    text: str
    marks: Sequence[StyledSpan]
    rows: dict[int, FigureRow]


def table(rows: Sequence[FigureRow], width: int) -> Table:
    """Lay out rows: one line each below a header, or two lines each if space is short.

    Long remarks at the ends of lines wrap. In a right-to-left language, columns begin at the
    right; direction marks separate them in terminals that reorder text.
    """
    grid = _grid(rows)
    sizes = [max(text_width(cell.text) for cell in column) for column in zip(*grid, strict=True)]
    if sum(sizes[:-1]) + min(sizes[-1], _REMARK) + _GAP * (len(sizes) - 1) > width:
        return _joined([(line, row) for row in rows for line in _stacked(row)])
    padded = [
        [piece for pair in zip(line, sizes, strict=True) for piece in _padded(*pair)]
        for line in grid
    ]
    return _joined(zip(padded, (None, *rows), strict=True))


def _grid(rows: Sequence[FigureRow]) -> list[list[Cell]]:
    """Return header and rows as cells, without empty columns."""
    sourced, told = any(row.source for row in rows), any(row.expected for row in rows)
    ends = any(row.figure.endswith(("_p5", "_p50", "_p95")) for row in rows)
    figure = _("figure (p5, p95: percentiles)") if ends else _("figure")
    numbers = [_("claimed")] * sourced + [_("expected")] * told + [_("measured")]
    head = [Cell(""), Cell(figure), *(Cell(each, number=True) for each in numbers), Cell("")]
    grid = [[cell._replace(style="$text-muted") for cell in head]]
    for row in rows:
        values = [row.source] * sourced + [row.expected] * told + [row.measured or "–"]
        cells = (Cell(each, number=True) for each in values)
        said = Cell(row.said, f"{row.style} bold")
        grid.append([_sign(row), Cell(figure_in_words(row.figure)), *cells, said])
    return grid


def _sign(row: FigureRow) -> Cell:
    """Return the signs of the notes behind a row, unless the row is in one."""
    return Cell("".join(map(annotation_sign, row.notes)), row.style)


def _padded(cell: Cell, size: int) -> list[Cell]:
    """Return a cell with padding; numbers are aligned right in any direction."""
    blank, gap = Cell(" " * (size - text_width(cell.text))), Cell(" " * _GAP)
    if right_to_left():
        return [cell._replace(text=f"{cell.text}{RLM}"), blank, gap]
    return [blank, cell, gap] if cell.number else [cell, blank, gap]


def _stacked(row: FigureRow) -> Iterator[list[Cell]]:
    """Yield a row in two lines: the figure's name, and its values."""
    yield [_sign(row), Cell(f" {figure_in_words(row.figure)}")]
    said = [f"{_('claimed')} {row.source}"] if row.source else []
    said += [f"{_('expected')} {row.expected}"] if row.expected else []
    said.append(f"{_('measured')} {row.measured or '–'}")
    yield [Cell("  " + _(", ").join(said) + "  "), Cell(row.said, f"{row.style} bold")]


def _joined(lines: Iterable[tuple[list[Cell], FigureRow | None]]) -> Table:
    text = ""
    marks: list[StyledSpan] = []
    rows: dict[int, FigureRow] = {}
    for count, (line, row) in enumerate(lines):
        text += "\n" * bool(count)
        if row is not None:
            rows[len(text)] = row
        for cell in line:
            if cell.style and cell.text:
                marks.append(StyledSpan(len(text), len(text) + len(cell.text), cell.style))
            text += cell.text
    return Table(text, marks, rows)

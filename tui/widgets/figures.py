"""The result of a run: how it ended, and each figure beside the source's in a table."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, ClassVar, NamedTuple

from textual import events
from textual.message import Message
from textual.selection import Selection

from kb.i18n import _, ahead, ngettext, number, right_to_left, share
from kb.i18n.names import BASES, RUNS, figure_in_words, sandbox_name
from kb.model.reports import REASONS
from kb.present.claims import Claim, Finding
from kb.present.markdown.document import Block, Document, Piece, Prose, added
from kb.terminal.bidi.direction import Direction
from kb.terminal.terminal import in_one_line
from tui.bidi import TextRow
from tui.commands import Place, bindings
from tui.messages import ShowPart
from tui.phrases import annotation_sign, verdict_of
from tui.widgets.prose import ProseText

if TYPE_CHECKING:
    from kb.model.entry import Annotation
    from kb.model.reports import Outcome
    from tui.reading import Values

_HOLDS, _FAILS = "$text-success", "$text-error"
_TOLD = ("time", "asked")
"""The reasons for the end of a run that its status tells, too."""


class FigureRow(NamedTuple):
    """A figure behind notes: the source's value, the measured value, and the result.

    ``notes`` are the notes' numbers, ``source`` is empty without a claimed value, and ``against``
    means that the claimed value differs from the measured one. A row outside a program links to
    the ``snippet`` that prints the figure. The reader may have ``changed`` the program.
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
    changed: bool = False


def proof_rows(annotation: Annotation, ran: Values) -> list[FigureRow]:
    """Return a row for each figure behind a note, as known or as measured by the last runs."""
    rows, holds = [], annotation.holds
    for each in annotation.evidence:
        found = ran.get((each.snippet, each.figure))
        row = _row(Claim(annotation.verdict, each), found)
        if found is None:
            basis = _(BASES[each.basis]) if each.basis in BASES else ""
            row = row._replace(measured=row.expected if holds else "", style=_HOLDS, holds=holds)
            row = row._replace(said="✓" if holds and not basis else basis)
        rows.append(row._replace(snippet=each.snippet))
    return rows


def figure_rows(claims: Sequence[Claim], outcome: Outcome, change: str = "") -> list[FigureRow]:
    """Return a row for each figure behind notes; after a failed run, the measured ones.

    Notes that expect the same and agree about the result share a row. After a ``change`` of the
    program, values are within the tolerance or changed, and refute nothing.
    """
    rows: list[FigureRow] = []
    for each in claims:
        row = _row(each, outcome.figures.get(each.evidence.figure))
        if change:
            said = _("changed") if row.measured else _("not measured")
            said = _("within the tolerance") if row.holds else said
            row = row._replace(said=said, style="$text-muted", against=False, changed=True)
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


def _row(claim: Claim, measured: float | None) -> FigureRow:
    evidence = claim.evidence
    source = "" if evidence.claimed is None else number(evidence.claimed)
    shown = "" if measured is None else number(measured)
    finding = None if measured is None else claim.finding(measured)
    holds, against = finding is not None and finding.holds, finding is Finding.AGAINST_SOURCE
    said, style = _said(claim, finding)
    notes = (claim.number,) if claim.number else ()
    row = FigureRow(notes, evidence.figure, source, shown, said, style, holds, against)
    return row._replace(expected=number(evidence.expected))


def _said(claim: Claim, finding: Finding | None) -> tuple[str, str]:
    """Return the result of a figure with its sign and style."""
    if finding is None:
        return _("✗ evidence: not measured"), _FAILS
    if finding is Finding.UNEXPECTED:
        expected = number(claim.evidence.expected)
        return _("✗ evidence: {figure} was expected").format(figure=expected), _FAILS
    if finding is Finding.AS_CLAIMED:
        return _("✗ evidence: the source's value was measured"), _FAILS
    if finding is Finding.AGAINST_SOURCE:
        verdict = verdict_of(claim.verdict)
        return f"{verdict.sign} {_('source')}", verdict.style
    return "✓", _HOLDS


def succeeded(outcome: Outcome, rows: Sequence[FigureRow]) -> bool:
    """Return whether a run succeeded with confirmed figures."""
    return outcome.status == "ok" and all(row.holds for row in rows)


def result(outcome: Outcome, rows: Sequence[FigureRow], change: str = "") -> tuple[str, str]:
    """Return the result of a run, and its time, a sandbox that is not strong, and ``change``."""
    good = succeeded(outcome, [] if change else rows)
    sign = ("•" if change and rows else "✓") if good else "✗"
    ended, holding = _(RUNS.get(outcome.status, outcome.status)), sum(row.holds for row in rows)
    if rows and change and good:
        changed = share(sum(bool(row.measured) and not row.holds for row in rows), len(rows))
        ended = _(
            "with {change}: {share} values changed by more than the tolerance",
            change=change, share=changed,
        )  # fmt: skip
    elif rows and outcome.status == "ok":
        ended = _("{share} values confirmed").format(share=share(holding, len(rows)))
    why = "" if outcome.reason in _TOLD else REASONS.get(outcome.reason, "")
    against = sum(row.against for row in rows)
    refuted = ngettext("{n} contradicts the source", "{n} contradict the source", against)
    told = [f"{sign} {ended}", f"✗ {refuted}" if against else "", _(why) if why else ""]
    facts = (
        _("{figure} s").format(figure=number(round(outcome.seconds, 2))),
        *([sandbox_name(outcome.level, outcome.isolation)] if outcome.level != "strong" else []),
        *([_("with {change}", change=change)] if change and not (rows and good) else []),
    )
    return " · ".join(filter(None, told)), "".join(f" · {each}" for each in facts)


def counted(rows: Sequence[FigureRow]) -> str:
    """Return the number of figures, and the annotations that speak of them."""
    told = ngettext("{n} value", "{n} values", len(rows))
    signs = " ".join(map(annotation_sign, sorted({note for row in rows for note in row.notes})))
    noted = sum(bool(row.notes) for row in rows)
    if signs and noted < len(rows):
        return _("{values}, {n} of them for {signs}", values=told, n=noted, signs=signs)
    return _("{values} for {signs}", values=told, signs=signs) if signs else told


_RIGHT = ("", "right", "right", "right", "")


def table(figures: Sequence[FigureRow]) -> Block:
    """Return figures as a table without empty columns; cells have the number of their row."""
    ends = any(row.figure.endswith(("_p5", "_p50", "_p95")) for row in figures)
    figure = _("figure (p5, p95: percentiles)") if ends else _("figure")
    run = _("expected"), _("measured")
    if any(row.changed for row in figures):
        run = _("before"), _("after")
    heads = figure, _("claimed"), *run, _("result")
    grid = [[Prose((_cell(each),)) for each in heads]]
    for place, row in enumerate(figures):
        of = str(place)
        signs = "".join(f"{annotation_sign(each)} " for each in row.notes)
        named = _cell(signs, row.style, of), _cell(figure_in_words(row.figure), "", of)
        values = row.source, row.expected, row.measured or "–"
        said = _cell(row.said, f"{row.style} bold", of)
        others = (*(_cell(each, "", of) for each in values), said)
        grid.append([Prose(named), *(Prose((each,)) for each in others)])
    columns = zip(zip(*grid, strict=True), _RIGHT, strict=True)
    kept = [each for each in columns if any(cell.text for cell in each[0][1:])]
    rows = tuple(zip(*(column for column, _side in kept), strict=True))
    return Block("table", 0, 0, rows=rows, aligned=tuple(side for _column, side in kept))


def _cell(text: str, style: str = "", row: str = "") -> Piece:
    return added(in_one_line(text), [style], row)


class Figures(ProseText):
    """Figures as a table; a click selects one."""

    opens_links = False

    def __init__(self, figures: Sequence[FigureRow], classes: str) -> None:
        direction: Direction = "rtl" if right_to_left() else "ltr"
        super().__init__(Document("", direction, ()), classes=classes)
        self._figures = figures

    @property
    def text(self) -> str:
        """The displayed text."""
        block = self._block()
        lines = block.rows or [block.proses]
        return "\n".join("  ".join(cell.text for cell in line) for line in lines)

    def _block(self) -> Block:
        return table(self._figures)

    def _rows_for(self, width: int) -> list[TextRow]:
        self._blocks = (self._block(),) if self._figures else ()
        return super()._rows_for(width)

    def get_selection(self, selection: Selection) -> tuple[str, str] | None:
        """Return the whole table."""
        return self.text, "\n"

    def row_at(self, event: events.Click) -> FigureRow | None:
        """Return the row under the mouse, unless text is being selected."""
        offset = event.get_content_offset(self)
        lines = self.rows(self.content_size.width)
        if offset is None or self.text_selection is not None or offset.y >= len(lines):
            return None
        event.stop()
        of = next((row for _start, _end, row in lines[offset.y].links), "")
        return self._figures[int(of)] if of else None


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
        self._waits = False
        self.shown = not all(row.holds for row in self._figures)

    def _block(self) -> Block:
        if self.shown:
            return super()._block()
        now = [row.holds for row in self._figures if (row.snippet, row.figure) in self._ran]
        held = now or [row.holds for row in self._figures]
        confirmed = _("{share} values confirmed").format(share=share(sum(held), len(self._figures)))
        said = [f"{'✓' if all(held) else '✗'} {confirmed}", *([_("now")] if now else [])]
        if not now and self.annotation.status != "confirmed":
            told = ngettext("a program checks {n} value", "a program checks {n} values", len(held))
            said = [told, _("r runs it")]
        if self._waits:
            said[1:] = [f"{_('running…')} {_('(Esc stops it)')}"]
        return Block("paragraph", 0, 0, Prose((_cell(f"{' · '.join(said)} {ahead('▸')}"),)))

    def wait(self, running: bool) -> None:
        """Say that its program runs, or that it has ended."""
        if running != self._waits:
            self._waits = running
            self.lay_out_again()

    def on_click(self, event: events.Click) -> None:
        """Unfold the table, or go to the program of the line."""
        if not self.shown:
            event.stop()
            self.action_open()
            return
        row = self.row_at(event)
        if row is not None:
            self.post_message(ShowPart(row.snippet))

    def action_open(self) -> None:
        """Unfold or fold the table."""
        self.shown = not self.shown
        self.lay_out_again()

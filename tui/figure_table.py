"""The figures of a run as a table for a width: columns in cells, from the side reading begins."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from kb.display import text_width
from kb.i18n import RLM, _, right_to_left
from tui.bidi import StyledSpan
from tui.outcomes import FigureRow
from tui.phrases import annotation_sign

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

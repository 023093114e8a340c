"""A table in lines: columns fitted to a width, or one cell under the other where it is narrow."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import zip_longest

from kb.display import Direction, Line, base_direction, has_rtl, text_width
from kb.present.markdown.document import ADDED, Block, Piece, Prose, Styled, added

NARROWEST = 40
"""In fewer cells a table is a list of its cells, each with its heading."""

_LEAST = 6
_MOST_BLANKS = 64
"""So many times what a table says its columns may take; else blanks would be most of it."""
_BETWEEN = " │ "
_SIGN = frozenset({"sign"})
_BOLD = frozenset({"bold"})

DrawnLine = tuple[Line, Sequence[Styled]]
DrawCell = Callable[[Prose, int], list[DrawnLine]]


def drawn_table(
    block: Block, width: int, direction: Direction, turned: bool, draw: DrawCell
) -> Iterator[DrawnLine]:
    """Yield the lines of a table; ``draw`` gives those of a cell.

    Its first column stands at the right where it runs right to left.
    """
    text = "\n".join(cell.text for cell in block.proses)
    rtl = has_rtl(text) if direction == "rtl" else bool(base_direction(text))
    side = "right" if rtl else ""
    widths = column_widths(block.rows, width)
    if not widths:
        yield from _listed(block, width, draw)
        return
    for number, row in enumerate(block.rows):
        cells = [draw(cell, room) for cell, room in zip(row, widths, strict=True)]
        blanks = [_blank(room) for room in widths]
        for lines in zip_longest(*cells):
            parts = [
                _filled(line or blank, room, aligned or side, bold=not number)
                for line, blank, room, aligned in zip(
                    lines, blanks, widths, block.aligned, strict=True
                )
            ]
            yield _joined(parts[::-1] if rtl and turned else parts, _BETWEEN, rtl)
        if not number:
            ruled = [_ruled(room) for room in widths]
            yield _joined(ruled[::-1] if rtl and turned else ruled, "─┼─", rtl)


def column_widths(rows: Sequence[Sequence[Prose]], width: int) -> list[int]:
    """Return the widths of columns that fit; nothing where there is no room for columns.

    The widest give way first.
    """
    widths = [
        max(text_width(line) for cell in column for line in cell.text.split("\n")) or 1
        for column in zip(*rows, strict=True)
    ]
    said = sum(len(cell.text) + len(_BETWEEN) for row in rows for cell in row)
    if sum(widths) * len(rows) > _MOST_BLANKS * said:
        return []
    room = width - text_width(_BETWEEN) * (len(widths) - 1)
    if sum(widths) <= room:
        return widths
    if width < NARROWEST or room < _LEAST * len(widths):
        return []
    limit = room
    while sum(min(each, limit) for each in widths) > room:
        limit -= 1
    fitted = [min(each, limit) for each in widths]
    for n in range(len(fitted)):  # what is left over, from the first on
        fitted[n] += min(widths[n] - fitted[n], room - sum(fitted))
    return fitted


def _listed(block: Block, width: int, draw: DrawCell) -> Iterator[DrawnLine]:
    """Draw each cell behind its heading, and a row's first behind a mark."""
    headings, *rows = block.rows
    for row in rows or [()]:
        for number, (heading, cell) in enumerate(zip_longest(headings, row, fillvalue=Prose())):
            said = Prose((*_bold(heading), added(": " if row else ""), *cell.pieces))
            for place, (line, styled) in enumerate(draw(said, max(1, width - 2))):
                lead = "• " if not number and not place else "  "
                sign = _sign_line(lead)
                parts = [(line, styled), sign] if line.rtl else [sign, (line, styled)]
                yield _joined(parts, "", line.rtl)


def _bold(heading: Prose) -> Iterator[Piece]:
    for piece in heading.pieces:
        yield piece._replace(styles=piece.styles | _BOLD)


def _filled(drawn: DrawnLine, room: int, aligned: str, *, bold: bool) -> DrawnLine:
    line, styled = drawn
    blank = max(0, room - line.width)
    side = aligned or ("right" if line.rtl else "left")
    before = {"left": 0, "center": blank // 2, "right": blank}[side]
    shown = Line(
        " " * before + line.text + " " * (blank - before),
        (ADDED,) * before + line.places + (ADDED,) * (blank - before),
        line.rtl,
        line.width + blank,
    )
    moved = [each._replace(start=each.start + before, end=each.end + before) for each in styled]
    heading = [Styled(before, before + len(line.text), _BOLD)] if bold else []
    return shown, [*heading, *moved]


def _blank(room: int) -> DrawnLine:
    return Line(" " * room, (ADDED,) * room, False, room), ()


def _ruled(room: int) -> DrawnLine:
    return _sign_line("─" * room)


def _sign_line(text: str) -> DrawnLine:
    line = Line(text, (ADDED,) * len(text), False, text_width(text))
    return line, [Styled(0, len(text), _SIGN)]


def _joined(parts: Sequence[DrawnLine], between: str, rtl: bool) -> DrawnLine:
    places: list[int] = []
    found: list[Styled] = []
    for number, (line, styled) in enumerate(parts):
        if number:
            found.append(Styled(len(places), len(places) + len(between), _SIGN))
            places += [ADDED] * len(between)
        by = len(places)
        found += [each._replace(start=each.start + by, end=each.end + by) for each in styled]
        places += line.places
    lines = [line for line, _ in parts]
    width = sum(line.width for line in lines) + text_width(between) * (len(lines) - 1)
    return Line(between.join(line.text for line in lines), tuple(places), rtl, width), found

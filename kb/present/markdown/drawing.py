"""A block in lines for a width, each character with its place and its style.

Every block runs its own way: a Persian paragraph belongs to the right edge, code to the left,
and the marks of a list stand on the side where the list begins.

"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby, zip_longest
from typing import NamedTuple

from kb.present.markdown.document import ADDED, Block, Lead, Piece, Prose, Styled, added
from kb.terminal import Direction, Line, Shown, base_direction, has_rtl, lines_of, text_width, turn

# A table in lines: columns fitted to a width, or one cell under the other where it is narrow.

NARROWEST = 40
"""In fewer cells a table is a list of its cells, each with its heading."""

_LEAST_COLUMN = 6
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
    if width < NARROWEST or room < _LEAST_COLUMN * len(widths):
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


UNBROKEN = 1 << 20
"""A width that no line reaches."""

_LEAST = 12
_WIDEST_RULE = 100
_CODE = frozenset({"code"})
_UNDER = {1: "═", 2: "─"}


class Drawn(NamedTuple):
    """A line to show, with the styles of its characters as they are shown."""

    line: Line
    styled: Sequence[Styled] = ()


def draw(
    block: Block, width: int, direction: Direction, turned: bool, *, breaks_code: bool = False
) -> Iterator[Drawn]:
    """Yield the lines of a block, at most ``width`` cells each; code may be wider.

    ``turned`` as for `kb.terminal.lay_out`. With ``breaks_code`` code keeps to the width, too.
    """
    leads = block.leads
    while leads and width - _width(leads) < _LEAST:
        leads = leads[1:]
    room = max(1, width - _width(leads))
    drawer = _broken_code if breaks_code and block.kind == "code" else _DRAWERS[block.kind]
    for number, drawn in enumerate(drawer(block, room, direction, turned)):
        yield _led(drawn, [_lead(lead, number) for lead in leads], block, turned)


def draw_prose(prose: Prose, width: int, direction: Direction, turned: bool) -> Iterator[Drawn]:
    """Yield the lines of prose."""
    text, places = prose.shown
    pieces = [piece for piece in prose.pieces for _char in piece.text]
    for line in lines_of(Shown(text, range(len(text))), width, direction, turned):
        shown = tuple(places[index] for index in line.places)
        yield Drawn(line._replace(places=shown), _styled([pieces[at] for at in line.places]))


def _styled(pieces: Sequence[Piece]) -> list[Styled]:
    """Return the styles of a line by the pieces that its characters come from."""
    found: list[Styled] = []
    start = 0
    for _piece, same in groupby(pieces, key=id):
        end = start + sum(1 for _ in same)
        of = pieces[start]
        if of.styles or of.address:
            found.append(Styled(start, end, of.styles, of.address))
        start = end
    return found


def _paragraph(block: Block, width: int, direction: Direction, turned: bool) -> Iterator[Drawn]:
    return draw_prose(block.prose, width, direction, turned)


def _heading(block: Block, width: int, direction: Direction, turned: bool) -> Iterator[Drawn]:
    """Draw a heading, with a line below those of the first two levels."""
    widest, rtl = 0, False
    for line, styled in draw_prose(block.prose, width, direction, turned):
        widest, rtl = max(widest, line.width), line.rtl
        yield Drawn(line, [Styled(0, len(line.text), _BOLD), *styled])
    if block.level in _UNDER:
        yield _sign(_UNDER[block.level] * min(widest, _WIDEST_RULE), rtl)


def _code(block: Block, width: int, direction: Direction, turned: bool) -> Iterator[Drawn]:
    return _broken_code(block, UNBROKEN, direction, turned)


def _broken_code(block: Block, width: int, direction: Direction, turned: bool) -> Iterator[Drawn]:
    for line, styled in draw_prose(block.prose, width, "ltr", turned):
        yield Drawn(line, [Styled(0, len(line.text), _CODE), *styled])


def _rule(block: Block, width: int, direction: Direction, turned: bool) -> Iterator[Drawn]:
    yield _sign("─" * min(width, _WIDEST_RULE), rtl=False)


def _table(block: Block, width: int, direction: Direction, turned: bool) -> Iterator[Drawn]:
    def cell(prose: Prose, room: int) -> list[tuple[Line, Sequence[Styled]]]:
        return list(draw_prose(prose, room, direction, turned))

    for line, styled in drawn_table(block, width, direction, turned, cell):
        yield Drawn(line, styled)


_DRAWERS: dict[str, Callable[[Block, int, Direction, bool], Iterator[Drawn]]] = {
    "paragraph": _paragraph,
    "heading": _heading,
    "code": _code,
    "rule": _rule,
    "table": _table,
}


def _sign(text: str, rtl: bool) -> Drawn:
    line = Line(text, (ADDED,) * len(text), rtl, text_width(text))
    return Drawn(line, [Styled(0, len(text), _SIGN)])


def _width(leads: Sequence[Lead]) -> int:
    return sum(text_width(lead.sign) for lead in leads)


def _lead(lead: Lead, number: int) -> str:
    if lead.goes_on or (lead.first and not number):
        return lead.sign
    return " " * text_width(lead.sign)


def _led(drawn: Drawn, leads: Sequence[str], block: Block, turned: bool) -> Drawn:
    """Put what stands before a line where the line begins: at its left, or at its right."""
    line, styled = drawn.line, [each for each in drawn.styled if each.start < each.end]
    rtl = block.kind != "code" and (block.edge == "right" if block.edge else line.rtl)
    if not leads:
        return Drawn(line._replace(rtl=rtl), styled)
    behind = rtl and turned
    signs = "".join(turn(lead, 1).text for lead in reversed(leads)) if behind else "".join(leads)
    places = (ADDED,) * len(signs)
    joined = Line(
        line.text + signs if behind else signs + line.text,
        line.places + places if behind else places + line.places,
        rtl,
        line.width + text_width(signs),
    )
    at = len(line.text) if behind else 0
    by = 0 if behind else len(signs)
    moved = [each._replace(start=each.start + by, end=each.end + by) for each in styled]
    return Drawn(joined, [Styled(at, at + len(signs), _SIGN), *moved])

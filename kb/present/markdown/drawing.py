"""A block in lines for a width, each character with its place and its style.

Every block runs its own way: a Persian paragraph belongs to the right edge, code to the left,
and the marks of a list stand on the side where the list begins.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import groupby
from typing import NamedTuple

from kb.display import Direction, Line, Shown, lines_of, text_width, turn
from kb.present.markdown.document import ADDED, Block, Lead, Piece, Prose, Styled
from kb.present.markdown.tables import drawn_table

UNBROKEN = 1 << 20
"""A width that no line reaches."""

_LEAST = 12
_WIDEST_RULE = 100
_BOLD = frozenset({"bold"})
_CODE = frozenset({"code"})
_SIGN = frozenset({"sign"})
_UNDER = {1: "═", 2: "─"}


class Drawn(NamedTuple):
    """A line to show, with the styles of its characters as they are shown."""

    line: Line
    styled: Sequence[Styled] = ()


def draw(
    block: Block, width: int, direction: Direction, turned: bool, *, breaks_code: bool = False
) -> Iterator[Drawn]:
    """Yield the lines of a block, at most ``width`` cells each; code may be wider.

    ``turned`` as for `kb.display.lay_out`. With ``breaks_code`` code keeps to the width, too.
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

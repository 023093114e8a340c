"""A block as lines of limited width, or to be read aloud, and with our signs after its words.

Each character of a drawn line has its position and style. Every block has its own direction: a
Persian paragraph is at the right edge, code at the left, and list bullets are on the side where
the list begins.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import accumulate, count, groupby, zip_longest
from typing import NamedTuple

from kb.present.markdown.document import (
    ADDED,
    Block,
    Lead,
    Piece,
    Prose,
    Styled,
    added,
    readable_address,
    with_texts,
)
from kb.terminal.bidi.direction import Direction, base_direction, has_rtl, turn
from kb.terminal.layout import Line, lines_of, text_width, unisolated
from kb.terminal.tex.formulas import Shown

# A table in lines: columns fitted to a width, or one cell under the other where it is narrow.

NARROWEST = 40
"""Below this width a table is shown as a list of its cells with headings."""

_LEAST_COLUMN = 6
_MOST_BLANKS = 64
"""The maximum ratio of column width to content; beyond it, a table would be mostly spaces."""
_BETWEEN = " │ "
_SIGN = frozenset({"sign"})
_BOLD = frozenset({"bold"})


class Drawn(NamedTuple):
    """A line with the styles of its displayed characters."""

    line: Line
    styled: Sequence[Styled] = ()


_EMPTY = Drawn(Line("", (), False, 0))


def _table(block: Block, width: int, direction: Direction, turned: bool) -> Iterator[Drawn]:
    """Draw a table; the first column is at the right if it runs right to left."""
    text = "\n".join(cell.text for cell in block.proses)
    rtl = has_rtl(text) if direction == "rtl" else bool(base_direction(text))
    step = -1 if rtl and turned else 1
    widths = column_widths(block.rows, width)
    if not widths:
        yield from _listed(block, width, direction, turned)
        return
    for number, row in enumerate(block.rows):
        cells = [
            [*_prose(cell, room, direction, turned)] for cell, room in zip(row, widths, strict=True)
        ]
        for lines in zip_longest(*cells, fillvalue=_EMPTY):
            parts = [
                _filled(line, room, aligned or ("right" if rtl else ""), bold=not number)
                for line, room, aligned in zip(lines, widths, block.aligned, strict=True)
            ]
            yield _joined(parts[::step], rtl, _BETWEEN)
        if not number:
            yield _joined([_sign("─" * room) for room in widths[::step]], rtl, "─┼─")


def column_widths(rows: Sequence[Sequence[Prose]], width: int) -> list[int]:
    """Return column widths that fit, or nothing if there is no space.

    The widest columns shrink first.
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


def _listed(block: Block, width: int, direction: Direction, turned: bool) -> Iterator[Drawn]:
    """Draw each cell after its heading; a bullet starts each row."""
    headings, *rows = block.rows
    for row in rows or [()]:
        for number, (heading, cell) in enumerate(zip_longest(headings, row, fillvalue=Prose())):
            bold = (each._replace(styles=each.styles | _BOLD) for each in heading.pieces)
            said = Prose((*bold, added(": " if row else ""), *cell.pieces))
            for place, drawn in enumerate(_prose(said, max(1, width - 2), direction, turned)):
                sign = _sign("  " if number or place else "• ")
                rtl = drawn.line.rtl
                yield _joined([drawn, sign] if rtl else [sign, drawn], rtl)


def _filled(drawn: Drawn, room: int, aligned: str, *, bold: bool) -> Drawn:
    line, styled = drawn
    blank = max(0, room - line.width)
    side = aligned or ("right" if line.rtl else "left")
    before = {"left": 0, "center": blank // 2, "right": blank}[side]
    heading = [Styled(0, len(line.text), _BOLD)] if bold else []
    blanks = (Drawn(Line(" " * n, (ADDED,) * n, False, n)) for n in (before, blank - before))
    return _joined([next(blanks), Drawn(line, [*heading, *styled]), next(blanks)], line.rtl)


def _sign(text: str, rtl: bool = False) -> Drawn:
    line = Line(text, (ADDED,) * len(text), rtl, text_width(text))
    return Drawn(line, [Styled(0, len(text), _SIGN)])


def _joined(parts: Iterable[Drawn], rtl: bool, between: str = "") -> Drawn:
    """Return parts of a line from left to right, with a separator."""
    whole, found = _EMPTY.line, list[Styled]()
    for line, styled in [each for part in parts for each in (_sign(between), part)][1:]:
        by = len(whole.text)
        moved = (each._replace(start=each.start + by, end=each.end + by) for each in styled)
        found += (each for each in moved if each.start < each.end)
        text, places = whole.text + line.text, whole.places + line.places
        whole = Line(text, places, rtl, whole.width + line.width)
    return Drawn(whole, found)


UNBROKEN = 1 << 20
"""A width that no line reaches."""

_LEAST = 12
_WIDEST_RULE = 100
_CODE = frozenset({"code"})
_UNDER = {1: "═", 2: "─"}


def draw(
    block: Block, width: int, direction: Direction, turned: bool, *, breaks_code: bool = False
) -> Iterator[Drawn]:
    """Yield the lines of a block of at most ``width`` cells; code may be wider.

    ``turned`` is as in `kb.terminal.lay_out`. ``breaks_code`` limits code to the width, too.
    """
    leads = block.leads
    while leads and width - _width(leads) < _LEAST:
        leads = leads[1:]
    room = max(1, width - _width(leads))
    room = UNBROKEN if block.kind == "code" and not breaks_code else room
    for number, drawn in enumerate(_DRAWERS[block.kind](block, room, direction, turned)):
        yield _led(drawn, [_lead(lead, number) for lead in leads], block, turned)


def _prose(prose: Prose, width: int, direction: Direction, turned: bool) -> Iterator[Drawn]:
    """Yield the lines of prose."""
    text, places = prose.shown
    pieces = [piece for piece in prose.pieces for _char in piece.text]
    for line in lines_of(Shown(text, range(len(text))), width, direction, turned):
        shown = tuple(places[index] for index in line.places)
        yield Drawn(line._replace(places=shown), _styled([pieces[at] for at in line.places]))


def _styled(pieces: Sequence[Piece]) -> list[Styled]:
    """Return the styles of a line, from the pieces of its characters."""
    found: list[Styled] = []
    start = 0
    for _piece, same in groupby(pieces, key=id):
        end = start + sum(1 for _ in same)
        of = pieces[start]
        if of.styles or of.address:
            found.append(Styled(start, end, of.styles, of.address))
        start = end
    return found


def _heading(block: Block, width: int, direction: Direction, turned: bool) -> Iterator[Drawn]:
    """Draw a heading, underlined for the first two levels."""
    widest, rtl = 0, False
    for line, styled in _prose(block.prose, width, direction, turned):
        widest, rtl = max(widest, line.width), line.rtl
        yield Drawn(line, [Styled(0, len(line.text), _BOLD), *styled])
    if block.level in _UNDER:
        yield _sign(_UNDER[block.level] * min(widest, _WIDEST_RULE), rtl)


def _code(block: Block, width: int, direction: Direction, turned: bool) -> Iterator[Drawn]:
    for line, styled in _prose(block.prose, width, "ltr", turned):
        yield Drawn(line, [Styled(0, len(line.text), _CODE), *styled])


_DRAWERS: dict[str, Callable[[Block, int, Direction, bool], Iterable[Drawn]]] = {
    "paragraph": lambda block, *of: _prose(block.prose, *of),
    "heading": _heading,
    "code": _code,
    "rule": lambda block, width, *_: [_sign("─" * min(width, _WIDEST_RULE))],
    "table": _table,
}


def _width(leads: Sequence[Lead]) -> int:
    return sum(text_width(lead.sign) for lead in leads)


def _lead(lead: Lead, number: int) -> str:
    if lead.goes_on or (lead.first and not number):
        return lead.sign
    return " " * text_width(lead.sign)


def _led(drawn: Drawn, leads: Sequence[str], block: Block, turned: bool) -> Drawn:
    """Put the prefix at the start of a line: left, or right."""
    line = drawn.line
    rtl = block.kind != "code" and (block.edge == "right" if block.edge else line.rtl)
    if rtl and turned:
        return _joined([drawn, *(_sign(turn(each, 1).text) for each in reversed(leads))], rtl)
    return _joined([_sign("".join(leads)), drawn], rtl)


# Our own words and signs in a block: read aloud, in place of styles, after words it marks.


MARKS: dict[str, tuple[str, str]] = {
    "bold": ("**", "**"),
    "italic": ("*", "*"),
    "strike": ("~~", "~~"),
    "mark": ("==", "=="),
    "code": ("`", "`"),
}
"""The marks around styled words, if styles cannot be shown."""

_NOWHERE = float("inf")
_STRUCK = {"strike": ("(struck out: ", ")")}


def in_words(block: Block) -> Iterator[str]:
    """Yield a block's lines; each names its container.

    >>> from kb.present.markdown.reader import read
    >>> [line for block in read("- a [b](http://c)").blocks for line in in_words(block)]
    ['item: a b (http://c)']
    """
    lead = _containers(block)
    for line in _SAID[block.kind](block):
        yield unisolated(f"{lead}{line}".rstrip())
        lead = ""


def _containers(block: Block) -> str:
    """Describe the containers of a block: quotations, and the innermost list with its level."""
    quotes = [lead.word for lead in block.leads if lead.goes_on]
    items = [lead for lead in block.leads if lead.word and not lead.goes_on]
    said = quotes
    if items and items[-1].first:
        word = items[-1].word
        said = [*quotes, word if len(items) == 1 else f"level {len(items)}, {word}"]
    return "".join(f"{each} " if each[-1] in ".)" else f"{each}: " for each in said)


def with_addresses(prose: Prose) -> Prose:
    """Return prose with each link's address after its words, unless they are equal."""
    pieces: list[Piece] = []
    for address, group in groupby(prose.pieces, key=lambda piece: piece.address):
        some = [*group]
        pieces += some
        shown = readable_address(address)
        words = "".join(piece.text for piece in some)
        if address and words not in (shown, shown.removeprefix("mailto:")):
            pieces.append(added(f" ({shown})", {"sign"}))
    return Prose(tuple(pieces))


def with_marks(prose: Prose, marks: dict[str, tuple[str, str]] = MARKS) -> Prose:
    """Return prose with marks around styled words, if styles cannot be shown."""
    pieces: list[Piece] = []
    before: frozenset[str] = frozenset()
    for piece in (*prose.pieces, Piece("", ())):
        ended = [marks[name][1] for name in [*marks][::-1] if name in before - piece.styles]
        opening = [marks[name][0] for name in marks if name in piece.styles - before]
        pieces += [added(sign, {"sign"}) for sign in (*ended, *opening)]
        pieces.append(piece)
        before = piece.styles
    return Prose(tuple(piece for piece in pieces if piece.text))


def _said(prose: Prose) -> str:
    return with_addresses(with_marks(prose, _STRUCK)).text


def _code_in_words(block: Block) -> Iterator[str]:
    yield f"code in {block.language}:" if block.language else "code:"
    yield from block.prose.text.split("\n")
    yield "end of code"


def _table_in_words(block: Block) -> Iterator[str]:
    """Write each row in a line, every cell after its heading."""
    headings, *rows = ([_said(cell).replace("\n", " ") for cell in row] for row in block.rows)
    if not rows:
        yield "; ".join(headings)
    for row in rows:
        cells = zip(headings, row, strict=True)
        yield "; ".join(f"{heading}: {cell}" if heading else cell for heading, cell in cells)


_SAID: dict[str, Callable[[Block], Iterable[str]]] = {
    "paragraph": lambda block: _said(block.prose).replace("\n• ", "\nitem: ").split("\n"),
    "heading": lambda block: [f"heading: {_said(block.prose)}"],
    "code": _code_in_words,
    "rule": lambda _: ["break"],
    "table": _table_in_words,
}


def with_signs(blocks: Sequence[Block], signs: Iterable[tuple[int, Piece]]) -> tuple[Block, ...]:
    """Return blocks with each sign after the last character before its position.

    Signs at one position keep their order.
    """
    pieces = [each for block in blocks for prose in block.proses for each in prose.pieces]
    places = [place if place > ADDED else _NOWHERE for each in pieces for place in each.places]
    lowest = [*accumulate(reversed(places), min)][::-1]  # of all the places from here on
    behind: dict[int, list[Piece]] = defaultdict(list)
    for place, sign in sorted(signs, key=lambda each: each[0]):
        behind[bisect_left(lowest, place)].append(sign)
    numbers = count(1)

    def signed(prose: Prose) -> Prose:
        first = behind.pop(0, [])  # what nothing stands before leads all
        found = (part for each in prose.pieces for part in _parted(each, numbers, behind))
        return Prose((*first, *(part for part in found if part.text)))

    return tuple(with_texts(block, signed) for block in blocks)


def _parted(
    piece: Piece, numbers: Iterator[int], behind: dict[int, list[Piece]]
) -> Iterator[Piece]:
    """Yield the parts of a piece, split after characters with signs, and the signs."""
    start = 0
    for end in range(1, len(piece.text) + 1):
        signs = behind.get(next(numbers))
        if signs:
            yield piece._replace(text=piece.text[start:end], places=piece.places[start:end])
            yield from signs
            start = end
    yield piece._replace(text=piece.text[start:], places=piece.places[start:])

"""The rows of the list: collection titles, entries, and what a search found in them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from textual.content import Content

from kb.display import direction_of, formulas_of, in_one_line, text_width
from kb.i18n import _, digits, language, of_language, right_to_left
from kb.i18n.ways import VIA
from kb.present.titles import title_of
from tui.bidi import StyledSpan, first_rows, from_left, styled
from tui.colours import MATCHED
from tui.phrases import level_sign
from tui.widgets.row_signs import sign_line

if TYPE_CHECKING:
    from kb.records import Excerpt, Hit

_LINES = 2
_NEAR = 0.6  # of a line: so far in at most a match stands that does not begin it
_MARK = "▌"
_FALLBACKS = VIA.keys() - {"translation"}


class Heading(NamedTuple):
    """What stands above entries: the title of their collection, or by what they were found.

    All but the first are ``apart`` from others.
    """

    title: str
    apart: bool = False
    style: str = "$text-primary bold"


class Columns(NamedTuple):
    """The widths that all entries of a list share: of number and level, 0 where there is none."""

    number: int
    level: int

    @property
    def width(self) -> int:
        """What stands before a question: a cell for the mark, and blanks behind each column."""
        between = bool(self.number and self.level)
        return 1 + self.number + between + self.level + 2 * bool(self.number or self.level)


ListRow: TypeAlias = "Heading | Hit"


def list_rows(hits: Iterable[Hit], titles: Mapping[str, Mapping[str, str]]) -> list[ListRow]:
    """Return the rows of hits: by rank those of a search, others under their collections.

    What a fallback found stands behind the rest, under what it is.
    """
    rows: list[ListRow] = []
    above = ""
    for hit in hits:
        if hit.excerpt is None and hit.collection != above:
            above = hit.collection
            title = of_language(titles.get(above, {}))[1] or above
            rows.append(Heading(title, apart=bool(rows)))
        elif hit.excerpt is not None and hit.via in _FALLBACKS and hit.via != above:
            above = hit.via
            rows.append(Heading(_(VIA[above]), bool(rows), "$text-muted italic"))
        rows.append(hit)
    return rows


def columns(rows: Iterable[ListRow]) -> Columns:
    """Return the widths that the entries among these rows need."""
    hits = [row for row in rows if not isinstance(row, Heading)]
    number = max((text_width(_number(hit)) for hit in hits), default=0)
    level = max((text_width(level_sign(hit.level)) for hit in hits), default=0)
    return Columns(min(number, 6), level)


def row_lines(row: ListRow, width: int, shared: Columns) -> list[Content]:
    """Return a row as lines of exactly this width; it is mirrored in a Persian interface."""
    if isinstance(row, Heading):
        return _heading(row, width)
    room = max(1, width - shared.width - 1)
    first = Content.styled(_head(row, shared), "$text-muted")
    signs = sign_line(row, room)
    lines = [*_question(row, room), *([signs] if signs else []), *_found(row, room)]
    heads = [first, *[Content.blank(shared.width)] * (len(lines) - 1)]
    return [_joined(head, line) for head, line in zip(heads, lines, strict=True)]


def marked(line: Content) -> Content:
    """Return a line of an entry with the sign of a mark at its edge."""
    sign = Content.styled(_MARK, "$text-success bold")
    inner = line[:-1] if right_to_left() else line[1:]
    return Content("").join(from_left([sign, inner]))


def _heading(heading: Heading, width: int) -> list[Content]:
    (row,) = first_rows(heading.title, max(1, width - 2), 1)
    line = styled(row, [StyledSpan(0, len(heading.title), heading.style)])
    rest = Content.blank(max(0, width - 1 - line.cell_length))
    shown = Content("").join(from_left([Content(" "), line, rest]))
    return [*([Content.blank(width)] if heading.apart else []), shown]


def _head(hit: Hit, shared: Columns) -> str:
    number = digits(_number(hit)[: shared.number]).rjust(shared.number)
    level = level_sign(hit.level).rjust(shared.level)
    if not shared.number and not shared.level:
        return " "
    columns = from_left(filter(None, [number, level]))
    return "".join(from_left([" ", " ".join(columns), "  "]))


def _number(hit: Hit) -> str:
    return in_one_line(hit.number or "")


def _joined(head: Content, line: Content) -> Content:
    return Content("").join(from_left([head, line, Content(" ")]))


def _question(hit: Hit, width: int) -> list[Content]:
    """Return the question in lines, with what matched in it."""
    lang, text = _asked(hit)
    title = title_of(text)
    found = hit.excerpt.marks if _in_question(hit) and hit.excerpt else ()
    marks = _marks(title.span(start, end) for start, end in found)
    rows = first_rows(title.text, width, _LINES, direction_of(lang), lang=lang)
    return [_filled(styled(row, marks, width), width) for row in rows]


def _found(hit: Hit, width: int) -> list[Content]:
    """Return by what a hit was found, and the passage that matched where it is another text."""
    lines: list[Content] = []
    if hit.via in VIA and hit.via not in _FALLBACKS:
        lines.append(_reason(_(VIA[hit.via]), width))
    if hit.excerpt and not _in_question(hit):
        lines.append(_passage(hit.excerpt, hit.lang, width))
    return [_filled(line, width) for line in lines]


def _asked(hit: Hit) -> tuple[str, str]:
    """Return the question that stands for a hit, with its language."""
    lang, text = of_language(hit.question, language())
    return lang, text or hit.id


def _in_question(hit: Hit) -> bool:
    """Say whether what matched stands in the question that is shown anyway."""
    return hit.excerpt is not None and hit.excerpt.text == _asked(hit)[1]


def _filled(line: Content, width: int) -> Content:
    return line.pad_right(max(0, width - line.cell_length))


def _reason(text: str, width: int) -> Content:
    """Return the line that says by what an entry was found."""
    (row,) = first_rows(text, width, 1)
    return styled(row, [StyledSpan(0, len(text), "$text-muted italic")], width)


def _passage(found: Excerpt, lang: str, width: int) -> Content:
    """Return the beginning of a passage, from a word on where its first match is far behind."""
    title = title_of(found.text.replace("\n", " "))
    text, places = title.text, [title.span(first, last) for first, last in found.marks]
    start = _beginning(text, places[0], width) if places else 0
    before = "…" if start else ""
    shown, moved = before + text[start:], start - len(before)
    (row,) = first_rows(shown, width, 1, direction_of(lang), lang=lang)
    marks = _marks((first - moved, last - moved) for first, last in places)
    return styled(row, [StyledSpan(0, len(shown), "$text-muted"), *marks], width)


def _beginning(text: str, match: tuple[int, int], width: int) -> int:
    """Return where to begin a text for a line, so that a match is in sight.

    That is its own beginning, or a word from which on the match stands in the first part of
    the line; no formula is cut.
    """
    first, last = match
    if text_width(text[:last]) < width:
        return 0
    inside = [range(each.start + 1, each.end) for each in formulas_of(text)]
    words = (
        place
        for place in range(1, first)
        if text[place - 1].isspace() and not any(place in each for each in inside)
    )
    near = (place for place in words if text_width(text[place:last]) <= width * _NEAR)
    return next(near, min([first, *(each.start - 1 for each in inside if first in each)]))


def _marks(places: Iterable[tuple[int, int]]) -> list[StyledSpan]:
    return [StyledSpan(start, end, MATCHED) for start, end in places]

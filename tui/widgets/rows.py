"""The rows of the list: collection titles, entries, and what a search found in them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from textual.content import Content

from kb.display import Direction, direction_of, in_one_line, text_width
from tui.bidi import StyledSpan, first_rows, rows_of, styled
from tui.i18n import _, digits, language, of_language, right_to_left
from tui.palette import MATCHED
from tui.phrases import VIA, verdict_signs

if TYPE_CHECKING:
    from kb.records import Excerpt, Hit

_LINES = 2
_ROOM_FOR_COUNTS = 48
_MARK = "▌"


class Heading(NamedTuple):
    """The title of a collection, above its entries."""

    title: str


class Columns(NamedTuple):
    """The widths that all entries of a list share: number, and level where there is any."""

    number: int
    level: int

    @property
    def width(self) -> int:
        """What stands before a question, with blanks around."""
        return self.number + self.level + 2


ListRow: TypeAlias = "Heading | Hit"


def list_rows(hits: Iterable[Hit], titles: Mapping[str, Mapping[str, str]]) -> list[ListRow]:
    """Return the rows of hits: by rank those of a search, others under their collections."""
    rows: list[ListRow] = []
    collection = None
    for hit in hits:
        if hit.excerpt is None and hit.collection != collection:
            collection = hit.collection
            title = of_language(titles.get(collection, {}))[1] or collection
            rows.append(Heading(title))
        rows.append(hit)
    return rows


def columns(rows: Iterable[ListRow]) -> Columns:
    """Return the widths that the entries among these rows need."""
    hits = [row for row in rows if not isinstance(row, Heading)]
    number = max((text_width(_number(hit)) for hit in hits), default=0)
    return Columns(min(number, 6), 4 if any(hit.level for hit in hits) else 0)


def row_lines(row: ListRow, width: int, shared: Columns) -> list[Content]:
    """Return a row as lines of exactly this width; it is mirrored in a Persian interface."""
    if isinstance(row, Heading):
        return _heading(row.title, width)
    signs = _signs(row, counted=width >= _ROOM_FOR_COUNTS)
    room = max(1, width - shared.width - 1)
    head = Content.styled(_head(row, shared), "$text-muted")
    tails = [signs, Content.blank(signs.cell_length)]
    heads = [head, Content.blank(shared.width)]
    question = _question(row, max(1, room - signs.cell_length))
    return [
        *(_joined(heads[y > 0], line, tails[y > 0]) for y, line in enumerate(question)),
        *(_joined(heads[1], line, Content("")) for line in _found(row, room)),
    ]


def _signs(hit: Hit, *, counted: bool) -> Content:
    """Return the signs of a hit's verdicts; their counts need room."""
    marks = verdict_signs(hit)
    if not counted:
        return Content.assemble(" " * bool(marks), *[(text[0], style) for text, style in marks])
    pairs = [(mark, " ") if right_to_left() else (" ", mark) for mark in marks]
    return Content.assemble(*[part for pair in pairs for part in pair])


def marked(line: Content) -> Content:
    """Return a line of an entry with the sign of a mark at its edge."""
    sign = Content.styled(_MARK, "$text-success bold")
    inner = line[:-1] if right_to_left() else line[1:]
    return inner + sign if right_to_left() else sign + inner


def _heading(title: str, width: int) -> list[Content]:
    rows = first_rows(title, max(1, width - 2), 1)
    lines = [styled(row, [StyledSpan(0, len(title), "$text-primary bold")]) for row in rows]
    if right_to_left():
        return [line.pad_left(max(0, width - 1 - line.cell_length)).pad_right(1) for line in lines]
    return [line.pad_left(1).pad_right(max(0, width - 1 - line.cell_length)) for line in lines]


def _head(hit: Hit, shared: Columns) -> str:
    number = digits(_number(hit)[: shared.number])
    level = f"[{hit.level}]" if hit.level else ""
    if right_to_left():
        return f" {level.ljust(shared.level)}{number.rjust(shared.number)} "
    return f" {number.rjust(shared.number)}{level.rjust(shared.level)} "


def _number(hit: Hit) -> str:
    return in_one_line(hit.number or "")


def _joined(head: Content, middle: Content, tail: Content) -> Content:
    parts = [head, middle, tail, Content(" ")]
    return Content("").join(reversed(parts) if right_to_left() else parts)


def _question(hit: Hit, width: int) -> list[Content]:
    """Return the question in lines, with what matched in it."""
    lang, text = _asked(hit)
    marks = _marks(hit.excerpt.marks) if _in_question(hit) and hit.excerpt else []
    rows = first_rows(text, width, _LINES, direction_of(lang), formulas=True)
    return [_filled(styled(row, marks, width), width) for row in rows]


def _found(hit: Hit, width: int) -> list[Content]:
    """Return by what a hit was found, and the passage that matched where it is another text."""
    lines: list[Content] = []
    if hit.via in VIA:
        lines.append(_reason(_(VIA[hit.via]), width))
    if hit.excerpt and not _in_question(hit):
        lines.append(_passage(hit.excerpt, direction_of(hit.lang), width))
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
    (row,) = first_rows(f"≈ {text}" if not right_to_left() else f"{text} ≈", width, 1)
    return styled(row, [StyledSpan(0, len(text) + 2, "$text-muted italic")], width)


def _passage(found: Excerpt, direction: Direction, width: int) -> Content:
    """Return the line of a passage that holds the first match."""
    text, places = found
    first = places[0][0] if places else 0
    rows = rows_of(text.replace("\n", " "), width, direction, formulas=True)
    row = next((row for row in rows if row.holds(first)), rows[0])
    return styled(row, [StyledSpan(0, len(text), "$text-muted"), *_marks(places)], width)


def _marks(places: Iterable[tuple[int, int]]) -> list[StyledSpan]:
    return [StyledSpan(start, end, MATCHED) for start, end in places]

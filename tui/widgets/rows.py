"""The rows of the list, and their layout in lines.

Rows are collection titles, and entries with their search matches. The last line of an entry has
the signs of verdicts and the share of confirmed evidence.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeAlias

from textual.content import Content

from kb.i18n import RLM, _, digits, fraction, in_own_direction, language, of_language, right_to_left
from kb.i18n.names import TITLED, VIA
from kb.model.results import Excerpt, Hit
from kb.present.annotated import verdicts_in
from kb.present.titles import asked_in, title_of
from kb.terminal.bidi.direction import direction_of
from kb.terminal.layout import text_width
from kb.terminal.terminal import in_one_line
from kb.terminal.tex.formulas import formulas_of
from tui.bidi import StyledSpan, direction_in, first_rows, from_left, styled
from tui.phrases import by_weight, level_sign, verdict_of
from tui.themes import MATCHED

_LINES = 2
_NEAR = 0.6  # of a line: so far in at most a match stands that does not begin it
_MARK = "▌"
_FALLBACKS = VIA.keys() - {"translation"}

ListRow: TypeAlias = "Heading | Hit"

_LINES_A_ROW = 3
"""The assumed height of a row before layout."""


class Heading(NamedTuple):
    """A heading above entries: a collection's title, or how they were found.

    All but the first are ``apart``, with an empty line before them.
    """

    title: str
    apart: bool = False
    style: str = "$text-primary bold"


class Columns(NamedTuple):
    """The column widths shared by all entries: number and level, 0 if unused."""

    number: int
    level: int

    @property
    def width(self) -> int:
        """The width before a question: a cell for the mark, and spaces after each column."""
        between = bool(self.number and self.level)
        return 1 + self.number + between + self.level + 2 * bool(self.number or self.level)


def list_rows(hits: Iterable[Hit], titles: Mapping[str, Mapping[str, str]]) -> list[ListRow]:
    """Return the rows of hits: by rank for a search, else by collection.

    Results of a fallback come last, under its heading.
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
    """Return the column widths for these rows."""
    hits = [row for row in rows if not isinstance(row, Heading)]
    number = max((text_width(_number(hit)) for hit in hits), default=0)
    level = max((text_width(level_sign(hit.level)) for hit in hits), default=0)
    return Columns(min(number, 6), level)


def row_lines(row: ListRow, width: int, shared: Columns) -> list[Content]:
    """Return a row as lines of exactly this width, mirrored in Persian."""
    if isinstance(row, Heading):
        return _heading(row, width)
    room = max(1, width - shared.width - 1)
    first = Content.styled(_head(row, shared), "$text-muted")
    signs = sign_line(row, room)
    lines = [*_question(row, room), *([signs] if signs else []), *_found(row, room)]
    heads = [first, *[Content.blank(shared.width)] * (len(lines) - 1)]
    return [
        Content("").join(from_left([head, line, Content(" ")]))
        for head, line in zip(heads, lines, strict=True)
    ]


def marked(line: Content) -> Content:
    """Return an entry line with a mark sign at its edge."""
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


def _question(hit: Hit, width: int) -> list[Content]:
    """Return the question in lines, with matches marked."""
    lang, text = _asked(hit)
    title = title_of(text)
    found = hit.excerpt.marks if _in_question(hit) and hit.excerpt else ()
    marks = _marks(title.span(start, end) for start, end in found)
    rows = first_rows(title.text, width, _LINES, direction_of(lang), lang=lang)
    return [_filled(styled(row, marks, width), width) for row in rows]


def _found(hit: Hit, width: int) -> list[Content]:
    """Return how a hit was found, and the matching passage if it is another text."""
    lines: list[Content] = []
    reason = TITLED.get(hit.titled, "") if hit.via == "text" else VIA.get(hit.via or "", "")
    if reason and hit.via not in _FALLBACKS:
        said = _(reason)
        (row,) = first_rows(said, width, 1)
        lines.append(styled(row, [StyledSpan(0, len(said), "$text-muted italic")], width))
    if hit.excerpt and hit.excerpt.marks and not _in_question(hit):
        lines.append(_passage(hit.excerpt, hit.lang, width))
    return [_filled(line, width) for line in lines]


def _asked(hit: Hit) -> tuple[str, str]:
    """Return the question of a hit, with its language."""
    lang, text = asked_in(hit, language())
    return lang, text or hit.id


def _in_question(hit: Hit) -> bool:
    """Return whether the match is in the displayed question."""
    return hit.excerpt is not None and hit.excerpt.text == _asked(hit)[1]


def _filled(line: Content, width: int) -> Content:
    return line.pad_right(max(0, width - line.cell_length))


def _passage(found: Excerpt, lang: str, width: int) -> Content:
    """Return the start of a passage, from a later word if its first match is far."""
    title = title_of(found.text.replace("\n", " "))
    text, places = title.text, [title.span(first, last) for first, last in found.marks]
    start = _beginning(text, places[0], width)
    before = "…" if start else ""
    shown, moved = before + text[start:], start - len(before)
    (row,) = first_rows(shown, width, 1, direction_of(lang), lang=lang)
    marks = _marks((first - moved, last - moved) for first, last in places)
    return styled(row, [StyledSpan(0, len(shown), "$text-muted"), *marks], width)


def _beginning(text: str, match: tuple[int, int], width: int) -> int:
    """Return where to start a text in a line, so that a match is visible.

    That is its start, or a word that puts the match into the first part of the line, outside
    formulas.
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


def sign_line(hit: Hit, width: int) -> Content | None:
    """Return the signs in a line of this width, or nothing without verdicts.

    The worst verdict is written out and all are counted if there is space; confirmed evidence is
    at the end.
    """
    counts = {word: count for word, count in verdicts_in(hit, language()).items() if count}
    if not counts:
        return None
    beside = width - len(counts) - 1  # every sign comes before what is proved
    said = (each for each in _proved(hit) if text_width(each.plain) <= beside)
    proved = _in_line(next(said, Content("")), width)
    room = max(1, width - proved.cell_length - bool(proved))
    *longer, shortest = _ways(counts)
    left = _in_line(next((e for e in longer if text_width(e.plain) <= room), shortest), room)
    parts = [left, Content.blank(max(0, width - left.cell_length - proved.cell_length)), proved]
    return Content("").join(from_left(parts))


def _ways(counts: Mapping[str, int]) -> Iterator[Content]:
    """Yield the ways to write verdicts with their counts, worst first and longest first."""
    between = RLM if right_to_left() else ""  # a sign with its count is no formula
    blank, verdicts = Content(" "), [(verdict_of(word), counts[word]) for word in by_weight(counts)]
    worst, *others = [
        Content.styled(f"{verdict.sign}{between}{digits(str(count))}", verdict.style)
        for verdict, count in verdicts
    ]
    name = Content.styled(f" {_(verdicts[0][0].name)}", verdicts[0][0].style)
    yield blank.join([worst + name, *([Content("")] if others else []), *others])
    yield blank.join([worst, *others])
    yield Content("").join(Content.styled(verdict.sign, verdict.style) for verdict, _n in verdicts)


def _proved(hit: Hit) -> Iterator[Content]:
    """Yield the ways to write the share of confirmed evidence; none if none was run."""
    held, total = hit.evidence.get("confirmed", 0), sum(hit.evidence.values())
    refuted = "refuted" in hit.evidence
    if not held and not refuted:
        return
    style = "$text-error bold" if refuted else "$text-success bold"
    sign = "✗" if refuted else "✓"
    if held < total:
        yield Content.styled(f"{fraction(held, total)} {sign}", style)
    yield Content.styled(sign, style)


def _in_line(signs: Content, width: int) -> Content:
    """Return signs in one line, in the interface direction."""
    signs = Content(in_own_direction("")) + signs  # signs alone have no direction
    (row,) = first_rows(signs.plain, max(1, width), 1, direction_in("interface"))
    return styled(row, [StyledSpan(*span) for span in signs.spans])


class Lines:
    """The lines of rows at a width, laid out from the top on demand."""

    def __init__(self, rows: Sequence[ListRow] = (), width: int = 0) -> None:
        self.rows = rows
        self.width = width
        self.shared = columns(rows)
        self._lines: list[tuple[int, Content]] = []
        self._tops = [0]

    @property
    def height(self) -> int:
        """The number of lines, estimated if necessary."""
        left = len(self.rows) - self._laid
        return len(self._lines) + left * _LINES_A_ROW

    def top(self, place: int) -> int:
        """Return the first line of a row; after the last row, the end."""
        while self._laid < place:
            self._lay_out_next()
        return self._tops[place]

    def at(self, y: int) -> tuple[int, Content] | None:
        """Return the content of a line and its row, if it exists."""
        while self.width > 0 and len(self._lines) <= y and self._laid < len(self.rows):
            self._lay_out_next()
        return self._lines[y] if 0 <= y < len(self._lines) else None

    def entry_of(self, y: int) -> tuple[str | None, int]:
        """Return the entry of a line, or the next one, and the distance to its first line."""
        line = self.at(y)
        place = self.entry_from(line[0], 1) if line is not None else None
        return self.entry_at(place), y - self.top(place) if place is not None else 0

    def entry_at(self, place: int | None) -> str | None:
        """Return the id of the entry in a row, if it is one."""
        row = self.rows[place] if place is not None else None
        return None if row is None or isinstance(row, Heading) else row.id

    def entry_from(self, place: int, step: int) -> int | None:
        """Return the first entry row from ``place`` on, in steps of ``step``."""
        while 0 <= place < len(self.rows):
            if self.entry_at(place):
                return place
            place += step
        return None

    def place_of(self, entry: str | None) -> int | None:
        """Return the row of an entry, if it is loaded."""
        places = range(len(self.rows)) if entry else ()
        return next((place for place in places if self.entry_at(place) == entry), None)

    @property
    def _laid(self) -> int:
        return len(self._tops) - 1

    def _lay_out_next(self) -> None:
        place = self._laid
        lines = row_lines(self.rows[place], max(1, self.width), self.shared)
        self._lines.extend((place, line) for line in lines)
        self._tops.append(len(self._lines))

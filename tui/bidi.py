"""Text in lines of limited width: safe, wrapped, reordered, and styled by offset.

No markup is interpreted: stored text is shown as written.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from itertools import groupby
from typing import Literal, NamedTuple, TypeAlias, TypeVar

from rich.segment import Segment
from textual.content import Content, Span
from textual.strip import Strip
from textual.style import Style
from textual.widget import Widget

from kb.i18n import language, right_to_left
from kb.terminal.bidi.direction import Direction, direction_of
from kb.terminal.layout import Line, first_lines, lay_out
from tui.terminal import turned

_UNBROKEN = 1 << 20

TOOLTIP = 36
"""The maximum width of a tooltip's lines."""

Part = TypeVar("Part")

Flow: TypeAlias = "Direction | Literal['interface']"
"""The direction of a text; the app's own words use ``interface``."""


class StyledSpan(NamedTuple):
    """A style (in Textual's syntax, with theme variables) on ``text[start:end]``."""

    start: int
    end: int
    style: str | Style


class TextRow(NamedTuple):
    """A displayed line; ``line.places`` count from ``start``, the start of its paragraph.

    ``styled`` are its own styles, by offset in the displayed line, and ``links`` the addresses of
    its spans.
    """

    start: int
    line: Line
    styled: Sequence[StyledSpan] = ()
    links: Sequence[tuple[int, int, str]] = ()


def direction_in(flow: Flow) -> Direction:
    """Return the direction of a text in the current interface."""
    if flow == "interface":
        return "base-rtl" if right_to_left() else "auto"
    return flow


def from_left(parts: Iterable[Part]) -> list[Part]:
    """Return parts in their order on the screen, from left to right.

    They are given in reading order.
    """
    return list(parts)[::-1] if right_to_left() else list(parts)


def edge_of(lang: str | None = None) -> Direction:
    """Return the direction of texts in a language, independent of their first letter.

    The default is the language of the interface.
    """
    return "base-rtl" if direction_of(lang or language()) == "rtl" else "ltr"


def rows_of(text: str, width: int, flow: Flow = "auto", *, formulas: bool = False) -> list[TextRow]:
    """Return the lines of a text; ``formulas`` makes TeX readable."""
    direction = direction_in(flow)
    if formulas:  # one may go over several lines, and so may code, which has none
        return [TextRow(0, line) for line in _lines(text, width, direction, turned(), formulas)]
    rows: list[TextRow] = []
    start = 0
    for paragraph in text.split("\n"):
        lines = _lines(paragraph, width, direction, turned(), formulas)
        rows.extend(TextRow(start, line) for line in lines)
        start += len(paragraph) + 1
    return rows


@lru_cache(maxsize=1 << 13)
def _lines(
    text: str, width: int, direction: Direction, turn: bool, formulas: bool
) -> tuple[Line, ...]:
    return tuple(lay_out(text, width, direction=direction, turned=turn, formulas=formulas))


def first_rows(
    text: str, width: int, most: int, direction: Direction = "auto", *, lang: str = ""
) -> list[TextRow]:
    """Return at most this many lines of a text in one paragraph, the last with an ellipsis.

    Prose in a language (``lang``) has readable formulas and the language's digits.
    """
    prose = {"formulas": bool(lang), "lang": lang}
    lines = _first(text, width, most, direction=direction, turned=turned(), **prose)
    return [TextRow(0, line) for line in lines]


_first = lru_cache(maxsize=1 << 13)(first_lines)


def styled(row: TextRow, marks: Sequence[StyledSpan], width: int = 0) -> Content:
    """Return a line with its marks on the right characters.

    It is padded to ``width``, at the left for right-to-left paragraphs.
    """
    line = row.line
    left = max(0, width - line.width) if line.rtl else 0
    right = max(0, width - line.width - left)
    spans = [Span(left + first, left + last, style) for first, last, style in row.styled]
    spans += [
        Span(left + first, left + last, mark.style)
        for mark in marks
        for first, last in _runs(row, mark)
    ]
    return Content(f"{' ' * left}{line.text}{' ' * right}", spans)


def _runs(row: TextRow, mark: StyledSpan) -> Iterator[tuple[int, int]]:
    """Yield the spans of a displayed line that a mark covers."""
    start, end = mark.start - row.start, mark.end - row.start
    first = 0
    for covered, run in groupby(start <= place < end for place in row.line.places):
        last = first + sum(1 for _each in run)
        if covered:
            yield first, last
        first = last


def label(text: str, width: int = _UNBROKEN) -> str:
    """Return an interface text for a widget that prints strings unchanged."""
    direction = direction_in("interface")
    return "\n".join(
        line.text for line in lay_out(text, width, direction=direction, turned=turned())
    )


def strip_of(widget: Widget, content: Content, width: int, base: Style | None = None) -> Strip:
    """Return a line of a widget as cells, padded to the width in the ``base`` style or its own."""
    base = widget.visual_style if base is None else base
    pieces = content.render(base, "", widget.app.stylesheet.parse_style)
    strip = Strip([Segment(text, style.rich_style) for text, style in pieces])
    return strip.adjust_cell_length(width, base.rich_style)


def style_of(widget: Widget, component: str) -> Style:
    """Return the style of a component, including reverse video, which Textual omits."""
    reverse = widget.get_component_styles(component).text_style.reverse
    return widget.get_visual_style(component) + Style(reverse=reverse)

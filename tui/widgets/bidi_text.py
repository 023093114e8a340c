"""A text block that wraps, reorders and styles its own lines."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from textual import events
from textual.content import Content
from textual.geometry import Size
from textual.selection import Selection
from textual.strip import Strip
from textual.widget import Widget

from kb.terminal.layout import text_width
from kb.terminal.tex.formulas import whole
from tui.bidi import Flow, StyledSpan, TextRow, rows_of, strip_of, styled
from tui.mirror import WidgetMixin


class Unscrolled(WidgetMixin):
    """A widget that does not scroll: the screen is laid out only once for its size."""

    def _size_updated(
        self, size: Size, virtual_size: Size, container_size: Size, layout: bool = True
    ) -> bool:
        return super()._size_updated(size, virtual_size, container_size, layout=False)


class BidiText(Unscrolled, Widget):
    """A text without markup, in its own direction.

    Without another ``direction``, it has that of the interface. ``marks`` are styles by offset in
    the text. ``formulas`` makes TeX readable.
    """

    DEFAULT_CSS = """
    BidiText {
        width: 1fr;
        height: auto;
    }
    """

    def __init__(
        self,
        text: str = "",
        marks: Sequence[StyledSpan] = (),
        *,
        direction: Flow = "interface",
        formulas: bool = False,
        name: str | None = None,
        id: str | None = None,
        classes: str | None = None,
    ) -> None:
        super().__init__(name=name, id=id, classes=classes, markup=False)
        self._text = text
        self._marks = tuple(marks)
        self._direction: Flow = direction
        self._formulas = formulas
        self._laid: tuple[int, list[TextRow]] | None = None

    @property
    def text(self) -> str:
        """The original text, in logical order."""
        return self._text

    def show(
        self, text: str, marks: Sequence[StyledSpan] = (), direction: Flow | None = None
    ) -> None:
        """Show another text, or the same with other marks."""
        laid, changed = self._laid, text != self._text
        self._text, self._marks, self._laid = text, tuple(marks), None
        self._direction = direction or self._direction
        self.refresh(layout=changed and not self._fits(laid))

    def _fits(self, laid: tuple[int, list[TextRow]] | None) -> bool:
        """Return whether the text needs the same space as before."""
        width = self.styles.width
        if laid is None or width is None or width.is_auto:
            return False
        return len(self.rows(laid[0])) == len(laid[1])

    def lay_out_again(self) -> None:
        """Redraw after a change of who reorders text."""
        self._laid = None
        self.refresh(layout=True)

    def rows(self, width: int) -> list[TextRow]:
        """Return the lines for a width, cached until width or text changes."""
        if self._laid is None or self._laid[0] != width:
            self._laid = width, self._rows_for(width)
        return self._laid[1]

    def _rows_for(self, width: int) -> list[TextRow]:
        return rows_of(self._text, max(1, width), self._direction, formulas=self._formulas)

    def get_content_width(self, container: Size, viewport: Size) -> int:
        """Return the width of the longest line, for automatic width."""
        return max((row.line.width for row in self._rows_for(container.width)), default=0)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Return the number of lines."""
        return len(self.rows(width))

    def render_line(self, y: int) -> Strip:
        """Return a line as cells."""
        width = self.content_size.width
        rows = self.rows(width)
        if y >= len(rows):
            return Strip.blank(width, self.visual_style.rich_style)
        content = self.marked(rows[y], width)
        span = self.text_selection.get_span(y) if self.text_selection else None
        if span is not None:
            end = None if span[1] < 0 else span[1]
            chosen = self.screen.get_visual_style("screen--selection", partial=True)
            content = content.stylize(chosen, span[0], end)
        return strip_of(self, content, width).apply_offsets(0, y)

    def marked(self, row: TextRow, width: int) -> Content:
        """Return a line with its marks."""
        return styled(row, self._marks, width)

    def get_selection(self, selection: Selection) -> tuple[str, str] | None:
        """Return the selected original text, with whole formulas."""
        span = self.selected_span(selection)
        return (self._text[slice(*span)], "\n") if span else None

    def selected_span(self, selection: Selection) -> tuple[int, int] | None:
        """Return the span of the selection in the text, if any."""
        places: list[int] = []
        for y, row in enumerate(self.rows(self.content_size.width)):
            span = selection.get_span(y)
            if span is not None:
                left = self._blank_before(row)
                end = None if span[1] < 0 else max(0, span[1] - left)
                shown = row.line.places[max(0, span[0] - left) : end]
                places.extend(row.start + place for place in shown if place >= 0)
        if not places:
            return None
        start, end = min(places), max(places) + 1
        return whole(self._text, start, end) if self._formulas else (start, end)

    def place_at(self, x: int, y: int) -> int | None:
        """Return the text position shown in a cell, if any."""
        found = self.shown_at(x, y)
        if found is None:
            return None
        row, index = found
        place = row.line.places[index]
        return row.start + place if place >= 0 else None

    def shown_at(self, x: int, y: int) -> tuple[TextRow, int] | None:
        """Return the line and character index shown in a cell."""
        rows = self.rows(self.content_size.width)
        if not 0 <= y < len(rows):
            return None
        left = self._blank_before(rows[y])
        text = rows[y].line.text
        cells = [index for index, char in enumerate(text) for _ in range(text_width(char))]
        return (rows[y], cells[x - left]) if 0 <= x - left < len(cells) else None

    def _blank_before(self, row: TextRow) -> int:
        """Return the width of the left padding of a right-to-left line."""
        return max(0, self.content_size.width - row.line.width) if row.line.rtl else 0


class ActionText(BidiText):
    """An interface text; a click runs an ``action`` of its screen."""

    def __init__(self, *shown: Any, action: str, **named: Any) -> None:
        super().__init__(*shown, **named)
        self._action = action

    async def on_click(self, event: events.Click) -> None:
        """Run the action."""
        if self._action:
            event.stop()
            await self.screen.run_action(self._action)

"""A block of text that wraps, turns and styles its own lines."""

from __future__ import annotations

from collections.abc import Sequence

from textual.geometry import Size
from textual.selection import Selection
from textual.strip import Strip
from textual.widget import Widget

from kb.display import Direction
from tui.bidi import Mark, Row, rows_of, strip_of, styled


class BidiText(Widget):
    """Text from outside, shown as it is written: no markup, right to left where it runs so.

    ``marks`` are styles by offsets in the text.
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
        marks: Sequence[Mark] = (),
        *,
        direction: Direction = "auto",
        id: str | None = None,
        classes: str | None = None,
    ) -> None:
        super().__init__(id=id, classes=classes, markup=False)
        self._text = text
        self._marks = tuple(marks)
        self._direction = direction
        self._laid: tuple[int, list[Row]] | None = None

    @property
    def text(self) -> str:
        """The text as it is written, in logical order."""
        return self._text

    def show(self, text: str, marks: Sequence[Mark] = ()) -> None:
        """Show another text, or the same with other marks."""
        grown = text != self._text
        self._text, self._marks, self._laid = text, tuple(marks), None
        self.refresh(layout=grown)

    def lay_out_again(self) -> None:
        """Make the lines anew, after it was settled who turns them."""
        self._laid = None
        self.refresh(layout=True)

    def rows(self, width: int) -> list[Row]:
        """Return the lines for a width; they are kept until the width or the text changes."""
        if self._laid is None or self._laid[0] != width:
            self._laid = width, rows_of(self._text, max(1, width), self._direction)
        return self._laid[1]

    def get_content_width(self, container: Size, viewport: Size) -> int:
        """Return the width of the longest line, where the style asks for no more."""
        rows = rows_of(self._text, max(1, container.width), self._direction)
        return max((row.line.width for row in rows), default=0)

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        """Return the number of lines."""
        return len(self.rows(width))

    def render_line(self, y: int) -> Strip:
        """Return a line as cells."""
        width = self.content_size.width
        rows = self.rows(width)
        base = self.visual_style
        if y >= len(rows):
            return Strip.blank(width, base.rich_style)
        content = styled(rows[y], self._marks, width)
        span = self.text_selection.get_span(y) if self.text_selection else None
        if span is not None:
            end = None if span[1] < 0 else span[1]
            chosen = self.screen.get_visual_style("screen--selection", partial=True)
            content = content.stylize(chosen, span[0], end)
        return strip_of(content, width, base, self.app.stylesheet.parse_style).apply_offsets(0, y)

    def get_selection(self, selection: Selection) -> tuple[str, str] | None:
        """Return what is selected as it is written, whatever way it is shown."""
        width = self.content_size.width
        places: list[int] = []
        for y, row in enumerate(self.rows(width)):
            span = selection.get_span(y)
            if span is not None:
                left = max(0, width - row.line.width) if row.line.rtl else 0
                end = None if span[1] < 0 else max(0, span[1] - left)
                shown = row.line.places[max(0, span[0] - left) : end]
                places.extend(row.start + place for place in shown)
        return (self._text[min(places) : max(places) + 1], "\n") if places else None

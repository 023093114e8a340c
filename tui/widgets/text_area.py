"""Areas to write in: what is typed or pasted is shown, never obeyed.

Textual wraps the paragraphs, in logical order. Here their lines are reordered for right-to-left
text, and one that runs right to left keeps to the right edge. Textual's own arithmetic holds
for what has nothing to reorder.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator

from textual import events
from textual.content import Content, Span
from textual.document._document import Location
from textual.document._document_navigator import DocumentNavigator
from textual.document._wrapped_document import WrappedDocument
from textual.geometry import Offset
from textual.strip import Strip
from textual.widgets import TextArea
from textual.widgets.text_area import Edit, EditResult

from kb.i18n import right_to_left
from kb.terminal import base_direction, has_rtl, safe
from tui.bidi import strip_of, style_of
from tui.mirror import BarAtEdge
from tui.terminal import turned
from tui.typed import IN_WORD, JOINERS, TypedLine, typed_lines, words_of

_WORD_EDGE = re.compile(rf"(?<=[^{IN_WORD}])(?=[{IN_WORD}])|(?<=[{IN_WORD}])(?=[^{IN_WORD}])")

_WORD_AHEAD = re.compile(rf"\s*[{IN_WORD}]+")


class TurnedDocument(WrappedDocument):
    """A wrapped document whose cells are those of lines as they are shown."""

    @property
    def room(self) -> int:
        """The cells of a line, with the one of the cursor behind its end."""
        return self._width + 1

    def lines_of(self, row: int) -> tuple[TypedLine, ...] | None:
        """Return the lines of a paragraph as they are shown; nothing where none is turned."""
        text = self.document[row]
        if not self._width or not turned() or not (has_rtl(text) or self._runs_left(text)):
            return None
        return typed_lines(text, tuple(self.get_offsets(row)), self._runs_left(text))

    @staticmethod
    def _runs_left(text: str) -> bool:
        """Say whether a paragraph runs right to left; one without letters, as the interface."""
        worded = any(char.isalpha() for char in text)
        return bool(base_direction(text)) if worded else right_to_left()

    def line_at(self, y: int) -> tuple[int, TypedLine | None]:
        """Return the paragraph of a line of the whole, and the line if it is turned."""
        row, section = self._offset_to_line_info[max(0, min(y, self.height - 1))]
        lines = self.lines_of(row)
        return row, lines[section] if lines else None

    def line_with(self, location: Location) -> TypedLine | None:
        """Return the line where the cursor is, if it is turned."""
        row, column = location
        lines = self.lines_of(row)
        return lines[bisect_right(self.get_offsets(row), column)] if lines else None

    def indent(self, line: TypedLine) -> int:
        """Count the blank cells before a line that keeps to the right edge."""
        return max(0, self.room - line.width) if line.rtl else 0

    def location_to_offset(self, location: Location) -> Offset:
        """Return the cell and the line of a place of the document."""
        offset = super().location_to_offset(location)
        line = self.line_with(location)
        if line is None:
            return offset
        return Offset(self.indent(line) + line.at(location[1]).left, offset.y)

    def get_target_document_column(self, line_index: int, x_offset: int, y_offset: int) -> int:
        """Return the place in a paragraph of what is shown in a cell of one of its lines."""
        lines = self.lines_of(line_index)
        if lines is None:
            return super().get_target_document_column(line_index, x_offset, y_offset)
        line = lines[y_offset]
        return line.under(max(0, x_offset - self.indent(line)))


class TurnedNavigator(DocumentNavigator):
    """Goes through a document as one sees it: to the left, to the right, a line up or down."""

    _wrapped_document: TurnedDocument

    def get_location_above(self, location: Location) -> Location:
        """Return what stands above, in the cell where the cursor was set last."""
        return (0, 0) if self.is_first_wrapped_line(location) else self._moved(location, -1)

    def get_location_below(self, location: Location) -> Location:
        """Return what stands below, in the cell where the cursor was set last."""
        if self.is_last_wrapped_line(location):
            row = self._document.line_count - 1
            return row, len(self._document[row])
        return self._moved(location, 1)

    def _moved(self, location: Location, step: int) -> Location:
        _x, y = self._wrapped_document.location_to_offset(location)
        return self._wrapped_document.offset_to_location(Offset(self.last_x_offset, y + step))

    def beside(self, location: Location, step: int, *, words: bool = False) -> Location | None:
        """Return the place to the left (-1) or to the right (1); nothing in a line as typed.

        Beyond the end of a line it is the next line or the one before, as the line runs.
        """
        line = self._wrapped_document.line_with(location)
        if line is None:
            return None
        row, column = location
        if words:
            place = line.word_beside(column, step, words_of(self._document[row]))
        else:
            number = line.number_at(column) + step
            place = line.stops[number].place if 0 <= number < len(line.stops) else None
        return (row, place) if place is not None else self._beyond(location, line, step)

    def _beyond(self, location: Location, line: TypedLine, step: int) -> Location:
        """Return where the line after, or the one before, goes on, as one sees it."""
        row = location[0]
        if (step > 0) == line.rtl:
            there = self.get_location_left((row, min(line.places)))
        else:
            there = self.get_location_right((row, max(line.places)))
        entered = self._wrapped_document.line_with(there)
        if entered is None or entered.rtl != line.rtl or there == location:
            return there
        return there[0], entered.stops[0 if step > 0 else -1].place

    def end_of(self, start: Location, end: Location, step: int) -> Location:
        """Return the end of a selection at the left (-1) or at the right (1).

        Over several lines it is the one that the line of the cursor runs to.
        """
        offset_of = self._wrapped_document.location_to_offset
        if offset_of(start).y == offset_of(end).y:
            return (min if step < 0 else max)(start, end, key=offset_of)
        line = self._wrapped_document.line_with(end)
        return (max if (step > 0) != bool(line and line.rtl) else min)(start, end)


class SafeArea(BarAtEdge, TextArea):
    """An area that shows control characters instead of obeying them."""

    def on_key(self, event: events.Key) -> None:
        """Take half-spaces too, though they do not print."""
        if event.character in JOINERS and not self.read_only:
            event.stop().prevent_default()
            self.replace(event.character, *self.selection, maintain_selection_offset=False)

    def edit(self, edit: Edit) -> EditResult:
        """Take in what may be shown, as long as what was typed."""
        edit.text = safe(edit.text)
        return super().edit(edit)

    def load_text(self, text: str) -> None:
        """Begin with a text, as far as it may be shown."""
        super().load_text(safe(text))


class BidiArea(SafeArea):
    """An area for prose in any direction: lines are turned and joined as they are typed.

    The document stays as it was typed. The arrow keys move the cursor as one sees it, one
    character to the left or to the right, with Ctrl to where the next word there begins; Home
    and End go to where a line begins and ends.
    """

    wrapped_document: TurnedDocument
    navigator: TurnedNavigator

    def __init__(self, text: str = "", *, id: str | None = None) -> None:
        super().__init__(text, id=id, compact=True, tab_behavior="focus")
        self._word_pattern = _WORD_EDGE

    def _set_document(self, text: str, language: str | None) -> None:
        super()._set_document(text, language)
        self.wrapped_document = TurnedDocument(self.document, tab_width=self.indent_width)
        self.navigator = TurnedNavigator(self.wrapped_document)
        self._rewrap_and_refresh_virtual_size()

    def _render_line(self, y: int) -> Strip:
        """Return a line as cells; Textual draws what has nothing to turn."""
        y += self.scroll_offset.y
        if y >= self.wrapped_document.height:
            return super()._render_line(y - self.scroll_offset.y)
        row, line = self.wrapped_document.line_at(y)
        if line is None:
            return super()._render_line(y - self.scroll_offset.y)
        content = Content(line.shown, [*self._spans(row, line)])
        return strip_of(
            content.pad_left(self.wrapped_document.indent(line)),
            self.scrollable_content_region.width,
            self.visual_style,
            self.app.stylesheet.parse_style,
        )

    def _spans(self, row: int, line: TypedLine) -> Iterator[Span]:
        """Yield the line of the cursor, what is selected, and the cursor over both."""
        at, column = self.selection.end
        if row == at and self.highlight_cursor_line and self._has_cursor:
            yield Span(0, len(line.shown), style_of(self, "text-area--cursor-line"))
        first, last = sorted(self.selection)
        chosen = style_of(self, "text-area--selection")
        for index, place in enumerate(line.places):
            if first <= (row, place) < last:
                yield Span(index, index + 1, chosen)
        under_cursor = self.wrapped_document.line_with(self.selection.end)
        if row == at and self._draw_cursor and line is under_cursor:
            stop = line.at(column)
            yield Span(stop.start, stop.end, style_of(self, "text-area--cursor"))

    def action_cursor_left(self, select: bool = False) -> None:
        """Go to the character at the left; with ``select``, select up to there."""
        self._go(-1, select) or super().action_cursor_left(select)

    def action_cursor_right(self, select: bool = False) -> None:
        """Go to the character at the right; with ``select``, select up to there."""
        self._go(1, select) or super().action_cursor_right(select)

    def action_cursor_word_left(self, select: bool = False) -> None:
        """Go to the word at the left."""
        self._go(-1, select, words=True) or super().action_cursor_word_left(select)

    def action_cursor_word_right(self, select: bool = False) -> None:
        """Go to the word at the right."""
        self._go(1, select, words=True) or super().action_cursor_word_right(select)

    def _go(self, step: int, select: bool, *, words: bool = False) -> bool:
        """Go a step in a line that is turned, or to that end of the selection."""
        start, end = self.selection
        place = self.navigator.beside(end, step, words=words)
        if place is None:
            return False
        if not (select or words or start == end):
            place = self.navigator.end_of(start, end, step)
        self.move_cursor(place, select=select)
        return True

    def action_delete_word_right(self) -> None:
        """Delete up to the end of the word; a half-space stands within one."""
        (row, column), end = sorted(self.selection)
        ahead = _WORD_AHEAD.match(self.document[row], column)
        if ahead is None or (row, column) != end:
            super().action_delete_word_right()
        else:
            self._delete_via_keyboard(end, (row, ahead.end()))

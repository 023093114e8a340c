"""A document that is being written, wrapped: where each place of it stands on the screen.

Textual wraps the paragraphs, in logical order. Here their lines are turned, and one that runs
right to left keeps to the right edge. Textual's own arithmetic holds for what has nothing to
turn.
"""

from __future__ import annotations

from bisect import bisect_right

from textual.document._document import Location
from textual.document._document_navigator import DocumentNavigator
from textual.document._wrapped_document import WrappedDocument
from textual.geometry import Offset

from kb.display import base_direction, has_rtl
from kb.i18n import right_to_left
from tui.terminal import turned
from tui.typed import TypedLine, typed_lines, words_of


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

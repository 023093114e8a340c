"""Text areas: control characters in typed or pasted text are shown as signs.

Textual wraps the paragraphs in logical order. Lines with right-to-left text are reordered here
and aligned right if they run that way. Textual's own arithmetic applies to other lines.

Code has syntax colours.
"""

from __future__ import annotations

import re
from bisect import bisect_right
from collections.abc import Iterator
from functools import partialmethod
from typing import Any, ClassVar

from textual import events, on
from textual.content import Content, Span
from textual.document._document import Location
from textual.document._document_navigator import DocumentNavigator
from textual.document._wrapped_document import WrappedDocument
from textual.geometry import Offset
from textual.strip import Strip
from textual.timer import Timer
from textual.widgets import TextArea
from textual.widgets.text_area import Edit, EditResult, TextAreaTheme

from kb.i18n import language, right_to_left
from kb.model.entry import Snippet
from kb.terminal.bidi.direction import Direction, base_of, direction_of, has_rtl
from kb.terminal.terminal import safe
from tui.bidi import strip_of, style_of
from tui.commands import Place, bindings
from tui.messages import CodeLeft, DraftChanged, KeepCode, RunSnippet
from tui.mirror import BarAtEdge
from tui.terminal import turned
from tui.themes import CODE_STYLES, coloured
from tui.typed import IN_WORD, JOINERS, TypedLine, typed_lines, words_of

_WORD_EDGE = re.compile(rf"(?<=[^{IN_WORD}])(?=[{IN_WORD}])|(?<=[{IN_WORD}])(?=[^{IN_WORD}])")

_WORD_AHEAD = re.compile(rf"\s*[{IN_WORD}]+")


class TurnedDocument(WrappedDocument):
    """A wrapped document with the cells of displayed lines."""

    direction: Direction = "auto"

    def lines_of(self, row: int) -> tuple[TypedLine, ...] | None:
        """Return the displayed lines of a paragraph; nothing if none is reordered."""
        text = self.document[row]
        if not self._width or not turned() or not (has_rtl(text) or self._runs_left(text)):
            return None
        return typed_lines(text, tuple(self.get_offsets(row)), self._runs_left(text))

    def _runs_left(self, text: str) -> bool:
        """Return whether a paragraph runs right to left; without letters, as the interface."""
        worded = any(char.isalpha() for char in text)
        return bool(base_of(text, self.direction)) if worded else right_to_left()

    def line_at(self, y: int) -> tuple[int, TypedLine | None]:
        """Return the paragraph of a document line, and the line if it is reordered."""
        row, section = self._offset_to_line_info[max(0, min(y, self.height - 1))]
        lines = self.lines_of(row)
        return row, lines[section] if lines else None

    def line_with(self, location: Location) -> TypedLine | None:
        """Return the cursor's line, if it is reordered."""
        row, column = location
        lines = self.lines_of(row)
        return lines[bisect_right(self.get_offsets(row), column)] if lines else None

    def indent(self, line: TypedLine) -> int:
        """Return the number of blank cells before a right-aligned line.

        A line has a cell more than its width, for the cursor at its end.
        """
        return max(0, self._width + 1 - line.width) if line.rtl else 0

    def location_to_offset(self, location: Location) -> Offset:
        """Return cell and line of a document position."""
        offset = super().location_to_offset(location)
        line = self.line_with(location)
        if line is None:
            return offset
        return Offset(self.indent(line) + line.at(location[1]).left, offset.y)

    def get_target_document_column(self, line_index: int, x_offset: int, y_offset: int) -> int:
        """Return the paragraph position shown in a cell of a line."""
        lines = self.lines_of(line_index)
        if lines is None:
            return super().get_target_document_column(line_index, x_offset, y_offset)
        line = lines[y_offset]
        return line.under(max(0, x_offset - self.indent(line)))


class TurnedNavigator(DocumentNavigator):
    """Moves through a document visually: left, right, a line up or down."""

    _wrapped_document: TurnedDocument

    def get_location_above(self, location: Location) -> Location:
        """Return the position above, in the cell where the cursor was last set."""
        return (0, 0) if self.is_first_wrapped_line(location) else self._moved(location, -1)

    def get_location_below(self, location: Location) -> Location:
        """Return the position below, in the cell where the cursor was last set."""
        if self.is_last_wrapped_line(location):
            row = self._document.line_count - 1
            return row, len(self._document[row])
        return self._moved(location, 1)

    def _moved(self, location: Location, step: int) -> Location:
        _x, y = self._wrapped_document.location_to_offset(location)
        return self._wrapped_document.offset_to_location(Offset(self.last_x_offset, y + step))

    def neighbour(self, location: Location, step: int, *, words: bool = False) -> Location | None:
        """Return the position to the left (-1) or right (1); nothing in a line shown as typed.

        Beyond a line's end it is the next or previous line, by its direction.
        """
        line = self._wrapped_document.line_with(location)
        if line is None:
            return None
        row, column = location
        place = line.neighbour(column, step, words_of(self._document[row]) if words else None)
        return (row, place) if place is not None else self._beyond(location, line, step)

    def _beyond(self, location: Location, line: TypedLine, step: int) -> Location:
        """Return where the next or previous line continues on the screen."""
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
        """Return the end of a selection at the left (-1) or right (1).

        Over several lines, the direction of the cursor's line decides.
        """
        offset_of = self._wrapped_document.location_to_offset
        if offset_of(start).y == offset_of(end).y:
            return (min if step < 0 else max)(start, end, key=offset_of)
        line = self._wrapped_document.line_with(end)
        return (max if (step > 0) != bool(line and line.rtl) else min)(start, end)


class SafeArea(BarAtEdge, TextArea):
    """A text area that shows control characters as signs."""

    def on_key(self, event: events.Key) -> None:
        """Accept half-spaces, although they are invisible."""
        if event.character in JOINERS and not self.read_only:
            event.stop().prevent_default()
            self.replace(event.character, *self.selection, maintain_selection_offset=False)

    def edit(self, edit: Edit) -> EditResult:
        """Insert a displayable text of the same length."""
        edit.text = safe(edit.text)
        return super().edit(edit)

    def load_text(self, text: str) -> None:
        """Load a text in displayable form."""
        super().load_text(safe(text))


class BidiArea(SafeArea):
    """A text area for prose in any direction: lines are reordered and joined while typing.

    The document stays as typed. Its language is that of the interface unless another is given; in
    Persian, a paragraph with Persian letters runs right to left though its first word is English.
    The arrow keys move the cursor visually, one character to the left or right, with Ctrl to the
    next word there; Home and End go to the start and end of a line.
    """

    wrapped_document: TurnedDocument
    navigator: TurnedNavigator

    def __init__(self, text: str = "", *, lang: str | None = None, id: str | None = None) -> None:
        self._direction = direction_of(language() if lang is None else lang)
        super().__init__(text, id=id, compact=True, tab_behavior="focus")
        self._word_pattern = _WORD_EDGE

    def write_in(self, lang: str) -> None:
        """Draw the text as one in another language."""
        self._direction = self.wrapped_document.direction = direction_of(lang)
        self._line_cache.clear()
        self.refresh()

    def _set_document(self, text: str, syntax: str | None) -> None:
        super()._set_document(text, syntax)
        self.wrapped_document = TurnedDocument(self.document, tab_width=self.indent_width)
        self.wrapped_document.direction = self._direction
        self.navigator = TurnedNavigator(self.wrapped_document)
        self._rewrap_and_refresh_virtual_size()

    def _on_resize(self) -> None:
        """Draw again: right-aligned lines move with the width, even if they break as before."""
        super()._on_resize()
        self.refresh()

    def _render_line(self, y: int) -> Strip:
        """Return a line as cells; Textual draws lines without reordering."""
        y += self.scroll_offset.y
        if y >= self.wrapped_document.height:
            return super()._render_line(y - self.scroll_offset.y)
        row, line = self.wrapped_document.line_at(y)
        if line is None:
            return super()._render_line(y - self.scroll_offset.y)
        content = Content(line.shown, [*self._spans(row, line)])
        shown = content.pad_left(self.wrapped_document.indent(line))
        return strip_of(self, shown, self.scrollable_content_region.width)

    def _spans(self, row: int, line: TypedLine) -> Iterator[Span]:
        """Yield the cursor's line, the selection, and the cursor over both."""
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

    def _arrow(self, name: str, step: int, words: bool, select: bool = False) -> None:
        """Move one step to the left (-1) or right, or to that end of the selection.

        ``name`` is Textual's action, for a line that is not reordered.
        """
        start, end = self.selection
        place = self.navigator.neighbour(end, step, words=words)
        if place is None:
            getattr(super(), f"action_{name}")(select)
            return
        if not (select or words or start == end):
            place = self.navigator.end_of(start, end, step)
        self.move_cursor(place, select=select)

    action_cursor_left = partialmethod(_arrow, "cursor_left", -1, False)
    action_cursor_right = partialmethod(_arrow, "cursor_right", 1, False)
    action_cursor_word_left = partialmethod(_arrow, "cursor_word_left", -1, True)
    action_cursor_word_right = partialmethod(_arrow, "cursor_word_right", 1, True)

    def action_delete_word_right(self) -> None:
        """Delete to the end of the word; a half-space is part of it."""
        (row, column), end = sorted(self.selection)
        ahead = _WORD_AHEAD.match(self.document[row], column)
        if ahead is None or (row, column) != end:
            super().action_delete_word_right()
        else:
            self._delete_via_keyboard(end, (row, ahead.end()))


_MOST_AT_ONCE = 8_000
"""The number of characters recoloured at every key."""
_REST = 0.2


class _Colours(TextAreaTheme):
    """The token styles of the current theme."""

    def apply_css(self, text_area: TextArea) -> None:
        super().apply_css(text_area)
        parse = text_area.app.stylesheet.parse_style
        self.syntax_styles = {style: parse(style).rich_style for style in CODE_STYLES}


class PythonArea(SafeArea):
    """Python code with colours and line numbers, without wrapping.

    Long code is coloured after a pause in typing, because it would delay keys.
    """

    DEFAULT_CSS = """
    PythonArea {
        .text-area--gutter, .text-area--cursor-gutter {
            color: $code-comment;
        }
    }
    """

    _resting: Timer | None = None

    def __init__(self, code: str = "", **named: Any) -> None:
        named |= {"soft_wrap": False, "show_line_numbers": True, "compact": True}
        super().__init__(code, tab_behavior="indent", **named)
        self.register_theme(_Colours("danesh"))
        self.theme = "danesh"

    def _build_highlight_map(self) -> None:
        """Colour the code with Pygments, as in reading."""
        if self._resting is not None:
            self._resting.stop()
        if self.is_mounted and len(self.text) > _MOST_AT_ONCE:
            self._line_cache.clear()
            self._resting = self.set_timer(_REST, self._colour)
        else:
            self._colour()

    def _colour(self) -> None:
        self._line_cache.clear()
        self._highlights.clear()
        code = "\n".join(self.document.lines)
        shown = Content(code, [Span(*each) for each in coloured(code, "python")])
        for row, line in enumerate(shown.split(allow_blank=True)):
            for start, end, style in line.spans:
                first, last = (len(line.plain[:place].encode()) for place in (start, end))
                self._highlights[row].append((first, last, str(style)))
        self.refresh()


class CodeArea(PythonArea):
    """The code of a program; reports the reader's changes."""

    PLACES: ClassVar[tuple[Place, ...]] = ("code",)
    BINDINGS = bindings("code")

    def __init__(self, snippet: Snippet, code: str) -> None:
        super().__init__(code, classes="code")
        self._snippet = snippet

    @property
    def draft(self) -> str | None:
        """The code if it differs from the program's."""
        return None if self.text.rstrip() == self._snippet.code.rstrip() else self.text

    @on(TextArea.Changed)
    def _tell(self) -> None:
        self.post_message(DraftChanged(self._snippet.id, self.draft))

    def action_run_snippet(self) -> None:
        """Run the current code, including text being typed; stop a running program."""
        id, before = self._snippet.id, self._snippet.code
        self.call_later(
            lambda: self.post_message(RunSnippet(id, self.draft, stops=True, based_on=before))
        )

    def action_save(self) -> None:
        """Save the code as the reader's own program."""
        self.call_later(lambda: self.post_message(KeepCode(self._snippet, self.text)))

    def action_back(self) -> None:
        """Leave the code; the changes stay."""
        self.post_message(CodeLeft())

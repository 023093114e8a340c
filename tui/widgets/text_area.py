"""Areas to write in: what is typed or pasted is shown, never obeyed."""

from __future__ import annotations

import re
from collections.abc import Iterator

from textual import events
from textual.content import Content, Span
from textual.strip import Strip
from textual.widgets import TextArea
from textual.widgets.text_area import Edit, EditResult

from kb.display import safe
from tui.bidi import strip_of, style_of
from tui.mirror import BarAtEdge
from tui.typed import IN_WORD, JOINERS, TypedLine
from tui.wrapped import TurnedDocument, TurnedNavigator

_WORD_EDGE = re.compile(rf"(?<=[^{IN_WORD}])(?=[{IN_WORD}])|(?<=[{IN_WORD}])(?=[^{IN_WORD}])")
_WORD_AHEAD = re.compile(rf"\s*[{IN_WORD}]+")


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

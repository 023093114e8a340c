"""An input that displays text in correct direction: reordered, joined, with the right cursor.

The value stays as typed. Textual's own input is used for text without reordering, and if the
terminal reorders text. In a right-to-left interface, typed text is aligned right, whatever its
direction.

The arrow keys move the cursor visually, one character to the left or right, with Ctrl to the next
word there. Home and End go to the start and end of the text; Backspace deletes the character
typed before, Delete the one after.
"""

from __future__ import annotations

import re
from functools import partialmethod
from typing import ClassVar

from textual import events
from textual.content import Content, Span
from textual.geometry import Offset
from textual.reactive import reactive
from textual.strip import Strip
from textual.widgets import Input
from textual.widgets.input import Selection

from kb.i18n import right_to_left
from kb.terminal.bidi.direction import has_rtl
from kb.terminal.terminal import safe
from tui.bidi import strip_of, style_of
from tui.commands import Place
from tui.terminal import turned
from tui.typed import IN_WORD, JOINERS, TypedLine, typed_line, words_of


class BidiInput(Input):
    """An input for text in any direction; control characters are shown as signs."""

    _WORD_START = re.compile(rf"(?<=[^{IN_WORD}])\w")

    PLACES: ClassVar[tuple[Place, ...]] = ("field",)

    cursor_blink = reactive(False, init=False)
    """Whether the cursor blinks: an app whose does is never idle."""

    _first = 0

    action_open = Input.action_submit

    def validate_value(self, value: str) -> str:
        """Return a displayable value of the same length."""
        return safe(value).replace("\n", " ").replace("\t", " ")

    def on_key(self, event: events.Key) -> None:
        """Accept half-spaces, although they are invisible."""
        if event.character in JOINERS:
            event.stop().prevent_default()
            self.replace(str(event.character), *self.selection)

    @property
    def _turned(self) -> TypedLine | None:
        """The value as displayed, or nothing if it is displayed as typed."""
        at_right = right_to_left() and bool(self.value)
        turns = turned() and not self.password and (at_right or has_rtl(self.value))
        return typed_line(self.value, at_right=at_right) if turns else None

    def _shift(self, line: TypedLine) -> int:
        """Return and store the first visible cell of the line."""
        room = max(1, self.scrollable_content_region.width)
        self._first = line.in_sight(self.cursor_position, room, self._first)
        return self._first

    @property
    def cursor_screen_offset(self) -> Offset:
        """The cursor's position on the screen."""
        line = self._turned
        x, y, width, _height = self.content_region
        if self._hints_from_right:
            return Offset(x + width - 1, y)
        if line is None:
            return super().cursor_screen_offset
        return Offset(x + line.at(self.cursor_position).left - self._shift(line), y)

    def render_line(self, y: int) -> Strip:
        """Return the line as cells."""
        line = self._turned
        if self._hints_from_right and not y:
            return self._hint()
        if line is None or y:
            return super().render_line(y)
        first, room = self._shift(line), self.scrollable_content_region.width
        content = Content(line.shown, self._spans(line) if self.has_focus else [])
        strip = strip_of(self, content.pad_left(max(0, -first)), max(room, line.width))
        return strip.crop(max(0, first), max(0, first) + room)

    @property
    def _hints_from_right(self) -> bool:
        """Whether the input is empty and its placeholder is aligned right."""
        from_right = right_to_left() or has_rtl(self.placeholder)
        return turned() and not self.value and from_right

    def _hint(self) -> Strip:
        """Return the placeholder, with the cursor where typing begins."""
        room, hint = self.scrollable_content_region.width, self.placeholder or " "
        spans = [Span(0, len(hint), style_of(self, "input--placeholder"))]
        if self.has_focus and self._cursor_visible:
            spans.append(Span(len(hint) - 1, len(hint), style_of(self, "input--cursor")))
        content = Content(hint, spans)
        return strip_of(self, content.pad_left(max(0, room - content.cell_length)), room)

    def _spans(self, line: TypedLine) -> list[Span]:
        """Return the selection, with the cursor over it."""
        start, end = sorted(self.selection)
        chosen = style_of(self, "input--selection")
        spans = [
            Span(index, index + 1, chosen)
            for index, place in enumerate(line.places)
            if start <= place < end
        ]
        if self._cursor_visible:
            stop = line.at(self.cursor_position)
            spans.append(Span(stop.start, stop.end, style_of(self, "input--cursor")))
        return spans

    def _cell_offset_to_index(self, offset: int) -> int:
        """Return the position in the value of a cell."""
        line = self._turned
        if line is None:
            return super()._cell_offset_to_index(offset)
        return line.under(offset + self._shift(line))

    def _arrow(self, name: str, step: int, words: bool, select: bool = False) -> None:
        """Move one step to the left (-1) or right, or to that end of the selection.

        ``name`` is Textual's action, for a line that is not reordered.
        """
        line = self._turned
        if line is None:
            getattr(super(), f"action_{name}")(select)
            return
        start, end = self.selection
        place = line.neighbour(end, step, words_of(self.value) if words else None)
        if not (select or words or start == end):
            place = (min if step < 0 else max)(start, end, key=line.number_at)
        if place is not None:
            self.selection = Selection(start if select else place, place)

    action_cursor_left = partialmethod(_arrow, "cursor_left", -1, False)
    action_cursor_right = partialmethod(_arrow, "cursor_right", 1, False)
    action_cursor_left_word = partialmethod(_arrow, "cursor_left_word", -1, True)
    action_cursor_right_word = partialmethod(_arrow, "cursor_right_word", 1, True)

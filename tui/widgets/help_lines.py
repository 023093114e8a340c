"""Lines of help: keys with descriptions, and the meaning of signs."""

from __future__ import annotations

from typing import Any

from textual.content import Content
from textual.geometry import Size
from textual.strip import Strip

from kb.i18n import _
from kb.i18n.names import LEVELS
from kb.terminal.layout import text_width
from tui.bidi import StyledSpan, TextRow, from_left, label, strip_of, styled
from tui.phrases import VERDICTS, level_name, level_sign
from tui.widgets.bidi_text import BidiText

_GAP = 2

_UNBREAKABLE = "\u00a0"


class KeyLine(BidiText):
    """Keys in a ``column`` of this width at the start, and a wrapping text."""

    def __init__(self, keys: str, *shown: Any, column: int, **named: Any) -> None:
        super().__init__(*shown, **named)
        self.keys = keys
        self._column = column + _GAP

    def _rows_for(self, width: int) -> list[TextRow]:
        return super()._rows_for(max(1, width - self._column))

    def get_content_width(self, container: Size, viewport: Size) -> int:
        """Return the width of the column and the longest line."""
        return self._column + super().get_content_width(container, viewport)

    def render_line(self, y: int) -> Strip:
        """Return a line as cells, with the keys beside the first."""
        width = self.content_size.width
        rows = self.rows(width)
        if y >= len(rows):
            return Strip.blank(width, self.visual_style.rich_style)
        text = styled(rows[y], self._marks, max(0, width - self._column))
        shown = label(self.keys) if y == 0 else ""
        blank = Content(" " * (self._column - text_width(shown)))
        keys = Content.styled(shown, "$key bold")
        line = Content("").join(from_left([keys, blank, text]))
        return strip_of(self, line, width)


class Legend(BidiText):
    """The signs of verdicts in their colours, and the letters of levels, with names."""

    def __init__(self, *, classes: str | None = None) -> None:
        text, marks = "", []
        for verdict in VERDICTS.values():
            text += "  " if text else ""
            end = len(text) + len(verdict.sign)
            marks.append(StyledSpan(len(text), end, f"{verdict.style} bold"))
            # Lines break only between names.
            text += f"{verdict.sign} {_(verdict.name)}".replace(" ", _UNBREAKABLE)
        levels = [f"{level_sign(level)}{_UNBREAKABLE}{level_name(level)}" for level in LEVELS]
        super().__init__(f"{text}\n{'  '.join(levels)}", marks, classes=classes)

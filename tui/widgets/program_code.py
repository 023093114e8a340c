"""The code of a program for reading: numbered lines that scroll sideways."""

from __future__ import annotations

from collections.abc import Sequence

from textual.app import ComposeResult
from textual.containers import Horizontal, HorizontalScroll

from kb.present.programs import shown_code
from tui.bidi import StyledSpan, TextRow, rows_of
from tui.messages import ColourCode
from tui.mirror import LeftToRight
from tui.widgets.bidi_text import BidiText

_UNBROKEN = 1 << 20


class LongLines(BidiText):
    """Left-to-right lines that wrap only if they are very long."""

    def __init__(self, text: str = "", *, longest: int = _UNBROKEN, classes: str = "lines") -> None:
        super().__init__(text, direction="ltr", classes=classes)
        self._longest = longest

    def _rows_for(self, width: int) -> list[TextRow]:
        return rows_of(self.text, self._longest, "ltr")


class CodeLines(LongLines):
    """Lines of code in their colours."""

    def __init__(self, code: str) -> None:
        super().__init__(shown_code(code))

    @property
    def code(self) -> str:
        """The displayed code."""
        return self.text

    def on_mount(self) -> None:
        """Request the colours."""
        self.post_message(ColourCode(self.code))

    def colour(self, marks: Sequence[StyledSpan]) -> None:
        """Colour the code."""
        self.show(self.code, marks)


class LineNumbers(BidiText):
    """Line numbers, which are not part of a selection."""

    ALLOW_SELECT = False

    def __init__(self, lines: int) -> None:
        width = len(str(lines))
        numbers = "\n".join(f"{number:>{width}}" for number in range(1, lines + 1))
        super().__init__(numbers, direction="ltr")


class SidewaysScroll(HorizontalScroll, can_focus=False):
    """Scrolls long lines; the keys are those of the program."""


class ProgramCode(LeftToRight, Horizontal):
    """The code of a program beside its line numbers, which stay visible."""

    def __init__(self, code: str) -> None:
        super().__init__(classes="code")
        self._lines = CodeLines(code)

    def compose(self) -> ComposeResult:
        """Compose the numbers beside the lines."""
        yield LineNumbers(self._lines.text.count("\n") + 1)
        with SidewaysScroll():
            yield self._lines

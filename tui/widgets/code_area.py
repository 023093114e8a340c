"""Code editors with syntax colours."""

from __future__ import annotations

from typing import ClassVar

from textual import on
from textual.content import Content, Span
from textual.timer import Timer
from textual.widgets import TextArea
from textual.widgets.text_area import TextAreaTheme

from kb.model import Snippet
from tui.commands import Place, bindings
from tui.messages import CodeLeft, DraftChanged, KeepCode, RunSnippet
from tui.themes import CODE_STYLES, coloured
from tui.widgets.text_area import SafeArea

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

    def __init__(self, code: str = "", *, id: str | None = None, classes: str | None = None):
        super().__init__(
            code,
            tab_behavior="indent",
            soft_wrap=False,
            show_line_numbers=True,
            compact=True,
            id=id,
            classes=classes,
        )
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

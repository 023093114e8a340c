"""A field to write a text in: its name, the area, the text as it reads, and what is wrong."""

from __future__ import annotations

from textual import on
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import TextArea

from kb.display import has_rtl
from tui.terminal import turned
from tui.widgets.bidi_text import BidiText
from tui.widgets.text_area import SafeArea


class Problem(BidiText):
    """What is wrong with the field above; out of sight while nothing is."""

    DEFAULT_CSS = """
    Problem {
        display: none;
        color: $text-warning;
    }
    """

    def tell(self, problem: str) -> None:
        """Say what is wrong, or nothing any more."""
        self.show(problem)
        self.display = bool(problem)


class TextField(Vertical):
    """An area under its name; where the app turns text, the text stands below as it reads.

    An area shows right-to-left text in the order in which it was typed.
    """

    DEFAULT_CSS = """
    TextField {
        height: auto;
        SafeArea {
            height: auto;
            min-height: 2;
            max-height: 10;
            background: $panel;
            padding: 0 1;
        }
        .preview {
            display: none;
            color: $text-secondary;
            padding: 0 1;
            max-height: 8;
        }
    }
    """

    def __init__(self, title: str, text: str, *, role: str) -> None:
        super().__init__()
        self.role = role
        self._title = title
        self._text = text

    def compose(self) -> ComposeResult:
        """Put the parts under each other."""
        yield BidiText(self._title)
        yield SafeArea(self._text, compact=True, tab_behavior="focus")
        yield BidiText(direction="auto", classes="preview")
        yield Problem()

    def on_mount(self) -> None:
        """Show what is there as it reads."""
        self._preview()

    @property
    def text(self) -> str:
        """What was written."""
        return self.query_one(TextArea).text if self.is_mounted else self._text

    def tell(self, problem: str) -> None:
        """Say what is wrong with the text, or nothing any more."""
        self.query_one(Problem).tell(problem)

    @on(TextArea.Changed)
    def _preview(self) -> None:
        preview = self.query_one(".preview", BidiText)
        preview.show(self.text)
        preview.display = turned() and has_rtl(self.text)

"""A field to write a text in: its name, the area, and what is wrong."""

from __future__ import annotations

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import TextArea

from tui.widgets.bidi_text import BidiText
from tui.widgets.text_area import BidiArea


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
    """An area under its name, and what is wrong with it below."""

    DEFAULT_CSS = """
    TextField {
        height: auto;
        BidiArea {
            height: auto;
            min-height: 2;
            max-height: 10;
            background: $panel;
            padding: 0 1;
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
        yield BidiArea(self._text)
        yield Problem()

    @property
    def text(self) -> str:
        """What was written."""
        return self.query_one(TextArea).text if self.is_mounted else self._text

    def tell(self, problem: str) -> None:
        """Say what is wrong with the text, or nothing any more."""
        self.query_one(Problem).tell(problem)

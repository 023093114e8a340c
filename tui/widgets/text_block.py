"""Parts of an entry that a reader can point at: its texts, and the heads of annotations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual import events
from textual.message import Message

from kb.display import Direction
from tui.annotated import Home
from tui.bidi import StyledSpan
from tui.widgets.bidi_text import BidiText

if TYPE_CHECKING:
    from kb.records import Annotation, TextSpan


class TextBlock(BidiText):
    """A paragraph of an entry's text; words of it can be selected with the mouse.

    Its formulas are readable, and each is selected whole.
    """

    def __init__(
        self,
        home: Home,
        text: str,
        marks: Sequence[StyledSpan] = (),
        *,
        direction: Direction = "auto",
        classes: str | None = None,
    ) -> None:
        super().__init__(text, marks, direction=direction, formulas=True, classes=classes)
        self.home = home

    def selected_words(self) -> TextSpan | None:
        """Return the words of the entry that are selected, if any are."""
        selection = self.text_selection
        span = self.selected_span(selection) if selection is not None else None
        return None if span is None else self.home.words(*span)


class AnnotationHead(BidiText):
    """The line that begins an annotation; a click makes it the current one."""

    @dataclass
    class Chosen(Message):
        """This annotation was pointed at."""

        head: AnnotationHead

    def __init__(
        self, annotation: Annotation, text: str, marks: Sequence[StyledSpan], *, classes: str
    ) -> None:
        super().__init__(text, marks, name=annotation.id, classes=classes)
        self.annotation = annotation

    def on_click(self, event: events.Click) -> None:
        """Make it the current one."""
        event.stop()
        self.post_message(self.Chosen(self))

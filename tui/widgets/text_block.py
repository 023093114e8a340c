"""Parts of an entry that a reader can point at: its texts, and the heads of annotations."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from textual import events
from textual.app import ComposeResult
from textual.containers import HorizontalScroll
from textual.message import Message

from kb.present.markdown.document import ADDED, Block, Document, Passage
from tui.bidi import StyledSpan
from tui.messages import ColourCode
from tui.widgets.bidi_text import BidiText
from tui.widgets.prose import ProseText

if TYPE_CHECKING:
    from kb.records import Annotation, TextSpan


class TextBlock(ProseText):
    """A passage of an entry's text of a role; words of it can be selected with the mouse.

    Its formulas are readable, and each is selected whole.
    """

    def __init__(
        self,
        role: str,
        lang: str,
        document: Document,
        passage: Passage,
        marks: Sequence[StyledSpan] = (),
        *,
        classes: str | None = None,
    ) -> None:
        super().__init__(document, passage.blocks, marks, classes=classes)
        self.role = role
        self.lang = lang
        self.start = passage.start

    def words(self, start: int, end: int) -> TextSpan:
        """Return words of the entry's text by their place in it."""
        from kb.records import TextSpan

        return TextSpan(self.role, self.lang, start, end)

    def selected_words(self) -> TextSpan | None:
        """Return the words of the entry that are selected, if any are."""
        selection = self.text_selection
        span = self.selected_span(selection) if selection is not None else None
        return None if span is None else self.words(*span)


class CodeText(TextBlock):
    """Code within a text, in colours; its lines are not broken."""

    breaks_code = False

    def colour(self, colours: Sequence[StyledSpan]) -> None:
        """Show the code in its colours, and the marks that it had over them."""
        self.show(self._text, [*colours, *self._marks])


class CodeBlock(HorizontalScroll):
    """Code within a text; where it is wider than its pane it is scrolled."""

    def __init__(self, text: CodeText, block: Block, *, classes: str) -> None:
        super().__init__(classes=f"program {classes}")
        self._shown = text
        self._language = block.language
        shown = block.prose.shown
        written = [each for each in zip(*shown, strict=True) if each[1] != ADDED]
        self.code = "".join(char for char, _place in written)
        self._places = [place for _char, place in written]

    def compose(self) -> ComposeResult:
        """Show the code."""
        yield self._shown

    def allow_focus(self) -> bool:
        """Take the focus where there is something to scroll."""
        return self.max_scroll_x > 0

    def on_mount(self) -> None:
        """Ask for the colours."""
        if self._language:
            self.post_message(ColourCode(self.code, self._language))

    def colour(self, marks: Sequence[StyledSpan]) -> None:
        """Show the code in its colours."""
        self._shown.colour(
            [
                StyledSpan(self._places[start], self._places[end - 1] + 1, style)
                for start, end, style in marks
                if start < end <= len(self._places)
            ]
        )


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

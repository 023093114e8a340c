"""Lines that a key or click opens: an address, an entry, a reference, a fold."""

from __future__ import annotations

from abc import abstractmethod
from dataclasses import dataclass
from typing import ClassVar

from textual import events
from textual.message import Message

from kb.i18n import ahead
from kb.present.annotated import Remark
from kb.present.markdown.document import ADDRESS
from kb.present.titles import title_of
from kb.terminal.bidi.direction import Direction, direction_of
from tui.bidi import StyledSpan, TextRow, first_rows
from tui.commands import Place, bindings
from tui.messages import OpenEntry, ShowPart
from tui.phrases import annotation_sign, verdict_of
from tui.widgets.bidi_text import BidiText
from tui.widgets.prose import LINK, open_address


class Link(BidiText, can_focus=True):
    """A line that a key or click opens."""

    PLACES: ClassVar[tuple[Place, ...]] = ("link", "reading")
    BINDINGS = bindings("link")

    def on_click(self, event: events.Click) -> None:
        """Open it."""
        event.stop()
        self.action_open()

    @abstractmethod
    def action_open(self) -> None:
        """Open it."""


class LinkLine(Link):
    """An address in the text."""

    def __init__(self, address: str) -> None:
        super().__init__(f"→ {address}", direction="ltr", classes="related")
        self._address = address

    def action_open(self) -> None:
        """Open the address."""
        open_address(self, self._address)


class RelatedLink(Link):
    """The question of a related entry in one row, or its id if there is no such entry."""

    def __init__(self, entry: str, lang: str = "", question: str = "") -> None:
        text = title_of(question).text
        self._reads: Direction = direction_of(lang) if text else "ltr"
        sign = "←" if self._reads == "rtl" else "→"
        super().__init__(f"{sign} {text or entry}", direction=self._reads, classes="related")
        self._entry = entry
        self._lang = lang

    def _rows_for(self, width: int) -> list[TextRow]:
        return first_rows(self.text, max(1, width), 1, self._reads, lang=self._lang)

    def action_open(self) -> None:
        """Open the entry."""
        self.post_message(OpenEntry(self._entry, followed=True))


class RemarkLine(Link):
    """An annotation's remark in one sentence, with a link to its note."""

    def __init__(self, remark: Remark) -> None:
        number, annotation = remark.each
        verdict = verdict_of(annotation.verdict)
        sign = f"{verdict.sign} {annotation_sign(number)}"
        mark = StyledSpan(0, len(sign), f"{verdict.style} bold")
        text, direction = f"{sign} {remark.sentence}", direction_of(remark.lang)
        super().__init__(text, [mark], direction=direction, classes="remark")
        self.annotation = annotation

    def action_open(self) -> None:
        """Go to the note, unless text is being selected."""
        if self.text_selection is None:
            self.post_message(ShowPart(self.annotation.id))


class Fold(Link):
    """A line that unfolds and folds what ``name`` identifies."""

    @dataclass
    class Toggled(Message):
        """A fold was opened or closed."""

        name: str

    def __init__(
        self, name: str, text: str = "", *, shown: bool = False, classes: str = "fold"
    ) -> None:
        super().__init__(classes=classes, name=name)
        self.tell(text, shown)

    def tell(self, text: str, shown: bool) -> None:
        """Show what there is, and whether it is unfolded."""
        self.shown = shown
        self.show(f"{'▾' if shown else ahead('▸')} {text}")

    def action_open(self) -> None:
        """Unfold or fold it."""
        self.post_message(self.Toggled(str(self.name)))


class Citation(BidiText):
    """A reference in one line; a click unfolds or folds it.

    A click on an address opens it, even if it is cut.
    """

    def __init__(self, reference: str) -> None:
        self._addresses = [(*match.span(), match[0]) for match in ADDRESS.finditer(reference)]
        marks = [StyledSpan(start, end, LINK) for start, end, _address in self._addresses]
        super().__init__(reference, marks, direction="auto", classes="citation")
        self._whole = False

    def _rows_for(self, width: int) -> list[TextRow]:
        if self._whole:
            return super()._rows_for(width)
        return first_rows(self.text, max(1, width), 1)

    def on_click(self, event: events.Click) -> None:
        """Open the address under the mouse, or unfold or fold the reference."""
        event.stop()
        offset = event.get_content_offset(self)
        place = self.place_at(*offset) if offset is not None else None
        inside = (to for start, end, to in self._addresses if start <= (place or 0) < end)
        address = next(inside, "") if place is not None else ""
        if address:
            open_address(self, address)
        elif self.text_selection is None:
            self._whole = not self._whole
            self.lay_out_again()

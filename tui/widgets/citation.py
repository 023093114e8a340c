"""What a note refers to: a line, which a click shows whole; its addresses are opened."""

from __future__ import annotations

from textual import events

from kb.present.markdown.masking import ADDRESS
from tui.bidi import StyledSpan, TextRow, first_rows
from tui.widgets.bidi_text import BidiText
from tui.widgets.prose import LINK, open_address


class Citation(BidiText):
    """A reference in one line, cut at its end; a click unfolds it, and folds it again.

    A click on an address opens it, wherever it is cut.
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
        """Open the address under the mouse, or show all of the reference, or its line again."""
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

"""Markdown blocks as drawn by a widget."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

from textual import events
from textual.widget import Widget

from kb.i18n import _
from kb.present.markdown.document import Block, Document, with_texts
from kb.terminal.layout import Line
from tui.bidi import StyledSpan, TextRow, direction_in
from tui.terminal import turned
from tui.widgets.bidi_text import BidiText

if TYPE_CHECKING:
    from kb.present.markdown.drawing import Drawn

LINK = "$link underline"
"""The style of an address that can be opened."""

_STYLES = {"code": "$text-secondary", "mark": "reverse", "link": LINK, "sign": ""}
"""The Textual styles of Markdown styles."""

_OPENED = re.compile(r"https?://|mailto:", re.IGNORECASE)


class ProseText(BidiText):
    """Blocks of a text, each in its own direction; positions and marks are those of the source.

    ``breaks_code`` wraps code to the width; ``opens_links`` opens links on a click.
    """

    breaks_code = True
    opens_links = True

    def __init__(
        self,
        document: Document,
        blocks: Sequence[Block] | None = None,
        marks: Sequence[StyledSpan] = (),
        **named: Any,
    ) -> None:
        source, direction = document.source, document.direction
        super().__init__(source, marks, direction=direction, formulas=True, **named)
        self.document = document
        self._blocks = tuple(document.blocks if blocks is None else blocks)

    @property
    def text(self) -> str:
        """The source text of the blocks, in logical order."""
        ends = [(block.start, block.end) for block in self._blocks] or [(0, 0)]
        return self._text[ends[0][0] : ends[-1][1]]

    def show_blocks(
        self, document: Document, blocks: Sequence[Block], marks: Sequence[StyledSpan]
    ) -> None:
        """Show other blocks, or the same with other marks."""
        changed, self._blocks = tuple(blocks) != self._blocks, tuple(blocks)
        self.show(document.source, marks, document.direction)
        if changed:
            self.refresh(layout=True)

    def _rows_for(self, width: int) -> list[TextRow]:
        from kb.present.markdown.drawing import draw  # with the first entry that is shown

        rows: list[TextRow] = []
        direction = direction_in(self._direction)
        for block in map(_with_marks, self._blocks) if self.app.no_color else self._blocks:
            if block.apart and rows:
                rows.append(TextRow(0, Line("", (), False, 0)))
            drawn = draw(block, max(1, width), direction, turned(), breaks_code=self.breaks_code)
            rows += map(_row, drawn)
        return rows

    def on_click(self, event: events.Click) -> None:
        """Open the link under the mouse, unless text is being selected."""
        offset = event.get_content_offset(self)
        address = self.address_at(*offset) if offset is not None else ""
        if address and self.opens_links and self.text_selection is None:
            event.stop()
            open_address(self, address)

    def address_at(self, x: int, y: int) -> str:
        """Return the address of a link shown in a cell, if any."""
        found = self.shown_at(x, y)
        if found is None:
            return ""
        row, index = found
        return next((to for start, end, to in row.links if start <= index < end), "")


def open_address(widget: Widget, address: str) -> None:
    """Open an address outside, and name it; other kinds are ignored."""
    if _OPENED.match(address):
        widget.app.open_url(address)
        widget.notify(_("Opening {address}").format(address=address), markup=False)


def _with_marks(block: Block) -> Block:
    """Return a block with marks around code, which otherwise only colour would show."""
    from kb.present.markdown.drawing import MARKS, with_marks

    return with_texts(block, lambda prose: with_marks(prose, {"code": MARKS["code"]}))


def _row(drawn: Drawn) -> TextRow:
    line, styled = drawn
    spans = [
        StyledSpan(start, end, " ".join(_STYLES.get(name, name) for name in sorted(styles)))
        for start, end, styles, _address in styled
        if styles
    ]
    links = [(start, end, address) for start, end, _styles, address in styled if address]
    return TextRow(0, line, spans, links)

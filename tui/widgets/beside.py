"""An entry in two languages: beside each other, or with a line to choose between them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING

from textual import events
from textual.containers import ItemGrid, Vertical
from textual.widget import Widget

from kb.i18n import LANGUAGES, _
from tui.bidi import StyledSpan, edge_of
from tui.messages import ReadIn
from tui.widgets.bidi_text import BidiText
from tui.widgets.blocks import answer_blocks, question_blocks

if TYPE_CHECKING:
    from tui.reading import Reading

_CHOSEN = "$text-primary bold reverse"


def rows_beside(reading: Reading) -> Iterator[Widget]:
    """Yield question beside question and answer beside answer, each row as high as the higher."""
    yield _row([list(question_blocks(side)) for side in reading.sides])
    roles = [role for role in reading.roles if role in reading.answered]
    for role in roles if not reading.hidden else ():
        yield _row([list(answer_blocks(side, role)) or [_nothing(side)] for side in reading.sides])


def _row(cells: Sequence[Sequence[Widget]]) -> ItemGrid:
    """Return cells in a row, the first where one begins to read."""
    return ItemGrid(*(Vertical(*blocks, classes="side") for blocks in cells), classes="sides")


def _nothing(side: Reading) -> BidiText:
    return BidiText(_("Not in this language"), direction=edge_of(side.wanted), classes="hint")


class LanguageTabs(BidiText):
    """The languages of an entry in a line, the one that is shown marked; a click reads another."""

    def __init__(self, reading: Reading) -> None:
        names = [f" {LANGUAGES.get(lang, lang)} " for lang in reading.spoken]
        ends = [len("│".join(names[: number + 1])) for number in range(len(names))]
        self._places = {
            lang: range(end - len(name), end)
            for lang, name, end in zip(reading.spoken, names, ends, strict=True)
        }
        shown = self._places[reading.lang]
        mark = StyledSpan(shown.start, shown.stop, _CHOSEN)
        super().__init__("│".join(names), [mark])

    def on_click(self, event: events.Click) -> None:
        """Read in the language under the mouse."""
        offset = event.get_content_offset(self)
        place = self.place_at(*offset) if offset is not None else None
        for lang, places in self._places.items():
            if place is not None and place in places:
                event.stop()
                self.post_message(ReadIn(lang))

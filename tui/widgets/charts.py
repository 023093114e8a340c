"""The charts printed by a run, drawn in characters."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from textual.selection import Selection

from kb.i18n import language
from kb.present.charts.drawing import draw
from kb.present.charts.reading import Chart, Piece
from kb.present.markdown.document import ADDED
from kb.terminal import Line, text_width
from tui.bidi import StyledSpan, TextRow
from tui.terminal import turned
from tui.widgets.bidi_text import BidiText


class ChartLines(BidiText):
    """Charts one below the other; a selection copies them as printed."""

    def __init__(self) -> None:
        super().__init__(classes="charts")
        self._charts: Sequence[Chart] = ()
        self.display = False

    def follow(self, found: Sequence[Piece]) -> None:
        """Show these charts, or hide if there are none."""
        self._charts = [piece.chart for piece in found if piece.chart is not None]
        self.display = bool(self._charts)
        self.show("".join(piece.text for piece in found))

    def _rows_for(self, width: int) -> list[TextRow]:
        return [row for chart in self._charts for row in _rows(chart, width)]

    def get_selection(self, selection: Selection) -> tuple[str, str] | None:
        """Return the selected charts as they were printed."""
        return (self.text, "\n") if self._charts else None


def _rows(chart: Chart, width: int) -> Iterator[TextRow]:
    """Yield an empty line and the lines of a chart, without text positions."""
    drawing = draw(chart, width, lang=language(), turned=turned())
    yield _row("")
    for text in drawing.title:
        yield _row(text)._replace(styled=[StyledSpan(0, len(text), "bold")])
    for text in drawing.lines:
        yield _row(text)


def _row(text: str) -> TextRow:
    return TextRow(0, Line(text, (ADDED,) * len(text), rtl=False, width=text_width(text)))

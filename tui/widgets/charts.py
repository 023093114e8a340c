"""Charts drawn in characters: those that a run prints, and a year of days."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from datetime import date, timedelta

from textual.selection import Selection

from kb.i18n import N_, _, language, right_to_left
from kb.present.charts.drawing import Brush, draw
from kb.present.charts.reading import Chart, Piece
from kb.present.markdown.document import ADDED
from kb.terminal.layout import Line, text_width
from tui.bidi import StyledSpan, TextRow
from tui.terminal import turned
from tui.widgets.bidi_text import BidiText

_WEEKDAYS = (N_("Mon"), N_("Tue"), N_("Wed"), N_("Thu"), N_("Fri"), N_("Sat"), N_("Sun"))
_SATURDAY = 5
_WEEKS = 53
_LONGEST_DAY = 12
_SHADES = "·░▒▓█"


class YearOfDays(BidiText):
    """The days of a year, one column per week; busier days are darker."""

    def __init__(self, today: date, done: Mapping[date, int]) -> None:
        text = "\n".join(f"{day} {count}" for day, count in sorted(done.items()))
        super().__init__(text, direction="ltr", classes="charts")
        self._today = today
        self._done = done

    def _rows_for(self, width: int) -> list[TextRow]:
        rtl, brush = right_to_left(), Brush(language(), turned())
        first = _SATURDAY if rtl else 0  # the day that a week begins with
        since = (self._today.weekday() - first) % 7
        names = [brush.word(_(each), _LONGEST_DAY) for each in _WEEKDAYS]
        column = max(cells for _name, cells in names)
        weeks = max(1, min(_WEEKS, width - column - 1))
        begin = self._today - timedelta(days=since + 7 * (weeks - 1))
        rows = []
        for place in range(7):
            days = [begin + timedelta(days=place + 7 * week) for week in range(weeks)]
            name, cells = names[(first + place) % 7]
            blank, shades = " " * (column - cells), "".join(map(self._shade, days))
            before = " " * (width - column - 1 - weeks)
            shown = f"{before}{shades[::-1]} {blank}{name}" if rtl else f"{name}{blank} {shades}"
            rows.append(_row(shown))
        return rows

    def _shade(self, day: date) -> str:
        if day > self._today:
            return " "
        most = max(self._done.values(), default=0)
        return _SHADES[-(-self._done.get(day, 0) * (len(_SHADES) - 1) // max(1, most))]


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

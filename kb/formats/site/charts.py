"""The chart of a program as SVG within a page, in the page's text colour.

Every tag is ours, and all else is escaped. Lines differ by markers and dashes, bars by their
fill, and each is labelled. The values are also in text for those who cannot see the drawing.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from kb.formats.hypertext.rendering import direction
from kb.formats.hypertext.telling import line, prose_line, spoken
from kb.present.charts.reading import Chart, Series
from kb.present.charts.scales import (
    all_written,
    kept_apart,
    log_name,
    place_scale,
    place_ticks,
    value_scale,
    written,
)
from kb.terminal.layout import text_width, unisolated
from kb.terminal.numerals import in_numerals

_WIDTH, _HEIGHT = 640, 260
_MARGIN, _ROW, _BAR = 8, 22, 14
_CELL = 8.0  # so wide is a letter at most, nearly always
_MOST_NAME = 260
_TICKS, _PLACES = 5, 8
_AXIS_ROOM = 44
_MARKS = "●○▲△■□"
_DASHES = ("", "8 4", "2 4", "10 3 2 3", "14 6", "5 5")
_HATCHES = (
    '<path d="M0 6L6 0" stroke="currentColor" stroke-width="1.5"/>',
    '<circle cx="3" cy="3" r="1.3" fill="currentColor"/>',
    '<path d="M0 3H6" stroke="currentColor" stroke-width="1.5"/>',
    '<path d="M3 0V6" stroke="currentColor" stroke-width="1.5"/>',
    '<path d="M0 3H6M3 0V6" stroke="currentColor"/>',
)
"""The fills of the second and later series; the first is solid."""


class _Pen(NamedTuple):
    """The language of a chart and its id on the page."""

    lang: str
    name: str

    @property
    def rtl(self) -> bool:
        return direction(self.lang) == "rtl"

    def said(self, text: str) -> str:
        """Return an escaped text of the chart, with its digits and with formulas kept in order."""
        return line(unisolated(in_numerals(text, self.lang)))

    def numbers(self, values: Sequence[float]) -> list[str]:
        return [line(each) for each in all_written(values, self.lang)]

    def word(self, x: float, y: float, text: str) -> str:
        """Return words at a place, to its right, or to its left if they run that way."""
        return f'<text x="{x:.1f}" y="{y:.1f}" direction="{direction(self.lang)}">{text}</text>'

    def number(self, x: float, y: float, text: str, anchor: str) -> str:
        """Return a number at a place: it runs left to right in every language."""
        place = f'x="{x:.1f}" y="{y:.1f}" text-anchor="{anchor}"'
        return f'<text {place} direction="ltr">{text}</text>'


def figure(chart: Chart, lang: str, name: str) -> str:
    """Return a chart below its title. ``name`` is an id that is unique on the page."""
    pen, shown = _Pen(lang, name), chart.in_language(lang)
    title = log_name(shown.title, lang, log=shown.log_y)
    drawing = _Plot(shown, pen) if shown.places else _Bars(shown, pen)
    return "".join([
        f"<figure {spoken(lang)}>\n<figcaption>{prose_line(title, lang)}</figcaption>\n",
        f'<svg viewBox="0 0 {_WIDTH} {drawing.height}" role="img" font-size="14" ',
        f'fill="currentColor" aria-labelledby="{name}-t {name}-d">\n',
        f'<title id="{name}-t">{pen.said(title)}</title>\n',
        f'<desc id="{name}-d">{_told(shown, pen)}</desc>\n',
        *drawing.parts(),
        "</svg>\n</figure>\n",
    ])  # fmt: skip


def _told(chart: Chart, pen: _Pen) -> str:
    """Return all values of a chart in words."""
    first = pen.numbers(chart.places) if chart.places else list(map(pen.said, chart.words))
    rows = [(chart.axis, first), *((s.name, pen.numbers(s.values)) for s in chart.series)]
    return ". ".join(f"{pen.said(name)}: {' | '.join(values)}" for name, values in rows)


def _room(names: Sequence[str]) -> float:
    return min(_MOST_NAME, _CELL * max(map(text_width, names)) + _MARGIN)


class _Bars:
    """A bar chart: the start and maximum length of its bars, and the scale of their values."""

    def __init__(self, chart: Chart, pen: _Pen) -> None:
        self._chart, self._pen = chart, pen
        self._many = len(chart.series) > 1
        values = [value for each in chart.series for value in each.values]
        self._scale = value_scale(values, log=chart.log_y, zero=True)
        room = _room([each.name for each in chart.series] if self._many else chart.words)
        numbers = _room([written(value, pen.lang) for value in values])
        self._begin, self._length = room + _MARGIN, _WIDTH - room - numbers - 2 * _MARGIN
        self.height = len(chart.words) * (len(chart.series) + self._many) * _ROW + _MARGIN

    def parts(self) -> Iterator[str]:
        """Yield the fills of bars, and the rows."""
        pen, series = self._pen, self._chart.series
        for number, hatch in enumerate(_HATCHES[: len(series) - 1], 1):
            yield f'<pattern id="{pen.name}-{number}" width="6" height="6" '
            yield f'patternUnits="userSpaceOnUse">{hatch}</pattern>\n'
        y = 0
        for place, word in enumerate(self._chart.words):
            if self._many:
                yield pen.word(self._place(0), y + _ROW * 0.7, pen.said(word))
                y += _ROW
            for number, each in enumerate(series):
                name = each.name if self._many else word
                yield from self._row(y, pen.said(name), each.values[place], number)
                y += _ROW

    def _place(self, x: float) -> float:
        """Return a horizontal position, mirrored for right-to-left text."""
        return _WIDTH - x if self._pen.rtl else x

    def _row(self, y: float, name: str, value: float, number: int) -> Iterator[str]:
        """Yield the name, the bar and the value of a row; a logarithm has no zero to begin at."""
        pen, log = self._pen, self._scale.log
        middle, end = y + _ROW * 0.7, self._begin + self._scale.share(value) * self._length
        zero = self._begin + (0 if log else self._scale.share(0.0) * self._length)
        yield pen.word(self._place(0), middle, name)
        if log:
            way = f"M{self._place(zero):.1f} {y + 4 + _BAR / 2}H{self._place(end):.1f}"
            yield f'<path d="{way}" stroke="currentColor" stroke-dasharray="1 4"/>'
            yield _sign(self._place(end), y + 4 + _BAR / 2, number)
        else:
            left = min(self._place(zero), self._place(end))
            yield f'<rect x="{left:.1f}" y="{y + 4}" width="{abs(end - zero):.1f}" '
            filling = f"url(#{pen.name}-{number})" if number else "currentColor"
            yield f'height="{_BAR}" fill="{filling}" stroke="currentColor"/>'
        yield f'<path d="M{self._place(zero):.1f} {y}v{_ROW}" stroke="currentColor"/>'
        beside, anchor = self._place(max(zero, end) + _MARGIN), "end" if pen.rtl else "start"
        yield pen.number(beside, middle, line(written(value, pen.lang)), anchor) + "\n"


def _sign(x: float, y: float, number: int) -> str:
    return f'<text x="{x:.1f}" y="{y + 5:.1f}" text-anchor="middle">{_MARKS[number]}</text>'


class _Plot:
    """A line chart: the positions of its values, its axes and its names."""

    height = _HEIGHT + _AXIS_ROOM

    def __init__(self, chart: Chart, pen: _Pen) -> None:
        self._chart, self._pen = chart, pen
        values = [value for each in chart.series for value in each.values]
        self._y = value_scale(values, log=chart.log_y, zero=False)
        self._x = place_scale(chart.places, log=chart.log_x)
        self._ticks = self._y.ticks(_TICKS)
        self._left = _room(pen.numbers(self._ticks)) + _MARGIN
        names = _room([each.name for each in chart.series]) + 3 * _MARGIN
        self._right = _WIDTH - names

    def parts(self) -> Iterator[str]:
        """Yield the axes, the lines with markers, and the names at their ends."""
        yield from self._axes()
        for number, each in enumerate(self._chart.series):
            yield from self._line(number, each)
        ends = [self._down(each.values[-1]) for each in self._chart.series]
        for number, y in enumerate(kept_apart(ends, 18, _HEIGHT)):
            name = self._pen.said(self._chart.series[number].name)
            x = _WIDTH - _MARGIN if self._pen.rtl else self._right + 3 * _MARGIN
            yield _sign(self._right + 1.5 * _MARGIN, y, number)
            yield self._pen.word(x, y + 5, name) + "\n"

    def _across(self, place: float) -> float:
        return self._left + self._x.share(place) * (self._right - self._left)

    def _down(self, value: float) -> float:
        return _MARGIN + (1 - self._y.share(value)) * (_HEIGHT - 2 * _MARGIN)

    def _line(self, number: int, series: Series) -> Iterator[str]:
        points = [
            (self._across(x), self._down(y))
            for x, y in zip(self._chart.places, series.values, strict=True)
        ]
        way = " ".join(f"{x:.1f},{y:.1f}" for x, y in points)
        dashes = f' stroke-dasharray="{_DASHES[number]}"' if _DASHES[number] else ""
        yield f'<polyline points="{way}" fill="none" stroke="currentColor"{dashes}/>'
        every = -(-len(points) // (2 * _PLACES))
        yield from (_sign(x, y, number) for x, y in points[::every])
        yield "\n"

    def _axes(self) -> Iterator[str]:
        """Yield both axes with the labels that fit, and the name of the x axis."""
        yield f'<path d="M{self._left:.1f} 0V{_HEIGHT}H{self._right:.1f}" '
        yield 'fill="none" stroke="currentColor"/>\n'
        for tick, label in zip(self._ticks, self._pen.numbers(self._ticks), strict=True):
            y = self._down(tick)
            yield f'<path d="M{self._left:.1f} {y:.1f}H{self._right:.1f}" '
            yield 'stroke="currentColor" stroke-opacity=".2"/>'
            yield self._pen.number(self._left - _MARGIN, y + 5, label, "end") + "\n"
        ticks = place_ticks(self._chart.places, self._x, _PLACES)
        free = 0.0
        for tick, label in zip(ticks, self._pen.numbers(ticks), strict=True):
            x, half = self._across(tick), _CELL * len(label) / 2
            if x - half >= free:
                free = x + half
                yield f'<path d="M{x:.1f} {_HEIGHT}v5" stroke="currentColor"/>'
                yield self._pen.number(x, _HEIGHT + 19, label, "middle") + "\n"
        name = self._pen.said(log_name(self._chart.axis, self._pen.lang, log=self._x.log))
        middle = (self._left + self._right) / 2
        yield f'<text x="{middle:.1f}" y="{_HEIGHT + 38}" text-anchor="middle" '
        yield f'direction="{direction(self._pen.lang)}">{name}</text>\n'

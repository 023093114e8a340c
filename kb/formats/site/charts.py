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
from kb.present.charts.scales import Scale, kept_apart, place_scale, place_ticks, value_scale
from kb.present.charts.words import all_written, log_name, written
from kb.terminal import in_numerals, text_width, unisolated

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
    if shown.places:
        height, drawn = float(_HEIGHT + _AXIS_ROOM), _Plot(shown, pen).parts()
    else:
        height, drawn = _bars(shown, pen)
    return "".join([
        f"<figure {spoken(lang)}>\n<figcaption>{prose_line(title, lang)}</figcaption>\n",
        f'<svg viewBox="0 0 {_WIDTH} {height:.0f}" role="img" font-size="14" ',
        f'fill="currentColor" aria-labelledby="{name}-t {name}-d">\n',
        f'<title id="{name}-t">{pen.said(title)}</title>\n',
        f'<desc id="{name}-d">{_told(shown, pen)}</desc>\n',
        *drawn,
        "</svg>\n</figure>\n",
    ])  # fmt: skip


def _told(chart: Chart, pen: _Pen) -> str:
    """Return all values of a chart in words."""
    first = pen.numbers(chart.places) if chart.places else list(map(pen.said, chart.words))
    rows = [(chart.axis, first), *((s.name, pen.numbers(s.values)) for s in chart.series)]
    return ". ".join(f"{pen.said(name)}: {' | '.join(values)}" for name, values in rows)


def _room(names: Sequence[str]) -> float:
    return min(_MOST_NAME, _CELL * max(map(text_width, names)) + _MARGIN)


# Bars


def _bars(chart: Chart, pen: _Pen) -> tuple[float, Iterator[str]]:
    """Return the height of a bar chart, and its parts."""
    rows = len(chart.words) * (len(chart.series) + (len(chart.series) > 1))
    return rows * _ROW + _MARGIN, _all_bars(chart, pen)


def _all_bars(chart: Chart, pen: _Pen) -> Iterator[str]:
    many = len(chart.series) > 1
    values = [value for each in chart.series for value in each.values]
    scale = value_scale(values, log=chart.log_y, zero=True)
    room = _room([each.name for each in chart.series] if many else chart.words)
    numbers = _room([written(value, pen.lang) for value in values])
    bars = _Bars(pen, scale, room + _MARGIN, _WIDTH - room - numbers - 2 * _MARGIN)
    for number, hatch in enumerate(_HATCHES[: len(chart.series) - 1], 1):
        yield f'<pattern id="{pen.name}-{number}" width="6" height="6" '
        yield f'patternUnits="userSpaceOnUse">{hatch}</pattern>\n'
    y = 0
    for place, word in enumerate(chart.words):
        if many:
            yield pen.word(_WIDTH if pen.rtl else 0, y + _ROW * 0.7, pen.said(word))
            y += _ROW
        for number, each in enumerate(chart.series):
            name = each.name if many else word
            yield from bars.bar(y, pen.said(name), each.values[place], number)
            y += _ROW


class _Bars(NamedTuple):
    """The start and maximum length of bars, and the scale of values."""

    pen: _Pen
    scale: Scale
    begin: float
    length: float

    def place(self, x: float) -> float:
        """Return a horizontal position, mirrored for right-to-left text."""
        return _WIDTH - x if self.pen.rtl else x

    def bar(self, y: float, name: str, value: float, number: int) -> Iterator[str]:
        """Yield the name, the bar and the value of a row."""
        middle, end = y + _ROW * 0.7, self.begin + self.scale.share(value) * self.length
        zero = self.begin + (0 if self.scale.log else self.scale.share(0.0) * self.length)
        yield self.pen.word(self.place(0), middle, name)
        yield self._mark(y, end, number) if self.scale.log else self._solid(y, zero, end, number)
        yield f'<path d="M{self.place(zero):.1f} {y}v{_ROW}" stroke="currentColor"/>'
        beside, anchor = self.place(max(zero, end) + _MARGIN), "end" if self.pen.rtl else "start"
        yield self.pen.number(beside, middle, line(written(value, self.pen.lang)), anchor) + "\n"

    def _solid(self, y: float, zero: float, end: float, number: int) -> str:
        left = min(self.place(zero), self.place(end))
        filling = f"url(#{self.pen.name}-{number})" if number else "currentColor"
        return (
            f'<rect x="{left:.1f}" y="{y + 4}" width="{abs(end - zero):.1f}" height="{_BAR}" '
            f'fill="{filling}" stroke="currentColor"/>'
        )

    def _mark(self, y: float, end: float, number: int) -> str:
        middle = y + 4 + _BAR / 2
        way = f"M{self.place(self.begin):.1f} {middle}H{self.place(end):.1f}"
        return (
            f'<path d="{way}" stroke="currentColor" stroke-dasharray="1 4"/>'
            f"{_sign(self.place(end), middle, number)}"
        )


def _sign(x: float, y: float, number: int) -> str:
    return f'<text x="{x:.1f}" y="{y + 5:.1f}" text-anchor="middle">{_MARKS[number]}</text>'


# Lines


class _Plot:
    """A line chart: the positions of its values, its axes and its names."""

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

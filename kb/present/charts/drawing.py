"""A chart in characters: horizontal bars, or lines of braille dots, each labelled.

Colour alone never carries meaning. Lines differ by markers and dash patterns, bars by their fill,
and each is labelled. For right-to-left names, bars begin at the right. Numbers rise from left to
right in both cases, as in textbooks.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from kb.present.charts.reading import Chart, Series
from kb.present.charts.scales import (
    Scale,
    all_written,
    kept_apart,
    log_name,
    place_scale,
    place_ticks,
    value_scale,
    written,
)
from kb.terminal.bidi.direction import direction_of, has_rtl
from kb.terminal.layout import Line, first_lines, lay_out
from kb.terminal.terminal import in_one_line

NARROWEST = 30
"""The minimum width of a chart in cells."""
WIDEST = 80
_HEIGHT = 12
_ROOM_FOR_NAMES = 3  # names take one part in this many of a line at most
_LEAST_PLOT = 30
_MOST_MARKS = 8
_CELLS_A_TICK = 9
_ROWS_A_TICK = 3
_ACROSS, _DOWN = 2, 4  # the dots of a cell
_LRM = "\u200e"


_FILLINGS, _MARKS, _LEADER, _FRAME = "█░▓▒▞▤", "●○▲△■□", "·", "│┤└─┴"
"""The fills of bars and markers of lines, one per series, and the signs of axes."""
_ENDS = {False: "▏▎▍▌▋▊▉█", True: "▕▐█"}
"""Partial cells that end a solid bar, from small to full, by whether it runs right to left."""
_DOTTED = ("1", "1111111000", "100", "11111001100", "1111000000", "110000")
"""The dash patterns of lines."""


class Brush(NamedTuple):
    """The style of a chart: its language, and whether it is reordered (``turned``)."""

    lang: str
    turned: bool

    @property
    def rtl(self) -> bool:
        """Whether the words run right to left."""
        return direction_of(self.lang) == "rtl"

    def word(self, text: str, room: int) -> tuple[str, int]:
        """Return a word in at most this many cells, safe for a terminal, and its width."""
        (line,) = first_lines(
            in_one_line(text),
            max(1, room),
            1,
            direction=direction_of(self.lang),
            turned=self.turned,
            lang=self.lang,
        )
        return self._apart(line), line.width

    def edged(self, text: str, width: int) -> list[str]:
        """Return words in lines, aligned to the side where they begin."""
        direction = direction_of(self.lang)
        laid = lay_out(
            in_one_line(text), width, direction=direction, turned=self.turned, lang=self.lang
        )
        return [" " * (width - line.width if self.rtl else 0) + self._apart(line) for line in laid]

    def _apart(self, line: Line) -> str:
        """Return an isolated word of a line.

        Without isolation, a terminal that reorders text would join it to its neighbours.
        """
        apart = not self.turned and has_rtl(line.text)
        return f"{_LRM}{line.text}{_LRM}" if apart else line.text


class Drawing(NamedTuple):
    """A chart as lines of cells: the title, and the lines below."""

    title: list[str]
    lines: list[str]


def draw(chart: Chart, width: int, *, lang: str, turned: bool = True) -> Drawing:
    """Return a chart in lines of at most ``width`` cells.

    Its words are in ``lang`` if available. Right-to-left words are reordered (``turned``) unless
    the terminal does that.
    """
    brush = Brush(lang, turned)
    shown, width = chart.in_language(lang), max(NARROWEST, min(width, WIDEST))
    title = brush.edged(log_name(shown.title, lang, log=shown.log_y), width)
    drawn = _Lines(shown, brush, width).lines() if shown.places else _bars(shown, brush, width)
    return Drawing(title, [line.rstrip() for line in drawn])


# Bars


def _bars(chart: Chart, brush: Brush, width: int) -> Iterator[str]:
    """Yield a bar beside each word, or one per series below each word.

    Bars are also below their words if the words are too long.
    """
    many, most = len(chart.series) > 1, width // 2 - 4
    above = many or max(brush.word(word, width)[1] for word in chart.words) > most
    names = [each.name for each in chart.series] if many else [""] if above else chart.words
    indent = 2 * many
    values = [value for each in chart.series for value in each.values]
    scale = value_scale(values, log=chart.log_y, zero=True)
    numbers = max(len(written(value, brush.lang)) for value in values)
    room = min(max(brush.word(name, width)[1] for name in names), most - indent)
    bars = _Bars(brush, width, room, indent, numbers, scale)
    for place, word in enumerate(chart.words):
        if above:
            yield from brush.edged(word, width)
        for number, each in enumerate(chart.series):
            yield bars.bar(names[number if above else place], each.values[place], number)


class _Bars(NamedTuple):
    """The columns of a bar chart: names, bars and values."""

    brush: Brush
    width: int
    names: int
    indent: int
    numbers: int
    scale: Scale

    def bar(self, name: str, value: float, series: int) -> str:
        shown, cells = self.brush.word(name, self.names)
        room = self.width - self.indent - self.names - self.numbers - 3
        filled = self._filled(value, room, series)
        number = written(value, self.brush.lang)
        blank, axis = " " * (self.names - cells), _FRAME[0]
        if self.brush.rtl:
            rest = " " * (room + self.numbers - len(filled) - len(number))
            return f"{rest}{number} {filled}{axis} {blank}{shown}{' ' * self.indent}"
        return f"{' ' * self.indent}{shown}{blank} {axis}{filled} {number}"

    def _filled(self, value: float, room: int, series: int) -> str:
        """Return a bar; a negative one begins at zero, before the end of its space."""
        if self.scale.log:  # no length is right where there is no zero: a mark at its place
            ahead = round(self.scale.share(value) * (room - 1))
            return self._turned(_LEADER * ahead + _MARKS[series])
        zero = self.scale.share(0.0) * room
        size = abs(self.scale.share(value) * room - zero)
        solid = self._solid(size, series, value)
        before = min(round(zero - size if value < 0 else zero), room - len(solid))
        return self._turned(" " * before + solid)

    def _solid(self, size: float, series: int, value: float) -> str:
        filling = _FILLINGS[series]
        ends = _ENDS[self.brush.rtl]
        if series or self.scale.low < 0:
            return filling * max(round(size), value != 0)
        whole, rest = divmod(round(size * len(ends)), len(ends))
        end = ends[rest - 1] if rest else ""
        return filling * whole + end or ends[0] * (value != 0)

    def _turned(self, bar: str) -> str:
        return bar[::-1] if self.brush.rtl else bar


# Lines


class _Lines:
    """A line chart: columns, axes, and the cells between them."""

    def __init__(self, chart: Chart, brush: Brush, width: int) -> None:
        self._chart, self._brush, self._width = chart, brush, width
        values = [value for each in chart.series for value in each.values]
        self._y = value_scale(values, log=chart.log_y, zero=False)
        self._x = place_scale(chart.places, log=chart.log_x)
        ticks = self._y.ticks(_HEIGHT // _ROWS_A_TICK + 1)
        self._ticks = dict(zip(map(self._row, ticks), all_written(ticks, brush.lang), strict=True))
        self._gutter = max(map(len, self._ticks.values()))
        longest = max(brush.word(each.name, width)[1] for each in chart.series)
        fits = longest <= width // _ROOM_FOR_NAMES and width - self._gutter - longest > _LEAST_PLOT
        self._names = longest if fits else 0  # of cells at the ends of lines; else they go below
        self._plot = width - self._gutter - 2 - (self._names + 3 if self._names else 0)

    def lines(self) -> Iterator[str]:
        """Yield the plot, its x axis, and names that did not fit in it."""
        names = self._named() if self._names else {}
        for row, cells in enumerate(self._cells()):
            tick = self._ticks.get(row, "")
            edge = _FRAME[1] if tick else _FRAME[0]
            yield f"{tick:>{self._gutter}} {edge}{''.join(cells)}{names.get(row, '')}"
        yield from self._x_axis()
        if not self._names:
            for number, each in enumerate(self._chart.series):
                yield self._below(number, each)

    def _row(self, value: float) -> int:
        return round((1 - self._y.share(value)) * (_DOWN * _HEIGHT - 1)) // _DOWN

    def _column(self, place: float) -> int:
        return round(self._x.share(place) * (_ACROSS * self._plot - 1)) // _ACROSS

    def _named(self) -> Mapping[int, str]:
        """Return the series names by row, near the ends of their lines, one per row."""
        series = self._chart.series
        ends = [self._row(each.values[-1]) for each in series]
        return {
            int(row): f" {_MARKS[n]} {self._brush.word(series[n].name, self._names)[0]}"
            for n, row in enumerate(kept_apart(ends, 1, _HEIGHT - 1))
        }

    def _below(self, number: int, series: Series) -> str:
        """Return the marker of a line and its name, aligned to the names' side."""
        shown, cells = self._brush.word(series.name, self._width - 2)
        if self._brush.rtl:
            return f"{' ' * (self._width - cells - 2)}{shown} {_MARKS[number]}"
        return f"{_MARKS[number]} {shown}"

    def _cells(self) -> list[list[str]]:
        """Return the rows of the plot: dotted lines, with markers over them."""
        canvas = [[0] * self._plot for _ in range(_HEIGHT)]
        for number, each in enumerate(self._chart.series):
            self._trace(canvas, each, _DOTTED[number])
        cells = [[chr(0x2800 + dots) if dots else " " for dots in row] for row in canvas]
        count = self._chart.size
        every = -(-count // _MOST_MARKS)
        for number, each in enumerate(self._chart.series):
            marked = {0, count - 1, *range(number % every, count, every)}
            for index in marked:
                row = cells[self._row(each.values[index])]
                at = self._column(self._chart.places[index])
                row[self._free(row, at)] = _MARKS[number]
        return cells

    def _free(self, row: Sequence[str], at: int) -> int:
        """Return the nearest cell without a marker, so that none hides another."""
        near = (at + way * far for far in range(len(row)) for way in (1, -1))
        free = (cell for cell in near if 0 <= cell < len(row) and row[cell] not in _MARKS)
        return next(free, at)

    def _trace(self, canvas: list[list[int]], series: Series, dotted: str) -> None:
        """Set the dots of a line."""
        right, bottom = _ACROSS * self._plot - 1, _DOWN * _HEIGHT - 1
        points = [
            (self._x.share(x) * right, (1 - self._y.share(y)) * bottom)
            for x, y in zip(self._chart.places, series.values, strict=True)
        ]
        for done, (x, y) in enumerate(_way(points)):
            if dotted[done % len(dotted)] == "1":
                canvas[y // _DOWN][x // _ACROSS] |= _DOTS[y % _DOWN][x % _ACROSS]

    def _x_axis(self) -> Iterator[str]:
        """Yield the axis line, the values that fit, and its name."""
        ticks = place_ticks(self._chart.places, self._x, max(2, self._plot // _CELLS_A_TICK))
        labels = all_written(ticks, self._brush.lang)
        line, below = [_FRAME[3]] * self._plot, [" "] * (self._plot + self._gutter + 2)
        labelled = list(zip(ticks, labels, strict=True))
        # The first and the last have priority for limited space.
        for tick, label in (*labelled[:1], *labelled[-1:], *labelled[1:-1]):
            at = self._column(tick)
            begin = min(max(0, at + self._gutter + 2 - len(label) // 2), len(below) - len(label))
            near = below[max(0, begin - 1) : begin + len(label) + 1]
            if any(char != " " for char in near):
                continue
            line[at] = _FRAME[4]
            below[begin : begin + len(label)] = label
        yield f"{' ' * self._gutter} {_FRAME[2]}{''.join(line)}"
        yield "".join(below)
        name = log_name(self._chart.axis, self._brush.lang, log=self._x.log)
        room = self._gutter + 2 + self._plot
        shown, cells = self._brush.word(name, room)
        yield " " * (room - cells) + shown


_DOTS = ((0x01, 0x08), (0x02, 0x10), (0x04, 0x20), (0x40, 0x80))
"""The bits of a character of braille, by row and column (Unicode, chapter 21.1)."""


def _way(points: Sequence[tuple[float, float]]) -> Iterator[tuple[int, int]]:
    """Yield the dots along the path from point to point, without repetition."""
    before = None
    for (x, y), (to_x, to_y) in pairwise(points):
        steps = max(1, round(max(abs(to_x - x), abs(to_y - y))))
        for step in range(steps + 1):
            share = step / steps
            dot = round(x + (to_x - x) * share), round(y + (to_y - y) * share)
            if dot != before:
                yield dot
            before = dot

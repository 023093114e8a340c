"""Parses charts that a program prints: a line ``chart: TITLE`` and indented rows.

    chart: training loss after 8 epochs
      batch (log): 32 256 2048
      same rate: 0.308 0.476 0.72
      scaled rate: 0.308 0.307 0.329
      fa: زیان آموزش پس از ۸ دور; اندازهٔ دسته; نرخ یکسان; نرخ متناسب

The first row is the x axis: ascending numbers make lines, comma-separated words make bars. The
other rows are series. Numbers are separated by spaces or commas. ``(log)`` after a name makes
that axis logarithmic; all series share one axis. A row named by a language has the same words in
it, in order and separated by semicolons: the title, the first row's name, the words of bars, and
the series names. A row that repeats a name continues that row, which may end in a comma.

Output of any other form is not a chart. Rows are indented and a title is not a number, so none of
it is a figure (`kb.evidence.runner`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

MOST_CHARTS = 8
"""Charts in one output; further ones stay text."""
MOST_SERIES = 6
"""Series in one chart: readers cannot distinguish more lines."""
MOST_POINTS = 200
MOST_CHARACTERS = 16_384
LONGEST_WORD = 100
"""The characters of a title or name."""

_BEGIN = "chart: "
_INDENT = "  "
_CHART = re.compile(r"^chart: [^\n]*+\n(?:  [^\n]*+(?:\n|\Z))+", re.MULTILINE)
_OPEN = re.compile(r"^chart: [^\n]*+(?:\n(?:  [^\n]*+\n)*(?:  [^\n]*+| ?))?\Z", re.MULTILINE)
"""A chart at the end of a text, which further output may continue."""
_LOG = " (log)"
_NUMBER = re.compile(r"[-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?", re.IGNORECASE | re.ASCII)
_BETWEEN = re.compile(r"[, \t]+")
_LANGUAGE = re.compile(r"[a-z]{2,3}", re.ASCII)
_SMALLEST, _LARGEST = 1e-300, 1e300  # differences and ratios of these are finite, too


class Series(NamedTuple):
    """The values of one row, one for each place on the x axis."""

    name: str
    values: tuple[float, ...]


class Chart(NamedTuple):
    """A chart: lines over ascending ``places``, or bars for ``words``.

    ``other`` has its words by language: title, axis, bars, series.
    """

    title: str
    axis: str
    places: tuple[float, ...]
    words: tuple[str, ...]
    series: tuple[Series, ...]
    log_x: bool
    log_y: bool
    other: Mapping[str, tuple[str, ...]]

    @property
    def size(self) -> int:
        """The number of places on the x axis."""
        return len(self.places) or len(self.words)

    def in_language(self, lang: str) -> Chart:
        """Return the chart with its words in a language, if available."""
        if lang not in self.other:
            return self
        title, axis, *more = self.other[lang]
        words, names = more[: len(self.words)], more[len(self.words) :]
        series = (each._replace(name=name) for each, name in zip(self.series, names, strict=True))
        return self._replace(title=title, axis=axis, words=tuple(words), series=tuple(series))


class Piece(NamedTuple):
    """A piece of output, and its chart, if it is one."""

    text: str
    chart: Chart | None = None


def charts(output: str) -> list[Piece]:
    r"""Return the charts of an output, each with its text.

    >>> [piece.text for piece in charts("a\nchart: b\n  c: d, e\n  f: 1, 2\ng: 3\n")]
    ['chart: b\n  c: d, e\n  f: 1, 2\n']
    """
    splitter = Splitter()
    found = (*splitter.feed(output), *splitter.end())
    return [piece for piece in found if piece.chart is not None]


class Splitter:
    """Splits streamed output; it holds back only what may be part of a chart."""

    def __init__(self) -> None:
        self._held = ""
        self._within_line = False
        self._found = 0

    def feed(self, text: str) -> Iterator[Piece]:
        """Yield the pieces that this bit of output completes."""
        if self._within_line:
            rest, end, text = text.partition("\n")
            self._within_line = not end
            yield Piece(rest + end)
        self._held += text
        last = self._held.rpartition("\n")[2]
        open_ = _OPEN.search(self._held)
        at = open_.start() if open_ else len(self._held) - len(last) * _BEGIN.startswith(last)
        if len(self._held) - at > MOST_CHARACTERS:
            at = len(self._held)
        done, self._held = self._held[:at], self._held[at:]
        self._within_line = self._within_line or done[-1:] not in ("", "\n")
        yield from self._split(done)

    def end(self) -> Iterator[Piece]:
        """Yield the text held back, as a chart if it is one: at the end, the remaining piece."""
        held, self._held = self._held, ""
        yield from self._split(held)

    def _split(self, text: str) -> Iterator[Piece]:
        done = 0
        for found in _CHART.finditer(text):
            chart = read_chart(found[0]) if self._found < MOST_CHARTS else None
            if chart is not None:
                self._found += 1
                before, done = text[done : found.start()], found.end()
                yield from [Piece(before)] if before else []
                yield Piece(found[0], chart)
        yield from [Piece(text[done:])] if text[done:] else []


def read_chart(text: str) -> Chart | None:
    """Return the chart in a text of title and rows, or nothing. Never raises."""
    if len(text) > MOST_CHARACTERS:
        return None
    head, *rows = text.rstrip("\n").replace("\r\n", "\n").split("\n")
    title = head.removeprefix(_BEGIN).strip()
    if title == head or not _is_word(title) or _NUMBER.fullmatch(title):
        return None
    found = _rows(rows)
    if found is None or len(found) < 2:
        return None
    (axis, first), *others = found.items()
    places = _numbers(first) or ()
    words = () if places else tuple(map(str.strip, first.split(",")))
    told = {name: row for name, row in others if _is_language(name, row)}
    series = {name: _numbers(row) for name, row in others if name not in told}
    named = {name: values for name, values in series.items() if values is not None}
    if len(named) < len(series):
        return None
    chart = Chart(
        title,
        axis.removesuffix(_LOG),
        places,
        words,
        tuple(Series(name.removesuffix(_LOG), values) for name, values in named.items()),
        axis.endswith(_LOG),
        any(name.endswith(_LOG) for name in named),
        {lang: tuple(map(str.strip, row.split(";"))) for lang, row in told.items()},
    )
    return chart if _is_sound(chart) else None


def _rows(lines: Sequence[str]) -> dict[str, str] | None:
    """Return the rows by name, repeated names joined; None if there is another line."""
    found: dict[str, str] = {}
    for line in lines:
        name, colon, row = line.partition(":")
        name, row = name.strip(), row.strip().rstrip(",; \t")
        if not (line.startswith(_INDENT) and colon and name and row):
            return None
        axis = next(iter(found), name)
        joint = "; " if name != axis and _is_language(name, row) else ", "
        found[name] = f"{found[name]}{joint}{row}" if name in found else row
    return found


def _is_language(name: str, row: str) -> bool:
    return bool(_LANGUAGE.fullmatch(name)) and _numbers(row) is None


def _numbers(row: str) -> tuple[float, ...] | None:
    """Return the numbers of a row, or nothing if one is invalid, too large or too small."""
    parts = _BETWEEN.split(row)
    if len(parts) > MOST_POINTS or not all(map(_NUMBER.fullmatch, parts)):
        return None
    values = tuple(map(float, parts))
    fit = all(value == 0 or _SMALLEST <= abs(value) <= _LARGEST for value in values)
    return values if fit else None


def _is_word(text: str) -> bool:
    return 0 < len(text) <= LONGEST_WORD


def _is_sound(chart: Chart) -> bool:
    """Return whether the rows of a chart fit each other."""
    names = [chart.axis, *chart.words, *(each.name for each in chart.series)]
    other = [word for words in chart.other.values() for word in words]
    return (
        1 <= len(chart.series) <= MOST_SERIES
        and chart.size <= MOST_POINTS
        and all(len(each.values) == chart.size for each in chart.series)
        and all(len(words) == 1 + len(names) for words in chart.other.values())
        and all(map(_is_word, [*names, *other]))
        and _has_an_axis(chart)
        and not (chart.log_y and min(min(each.values) for each in chart.series) <= 0)
    )


def _has_an_axis(chart: Chart) -> bool:
    """Return whether numbers are ascending, and positive for a logarithmic axis."""
    if chart.words:
        return not chart.log_x
    rising = all(one < other for one, other in pairwise(chart.places))
    return len(chart.places) > 1 and rising and not (chart.log_x and chart.places[0] <= 0)

"""Axes: the position of a value between the ends, the labelled values, and how they are written."""

from __future__ import annotations

import math
from collections.abc import Sequence
from itertools import pairwise
from typing import NamedTuple

from kb.terminal.numerals import in_numerals

_STEPS = (1, 2, 5, 10)
_STEPS_OF_AXIS = 4
_NARROW = 1e-9
"""Values closer than this share are drawn as equal."""
_WELL_ABOVE = 4
_LIKE_DATA = 8
"""Up to this number of places, each is labelled."""


class Scale(NamedTuple):
    """An axis from ``low`` to ``high``, linear or logarithmic (``log``)."""

    low: float
    high: float
    log: bool

    def share(self, value: float) -> float:
        """Return the position of a value, from 0 at the low end to 1 at the high end."""
        low, high, at = map(self._measured, (self.low, self.high, value))
        return min(1.0, max(0.0, (at - low) / (high - low)))

    def ticks(self, most: int) -> list[float]:
        """Return at most this many round values for labels, in order."""
        if self.log:
            first, last = math.ceil(math.log10(self.low)), math.floor(math.log10(self.high))
            step = max(1, math.ceil((last - first + 1) / most))
            return [10.0**power for power in range(first, last + 1, step)]
        width = _step((self.high - self.low) / max(1, most - 1))
        first = math.ceil(self.low / width - _NARROW)
        last = math.floor(self.high / width + _NARROW)
        return [number * width for number in range(first, last + 1)][: most + 1]

    def _measured(self, value: float) -> float:
        return math.log10(value) if self.log else value


def value_scale(values: Sequence[float], *, log: bool, zero: bool) -> Scale:
    """Return the axis for values, between round numbers.

    It includes ``zero`` if requested, as bars need, or if values come close to it.

    >>> value_scale([0.11, 0.9], log=False, zero=False)
    Scale(low=0.0, high=1.0, log=False)
    >>> value_scale([3e-6, 20], log=True, zero=False)
    Scale(low=1e-06, high=100.0, log=True)
    """
    low, high = min(values), max(values)
    if log:
        first, last = math.floor(math.log10(low)), math.ceil(math.log10(high))
        return Scale(10.0**first, 10.0 ** max(last, first + 1), log=True)
    if zero or 0 < low < high / _WELL_ABOVE:
        low = min(low, 0.0)
    if zero:
        high = max(high, 0.0)
    low, high = _apart(low, high)
    if zero:
        return Scale(low, high, log=False)
    step = _step((high - low) / _STEPS_OF_AXIS)
    return Scale(
        math.floor(low / step + _NARROW) * step, math.ceil(high / step - _NARROW) * step, log=False
    )


def place_scale(places: Sequence[float], *, log: bool) -> Scale:
    """Return the x axis for ascending places, from first to last."""
    return Scale(*(places[0], places[-1]) if log else _apart(places[0], places[-1]), log=log)


def place_ticks(places: Sequence[float], scale: Scale, most: int) -> list[float]:
    """Return the labelled values of an x axis: the places themselves if they are few."""
    if len(places) <= _LIKE_DATA:
        return list(places)
    ticks = scale.ticks(most)
    return ticks if len(ticks) > 1 else [places[0], places[-1]]


def kept_apart(places: Sequence[float], gap: float, last: float) -> list[float]:
    """Return positions moved so that none are closer than a gap or beyond the end.

    >>> kept_apart([3, 3, 9], 1, 9), kept_apart([9, 9], 1, 9)
    ([3, 4, 9], [8, 9])
    """
    order = sorted(range(len(places)), key=lambda number: places[number])
    moved = list(places)
    for before, number in pairwise(order):
        moved[number] = max(moved[number], moved[before] + gap)
    bound = last
    for number in reversed(order):
        moved[number] = min(moved[number], bound)
        bound = moved[number] - gap
    return moved


def _apart(low: float, high: float) -> tuple[float, float]:
    """Return two different ends."""
    if high - low > _NARROW * max(abs(low), abs(high)):
        return low, high
    margin = max(abs(low), abs(high)) / 10 or 1.0
    return low - margin * (low != 0), high + margin


def _step(least: float) -> float:
    """Return the smallest round step of at least this size."""
    power = 10.0 ** math.floor(math.log10(least))
    return next(n * power for n in _STEPS if n * power >= least * (1 - _NARROW))


# Our own words in a chart, and values in its language.

_LOG = {"en": "{name} (log scale)", "fa": "{name} (مقیاس لگاریتمی)"}
_RAISED = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
_WHOLE, _LARGE, _SMALL = 1e3, 1e6, 1e-3
_MOST_DIGITS = 12


def log_name(name: str, lang: str, *, log: bool) -> str:
    """Return a name, marked if its axis is logarithmic.

    >>> log_name("batch", "en", log=True)
    'batch (log scale)'
    """
    return _LOG.get(lang, _LOG["en"]).format(name=name) if log else name


def written(value: float, lang: str, digits: int = 3) -> str:
    """Return a value in few digits, with a power of ten if it is very large or small.

    >>> [written(value, "en") for value in (0.30812, 12345, 2.5e-7, 1e9)]
    ['0.308', '12,345', '2.5×10⁻⁷', '10⁹']
    >>> written(12345.6, "fa")
    '۱۲٬۳۴۶'
    """
    size = abs(value)
    if _takes_power(value):
        return _by_power(value, digits)
    shown = f"{size:,.0f}" if size >= _WHOLE else f"{size:.{digits}g}"
    return "-" * (value < 0) + in_numerals(shown, lang)  # with a sign it would be a formula


def all_written(values: Sequence[float], lang: str) -> list[str]:
    """Return the values at an axis with enough digits to differ.

    If one needs a power of ten, all use it.

    >>> all_written([1, 1e3, 1e6], "en"), all_written([1, 1.0004], "en")
    (['1', '10³', '10⁶'], ['1', '1.0004'])
    """
    if any(map(_takes_power, values)):
        return [_by_power(value, 3) if value else in_numerals("0", lang) for value in values]
    shown: list[str] = []
    for digits in range(3, _MOST_DIGITS):
        shown = [written(value, lang, digits) for value in values]
        if len(set(shown)) == len(set(values)):
            break
    return shown


def _takes_power(value: float) -> bool:
    return value != 0 and not _SMALL <= abs(value) < _LARGE


def _by_power(value: float, digits: int) -> str:
    power = math.floor(math.log10(abs(value)))
    factor = f"{value / 10.0**power:.{digits - 1}f}".rstrip("0").rstrip(".")
    if not power:
        return factor
    sign = "" if factor == "1" else f"{factor}×"
    return f"{sign}10{str(power).translate(_RAISED)}"

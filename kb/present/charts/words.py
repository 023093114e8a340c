"""Our own words in a chart, and values in its language."""

from __future__ import annotations

import math
from collections.abc import Sequence

from kb.terminal.numerals import in_numerals

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


def written(value: float, lang: str, digits: int = 3, *, raised: bool = True) -> str:
    """Return a value in few digits, with a power of ten if it is very large or small.

    Without ``raised`` the power is in program notation.

    >>> [written(value, "en") for value in (0.30812, 12345, 2.5e-7, 1e9)]
    ['0.308', '12,345', '2.5×10⁻⁷', '10⁹']
    >>> written(12345.6, "fa"), written(1e9, "en", raised=False)
    ('۱۲٬۳۴۶', '1e9')
    """
    size = abs(value)
    if _takes_power(value):
        return _by_power(value, digits, raised=raised)
    shown = f"{size:,.0f}" if size >= _WHOLE else f"{size:.{digits}g}"
    return "-" * (value < 0) + in_numerals(shown, lang)  # with a sign it would be a formula


def all_written(values: Sequence[float], lang: str, *, raised: bool = True) -> list[str]:
    """Return the values at an axis with enough digits to differ.

    If one needs a power of ten, all use it.

    >>> all_written([1, 1e3, 1e6], "en"), all_written([1, 1.0004], "en")
    (['1', '10³', '10⁶'], ['1', '1.0004'])
    """
    if any(map(_takes_power, values)):
        return [
            _by_power(value, 3, raised=raised) if value else in_numerals("0", lang)
            for value in values
        ]
    shown: list[str] = []
    for digits in range(3, _MOST_DIGITS):
        shown = [written(value, lang, digits, raised=raised) for value in values]
        if len(set(shown)) == len(set(values)):
            break
    return shown


def _takes_power(value: float) -> bool:
    return value != 0 and not _SMALL <= abs(value) < _LARGE


def _by_power(value: float, digits: int, *, raised: bool) -> str:
    power = math.floor(math.log10(abs(value)))
    factor = f"{value / 10.0**power:.{digits - 1}f}".rstrip("0").rstrip(".")
    if not power:
        return factor
    if not raised:
        return f"{factor}e{power}"
    sign = "" if factor == "1" else f"{factor}×"
    return f"{sign}10{str(power).translate(_RAISED)}"

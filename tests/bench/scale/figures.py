"""Figures that are made of measured ones: percentiles, rates, how one grew."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from statistics import quantiles
from types import MappingProxyType
from typing import NamedTuple

MIB = 1 << 20


class Times(NamedTuple):
    """The seconds of queries: asked once of empty caches, then again."""

    first: Sequence[float]
    warm: Sequence[float]


class Built(NamedTuple):
    """What it took to build an index: seconds, bytes of memory at most, bytes of its files."""

    seconds: float
    peak: int
    bytes: int


class Answers(NamedTuple):
    """How engines answered, by their label: times, stopped queries and recall by kind; memory;
    and what failed."""

    times: dict[str, dict[str, Times]]
    stopped: dict[str, dict[str, int]]
    recall: dict[str, dict[str, float | None]]
    peaks: dict[str, int]
    failed: list[str]


class Changed(NamedTuple):
    """The seconds of commits by what they did, the bytes of the file then, and how it answers."""

    spent: Mapping[str, Sequence[float]]
    bytes: int
    answers: Answers


class Size(NamedTuple):
    """All that was measured of so many documents, by what was built, or why it is ``missing``."""

    documents: int
    text_bytes: int
    analysis: float
    built: Mapping[str, Built]
    answers: Answers
    changed: Changed | None = None
    missing: Mapping[str, str] = MappingProxyType({})


def percentiles(seconds: Sequence[float]) -> tuple[float, float, float]:
    """Return the 50th, 95th and 99th percentile in milliseconds.

    >>> percentiles([0.001, 0.002, 0.003])
    (2.0, 2.9, 2.98)
    """
    if len(seconds) < 2:
        return (seconds[0] * 1000,) * 3
    hundredths = quantiles((each * 1000 for each in seconds), n=100, method="inclusive")
    return (hundredths[49], hundredths[94], hundredths[98])


def growth(first: Sequence[float], last: Sequence[float]) -> tuple[float, ...]:
    """Return how many times as large each percentile has become.

    >>> growth([0.001, 0.001], [0.004, 0.004])
    (4.0, 4.0, 4.0)
    """
    pairs = zip(percentiles(first), percentiles(last), strict=True)
    return tuple(after / before if before else 0.0 for before, after in pairs)


def shown(value: float) -> str:
    """Return a figure with three digits that count, none behind the point from a hundred on.

    >>> [shown(each) for each in (0.0123, 1.234, 56.78, 1234.5)]
    ['0.012', '1.23', '56.8', '1234']
    """
    digits = next((n for least, n in ((100, 0), (10, 1), (1, 2)) if abs(value) >= least), 3)
    return f"{value:.{digits}f}"

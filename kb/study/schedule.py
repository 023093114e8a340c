"""When an exercise comes back: FSRS-6 by py-fsrs, on study days.

A study day begins at a set hour (04:00) in the reader's time zone. Intervals are counted in study
days, as in Anki, not in units of 24 hours. A card has few rows, so its memory is always replayed
from all of them.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Collection, Iterable, Sequence
from datetime import date, datetime, timedelta
from functools import lru_cache
from typing import NamedTuple

from fsrs import Rating, Scheduler
from fsrs.scheduler import (
    DEFAULT_PARAMETERS,
    FUZZ_RANGES,
    LOWER_BOUNDS_PARAMETERS,
    UPPER_BOUNDS_PARAMETERS,
)

from kb.errors import UsageError

LEAST_RETENTION, MOST_RETENTION = 0.7, 0.99
"""Below the minimum, learning is mostly relearning; at 1 every card would come every day."""

LONGEST = 36500
"""The maximum interval in days."""

CAP = 7
"""Days within which an error made with confidence comes back (Butler 2011)."""

_RATINGS = (Rating.Again, Rating.Again, Rating.Hard, Rating.Good, Rating.Easy)

_OLDER_DECAY = 0.5
"""The fixed decay of FSRS-4.5 and FSRS-5."""


class Memory(NamedTuple):
    """The memory of a card: stability in days, difficulty, and last study day."""

    stability: float
    difficulty: float
    day: int


class _OnDays(Scheduler):
    """py-fsrs with intervals in whole study days."""

    def after(self, memory: Memory | None, rating: int, day: int) -> Memory:
        """Return the memory after a rating on a day; an earlier day counts as the last one."""
        given = _RATINGS[rating]
        if memory is None:
            first = self._initial_stability(rating=given)
            return Memory(first, self._initial_difficulty(rating=given, clamp=True), day)
        stability, difficulty, before = memory
        if day > before:
            stability = self._next_stability(
                difficulty=difficulty,
                stability=stability,
                retrievability=self.recalled(stability, day - before),
                rating=given,
            )
        else:
            day = before
            stability = self._short_term_stability(stability=stability, rating=given)
        if stability > LONGEST:
            stability = LONGEST
        return Memory(stability, self._next_difficulty(difficulty=difficulty, rating=given), day)

    def recalled(self, stability: float, passed: float) -> float:
        return float((1 + self._FACTOR * passed / stability) ** self._DECAY)

    def exact(self, stability: float) -> float:
        return float(stability / self._FACTOR * (self.desired_retention ** (1 / self._DECAY) - 1))


class Schedule:
    """FSRS-6 with weights and a desired retention. Raises `UsageError` for invalid values.

    ``after`` returns the memory of a card after a rating on a study day.

    >>> from kb.model.study import GOOD
    >>> plan = Schedule()
    >>> memory = None
    >>> for day in (0, 2, 13):
    ...     memory = plan.after(memory, GOOD, day)
    >>> round(memory.stability, 1), plan.interval(memory.stability)
    (46.3, 46)
    """

    def __init__(self, weights: Sequence[float] = (), retention: float = 0.9) -> None:
        self.weights = converted(weights)
        self.retention = checked_retention(retention)
        self._fsrs = _OnDays(self.weights, self.retention, (), (), LONGEST, enable_fuzzing=False)
        self.after = self._fsrs.after

    def replayed(self, reviews: Iterable[tuple[int, int]]) -> Memory | None:
        """Return the memory after reviews in order, each a rating and a study day."""
        memory, after = None, self._fsrs.after
        for rating, day in reviews:
            memory = after(memory, rating, day)
        return memory

    def recalled(self, memory: Memory, day: int) -> float:
        """Return the probability that a card is recalled on a day."""
        return self._fsrs.recalled(memory.stability, max(day - memory.day, 0))

    def exact(self, stability: float) -> float:
        """Return the days after which a card of this stability reaches the desired retention."""
        return self._fsrs.exact(stability)

    def interval(self, stability: float) -> int:
        """Return that interval in whole days, at least one."""
        return min(max(round(self.exact(stability)), 1), LONGEST)


def converted(weights: Sequence[float]) -> tuple[float, ...]:
    """Return weights of FSRS-4.5 (17), FSRS-5 (19) or FSRS-6 (21) as 21, as Anki does.

    Without weights, it returns the defaults of FSRS-6. Raises `UsageError` for another number of
    weights.
    """
    given = [float(each) for each in weights]
    if not all(map(math.isfinite, given)):
        raise UsageError("each weight must be a finite number")
    match len(given):
        case 0:
            return tuple(DEFAULT_PARAMETERS)
        case 17:
            given[4] += 2 * given[5]
            given[5] = math.log(max(3 * given[5] + 1, 1e-9)) / 3
            given[6] += 0.5
            given += [0.0, 0.0, 0.0, _OLDER_DECAY]
        case 19:
            given += [0.0, _OLDER_DECAY]
        case 21:
            pass
        case found:
            raise UsageError(
                "FSRS has 17, 19 or 21 weights, not {n}", "Copy them from Anki again.", n=found
            )
    bounds = zip(LOWER_BOUNDS_PARAMETERS, given, UPPER_BOUNDS_PARAMETERS, strict=True)
    return tuple(min(max(each, least), most) for least, each, most in bounds)


def checked_retention(retention: float) -> float:
    """Return a valid desired retention. Raises `UsageError` outside 0.7 to 0.99."""
    if not LEAST_RETENTION <= retention <= MOST_RETENTION:
        raise UsageError(
            "the desired retention must be from {least} to {most}, not {given}",
            "0.9 suits most: higher means more reviews a day.",
            least=LEAST_RETENTION,
            most=MOST_RETENTION,
            given=retention,
        )
    return float(retention)


@lru_cache(8)
def schedule(weights: tuple[float, ...], retention: float) -> Schedule:
    """Return the cached schedule for weights and retention."""
    return Schedule(weights, retention)


# Study days, by the number that `date.toordinal` gives them.


def study_day(moment: datetime, begins: int) -> int:
    """Return the study day of a time in the reader's zone; it ``begins`` at an hour.

    >>> study_day(datetime(2026, 3, 2, 3, 59), 4) == date(2026, 3, 1).toordinal()
    True
    """
    return (moment.replace(tzinfo=None) - timedelta(hours=begins)).date().toordinal()


def day_of(number: int) -> date:
    """Return a study day as a date."""
    return date.fromordinal(number)


# An interval moved a little, so that what was learnt together does not come back together.


def spread(interval: int, day: int, seed: str, easy: Collection[int] = ()) -> int:
    """Return a randomized interval, within the range of py-fsrs, from a seed.

    ``easy`` are weekdays (Monday 0) with as few reviews as possible: one is chosen only if all
    near days are easy. The same seed gives the same interval.

    >>> spread(2, 0, "a"), 90 <= spread(100, 0, "a") <= 110
    (2, True)
    """
    near = _near(interval)
    kept = [each for each in near if (day + each - 1) % 7 not in easy] or list(near)
    chance = int.from_bytes(hashlib.sha256(seed.encode()).digest()[:8], "big") / (1 << 64)
    return kept[int(chance * len(kept))]


def _near(interval: int) -> range:
    if interval < 2.5:
        return range(interval, interval + 1)
    delta = 1.0 + sum(
        each["factor"] * max(min(float(interval), each["end"]) - each["start"], 0.0)
        for each in FUZZ_RANGES
    )
    return range(max(2, round(interval - delta)), min(round(interval + delta), LONGEST) + 1)

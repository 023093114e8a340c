"""When an exercise comes back: FSRS-6 by py-fsrs, on study days.

A study day begins at a set hour (04:00) in the reader's time zone. Intervals are counted in study
days, as in Anki, not in units of 24 hours. A card has few rows, so its memory is always replayed
from all of them.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Collection, Iterable, Sequence
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from fsrs import Card, Rating, Scheduler, State
from fsrs.scheduler import (
    DEFAULT_PARAMETERS,
    FUZZ_RANGES,
    LOWER_BOUNDS_PARAMETERS,
    UPPER_BOUNDS_PARAMETERS,
)

from kb.errors import NotFound, UsageError
from kb.model.study import Fitted, Row

LEAST_RETENTION, MOST_RETENTION = 0.7, 0.99
"""Below the minimum, learning is mostly relearning; at 1 every card would come every day."""

LONGEST = 36500
"""The maximum interval in days."""

CAP = 7
"""Days within which an error made with confidence comes back (Butler 2011)."""

_OLDER_DECAY = 0.5
"""The fixed decay of FSRS-4.5 and FSRS-5."""


class Memory(NamedTuple):
    """The memory of a card: stability in days, difficulty, and last study day."""

    stability: float
    difficulty: float
    day: int


_FIRST_DAY = datetime(1970, 1, 1, tzinfo=UTC)
"""The day of the review before, for py-fsrs: only the days between two of them count."""


class Schedule:
    """FSRS-6 with weights and a desired retention. Raises `UsageError` for invalid values.

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
        if not LEAST_RETENTION <= retention <= MOST_RETENTION:
            raise UsageError(
                "the desired retention must be from {least} to {most}, not {given}",
                "0.9 suits most: higher means more reviews a day.",
                least=LEAST_RETENTION,
                most=MOST_RETENTION,
                given=retention,
            )
        self.retention = float(retention)
        self._decay = -self.weights[20]
        self._factor = 0.9 ** (1 / self._decay) - 1
        self._fsrs = Scheduler(
            self.weights, learning_steps=(), relearning_steps=(), enable_fuzzing=False
        )

    def after(self, memory: Memory | None, rating: int, day: int) -> Memory:
        """Return the memory after a rating on a study day; an earlier day counts as the last one.

        More than a hundred years count as a hundred. A review of another copy that has no rating
        counts as *again*.
        """
        card, moment = Card(0), _FIRST_DAY
        if memory is not None:
            stability, difficulty, before = memory
            day = max(day, before)
            card = Card(0, State.Review, None, stability, difficulty, moment, moment)
            moment += timedelta(days=min(day - before, LONGEST))
        card, _ = self._fsrs.review_card(card, Rating(rating or 1), moment)
        assert card.stability is not None and card.difficulty is not None
        return Memory(min(card.stability, LONGEST), card.difficulty, day)

    def exact(self, stability: float) -> float:
        """Return the days after which a card of this stability reaches the desired retention."""
        return float(stability / self._factor * (self.retention ** (1 / self._decay) - 1))

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


# Study days, by the number that `date.toordinal` gives them.


def study_day(moment: datetime, begins: int) -> int:
    """Return the study day of a time in the reader's zone; it ``begins`` at an hour.

    >>> study_day(datetime(2026, 3, 2, 3, 59), 4) == datetime(2026, 3, 1).toordinal()
    True
    """
    return (moment.replace(tzinfo=None) - timedelta(hours=begins)).date().toordinal()


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


# Weights that are fitted to the reader's own log, by fsrs-rs.


_ENOUGH = 400
"""Reviews after a day or more. With fewer, Anki advises against fitting, too."""


def fitted(logs: Iterable[Sequence[Row]], weights: Sequence[float]) -> Fitted:
    """Return weights fitted to the ratings of each exercise, and how well they predict.

    Raises `NotFound` without fsrs-rs, and `UsageError` if there are too few reviews.
    """
    try:
        from fsrs_rs_python import FSRS, FSRSItem, FSRSReview
    except ImportError as error:
        raise NotFound("fsrs-rs is not installed", "Run: pip install 'danesh[fit]'") from error
    items = []
    for log in logs:
        days = [each.day for each in log]
        passed = [max(day - before, 0) for day, before in zip(days, days[:1] + days, strict=False)]
        reviews = [FSRSReview(each.rating, n) for each, n in zip(log, passed, strict=True)]
        items += [(log[n].at, FSRSItem(reviews[: n + 1])) for n in range(1, len(log)) if passed[n]]
    if len(items) < _ENOUGH:
        raise UsageError(
            "weights are fitted to {least} reviews or more, not {n}", least=_ENOUGH, n=len(items)
        )
    known = [item for _, item in sorted(items, key=lambda each: each[0])]
    found = FSRS(weights).compute_parameters(known)
    before, after = (FSRS(each).evaluate(known).log_loss for each in (weights, found))
    return Fitted(tuple(round(each, 4) for each in found), len(items), before, after)

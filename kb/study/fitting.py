"""Weights of FSRS that are fitted to the reader's own log, by fsrs-rs."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from kb.errors import NotFound, UsageError
from kb.model.study import Fitted

_ENOUGH = 400
"""Reviews after a day or more. With fewer, Anki advises against fitting, too."""


class Answer(NamedTuple):
    """A rating of an exercise, with its time in milliseconds and its study day."""

    at: int
    day: int
    rating: int


def fitted(logs: Iterable[Sequence[Answer]], weights: Sequence[float]) -> Fitted:
    """Return weights fitted to the ratings of each exercise, and how well they predict.

    Raises `NotFound` without fsrs-rs, and `UsageError` if there are too few reviews.
    """
    try:
        from fsrs_rs_python import FSRS, FSRSItem, FSRSReview
    except ImportError as error:
        raise NotFound(
            "fsrs-rs is not installed", "Install it with 'pip install \"danesh[fit]\"'."
        ) from error
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

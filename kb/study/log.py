"""The memory state of an exercise, determined only by the rows of the log.

It can be rebuilt at any time. Rows are ordered by time and then by id, so parallel sessions,
wrong clocks and imported rows have one order. Undone rows are ignored.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from kb.model.entry import Review
from kb.model.study import AGAIN, SURE, Card
from kb.study.schedule import CAP, Memory, Schedule

_LAST_KIND = 3
"""The last kind of `Review` that affects memory: manual ones do not."""


class Step(NamedTuple):
    """The parts of a log row that affect memory."""

    what: str
    at: int
    day: int
    rating: int
    interval: int
    confidence: int = 0
    shown: str = ""


Logged = tuple[str, int, int, int, int, int, str]
"""A `Step`, or such a row as the store reads it."""


def replayed(entry: str, exercise: str, steps: Iterable[Logged], schedule: Schedule) -> Card:
    """Return the memory state of an exercise after its rows, each told as a `Step`."""
    after, memory = schedule.after, None
    last = due = reviews = lapses = cap = 0
    suspended = changed = False
    seen = ""
    for what, at, day, rating, interval, confidence, shown in steps:
        if what == "grade":
            before, memory = memory, after(memory, rating, day)
            if rating == AGAIN:
                lapses += before is not None and day > before.day
                if confidence == SURE:
                    cap = day + CAP
            last, due, seen = at, day + interval, shown
            reviews += 1
            changed = False
        elif what == "changed":
            changed, due, seen = True, min(due, day), shown
        elif what == "suspend":
            suspended = True
        else:
            suspended, lapses = False, 0
            due = day if what == "add" else due
    stability, difficulty, day = memory or (0.0, 0.0, 0)
    return Card(
        entry, exercise, stability, difficulty, day, due, last, reviews, lapses, cap, suspended,
        changed, seen,
    )  # fmt: skip


def memory_of(card: Card) -> Memory | None:
    """Return the memory of a card, or nothing if it was never reviewed."""
    return Memory(card.stability, card.difficulty, card.day) if card.reviews else None


def step_of(review: Review, day: int) -> Step | None:
    """Return an imported review as a row; nothing if it does not affect memory."""
    if not 1 <= review.rating <= 4 or review.kind > _LAST_KIND:
        return None
    if review.kind == _LAST_KIND and not review.ease:  # crammed, and not scheduled by it
        return None
    return Step("grade", review.at, day, review.rating, max(review.interval, 0))

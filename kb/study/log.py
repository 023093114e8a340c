"""The memory state of an exercise, determined only by the rows of the log.

It can be rebuilt at any time. Rows are ordered by time and then by id, so parallel sessions,
wrong clocks and imported rows have one order. Undone rows are ignored.
"""

from __future__ import annotations

from collections.abc import Iterable

from kb.model.entry import Review
from kb.model.study import AGAIN, SURE, Card, Row
from kb.study.schedule import CAP, Memory, Schedule

_LAST_KIND = 3
"""The last kind of `Review` that affects memory: manual ones do not."""


def replayed(entry: str, exercise: str, rows: Iterable[Row], schedule: Schedule) -> Card:
    """Return the memory state of an exercise after its rows."""
    after, memory = schedule.after, None
    last = due = reviews = lapses = cap = 0
    suspended = changed = False
    seen = ""
    for row in rows:
        if row.what == "grade":
            before, memory = memory, after(memory, row.rating, row.day)
            if row.rating == AGAIN:
                lapses += before is not None and row.day > before.day
                if row.confidence == SURE:
                    cap = row.day + CAP
            last, due, seen = row.at, row.day + row.interval, row.shown
            reviews += 1
            changed = False
        elif row.what == "changed":
            changed, due, seen = True, min(due, row.day), row.shown
        elif row.what == "suspend":
            suspended = True
        else:
            suspended, lapses = False, 0
            due = row.day if row.what == "add" else due
    stability, difficulty, day = memory or (0.0, 0.0, 0)
    return Card(
        entry, exercise, stability, difficulty, day, due, last, reviews, lapses, cap, suspended,
        changed, seen,
    )  # fmt: skip


def memory_of(card: Card) -> Memory | None:
    """Return the memory of a card, or nothing if it was never reviewed."""
    return Memory(card.stability, card.difficulty, card.day) if card.reviews else None


def step_of(review: Review, day: int) -> Row | None:
    """Return an imported review as a row; nothing if it does not affect memory."""
    if not 1 <= review.rating <= 4 or review.kind > _LAST_KIND:
        return None
    if review.kind == _LAST_KIND and not review.ease:  # crammed, and not scheduled by it
        return None
    interval = max(review.interval, 0)
    return Row(0, "grade", "", "", review.at, 0, day, review.rating, interval)

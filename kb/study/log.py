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


class Replay:
    """The memory state of one exercise during the replay."""

    __slots__ = (
        "_after", "at", "cap", "changed", "day", "due", "lapses", "memory", "reviews", "shown",
        "suspended",
    )  # fmt: skip

    def __init__(self, schedule: Schedule) -> None:
        self._after = schedule.after
        self.memory: Memory | None = None
        self.at = self.day = self.due = self.reviews = self.lapses = self.cap = 0
        self.suspended = self.changed = False
        self.shown = ""

    def add(
        self, what: str, at: int, day: int, rating: int, interval: int, confidence: int, shown: str
    ) -> None:
        """Replay the next row, told as a `Step`."""
        if what == "grade":
            before = self.memory
            self.memory = self._after(before, rating, day)
            if rating == AGAIN:
                self.lapses += before is not None and day > before.day
                if confidence == SURE:
                    self.cap = day + CAP
            self.day, self.due, self.at = self.memory.day, day + interval, at
            self.reviews += 1
            self.changed, self.shown = False, shown
        elif what == "changed":
            self.changed, self.due, self.shown = True, min(self.due, day), shown
        elif what == "suspend":
            self.suspended = True
        else:
            self.suspended, self.lapses = False, 0
            self.due = day if what == "add" else self.due

    def card(self, entry: str, exercise: str) -> Card:
        """Return the current state."""
        stability, difficulty = (0.0, 0.0) if self.memory is None else self.memory[:2]
        return Card(
            entry, exercise, stability, difficulty, self.day, self.due, self.at, self.reviews,
            self.lapses, self.cap, self.suspended, self.changed, self.shown,
        )  # fmt: skip


def replayed(entry: str, exercise: str, steps: Iterable[Step], schedule: Schedule) -> Card:
    """Return the memory state of an exercise after its rows."""
    replay = Replay(schedule)
    for step in steps:
        replay.add(*step)
    return replay.card(entry, exercise)


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

"""How much work a query may make: counted, not timed, so that a busy machine changes no answer.

A unit is about a microsecond on a machine of 2024. Whoever does work says how much before it
or at it, by what it depends on: letters read, documents that hold a word, words looked up. What
a cache spares is counted as if it were done, so that the same query on the same base ends
at the same place.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from kb.errors import DeadlineExceeded

_BETWEEN_LOOKS = 2_000
"""So much work is done between two looks at whether it is still wanted."""

STEPS = 2_000
"""So many steps of a statement lie between two looks of the store."""

_STEPS_A_UNIT, _LEAST_STEPS = 80, 10_000_000
"""A statement takes 20 to 70 steps a unit of what it was judged to take; what takes more was
judged wrongly, and is stopped."""


def never() -> bool:
    """Say that an answer is still wanted."""
    return False


@contextmanager
def undisturbed() -> Iterator[None]:
    """Let Python not sort through its objects meanwhile: that waits until the end."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


class Budget:
    """So many units of work; `ended` once anything was left undone for want of them.

    ``cancelled`` is asked now and then whether the answer is no more wanted.

    >>> budget = Budget(10)
    >>> budget.spend(8)
    >>> budget.affords(2), budget.affords(3), budget.ended
    (True, False, False)
    """

    def __init__(
        self, units: float, cancelled: Callable[[], bool] = never, whole: Budget | None = None
    ) -> None:
        self.left = units
        self._whole = whole
        self.ended = False
        self._most_steps = max(_LEAST_STEPS, units * _STEPS_A_UNIT)
        self._unlooked = 0.0
        self._cancelled = cancelled

    def spend(self, units: float) -> None:
        """Count work. Raises `DeadlineExceeded` where that is more than is left."""
        self.left -= units
        if self._whole is not None:
            self._whole.left -= units
        if self.left < 0:
            self.left, self.ended = 0, True
            raise DeadlineExceeded
        self._unlooked += units
        if self._unlooked > _BETWEEN_LOOKS:
            self.check()

    def part(self, units: float) -> Budget:
        """Return a budget of at most so many of the units left; what is spent of it is gone here.

        >>> whole = Budget(10)
        >>> whole.part(4).spend(3)
        >>> whole.left
        7
        """
        return Budget(max(0, min(units, self.left)), self._cancelled, self)

    def affords(self, units: float) -> bool:
        """Say whether so much is left."""
        return units <= self.left

    def leave_undone(self) -> None:
        """Say that something was left undone that there was not enough for."""
        self.ended = True

    @property
    def cancelled(self) -> bool:
        """Whether the answer is no more wanted."""
        return self._cancelled()

    def check(self) -> None:
        """Raise `DeadlineExceeded` where the answer is no more wanted."""
        self._unlooked = 0.0
        if self._cancelled():
            raise DeadlineExceeded

    def stops(self) -> bool:
        """Count `STEPS` of a statement; say whether it is to be stopped."""
        self._most_steps -= STEPS
        if self._most_steps < 0:
            self.ended = True
            return True
        return self._cancelled()

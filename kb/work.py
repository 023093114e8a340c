"""The work budget of a query: counted, not timed, so that a busy machine changes no result.

A unit is about a microsecond on a machine of 2024. Work is charged before or while it is done, by
its size: letters read, documents with a word, words looked up. Cached work is charged,
too, so that the same query on the same data ends at the same place.
"""

from __future__ import annotations

import gc
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from kb.errors import DeadlineExceeded

_BETWEEN_LOOKS = 2_000
"""The work between two checks for cancellation."""

STEPS = 2_000
"""The SQLite steps between two checks of the store."""

_STEPS_A_UNIT, _LEAST_STEPS = 80, 10_000_000
"""The SQLite steps per unit of estimated work; a statement that takes more was estimated wrongly,
and is stopped."""


def never() -> bool:
    """Return false: the answer is still wanted."""
    return False


@contextmanager
def undisturbed() -> Iterator[None]:
    """Disable garbage collection within the block."""
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


class Budget:
    """A number of work units; `ended` once anything was left undone.

    ``cancelled`` is called now and then to ask whether to stop.

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
        """Count work. Raises `DeadlineExceeded` if that is more than is left."""
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
        """Return a budget of at most this many of the remaining units, which it shares.

        >>> whole = Budget(10)
        >>> whole.part(4).spend(3)
        >>> whole.left
        7
        """
        return Budget(max(0, min(units, self.left)), self._cancelled, self)

    def affords(self, units: float) -> bool:
        """Return whether this much is left."""
        return units <= self.left

    def leave_undone(self) -> None:
        """Record that something was left undone for lack of budget."""
        self.ended = True

    @property
    def cancelled(self) -> bool:
        """Whether the answer is no longer wanted."""
        return self._cancelled()

    def check(self) -> None:
        """Raise `DeadlineExceeded` if the answer is no longer wanted."""
        self._unlooked = 0.0
        if self._cancelled():
            raise DeadlineExceeded

    def stops(self) -> bool:
        """Charge a statement for `STEPS` steps; return whether to stop it."""
        self._most_steps -= STEPS
        if self._most_steps < 0:
            self.ended = True
            return True
        return self._cancelled()

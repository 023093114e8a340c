"""What of a package is not taken: each reason once, with the first that it is true of."""

from __future__ import annotations

from collections.abc import Iterator

from kb import limits
from kb.records import Dropped

_SHOWN = 200


class Leftover:
    """Reasons with how often they hold.

    >>> left = Leftover("deck.apkg")
    >>> left.add("a file is missing", "a.png", "abc")
    >>> left.add("a file is missing", "b.png", "abc")
    >>> [each.reason for each in left.told()]
    ["a file is missing, of note 'abc' (and 1 more like it)"]
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._first: dict[str, tuple[str, str]] = {}
        self._count: dict[str, int] = {}
        self._more = 0

    def add(self, reason: str, text: str = "", note: str = "", count: int = 1) -> None:
        """Add something that is not taken."""
        if reason in self._first:
            self._count[reason] += count
        elif len(self._first) < limits.KEYS:
            self._first[reason] = (text, note)
            self._count[reason] = count
        else:
            self._more += count

    def told(self) -> Iterator[Dropped]:
        """Yield each reason, with the first text that it held for and how many more there are."""
        for reason, (text, note) in self._first.items():
            of = f", of note '{note}'" if note else ""
            more = self._count[reason] - 1
            others = f" (and {more:,} more like it)" if more else ""
            yield Dropped(self._name, None, f"{reason}{of}{others}", text[:_SHOWN])
        if self._more:
            yield Dropped(self._name, None, f"{self._more:,} more things are not taken", "")

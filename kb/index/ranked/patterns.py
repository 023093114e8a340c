"""The patterns of a segment, as they are stored and as they are asked for.

A small base of long texts has thousands, of which a question meets a few: to read all of them
takes longer than to answer it.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from typing import overload

from kb.index.ranked.building import Pattern
from kb.index.ranked.scoring import weighted


def told(patterns: Iterable[Pattern]) -> str:
    """Return patterns as they are stored."""
    return json.dumps(list(patterns), separators=(",", ":"))


class Patterns(Sequence[Pattern]):
    """The patterns of a segment as they were `told`, each read when it is first asked for.

    >>> list(Patterns(told([(), (0, 5), (2,)])))
    [(), (0, 5), (2,)]
    """

    def __init__(self, stored: str) -> None:
        self._known = _Known(stored[2:-2].split("],[") if stored != "[]" else ())

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self._known.stored)

    @overload
    def __getitem__(self, number: int) -> Pattern: ...

    @overload
    def __getitem__(self, number: slice) -> Sequence[Pattern]: ...

    def __getitem__(self, number: int | slice) -> Pattern | Sequence[Pattern]:
        """Return the pattern of a number, or those of some."""
        if isinstance(number, slice):
            return [self._known[each] for each in range(*number.indices(len(self)))]
        return self._known[number]


class _Known(dict[int, Pattern]):
    """The patterns that were read."""

    def __init__(self, stored: Sequence[str]) -> None:
        super().__init__()
        self.stored = stored

    def __missing__(self, number: int) -> Pattern:
        stored = self.stored[number]
        self[number] = found = tuple(map(int, stored.split(","))) if stored else ()
        return found


class Worth(dict[int, float]):
    """What patterns count for by the weights of columns, each weighed when it is first met."""

    def __init__(self, patterns: Sequence[Pattern], weights: Mapping[str, float]) -> None:
        super().__init__()
        self._patterns = patterns
        self._weights = weights

    def __missing__(self, number: int) -> float:
        self[number] = found = weighted(self._patterns[number], self._weights)
        return found

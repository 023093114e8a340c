"""What an import tells of the entries it took: read again where it is asked for."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from itertools import accumulate
from typing import overload

from kb.records import Entry, ImportedEntry
from kb.service.importing.placing import Placed


class TakenIn(Sequence[ImportedEntry]):
    """The entries of some files, in order, with their questions and lines."""

    def __init__(self, files: Sequence[Placed]) -> None:
        self._files = [each for each in files if len(each)]
        self._ends = list(accumulate(map(len, self._files)))

    def __len__(self) -> int:
        return self._ends[-1] if self._ends else 0

    @overload
    def __getitem__(self, number: int) -> ImportedEntry: ...
    @overload
    def __getitem__(self, number: slice) -> tuple[ImportedEntry, ...]: ...
    def __getitem__(self, number: int | slice) -> ImportedEntry | tuple[ImportedEntry, ...]:
        if isinstance(number, slice):
            return tuple(self[n] for n in range(*number.indices(len(self))))
        place = range(len(self))[number]
        file = bisect_right(self._ends, place)
        start = place - (self._ends[file - 1] if file else 0)
        (pair,) = self._files[file].some(slice(start, start + 1))
        return _taken(self._files[file], *pair)

    def __iter__(self) -> Iterator[ImportedEntry]:
        for file in self._files:
            for was, entry in file.pairs():
                yield _taken(file, was, entry)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Sequence) and tuple(self) == tuple(other)

    __hash__ = None  # type: ignore[assignment]


def _taken(file: Placed, was: Entry, entry: Entry) -> ImportedEntry:
    return ImportedEntry(entry.id, entry.question, file.batch.lines.get(was.id))

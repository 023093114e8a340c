"""The ordinals of a large segment by the numbers of its documents."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

_SPARSE = 8


class Inverse(Mapping[int, int]):
    """Ordinals by document: a table where the numbers lie close together, else a search."""

    def __init__(self, documents: Sequence[int]) -> None:
        self._documents = np.asarray(documents, np.int64)
        self._first = int(self._documents.min())
        span = int(self._documents.max()) - self._first + 1
        self._table = self._order = np.empty(0, np.int64)
        if span <= _SPARSE * len(documents):
            self._table = np.full(span, -1, np.int32)
            self._table[self._documents - self._first] = np.arange(len(documents))
        else:
            self._order = np.argsort(self._documents)

    def __getitem__(self, document: int) -> int:
        if len(self._table):
            place = document - self._first
            found = int(self._table[place]) if 0 <= place < len(self._table) else -1
        else:
            found = self._search(document)
        if found < 0:
            raise KeyError(document)
        return found

    def __iter__(self) -> Iterator[int]:
        return iter(self._documents.tolist())

    def __len__(self) -> int:
        return len(self._documents)

    def _search(self, document: int) -> int:
        place = int(np.searchsorted(self._documents, document, sorter=self._order))
        if place == len(self._order) or self._documents[self._order[place]] != document:
            return -1
        return int(self._order[place])

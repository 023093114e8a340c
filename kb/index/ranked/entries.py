"""Which documents of a large segment are of one entry: siblings lie side by side."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from kb.index.ranked.arrays import Mask, Ordinals


class Entries:
    """Numbers of entries by ordinals of documents, rising; hardly any entry has several."""

    def __init__(self, siblings: Sequence[int]) -> None:
        self._siblings = np.asarray(siblings, np.int32)

    def of(self, ordinals: Ordinals) -> Ordinals:
        """Return the number of the entry of each of these documents."""
        if not len(self._siblings):
            return ordinals
        before = np.searchsorted(self._siblings, ordinals, side="right")
        return ordinals - before.astype(np.int32)

    def count(self, held: Mask) -> int:
        """Return of how many entries any document is held."""
        if not len(self._siblings):
            return int(np.count_nonzero(held))
        entries = self.of(np.flatnonzero(held).astype(np.int32))
        return int(np.count_nonzero(np.diff(entries, prepend=-1)))

    def whole(self, held: Mask) -> Mask:
        """Return all documents of the entries of which any document is held."""
        if not len(self._siblings):
            return held
        entries = self.of(np.arange(len(held), dtype=np.int32))
        marked = np.zeros(len(held), np.bool_)
        marked[entries[held]] = True
        found: Mask = marked[entries]
        return found

"""Groups of many lists decoded at once: one by one, short ones cost more than they hold."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from kb.index.ranked.arrays import Ordinals
from kb.index.ranked.codec import CHUNK, Group

Numbers = NDArray[np.intp]


class Decoder:
    """Takes groups of lists of a segment of this ``size``, but none of bits, under numbers."""

    def __init__(self, size: int) -> None:
        self._size = size
        self._ahead = 4 * -(-size // CHUNK)
        self._whole, self._chunked = _Together(), _Together()
        self._counts: list[bytes] = []

    def add(self, number: int, data: bytes, group: Group) -> None:
        """Take a group of a list."""
        if group.kind != "chunks":
            self.add_whole(number, group.length, data[group.start : group.end])
            return
        lows = group.start + self._ahead
        self._counts.append(data[group.start : lows])
        self._chunked.add(number, group.length, data[lows : group.end])

    def add_whole(self, number: int, length: int, data: bytes) -> None:
        """Take a group that is not in chunks."""
        self._whole.add(number, length, data)

    def decoded(self) -> tuple[Ordinals, Numbers]:
        """Return the ordinals of all groups, each group's together, and its number with each."""
        whole = np.frombuffer(self._whole.joined(), "<u2" if self._size <= CHUNK else "<u4")
        above = np.arange(self._ahead // 4, dtype=np.int32) * CHUNK
        counts = np.frombuffer(b"".join(self._counts), "<u4")
        highs = np.repeat(np.tile(above, len(self._counts)), counts)
        lows = np.frombuffer(self._chunked.joined(), "<u2")
        ordinals = np.concatenate((whole.astype(np.int32), highs + lows))
        return ordinals, np.concatenate((self._whole.numbers(), self._chunked.numbers()))


class _Together:
    """Groups of one kind."""

    def __init__(self) -> None:
        self._data: list[bytes] = []
        self._numbers: list[int] = []
        self._lengths: list[int] = []

    def add(self, number: int, length: int, data: bytes) -> None:
        self._numbers.append(number)
        self._lengths.append(length)
        self._data.append(data)

    def joined(self) -> bytes:
        return b"".join(self._data)

    def numbers(self) -> Numbers:
        """Return the number of the group of each ordinal."""
        return np.repeat(np.array(self._numbers, np.intp), self._lengths)

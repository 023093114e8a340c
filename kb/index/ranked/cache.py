"""What was read or made is kept, up to so many bytes: what was used longest ago goes first."""

from __future__ import annotations

import threading
from collections import OrderedDict
from collections.abc import Hashable
from typing import Generic, TypeVar

T = TypeVar("T")


class Cache(Generic[T]):
    """Values by their keys, of at most so many bytes; for all threads of a process.

    >>> cache = Cache[str](10)
    >>> cache.put("a", "x", 6)
    >>> cache.put("b", "y", 6)
    >>> cache.get("a"), cache.get("b")
    (None, 'y')
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._used = 0
        self._lock = threading.Lock()
        self._values: OrderedDict[Hashable, tuple[T, int]] = OrderedDict()

    def get(self, key: Hashable) -> T | None:
        """Return a value, or nothing where it is not kept."""
        with self._lock:
            found = self._values.get(key)
            if found is None:
                return None
            self._values.move_to_end(key)
            return found[0]

    def put(self, key: Hashable, value: T, size: int) -> None:
        """Keep a value that takes so many bytes."""
        with self._lock:
            known = self._values.pop(key, None)
            self._used += size - (known[1] if known else 0)
            self._values[key] = value, size
            while self._used > self._most and len(self._values) > 1:
                _, (_, freed) = self._values.popitem(last=False)
                self._used -= freed

"""Sets of words, as they are written down."""

from __future__ import annotations


def words(*lines: str) -> frozenset[str]:
    """Return the words of some lines.

    >>> sorted(words("a b", "b c"))
    ['a', 'b', 'c']
    """
    return frozenset(word for line in lines for word in line.split())

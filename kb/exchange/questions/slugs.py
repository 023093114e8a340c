"""Ids that repeat, told apart."""

from __future__ import annotations

from collections.abc import Iterable, Iterator


def unique(names: Iterable[str], reserved: Iterable[str] = ()) -> Iterator[str]:
    """Yield names, those that came before with ``-2``, ``-3`` and so on.

    >>> list(unique(["a", "a", "a-2", "b"], reserved=["b"]))
    ['a', 'a-2', 'a-2-2', 'b-2']
    """
    taken = set(reserved)
    counts = dict.fromkeys(taken, 1)
    for name in names:
        found = name
        while found in taken:
            counts[name] = counts.get(name, 1) + 1
            found = f"{name}-{counts[name]}"
        taken.add(found)
        yield found

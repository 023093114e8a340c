"""What a rule finds in a text, and which of it the other text has, too."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

NONE, HINT, PROOF = 0, 1, 2


class Item(NamedTuple):
    """Words that say something of a kind, and by what their counterparts are known.

    Items that share a key of ``exact`` are paired before those that share one of ``loose``.
    ``weight`` says how much it proves that it has no counterpart: `PROOF` alone is an alarm,
    `HINT` is one with another, and `NONE` may be a counterpart but asks for none.
    """

    start: int
    end: int
    exact: frozenset[str]
    loose: frozenset[str] = frozenset()
    weight: int = PROOF


Compared = Callable[[Sequence[Item], Sequence[Item]], tuple[list[Item], list[Item]]]
Left = tuple[list[Item], list[Item]]
"""What is left of each side without a counterpart on the other."""


def alone(ones: Sequence[Item], others: Sequence[Item]) -> Left:
    """Return the items of weight that are left when each is paired with one of the other side.

    As many as possible are paired: by their exact keys first, then by any.
    """
    ones, others = _unpaired(_weightiest(ones), _weightiest(others))
    return _left(ones, others), _left(others, ones)


def absent(ones: Sequence[Item], others: Sequence[Item]) -> list[Item]:
    """Return the items of weight that share no key with any of the others."""
    known = frozenset().union(*(item.exact | item.loose for item in others))
    return [item for item in ones if item.weight and known.isdisjoint(item.exact | item.loose)]


def absent_from_either(ones: Sequence[Item], others: Sequence[Item]) -> Left:
    """Return what of each side is `absent` from the other."""
    return absent(ones, others), absent(others, ones)


def _weightiest(items: Sequence[Item]) -> list[Item]:
    """Return items in the order in which they are paired: what needs a counterpart first."""
    return sorted(items, key=lambda item: (-item.weight, bool(item.loose), item.start))


def _unpaired(ones: Sequence[Item], others: Sequence[Item]) -> tuple[list[Item], list[Item]]:
    """Return what is left of each side once those that say the very same are paired."""
    pairs = _pairs(ones, others, broad=False)
    taken = set(pairs.values())
    return (
        [item for n, item in enumerate(ones) if n not in taken],
        [item for n, item in enumerate(others) if n not in pairs],
    )


def _left(ones: Sequence[Item], others: Sequence[Item]) -> list[Item]:
    """Return the weighty items that cannot be paired.

    That both sides may be asked apart, though each pairs as it likes, is the theorem of
    Mendelsohn and Dulmage: one pairing serves what either side can have served.
    """
    asking = [item for item in ones if item.weight]
    taken = set(_pairs(asking, others, broad=True).values())
    return [item for n, item in enumerate(asking) if n not in taken]


def _pairs(ones: Sequence[Item], others: Sequence[Item], *, broad: bool) -> dict[int, int]:
    """Return a largest pairing, from the number of an item of the others to one of these."""
    pairs: dict[int, int] = {}

    def place(n: int, seen: set[int]) -> bool:
        for m, other in enumerate(others):
            if m not in seen and _fit(ones[n], other, broad=broad):
                seen.add(m)
                if m not in pairs or place(pairs[m], seen):
                    pairs[m] = n
                    return True
        return False

    for n in range(len(ones)):
        place(n, set())
    return pairs


def _fit(one: Item, other: Item, *, broad: bool) -> bool:
    if not broad:
        return not one.exact.isdisjoint(other.exact)
    return not (one.exact | one.loose).isdisjoint(other.exact | other.loose)

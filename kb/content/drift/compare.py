"""Both languages of a text beside each other, and what stands on one side alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from typing import NamedTuple

from kb.content.drift.alignment import Bead, Counterparts, align
from kb.content.drift.formulas import find_formulas
from kb.content.drift.items import PROOF, Compared, Item, Left, absent, absent_from_either, alone
from kb.content.drift.negation import find_negation
from kb.content.drift.numbers import find_numbers
from kb.content.drift.reading import Place, Reading
from kb.content.drift.units import find_units


class Rule(NamedTuple):
    """A kind of words that both texts must have.

    ``left`` returns what has no counterpart on either side of a stretch; ``near`` looks for
    counterparts in the stretches around, too.
    """

    find: Callable[[Reading], list[Item]]
    left: Compared
    near: bool = False


RULES: dict[str, Rule] = {
    "number": Rule(find_numbers, absent_from_either, near=True),
    "unit": Rule(find_units, absent_from_either, near=True),
    "formula": Rule(find_formulas, absent_from_either, near=True),
    "negation": Rule(find_negation, alone),
}


class Drift(NamedTuple):
    """What stands on one side alone: words of each, and the stretches they stand in."""

    rule: str
    one: tuple[str, ...]
    other: tuple[str, ...]
    bead: Bead


def drifts(one: Reading, other: Reading, counterparts: Counterparts) -> Iterator[Drift]:
    """Yield what two texts do not share, stretch by stretch, by the rules in their order."""
    beads = align(one, other, counterparts)
    for name, rule in RULES.items():
        ones, others = rule.find(one), rule.find(other)
        left = [rule.left(_in(ones, bead.one), _in(others, bead.other)) for bead in beads]
        if rule.near:
            left = [_not_near(left, number) for number in range(len(left))]
        for bead, (here, there) in zip(beads, left, strict=True):
            if _proves(here, there):
                yield Drift(name, _said(one, here), _said(other, there), bead)


def _proves(ones: Sequence[Item], others: Sequence[Item]) -> bool:
    """Say whether the weightiest of what is left prove a drift, by itself or both together."""
    here, there = (max((item.weight for item in side), default=0) for side in (ones, others))
    return max(here, there) >= PROOF or (min(here, there) > 0 and here + there >= PROOF)


def _not_near(left: Sequence[Left], number: int) -> Left:
    """Return what is left of a stretch, and what is left of the stretches beside it lacks, too."""
    around = [*left[max(number - 1, 0) : number], *left[number + 1 : number + 2]]
    ones, others = left[number]
    return (
        absent(ones, [item for _, each in around for item in each]),
        absent(others, [item for each, _ in around for item in each]),
    )


def _in(items: Sequence[Item], place: Place) -> list[Item]:
    return [item for item in items if place[0] <= item.start < place[1]]


def _said(text: Reading, items: Sequence[Item]) -> tuple[str, ...]:
    """Return the words of what is left, those aside that prove nothing."""
    return tuple(dict.fromkeys(text.text[each.start : each.end] for each in items if each.weight))

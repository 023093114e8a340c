"""Both languages of a text beside each other, and what stands on one side alone."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from kb.content.drift.alignment import Bead, align
from kb.content.drift.formulas import find_formulas
from kb.content.drift.items import PROOF, Compared, Item, Left, absent, alone, each_way
from kb.content.drift.lexicon import Lexicon
from kb.content.drift.negation import find_negation
from kb.content.drift.numbers import find_numbers
from kb.content.drift.quantifiers import find_quantifiers, unquantified
from kb.content.drift.reading import Place, Reading
from kb.content.drift.terms import find_terms, uncovered
from kb.content.drift.units import find_units
from kb.content.drift.usage import Usage
from kb.content.drift.verdicts import find_verdicts


@dataclass(frozen=True, slots=True)
class Rule:
    """A kind of words that both texts must have.

    ``left`` returns what has no counterpart on either side of a stretch. Of what is left the
    weightiest of each side counts: ``one`` is what it must weigh by itself, ``both`` what those
    of both sides must weigh together. ``near`` looks for counterparts in the stretches around,
    ``usage`` weighs by what other texts do.
    """

    find: Callable[[Reading, Lexicon], list[Item]]
    left: Compared
    one: int = PROOF
    both: int = PROOF
    near: bool = False
    usage: bool = False

    def alarms(self, left: Sequence[Item], right: Sequence[Item]) -> bool:
        """Say whether what is left on both sides is enough."""
        here, there = (max((item.weight for item in side), default=0) for side in (left, right))
        return max(here, there) >= self.one or (min(here, there) > 0 and here + there >= self.both)


NEVER = 99
"""A weight that nothing has."""

RULES: dict[str, Rule] = {
    "number": Rule(find_numbers, each_way(absent), near=True),
    "unit": Rule(find_units, each_way(absent), near=True),
    "formula": Rule(find_formulas, each_way(absent), near=True),
    "negation": Rule(find_negation, alone),
    "quantifier": Rule(find_quantifiers, unquantified),
    "verdict": Rule(find_verdicts, alone, one=NEVER),
    "term": Rule(find_terms, each_way(uncovered), one=4, both=5, usage=True),
}


@dataclass(frozen=True, slots=True)
class Aligned:
    """Two texts that should say the same, in stretches that do."""

    texts: tuple[Reading, Reading]
    beads: tuple[Bead, ...]

    def left(self, rule: Rule, lexicon: Lexicon) -> Iterator[tuple[Sequence[Item], ...]]:
        """Yield for each stretch what a rule finds on both sides, and what of it is left."""
        ones, others = (rule.find(text, lexicon) for text in self.texts)
        for bead in self.beads:
            here, there = _in(ones, bead.one), _in(others, bead.other)
            yield here, there, *rule.left(here, there)


class Drift(NamedTuple):
    """What stands on one side alone: words of each, and the stretches they stand in."""

    rule: str
    one: tuple[str, ...]
    other: tuple[str, ...]
    bead: Bead


def aligned(one: Reading, other: Reading, lexicon: Lexicon) -> Aligned:
    """Return a text of each of two languages in stretches that say the same."""
    return Aligned((one, other), tuple(align(one, other, lexicon)))


def usage_in(pair: Aligned, lexicon: Lexicon) -> Usage:
    """Return how the terms of a text are told in the other language."""
    usage = Usage()
    for rule in RULES.values():
        if rule.usage:
            for here, there, ones, others in pair.left(rule, lexicon):
                usage.note(pair.texts[0], here, ones)
                usage.note(pair.texts[1], there, others)
    return usage


def drifts(pair: Aligned, lexicon: Lexicon, usage: Usage) -> Iterator[Drift]:
    """Yield what two texts do not share, stretch by stretch, by the rules in their order.

    ``usage`` is that of the texts around, this one aside.
    """
    for name, rule in RULES.items():
        left = [(list(ones), list(others)) for *_, ones, others in pair.left(rule, lexicon)]
        if rule.near:
            left = [_not_near(left, number) for number in range(len(left))]
        for bead, sides in zip(pair.beads, left, strict=True):
            ones, others = (
                [usage.weigh(text, item) for item in side] if rule.usage else side
                for text, side in zip(pair.texts, sides, strict=True)
            )
            if rule.alarms(ones, others):
                yield Drift(name, _said(pair.texts[0], ones), _said(pair.texts[1], others), bead)


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

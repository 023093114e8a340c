"""How reliably the texts of a folder tell a term by one of its names, each text aside.

A word of the glossary may be a word of everyday speech (time, mean, order), which is
translated in many ways: where other texts have it without a counterpart, too, a text that
does proves nothing. One that the others always tell by its name, or that no other text has,
proves much.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from kb.content.drift.items import HINT, NONE, PROOF, Item
from kb.content.drift.lexicon import Stems
from kb.content.drift.reading import Reading

Key = tuple[str, Stems]
_ENOUGH = 3
"""Places in other texts by which a term is judged."""
_RELIABLE = 0.9
_USUAL = 0.7


@dataclass(frozen=True, slots=True)
class Usage:
    """In how many places each term is met, and in how many of them it has a counterpart."""

    met: Counter[Key] = field(default_factory=Counter)
    told: Counter[Key] = field(default_factory=Counter)

    def note(self, reading: Reading, items: Iterable[Item], left: Sequence[Item]) -> None:
        """Count the terms of a stretch, of which some are left without a counterpart."""
        alone = {item.start for item in left}
        for item in items:
            if item.weight:
                key = key_of(reading, item)
                self.met[key] += 1
                self.told[key] += item.start not in alone

    @property
    def alone(self) -> frozenset[Key]:
        """Return the terms that were met without a counterpart."""
        return frozenset(key for key, times in self.met.items() if times > self.told[key])

    def add(self, other: Usage) -> None:
        """Count what another has counted."""
        self.met.update(other.met)
        self.told.update(other.told)

    def without(self, own: Usage) -> Usage:
        """Return what was counted in other texts than one's own."""
        return Usage(self.met - own.met, self.told - own.told)

    def weigh(self, reading: Reading, item: Item) -> Item:
        """Return a term that has no counterpart with the weight that other texts give it."""
        key = key_of(reading, item)
        met = self.met[key]
        if met < _ENOUGH:
            new = not met and item.weight >= PROOF
            return item._replace(weight=item.weight + new)
        share = self.told[key] / met
        weight = PROOF if share >= _RELIABLE else HINT if share >= _USUAL else NONE
        return item._replace(weight=weight)


def key_of(reading: Reading, item: Item) -> Key:
    """Return by what a term is counted: its language and its stems."""
    return reading.lang, tuple(word.stem for word in reading.within(item.start, item.end))

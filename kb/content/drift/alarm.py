"""The report of a drift: one sentence with both places and the differing words."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from kb.content.drift.alignment import LANGS, Bead, Pair, align
from kb.content.drift.items import (
    PROOF,
    Item,
    Left,
    Place,
    Reading,
    absent,
    absent_from_either,
    alone,
    find_formulas,
    read,
)
from kb.content.drift.numbers import find_negation, find_numbers, find_units
from kb.content.glossary import lines_of
from kb.content.tables import Mistakes
from kb.errors import BadData, Message, nearest

# The record of alarms that were looked at: texts that say the same, though a rule points at them.
#
# ``alike.tsv`` is a table with tabs: the entry and which of its texts, the rule, the words that
# stand on one side alone, and why they are no drift.


ALIKE = "alike.tsv"
COLUMNS = ("entry", "text", "rule", "words", "why")


class Alike(NamedTuple):
    """A known false alarm."""

    entry: str
    text: str
    rule: str
    words: str


def read_alike(folder: Path, within: Path | None = None) -> dict[Alike, str]:
    """Return the known false alarms with their lines; none without a file.

    Raises `BadData` for a line without a reason or with an unknown rule.
    """
    file = folder / ALIKE
    return dict(_rows(file, within)) if file.exists() else {}


def _rows(file: Path, within: Path | None) -> Iterator[tuple[Alike, str]]:
    for number, line in lines_of(file, COLUMNS, within):
        place, cells = f"{file}:{number}", line.split("\t")
        if len(cells) != len(COLUMNS) or not all(cells):
            raise BadData(
                "needs {columns}, separated by tabs", place=place, columns=", ".join(COLUMNS)
            )
        if cells[2] not in RULES:
            raise BadData(
                "rule: unknown rule '{cells}'",
                nearest(cells[2], RULES),
                place=place,
                cells=cells[2],
            )
        yield Alike(*cells[: len(Alike._fields)]), place


# Both languages of a text beside each other, and what stands on one side alone.


class Rule(NamedTuple):
    """A kind of words that both texts must contain.

    ``left`` returns what has no counterpart on either side of a span; ``near`` also searches
    neighbouring spans.
    """

    find: Callable[[Reading], list[Item]]
    left: Callable[[Sequence[Item], Sequence[Item]], Left]
    near: bool = False


RULES: dict[str, Rule] = {
    "number": Rule(find_numbers, absent_from_either, near=True),
    "unit": Rule(find_units, absent_from_either, near=True),
    "formula": Rule(find_formulas, absent_from_either, near=True),
    "negation": Rule(find_negation, alone),
}


class Drift(NamedTuple):
    """A difference: the words that only one side has, and their spans."""

    rule: str
    one: tuple[str, ...]
    other: tuple[str, ...]
    bead: Bead


def drifts(one: Reading, other: Reading) -> Iterator[Drift]:
    """Yield the differences between two texts, span by span, rule by rule."""
    beads = list(align(one, other))
    for name, rule in RULES.items():
        ones, others = rule.find(one), rule.find(other)
        left = [rule.left(_in(ones, bead.one), _in(others, bead.other)) for bead in beads]
        if rule.near:
            left = [_not_near(left, number) for number in range(len(left))]
        for bead, (here, there) in zip(beads, left, strict=True):
            if _proves(here, there):
                yield Drift(name, _said(one, here), _said(other, there), bead)


def _proves(ones: Sequence[Item], others: Sequence[Item]) -> bool:
    """Return whether the remaining items of most weight prove a drift, alone or together."""
    here, there = (max((item.weight for item in side), default=0) for side in (ones, others))
    return max(here, there) >= PROOF or (min(here, there) > 0 and here + there >= PROOF)


def _not_near(left: Sequence[Left], number: int) -> Left:
    """Return the remaining items of a span that neighbouring spans lack, too."""
    around = [*left[max(number - 1, 0) : number], *left[number + 1 : number + 2]]
    ones, others = left[number]
    return (
        absent(ones, [item for _, each in around for item in each]),
        absent(others, [item for each, _ in around for item in each]),
    )


def _in(items: Sequence[Item], place: Place) -> list[Item]:
    return [item for item in items if place[0] <= item.start < place[1]]


def _said(text: Reading, items: Sequence[Item]) -> tuple[str, ...]:
    """Return the words of the remaining items, without those that prove nothing."""
    return tuple(dict.fromkeys(text.text[each.start : each.end] for each in items if each.weight))


_NAMES = {"en": "English", "fa": "Persian"}
_HINT = Message("Make both say the same, or give the reason in {alike}.", alike=ALIKE)


def advise_drift(pairs: Sequence[Pair], alike: Mapping[Alike, str], mistakes: Mistakes) -> None:
    """Report differences between the texts of each pair as advice, except known alarms.

    A known alarm that no longer occurs is reported.
    """
    given = set()
    for pair in pairs:
        one, other = read(pair.one.text, LANGS[0]), read(pair.other.text, LANGS[1])
        for drift in drifts(one, other):
            words = ", ".join((*drift.one, *drift.other))
            alarm = Alike(pair.owner, pair.name, drift.rule, words)
            given.add(alarm)
            if alarm not in alike:
                mistakes.advise(BadData(sentence(pair, drift), _HINT))
    for alarm, place in alike.items():
        if alarm not in given:
            mistakes.advise(
                BadData(
                    "nothing refers to '{words}'",
                    "Remove the line.",
                    place=place,
                    words=alarm.words,
                )
            )


def sentence(pair: Pair, drift: Drift) -> str:
    """Return the report of a drift: both places, and what each side says alone.

    If a side has no words of its own, the place is the span where they are missing.
    """
    one, other = pair.one.place(*drift.bead.one), pair.other.place(*drift.bead.other)
    said = [
        _alone(words, lang) for lang, words in zip(LANGS, (drift.one, drift.other), strict=True)
    ]
    told = "; ".join(each for each in said if each)
    return f"{one} and {other}: {pair.name}: {drift.rule}: {told}"


def _alone(words: Sequence[str], lang: str) -> str:
    if not words:
        return ""
    listed = ", ".join(f"«{each}»" for each in words)
    absent = next(name for code, name in _NAMES.items() if code != lang)
    return f"{_NAMES[lang]} says {listed}, {absent} has nothing for it"

"""Compares the texts of an entry in both languages, and reports what only one of them says."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

from kb.content.context import Mistakes
from kb.content.drift.items import (
    Item,
    Place,
    Reading,
    absent,
    find_formulas,
    find_negation,
    find_numbers,
    find_units,
    read,
)
from kb.content.glossary import lines_of
from kb.content.tables import Table
from kb.errors import BadData, Message, nearest
from kb.model.entry import Entry
from kb.model.values import LAYERS

LANGS = ("en", "fa")


class Bead(NamedTuple):
    """A span of one text and the corresponding span of the other."""

    one: Place
    other: Place


def align(one: Reading, other: Reading) -> Iterator[Bead]:
    """Yield corresponding spans of both texts, in order.

    Lines correspond if both texts have as many, and so do clauses. Otherwise the texts are
    compared as a whole.
    """
    for lines in _side_by_side(one.lines, other.lines):
        inside = ([*each.clauses(*line)] for each, line in zip((one, other), lines, strict=True))
        yield from _side_by_side(*inside)


def _side_by_side(ones: Sequence[Place], others: Sequence[Place]) -> list[Bead]:
    if len(ones) == len(others):
        return list(map(Bead, ones, others))
    return [Bead(*((side[0][0], side[-1][1]) if side else (0, 0) for side in (ones, others)))]


# The texts of an entry in both languages, and where they are written.


class Pair(NamedTuple):
    """Two texts of a file that should say the same; ``name`` says which part of the entry."""

    table: Table
    owner: str
    name: str
    one: str
    other: str


def pairs_of(table: Table, entry: Entry) -> Iterator[Pair]:
    """Yield question, answers and notes that exist in both languages.

    For a question with a better wording of ours, that wording is used.
    """
    answers: dict[str, dict[str, str]] = defaultdict(dict)
    for answer in entry.answers:
        answers[answer.role][answer.lang] = answer.text
    found: dict[str, Mapping[str, str]] = {
        "question": {**entry.question, **entry.wording},
        **answers,
        **{name: getattr(entry, name) for name in LAYERS},
        "assessment": entry.assessment.sentence if entry.assessment else {},
        **{each.id: each.note for each in entry.annotations if not each.repeats},
    }
    for name, texts in found.items():
        if all(lang in texts for lang in LANGS):
            yield Pair(table, entry.id, name, *(texts[lang] for lang in LANGS))


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


def read_alike(folder: Path, within: Path | None) -> dict[Alike, str]:
    """Return the known false alarms with their lines; none without a file.

    Raises `BadData` for a line without a reason or with an unknown rule.
    """
    file, found = folder / ALIKE, {}
    for number, line in lines_of(file, COLUMNS, within) if file.exists() else ():
        place, cells = f"{file}:{number}", line.split("\t")
        if len(cells) != len(COLUMNS) or not all(cells):
            raise BadData(
                "needs {columns}, separated by tabs", place=place, columns=", ".join(COLUMNS)
            )
        alarm = Alike(*cells[: len(Alike._fields)])
        if alarm.rule not in RULES:
            hint = nearest(alarm.rule, RULES)
            raise BadData("rule: unknown rule '{cells}'", hint, place=place, cells=alarm.rule)
        found[alarm] = place
    return found


# Both languages of a text beside each other, and what stands on one side alone.


RULES: dict[str, Callable[[Reading], list[Item]]] = {
    "number": find_numbers,
    "unit": find_units,
    "formula": find_formulas,
    "negation": find_negation,
}
"""The kinds of words that both texts must contain, and the function that finds each."""

_NEAR = ("number", "unit", "formula")
"""Kinds that are looked for in neighbouring spans, too."""


class Drift(NamedTuple):
    """A difference: the words that only one side has, and their spans."""

    rule: str
    one: tuple[str, ...]
    other: tuple[str, ...]
    bead: Bead


def drifts(one: Reading, other: Reading) -> Iterator[Drift]:
    """Yield the differences between two texts, span by span, rule by rule."""
    beads = list(align(one, other))
    for name, find in RULES.items():
        ones, others = find(one), find(other)
        for number, bead in enumerate(beads):
            # What one language says in a sentence of its own the other often says beside it.
            near = beads[max(number - 1, 0) : number + 2] if name in _NEAR else [bead]
            around = Bead((near[0].one[0], near[-1].one[1]), (near[0].other[0], near[-1].other[1]))
            left = absent(_in(ones, bead.one), _in(others, around.other))
            right = absent(_in(others, bead.other), _in(ones, around.one))
            if left or right:
                yield Drift(name, _said(one, left), _said(other, right), bead)


def _in(items: Sequence[Item], place: Place) -> list[Item]:
    return [item for item in items if place[0] <= item.start < place[1]]


def _said(text: Reading, items: Sequence[Item]) -> tuple[str, ...]:
    """Return the words of the remaining items."""
    return tuple(dict.fromkeys(text.text[each.start : each.end] for each in items))


_HINT = Message("Make both say the same, or give the reason in {alike}.", alike=ALIKE)


def advise_drift(pairs: Sequence[Pair], alike: Mapping[Alike, str], mistakes: Mistakes) -> None:
    """Report differences between the texts of each pair as advice, except known alarms.

    A known alarm that no longer occurs is reported.
    """
    given = set()
    for pair in pairs:
        one, other = read(pair.one, LANGS[0]), read(pair.other, LANGS[1])
        for drift in drifts(one, other):
            words = ", ".join((*drift.one, *drift.other))
            alarm = Alike(pair.owner, pair.name, drift.rule, words)
            given.add(alarm)
            if alarm not in alike:
                mistakes.advise(BadData(sentence(pair, drift), _HINT))
    for alarm, place in alike.items():
        if alarm not in given:
            hint = Message("Remove the line.")
            mistakes.advise(
                BadData("nothing refers to '{words}'", hint, place=place, words=alarm.words)
            )


def sentence(pair: Pair, drift: Drift) -> str:
    """Return the report of a drift: both places, and what each side says alone.

    If a side has no words of its own, the place is the span where they are missing.
    """
    sides = zip((pair.one, pair.other), drift.bead, strict=True)
    one, other = (pair.table.place_of(text, text[slice(*span)]) for text, span in sides)
    told = []
    for says, lacks, words in (
        ("English", "Persian", drift.one),
        ("Persian", "English", drift.other),
    ):
        if words:
            listed = ", ".join(f"«{each}»" for each in words)
            told.append(f"{says} says {listed}, {lacks} has nothing for it")
    return f"{one} and {other}: {pair.name}: {drift.rule}: {'; '.join(told)}"

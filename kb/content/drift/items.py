"""Items that a rule finds in a text, matched with those of the other text."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from kb.terminal.bidi.direction import formulas_in

NONE, HINT, PROOF = 0, 1, 2


class Item(NamedTuple):
    """Words of one kind, such as a number, with keys that find their counterparts.

    Items that share an ``exact`` key are paired before those that share a ``loose`` one.
    ``weight`` is how much a missing counterpart proves: `PROOF` alone is an alarm, two `HINT` are
    one, and `NONE` may be a counterpart but needs none.
    """

    start: int
    end: int
    exact: frozenset[str]
    loose: frozenset[str] = frozenset()
    weight: int = PROOF


Left = tuple[list[Item], list[Item]]
"""The unmatched items of each side."""


def alone(ones: Sequence[Item], others: Sequence[Item]) -> Left:
    """Return the weighted items that have no partner on the other side.

    Items are paired by exact keys first, then by any key; the items with most weight first.
    """
    left = tuple(
        sorted(side, key=lambda item: (-item.weight, item.start)) for side in (ones, others)
    )
    for broad in (False, True):
        for one in [*left[0]]:
            keys = _keys(one, broad=broad)
            known = (each for each in left[1] if not keys.isdisjoint(_keys(each, broad=broad)))
            found = next(known, None)
            if found is not None and (not broad or one.weight or found.weight):
                left[0].remove(one)
                left[1].remove(found)
    return [item for item in left[0] if item.weight], [item for item in left[1] if item.weight]


def _keys(item: Item, *, broad: bool) -> frozenset[str]:
    return item.exact | item.loose if broad else item.exact


def absent(ones: Sequence[Item], others: Sequence[Item]) -> list[Item]:
    """Return the weighted items that share no key with any of the others."""
    known = frozenset().union(*(_keys(item, broad=True) for item in others))
    return [item for item in ones if item.weight and known.isdisjoint(_keys(item, broad=True))]


def absent_from_either(ones: Sequence[Item], others: Sequence[Item]) -> Left:
    """Return the items of each side that are `absent` from the other."""
    return absent(ones, others), absent(others, ones)


# A text as the rules of drift read it: in plain letters, line by line and clause by clause.
#
# Letters and digits are made plain one for one, so that every place counts in the text as it was
# written.


Place = tuple[int, int]

_PLAIN = str.maketrans(
    "۰۱۲۳۴۵۶۷۸۹٠١٢٣٤٥٦٧٨٩٬٫٪يىك−–’‑",
    "01234567890123456789,.%ییک--'-",
)
# A colon or a semicolon ends a clause, too: what one language tells in a sentence of its own
# the other often tells behind one.
_CLAUSE = re.compile(
    r"[^\n]+?(?:(?<!\be\.g)(?<!\bi\.e)(?<!\bal)[.!?؟…;؛:]+[»”\")]*(?=\s)|(?=\n)|$)"
)
_LINE = re.compile(r"[^\n]+")


@dataclass(frozen=True, slots=True)
class Reading:
    """A normalized text."""

    lang: str
    text: str

    @property
    def lines(self) -> list[Place]:
        """Return the spans of lines that are not empty."""
        return [line.span() for line in _LINE.finditer(self.text) if not line[0].isspace()]

    def clauses(self, start: int, end: int) -> Iterator[Place]:
        """Yield the spans of the clauses within a span, without leading spaces.

        >>> one = read("It is so. But: not here!", "en")
        >>> [one.text[start:end] for start, end in one.clauses(0, 24)]
        ['It is so.', 'But:', 'not here!']
        """
        for found in _CLAUSE.finditer(self.text, start, end):
            if bare := found[0].lstrip():
                yield found.end() - len(bare), found.end()


def read(text: str, lang: str) -> Reading:
    """Return a text in normalized spelling of the same length, for comparison.

    >>> read("۲٬۰۰۰ كار − 1", "fa").text
    '2,000 کار - 1'
    """
    return Reading(lang, text.translate(_PLAIN))


# Words that carry a meaning of a small kind (no, all, wrong), declared as a table by language.
#
# A line names what the words say and has patterns between blanks; ``_`` is a blank within one.
# The sign behind the name is ``!`` where they prove a drift by themselves, ``?`` where with others,
# none where they may be a counterpart and ask for none, ``=`` where for their own name only.
# Lines with the same name are counterparts first, and any of a table where that finds none.


_LETTER = "A-Za-z\u0600-\u060b\u060d-\u061a\u061c-\u061e\u0620-\u0669\u066e-\u06d3\u06d5-\u06ff"
_WEIGHTS = {"!": PROOF, "?": HINT}
_START = rf"(?<![{_LETTER}\u200c])"
WITHIN = rf"(?<![{_LETTER}])"
"""The start of a word that a half-space may join to a number."""
# An ezafe or a tanvin that is written ends a word as it is.
_END = rf"[\u064b-\u0654]?(?![{_LETTER}\u200c])"


class Cue(NamedTuple):
    """A pattern with the keys of what it finds, and its weight without a counterpart."""

    pattern: re.Pattern[str]
    says: frozenset[str]
    weight: int
    strict: bool = False


def cues(table: str, start: str = _START) -> tuple[Cue, ...]:
    """Return the cues of a table; each matches at ``start``, by default the start of a word.

    >>> [(cue.says, cue.weight) for cue in cues("never! never")]
    [(frozenset({'never'}), 2)]
    """
    found = []
    for line in table.strip().splitlines():
        name, *patterns = line.split()
        says = frozenset(name.rstrip("!?=").split("+"))
        any_of = "|".join(patterns).replace("_", " ")
        pattern = re.compile(rf"{start}(?:{any_of}){_END}", re.IGNORECASE)
        found.append(Cue(pattern, says, _WEIGHTS.get(name[-1], NONE), name.endswith("=")))
    return tuple(found)


def find_cues(
    reading: Reading, tables: Mapping[str, Sequence[Cue]], loose: frozenset[str] = frozenset()
) -> list[Item]:
    """Return the matches of a table for the text's language, each once, in order.

    If several patterns find the same words, the first in the table counts.
    """
    taken: list[tuple[int, int]] = []
    items = []
    for cue in tables[reading.lang]:
        for found in cue.pattern.finditer(reading.text):
            if not any(start < found.end() and found.start() < end for start, end in taken):
                taken.append(found.span())
                own = frozenset[str]() if cue.strict else loose
                items.append(Item(*found.span(), cue.says, own, cue.weight))
    return sorted(items)


# Formulas: the relations, roots, sums and Greek letters that both languages write alike.
#
# Where formulas stand is asked of the layout of right-to-left text. Numbers in them are compared
# as numbers; signs that prose can say in words (plus, times, over) are not compared.


_SIGN = re.compile(r"[≤≥<>≠√∑∏∂∇∫∞∈⊂∪∩\u0391-\u03c9]")
_ALIKE = str.maketrans("ΣΠϵ", "∑∏ε")


def find_formulas(reading: Reading) -> list[Item]:
    """Return the symbols of a text; those outside formulas can only be counterparts.

    >>> from kb.content.drift.items import read
    >>> found = find_formulas(read("اگر a≤b و ε", "fa"))
    >>> [(min(item.exact), item.weight) for item in found]
    [('≤', 2), ('ε', 0)]
    """
    runs = []
    start = 0
    for paragraph in reading.text.split("\n"):
        runs += [(start + first, start + last) for first, last in formulas_in(paragraph)]
        start += len(paragraph) + 1
    return [
        Item(found.start(), found.end(), frozenset({found[0].translate(_ALIKE)}), weight=weight)
        for found in _SIGN.finditer(reading.text)
        for within in (any(first <= found.start() < last for first, last in runs),)
        # A letter may be named once and meant twice; another one for it is left on both sides.
        for weight in ((HINT if found[0].isalpha() else PROOF) if within else NONE,)
    ]

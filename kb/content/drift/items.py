"""What a rule finds in a text, and which of it the other text has, too."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from kb.terminal.bidi.direction import formulas_in
from kb.text.analyzer import analyze

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


# A text as the rules of drift read it: plain letters, clauses, and words with their stems.
#
# Letters and digits are made plain one for one, so that every place counts in the text as it was
# written.
#
# >>> plain("۲٬۰۰۰ كار − 1")
# '2,000 کار - 1'
# >>> one = read("It is so. But: not here!", "en")
# >>> [one.text[start:end] for start, end in one.clauses]
# ['It is so.', 'But:', 'not here!']


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


class Word(NamedTuple):
    """A word by its stem, and where it stands."""

    stem: str
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Reading:
    """A text in plain letters, with its clauses and words in order."""

    lang: str
    text: str
    clauses: tuple[Place, ...]
    words: tuple[Word, ...]

    def within(self, start: int, end: int) -> Iterator[Word]:
        """Yield the words of a stretch."""
        return (word for word in self.words if start <= word.start < end)


def plain(text: str) -> str:
    """Return a text with one spelling for letters, digits and signs, none longer or shorter."""
    return text.translate(_PLAIN)


def read(text: str, lang: str) -> Reading:
    """Return a text of a language as it is compared."""
    written = plain(text)
    words = tuple(
        Word(term.text, term.start, term.end)
        for word in analyze(written, lang)
        for term in word.terms
    )
    return Reading(lang, written, tuple(_clauses(written)), words)


def _clauses(text: str) -> Iterator[Place]:
    for found in _CLAUSE.finditer(text):
        start = found.start() + len(found[0]) - len(found[0].lstrip())
        if start < found.end():
            yield start, found.end()


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
"""Where a word begins that may be joined to a number by a half-space."""
# An ezafe or a tanvin that is written ends a word as it is.
_END = rf"[\u064b-\u0654]?(?![{_LETTER}\u200c])"


class Cue(NamedTuple):
    """What finds words, the names of what they say, and what they prove without a counterpart."""

    pattern: re.Pattern[str]
    says: frozenset[str]
    weight: int
    strict: bool = False


def cues(table: str, start: str = _START) -> tuple[Cue, ...]:
    """Return the cues of a table; each begins where ``start`` does, at a word unless told.

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
    """Return the words of a text that a table of its language has, each once, in order.

    Of patterns that find the same words the first of the table counts.
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
    """Return the signs of a text; those outside formulas may be counterparts only.

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

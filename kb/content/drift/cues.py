"""Words that carry a meaning of a small kind (no, all, wrong), declared as a table by language.

A line names what the words say and has patterns between blanks; ``_`` is a blank within one.
The sign behind the name is ``!`` where they prove a drift by themselves, ``?`` where with others,
none where they may be a counterpart and ask for none, ``=`` where for their own name only.
Lines with the same name are counterparts first, and any of a table where that finds none.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from kb.content.drift.items import HINT, NONE, PROOF, Item
from kb.content.drift.reading import Reading

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

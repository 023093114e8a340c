"""Formulas: the relations, roots, sums and Greek letters that both languages write alike.

Where formulas stand is asked of the layout of right-to-left text. Numbers in them are compared
as numbers; signs that prose can say in words (plus, times, over) are not compared.
"""

from __future__ import annotations

import re

from kb.content.drift.items import HINT, NONE, PROOF, Item
from kb.content.drift.reading import Reading
from kb.display.bidi.direction import formulas_in

_SIGN = re.compile(r"[≤≥<>≠√∑∏∂∇∫∞∈⊂∪∩\u0391-\u03c9]")
_ALIKE = str.maketrans("ΣΠϵ", "∑∏ε")


def find_formulas(reading: Reading) -> list[Item]:
    """Return the signs of a text; those outside formulas may be counterparts only.

    >>> from kb.content.drift.reading import read
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

"""Where the words of a query stand in coded texts: each text is read once for all of them."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from kb.text.coding import CodedText

Place = tuple[int, int, int]
"""Where a word begins in a coded text, where it ends, and the number of the word."""


class Occurrences(NamedTuple):
    """What of a query stands in a text: places in order, and how often each spelling does.

    ``spelled`` counts by the numbers of word and spelling, ``forms`` by the forms themselves.
    """

    places: list[Place]
    spelled: Counter[tuple[int, int]]
    forms: Counter[str]


class Sought:
    """The words of a query: for each its spellings, and the forms that are looked for, too."""

    def __init__(self, words: Sequence[Sequence[str]], forms: Iterable[str] = ()) -> None:
        self._single: dict[str, list[tuple[int, int]]] = {}
        self._several: list[tuple[str, tuple[int, int]]] = []
        for word, spellings in enumerate(words):
            for number, spelling in enumerate(spellings):
                if len(spelling) == 1:
                    self._single.setdefault(spelling, []).append((word, number))
                else:
                    self._several.append((spelling, (word, number)))
        self._in_stems = _any_of(self._single)
        self._in_forms = _any_of({*self._single, *forms})

    def occurrences(self, text: CodedText) -> Occurrences:
        """Return what stands in a text.

        >>> found = Sought([["a"], ["b", "ca"]]).occurrences(CodedText("abca", "b"))
        >>> found.places
        [(0, 1, 0), (1, 2, 1), (2, 4, 1), (3, 4, 0)]
        >>> found.spelled[1, 0]
        2
        """
        stems, others = text
        places: list[Place] = []
        spelled: Counter[tuple[int, int]] = Counter()
        for match in self._in_stems.finditer(stems):
            at = match.start()
            for which in self._single[stems[at]]:
                places.append((at, at + 1, which[0]))
                spelled[which] += 1
        forms = Counter(self._in_forms.findall(others))
        for form, often in forms.items():
            for which in self._single.get(form, ()):
                spelled[which] += often
        for spelling, which in self._several:
            often = stems.count(spelling) + others.count(spelling)
            if often:
                spelled[which] += often
                places += _each(spelling, stems, which[0])
        if self._several:
            places.sort()
        return Occurrences(places, spelled, forms)


def _any_of(chars: Iterable[str]) -> re.Pattern[str]:
    """Return the pattern of any of these characters; of none, one that is found nowhere."""
    either = "".join(map(re.escape, sorted(chars)))
    return re.compile(f"[{either}]" if either else "(?!)")


def _each(spelling: str, text: str, word: int) -> list[Place]:
    found = []
    place = text.find(spelling)
    while place >= 0:
        found.append((place, place + len(spelling), word))
        place = text.find(spelling, place + 1)
    return found

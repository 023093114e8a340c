"""Where the words of a query stand in a column of a document, from where its terms stand."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from kb.records.clauses import Occurrences

Place = tuple[int, int, int]
"""Where a word begins among the terms of a column, where it ends, and the number of the word."""

_NONE: tuple[int, ...] = ()


class Found(NamedTuple):
    """What of a query stands in a column: places in order, and how often each spelling does."""

    places: Sequence[Place]
    spelled: Mapping[int, int]


class Sought:
    """The words of a query: for each its spellings, which are sequences of terms.

    All spellings are numbered in order: `word_of` has the number of the word for each, and
    `spellings_of` those of each word.
    """

    def __init__(self, words: Sequence[Sequence[Sequence[str]]]) -> None:
        self.word_of = [word for word, spellings in enumerate(words) for _ in spellings]
        self.spellings_of: list[list[int]] = [[] for _ in words]
        for number, word in enumerate(self.word_of):
            self.spellings_of[word].append(number)
        self._single: dict[str, list[int]] = {}
        self._several: list[tuple[Sequence[str], int]] = []
        for number, spelling in enumerate(each for spellings in words for each in spellings):
            if len(spelling) == 1:
                self._single.setdefault(spelling[0], []).append(number)
            else:
                self._several.append((spelling, number))

    @property
    def terms(self) -> Iterable[str]:
        """All terms that it is to be asked where they stand."""
        return dict.fromkeys((*self._single, *(t for terms, _ in self._several for t in terms)))

    def found(self, there: Occurrences) -> Found:
        """Return what stands in a column.

        Of a spelling of several terms each place is given, and those are counted that do not
        overlap.

        >>> there = Occurrences({"a": [0, 3], "b": [1], "c": [2]}, {"b": 1})
        >>> found = Sought([[["a"]], [["b"], ["c", "a"]]]).found(there)
        >>> found.places
        [(0, 1, 0), (1, 2, 1), (2, 4, 1), (3, 4, 0)]
        >>> found.spelled
        {0: 2, 1: 2, 2: 1}
        """
        stems, forms = there
        places: list[Place] = []
        spelled: dict[int, int] = {}
        for term, at in stems.items():
            for number in self._single.get(term, _NONE):
                spelled[number] = len(at)
                word = self.word_of[number]
                places += [(place, place + 1, word) for place in at]
        for term, often in forms.items():
            for number in self._single.get(term, _NONE):
                spelled[number] = spelled.get(number, 0) + often
        for terms, number in self._several:
            starts = runs(terms, stems)
            if starts:
                spelled[number] = _apart(starts, len(terms))
                word = self.word_of[number]
                places += [(place, place + len(terms), word) for place in starts]
        if len(places) > 1:
            places.sort()
        return Found(places, spelled)


def runs(terms: Sequence[str], stems: Mapping[str, Sequence[int]]) -> list[int]:
    """Return the places where terms stand behind one another, in order.

    >>> runs(["a", "b"], {"a": [0, 2, 7], "b": [1, 3]})
    [0, 2]
    """
    if any(term not in stems for term in terms):
        return []
    starts = set(stems[terms[0]])
    for offset, term in enumerate(terms[1:], 1):
        starts &= {place - offset for place in stems[term]}
    return sorted(starts)


def _apart(starts: Sequence[int], length: int) -> int:
    """Count stretches of a length, leaving out those that overlap one that was counted.

    >>> _apart([0, 1, 2, 5], 2)
    3
    """
    counted, end = 0, 0
    for start in starts:
        if start >= end:
            counted, end = counted + 1, start + length
    return counted

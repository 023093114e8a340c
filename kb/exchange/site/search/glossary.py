"""The part of a glossary that a site can use: the terms one of whose names stands in its pages."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import NamedTuple

from kb.query.translation import MOST
from kb.records import ConceptName

Name = tuple[str, ...]
"""The stems of a name."""


class Translation(NamedTuple):
    """What a term is called in other languages, of ``known`` names those that are searched for."""

    known: int
    names: tuple[str, ...]


class Names:
    """The names of concepts, to be found in texts by their stems."""

    def __init__(self, names: Iterable[ConceptName]) -> None:
        self._names = list(names)
        self._begun: dict[str, list[Name]] = {}
        for stems in dict.fromkeys(tuple(each.stems.split()) for each in self._names):
            if len(stems) > 1:
                self._begun.setdefault(stems[0], []).append(stems)

    @property
    def languages(self) -> list[str]:
        """The languages that names are in."""
        return sorted({each.lang for each in self._names})

    def found(self, stems: Sequence[str]) -> Iterator[str]:
        """Yield the names of several words that stand in a text, by the stems of both.

        >>> names = Names([ConceptName(1, 0, "en", "gradient descent", "gradient descent")])
        >>> list(names.found(["the", "gradient", "descent", "is"]))
        ['gradient descent']
        """
        for place, first in enumerate(stems):
            for name in self._begun.get(first, ()):
                if tuple(stems[place : place + len(name)]) == name:
                    yield " ".join(name)

    def translations(self, stands: Callable[[str], bool]) -> dict[tuple[str, str], Translation]:
        """Return by language and stems the names in other languages of which any ``stands``."""
        by_concept: dict[int, list[ConceptName]] = {}
        for each in self._names:
            by_concept.setdefault(each.concept, []).append(each)
        known: dict[tuple[str, str], dict[str, tuple[tuple[int, int], str]]] = {}
        for each in self._names:
            for other in by_concept[each.concept]:
                if other.lang != each.lang:
                    order = each.place, other.place
                    names = known.setdefault((each.lang, each.stems), {})
                    found = order, other.stems
                    names[other.name] = min(names.get(other.name, found), found)
        made = {key: _translation(names, stands) for key, names in known.items()}
        return {key: each for key, each in sorted(made.items()) if each.names}


def _translation(
    names: dict[str, tuple[tuple[int, int], str]], stands: Callable[[str], bool]
) -> Translation:
    """Return the best names of a term, the best first, as far as they stand anywhere."""
    best = [stems for _, stems in sorted(names.values(), key=lambda each: each[0])]
    return Translation(len(names), tuple(filter(stands, dict.fromkeys(best[:MOST]))))

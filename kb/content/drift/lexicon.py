"""The words of two languages that can say the same: the names of concepts, by their stems."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TypeVar

from kb.content.drift.reading import Reading
from kb.records import Concept
from kb.text.stretches import stems

Stems = tuple[str, ...]
Called = Mapping[str, tuple[Stems, ...]]
"""The names of a concept by language."""
Key = TypeVar("Key")
Value = TypeVar("Value")
_LONGEST = 6
"""Words of a name; a longer one is found by no text."""


@dataclass(frozen=True, slots=True)
class Term:
    """A name of concepts that a text has, and where it stands."""

    start: int
    end: int
    stems: Stems
    concepts: frozenset[int]


@dataclass(frozen=True, slots=True)
class Lexicon:
    """``named`` has by language and stems the concepts of the glossary, ``called`` all their names.

    Names that are written in capitals (``short``) are found in capitals only; ``longest`` has for
    a stem the words of the longest name that begins with it. ``counterparts`` has
    for a stem of either language those of the other with which it shares a concept, of the
    glossary or of the vocabulary; ``common`` are the words of the vocabulary by language.
    """

    named: Mapping[str, Mapping[Stems, frozenset[int]]]
    short: Mapping[Stems, frozenset[int]]
    longest: Mapping[str, int]
    called: Sequence[Called]
    counterparts: Mapping[str, frozenset[str]]
    common: Mapping[str, frozenset[str]]

    def terms(self, reading: Reading) -> Iterator[Term]:
        """Yield the names of concepts in a text, the longest at each place, in order."""
        words, place = reading.words, 0
        while place < len(words):
            length = min(self.longest.get(words[place].stem, 0), len(words) - place)
            while length and not (found := self._term(reading, place, length)):
                length -= 1
            if length and found:
                yield found
            place += max(length, 1)

    def _term(self, reading: Reading, place: int, length: int) -> Term | None:
        found = reading.words[place : place + length]
        key = tuple(word.stem for word in found)
        start, end = found[0].start, found[-1].end
        concepts = self.named[reading.lang].get(key, frozenset())
        if key in self.short and any(map(str.isupper, reading.text[start:end])):
            concepts |= self.short[key]
        return Term(start, end, key, concepts) if concepts else None


def lexicon_of(
    glossary: Sequence[Concept], vocabulary: Sequence[Concept], langs: tuple[str, str]
) -> Lexicon:
    """Return what a glossary and a vocabulary know of two languages."""
    named: dict[str, dict[Stems, set[int]]] = {lang: {} for lang in langs}
    short: dict[Stems, set[int]] = {}
    called, common = ([_called(each, langs) for each in some] for some in (glossary, vocabulary))
    for number, concept in enumerate(glossary):
        for lang in langs:
            names = concept.names.get(lang, ())
            for name, known in zip(names, called[number][lang], strict=True):
                table = short if _is_short(name) else named[lang]
                table.setdefault(known, set()).add(number)
    return Lexicon(
        {lang: _frozen(table) for lang, table in named.items()},
        _frozen(short),
        _longest(name for table in (short, *named.values()) for name in table),
        called,
        _counterparts((*called, *common), langs),
        {
            lang: frozenset(stem for each in common for name in each[lang] for stem in name)
            for lang in langs
        },
    )


def _longest(names: Iterable[Stems]) -> dict[str, int]:
    """Return how many words a name may have by the one that it begins with."""
    found: dict[str, int] = {}
    for name in names:
        if len(name) <= _LONGEST:
            found[name[0]] = max(found.get(name[0], 0), len(name))
    return found


def _called(concept: Concept, langs: tuple[str, str]) -> Called:
    """Return the names of a concept by their stems."""
    return {
        lang: tuple(stems(name, lang) for name in concept.names.get(lang, ())) for lang in langs
    }


def _counterparts(
    concepts: Iterable[Called], langs: tuple[str, str]
) -> Mapping[str, frozenset[str]]:
    """Return what each single word is called in the other language, in one word."""
    found: dict[str, set[str]] = {}
    for names in concepts:
        one, other = ({name[0] for name in names[lang] if len(name) == 1} for lang in langs)
        for stem in one:
            found.setdefault(stem, set()).update(other)
        for stem in other:
            found.setdefault(stem, set()).update(one)
    return _frozen(found)


def _frozen(table: Mapping[Key, set[Value]]) -> dict[Key, frozenset[Value]]:
    return {key: frozenset(values) for key, values in table.items()}


def _is_short(name: str) -> bool:
    """Say whether a name is one in capitals, as an abbreviation."""
    return name.isascii() and name.upper() == name


NOTHING = lexicon_of((), (), ("en", "fa"))
"""What knows no words."""

"""Makes words from the parts of a text: their stems, and other indexed forms."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from kb.text.fold import fold, script, without_accents
from kb.text.languages import NO_AFFIXES, Affixes, reader_of
from kb.text.split import Part

LONGEST_TERM = 64
"""The maximum length of a term; the rest of a word is not indexed."""

SYMBOLS = {"+": "plus", "#": "sharp"}


class Term(NamedTuple):
    """An indexed form and its span in the text."""

    text: str
    start: int
    end: int


class Word(NamedTuple):
    """A word as written.

    ``terms`` are its stems in order, one per part (``k-NN`` has two). ``forms`` are other indexed
    forms: the unstemmed part, the joined parts, the halves of a name like ``AllReduce``.
    """

    start: int
    end: int
    terms: tuple[Term, ...]
    forms: tuple[Term, ...]


class Stemmed(NamedTuple):
    """The stem and normalized form of a part, and its possible affixes."""

    stem: str
    surface: str
    affixes: Affixes


class _Unit(NamedTuple):
    """A part with its affixes: its stem and joined spelling."""

    stem: str
    surface: str
    start: int
    end: int


@lru_cache(maxsize=1 << 14)
def stem(part: str, lang: str) -> Stemmed:
    """Return the stem of a part of a word, as the language that reads it stems it.

    >>> stem("Optimisation", "en")[:2], stem("شبكه‌ها".replace("\u200c", ""), "fa")[:2]
    (('optim', 'optimisation'), ('شبکه', 'شبکهها'))
    """
    folded = fold(part)
    reader = reader_of(lang, script(folded))
    surface = without_accents(folded)
    if reader is None or reader.stem is None:
        return Stemmed(folded, surface, NO_AFFIXES)
    spelled = folded if reader.fold is fold else reader.fold(part)
    return Stemmed(reader.stem(spelled) or folded, surface, reader.affixes)


def word_of(text: str, group: list[Part], lang: str) -> Word | None:
    """Return the word made of several parts."""
    start, end = group[0].start, group[-1].end
    if group[0].kind == "symbol":
        # The index drops the signs of a name, so they are spelled out: c++ is cplusplus.
        spelled = "".join(SYMBOLS.get(char, char) for char in text[start:end].casefold())
        return Word(start, end, (Term(spelled, start, end),), ())
    units = _units(text, group, lang)
    if not units:
        return None
    terms = tuple(Term(unit.stem[:LONGEST_TERM], unit.start, unit.end) for unit in units)
    return Word(start, end, terms, tuple(_forms(text, units, start, end)))


def _forms(text: str, units: list[_Unit], start: int, end: int) -> Iterator[Term]:
    for unit in units:
        if unit.surface != unit.stem and len(unit.surface) <= LONGEST_TERM:
            yield Term(unit.surface, unit.start, unit.end)
        yield from _humps(text, unit)
    joined = "".join(unit.surface for unit in units)
    if len(units) > 1 and len(joined) <= LONGEST_TERM:
        yield Term(joined, start, end)
        # So that what one writer joins and another parts meets without its ending: kmeans, k-means.
        stemmed = joined.removesuffix(units[-1].surface) + units[-1].stem
        if stemmed != joined:
            yield Term(stemmed, start, end)


def _units(text: str, group: list[Part], lang: str) -> list[_Unit]:
    """Normalize and stem the parts of a word, each with its affixes."""
    units: list[_Unit] = []
    prefix: _Unit | None = None
    for place, part in enumerate(group):
        spelled = text[part.start : part.end]
        base, surface, affixes = stem(spelled, lang)
        if not surface:
            continue
        half_joined = part.glue == "j"
        if units and half_joined and surface in affixes.half_joined:
            last = units[-1]
            units[-1] = last._replace(surface=last.surface + surface, end=part.end)
        elif prefix is not None:
            units[-1] = _Unit(base, prefix.surface + surface, prefix.start, part.end)
            prefix = None
        else:
            units.append(_Unit(base, surface, part.start, part.end))
            follows = place + 1 < len(group) and group[place + 1].glue == "j"
            if surface in affixes.verb_prefixes and follows:
                prefix = units[-1]
    return units


def pairs(text: str, part: Part) -> Iterator[Word]:
    """Yield overlapping pairs of characters, for scripts without spaces."""
    clusters = list(_clusters(text, part))
    for left, right in pairwise(clusters) if len(clusters) > 1 else [(clusters[0], clusters[0])]:
        pair = Term(fold(text[left[0] : right[1]]), left[0], right[1])
        yield Word(pair.start, pair.end, (pair,), ())


def _clusters(text: str, part: Part) -> Iterator[tuple[int, int]]:
    """Yield the span of each letter with its combining marks."""
    start = part.start
    for place in range(part.start + 1, part.end):
        if unicodedata.category(text[place])[0] != "M":
            yield start, place
            start = place
    yield start, part.end


def _humps(text: str, unit: _Unit) -> Iterable[Term]:
    """Yield the halves of a mixed-case name: reduce also finds AllReduce."""
    name = text[unit.start : unit.end]
    if not name.isascii() or name[1:].islower() or name.isupper() or not name.isalnum():
        return
    edges = [i for i in range(1, len(name)) if name[i].isupper() and not name[i - 1].isupper()]
    if not edges:
        return
    for left, right in pairwise([0, *edges, len(name)]):
        yield Term(name[left:right].lower(), unit.start + left, unit.start + right)

"""Terms of the field: a name of a concept on one side needs a name of it on the other.

Another name, a compound, an inflected form or a translation word by word is no drift: most words
of one of its names are enough.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

from kb.content.drift.items import HINT, NONE, PROOF, Item
from kb.content.drift.lexicon import Lexicon, Term
from kb.content.drift.reading import Reading, keys_of

_SHORTEST = 3
_MOST = 0.6
"""The share of a name's words that is enough."""
_VERB = re.compile("ن?می")


def find_terms(reading: Reading, lexicon: Lexicon) -> list[Item]:
    """Return the names of concepts in a text, and every word as what may be a counterpart."""
    named = [_item(reading, term, lexicon) for term in lexicon.terms(reading)]
    others = [
        Item(word.start, word.end, frozenset(keys_of(word.stem)), weight=NONE)
        for word in reading.words
    ]
    return [*named, *others]


def uncovered(ones: Sequence[Item], others: Sequence[Item]) -> list[Item]:
    """Return the terms of which no name stands on the other side, nor most words of one.

    Each weighs what its words weigh that are not there.
    """
    known = frozenset().union(*(item.exact for item in others))
    left = [
        item._replace(weight=min(_missing(name, known, item.weight) for name in item.names))
        for item in ones
        if item.weight and known.isdisjoint(item.exact)
    ]
    return [item for item in left if item.weight]


def _missing(name: Sequence[frozenset[str]], known: frozenset[str], weight: int) -> int:
    """Return what the part of a name weighs that is not there; the first name is its own words."""
    absent = sum(known.isdisjoint(part) for part in name)
    return round(weight * absent / len(name))


def _item(reading: Reading, term: Term, lexicon: Lexicon) -> Item:
    other = next(lang for lang in lexicon.named if lang != reading.lang)
    called = [lexicon.called[each][other] for each in sorted(term.concepts)]
    translated = [
        frozenset({stem}) | lexicon.counterparts.get(stem, frozenset()) for stem in term.stems
    ]
    names = [
        translated,
        *([frozenset({stem}) for stem in name] for names in called for name in names),
    ]
    return Item(
        term.start,
        term.end,
        frozenset(f"concept {each}" for each in term.concepts),
        weight=_weight(reading, term, lexicon),
        names=tuple(
            tuple(frozenset(key for stem in part for key in keys_of(stem)) for part in name)
            for name in names
        ),
    )


def _weight(reading: Reading, term: Term, lexicon: Lexicon) -> int:
    """Return what a term proves: a word that is common outside the field, too, only a hint."""
    if len(term.stems) == 1 and (
        len(term.stems[0]) < _SHORTEST or _VERB.match(reading.text, term.start)
    ):
        return NONE
    common = lexicon.common[reading.lang]
    return sum(HINT if stem in common else PROOF for stem in term.stems)

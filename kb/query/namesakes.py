"""Names that are nowhere as they were typed, by the words that are spellings of the same name.

No dictionary has all names. A word that is indexed, or that the glossary knows by another name
that is, is taken as it stands; so is one that a fallback reads letter by letter.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import NamedTuple

from kb.query import transliteration
from kb.query.lexicon import Lexicon
from kb.query.translation import Key, Name, Names, key_of
from kb.query.tree import Keyword, Node, positive_texts
from kb.text.fold import fold, script
from kb.text.languages import default_language
from kb.text.skeleton import LEAST, apart, skeletons_like

MOST = 4
"""So many spellings of a name are asked for."""

_MOST_UNKNOWN = 4
"""With more unknown words than this a query is in no language that is here, and takes long."""

_MOST_SEEN = 200
_COMPARED = 40.0
"""What it takes to hold two words against each other, in units of work."""

_FARTHEST = {LEAST: 0.0, LEAST + 1: 1.0}
_FARTHEST_OF_MANY = 1.5
"""How far apart the vowels may be: the fewer consonants, the more other words have them."""

_ABOUT = 1.0
"""Spellings that are so little farther than the nearest may be meant, too."""


class Namesake(NamedTuple):
    """A word that is another spelling of a name."""

    name: str
    lang: str


def namesakes(node: Node, lexicon: Lexicon, known: Names) -> Mapping[Key, Sequence[Name]]:
    """Return, for each word of a tree that is nowhere, the indexed words that are its name.

    ``known`` are the names that a glossary has for the texts of the tree.
    """
    words = [text.text for text in positive_texts(node) if isinstance(text, Keyword)]
    unknown = [word for word in words if not lexicon.knows(word)]
    if not 0 < len(unknown) <= _MOST_UNKNOWN:
        return {}
    found = {
        key_of(word): [Namesake(each, default_language(each)) for each in spelled(word, lexicon)]
        for word in unknown
        if not any(lexicon.knows(name.name) for name in known.get(key_of(word), ()))
    }
    return {key: names for key, names in found.items() if names}


def spelled(word: str, lexicon: Lexicon) -> list[str]:
    """Return the indexed words that are spellings of a name, the nearest and commonest first."""
    folded = fold(word)
    wanted = skeletons_like(folded)
    if not wanted or _is_persian_in_latin(folded, lexicon):
        return []
    terms = lexicon.like(sorted(wanted), _MOST_SEEN)
    lexicon.budget.spend(len(terms) * _COMPARED)
    far = {term: apart(folded, term) for term in terms if not _is_slip(folded, term)}
    near = min(far.values(), default=0.0) + _ABOUT
    held = [term for term in far if far[term] <= min(near, _farthest(wanted))]
    return sorted(held, key=lambda each: (far[each], -lexicon.frequency(each), each))[:MOST]


def _farthest(skeletons: frozenset[str]) -> float:
    """Return how far apart the vowels may be; the letter of the script is no consonant."""
    return _FARTHEST.get(min(map(len, skeletons)) - 1, _FARTHEST_OF_MANY)


def _is_persian_in_latin(word: str, lexicon: Lexicon) -> bool:
    """Say whether a Latin word is read letter by letter as a Persian one that is indexed."""
    if script(word) != "latin":
        return False
    return any(map(lexicon.frequency, transliteration.spellings(word, lexicon.begins)))


def _is_slip(word: str, term: str) -> bool:
    """Say whether a word of the same alphabet is but a letter longer, shorter or other."""
    if script(word) != script(term):
        return False
    short, long = sorted((word, term), key=len)
    same = next(
        (n for n, (a, b) in enumerate(zip(short, long, strict=False)) if a != b), len(short)
    )
    rest = long[same + 1 :]
    return rest == short[same:] if len(long) > len(short) else rest == short[same + 1 :]

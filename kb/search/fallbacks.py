"""The fallbacks if a query finds little, in order.

Indexed words are never changed. For an unknown word, each fallback gives other texts. The first
one that finds an entry ends the search, and its results follow those of the query.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from itertools import islice
from typing import NamedTuple

from kb.model.results import Via
from kb.search.compile import Plan
from kb.search.interpret import beginning, planned
from kb.search.lexicon import Lexicon, reading_cost
from kb.search.parser import And, Bare, Keyword, Node, Or, positive_texts
from kb.text.analyzer import Word, analyze
from kb.text.languages import default_language

LITTLE = 3
"""With fewer hits than this, fallbacks are tried."""

MOST_UNKNOWN = 4
"""With more unknown words than this, a query is in another language, so no other spelling is tried
or suggested, which would take long."""

MOST_MISSPELT = 2
"""With more unknown words than this, no correction is searched."""

_MOST_SPELLINGS = 4

Respell = Callable[[Lexicon, str], "Node | None"]


class Fallback(NamedTuple):
    """A way to interpret a word that is not indexed.

    It is tried with at most ``within`` hits and ``most`` unknown words.
    """

    name: str
    via: Via
    respell: Respell
    within: int = LITTLE - 1
    most: int = MOST_UNKNOWN


def readings(
    node: Node, lexicon: Lexicon, fallbacks: Sequence[Fallback], hits: int
) -> Iterator[tuple[Fallback, Plan]]:
    """Yield other interpretations of a tree that found little, as plans.

    The one that explains most words comes first, then the order of the fallbacks; those only for
    empty results come last.
    """
    ready = [each for each in fallbacks if each.within]
    read = [(each, rewritten(node, lexicon, each)) for each in ready if hits <= each.within]
    for fallback, (other, _) in sorted(read, key=lambda each: -each[1].words):
        if other is not None:
            yield fallback, planned(other, lexicon)
    for fallback in fallbacks:
        if not fallback.within and hits <= fallback.within:
            other = rewritten(node, lexicon, fallback).node
            if other is not None:
                yield fallback, planned(other, lexicon)


def is_foreign(node: Node, lexicon: Lexicon) -> bool:
    """Return whether no text of a query is indexed as written, at most its parts."""
    texts = list(positive_texts(node))
    return all(isinstance(each, Keyword) and not lexicon.knows(each.text) for each in texts)


class Rewritten(NamedTuple):
    """A tree with rewritten unknown words, and their number; nothing if none was possible."""

    node: Node | None
    words: int


def rewritten(node: Node, lexicon: Lexicon, fallback: Fallback) -> Rewritten:
    """Rewrite the unknown words of a tree with a fallback.

    If there are many, none is rewritten: that is not a slip, and would take long.
    """
    texts = [text.text for text in positive_texts(node) if isinstance(text, Keyword)]
    if sum(not lexicon.knows(text) for text in texts) > fallback.most:
        return Rewritten(None, 0)
    words = 0

    def visit(part: Node) -> Node:
        nonlocal words
        match part:
            case Bare(of) | And(of) | Or(of):
                return type(part)(tuple(map(visit, of)))
            case Keyword(text) if not lexicon.knows(text):
                other = fallback.respell(lexicon, text)
                words += other is not None
                return other or part
        return part

    read = visit(node)
    return Rewritten(read if words else None, words)


def _transliterated(lexicon: Lexicon, text: str) -> Node | None:
    from kb.search.transliteration import spellings

    found = spellings(text, lexicon.begins)
    whole = [word for word in found if lexicon.frequency(word)]
    ranked = sorted(whole, key=lexicon.frequency, reverse=True)
    texts = tuple(Keyword(word) for word in ranked[:_MOST_SPELLINGS])
    return Or(texts) if len(texts) > 1 else texts[0] if texts else None


def _in_other_layout(lexicon: Lexicon, text: str) -> Node | None:
    other = other_layout(text)
    if other is None:
        return None
    return Keyword(other) if lexicon.knows(other) else beginning(lexicon, other)


def _respelled(lexicon: Lexicon, text: str) -> Node | None:
    found = correct(text, lexicon, lambda term: term, MOST_MISSPELT)
    return Keyword(found) if found is not None else None


FALLBACKS = (
    Fallback("words as beginnings", "text", beginning),
    Fallback("Latin letters as Persian", "transliteration", _transliterated),
    Fallback("the other keyboard layout", "layout", _in_other_layout),
    Fallback("nearest spelling", "spelling", _respelled, within=0, most=MOST_MISSPELT),
)
"""All fallbacks in order."""

FOREIGN = frozenset({"transliteration", "layout"})
"""Fallbacks for text in another alphabet: no spelling is suggested for it."""


# What was probably meant, when what was typed is found nowhere.


_SHORTEST_WORD, _LONGEST_WORD = 3, 24
_MOST_SEEN = 50
_STATE = 40.0
"""The cost of an automaton per letter and squared distance, in units of work."""
# The automaton's edit distance, and how many letters at the beginning must be right. Two slips
# are looked for behind the right first letter only: without it the whole index is walked.
_STEPS = ((1, 1), (1, 0), (2, 1))


def correct(query: str, lexicon: Lexicon, spelled: Callable[[str], str], most: int) -> str | None:
    """Return the query with unknown words replaced by the nearest known ones, or nothing.

    With more than ``most`` unknown words there is no correction: that is not a slip.

    ``spelled`` gives a term as some document writes it. Among the terms at the smallest edit
    distance (Levenshtein; at most 2, for short words 1), the most frequent is chosen.
    """
    pieces, last, changed = [], 0, False
    unknown = _unknown(query, lexicon)
    if len(unknown) > most:
        return None
    for word in unknown:
        known = [t.text for t in (*word.terms, *word.forms)]
        typed = known[-1] if word.forms else known[0]
        near = lexicon.nearest(typed, _nearest)
        if near is not None:
            written = spelled(near)
            lower = query[word.start : word.end].islower()  # the reader's case is kept
            pieces += [query[last : word.start], written.lower() if lower else written]
            last, changed = word.end, True
    return "".join([*pieces, query[last:]]) if changed else None


def _unknown(query: str, lexicon: Lexicon) -> list[Word]:
    """Return the words that are not indexed in any spelling, without those without letters."""
    lexicon.budget.spend(reading_cost(query, 1))
    words = list(analyze(query, default_language(query)))
    spelled = [[term.text for term in (*word.terms, *word.forms)] for word in words]
    lexicon.learn(form for forms in spelled for form in forms)
    return [
        word
        for word, forms in zip(words, spelled, strict=True)
        if not any(map(lexicon.frequency, forms)) and any(map(str.isalpha, forms[0]))
    ]


def _nearest(word: str, lexicon: Lexicon) -> str | None:
    if not _SHORTEST_WORD <= len(word) <= _LONGEST_WORD:
        return None
    from kb.search.grammar import similar

    for distance, right in _STEPS if len(word) > _SHORTEST_WORD + 1 else _STEPS[:2]:
        lexicon.budget.spend(_STATE * len(word) * distance**2)
        near = _standing(similar(word, lexicon.following, distance, right), lexicon)
        if near:
            return max(near, key=lambda term: (lexicon.frequency(term), term))
    return None


def _standing(terms: Iterator[str], lexicon: Lexicon) -> list[str]:
    """Return the first of these terms that occur; deleted ones do not count."""
    found: list[str] = []
    while len(found) < _MOST_SEEN and (some := list(islice(terms, _MOST_SEEN))):
        lexicon.learn(some)
        found += [term for term in some if len(term) >= _SHORTEST_WORD and lexicon.frequency(term)]
    return found


# Text typed in the wrong keyboard layout, put right both ways.
#
# The keys are those of the Persian standard layout ISIRI 9147 beside the US layout.


_LATIN = "qwertyuiop[]asdfghjkl;'zxcvbnm,"
_PERSIAN = "ضصثقفغعهخحجچشسیبلاتنمکگظطزرذدپو"
_TO_PERSIAN = dict(zip(_LATIN, _PERSIAN, strict=True)) | {"C": "ژ", "H": "آ", "M": "ء", "\\": "پ"}
_TO_LATIN = dict(zip(_PERSIAN, _LATIN, strict=True))


def other_layout(word: str) -> str | None:
    """Return the text of the same keys in the other layout; nothing for mixed scripts.

    >>> other_layout("یقخحخعف"), other_layout("'vhndhk")
    ('dropout', 'گرادیان')
    """
    for keys in (_TO_LATIN, _TO_PERSIAN):
        if all(char in keys or char.lower() in keys for char in word):
            return "".join(keys.get(char) or keys[char.lower()] for char in word)
    return None

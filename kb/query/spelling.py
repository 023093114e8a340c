"""What was probably meant, when what was typed is found nowhere."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import islice

from kb.query.lexicon import Lexicon, reading_cost
from kb.text.analyzer import Word, analyze
from kb.text.languages import default_language

_SHORTEST, _LONGEST = 3, 24
_MOST_SEEN = 50
_STATE = 40.0
"""What a letter of an automaton takes, by the square of its distance, in units of work."""
# The automaton's edit distance, and how many letters at the beginning must be right. Two slips
# are looked for behind the right first letter only: without it the whole index is walked.
_STEPS = ((1, 1), (1, 0), (2, 1))


def correct(query: str, lexicon: Lexicon, spelled: Callable[[str], str], most: int) -> str | None:
    """Return the query with each unknown word replaced by the nearest known one, or nothing.

    Where more than ``most`` are unknown there is nothing: that is no slip of the hand.

    ``spelled`` gives a term as some document writes it. Of the terms at the smallest edit
    distance (Levenshtein; at most 2, for short words 1) the most frequent is taken.
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
            pieces += [query[last : word.start], spelled(near)]
            last, changed = word.end, True
    return "".join([*pieces, query[last:]]) if changed else None


def _unknown(query: str, lexicon: Lexicon) -> list[Word]:
    """Return the words that are indexed in no spelling; those without letters are none."""
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
    if not _SHORTEST <= len(word) <= _LONGEST:
        return None
    from kb.query.grammar import similar

    for distance, right in _STEPS if len(word) > _SHORTEST + 1 else _STEPS[:2]:
        lexicon.budget.spend(_STATE * len(word) * distance**2)
        near = _standing(similar(word, lexicon.following, distance, right), lexicon)
        if near:
            return max(near, key=lambda term: (lexicon.frequency(term), term))
    return None


def _standing(terms: Iterator[str], lexicon: Lexicon) -> list[str]:
    """Return the first of these terms that stand anywhere: what is gone takes no other's place."""
    found: list[str] = []
    while len(found) < _MOST_SEEN and (some := list(islice(terms, _MOST_SEEN))):
        lexicon.learn(some)
        found += [term for term in some if len(term) >= _SHORTEST and lexicon.frequency(term)]
    return found

"""What of a text matches a query, as it is written there."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from functools import cache
from typing import NamedTuple

from kb.errors import DeadlineExceeded
from kb.ranking.wanted import Wanted
from kb.text.analyzer import Word, analyze
from kb.text.stretches import LONGEST, analyzed, stretches, words_of
from kb.work import Budget

# Units of work: a word that is looked at, each beginning that it is compared with, and a match.
_WORD, _PREFIX, _MATCH = 6.0, 0.3, 12.0

_AHEAD = 64
"""So many stretches are looked at together: who has enough looks at none behind them."""


class Match(NamedTuple):
    """A place in a text that is a form of a word of the query, by its number."""

    start: int
    end: int
    word: int


class _Marked(NamedTuple):
    """How many words a stretch has, and the matches in each that is wanted, from its beginning."""

    words: int
    matches: Sequence[Sequence[Match]]


class Marker:
    """Finds in texts what is wanted; what it found in a stretch of text it remembers."""

    def __init__(self, wanted: Wanted) -> None:
        self.wanted = wanted
        self._known: dict[str, dict[str, _Marked]] = {}
        self._word = _WORD + _PREFIX * len(wanted.prefixes)

    def matches(
        self, text: str, lang: str, budget: Budget, start: int = 0, end: int | None = None
    ) -> Iterator[Match]:
        """Yield what matches in a text, in order, as far as the budget goes.

        With ``start`` and ``end`` it is looked for between them; there begins a word.
        """
        every = stretches(text[start:end], lang)
        at, unspent = start, 0
        with suppress(DeadlineExceeded):
            for first in range(0, len(every), _AHEAD):
                found = every[first : first + _AHEAD]
                known = self._look_at(found, lang)
                marked = [known[each] for each in found]
                done = 0
                for number in [n for n, each in enumerate(marked) if each.matches]:
                    for place in range(done, number):
                        at = text.index(found[place], at) + len(found[place])
                        unspent += marked[place].words
                    at = text.index(found[number], at)
                    for words, matches in self._pieces(found[number], marked[number], lang):
                        self._count(words + unspent, budget)
                        unspent = 0
                        for of_word in matches:
                            budget.spend(_MATCH)
                            for begins, ends, word in of_word:
                                yield Match(at + begins, at + ends, word)
                    done, at = number + 1, at + len(found[number])
                for place in range(done, len(found)):
                    at = text.index(found[place], at) + len(found[place])
                    unspent += marked[place].words
            self._count(unspent, budget)

    def _count(self, words: int, budget: Budget) -> None:
        """Count words that are looked at, no more than one beyond what the budget affords."""
        budget.spend(self._word * min(words, int(budget.left / self._word) + 1))

    def _look_at(self, found: Sequence[str], lang: str) -> Mapping[str, _Marked]:
        """Return what matches in stretches; a long one is left for later."""
        known = self._known.setdefault(lang, {})
        begun, sought = self.wanted.prefixes, self.wanted.terms.keys()
        read = analyzed(lang)
        for each in set(found).difference(known):
            if len(each) > LONGEST:
                known[each] = _LONG
                continue
            stretch = read[each]
            spellings = stretch.stems + stretch.forms
            if (begun or not sought.isdisjoint(spellings)) and self.wanted.any_of(spellings):
                known[each] = self._marked(words_of(each, lang))
            else:
                known[each] = _without_match(stretch.words)
        return known

    def _pieces(self, stretch: str, marked: _Marked, lang: str) -> Iterable[_Marked]:
        if marked is not _LONG:
            return (marked,)
        return (self._marked((word,)) for word in analyze(stretch, lang))

    def _marked(self, words: Sequence[Word]) -> _Marked:
        marked: list[list[Match]] = []
        for word in words:
            terms = sorted((t.start, t.end, t.text) for t in (*word.terms, *word.forms))
            numbered = ((start, end, self.wanted.word_of(text)) for start, end, text in terms)
            matches = [Match(start, end, n) for start, end, n in numbered if n is not None]
            marked += [matches] if matches else []
        return _Marked(len(words), marked)


@cache
def _without_match(words: int) -> _Marked:
    return _Marked(words, ())


_LONG = _Marked(0, ((),))
"""Stands for the matches of a stretch that is read word by word."""

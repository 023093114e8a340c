"""A dictionary learned from sentences and their translations: likely pairs of words alone.

Words are told apart by their stems, function words are left out, and each word gets the name
in which it stood most often. The same sentences give the same dictionary, in any order.
"""

from __future__ import annotations

import math
from array import array
from collections import Counter
from collections.abc import Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

import numpy as np

from kb import limits
from kb.query.alignment import Links, Numbers, Side, align, shortest
from kb.query.translation import MOST
from kb.records import Concept, Progress
from kb.records.results import silent
from kb.text.fold import fold, script
from kb.text.function_words import is_function_word
from kb.text.languages import profiles
from kb.text.stretches import stretches, words_of

# Chosen on one half of 5,285 sentences of Tatoeba: of the pairs of which a dictionary knows both
# words, it has 89 %, on the other half 88 (at 0.2 and 0.4, of more and of fewer: 87 and 90 %).
_PROBABLE = 0.3  # the geometric mean of both directions
_EXPECTED = 1.5
_FIELD = "learned"


class Learned(NamedTuple):
    """What was learned, the most probable first, and of how many sentences nothing was.

    They were ``repeated``, or ``too_long``.
    """

    concepts: list[Concept]
    repeated: int
    too_long: int


def learn(
    pairs: Iterable[tuple[str, str]], languages: tuple[str, str], progress: Progress = silent
) -> Learned:
    """Learn which words of two languages translate each other, at most `MOST` for each.

    >>> pairs = [("a red house", "خانه قرمز"), ("red flowers", "گل‌های قرمز"),
    ...          ("old houses", "خانه‌های قدیمی"), ("old friends", "دوستان قدیمی")]
    >>> [tuple(each.names.values()) for each in learn(pairs, ("en", "fa")).concepts]
    [(('red',), ('قرمز',)), (('house',), ('خانه',)), (('old',), ('قدیمی',))]
    """
    given = list(pairs)
    different = sorted(set(given))
    short = [pair for pair in different if max(map(len, pair)) <= limits.SENTENCE]
    left, right = (_Words(lang) for lang in languages)
    for done, (one, other) in enumerate(short):
        progress(done, len(short))
        left.read(one)
        right.read(other)
    chosen = shortest(left.side, right.side)
    sides = left.side.only(chosen), right.side.only(chosen)
    links = align(*sides, lambda: progress(len(short), len(short)))
    too_long = len(different) - int(chosen.sum())
    return Learned(_concepts(links, left, right), len(given) - len(different), too_long)


class _Words:
    """The words of one language, numbered as they are met, and the sentences they stand in."""

    def __init__(self, lang: str) -> None:
        self.lang = lang
        self._numbers: dict[str, int] = {}
        self._forms: list[Counter[str]] = []
        self._words = array("q")
        self._starts = array("q", [0])

    def read(self, sentence: str) -> None:
        """Take the words of a sentence, each once, however often it stands there."""
        met = (
            word for each in stretches(sentence, self.lang) for word in _telling(each, self.lang)
        )
        for stem, form in dict(met).items():
            number = self._numbers.setdefault(stem, len(self._numbers))
            if number == len(self._forms):
                self._forms.append(Counter())
            self._forms[number][form] += 1
            self._words.append(number)
        self._starts.append(len(self._words))

    @property
    def side(self) -> Side:
        """All sentences that were read."""
        return Side(np.array(self._words, np.int64), np.array(self._starts, np.int64))

    @property
    def stems(self) -> list[str]:
        """The stems by their numbers."""
        return list(self._numbers)

    def name(self, number: int) -> str:
        """Return the form in which a word stood most often."""
        forms = self._forms[number]
        return min(forms, key=lambda form: (-forms[form], form))


@lru_cache(maxsize=1 << 16)
def _telling(stretch: str, lang: str) -> tuple[tuple[str, str], ...]:
    """Return the stems and the form of each word in a stretch that tells something.

    >>> _telling("سخت‌افزار", "fa"), _telling("the", "en")
    ((('سخت افزار', 'سخت\u200cافزار'),), ())
    """
    words = words_of(stretch, lang)
    found = [(" ".join([term.text for term in word.terms]), word) for word in words]
    forms = [(stems, stretch[word.start : word.end]) for stems, word in found]
    return tuple([(stems, form) for stems, form in forms if not is_function_word(fold(form))])


def _concepts(links: Links, left: _Words, right: _Words) -> list[Concept]:
    probable = np.sqrt(links.forth * links.back)
    # By chance not even one of all pairs is as surprising: as often as exp(-x / 2) one is.
    surprising = links.surprise >= 2 * math.log(max(links.tried, 1))
    likely = np.flatnonzero((probable >= _PROBABLE) & (links.expected >= _EXPECTED) & surprising)
    best = likely[np.argsort(-probable[likely], kind="stable")]
    return [
        Concept({left.lang: (one,), right.lang: (other,)}, _FIELD)
        for one, other in _names(links.left[best], links.right[best], left, right)
    ]


def _names(
    ones: Numbers, others: Numbers, left: _Words, right: _Words
) -> Iterator[tuple[str, str]]:
    """Yield the names of pairs of words, as long as neither has too many."""
    counted: tuple[Counter[int], Counter[int]] = Counter(), Counter()
    stems = left.stems, right.stems
    for one, other in zip(ones.tolist(), others.tolist(), strict=True):
        names = left.name(one), right.name(other)
        if stems[0][one] == stems[1][other] or counted[0][one] == MOST or counted[1][other] == MOST:
            continue
        if _is_word(names[0], left.lang) and _is_word(names[1], right.lang):
            counted[0][one] += 1
            counted[1][other] += 1
            yield names


def _is_word(form: str, lang: str) -> bool:
    """Say whether it is a word of a language, as far as its letters tell: no number, no sign.

    >>> _is_word("داده", "fa"), _is_word("data", "fa"), _is_word("2024", "en"), _is_word("x", "en")
    (True, False, False, False)
    """
    known = profiles().get(lang)
    letters = sum(map(str.isalpha, form))
    return letters > 1 and (known is None or known.script == script(form))

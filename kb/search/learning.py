"""Learns a dictionary from sentences and their translations: likely word pairs.

Words are compared by stem, function words are ignored, and each word is named by its most
frequent form. The result does not depend on the order of sentences.
"""

from __future__ import annotations

import math
from array import array
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kb import limits
from kb.model.entry import Concept
from kb.model.results import Progress, silent
from kb.search.translation import MOST
from kb.text.analyzer import chunks_of, is_function_word, words_of
from kb.text.fold import fold, script
from kb.text.languages import profiles

# Chosen on one half of 5,285 sentences of Tatoeba: of the pairs of which a dictionary knows both
# words, it has 89 %, on the other half 88 (at 0.2 and 0.4, of more and of fewer: 87 and 90 %).
_PROBABLE = 0.3  # the geometric mean of both directions
_EXPECTED = 1.5
_FIELD = "learned"


class Learned(NamedTuple):
    """The learned pairs, most probable first, and the number of unused sentences.

    Unused sentences were ``repeated`` or ``too_long``.
    """

    concepts: list[Concept]
    repeated: int
    too_long: int


def learn(
    pairs: Iterable[tuple[str, str]], languages: tuple[str, str], progress: Progress = silent
) -> Learned:
    """Learn which words of two languages translate each other, at most `MOST` per word.

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
    """The words of one language, numbered, and their sentences."""

    def __init__(self, lang: str) -> None:
        self.lang = lang
        self._numbers: dict[str, int] = {}
        self._forms: list[Counter[str]] = []
        self._words = array("q")
        self._starts = array("q", [0])

    def read(self, sentence: str) -> None:
        """Read the words of a sentence, without duplicates."""
        met = (
            word for each in chunks_of(sentence, self.lang) for word in _telling(each, self.lang)
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
        """All sentences read so far."""
        return Side(np.array(self._words, np.int64), np.array(self._starts, np.int64))

    @property
    def stems(self) -> list[str]:
        """The stems by number."""
        return list(self._numbers)

    def name(self, number: int) -> str:
        """Return the most frequent form of a word."""
        forms = self._forms[number]
        return min(forms, key=lambda form: (-forms[form], form))


@lru_cache(maxsize=1 << 16)
def _telling(chunk: str, lang: str) -> tuple[tuple[str, str], ...]:
    """Return the stems and the form of each content word in a chunk.

    >>> _telling("سخت‌افزار", "fa"), _telling("the", "en")
    ((('سخت افزار', 'سخت\u200cافزار'),), ())
    """
    words = words_of(chunk, lang)
    found = [(" ".join([term.text for term in word.terms]), word) for word in words]
    forms = [(stems, chunk[word.start : word.end]) for stems, word in found]
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
    """Yield the names of word pairs, up to the limit per word."""
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
    """Return whether letters make it a word of a language, not a number or sign.

    >>> _is_word("داده", "fa"), _is_word("data", "fa"), _is_word("2024", "en"), _is_word("x", "en")
    (True, False, False, False)
    """
    known = profiles().get(lang)
    letters = sum(map(str.isalpha, form))
    return letters > 1 and (known is None or known.script == script(form))


# Which words of two languages translate each other, learned from sentences side by side.
#
# IBM model 1: P. F. Brown, S. A. Della Pietra, V. J. Della Pietra and R. L. Mercer, "The
# Mathematics of Statistical Machine Translation: Parameter Estimation", Computational
# Linguistics 19(2), 1993. Each word of a sentence is taken to come from one word of the other,
# and expectation maximization finds how probably from which. It is done in both directions,
# and both must agree. Words are numbers here.


Numbers = NDArray[np.int64]
Shares = NDArray[np.float64]

_ROUNDS = 5
_LEAST = 2  # times that two words stand side by side, or chance may have put them there
_BLOCK = 1 << 20


class Side(NamedTuple):
    """The sentences of one language in sequence, without repeated words.

    Sentence ``n`` has ``words[starts[n]:starts[n + 1]]``; words are numbered from 0.
    """

    words: Numbers
    starts: Numbers

    @property
    def lengths(self) -> Numbers:
        """The number of words in each sentence."""
        return np.diff(self.starts)

    def only(self, chosen: NDArray[np.bool_]) -> Side:
        """Return the chosen sentences."""
        lengths = self.lengths
        kept = self.words[np.repeat(chosen, lengths)]
        return Side(kept, np.concatenate(([0], np.cumsum(lengths[chosen]))))


class Links(NamedTuple):
    """Pairs of words that occur together in at least two pairs of sentences.

    ``forth`` is the probability of the right word given the left one,
    ``back`` the reverse; ``expected`` is the expected number of links, the smaller of both
    directions. ``surprise`` is the log-likelihood ratio of the counts (`_surprise`), ``tried``
    the number of pairs.
    """

    left: Numbers
    right: Numbers
    forth: Shares
    back: Shares
    expected: Shares
    surprise: Shares
    tried: int


class _Block(NamedTuple):
    """A chunk of all co-occurrences of two words.

    ``first`` is its first word pair; ``pairs`` counts from there, and ``left`` and ``right`` are
    positions of its words on each side.
    """

    first: int
    size: int
    pairs: NDArray[np.int32]
    left: NDArray[np.int32]
    right: NDArray[np.int32]


def shortest(left: Side, right: Side) -> NDArray[np.bool_]:
    """Choose sentence pairs, shortest first, within the limit of word pairs.

    The shortest are the most informative; pairs of equal length are chosen together or not at
    all.
    """
    sizes = left.lengths * right.lengths
    ordered = np.sort(sizes)
    above = np.flatnonzero(np.cumsum(ordered) > limits.LINKS)
    most = ordered[above[0]] if len(above) else np.inf
    return np.asarray(sizes < most)


def align(left: Side, right: Side, tell: Callable[[], None]) -> Links:
    """Learn from aligned sentences; ``tell`` is called repeatedly."""
    lexicon = int(right.words.max(initial=0)) + 1
    keys: list[Numbers] = []
    counts: list[Numbers] = []
    blocks: list[_Block] = []
    tried = first = 0
    for at_left, at_right in _side_by_side(left, right):
        tell()
        places = left.words[at_left] * lexicon + right.words[at_right]
        found, pairs, times = np.unique(places, return_inverse=True, return_counts=True)
        kept = times >= _LEAST
        of = kept[pairs]
        number = (np.cumsum(kept) - 1)[pairs[of]].astype(np.int32)
        blocks.append(_Block(first, int(kept.sum()), number, at_left[of], at_right[of]))
        keys.append(found[kept])
        counts.append(times[kept])
        tried += len(found)
        first += blocks[-1].size
    one, other = np.divmod(np.concatenate((*keys, np.empty(0, np.int64))), lexicon)
    joint = np.concatenate((*counts, np.empty(0, np.int64)))
    forth, came = _maximized(one, blocks, "right", len(right.words), tell)
    back, went = _maximized(other, blocks, "left", len(left.words), tell)
    alone = np.bincount(left.words)[one], np.bincount(right.words)[other]
    surprise = _surprise(joint, *alone, len(left.starts) - 1)
    expected = np.minimum(came, went)
    return Links(one, other, forth, back, expected, surprise, tried)


def _side_by_side(left: Side, right: Side) -> Iterator[tuple[NDArray[np.int32], NDArray[np.int32]]]:
    """Yield the positions of co-occurring words, grouped by left word."""
    lengths = right.lengths
    sentence = np.repeat(np.arange(len(lengths)), left.lengths)
    beside = np.bincount(left.words, lengths[sentence])
    block = (np.cumsum(beside) - beside) // _BLOCK
    order = np.argsort(left.words, kind="stable")
    for chosen in np.split(order, np.flatnonzero(np.diff(block[left.words[order]])) + 1):
        some = lengths[sentence[chosen]]
        within = np.arange(some.sum()) - np.repeat(np.cumsum(some) - some, some)
        at_right = np.repeat(right.starts[sentence[chosen]], some) + within
        yield np.repeat(chosen, some).astype(np.int32), at_right.astype(np.int32)


def _maximized(
    source: Numbers, blocks: list[_Block], slot: str, slots: int, tell: Callable[[], None]
) -> tuple[Shares, Shares]:
    """Return the probability of each pair's target given its source, and expected counts.

    ``slot`` is the side of the targets, and ``slots`` is its size.
    """
    probable, expected = np.ones(len(source)), np.zeros(len(source))
    for _ in range(_ROUNDS):
        given = np.zeros(slots)
        for block in blocks:
            tell()
            own = probable[block.first : block.first + block.size]
            given += np.bincount(getattr(block, slot), own[block.pairs], slots)
        for block in blocks:
            shares = np.bincount(block.pairs, 1 / given[getattr(block, slot)], block.size)
            expected[block.first : block.first + block.size] = shares
        expected *= probable
        probable = expected / np.bincount(source, expected)[source]
    return probable, expected


def _surprise(joint: Numbers, left: Numbers, right: Numbers, sentences: int) -> Shares:
    """Return the log-likelihood ratio of the counts for related against unrelated words.

    It is twice the logarithm of the ratio: T. Dunning, "Accurate Methods for the Statistics of
    Surprise and Coincidence", Computational Linguistics 19(1), 1993.
    """
    neither = sentences - left - right + joint
    cells = (
        (joint, left * right),
        (left - joint, left * (sentences - right)),
        (right - joint, (sentences - left) * right),
        (neither, (sentences - left) * (sentences - right)),
    )
    ratio = np.zeros(len(joint))
    for seen, product in cells:
        chance = np.maximum(product / sentences, 1e-300)
        ratio += seen * np.log(np.maximum(seen, 1) / chance)
    return 2 * ratio

"""Which words of two languages translate each other, learned from sentences side by side.

IBM model 1: P. F. Brown, S. A. Della Pietra, V. J. Della Pietra and R. L. Mercer, "The
Mathematics of Statistical Machine Translation: Parameter Estimation", Computational
Linguistics 19(2), 1993. Each word of a sentence is taken to come from one word of the other,
and expectation maximization finds how probably from which. It is done in both directions,
and both must agree. Words are numbers here.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from kb import limits

Numbers = NDArray[np.int64]
Shares = NDArray[np.float64]

_ROUNDS = 5
_LEAST = 2  # times that two words stand side by side, or chance may have put them there
_BLOCK = 1 << 20


class Side(NamedTuple):
    """The sentences of one language, one behind another, each word of one once.

    Sentence ``n`` has ``words[starts[n]:starts[n + 1]]``; words are numbered from 0.
    """

    words: Numbers
    starts: Numbers

    @property
    def lengths(self) -> Numbers:
        """How many words each sentence has."""
        return np.diff(self.starts)

    def only(self, chosen: NDArray[np.bool_]) -> Side:
        """Return the sentences that are chosen."""
        lengths = self.lengths
        kept = self.words[np.repeat(chosen, lengths)]
        return Side(kept, np.concatenate(([0], np.cumsum(lengths[chosen]))))


class Links(NamedTuple):
    """Pairs of words that stand side by side in at least two pairs of sentences.

    ``together`` counts these. ``forth`` is how probable the right word is where the left one
    stands, ``back`` the left word where the right one does; ``expected`` is how often one is
    taken to come from the other, the less of both directions. ``surprise`` is the logarithm
    of the likelihood ratio of the counts (`_surprise`), ``tried`` how many pairs there were.
    """

    left: Numbers
    right: Numbers
    together: Numbers
    forth: Shares
    back: Shares
    expected: Shares
    surprise: Shares
    tried: int


class _Block(NamedTuple):
    """A stretch of all places where two words stand side by side.

    ``first`` is the first pair of words in it; ``pairs`` counts from there, and ``left`` and
    ``right`` are the places of its words among those of their side.
    """

    first: int
    size: int
    pairs: NDArray[np.int32]
    left: NDArray[np.int32]
    right: NDArray[np.int32]


def shortest(left: Side, right: Side) -> NDArray[np.bool_]:
    """Choose the pairs of sentences of which all words together are not too many to be linked.

    The shortest say most; those that are equally long are taken or left together.
    """
    sizes = left.lengths * right.lengths
    ordered = np.sort(sizes)
    above = np.flatnonzero(np.cumsum(ordered) > limits.LINKS)
    most = ordered[above[0]] if len(above) else np.inf
    return np.asarray(sizes < most)


def align(left: Side, right: Side, tell: Callable[[], None]) -> Links:
    """Learn from sentences side by side; ``tell`` is called again and again meanwhile."""
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
    together = np.concatenate((*counts, np.empty(0, np.int64)))
    forth, came = _maximized(one, blocks, "right", len(right.words), tell)
    back, went = _maximized(other, blocks, "left", len(left.words), tell)
    alone = np.bincount(left.words)[one], np.bincount(right.words)[other]
    surprise = _surprise(together, *alone, len(left.starts) - 1)
    expected = np.minimum(came, went)
    return Links(one, other, together, forth, back, expected, surprise, tried)


def _side_by_side(left: Side, right: Side) -> Iterator[tuple[NDArray[np.int32], NDArray[np.int32]]]:
    """Yield the places of words that stand side by side, all those of a left word together."""
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
    """Return how probable each pair's target is, given its source, and how often it is expected.

    ``slot`` says on which side the targets are, of which there are so many ``slots``.
    """
    probable, expected = np.ones(len(source)), np.zeros(len(source))
    for _ in range(_ROUNDS):
        given = np.zeros(slots)
        for block in blocks:
            tell()
            own = probable[block.first : block.first + block.size]
            given += np.bincount(getattr(block, slot), own[block.pairs], slots)
        for block in blocks:
            tell()
            shares = np.bincount(block.pairs, 1 / given[getattr(block, slot)], block.size)
            expected[block.first : block.first + block.size] = shares
        expected *= probable
        probable = expected / np.bincount(source, expected)[source]
    return probable, expected


def _surprise(together: Numbers, left: Numbers, right: Numbers, sentences: int) -> Shares:
    """Return how much likelier the counts are where two words have to do with each other.

    Twice the logarithm of the ratio: T. Dunning, "Accurate Methods for the Statistics of
    Surprise and Coincidence", Computational Linguistics 19(1), 1993.
    """
    neither = sentences - left - right + together
    cells = (
        (together, left * right),
        (left - together, left * (sentences - right)),
        (right - together, (sentences - left) * right),
        (neither, (sentences - left) * (sentences - right)),
    )
    ratio = np.zeros(len(together))
    for seen, product in cells:
        chance = np.maximum(product / sentences, 1e-300)
        ratio += seen * np.log(np.maximum(seen, 1) / chance)
    return 2 * ratio

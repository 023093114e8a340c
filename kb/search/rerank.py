"""Re-ranks the best candidates by features that BM25 does not have.

Each part is a pure function; the weights are at the end.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from kb.model.clauses import K1, B, Occurrences


class WeightedTerm(NamedTuple):
    """A query word: its spellings, unstemmed forms and weight (`idf`).

    ``ranked`` means that the index already scored it, with the weight ``share``.
    """

    spellings: tuple[tuple[str, ...], ...]
    surfaces: tuple[str, ...]
    weight: float
    ranked: bool
    share: float


def idf(documents: int, holding: int) -> float:
    """Return the weight of a word: higher for rare ones, never negative.

    It is the inverse document frequency of Robertson and Spärck Jones, plus 1 as in Lucene
    (BM25Similarity).

    >>> round(idf(1000, 10), 2), round(idf(1000, 900), 2)
    (4.56, 0.11)
    """
    return math.log(1 + (max(0, documents - holding) + 0.5) / (holding + 0.5))


def saturated(frequency: float, norm: float) -> float:
    """Return the score of a word by its frequency in a text (Okapi BM25).

    ``norm`` is the text's length relative to the average. Robertson and Zaragoza, "The
    Probabilistic Relevance Framework: BM25 and Beyond", 2009.

    >>> saturated(0, 1), saturated(1, 1), saturated(1000, 1) < 2.2
    (0.0, 1.0, True)
    """
    return frequency * (K1 + 1) / (frequency + K1 * (1 - B + B * norm))


def proximity(weights: Sequence[float], places: Sequence[Place]) -> dict[int, float]:
    """Return for each query word how closely other query words surround it in a column.

    ``places`` are those of all words, in order. Neighbouring words add the other's weight over
    the squared distance, overlapping words nothing: Büttcher, Clarke and Lushman, "Term proximity
    scoring for ad-hoc retrieval on very large text collections", SIGIR 2006.

    >>> proximity([2.0, 1.0], [(0, 1, 0), (2, 3, 1), (30, 31, 0)])
    {0: 0.25, 1: 0.5}
    >>> proximity([2.0, 1.0], [(0, 2, 0), (1, 2, 1)])
    {}
    """
    near: dict[int, float] = {}
    for (left, end, one), (right, _, other) in pairwise(places):
        distance = right - left
        if one != other and right >= end and 0 < distance <= PROXIMITY_WINDOW:
            near[one] = near.get(one, 0.0) + weights[other] / distance**2
            near[other] = near.get(other, 0.0) + weights[one] / distance**2
    return near


class Reranker:
    """Scores documents again by all features of a query.

    ``asked`` are the words of the query, ``names`` their translations.
    """

    def __init__(self, asked: Sequence[WeightedTerm], names: Sequence[WeightedTerm]) -> None:
        self._words = [*asked, *names]
        self._weights = [word.weight for word in self._words]
        # The index has counted a word rightly that has one spelling and its whole weight.
        self._corrected = [
            n
            for n, word in enumerate(self._words)
            if not (word.ranked and word.share == 1.0 and len(word.spellings) == 1)
        ]
        self._surfaces = [(surface, word.weight) for word in asked for surface in word.surfaces]
        self._wanted = WantedTerms([word.spellings for word in self._words])

    @property
    def terms(self) -> list[str]:
        """The terms whose positions `gain` needs."""
        return list(dict.fromkeys((*self._wanted.terms, *(form for form, _ in self._surfaces))))

    def gain(self, fields: Iterable[tuple[float, Occurrences]], norm: float) -> float:
        """Return the change of a document's score from the index.

        ``fields`` are its columns with matches, each with its weight; ``norm`` is the document's
        length relative to the average.
        """
        counts: dict[int, float] = {}
        forms: dict[str, float] = {}
        near: dict[int, float] = {}
        for weight, there in fields:
            places, spelled = self._wanted.found(there)
            for number, often in spelled.items():
                counts[number] = counts.get(number, 0.0) + weight * often
            for form, often in there.forms.items():
                forms[form] = forms.get(form, 0.0) + weight * often
            if len(places) > 1:
                for number, amount in proximity(self._weights, places).items():
                    near[number] = near.get(number, 0.0) + weight * amount
        held = {self._wanted.word_of[number] for number in counts}
        corrections = [self._correction(n, counts, norm) for n in self._corrected if n in held]
        exact = [w * saturated(forms[form], norm) for form, w in self._surfaces if form in forms]
        close = [min(1.0, self._weights[w]) * saturated(n, norm) for w, n in near.items()]
        return sum(corrections) + EXACT_WEIGHT * sum(exact) + PROXIMITY_WEIGHT * sum(close)

    def _correction(self, number: int, counts: Mapping[int, float], norm: float) -> float:
        """Return the difference between the right score of a word and that of the index.

        k-NN is indexed as written and as knn, so that each finds the other; both at one position
        are one match.
        """
        word = self._words[number]
        often = [counts[each] for each in self._wanted.spellings_of[number] if each in counts]
        once = word.share * saturated(max(often), norm)
        counted = sum([saturated(count, norm) for count in often]) if word.ranked else 0.0
        return word.weight * (once - counted)


# The positions of a query's words in a column of a document.


Place = tuple[int, int, int]
"""The start and end of a word among the terms of a column, and its number."""

_NONE: tuple[int, ...] = ()


class Found(NamedTuple):
    """The matches of a query in a column: positions in order, and counts by spelling."""

    places: Sequence[Place]
    spelled: Mapping[int, int]


class WantedTerms:
    """The words of a query with their spellings, which are term sequences.

    All spellings are numbered: `word_of` has the word's number for each, and `spellings_of` those
    of each word.
    """

    def __init__(self, words: Sequence[Sequence[Sequence[str]]]) -> None:
        self.word_of = [word for word, spellings in enumerate(words) for _ in spellings]
        self.spellings_of: list[list[int]] = [[] for _ in words]
        for number, word in enumerate(self.word_of):
            self.spellings_of[word].append(number)
        self._single: dict[str, list[int]] = {}
        self._several: list[tuple[Sequence[str], int]] = []
        for number, spelling in enumerate(each for spellings in words for each in spellings):
            if len(spelling) == 1:
                self._single.setdefault(spelling[0], []).append(number)
            else:
                self._several.append((spelling, number))

    @property
    def terms(self) -> Iterable[str]:
        """All terms whose positions are needed."""
        return dict.fromkeys((*self._single, *(t for terms, _ in self._several for t in terms)))

    def found(self, there: Occurrences) -> Found:
        """Return the matches in a column.

        For a spelling of several terms every position is returned, and non-overlapping ones are
        counted.

        >>> there = Occurrences({"a": [0, 3], "b": [1], "c": [2]}, {"b": 1})
        >>> found = WantedTerms([[["a"]], [["b"], ["c", "a"]]]).found(there)
        >>> found.places
        [(0, 1, 0), (1, 2, 1), (2, 4, 1), (3, 4, 0)]
        >>> found.spelled
        {0: 2, 1: 2, 2: 1}
        """
        stems, forms = there
        places: list[Place] = []
        spelled: dict[int, int] = {}
        for term, at in stems.items():
            for number in self._single.get(term, _NONE):
                spelled[number] = len(at)
                word = self.word_of[number]
                places += [(place, place + 1, word) for place in at]
        for term, often in forms.items():
            for number in self._single.get(term, _NONE):
                spelled[number] = spelled.get(number, 0) + often
        for terms, number in self._several:
            starts = runs(terms, stems)
            if starts:
                spelled[number] = _apart(starts, len(terms))
                word = self.word_of[number]
                places += [(place, place + len(terms), word) for place in starts]
        places.sort()
        return Found(places, spelled)


def runs(terms: Sequence[str], stems: Mapping[str, Sequence[int]]) -> list[int]:
    """Return the positions where terms follow each other, in order.

    >>> runs(["a", "b"], {"a": [0, 2, 7], "b": [1, 3]})
    [0, 2]
    """
    if any(term not in stems for term in terms):
        return []
    starts = set(stems[terms[0]])
    for offset, term in enumerate(terms[1:], 1):
        starts &= {place - offset for place in stems[term]}
    return sorted(starts)


def _apart(starts: Sequence[int], length: int) -> int:
    """Return the number of spans of a length, without overlaps.

    >>> _apart([0, 1, 2, 5], 2)
    3
    """
    counted, end = 0, 0
    for start in starts:
        if start >= end:
            counted, end = counted + 1, start + length
    return counted


# What of a text is marked as a match, and what each word of it counts for.


FUNCTION, TELLING = 1, 500
"""The weight of a function word in choosing an excerpt, and the minimum weight of others.

They are whole numbers, so that sums are exact; no query has enough function words to outweigh a
content word.
"""

_UNIT = 1_000  # what an inverse document frequency of 1 counts for


class Wanted(NamedTuple):
    """The forms to mark, each with the number of its query word.

    ``prefixes`` are prefixes of terms; ``words`` is the number of content words, or of all words
    if there are none. ``weights`` has the weights of words that are not `TELLING`.
    """

    terms: Mapping[str, int]
    prefixes: Mapping[str, int]
    words: int
    weights: Mapping[int, int] = {}

    def tells(self, word: int) -> bool:
        """Return whether a word, by number, is a content word of the query."""
        return self.weights.get(word, TELLING) >= TELLING

    def by_rarity(self, frequency: Callable[[str], int | None], documents: int) -> Wanted:
        """Return these forms with their words weighted by document frequency.

        ``frequency`` returns that of a term, or nothing. A word without any known spelling has the
        maximum weight.

        >>> wanted = Wanted({"the": 0, "set": 1, "zebra": 2}, {}, 2, {0: FUNCTION})
        >>> wanted.by_rarity({"the": 990, "set": 200, "zebra": 2}.get, 1000).weights
        {0: 1, 1: 1608, 2: 5992}
        """
        often: dict[int, int] = {}
        for term, word in (*self.terms.items(), *self.prefixes.items()):
            often[word] = max(often.get(word, 0), frequency(term) or 0)
        weights = {
            word: max(TELLING, round(_UNIT * idf(documents, count)))
            for word, count in often.items()
            if self.tells(word)
        }
        return self._replace(weights={**self.weights, **weights})

    def word_of(self, term: str) -> int | None:
        """Return the number of the word that has this term."""
        number = self.terms.get(term)
        if number is None and self.prefixes and term.startswith(tuple(self.prefixes)):
            return next(n for prefix, n in self.prefixes.items() if term.startswith(prefix))
        return number

    def any_of(self, terms: tuple[str, ...]) -> bool:
        """Return whether one of these terms is wanted."""
        if not self.prefixes:
            return not self.terms.keys().isdisjoint(terms)
        return any(self.word_of(term) is not None for term in terms)


NOTHING = Wanted({}, {}, 0)


# The figures that ranking uses, each in one place.
#
# Those of re-ranking were chosen on one half of the queries of the judged sets that
# ``tests/bench`` names, and are reported there on the other.


FIELD_WEIGHTS = {
    "question": 4.0,
    "wording": 2.0,
    "source": 1.0,
    "reference": 1.0,
    "notes": 0.7,
    "code": 0.4,
    "keywords": 2.0,
}
"""The weight of a match in each column, relative to the source's answer.

A question is short and says what an entry is about; code has many words with little meaning. The
factors are of the size that Robertson, Zaragoza and Taylor found for titles against bodies
("Simple BM25 extension to multiple weighted fields", CIKM 2004).
"""

TRANSLATION_WEIGHT = 0.6
"""The weight of a translated match relative to the query's own words: who asks in English wants to
read English."""

TRANSLATION_DILUTION = 0.1
"""How quickly the weight of translations falls with their number: 0 not at all, 1 in proportion."""

FUNCTION_WEIGHT = 0.25
"""The weight of a function word (why, is, the), relative to its weight by frequency."""

PART_WEIGHT = 0.4
"""The weight of a part of a word, relative to the whole: learning of deep-learning."""

EXACT_WEIGHT = 0.2
"""The bonus for a word in exactly the form of the query."""

PROXIMITY_WEIGHT = 0.3
"""The bonus for query words near each other."""

PROXIMITY_WINDOW = 8
"""The maximum distance of near words."""

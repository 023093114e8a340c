"""Re-ranking of the best candidates by what BM25 over single words does not see.

Each part is a function of numbers; the weights are in `kb.search.rerank`.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import pairwise
from typing import NamedTuple

from kb.model.clauses import K1, B, Occurrences


class WeightedTerm(NamedTuple):
    """A word of the query: its spellings, its unstemmed forms and its weight (`idf`).

    ``ranked`` says that the index has already counted it, ``share`` for how much of that it
    counts.
    """

    spellings: tuple[tuple[str, ...], ...]
    surfaces: tuple[str, ...]
    weight: float
    ranked: bool
    share: float


def idf(documents: int, holding: int) -> float:
    """Return how much a word tells: the more, the fewer documents hold it; never negative.

    The inverse document frequency of Robertson and Spärck Jones with the 1 that Lucene
    adds (BM25Similarity).

    >>> round(idf(1000, 10), 2), round(idf(1000, 900), 2)
    (4.56, 0.11)
    """
    return math.log(1 + (max(0, documents - holding) + 0.5) / (holding + 0.5))


def saturated(frequency: float, norm: float) -> float:
    """Return what a word counts for that stands so often in a text (Okapi BM25).

    ``norm`` is the text's length by the average. Robertson and Zaragoza, "The
    Probabilistic Relevance Framework: BM25 and Beyond", 2009.

    >>> saturated(0, 1), saturated(1, 1), saturated(1000, 1) < 2.2
    (0.0, 1.0, True)
    """
    return frequency * (K1 + 1) / (frequency + K1 * (1 - B + B * norm))


def proximity(weights: Sequence[float], places: Sequence[Place]) -> dict[int, float]:
    """Return how much each word of the query is surrounded by others of them in one column.

    ``places`` are those of all words, in order. Words beside each other add the other's
    weight over the square of their distance, and words that overlap nothing: Büttcher, Clarke
    and Lushman, "Term proximity scoring for ad-hoc retrieval on very large text collections",
    SIGIR 2006.

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
    """Scores documents once more, by all that a query asks.

    ``asked`` are the words of the query, ``names`` what translates them.
    """

    def __init__(self, asked: Sequence[WeightedTerm], names: Sequence[WeightedTerm]) -> None:
        self._words = [*asked, *names]
        self._weights = [word.weight for word in self._words]
        self._corrected = [n for n, word in enumerate(self._words) if not _counted_rightly(word)]
        self._surfaces = [(surface, word.weight) for word in asked for surface in word.surfaces]
        self._wanted = WantedTerms([word.spellings for word in self._words])

    @property
    def terms(self) -> list[str]:
        """The terms whose places `gain` is to be given."""
        return list(dict.fromkeys((*self._wanted.terms, *(form for form, _ in self._surfaces))))

    def gain(self, fields: Iterable[tuple[float, Occurrences]], norm: float) -> float:
        """Return what is added to the score of a document that the index has ranked.

        ``fields`` are its columns where anything asked for stands, each with what a match in it
        counts for; ``norm`` is the document's length by the average.
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
        return (
            sum([self._correction(n, counts, norm) for n in self._corrected if n in held])
            + EXACT_WEIGHT * (_exactness(self._surfaces, forms, norm) if forms else 0.0)
            + PROXIMITY_WEIGHT * (_nearness(self._weights, near, norm) if near else 0.0)
        )

    def _correction(self, number: int, counts: Mapping[int, float], norm: float) -> float:
        """Return what the index has not counted of a word, or has counted too much.

        k-NN is indexed as it is written and as knn, so that either finds the other; where both
        are one place of a text they are one match.
        """
        word = self._words[number]
        often = [counts[each] for each in self._wanted.spellings_of[number] if each in counts]
        once = word.share * saturated(max(often), norm)
        counted = sum([saturated(count, norm) for count in often]) if word.ranked else 0.0
        return word.weight * (once - counted)


def _counted_rightly(word: WeightedTerm) -> bool:
    """Say whether what the index counts of a word is what it counts for."""
    return word.ranked and word.share == 1.0 and len(word.spellings) == 1


def _exactness(
    surfaces: Sequence[tuple[str, float]], forms: Mapping[str, float], norm: float
) -> float:
    """Return what the words count for that stand in the very form they were asked in."""
    return sum(
        [weight * saturated(forms[form], norm) for form, weight in surfaces if form in forms]
    )


def _nearness(weights: Sequence[float], near: Mapping[int, float], norm: float) -> float:
    return sum([min(1.0, weights[w]) * saturated(amount, norm) for w, amount in near.items()])


# The positions of a query's words in a column of a document.


Place = tuple[int, int, int]
"""Where a word begins among the terms of a column, where it ends, and the number of the word."""

_NONE: tuple[int, ...] = ()


class Found(NamedTuple):
    """What of a query stands in a column: places in order, and how often each spelling does."""

    places: Sequence[Place]
    spelled: Mapping[int, int]


class WantedTerms:
    """The words of a query: for each its spellings, which are sequences of terms.

    All spellings are numbered in order: `word_of` has the number of the word for each, and
    `spellings_of` those of each word.
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
        """All terms that it is to be asked where they stand."""
        return dict.fromkeys((*self._single, *(t for terms, _ in self._several for t in terms)))

    def found(self, there: Occurrences) -> Found:
        """Return what stands in a column.

        Of a spelling of several terms each place is given, and those are counted that do not
        overlap.

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
        if len(places) > 1:
            places.sort()
        return Found(places, spelled)


def runs(terms: Sequence[str], stems: Mapping[str, Sequence[int]]) -> list[int]:
    """Return the places where terms stand behind one another, in order.

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
    """Count spans of a length, leaving out those that overlap one that was counted.

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
"""What a function word counts for in the choice of a passage, and what any other does at least.

They are whole numbers so that sums are exact; no query has as many words as would make up for
one that tells.
"""

_UNIT = 1_000  # what an inverse document frequency of 1 counts for


class Wanted(NamedTuple):
    """The forms that a match is marked by, each with the number of the query's word it is of.

    ``prefixes`` are beginnings of terms; ``words`` is how many words there are that tell
    something, or how many at all where none does. ``weights`` has what words count for, as
    far as that is not `TELLING`.
    """

    terms: Mapping[str, int]
    prefixes: Mapping[str, int]
    words: int
    weights: Mapping[int, int] = {}

    def tells(self, word: int) -> bool:
        """Say whether a word, by its number, tells something beside the others."""
        return self.weights.get(word, TELLING) >= TELLING

    def by_rarity(self, frequency: Callable[[str], int | None], documents: int) -> Wanted:
        """Return the same, its words weighed by in how many of the documents they stand.

        ``frequency`` says that of a term, or nothing where it is not known: what is known in no
        spelling is as rare as can be.

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
        """Return the number of the word that a term is a form of."""
        number = self.terms.get(term)
        if number is None and self.prefixes and term.startswith(tuple(self.prefixes)):
            return next(n for prefix, n in self.prefixes.items() if term.startswith(prefix))
        return number

    def any_of(self, terms: tuple[str, ...]) -> bool:
        """Say whether one of these terms is wanted."""
        if not self.terms.keys().isdisjoint(terms):
            return True
        prefixes = tuple(self.prefixes)
        return bool(prefixes) and any(term.startswith(prefixes) for term in terms)


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
"""What a match in each searched column counts for, beside one in the source's answer.

A question is short and says what an entry is about; code holds many words that
say little. The factors are of the size Robertson, Zaragoza and Taylor found for titles
against bodies ("Simple BM25 extension to multiple weighted fields", CIKM 2004).
"""

TRANSLATION_WEIGHT = 0.6
"""What a text in a language that the query was translated into counts for, beside one that
holds the query's own words: who asks in English wants to read English."""

TRANSLATION_DILUTION = 0.1
"""How quickly a translation counts for less, the more of them a word has: 0 not at all, 1 by
their number."""

FUNCTION_WEIGHT = 0.25
"""What a function word (why, is, the) counts for, beside its share by frequency."""

REPETITION = 4.0
"""How slowly a word that a query repeats counts no more, as K1 does for a text that does."""

PART_WEIGHT = 0.4
"""What a part of a word counts for, beside the whole: learning of deep-learning."""

EXACT_WEIGHT = 0.2
"""What a word in the very form it was asked in adds to what its stem counts for."""

PROXIMITY_WEIGHT = 0.3
"""What words of the query that stand near each other add to what each counts for."""

PROXIMITY_WINDOW = 8
"""How many words apart two words are still near each other."""

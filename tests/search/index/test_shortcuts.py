"""Shortcuts to the best documents find what reading everything does, however small their bounds.

Each is taken in large bases only; here its bound is so low that a few documents are many.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import contextmanager
from unittest.mock import patch

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from kb import Library
from kb.model.clauses import (
    Clause,
    Every,
    Has,
    Matches,
    Phrase,
    Predicate,
    Scoring,
)
from kb.model.entry import Answer, Entry
from kb.model.results import silent
from kb.search.index import arrays, segments, topk
from kb.search.index.codec import MOST_SHORT, packed, unpacked
from kb.search.index.evaluation import Norm, score
from kb.service.write import put_entry, remove_entry
from tests.databases import passing_library
from tests.plugin import times
from tests.search.index.test_ranked import EVALUATORS, SCORING, alike, oracle

WORDS = ("network", "gradient", "deep", "netting", "شبکه", "عصبی", "شبنم")
COMMON, LETTERS = ("network", "شبکه"), ("ne", "d", "شب", "ع")


def entry(id: str, draw: random.Random, both: float) -> Entry:
    """An entry that often holds the common words once; some are in two languages."""
    said = [
        " ".join(draw.choices((*WORDS, "other"), (3, 1, 1, 1, 3, 1, 1, 20), k=draw.randint(1, 12)))
        for _ in range(3)
    ]
    titles = {"en": said[0], "fa": said[1]} if draw.random() < both else {"en": "other"}
    answers = (Answer("source", "en", said[2]),)
    return Entry(id, "question", "c", titles, answers=answers, level=draw.choice("EMH"))


def base(library: Library, draw: random.Random, *, edited: bool, both: float = 0.2) -> None:
    """Fill a base: one large part, and some that were added, and that are gone, since."""
    inner = library._base
    with inner.store.transaction():
        inner.store.collections.put("c", {})
        for number in draw.sample(range(120), 120):
            put_entry(inner, entry(f"e{number:03}", draw, both), "user")
    inner.index.tidy(silent)
    if edited:
        with inner.store.transaction():
            for number in draw.sample(range(120), 9):
                remove_entry(inner, f"e{number:03}")
            put_entry(inner, entry("e999", draw, both), "user")


@contextmanager
def bounds(few: int) -> Iterator[None]:
    with patch.object(segments, "FEW", few), patch.object(topk, "_PROBED", 2):
        yield


def asked(draw: random.Random) -> list[Phrase]:
    return [
        *(Phrase((term,)) for term in COMMON),
        *(Phrase((beginning,), open=True) for beginning in LETTERS),
        Phrase(("network", "deep")),
        Phrase(("شبکه", "عصب")),
        Phrase((draw.choice(COMMON), "d"), open=True),
    ]


NARROWED: list[Predicate] = [
    Every(),
    Has("level", "h"),
    Every(tuple(Matches(Clause((Phrase((term,)),))) for term in ("network", "gradient", "شبکه"))),
]


@pytest.mark.long
@pytest.mark.parametrize("few", EVALUATORS.values(), ids=EVALUATORS)
@pytest.mark.parametrize("edited", [False, True])
@pytest.mark.parametrize("both", [0.0, 0.7])
def test_the_best_of_one_word_or_beginning_or_phrase_are_those_of_all(
    few: int, edited: bool, both: float
) -> None:
    draw = random.Random(7)
    with passing_library() as library, bounds(few):
        base(library, draw, edited=edited, both=both)
        plain = oracle(library)
        for phrase in asked(draw):
            for predicate in NARROWED:
                for limit in (3, 10, 30):
                    clauses = [Clause((phrase,))]
                    found = library._base.index.candidates(clauses, predicate, SCORING, limit)
                    alike(found, plain.candidates(clauses, predicate, SCORING, limit))


@pytest.mark.long
@pytest.mark.parametrize("few", EVALUATORS.values(), ids=EVALUATORS)
def test_the_best_of_many_words_are_those_of_all_whatever_is_probed(few: int) -> None:
    draw = random.Random(8)
    damping = Scoring(SCORING.weights, ("fa",), 0.6)
    with passing_library() as library, bounds(few):
        base(library, draw, edited=True)
        plain = oracle(library)
        for _ in range(20):
            clauses = [Clause((each,)) for each in draw.sample(asked(draw), draw.randint(2, 4))]
            scoring = draw.choice([SCORING, damping])
            predicate = draw.choice(NARROWED)
            found = library._base.index.candidates(clauses, predicate, scoring, 5)
            alike(found, plain.candidates(clauses, predicate, scoring, 5))


@pytest.mark.parametrize("word", COMMON)
def test_where_the_best_documents_are_of_one_entry_the_next_entry_is_found_too(word: str) -> None:
    said = Answer("source", "en", "other")
    entries = [
        Entry("a", "question", "c", {"en": word, "fa": word}, answers=(said,)),
        *(Entry(id, "question", "c", {"en": f"{word} other"}, answers=(said,)) for id in "bcd"),
    ]
    with passing_library() as library, bounds(0):
        inner = library._base
        with inner.store.transaction():
            inner.store.collections.put("c", {})
            for each in entries:
                put_entry(inner, each, "user")
        inner.index.tidy(silent)
        found = inner.index.candidates([Clause((Phrase((word,)),))], Every(), SCORING, 2)
    assert ([each.entry for each in found.found], found.total) == (["a", "b"], 4)


def test_the_control_of_these_comparisons_is_an_upper_bound_that_is_too_low() -> None:
    said = Answer("source", "en", "other")
    clauses = [Clause((Phrase((term,)),)) for term in ("gradient", "network")]

    def both(number: int) -> str:
        """Words of which the rarer tells least where the other stands, too."""
        rare, common = "gradient " * (number % 5 == 0), "network " * (number % 3 == 0)
        return rare + common + "other " * (4 if rare and common else 1)

    with passing_library() as library, bounds(0):
        inner = library._base
        with inner.store.transaction():
            inner.store.collections.put("c", {})
            for n in range(150):
                put_entry(
                    inner, Entry(f"e{n}", "question", "c", {"en": both(n)}, answers=(said,)), "user"
                )
        inner.index.tidy(silent)
        right = oracle(library).candidates(clauses, Every(), SCORING, 3)
        with patch.object(topk, "_COMMON", 0.3):
            alike(inner.index.candidates(clauses, Every(), SCORING, 3), right)
            with (
                patch.object(topk.PostingList, "upper_bound", lambda *_: 0.0),
                pytest.raises(AssertionError),
            ):
                alike(inner.index.candidates(clauses, Every(), SCORING, 3), right)


def test_the_bounds_of_a_list_follow_the_average_length_of_the_index() -> None:
    ordinals, often, lengths = [0, 2, 3], [1.0, 3.0, 0.5], np.array([4, 9, 30, 8])
    listed = topk.PostingList(np.array(ordinals, np.int32), np.array(often))
    for average in (5.0, 5.0, 50.0, 5.0):
        norm = Norm(average)
        exact = norm.of(lengths)
        assert exact.tolist() == [norm.of(length) for length in lengths]
        norms = topk.Norms(norm, lengths, exact.astype(np.float32))
        scores = [score(1.0, *each) for each in zip(often, exact[ordinals].tolist(), strict=True)]
        assert listed.impacts(norms).tolist() == pytest.approx(scores, rel=1e-5)
        assert listed.upper_bound(norms) == pytest.approx(max(scores), rel=1e-5)
        assert norms.exact(np.array([3, 1], np.int32)).tolist() == exact[[3, 1]].tolist()
    assert listed.at(np.array([3, 1, 0], np.int32)).tolist() == [0.5, 0.0, 1.0]
    nothing = topk.PostingList(np.empty(0, np.int32), np.empty(0))
    assert nothing.at(np.array([1], np.int32)).tolist() == [0.0]
    assert nothing.upper_bound(norms) == 0.0


@given(
    size=st.sampled_from([40, 5000, MOST_SHORT + 1, 3 * MOST_SHORT]),
    values=st.sampled_from([(0.0, 1.0, 4.0, 0.7), (0.0, 1.0, 1.0000000001, 1e6)]),
    seed=st.integers(0, 999),
)
@settings(max_examples=times(12))
def test_lists_united_tell_the_sum_of_what_each_tells(
    size: int, values: tuple[float, ...], seed: int
) -> None:
    draw = random.Random(seed)
    rows, sums = list[bytes](), dict[int, float]()
    for _ in range(draw.randint(0, 6)):
        groups = [
            (number, sorted(draw.sample(range(size), draw.choice([1, 3, 20, min(size, 4500)]))))
            for number in draw.sample([1, 2, 3], draw.randint(1, 3))
        ]
        rows.append(packed(groups, size))
        for number, ordinals in unpacked(rows[-1], size):
            for ordinal in ordinals:
                sums[ordinal] = sums.get(ordinal, 0.0) + values[number]
    ordinals, often = arrays.union(rows, size, np.array(values))
    assert (np.diff(ordinals) > 0).all()
    told = dict(zip(ordinals.tolist(), often.tolist(), strict=True))
    assert told == pytest.approx(sums, rel=1e-12)

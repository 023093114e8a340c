"""The figures that ranking uses, each in one place.

Those of the second look were chosen on one half of the queries of the judged sets that
``tests/bench`` names, and are reported there on the other.
"""

from __future__ import annotations

from typing import NamedTuple


class FieldWeights(NamedTuple):
    """What a match in each indexed column counts for, beside one in the source's answer.

    A question is short and says what an entry is about; code holds many words that
    say little. BM25 with a factor for each field is what FTS5 computes; the factors are
    of the size Robertson, Zaragoza and Taylor found for titles against bodies ("Simple
    BM25 extension to multiple weighted fields", CIKM 2004).
    """

    question: float = 4.0
    wording: float = 2.0
    source: float = 1.0
    reference: float = 1.0
    notes: float = 0.7
    code: float = 0.4
    keywords: float = 2.0


FIELD_WEIGHTS = FieldWeights()

K1, B = 1.2, 0.75
"""How soon a word that is repeated counts no more, and how much a long text is held back:
those that FTS5 uses (https://sqlite.org/fts5.html#the_bm25_function)."""

TRANSLATION_WEIGHT = 0.6
"""What a text in a language that the query was translated into counts for, beside one that
holds the query's own words: who asks in English wants to read English."""

TRANSLATION_DILUTION = 0.1
"""How quickly a translation counts for less, the more of them a word has: 0 not at all, 1 by
their number."""

FUNCTION_WEIGHT = 0.25
"""What a function word (why, is, the) counts for, beside its share by frequency."""

EXACT_WEIGHT = 0.2
"""What a word in the very form it was asked in adds to what its stem counts for."""

PROXIMITY_WEIGHT = 0.3
"""What words of the query that stand near each other add to what each counts for."""

PROXIMITY_WINDOW = 8
"""How many words apart two words are still near each other."""

COVERAGE_WEIGHT = 0.2
"""What a text that holds all of the query gains, as a share of the query's own weight."""

COVERAGE_POWER = 10
"""How quickly that is lost with the share of the query that a text lacks."""

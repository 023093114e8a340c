"""The figures that ranking uses, each in one place."""

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

TRANSLATION_WEIGHT = 0.6
"""What a text in a language that the query was translated into counts for, beside one that
holds the query's own words: who asks in English wants to read English."""

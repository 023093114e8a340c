"""The figures that ranking uses, each in one place.

Those of re-ranking were chosen on one half of the queries of the judged sets that
``tests/bench`` names, and are reported there on the other.
"""

from __future__ import annotations

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

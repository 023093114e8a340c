"""Where terms stand in one document, gathered term by term."""

from __future__ import annotations

from collections.abc import Sequence

from kb.index.ranked.building import Pattern
from kb.records.clauses import Occurrences
from kb.records.document import COLUMNS

Gathered = dict[str, tuple[dict[str, list[int]], dict[str, int]]]
"""By column the places of terms, and how often other forms stand there."""


def gather(found: Gathered, term: str, pattern: Pattern, places: Sequence[int]) -> None:
    """Add where a term stands in a document."""
    left = iter(places)
    for number in pattern:
        name = COLUMNS[number % len(COLUMNS)]
        known = found.setdefault(name, ({}, {}))
        if number < len(COLUMNS):
            known[0].setdefault(term, []).append(next(left))
        else:
            known[1][term] = known[1].get(term, 0) + 1


def as_told(found: Gathered) -> dict[str, Occurrences]:
    """Return what was gathered of a document, by column."""
    return {name: Occurrences(*of) for name, of in found.items()}

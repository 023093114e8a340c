"""What a query asks an index for: records without a word of any engine's language."""

from __future__ import annotations

from typing import NamedTuple


class Phrase(NamedTuple):
    """Terms that stand together in this order; where ``open``, the last is only begun."""

    terms: tuple[str, ...]
    open: bool = False


class Clause(NamedTuple):
    """What one word or phrase of a query asks for: any of these phrases."""

    phrases: tuple[Phrase, ...]


class Scoring(NamedTuple):
    """How documents are scored: a factor for each column by name, and one for some languages."""

    weights: dict[str, float]
    damped: tuple[str, ...] = ()
    damping: float = 1.0


class Candidate(NamedTuple):
    """A document that matched: its entry, its language and its score (higher is better)."""

    document: int
    entry: str
    lang: str
    score: float = 0.0


class Candidates(NamedTuple):
    """The best documents, one for each entry, and how many entries match."""

    total: int
    found: tuple[Candidate, ...]

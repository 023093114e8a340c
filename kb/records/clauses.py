"""What a query asks an index for: records without a word of any engine's language."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

K1, B = 1.2, 0.75
"""How soon a word that is repeated counts no more, and how much a long text is held back:
those that FTS5 uses (https://sqlite.org/fts5.html#the_bm25_function)."""


class Phrase(NamedTuple):
    """Terms that stand together in this order; where ``open``, the last is only begun."""

    terms: tuple[str, ...]
    open: bool = False


class Clause(NamedTuple):
    """What one word or phrase of a query asks for: any of these phrases.

    ``weight`` is what it counts for when documents are ranked.
    """

    phrases: tuple[Phrase, ...]
    weight: float = 1.0


def weights_of(clauses: Iterable[Clause]) -> dict[Phrase, float]:
    """Return what each phrase of some clauses counts for: the most of those that it stands in.

    >>> network = Phrase(("network",))
    >>> weights_of([Clause((network,)), Clause((network,), 2.0)])
    {Phrase(terms=('network',), open=False): 2.0}
    """
    weights: dict[Phrase, float] = {}
    for clause in clauses:
        for phrase in clause.phrases:
            weights[phrase] = max(weights.get(phrase, 0.0), clause.weight)
    return weights


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


class Occurrences(NamedTuple):
    """Where the terms that were asked for stand in a column of a document.

    ``stems`` has for each term that is there its places among the terms in order, counted from
    0 and rising; ``forms`` for each that is there how often it stands among the other forms.
    """

    stems: Mapping[str, Sequence[int]]
    forms: Mapping[str, int]

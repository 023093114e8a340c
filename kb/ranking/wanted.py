"""What of a text is marked as a match, and what each word of it counts for."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import NamedTuple

from kb.ranking.rerank import idf

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
            return next(n for begun, n in self.prefixes.items() if term.startswith(begun))
        return number

    def any_of(self, terms: tuple[str, ...]) -> bool:
        """Say whether one of these terms is wanted."""
        if not self.terms.keys().isdisjoint(terms):
            return True
        begun = tuple(self.prefixes)
        return bool(begun) and any(term.startswith(begun) for term in terms)


NOTHING = Wanted({}, {}, 0)

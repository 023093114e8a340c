"""What of a text is marked as a match."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple


class Wanted(NamedTuple):
    """The forms that a match is marked by, each with the number of the query's word it is of.

    ``prefixes`` are beginnings of terms; ``words`` is how many words there are.
    """

    terms: Mapping[str, int]
    prefixes: Mapping[str, int]
    words: int

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

"""Lists of documents as letters: short, the same for every reader, and quick to take apart.

A list has for each document its distance from the one before and what a term counts for there,
both as numbers of five bits a letter, the lowest first; all letters of a number but its last
are from the second half of the alphabet.
"""

from __future__ import annotations

from collections.abc import Iterator

ALPHABET = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_"
_BITS = 5
_MORE = 1 << _BITS


def written(number: int) -> bytes:
    """Return the letters of a number.

    >>> written(3), written(32), written(1000)
    (b'D', b'gB', b'of')
    """
    letters = bytearray()
    while number >= _MORE:
        letters += _LETTERS[number % _MORE + _MORE]
        number >>= _BITS
    return bytes(letters + _LETTERS[number])


_LETTERS = [letter.encode() for letter in ALPHABET]


class Postings:
    """The lists of all terms, to which documents are added in order."""

    def __init__(self) -> None:
        self._lists: dict[str, bytearray] = {}
        self._last: dict[str, int] = {}

    def __contains__(self, term: str) -> bool:
        return term in self._lists

    def add(self, term: str, document: int, weight: int) -> None:
        """Add a document, behind all others of a term, that the term counts for so much in."""
        apart = document - self._last.get(term, 0)
        self._last[term] = document
        self._lists.setdefault(term, bytearray()).extend(written(apart) + written(weight))

    def terms(self) -> list[str]:
        """Return the terms in the order in which JavaScript compares them: of UTF-16."""
        return sorted(self._lists, key=lambda term: term.encode("utf-16-be", "surrogatepass"))

    def lists(self) -> Iterator[str]:
        """Yield the list of each term, in their order."""
        return (self._lists[term].decode() for term in self.terms())

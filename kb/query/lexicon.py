"""The words of an index as one search sees them; what was looked up once is remembered."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Protocol
from unicodedata import normalize

from kb.records.clauses import Clause
from kb.text.analyzer import is_function_word, words_of
from kb.text.fold import fold
from kb.text.languages import default_language
from kb.work import Budget

_AHEAD = 16
_AT_ONCE = 64

# In units of work: a statement, and in it a term, and a document that holds the term;
# a step to the term that follows a text; a letter that is read, and a
# beginning that is tried.
_LOOKUP, _TERM, _DOCUMENT, _SEEK = 100.0, 10.0, 0.05, 120.0
_LETTER, _TRIED = 4.0, 5.0


def reading_cost(text: str, languages: int) -> float:
    """Return what it takes to read a text in so many languages, in units of work."""
    letters = len(text) if text.isascii() else len(normalize("NFKC", text))
    return _LETTER * letters * max(1, languages)


def batched(items: Sequence[str], size: int) -> Iterator[Sequence[str]]:
    """Yield items so many at a time.

    >>> list(batched(["a", "b", "c"], 2))
    [['a', 'b'], ['c']]
    """
    return (items[start : start + size] for start in range(0, len(items), size))


class Terms(Protocol):
    """What an index tells of its terms."""

    def term_frequencies(self, terms: Iterable[str]) -> Mapping[str, int]:
        """Return in how many documents each of these terms stands; 0 for one nowhere."""

    def frequencies(self, clauses: Sequence[Clause]) -> list[int]:
        """Return in how many documents each clause is met, at most."""

    def next_terms(self, text: str, most: int) -> list[str]:
        """Return the first terms that do not sort before a text; some stand nowhere any more."""

    def terms_like(self, skeletons: Sequence[str], most: int) -> list[str]:
        """Return terms that have any of these skeletons, about so many."""


class Lexicon:
    """The indexed terms, asked for many at once where it is known which will be needed.

    ``languages`` are those that the indexed texts are in. What is looked up is counted
    as work of a ``budget``.
    """

    def __init__(self, terms: Terms, languages: tuple[str, ...], budget: Budget) -> None:
        self._terms = terms
        self.languages = languages
        self.budget = budget
        self._of_texts: dict[str, int | None] = {}
        self._nearest: dict[str, str | None] = {}
        self._frequencies: dict[str, int] = {}
        self._of_clauses: dict[Clause, int] = {}
        self._following: dict[str, str | None] = {}
        self._block: list[str] = []
        self._from = ""

    def learn(self, terms: Iterable[str]) -> None:
        """Look up terms that will be asked for, all at once."""
        new = [term for term in dict.fromkeys(terms) if term not in self._frequencies]
        for some in batched(new, _AT_ONCE):
            found = self._terms.term_frequencies(some)
            self._frequencies |= found
            self.budget.spend(_LOOKUP + len(some) * _TERM + sum(found.values()) * _DOCUMENT)

    def frequency(self, term: str) -> int:
        """Return in how many documents a term stands."""
        if term not in self._frequencies:
            self.learn((term,))
        return self._frequencies[term]

    def known_frequency(self, term: str) -> int | None:
        """Return in how many documents a term stands, if that was looked up."""
        return self._frequencies.get(term)

    def clause_frequency(self, clause: Clause) -> int:
        """Return in how many documents a clause is met, at most: by its rarest terms."""
        if clause not in self._of_clauses:
            self._of_clauses[clause] = self._clause_frequency(clause)
        return self._of_clauses[clause]

    def _clause_frequency(self, clause: Clause) -> int:
        if any(phrase.open for phrase in clause.phrases):
            (begun,) = self._terms.frequencies([clause])
            self.budget.spend(_LOOKUP + begun * _DOCUMENT)
            return begun
        self.learn(term for phrase in clause.phrases for term in phrase.terms)
        return max(min(map(self.frequency, phrase.terms)) for phrase in clause.phrases)

    def following(self, text: str) -> str | None:
        """Return the first term that does not sort before a text, or nothing behind the last.

        It may stand nowhere any more.
        """
        if text not in self._following:
            self._following[text] = self._seek(text)
        return self._following[text]

    def _seek(self, text: str) -> str | None:
        if not (self._block and self._from <= text <= self._block[-1]):
            self.budget.spend(_SEEK)
            self._block, self._from = self._terms.next_terms(text, _AHEAD), text
        place = bisect_left(self._block, text)
        return self._block[place] if place < len(self._block) else None

    def like(self, skeletons: Sequence[str], most: int) -> list[str]:
        """Return terms that stand somewhere and have any of these skeletons, about so many."""
        self.budget.spend(_LOOKUP)
        found = self._terms.terms_like(skeletons, most)
        self.budget.spend(len(found) * _TRIED)
        self.learn(found)
        return [term for term in found if self.frequency(term)]

    def nearest(self, word: str, find: Callable[[str, Lexicon], str | None]) -> str | None:
        """Return what ``find`` finds for a word that is not indexed."""
        if word not in self._nearest:
            self._nearest[word] = find(word, self)
        return self._nearest[word]

    def begins(self, beginning: str) -> bool:
        """Say whether any term that stands somewhere begins so."""
        self.budget.spend(_TRIED)
        found = self.following(beginning)
        while found is not None and found.startswith(beginning):
            if self.frequency(found):
                return True
            found = self.following(found + "\0")
        return False

    def text_frequency(self, text: str) -> int | None:
        """Return in how many documents the rarest word of a text stands, in any spelling.

        A text that holds no word has none.
        """
        if text not in self._of_texts:
            self._of_texts[text] = self._text_frequency(text)
        return self._of_texts[text]

    def _text_frequency(self, text: str) -> int | None:
        self.budget.spend(reading_cost(text, len(self.languages)))
        spelled: dict[int, dict[str, None]] = {}
        for lang in self.languages or (default_language(text),):
            for word in words_of(text, lang):
                forms = spelled.setdefault(word.start, {})
                forms.update((term.text, None) for term in (*word.terms, *word.forms))
        self.learn(form for forms in spelled.values() for form in forms)
        held = (max(map(self.frequency, forms)) for forms in spelled.values())
        return min(held, default=None)

    def knows(self, text: str) -> bool:
        """Say whether every word of a text is indexed in some spelling, or it holds no word.

        A function word is known to every reader, whatever is indexed.
        """
        return is_function_word(fold(text)) or self.text_frequency(text) != 0

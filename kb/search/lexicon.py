"""The indexed words as one search sees them, with cached lookups."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import cache
from typing import Protocol
from unicodedata import normalize

from kb.model.clauses import (
    Clause,
    Every,
    Has,
    Lacks,
    Matches,
    Named,
    Predicate,
    Some,
    is_of_entries,
)
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
    """Return the cost of analyzing a text in this many languages, in units of work."""
    letters = len(text) if text.isascii() else len(normalize("NFKC", text))
    return _LETTER * letters * max(1, languages)


class Terms(Protocol):
    """The term information of an index."""

    def term_frequencies(self, terms: Iterable[str]) -> Mapping[str, int]:
        """Return the document frequency of each of these terms; 0 if it is missing."""

    def frequency(self, clause: Clause) -> int:
        """Return an upper bound of a clause's document frequency."""

    def next_terms(self, text: str, most: int) -> list[str]:
        """Return the first terms not before a text; some may no longer occur."""

    def terms_like(self, keys: Sequence[str], most: int) -> list[str]:
        """Return about this many terms with any of these consonant keys."""


Find = Callable[[str, "Lexicon"], str | None]
"""Finds an indexed word for one that is not."""


class Lexicon:
    """The indexed terms; several are looked up together in advance.

    ``languages`` are those of the indexed texts. Lookups are charged to a ``budget``.
    """

    def __init__(self, terms: Terms, languages: tuple[str, ...], budget: Budget) -> None:
        self._terms = terms
        self.languages = languages
        self.budget = budget
        self._read: set[str] = set()
        self._frequencies: dict[str, int] = {}
        self._block: list[str] = []
        self._from = ""
        self.clause_frequency: Callable[[Clause], int] = cache(self._clause_frequency)
        """Returns an upper bound of a clause's document frequency, from its rarest terms."""
        self.text_frequency: Callable[[str], int | None] = cache(self._text_frequency)
        """Returns the document frequency of a text's rarest word, in any spelling.

        It is nothing for a text without words.
        """
        self.following: Callable[[str], str | None] = cache(self._following)
        """Returns the first term not before a text, or nothing after the last.

        It may no longer occur.
        """
        self.nearest: Callable[[str, Find], str | None] = cache(lambda word, find: find(word, self))
        """Returns what a function finds for a word that is not indexed."""

    def learn(self, terms: Iterable[str]) -> None:
        """Look up several terms in advance."""
        new = [term for term in dict.fromkeys(terms) if term not in self._frequencies]
        for start in range(0, len(new), _AT_ONCE):
            some = new[start : start + _AT_ONCE]
            found = self._terms.term_frequencies(some)
            self._frequencies |= found
            self.budget.spend(_LOOKUP + len(some) * _TERM + sum(found.values()) * _DOCUMENT)

    def frequency(self, term: str) -> int:
        """Return the document frequency of a term."""
        if term not in self._frequencies:
            self.learn((term,))
        return self._frequencies[term]

    def known_frequency(self, term: str) -> int | None:
        """Return the document frequency of a term if it was looked up."""
        return self._frequencies.get(term)

    def _clause_frequency(self, clause: Clause) -> int:
        if any(phrase.open for phrase in clause.phrases):
            documents = self._terms.frequency(clause)
            self.budget.spend(_LOOKUP + documents * _DOCUMENT)
            return documents
        self.learn(term for phrase in clause.phrases for term in phrase.terms)
        return max(min(map(self.frequency, phrase.terms)) for phrase in clause.phrases)

    def _following(self, text: str) -> str | None:
        if not (self._block and self._from <= text <= self._block[-1]):
            self.budget.spend(_SEEK)
            self._block, self._from = self._terms.next_terms(text, _AHEAD), text
        place = bisect_left(self._block, text)
        return self._block[place] if place < len(self._block) else None

    def like(self, keys: Sequence[str], most: int) -> list[str]:
        """Return about this many occurring terms with any of these consonant keys."""
        self.budget.spend(_LOOKUP)
        found = self._terms.terms_like(keys, most)
        self.budget.spend(len(found) * _TRIED)
        self.learn(found)
        return [term for term in found if self.frequency(term)]

    def begins(self, beginning: str) -> bool:
        """Return whether any occurring term has this prefix."""
        self.budget.spend(_TRIED)
        found = self.following(beginning)
        while found is not None and found.startswith(beginning):
            if self.frequency(found):
                return True
            found = self.following(found + "\0")
        return False

    def charge_reading(self, text: str) -> None:
        """Charge the analysis of a text of the query, which is cached, so only once."""
        if text not in self._read:
            self._read.add(text)
            self.budget.spend(reading_cost(text, len(self.languages)))

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
        """Return whether every word of a text is indexed in some spelling.

        Function words always count as known.
        """
        return is_function_word(fold(text)) or self.text_frequency(text) != 0


# What it costs to ask an index, judged before it is asked, by how frequent the words are.
#
# An index does in one step what takes long where words are frequent, so no count of its steps
# says in time what a question takes. The figures are in units of `kb.work`, measured on 20,000
# and 100,000 documents.


STATEMENT = 60.0
"""The cost of any statement."""

_READ = 0.02  # a document in the list of a word
_FOUND = 0.1  # a document that is scored
_PLAINLY, _LITTLE = 2.0, 4_096  # what more it takes where there is little, and what is little
_HELD = 0.05  # a document that is kept for a predicate on texts
_RULED_OUT = 2.5  # a document whose entry a predicate rules out
_LISTED = 0.15  # an entry that is counted
_LATER = 0.6
_FIELD = 0.5  # a document that is asked for a field
_LOOK, _PER_TERM = 3.0, 0.004  # a spelling that is looked for in a document, and in a term of it


def of_search(
    clauses: Sequence[Clause], predicate: Predicate, known: Lexicon, documents: int
) -> float:
    """Return the cost of ranking the documents that match any clause and the predicate."""
    known.learn(_terms(clauses))
    read = sum(_reading(clause, known) for clause in clauses)
    found = min(documents, sum(_met(clause, known) for clause in clauses))
    scored = found * _FOUND + min(found, _LITTLE) * _PLAINLY
    return STATEMENT + read * _READ + scored + _asked(predicate, known, documents, found)


def of_list(predicate: Predicate, known: Lexicon, documents: int) -> float:
    """Return the cost of counting and listing the entries that match a predicate."""
    asked = _asked(predicate, known, documents, documents)
    return 2 * (STATEMENT + documents * _LISTED + asked)


def of_closer_look(spellings: int, length: int) -> float:
    """Return the cost of finding this many spellings in a document of this length."""
    return spellings * (_LOOK + _PER_TERM * length)


def _asked(predicate: Predicate, known: Lexicon, documents: int, rows: float) -> float:
    """Return the cost of a predicate on some of the documents."""
    match predicate:
        case Has() | Named():
            return rows * _FIELD
        case Matches(clause):
            return rows * _FIELD + _held(clause, known)
        case Some(of):
            return sum(_asked(each, known, documents, rows) for each in of)
        case Every(of):
            # What the first denies is not asked of the others.
            later = ((one, rows * _LATER**place) for place, one in enumerate(of))
            return sum(_asked(one, known, documents, left) for one, left in later)
        case Lacks(Matches(clause)):
            once = _held(clause, known) + _met(clause, known) * _RULED_OUT
            return 2 * rows * _FIELD + once
        case Lacks(inner) if is_of_entries(inner):
            return rows * _FIELD + _asked(inner, known, documents, rows)
        case Lacks(inner):
            once = documents * _RULED_OUT
            return rows * _FIELD + once + _asked(inner, known, documents, documents + rows)


def _held(clause: Clause, known: Lexicon) -> float:
    known.learn(_terms([clause]))
    return _reading(clause, known) * _READ + _met(clause, known) * _HELD


def _met(clause: Clause, known: Lexicon) -> int:
    """Return an upper bound of a clause's document frequency."""
    if len(clause.phrases) == 1:
        return known.clause_frequency(clause)
    return sum([known.clause_frequency(Clause((phrase,))) for phrase in clause.phrases])


def _reading(clause: Clause, known: Lexicon) -> float:
    """Return the number of documents in the lists of a clause's words."""
    listed = 0
    for phrase in clause.phrases:
        if phrase.open:
            listed += known.clause_frequency(Clause((phrase,)))
        else:
            listed += sum([known.frequency(term) for term in phrase.terms])
    return listed


def _terms(clauses: Sequence[Clause]) -> Iterator[str]:
    phrases = (phrase for clause in clauses for phrase in clause.phrases if not phrase.open)
    return (term for phrase in phrases for term in phrase.terms)

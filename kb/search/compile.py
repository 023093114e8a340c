"""Compiles the tree into index queries: clauses for ranking, and a predicate.

Typed text reaches the index only through the analyzer.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from kb.model.clauses import (
    Clause,
    Every,
    Has,
    Lacks,
    Matches,
    Phrase,
    Predicate,
    Some,
    any_of,
    every,
)
from kb.model.values import named_level
from kb.search.parser import And, Bare, FieldValue, Keyword, Node, Not, Or, Prefix, Quoted, Text
from kb.search.parser import positive_texts as texts_of
from kb.search.rerank import FUNCTION, NOTHING, PART_WEIGHT, Wanted
from kb.text.analyzer import (
    Term,
    Word,
    analyze,
    is_function_word,
    is_kept_whole,
    joined_pairs,
    words_of,
)
from kb.text.languages import default_language

_JOINT = re.compile(r"\w[-_./]\w")
"""A sign that joins meaningful words; a half-space joins the parts of one word."""


class QueryTerm(NamedTuple):
    """A word or phrase of a query, with what ranking needs.

    ``surfaces`` are the unstemmed forms of a single word, ``is_content`` is false for function
    words; ``share`` and ``finds`` are those of `kb.search.parser.Quoted`.
    """

    clause: Clause
    surfaces: tuple[str, ...] = ()
    is_content: bool = True
    share: float = 1.0
    finds: bool = True

    @property
    def spellings(self) -> tuple[tuple[str, ...], ...]:
        """The term sequences that match it; none for an unfinished word."""
        return tuple(phrase.terms for phrase in self.clause.phrases if not phrase.open)


@dataclass(frozen=True, slots=True)
class Plan:
    """The index query: any of ``terms``, or no text if there are none.

    ``words`` come from the query, ``translations`` from a glossary. Its function words are
    ``optional`` beside other words; ``lang`` is the language of the query. If it is ``textless``,
    entries match the predicate without any of the terms, too: ``level:H OR gpu``.
    """

    terms: tuple[QueryTerm, ...]
    predicate: Predicate
    wanted: Wanted = NOTHING
    lang: str = ""
    words: tuple[QueryTerm, ...] = ()
    translations: tuple[QueryTerm, ...] = ()
    optional: bool = False
    translated_into: tuple[str, ...] = ()
    textless: bool = False

    @property
    def clauses(self) -> tuple[Clause, ...]:
        """The clauses of all terms."""
        return clauses_of(self.terms)


@dataclass(frozen=True, slots=True)
class Analysis:
    """How texts are analyzed: in which languages, and whether words may be split."""

    languages: tuple[str, ...]
    loose: bool = False


def clauses_of(terms: Sequence[QueryTerm]) -> tuple[Clause, ...]:
    """Return the clauses of terms, without duplicates."""
    return tuple(dict.fromkeys(term.clause for term in terms))


def make_plan(node: Node, reading: Analysis) -> Plan:
    """Return the plan for a tree.

    >>> make_plan(Bare((Keyword("networks"), FieldValue("level", "E"))), Analysis(("en",))).clauses
    (Clause(phrases=(Phrase(terms=('network',), open=False),), weight=1.0),)
    """
    wanted_texts = list(texts_of(node))
    words = list(dict.fromkeys(t for text in wanted_texts for t in _terms(text, reading)))
    joined = _joined(node, wanted_texts)
    adjacent = isinstance(node, Bare) and all(map(_is_text, node.of))
    beside = [_term([(term,)]) for term in joined]
    if adjacent:
        jointed = (t for t in wanted_texts if isinstance(t, Keyword) and _JOINT.search(t.text))
        beside += _parts([term for text in jointed for term in _terms(text, reading)])
    predicate = _predicate(node, reading, outermost=True)
    if wanted_texts and not words and predicate == Every():
        predicate = Some(())  # signs that are no words find nothing, not everything
    return Plan(
        terms=tuple(dict.fromkeys(term for term in (*words, *beside) if term.finds)),
        predicate=predicate,
        wanted=_wanted(wanted_texts, joined, reading),
        lang=_language_of([text.text for text in wanted_texts]),
        words=tuple(term for term in words if term.spellings),
        optional=(adjacent or isinstance(node, Keyword)) and any(word.is_content for word in words),
        textless=not _needs_text(node),
    )


def _language_of(texts: Sequence[str]) -> str:
    """Return the language of most texts that have letters: numbers are in any.

    >>> _language_of(["RNN", "چیست", "چرا", "32"])
    'fa'
    """
    spoken = Counter(default_language(each) for each in texts if any(map(str.isalpha, each)))
    return max(spoken, key=spoken.__getitem__, default=default_language(""))


def _parts(words: Sequence[QueryTerm]) -> list[QueryTerm]:
    """Return the parts of compound words; a match of a part ranks below the whole."""
    asked = {spelling for word in words for spelling in word.spellings}
    joined = (word.spellings[0] for word in words if word.spellings)
    parts = dict.fromkeys(part for spelling in joined for part in spelling)
    return [
        QueryTerm(Clause((Phrase((part,)),), PART_WEIGHT), is_content=not is_function_word(part))
        for part in parts
        if len(part) > 1 and (part,) not in asked
    ]


def _predicate(node: Node, reading: Analysis, outermost: bool = False) -> Predicate:
    """Return the predicate of a tree. Conditions that the ranked clauses imply are omitted."""
    match node:
        case FieldValue(name, value):
            level = named_level(value) if name == "level" else None
            return Has(name, level or value)
        case Not(inner):
            return Lacks(_predicate(inner, reading))
        case And(of):
            return every([_predicate(part, reading) for part in of])
        case Or(of):
            return any_of([_predicate(part, reading) for part in of])
        case Bare(of):
            demands = tuple(_predicate(p, reading) for p in of if isinstance(p, FieldValue | Not))
            if outermost and all(map(_is_text, of)):
                return every(demands)
            texts = tuple(_predicate(p, reading) for p in of if not isinstance(p, FieldValue | Not))
            return every((*demands, any_of(texts)) if texts else demands)
        case Keyword() | Prefix() | Quoted():
            terms = _terms(node, reading)
            return Every() if outermost else _any_of(terms)


def _needs_text(node: Node) -> bool:
    """Return whether an entry must contain one of the texts of a tree to match it."""
    match node:
        case FieldValue() | Not():
            return False
        case And(of):
            return any(map(_needs_text, of))
        case Or(of):
            return all(map(_needs_text, of))
        case Bare(of):
            texts = [part for part in of if not isinstance(part, FieldValue | Not)]
            return bool(texts) and all(map(_needs_text, texts))
        case _:
            return True


def _is_text(node: Node) -> bool:
    return isinstance(node, Keyword | Prefix | Quoted | FieldValue | Not)


def _any_of(terms: Sequence[QueryTerm]) -> Predicate:
    """Return the predicate for any of the terms; without terms it matches nothing."""
    phrases = tuple(phrase for term in terms for phrase in term.clause.phrases)
    return Matches(Clause(tuple(dict.fromkeys(phrases)))) if phrases else Some(())


@lru_cache(maxsize=1024)
def _terms(text: Text, reading: Analysis) -> tuple[QueryTerm, ...]:
    """Return the query terms of a text, word by word."""
    readings = _readings(text.text, reading.languages)
    match text:
        case Prefix():
            openings = [Phrase(_beginning(words), open=True) for words in readings if words]
            return (QueryTerm(Clause(tuple(dict.fromkeys(openings)))),) if openings else ()
        case Quoted():
            phrases = [tuple(t.text for w in words for t in w.terms) for words in readings if words]
            term = _term(phrases)._replace(share=text.share, finds=text.finds)
            return (term,) if phrases else ()
        case Keyword():
            by_place: dict[int, list[Word]] = {}
            for word in (word for words in readings for word in words):
                by_place.setdefault(word.start, []).append(word)
            return tuple(_word(words, reading.loose) for words in by_place.values())


@lru_cache(maxsize=1024)
def _readings(typed: str, languages: tuple[str, ...]) -> tuple[tuple[Word, ...], ...]:
    """Return the words of a text as each language analyzes them, without duplicates."""
    spoken = languages or (default_language(typed),)
    return tuple(dict.fromkeys(words_of(typed, lang) for lang in spoken))


def _word(readings: Sequence[Word], loose: bool) -> QueryTerm:
    """Return the query of a word: its stem, its parts in order, or its joined spelling.

    The unstemmed form of a single word is left out, because inflected words would count twice.
    The exception is a Persian word with affixes that others may join, which are then not removed:
    بزرگ‌تر, بزرگتر.
    """
    spellings: list[tuple[str, ...]] = []
    surfaces: list[str] = []
    for word in readings:
        terms = tuple(term.text for term in word.terms)
        spellings += [(term,) for term in terms] if loose else [terms]
        whole = [form.text for form in word.forms if _is_whole(form, word)]
        if len(terms) > 1:
            spellings += [(form,) for form in whole[-1:]]
        else:
            spellings += [(f,) for f in whole if is_kept_whole(f, default_language(f))]
        surfaces += whole if len(terms) == 1 else []
    folded = {*surfaces, *(terms[0] for terms in spellings if len(terms) == 1)}
    content = not any(map(is_function_word, folded))
    return _term(spellings, tuple(dict.fromkeys(surfaces)))._replace(is_content=content)


def _is_whole(form: Term, word: Word) -> bool:
    return (form.start, form.end) == (word.start, word.end)


def _term(spellings: Sequence[tuple[str, ...]], surfaces: tuple[str, ...] = ()) -> QueryTerm:
    return QueryTerm(Clause(tuple(map(Phrase, dict.fromkeys(spellings)))), surfaces)


def _beginning(words: Sequence[Word]) -> tuple[str, ...]:
    """Return the terms of words whose last is still being typed."""
    terms = [term.text for word in words for term in word.terms]
    return (*terms[:-1], _prefix_of(words[-1]))


def _prefix_of(word: Word) -> str:
    """Return the unstemmed spelling of the last part of an unfinished word."""
    last = word.terms[-1]
    surfaces = [f.text for f in word.forms if (f.start, f.end) == (last.start, last.end)]
    return surfaces[0] if surfaces else last.text


def _joined(node: Node, texts: Sequence[Text]) -> Sequence[str]:
    """Return the joined spellings of neighbours: a data set may be a dataset elsewhere."""
    if not isinstance(node, Bare):
        return []
    return _joined_in(" ".join([text.text for text in texts if isinstance(text, Keyword)]))


@lru_cache(maxsize=64)
def _joined_in(line: str) -> Sequence[str]:
    return [joined for _, joined in joined_pairs(list(analyze(line, "en")), line)]


def _wanted(texts: Sequence[Text], joined: Sequence[str], reading: Analysis) -> Wanted:
    numbers: dict[tuple[str, int], int] = {}
    terms: dict[str, int] = {}
    prefixes: dict[str, int] = {}
    for text in texts:
        for words in _readings(text.text, reading.languages):
            places = [term.start for word in words for term in word.terms]
            of_place = {p: numbers.setdefault((text.text, p), len(numbers)) for p in places}
            if isinstance(text, Prefix) and words:
                prefixes.setdefault(_prefix_of(words[-1]), of_place[words[-1].terms[-1].start])
                words = words[:-1]
            for word in words:
                for term in (*word.terms, *word.forms):
                    terms[term.text] = of_place.get(term.start, of_place[places[0]])
                if len(word.terms) == 1:
                    continue
                for whole in (form for form in word.forms if _is_whole(form, word)):
                    # A word of parts is more than its parts wherever they stand.
                    terms[whole.text] = numbers.setdefault(
                        (text.text, -1 - word.start), len(numbers)
                    )
    function = {number for term, number in terms.items() if is_function_word(term)}
    telling = {*terms.values(), *prefixes.values()} - function
    terms |= {term: len(numbers) + is_function_word(term) for term in joined}
    if not telling:
        return Wanted(terms, prefixes, len(function))
    weights = dict.fromkeys((*sorted(function), len(numbers) + 1), FUNCTION)
    return Wanted(terms, prefixes, len(telling), weights)

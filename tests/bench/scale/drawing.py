"""Real queries of every kind, drawn from questions and a log, the same every time.

Phrases and the words that are asked for together are drawn from questions, too; each is met by
a document of the smallest base, so that it finds something in any.
"""

from __future__ import annotations

import random
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import pairwise

from kb.search.compile import Analysis, make_plan
from kb.search.parser import Prefix
from kb.text.analyzer import Word, analyze, is_function_word, stems
from kb.text.fold import fold
from kb.text.languages import default_language
from tests.bench.scale.asks import ALL, LOG, PHRASE, PREFIX, QUESTION, WORD, Ask

_TRIPLES = 5
_SHORTEST = 2
Rows = Callable[[], Iterable[str]]
"""Gives the documents of the smallest base, each as its terms in a line."""


def draw(
    questions: Sequence[str], log: Sequence[str], rows: Rows, most: int
) -> dict[str, list[Ask]]:
    """Return at most so many queries of each kind."""
    draws = random.Random(20)
    questions, log = _shuffled(questions, draws), _shuffled(log, draws)
    both = _shuffled([*questions, *log], draws)
    return {
        QUESTION: _distinct(_whole(QUESTION, questions), most),
        LOG: _distinct(_whole(LOG, log), most),
        WORD: _distinct(_words(both, draws), most),
        PREFIX: _distinct(_prefixes(both, draws), most),
        PHRASE: _met(_phrases(both), _neighbours, rows, most),
        ALL: _met(_triples(both, draws), _together, rows, most),
    }


def beginnings(question: str) -> list[str]:
    """Return what stands in the line after each key of the first three words.

    >>> beginnings("Is it so?")[:4]
    ['I', 'Is', 'Is ', 'Is i']
    """
    words = re.match(r"\s*(?:\S+\s+){0,2}\S+", question)
    typed = words[0].lstrip() if words else ""
    return [typed[:length] for length in range(1, len(typed) + 1)]


def _shuffled(texts: Sequence[str], draws: random.Random) -> list[str]:
    return draws.sample(texts, len(texts))


def _whole(kind: str, texts: Sequence[str]) -> Iterator[Ask]:
    for text in texts:
        if terms := tuple(dict.fromkeys(stems(text, default_language(text)))):
            yield Ask(kind, text, text, terms)


def _content(text: str) -> list[Word]:
    """Return the words of one term that are about something."""
    words = analyze(text, default_language(text))
    return [word for word in words if len(word.terms) == 1 and not _says_little(text, word)]


def _says_little(text: str, word: Word) -> bool:
    return is_function_word(fold(text[word.start : word.end]))


def _words(texts: Sequence[str], draws: random.Random) -> Iterator[Ask]:
    for text in texts:
        if words := _content(text):
            word = draws.choice(words)
            spelled = text[word.start : word.end]
            yield Ask(WORD, spelled, spelled, (word.terms[0].text,))


def _prefixes(texts: Sequence[str], draws: random.Random) -> Iterator[Ask]:
    """Yield what stands in the line after a key, where that is words of which the last is begun."""
    for text in texts:
        typed = draws.choice(beginnings(text) or [""])
        begun = re.search(r"\w+$", typed)
        if not begun or len(begun[0]) < _SHORTEST or not re.fullmatch(r"[\w \u200c]+", typed):
            continue
        lang = default_language(begun[0])
        (clause, *_) = make_plan(Prefix(begun[0]), Analysis((lang,))).clauses
        if len(clause.phrases[0].terms) == 1:
            whole = stems(typed[: begun.start()], lang)
            terms = (*dict.fromkeys(whole), *clause.phrases[0].terms)
            yield Ask(PREFIX, typed, f"{typed}*", terms)


def _phrases(texts: Sequence[str]) -> Iterator[Ask]:
    for text in texts:
        for left, right in pairwise(_content(text)):
            if text[left.end : right.start].isspace():
                quoted = f'"{text[left.start : right.end]}"'
                yield Ask(PHRASE, quoted, quoted, (left.terms[0].text, right.terms[0].text))


def _triples(texts: Sequence[str], draws: random.Random) -> Iterator[Ask]:
    for text in texts:
        # In the query language a word that is written with a blank inside is two.
        words = [each for each in _content(text) if " " not in text[each.start : each.end]]
        for _ in range(_TRIPLES if len(words) >= 3 else 0):
            some = sorted(draws.sample(words, 3), key=lambda word: word.start)
            terms = tuple(word.terms[0].text for word in some)
            typed = " AND ".join(text[word.start : word.end] for word in some)
            if len(set(terms)) == 3:
                yield Ask(ALL, typed, typed, terms)


def _distinct(asks: Iterable[Ask], most: int) -> list[Ask]:
    return list({ask.terms: ask for ask in asks}.values())[:most]


Meets = Callable[[Iterable[str], Sequence[Ask]], set[tuple[str, ...]]]
"""Returns the terms of those queries that a document meets."""


def _met(asks: Iterator[Ask], meets: Meets, rows: Rows, most: int) -> list[Ask]:
    every = list({ask.terms: ask for ask in asks}.values())
    met = meets(rows(), every)
    return [ask for ask in every if ask.terms in met][:most]


def _neighbours(rows: Iterable[str], asks: Sequence[Ask]) -> set[tuple[str, ...]]:
    wanted = {ask.terms for ask in asks}
    return {pair for row in rows for pair in pairwise(row.split()) if pair in wanted}


def _together(rows: Iterable[str], asks: Sequence[Ask]) -> set[tuple[str, ...]]:
    known = {term for ask in asks for term in ask.terms}
    holding: dict[str, set[int]] = defaultdict(set)
    for number, row in enumerate(rows):
        for term in known.intersection(row.split()):
            holding[term].add(number)
    return {ask.terms for ask in asks if set.intersection(*(holding[t] for t in ask.terms))}

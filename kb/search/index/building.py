"""Builds a segment from documents, without I/O, so that another process can do it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import chain, pairwise
from sys import intern
from typing import NamedTuple

from kb.model.documents import COLUMNS, Document
from kb.search.index.codec import packed, packed_numbers
from kb.text.analyzer import indexed

FACT = "\x00"
"""The prefix of filter terms, which no text term has."""

Pattern = tuple[int, ...]
"""The columns of a term in a document, in order, each as often as the term occurs in it.

Inflected forms are numbered after all columns of stems.
"""

NOWHERE: Pattern = ()
"""The pattern of a filter term."""


class Posting(NamedTuple):
    """A term of a segment: document frequency, posting list and positions."""

    term: str
    frequency: int
    documents: bytes
    places: bytes


class Built(NamedTuple):
    """A segment: its documents in order of entries, and its terms in order.

    ``documents`` has document numbers by ordinal; ``siblings`` are ordinals of documents of the
    same entry as the previous one; ``lengths`` are in terms.
    """

    documents: tuple[int, ...]
    siblings: tuple[int, ...]
    lengths: tuple[int, ...]
    patterns: tuple[Pattern, ...]
    postings: tuple[Posting, ...]


class Analysed(NamedTuple):
    """An analyzed document: its terms with patterns, and all positions.

    ``facts`` are its filter terms.
    """

    entry: str
    document: int
    length: int
    terms: tuple[str, ...]
    patterns: tuple[Pattern, ...]
    places: list[int]
    facts: tuple[str, ...]


Lists = defaultdict[str, defaultdict[int, tuple[list[int], list[int]]]]
"""The ordinals and positions of a segment being built, by term and pattern."""


def built(documents: Iterable[Document]) -> Built:
    """Return the segment of these documents; an entry's documents are all among them."""
    return segment_of(map(analysed, documents))


def analysed(document: Document) -> Analysed:
    """Return the indexed data of a document."""
    terms = held(document)
    patterns = tuple(tuple(columns) for columns, _ in terms.values())
    return Analysed(
        document.entry,
        document.id,
        sum(map(len, patterns)),
        tuple(map(intern, terms)),
        patterns,
        list(chain.from_iterable([places for _, places in terms.values()])),
        tuple(map(intern, facts_of(document.facts))),
    )


def segment_of(documents: Iterable[Analysed]) -> Built:
    """Return a segment. Ordinals are in the order of entry ids.

    So equal scores are ordered by ordinal.
    """
    every = sorted(documents, key=lambda each: each[:2])
    lists = Lists(lambda: defaultdict(lambda: ([], [])))
    patterns: dict[Pattern, int] = {NOWHERE: 0}
    stems = [0]
    for ordinal, each in enumerate(every):
        start = 0
        for term, pattern in zip(each.terms, each.patterns, strict=True):
            number = patterns.get(pattern)
            if number is None:
                number = patterns[pattern] = len(patterns)
                stems.append(stems_of(pattern))
            end = start + stems[number]
            ordinals, places = lists[term][number]
            ordinals.append(ordinal)
            places += each.places[start:end]
            start = end
        for name in each.facts:
            lists[name][0][0].append(ordinal)
    size = len(every)
    return Built(
        tuple(each.document for each in every),
        tuple(
            number
            for number, (before, after) in enumerate(pairwise(every), 1)
            if before.entry == after.entry
        ),
        tuple(each.length for each in every),
        tuple(patterns),
        tuple(posting(term, lists[term], size) for term in sorted(lists)),
    )


@lru_cache(maxsize=1 << 12)
def stems_of(pattern: Pattern) -> int:
    """Return the number of positions of a pattern: one per occurrence of a stem.

    >>> stems_of((0, 0, 7))
    2
    """
    return sum(column < len(COLUMNS) for column in pattern)


def posting(
    term: str, blocks: Mapping[int, tuple[Sequence[int], Sequence[int]]], size: int
) -> Posting:
    """Return a term's posting from ordinals and positions by pattern."""
    found = [(pattern, ordinals) for pattern, (ordinals, _) in blocks.items()]
    places = [place for _, some in blocks.values() for place in some]
    frequency = sum(len(ordinals) for _, ordinals in found)
    return Posting(term, frequency, packed(found, size), packed_numbers(places))


def held(document: Document) -> dict[str, tuple[list[int], list[int]]]:
    """Return the terms of a document with their columns and positions.

    A position is the number of preceding terms in the column; inflected forms have none.
    """
    found = defaultdict[str, tuple[list[int], list[int]]](lambda: ([], []))
    columns = [
        (number, indexed(text, document.lang))
        for number, name in enumerate(COLUMNS)
        if (text := document.texts.get(name))
    ]
    for column, (stems, _) in columns:
        for place, term in enumerate(stems):
            pattern, places = found[term]
            pattern.append(column)
            places.append(place)
    for column, (_, forms) in columns:
        for term in forms:
            found[term][0].append(column + len(COLUMNS))
    return found


def facts_of(facts: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """Yield the filter terms of a document."""
    for field, values in facts.items():
        if field != "id":
            yield from dict.fromkeys(fact(field, value) for value in values)


def fact(field: str, value: str) -> str:
    """Return the filter term for a field and value.

    >>> fact("level", "h") == fact("level", "H"), fact("collection", "A") == fact("collection", "a")
    (True, False)
    """
    return f"{FACT}{field}{FACT}{value if field == 'collection' else value.casefold()}"

"""Documents made into a segment: pure, so that it can be done in another process."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from kb.index.ranked.codec import packed, packed_group, packed_places
from kb.records.document import COLUMNS, Document
from kb.text.analyzer import SEPARATOR, index_text

FACT = "\x00"
"""What the names of facts begin with, which stand among the terms: no term holds it."""

Pattern = tuple[int, ...]
"""The columns in which a term stands in a document, in order, each as often as it does.

A column of another form is counted behind all columns of terms.
"""

NOWHERE: Pattern = ()
"""The pattern of a fact."""


class Posting(NamedTuple):
    """A term of a segment: how many documents hold it, their list, and its places in them."""

    term: str
    frequency: int
    documents: bytes
    places: bytes


class Built(NamedTuple):
    """A segment: its documents in the order of their entries, and its terms in order.

    ``order`` has by ordinal the place of a document among those that were given.

    ``siblings`` are the ordinals of those of the same entry as the one before them;
    ``lengths`` are in terms.
    """

    order: tuple[int, ...]
    siblings: tuple[int, ...]
    lengths: tuple[int, ...]
    patterns: tuple[Pattern, ...]
    postings: tuple[Posting, ...]


Lists = dict[str, dict[int, tuple[list[int], list[int]]]]
"""By term and pattern the ordinals and the places of a segment that is being made."""


def built(documents: Iterable[Document]) -> Built:
    """Return the segment of these documents; all documents of an entry are among them.

    Its ordinals follow the ids of the entries, so that of equal scores the lower one is first.
    """
    every = list(documents)
    order = sorted(range(len(every)), key=lambda place: (every[place].entry, place))
    given = [every[place] for place in order]
    lists: Lists = {}
    patterns: dict[Pattern, int] = {NOWHERE: 0}
    lengths, siblings = [], []
    for ordinal, document in enumerate(given):
        if ordinal and given[ordinal - 1].entry == document.entry:
            siblings.append(ordinal)
        length = 0
        for term, (columns, places) in held(document).items():
            length += len(columns)
            pattern = patterns.setdefault(tuple(columns), len(patterns))
            ordinals, known = lists.setdefault(term, {}).setdefault(pattern, ([], []))
            ordinals.append(ordinal)
            known.extend(places)
        lengths.append(length)
        for name in facts_of(document.facts):
            lists.setdefault(name, {}).setdefault(0, ([], []))[0].append(ordinal)
    size = len(given)
    return Built(
        tuple(order),
        tuple(siblings),
        tuple(lengths),
        tuple(patterns),
        tuple(posting(term, lists[term], size) for term in sorted(lists)),
    )


def posting(
    term: str, groups: Mapping[int, tuple[Sequence[int], Sequence[int]]], size: int
) -> Posting:
    """Return a term's posting, given by patterns its ordinals and the places in them."""
    if len(groups) == 1:
        ((pattern, (ordinals, told)),) = groups.items()
        data = packed_group(pattern, ordinals, size)
        return Posting(term, len(ordinals), data, packed_places(told))
    found = [(pattern, ordinals) for pattern, (ordinals, _) in groups.items()]
    places = [place for _, some in groups.values() for place in some]
    frequency = sum(len(ordinals) for _, ordinals in found)
    return Posting(term, frequency, packed(found, size), packed_places(places))


def held(document: Document) -> dict[str, tuple[list[int], list[int]]]:
    """Return the terms of a document, each with its columns and its places in them.

    A place counts the terms before it in its column; another form has none.
    """
    found: dict[str, tuple[list[int], list[int]]] = {}
    columns = columns_of(document)
    for column, (stems, _) in columns:
        for place, term in enumerate(stems):
            known = found.get(term)
            if known is None:
                found[term] = ([column], [place])
            else:
                known[0].append(column)
                known[1].append(place)
    for column, (_, forms) in columns:
        for term in forms:
            known = found.get(term)
            if known is None:
                found[term] = ([column + len(COLUMNS)], [])
            else:
                known[0].append(column + len(COLUMNS))
    return found


def columns_of(document: Document) -> list[tuple[int, tuple[list[str], list[str]]]]:
    """Return the terms of a document in order and its other forms, by the number of the column."""
    return [
        (number, terms_of(text, document.lang))
        for number, name in enumerate(COLUMNS)
        if (text := document.texts.get(name))
    ]


def terms_of(text: str, lang: str) -> tuple[list[str], list[str]]:
    """Return the terms of a text in order, and the other forms that are indexed beside them."""
    stems, _, forms = index_text(text, lang).partition(SEPARATOR)
    return stems.split(), forms.split()


def facts_of(facts: Mapping[str, Sequence[str]]) -> Iterator[str]:
    """Yield the names of what a document's entry has in the fields that can be asked for."""
    for field, values in facts.items():
        if field != "id":
            yield from dict.fromkeys(fact(field, value) for value in values)


def fact(field: str, value: str) -> str:
    """Return the name under which the documents with a value in a field are listed.

    >>> fact("level", "h") == fact("level", "H"), fact("collection", "A") == fact("collection", "a")
    (True, False)
    """
    return f"{FACT}{field}{FACT}{value if field == 'collection' else value.casefold()}"

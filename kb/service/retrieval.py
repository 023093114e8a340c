"""Retrieval in two stages: the index finds and ranks candidates, a second look orders them.

The index is asked for the words that tell most, since a word that most documents hold costs
most and says least, and function words find nothing worth reading beside it; the best few
are then scored by the whole query.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import NamedTuple

from kb.index.fts5 import forward, index
from kb.index.fts5.index import Found, Retrieved
from kb.index.fts5.terms import Vocabulary
from kb.query.plan import Piece, Plan, any_of
from kb.ranking.rerank import Asked, Field, idf, second_look
from kb.ranking.weights import FIELD_WEIGHTS, FUNCTION_WEIGHT
from kb.records import Page
from kb.store.sqlite import queries
from kb.store.sqlite.conditions import Condition, Every, Lacks, Named
from kb.store.sqlite.database import Database
from kb.store.sqlite.driver import Connection

CANDIDATES = 50
"""How many of the best are looked at again."""

ENOUGH = 500
"""So many documents hold the rarest words of a query: no commoner word is needed to find."""


def retrieve(database: Database, plan: Plan, narrowed: Condition, page: Page) -> Retrieved:
    """Return a page of what a plan finds, ranked if it asks for text."""
    condition = Every((plan.condition, narrowed))
    connection = database.connection
    if not plan.pieces:
        limit = -1 if page.limit is None else page.limit
        total, ids = queries.select(connection, condition, limit, page.offset)
        return Retrieved(total, tuple(Found(0, entry, lang, 0.0) for entry, lang in ids))
    asked = _Index(connection, frequencies(connection))
    end = None if page.limit is None else page.offset + page.limit
    about = about_something(plan.pieces) if plan.optional else plan.pieces
    pieces = about
    if plan.optional and end is not None:
        pieces = telling(about, asked.frequency, ENOUGH)
    found = _ranked(asked, plan, pieces, condition, end)
    if end is not None and found.total < end and len(pieces) < len(about):
        # Where a page lies further down, what only commoner words find follows.
        taken = Lacks(Named(tuple(each.entry for each in found.found)))
        rest = _ranked(asked, plan, about, Every((condition, taken)), end - found.total)
        found = Retrieved(found.total + rest.total, (*found.found, *rest.found))
    return Retrieved(found.total, found.found[page.offset : end])


class _Index(NamedTuple):
    """What is asked, and what remembers in how many documents a piece stands."""

    connection: Connection
    frequency: Callable[[Piece], int]


def _ranked(
    of: _Index,
    plan: Plan,
    pieces: Sequence[Piece],
    condition: Condition,
    end: int | None,
) -> Retrieved:
    """Return the first that these pieces find, the best of them looked at again."""
    most = -1 if end is None else max(CANDIDATES, end)
    candidates = index.retrieve(of.connection, any_of(pieces), condition, plan.ranking, most)
    size = index.size(of.connection)
    asked = _asked(plan.words, pieces, of.frequency, size)
    names = _asked(plan.translations, pieces, of.frequency, size)
    ordered = _ordered(of.connection, asked, names, candidates.found, plan.lang)
    return Retrieved(candidates.total, tuple(ordered))


def about_something(pieces: Sequence[Piece]) -> Sequence[Piece]:
    """Return the pieces that tell something by themselves, or all where none does."""
    return [piece for piece in pieces if piece.telling] or pieces


def telling(
    pieces: Sequence[Piece], frequency: Callable[[Piece], int], enough: int
) -> Sequence[Piece]:
    """Return the rarest pieces, until enough documents hold them.

    >>> words = [Piece("network"), Piece("vanishing"), Piece("gradient")]
    >>> known = {"network": 900, "vanishing": 3, "gradient": 40}
    >>> [each.expression for each in telling(words, lambda word: known[word.expression], 20)]
    ['vanishing', 'gradient']
    """
    chosen: list[Piece] = []
    documents = 0
    for piece in sorted(pieces, key=frequency):
        if documents >= enough:
            break
        chosen.append(piece)
        documents += frequency(piece)
    return chosen


def frequencies(connection: Connection) -> Callable[[Piece], int]:
    """Return what tells in how many documents a piece stands, at most."""
    vocabulary = Vocabulary(connection)
    begun: dict[str, int] = {}

    def frequency(piece: Piece) -> int:
        if piece.spellings:
            return max(min(map(vocabulary.frequency, terms)) for terms in piece.spellings)
        if piece.expression not in begun:
            begun[piece.expression] = index.count(connection, piece.expression)
        return begun[piece.expression]

    return frequency


def _asked(
    words: Sequence[Piece],
    ranked: Sequence[Piece],
    frequency: Callable[[Piece], int],
    documents: int,
) -> list[Asked]:
    return [
        Asked(
            tuple(map(forward.spell, word.spellings)),
            tuple(map(forward.spelled, word.surfaces)),
            idf(documents, frequency(word)) * (1.0 if word.telling else FUNCTION_WEIGHT),
            word in ranked,
            word.share,
        )
        for word in words
    ]


def _ordered(
    connection: Connection,
    asked: Sequence[Asked],
    names: Sequence[Asked],
    found: Sequence[Found],
    lang: str,
) -> list[Found]:
    """Score the first candidates again; of equals, those in the reader's language come first."""
    if not (asked or names):
        return list(found)
    looked, rest = found[:CANDIDATES], found[CANDIDATES:]
    columns = forward.read(connection, [each.document for each in looked])
    lengths = [sum(len(terms.stems) + len(terms.forms) for terms in each) for each in columns]
    average = sum(lengths) / len(lengths) if any(lengths) else 1.0
    scored = [
        each._replace(
            score=each.score + second_look(asked, names, _fields(terms), length / average)
        )
        for each, terms, length in zip(looked, columns, lengths, strict=True)
    ]
    scored.sort(key=lambda each: (-each.score, each.lang != lang, each.document))
    return [*scored, *rest]


def _fields(columns: Sequence[forward.Terms]) -> list[Field]:
    return [
        Field(weight, terms)
        for weight, terms in zip(FIELD_WEIGHTS, columns, strict=False)
        if terms.stems
    ]

"""The forward index: each document's terms in order, kept to look closer at the best few.

The full-text index answers which documents hold a term; this one, where in a document its
terms stand. A term is spelled as one character beyond the basic plane, so that finding a
term is finding a character and a phrase is a string, which Python does as fast as it can
read. There are 2**20 such characters: that two terms of a document share one is rare, and
then touches its rank alone.
"""

from __future__ import annotations

import json
import zlib
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from kb.store.sqlite.driver import Connection
from kb.text.analyzer import SEPARATOR

_FIRST = 0x10000
_COLUMNS, _FORMS = "\n", "\t"


class Terms(NamedTuple):
    """The terms of a text in order, and the other forms that are indexed beside them."""

    stems: str
    forms: str


@lru_cache(maxsize=1 << 14)
def spelled(term: str) -> str:
    """Return the character that stands for a term, the same in every file."""
    return chr(_FIRST + (zlib.crc32(term.encode()) & 0xFFFFF))


def spell(terms: Iterable[str]) -> str:
    """Return terms in order as a string.

    >>> len(spell(["gradient", "descent"]))
    2
    """
    return "".join(map(spelled, terms))


def put(connection: Connection, document: int, texts: Sequence[str]) -> None:
    """Store the terms of a document; ``texts`` are what the full-text index was given."""
    row = _COLUMNS.join(map(_spelled_text, texts))
    connection.execute("INSERT INTO forward (document, terms) VALUES (?, ?)", (document, row))


def remove(connection: Connection, document: int) -> None:
    """Forget the terms of a document."""
    connection.execute("DELETE FROM forward WHERE document = ?", (document,))


def clear(connection: Connection) -> None:
    """Forget the terms of all documents."""
    connection.execute("DELETE FROM forward")


def read(connection: Connection, documents: Sequence[int]) -> list[tuple[Terms, ...]]:
    """Return the terms of documents by column, in the order of the index; none if unknown."""
    sql = "SELECT f.document, f.terms FROM json_each(?) j JOIN forward f ON f.document = j.value"
    rows = dict(connection.execute(sql, (json.dumps(list(documents)),)).fetchall())
    return [_columns(rows.get(document)) for document in documents]


def is_stored(connection: Connection, document: int, texts: Sequence[str]) -> bool:
    """Say whether what is stored of a document is what these texts give."""
    given = _columns(_COLUMNS.join(map(_spelled_text, texts)))
    return read(connection, [document]) == [given]


def _columns(row: str | None) -> tuple[Terms, ...]:
    if row is None:
        return ()
    columns = [column.partition(_FORMS) for column in row.split(_COLUMNS)]
    return tuple([Terms(stems, forms) for stems, _, forms in columns])


def _spelled_text(text: str) -> str:
    stems, _, forms = text.partition(SEPARATOR)
    return spell(stems.split()) + _FORMS + spell(forms.split())

"""The vectors of texts, for search by meaning: a row for each document, with all its passages.

They are derived from texts: a vector ends with its document, and is encoded again.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from kb.store.sqlite.driver import Part
from kb.store.sqlite.rows import LISTED
from kb.store.sqlite.store import VECTORS

_TEXT = (
    "SELECT d.id, d.lang, coalesce(d.wording, d.question), coalesce(d.reference, d.source, '') "
    f"FROM document d JOIN entry e ON e.key = d.entry WHERE {LISTED}"
)
_MISSING = "NOT EXISTS (SELECT 1 FROM vector v WHERE v.document = d.id AND v.weights = ?)"


DIMENSIONS = 384
"""The numbers of a vector, a byte each."""


class Text(NamedTuple):
    """A text to encode."""

    document: int
    lang: str
    question: str
    answer: str


class Stored(NamedTuple):
    """The vectors of the passages of a document, one after the other."""

    document: int
    lang: str
    data: bytes


class Vectors(Part):
    """The vectors of one file. ``weights`` says which encoder made them."""

    def missing(self, weights: str, start: int, most: int) -> list[Text]:
        """Return the first listed texts without vectors, from a document on."""
        sql = f"{_TEXT} AND d.id >= ? AND {_MISSING} ORDER BY d.id LIMIT ?"
        return [Text(*row) for row in self._db.rows(sql, (start, weights, most))]

    def texts(self, entries: Sequence[str]) -> list[Text]:
        """Return the listed texts of entries."""
        sql = f"{_TEXT} AND e.id IN (SELECT value FROM json_each(?))"
        return [Text(*row) for row in self._db.rows(sql, (json.dumps(entries),))]

    def unchanged(self, texts: Sequence[Text]) -> set[Text]:
        """Return those of these texts that are still stored as they are."""
        sql = f"{_TEXT} AND d.id IN (SELECT value FROM json_each(?))"
        asked = json.dumps([text.document for text in texts])
        return {Text(*row) for row in self._db.rows(sql, (asked,))}.intersection(texts)

    def counts(self, weights: str) -> tuple[int, int]:
        """Return the number of listed texts that have vectors, and of all listed texts."""
        total = self._db.value(f"SELECT count(*) FROM ({_TEXT})")
        missing = self._db.value(f"SELECT count(*) FROM ({_TEXT} AND {_MISSING})", (weights,))
        return int(total) - int(missing), int(total)

    def put(self, weights: str, rows: Iterable[tuple[int, str, bytes]]) -> None:
        """Store vectors; the caller holds the transaction."""
        self._db.run_many(
            "INSERT INTO vector (document, weights, lang, data) VALUES (?, ?, ?, ?) "
            "ON CONFLICT (document) DO UPDATE SET weights = excluded.weights, "
            "lang = excluded.lang, data = excluded.data",
            ((document, weights, lang, data) for document, lang, data in rows),
        )
        self._db.run("UPDATE meta SET value = value + 1 WHERE key = ?", (VECTORS,))

    def bytes(self, weights: str) -> int:
        """Return the size of all vectors; 0 if there are none."""
        sql = "SELECT coalesce(sum(length(data)), 0) FROM vector WHERE weights = ?"
        return int(self._db.value(sql, (weights,)))

    def all(self, weights: str) -> Iterator[Stored]:
        """Yield all vectors, by document."""
        sql = "SELECT document, lang, data FROM vector WHERE weights = ? ORDER BY document"
        return (Stored(*row) for row in self._db.stream(sql, (weights,)))

    def of(self, weights: str, documents: Sequence[int]) -> list[Stored]:
        """Return the vectors of these documents, by document."""
        sql = (
            "SELECT document, lang, data FROM vector WHERE weights = ? "
            "AND document IN (SELECT value FROM json_each(?)) ORDER BY document"
        )
        found = self._db.rows(sql, (weights, json.dumps(documents)))
        return [Stored(*row) for row in found]

"""What the evaluators read of a part: postings by their terms, many in one statement."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from kb.index.ranked.building import FACT
from kb.index.ranked.cache import Cache
from kb.index.ranked.snapshot import Part
from kb.store.sqlite.connection import Connection

_MOST_BEGUN = 100_000
_A_ROW = 200
_NOWHERE = "nowhere"


class Row(NamedTuple):
    """A term of a segment as it is stored."""

    term: str
    frequency: int
    documents: bytes
    places: bytes


class Postings:
    """The postings of the parts of an index, read through one connection for one question."""

    def __init__(self, connection: Connection, cache: Cache[object]) -> None:
        self.cache = cache
        """What is made of postings, by keys that tell what it was made of."""
        self._connection = connection
        self._rows: dict[tuple[int, str], Row | None] = {}

    def fetch(self, parts: Iterable[Part], terms: Iterable[str]) -> None:
        """Read the postings of terms that will be asked for, all at once."""
        every, wanted = list(parts), list(dict.fromkeys(terms))
        for part in every:
            for term in wanted:
                known = self.cache.get(("row", part.segment.stamp, term))
                if known is not None:
                    self._rows[part.segment.id, term] = known if isinstance(known, Row) else None
        lacking = [p for p in every if any((p.segment.id, t) not in self._rows for t in wanted)]
        new = [t for t in wanted if any((p.segment.id, t) not in self._rows for p in lacking)]
        if new:
            self._read(lacking, new)

    def _read(self, parts: Sequence[Part], terms: Sequence[str]) -> None:
        sql = (
            "SELECT segment, term, frequency, documents, places FROM index_posting "
            "WHERE segment IN (SELECT value FROM json_each(?)) "
            "AND term IN (SELECT value FROM json_each(?))"
        )
        stamps = {part.segment.id: part.segment.stamp for part in parts}
        values = (json.dumps(list(stamps)), json.dumps(list(terms)))
        found = {
            (segment, row[0]): Row(*row) for segment, *row in self._connection.rows(sql, values)
        }
        for segment, stamp in stamps.items():
            for term in terms:
                row = self._rows[segment, term] = found.get((segment, term))
                size = len(row.documents) + len(row.places) if row else 0
                self.cache.put(("row", stamp, term), row or _NOWHERE, size + _A_ROW)

    def row(self, part: Part, term: str) -> Row | None:
        """Return the posting of a term in a part, or nothing where it holds none."""
        key = part.segment.id, term
        if key not in self._rows:
            self.fetch([part], [term])
        return self._rows[key]

    def frequency(self, part: Part, term: str) -> int:
        """Return in how many documents of a part a term stands, those that are absent too."""
        known = self._frequency(part, term)
        if known is None:
            self.count([part], [term])
            known = self._frequency(part, term)
        return known or 0

    def count(self, parts: Iterable[Part], terms: Iterable[str]) -> None:
        """Read the frequencies of terms that will be asked for, all at once."""
        every, wanted = list(parts), list(dict.fromkeys(terms))
        lacking = [p for p in every if any(self._frequency(p, t) is None for t in wanted)]
        new = [t for t in wanted if any(self._frequency(p, t) is None for p in lacking)]
        if not new:
            return
        sql = (
            "SELECT segment, term, frequency FROM index_posting "
            "WHERE segment IN (SELECT value FROM json_each(?)) "
            "AND term IN (SELECT value FROM json_each(?))"
        )
        segments = json.dumps([part.segment.id for part in lacking])
        rows = self._connection.rows(sql, (segments, json.dumps(new)))
        found = {(segment, term): frequency for segment, term, frequency in rows}
        for part in lacking:
            for term in new:
                frequency = found.get((part.segment.id, term), 0)
                self.cache.put(("frequency", part.segment.stamp, term), frequency, _A_ROW)

    def _frequency(self, part: Part, term: str) -> int | None:
        row = self.cache.get(("row", part.segment.stamp, term))
        if row is not None:
            return row.frequency if isinstance(row, Row) else 0
        found = self.cache.get(("frequency", part.segment.stamp, term))
        return found if isinstance(found, int) else None

    def begun(self, part: Part, beginning: str) -> list[str]:
        """Return the terms of a part that begin so."""
        sql = (
            "SELECT term FROM index_posting WHERE segment = ? AND term >= ? AND term < ? "
            "ORDER BY term LIMIT ?"
        )
        end = beginning + "\U0010ffff"
        asked = (part.segment.id, beginning, end, _MOST_BEGUN)
        return [row[0] for row in self._connection.rows(sql, asked)]

    def rows_begun(self, part: Part, beginning: str) -> list[Row]:
        """Return the postings of the terms of a part that begin so."""
        sql = (
            "SELECT term, frequency, documents, places FROM index_posting "
            "WHERE segment = ? AND term >= ? AND term < ? ORDER BY term LIMIT ?"
        )
        end = beginning + "\U0010ffff"
        rows = self._connection.rows(sql, (part.segment.id, beginning, end, _MOST_BEGUN))
        return [Row(*row) for row in rows]

    def following(self, parts: Iterable[Part], text: str, most: int) -> list[str]:
        """Return the first terms that do not sort before a text, and are no facts."""
        sql = "SELECT term FROM index_posting WHERE segment = ? AND term >= ? ORDER BY term LIMIT ?"
        start = max(text, chr(ord(FACT) + 1))
        found = {
            row[0]
            for part in parts
            for row in self._connection.rows(sql, (part.segment.id, start, most))
        }
        return sorted(found)[:most]

"""Reads postings for the evaluators, many in one statement."""

from __future__ import annotations

import json
import threading
from collections import OrderedDict
from collections.abc import Hashable, Iterable, Sequence
from typing import Any, NamedTuple

from kb.model.clauses import Phrase
from kb.search.index.building import FACT
from kb.search.index.segments import Part
from kb.store.sqlite.driver import Connection

_MOST_WITH_PREFIX = 100_000
_A_ROW = 200
_COLUMNS = "frequency, documents, places"


class Row(NamedTuple):
    """The document frequency of a term in a segment, its posting list and its positions."""

    frequency: int
    documents: bytes
    places: bytes


class Postings:
    """The postings of all parts of an index, read through one connection for one query."""

    def __init__(self, connection: Connection, cache: Cache, parts: Sequence[Part]) -> None:
        self.cache = cache
        """The cache of data read and computed, by keys that identify their origin."""
        self._connection = connection
        self._parts = parts
        self._known: dict[tuple[int, str], Sequence[Row]] = {}

    def fetch(self, terms: Iterable[str]) -> None:
        """Read the postings of several terms in advance: from the cache, or all others at once."""
        wanted = dict.fromkeys(terms)
        lacking: dict[int, int] = {}
        new: dict[str, None] = {}
        for part in self._parts:
            for term in wanted:
                key = part.segment.stamp, term
                kept = self._known.get(key)
                kept = self.cache.get(key) if kept is None else kept
                if kept is None:
                    lacking[part.segment.id], new[term] = part.segment.stamp, None
                else:
                    self._known[key] = kept
        sql = (
            f"SELECT segment, term, {_COLUMNS} FROM index_posting "
            "WHERE segment IN (SELECT value FROM json_each(?)) "
            "AND term IN (SELECT value FROM json_each(?))"
        )
        asked = json.dumps(list(lacking)), json.dumps(list(new))
        rows = self._connection.rows(sql, asked) if new else ()
        found = {(segment, term): [Row(*read)] for segment, term, *read in rows}
        for segment, stamp in lacking.items():
            for term in new:
                read = self._known[stamp, term] = found.get((segment, term), [])
                size = sum(len(row.documents) + len(row.places) for row in read)
                self.cache.put((stamp, term), read, size + _A_ROW)

    def of(self, part: Part, phrase: Phrase) -> Sequence[Row]:
        """Return the postings of a term in a part, if any, or those of all with this prefix."""
        (term,) = phrase.terms
        if phrase.open:
            return [*map(Row._make, self._with_prefix(_COLUMNS, part, term))]
        if (part.segment.stamp, term) not in self._known:
            self.fetch([term])
        return self._known[part.segment.stamp, term]

    def terms_with_prefix(self, part: Part, beginning: str) -> list[str]:
        """Return the terms of a part with this prefix."""
        return [row[0] for row in self._with_prefix("term", part, beginning)]

    def following(self, text: str, most: int) -> list[str]:
        """Return the first terms not before a text, without filter terms."""
        sql = "SELECT term FROM index_posting WHERE segment = ? AND term >= ? ORDER BY term LIMIT ?"
        start = max(text, chr(ord(FACT) + 1))
        found = {
            row[0]
            for part in self._parts
            for row in self._connection.rows(sql, (part.segment.id, start, most))
        }
        return sorted(found)[:most]

    def like(self, keys: Sequence[str], most: int) -> list[str]:
        """Return terms with any of these consonant keys, limited per part."""
        sql = (
            "SELECT term FROM index_skeleton WHERE segment = ? "
            "AND skeleton IN (SELECT value FROM json_each(?)) LIMIT ?"
        )
        asked = json.dumps(keys)
        found = (self._connection.rows(sql, (part.segment.id, asked, most)) for part in self._parts)
        return list(dict.fromkeys(row[0] for rows in found for row in rows))

    def documents_of(self, entries: Sequence[str]) -> list[int]:
        """Return the numbers of the documents of entries."""
        sql = (
            "SELECT d.id FROM json_each(?) AS asked JOIN entry e ON e.id = asked.value "
            "JOIN document d ON d.entry = e.key"
        )
        return self._connection.column(sql, (json.dumps(entries),))

    def _with_prefix(self, columns: str, part: Part, beginning: str) -> list[Any]:
        sql = (
            f"SELECT {columns} FROM index_posting WHERE segment = ? AND term >= ? AND term < ? "
            "ORDER BY term LIMIT ?"
        )
        end = beginning + "\U0010ffff"
        return self._connection.rows(sql, (part.segment.id, beginning, end, _MOST_WITH_PREFIX))


class Cache:
    """Cached values by key, limited in bytes; shared by all threads of a process.

    The least recently used value is dropped first.

    >>> cache = Cache(10)
    >>> cache.put("a", "x", 6)
    >>> cache.put("b", "y", 6)
    >>> cache.get("a"), cache.get("b")
    (None, 'y')
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._used = 0
        self._lock = threading.Lock()
        self._values: OrderedDict[Hashable, tuple[Any, int]] = OrderedDict()

    def get(self, key: Hashable) -> Any | None:
        """Return a value, or nothing if it is not cached."""
        with self._lock:
            found = self._values.get(key)
            if found is None:
                return None
            self._values.move_to_end(key)
            return found[0]

    def put(self, key: Hashable, value: object, size: int) -> None:
        """Cache a value of this many bytes."""
        with self._lock:
            known = self._values.pop(key, None)
            self._used += size - (known[1] if known else 0)
            self._values[key] = value, size
            while self._used > self._most and len(self._values) > 1:
                _, (_, freed) = self._values.popitem(last=False)
                self._used -= freed

"""What the evaluators read of a part: postings by their terms, many in one statement."""

from __future__ import annotations

import json
import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from typing import Any, Generic, NamedTuple, TypeVar

from kb.index.ranked.building import FACT, Pattern
from kb.index.ranked.snapshot import Part
from kb.records.clauses import Occurrences
from kb.records.document import COLUMNS
from kb.store.sqlite.connection import Connection

_MOST_BEGUN = 100_000
_A_ROW = 200


class Row(NamedTuple):
    """A term of a segment, in how many documents it stands, and their list."""

    term: str
    frequency: int = 0
    documents: bytes = b""


class Placed(NamedTuple):
    """A term of a segment with the places at which it stands."""

    row: Row
    places: bytes


class Caches(NamedTuple):
    """What was read, and what was made of it: neither drives out the other."""

    read: Cache[object]
    made: Cache[object]


class _Kind(NamedTuple):
    """What of a posting is read and kept by itself."""

    name: str
    columns: str
    made: Callable[..., object]


_ROW = _Kind("row", "frequency, documents", Row)
_PLACES = _Kind("places", "places", lambda term, places=b"": places)
_FREQUENCY = _Kind("frequency", "frequency", lambda term, frequency=0: frequency)


class Postings:
    """The postings of the parts of an index, read through one connection for one question.

    Places are read apart: those of a common term are the most of it, and ranking needs none.
    """

    def __init__(self, connection: Connection, caches: Caches) -> None:
        self.cache = caches.made
        """What is made of postings, by keys that tell what it was made of."""
        self._read_before = caches.read
        self._connection = connection
        self._known: dict[tuple[str, int, str], Any] = {}

    def fetch(self, parts: Iterable[Part], terms: Iterable[str]) -> None:
        """Read the postings of terms that will be asked for, all at once."""
        self._fetch(_ROW, parts, terms)

    def fetch_places(self, parts: Iterable[Part], terms: Iterable[str]) -> None:
        """Read the postings of terms that will be asked for with their places, all at once."""
        every, wanted = list(parts), list(terms)
        self._fetch(_ROW, every, wanted)
        self._fetch(_PLACES, every, wanted)

    def count(self, parts: Iterable[Part], terms: Iterable[str]) -> None:
        """Read the frequencies of terms that will be asked for, all at once."""
        wanted = list(dict.fromkeys(terms))
        for part in parts:
            unread = [term for term in wanted if self._read_row(part, term) is None]
            self._fetch(_FREQUENCY, [part], unread)

    def row(self, part: Part, term: str) -> Row | None:
        """Return the posting of a term in a part, or nothing where it holds none."""
        row: Row = self._of(_ROW, part, term)
        return row if row.frequency else None

    def placed(self, part: Part, term: str) -> list[Placed]:
        """Return the posting of a term in a part with its places, if it holds one."""
        row = self.row(part, term)
        return [Placed(row, self._of(_PLACES, part, term))] if row else []

    def frequency(self, part: Part, term: str) -> int:
        """Return in how many documents of a part a term stands, those that are absent too."""
        row = self._read_row(part, term)
        return row.frequency if row else int(self._of(_FREQUENCY, part, term))

    def begun(self, part: Part, beginning: str) -> list[str]:
        """Return the terms of a part that begin so."""
        return [row[0] for row in self._begun("term", part, beginning)]

    def lists_begun(self, part: Part, beginning: str) -> list[bytes]:
        """Return the lists of the terms of a part that begin so."""
        return [row[0] for row in self._begun("documents", part, beginning)]

    def placed_begun(self, part: Part, beginning: str) -> Iterator[Placed]:
        """Yield the postings of the terms of a part that begin so, with their places."""
        for *row, places in self._begun("term, frequency, documents, places", part, beginning):
            yield Placed(Row(*row), places)

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

    def like(self, parts: Iterable[Part], skeletons: Sequence[str], most: int) -> list[str]:
        """Return terms that have any of these skeletons, of each part so many at most."""
        sql = (
            "SELECT term FROM index_skeleton WHERE segment = ? "
            "AND skeleton IN (SELECT value FROM json_each(?)) LIMIT ?"
        )
        asked = json.dumps(skeletons)
        found = (self._connection.rows(sql, (part.segment.id, asked, most)) for part in parts)
        return list(dict.fromkeys(row[0] for rows in found for row in rows))

    def _begun(self, columns: str, part: Part, beginning: str) -> list[Any]:
        sql = (
            f"SELECT {columns} FROM index_posting WHERE segment = ? AND term >= ? AND term < ? "
            "ORDER BY term LIMIT ?"
        )
        end = beginning + "\U0010ffff"
        return self._connection.rows(sql, (part.segment.id, beginning, end, _MOST_BEGUN))

    def _read_row(self, part: Part, term: str) -> Row | None:
        """Return the posting of a term where it is known, whether a part holds it or not."""
        found = self._known.get((_ROW.name, part.segment.id, term))
        found = found or self._read_before.get((_ROW.name, part.segment.stamp, term))
        return found if isinstance(found, Row) else None

    def _of(self, kind: _Kind, part: Part, term: str) -> Any:
        key = kind.name, part.segment.id, term
        if key not in self._known:
            self._fetch(kind, [part], [term])
        return self._known[key]

    def _fetch(self, kind: _Kind, parts: Iterable[Part], terms: Iterable[str]) -> None:
        """Take what is wanted of postings from what is kept, and read the rest."""
        known, wanted = self._known, list(dict.fromkeys(terms))
        lacking: dict[int, Part] = {}
        new: dict[str, None] = {}
        for part in parts:
            for term in wanted:
                key = kind.name, part.segment.id, term
                if key in known:
                    continue
                kept = self._read_before.get((kind.name, part.segment.stamp, term))
                if kept is not None:
                    known[key] = kept
                else:
                    lacking[part.segment.id], new[term] = part, None
        if new:
            self._read(kind, lacking, list(new))

    def _read(self, kind: _Kind, parts: dict[int, Part], terms: list[str]) -> None:
        sql = (
            f"SELECT segment, term, {kind.columns} FROM index_posting "
            "WHERE segment IN (SELECT value FROM json_each(?)) "
            "AND term IN (SELECT value FROM json_each(?))"
        )
        rows = self._connection.rows(sql, (json.dumps(list(parts)), json.dumps(terms)))
        found = {(segment, term): read for segment, term, *read in rows}
        for segment, part in parts.items():
            for term in terms:
                read = found.get((segment, term), ())
                made = self._known[kind.name, segment, term] = kind.made(term, *read)
                size = sum(len(each) for each in read if isinstance(each, bytes))
                self._read_before.put((kind.name, part.segment.stamp, term), made, size + _A_ROW)


# A cache of limited size: the least recently used goes first.


T = TypeVar("T")


class Cache(Generic[T]):
    """Values by their keys, of at most so many bytes; for all threads of a process.

    >>> cache = Cache[str](10)
    >>> cache.put("a", "x", 6)
    >>> cache.put("b", "y", 6)
    >>> cache.get("a"), cache.get("b")
    (None, 'y')
    """

    def __init__(self, most: int) -> None:
        self._most = most
        self._used = 0
        self._lock = threading.Lock()
        self._values: OrderedDict[Hashable, tuple[T, int]] = OrderedDict()

    def get(self, key: Hashable) -> T | None:
        """Return a value, or nothing where it is not kept."""
        with self._lock:
            found = self._values.get(key)
            if found is None:
                return None
            self._values.move_to_end(key)
            return found[0]

    def put(self, key: Hashable, value: T, size: int) -> None:
        """Keep a value that takes so many bytes."""
        with self._lock:
            known = self._values.pop(key, None)
            self._used += size - (known[1] if known else 0)
            self._values[key] = value, size
            while self._used > self._most and len(self._values) > 1:
                _, (_, freed) = self._values.popitem(last=False)
                self._used -= freed


# The positions of terms in one document.


Gathered = dict[str, tuple[dict[str, list[int]], dict[str, int]]]
"""By column the places of terms, and how often other forms stand there."""


def gather(found: Gathered, term: str, pattern: Pattern, places: Sequence[int]) -> None:
    """Add where a term stands in a document."""
    left = iter(places)
    for number in pattern:
        name = COLUMNS[number % len(COLUMNS)]
        known = found.setdefault(name, ({}, {}))
        if number < len(COLUMNS):
            known[0].setdefault(term, []).append(next(left))
        else:
            known[1][term] = known[1].get(term, 0) + 1


def as_told(found: Gathered) -> dict[str, Occurrences]:
    """Return what was gathered of a document, by column."""
    return {name: Occurrences(*of) for name, of in found.items()}

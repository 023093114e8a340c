"""The tables of the index, beside those of the store in one file.

A term is looked up by its segment first: what is written together lies together, and a
segment that was merged away goes as one range.
"""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple, overload

from kb.index.ranked.building import Pattern, Posting
from kb.index.ranked.codec import packed_numbers, packed_places
from kb.index.ranked.evaluation import weighted
from kb.store.sqlite.connection import Connection
from kb.text.skeleton import skeletons

FORM = 3
"""The number of this form of the tables; the file keeps it with the revision."""

_TABLES = {
    "index_revision": "form INTEGER NOT NULL, stamp INTEGER NOT NULL",
    "index_segment": (
        "id INTEGER PRIMARY KEY, stamp INTEGER NOT NULL, live INTEGER NOT NULL, "
        "size INTEGER NOT NULL, gone INTEGER NOT NULL, terms INTEGER NOT NULL"
    ),
    # What never changes lies apart: SQLite writes a row anew whatever changes in it.
    "index_documents": (
        "segment INTEGER PRIMARY KEY, patterns TEXT NOT NULL, documents BLOB NOT NULL, "
        "siblings BLOB NOT NULL, lengths BLOB NOT NULL, layers BLOB NOT NULL"
    ),
    "index_posting": (
        "segment INTEGER NOT NULL, term TEXT NOT NULL, frequency INTEGER NOT NULL, "
        "documents BLOB NOT NULL, places BLOB NOT NULL, PRIMARY KEY (segment, term)"
    ),
    "index_skeleton": (
        "segment INTEGER NOT NULL, skeleton TEXT NOT NULL, term TEXT NOT NULL, "
        "PRIMARY KEY (segment, skeleton, term)"
    ),
    "index_gone": (
        "id INTEGER PRIMARY KEY AUTOINCREMENT, segment INTEGER NOT NULL, "
        "ordinal INTEGER NOT NULL, UNIQUE (segment, ordinal)"
    ),
}
_OPTIONS = dict.fromkeys(("index_posting", "index_skeleton"), "WITHOUT ROWID")


def prepare(connection: Connection) -> bool:
    """Make the index where there is none of this form; say whether it is new, and so empty."""
    known = connection.value("SELECT 1 FROM sqlite_master WHERE name = 'index_revision'")
    if known and connection.value("SELECT form FROM index_revision") == FORM:
        return False
    for name, columns in _TABLES.items():
        connection.run(f"DROP TABLE IF EXISTS {name}")
        connection.run(f"CREATE TABLE {name} ({columns}) {_OPTIONS.get(name, '')}")
    connection.run("INSERT INTO index_revision (form, stamp) VALUES (?, 0)", (FORM,))
    return True


# What is stored of a segment beside its posting lists.


_INSERTION = (
    "INSERT INTO index_posting (segment, term, frequency, documents, places) VALUES (?, ?, ?, ?, ?)"
)
_SKELETON = "INSERT INTO index_skeleton (segment, skeleton, term) VALUES (?, ?, ?)"


class Rows(NamedTuple):
    """The documents of a segment, by ordinal, and the layer of each."""

    documents: Sequence[int]
    siblings: Sequence[int]
    lengths: Sequence[int]
    layers: Sequence[int]

    def put(self, connection: Connection, patterns: Iterable[Pattern], *, live: bool) -> int:
        """Store a segment with these patterns, and return its number."""
        one = len(set(self.layers)) == 1
        segment = connection.insert(
            "index_segment",
            {
                "stamp": secrets.randbits(62),
                "live": int(live),
                "size": len(self.documents),
                "gone": 0,
                "terms": sum(self.lengths),
            },
        )
        values = {
            "segment": segment,
            "patterns": told(patterns),
            "documents": packed_numbers(self.documents),
            "siblings": packed_numbers(self.siblings),
            "lengths": packed_places(self.lengths),
            "layers": packed_numbers(self.layers[:1] if one else self.layers),
        }
        connection.insert("index_documents", values)
        return segment


def put_postings(connection: Connection, segment: int, postings: Iterable[Posting]) -> None:
    """Store the postings of a segment, and the skeletons of their terms."""
    terms: list[str] = []
    connection.run_many(_INSERTION, _noted(segment, postings, terms))
    connection.run_many(
        _SKELETON, ((segment, each, term) for term in terms for each in skeletons(term))
    )


def _noted(
    segment: int, postings: Iterable[Posting], terms: list[str]
) -> Iterator[tuple[object, ...]]:
    """Yield rows of postings; note their terms."""
    for posting in postings:
        terms.append(posting[0])
        yield (segment, *posting)


# The patterns of a segment, as they are stored and as they are asked for.
#
# A small base of long texts has thousands, of which a question meets a few: to read all of them
# takes longer than to answer it.


def told(patterns: Iterable[Pattern]) -> str:
    """Return patterns as they are stored."""
    return json.dumps(list(patterns), separators=(",", ":"))


class Patterns(Sequence[Pattern]):
    """The patterns of a segment as they were `told`, each read when it is first asked for.

    >>> list(Patterns(told([(), (0, 5), (2,)])))
    [(), (0, 5), (2,)]
    """

    def __init__(self, stored: str) -> None:
        self._known = _Known(stored[2:-2].split("],[") if stored != "[]" else ())

    def __len__(self) -> int:
        """Return how many there are."""
        return len(self._known.stored)

    @overload
    def __getitem__(self, number: int) -> Pattern: ...

    @overload
    def __getitem__(self, number: slice) -> Sequence[Pattern]: ...

    def __getitem__(self, number: int | slice) -> Pattern | Sequence[Pattern]:
        """Return the pattern of a number, or those of some."""
        if isinstance(number, slice):
            return [self._known[each] for each in range(*number.indices(len(self)))]
        return self._known[number]


class _Known(dict[int, Pattern]):
    """The patterns that were read."""

    def __init__(self, stored: Sequence[str]) -> None:
        super().__init__()
        self.stored = stored

    def __missing__(self, number: int) -> Pattern:
        stored = self.stored[number]
        self[number] = found = tuple(map(int, stored.split(","))) if stored else ()
        return found


class Worth(dict[int, float]):
    """What patterns count for by the weights of columns, each weighed when it is first met."""

    def __init__(self, patterns: Sequence[Pattern], weights: Mapping[str, float]) -> None:
        super().__init__()
        self._patterns = patterns
        self._weights = weights

    def __missing__(self, number: int) -> float:
        self[number] = found = weighted(self._patterns[number], self._weights)
        return found

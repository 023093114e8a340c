"""The tables of the index in the database file.

The segment comes first in the key of a term, so data written together is adjacent, and a merged
segment is deleted as one range.
"""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from kb.search.index.building import Pattern, Posting
from kb.search.index.codec import packed_numbers, packed_patterns, packed_places
from kb.store.sqlite.driver import Connection
from kb.text.consonants import consonant_keys

FORM = 3
"""The version of these tables, stored with the revision."""

_TABLES = {
    "index_revision": "form INTEGER NOT NULL, stamp INTEGER NOT NULL",
    "index_segment": (
        "id INTEGER PRIMARY KEY, stamp INTEGER NOT NULL, live INTEGER NOT NULL, "
        "size INTEGER NOT NULL, gone INTEGER NOT NULL, terms INTEGER NOT NULL"
    ),
    # What never changes lies apart: SQLite writes a row again whatever changes in it.
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
    """Create the index if it does not exist in this version; return whether it is new."""
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
_CONSONANT_KEY = "INSERT INTO index_skeleton (segment, skeleton, term) VALUES (?, ?, ?)"


class Rows(NamedTuple):
    """The documents of a segment by ordinal, with their layers."""

    documents: Sequence[int]
    siblings: Sequence[int]
    lengths: Sequence[int]
    layers: Sequence[int]

    def put(self, connection: Connection, patterns: Iterable[Pattern], *, live: bool) -> int:
        """Store a segment with these patterns and return its number."""
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
            "patterns": packed_patterns(patterns),
            "documents": packed_numbers(self.documents),
            "siblings": packed_numbers(self.siblings),
            "lengths": packed_places(self.lengths),
            "layers": packed_numbers(self.layers[:1] if one else self.layers),
        }
        connection.insert("index_documents", values)
        return segment


def put_postings(connection: Connection, segment: int, postings: Iterable[Posting]) -> None:
    """Store the postings of a segment, and the consonant keys of terms."""
    rows = [(segment, *posting) for posting in postings]
    connection.run_many(_INSERTION, rows)
    pairs = ((segment, each, row[1]) for row in rows for each in consonant_keys(row[1]))
    connection.run_many(_CONSONANT_KEY, pairs)


def mark_deleted(connection: Connection, segment: int, ordinals: Iterable[int]) -> None:
    """Mark documents of a segment as deleted, unless they are."""
    sql = "INSERT INTO index_gone (segment, ordinal) VALUES (?, ?) ON CONFLICT DO NOTHING"
    connection.run_many(sql, ((segment, ordinal) for ordinal in ordinals))
    sql = (
        "UPDATE index_segment SET gone = "
        "(SELECT count(*) FROM index_gone WHERE segment = ?) WHERE id = ?"
    )
    connection.run(sql, (segment, segment))


def drop_segment(connection: Connection, segment: int) -> None:
    """Remove a segment."""
    for table in ("posting", "skeleton", "gone", "documents"):
        connection.run(f"DELETE FROM index_{table} WHERE segment = ?", (segment,))
    connection.run("DELETE FROM index_segment WHERE id = ?", (segment,))


def bump_revision(connection: Connection) -> None:
    """Record that the index has changed."""
    connection.run("UPDATE index_revision SET stamp = ?", (secrets.randbits(62),))

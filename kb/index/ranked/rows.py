"""What is stored of a segment beside its postings."""

from __future__ import annotations

import secrets
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

from kb.index.ranked.building import Pattern, Posting
from kb.index.ranked.codec import packed_numbers, packed_places
from kb.index.ranked.patterns import told
from kb.store.sqlite.connection import Connection
from kb.text.skeleton import skeletons

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

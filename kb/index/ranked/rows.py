"""What is stored of a segment beside its postings."""

from __future__ import annotations

import json
import secrets
from collections.abc import Iterable, Sequence
from typing import Any, NamedTuple

from kb.index.ranked.building import Pattern
from kb.index.ranked.codec import packed_numbers, packed_places

INSERTION = (
    "INSERT INTO index_posting (segment, term, frequency, documents, places) VALUES (?, ?, ?, ?, ?)"
)
"""Stores a posting of a segment."""


class Rows(NamedTuple):
    """The documents of a segment, by ordinal, and the layer of each."""

    documents: Sequence[int]
    siblings: Sequence[int]
    lengths: Sequence[int]
    layers: Sequence[int]

    def values(self, patterns: Iterable[Pattern]) -> dict[str, Any]:
        """Return the row of a segment with these patterns."""
        one = len(set(self.layers)) == 1
        return {
            "stamp": secrets.randbits(62),
            "live": 1,
            "size": len(self.documents),
            "gone": 0,
            "terms": sum(self.lengths),
            "patterns": told(patterns),
            "documents": packed_numbers(self.documents),
            "siblings": packed_numbers(self.siblings),
            "lengths": packed_places(self.lengths),
            "layers": packed_numbers(self.layers[:1] if one else self.layers),
        }


def told(patterns: Iterable[Pattern]) -> str:
    """Return patterns as they are stored."""
    return json.dumps(list(patterns), separators=(",", ":"))

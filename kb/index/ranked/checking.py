"""Whether the index holds what the stored texts give, document by document."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Iterator, Sequence
from itertools import islice
from zlib import crc32

from kb.index.ranked.building import Pattern, facts_of, held, stems_of
from kb.index.ranked.codec import groups_of, ordinals_of, unpacked_places
from kb.index.ranked.snapshot import Part, everything
from kb.records.document import Document
from kb.store.sqlite.connection import Connection

_UNREADABLE = (LookupError, ValueError, ArithmeticError, struct.error)
"""What a damaged index raises when it is read."""


def wrong(connection: Connection, documents: Iterable[Document]) -> list[int]:
    """Return the numbers of documents that are not indexed as these texts say.

    The checksums of each document's terms are compared. If the index cannot be read, all documents
    are returned.
    """
    try:
        indexed = _indexed(connection)
    except _UNREADABLE:
        indexed = {}
    damaged = [each.id for each in documents if indexed.pop(each.id, None) != _sum(each)]
    return sorted([*damaged, *indexed])


def _indexed(connection: Connection) -> dict[int, int]:
    found: dict[int, int] = {}
    for part in everything(connection).parts:
        numbers, sums = part.segment.documents, _sums(connection, part)
        found |= {numbers[o]: s for o, s in enumerate(sums) if o not in part.absent}
    return found


def _sum(document: Document) -> int:
    return sum(
        (
            *(
                _told(term, tuple(columns), places)
                for term, (columns, places) in held(document).items()
            ),
            *(_told(name, (), ()) for name in facts_of(document.facts)),
        )
    )


def _sums(connection: Connection, part: Part) -> list[int]:
    sums = [0] * part.segment.size
    sql = "SELECT term, documents, places FROM index_posting WHERE segment = ?"
    for term, documents, places in connection.stream(sql, (part.segment.id,)):
        for ordinal, pattern, some in _spread(part, documents, places):
            sums[ordinal] += _told(term, pattern, some)
    return sums


def _spread(
    part: Part, documents: bytes, places: bytes
) -> Iterator[tuple[int, Pattern, Sequence[int]]]:
    left, segment = iter(unpacked_places(places)), part.segment
    for group in groups_of(documents, segment.size):
        pattern = segment.patterns[group.pattern]
        for ordinal in ordinals_of(documents, group, segment.size):
            yield ordinal, pattern, tuple(islice(left, stems_of(pattern)))


def _told(term: str, pattern: Pattern, places: Sequence[int]) -> int:
    return crc32(repr((term, pattern, tuple(places))).encode())

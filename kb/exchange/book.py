"""What goes out and what comes in."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from kb.records import Entry, Source


@dataclass(frozen=True, slots=True)
class Book:
    """Entries in order, with the sources and collections they speak of."""

    entries: tuple[Entry, ...]
    sources: tuple[Source, ...] = ()
    collections: Mapping[str, Mapping[str, str]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Batch:
    """What a file holds, as it is to be stored.

    ``own`` is set for our own formats, whose ids are kept and not put under a collection.
    ``lines`` has the line in which an entry begins, by its id, where the file has lines.
    """

    book: Book
    own: bool = False
    lines: Mapping[str, int] = field(default_factory=dict)

"""What entries show of which no bytes came with them: left out, and told, unless it is here."""

from __future__ import annotations

import dataclasses
from collections.abc import Collection

from kb.exchange.book import Batch
from kb.exchange.shelf import Shelf
from kb.records import Dropped, Entry
from kb.service.base import Base


def with_bytes(base: Base, batch: Batch, name: str) -> Batch:
    """Return a batch whose entries show only what it brings, or what the base keeps.

    What is left out is among its dropped pieces; ``name`` is the file's.
    """
    if batch.plain:
        return batch
    there = batch.book.media
    wanted = {m.sha256 for e in batch.book.entries for m in e.media if m.sha256 not in there}
    lost = set(base.store.media.missing(wanted)) if wanted else set()
    if not lost:
        return batch
    entries = Shelf(_without(entry, lost) for entry in batch.book.entries)
    dropped = [
        Dropped(name, batch.lines.get(entry.id), "its bytes are not in the file", media.name)
        for entry in batch.book.entries
        for media in entry.media
        if media.sha256 in lost
    ]
    book = dataclasses.replace(batch.book, entries=entries)
    return dataclasses.replace(batch, book=book, dropped=(*batch.dropped, *dropped))


def _without(entry: Entry, lost: Collection[str]) -> Entry:
    kept = tuple(media for media in entry.media if media.sha256 not in lost)
    return entry if kept == entry.media else dataclasses.replace(entry, media=kept)

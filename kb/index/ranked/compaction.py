"""Merging what imports and edits have left in parts, in short steps and unseen until it is done.

The new segment lies beside the old ones and is not live; one transaction then puts it in their
place. Readers see either, writers come in between. What is interrupted is swept away by the
next who tidies.
"""

from __future__ import annotations

import time
from collections.abc import Sequence

from kb.errors import Cancelled
from kb.index.ranked import merging
from kb.index.ranked.merging import Renumbered, Sources
from kb.index.ranked.schema import put_postings
from kb.index.ranked.snapshot import Part, everything
from kb.index.ranked.writing import take_out, touch
from kb.records import Progress
from kb.store.sqlite.store import Store
from kb.work import undisturbed

_APART = 4
"""A segment stays as it is where it is so many times as large as all smaller ones together."""

_TURN = 0.15
"""Seconds after which a transaction of many steps ends, so that others may write."""

_TERMS = 500
"""So many terms of each segment are read at once."""


class _OthersWereFirst(Exception):
    """Somebody else has changed the segments that are being merged."""


def tidy(store: Store, progress: Progress) -> None:
    """Merge the segments of an index until each is far larger than all smaller ones."""
    connection = store.connection()
    with store.transaction():
        for (left,) in connection.rows("SELECT id FROM index_segment WHERE live = 0"):
            merging.forget(connection, left)
    with connection.snapshot():
        some = _smaller(everything(connection).parts)
        renumbered = merging.renumbered(connection, some)
    if some:
        try:
            _Work(store, some, progress).do(renumbered)
        except (_OthersWereFirst, Cancelled):
            return


def _smaller(parts: Sequence[Part]) -> list[Part]:
    """Return the segments to be merged: those that none of them stands apart from."""
    by_size = sorted(parts, key=lambda part: part.segment.size)
    total, last = 0, 0
    for place, part in enumerate(by_size):
        if total * _APART > part.segment.size:
            last = place + 1
        total += part.segment.size
    return by_size[:last]


class _Work:
    """One merge, step by step."""

    def __init__(self, store: Store, parts: Sequence[Part], progress: Progress) -> None:
        self._store = store
        self._connection = store.connection()
        self._parts = parts
        self._progress = progress

    def do(self, renumbered: Renumbered) -> None:
        """Merge. Raises where others have changed what is merged."""
        sources = Sources(self._parts, renumbered)
        with self._store.transaction():
            self._check()
            target = merging.put_documents(self._connection, self._parts, renumbered, live=False)
        total = sum(self._lengths())
        done = 0
        left = merging.pieces(self._connection, self._parts, sources, _TERMS)
        more = True
        while more:
            with undisturbed(), self._store.transaction():
                self._check(target)
                end = time.monotonic() + _TURN
                for some in left:
                    put_postings(self._connection, target, merging.joined(some, sources.size))
                    done += len(some)
                    if time.monotonic() > end:
                        break
                else:
                    more = False
            self._progress(min(done, total), total)
        with self._store.transaction():
            self._check(target)
            self._show(target, renumbered, sources)

    def _show(self, target: int, renumbered: Renumbered, sources: Sources) -> None:
        """Put the new segment in the place of the old ones, with what is gone by now."""
        for part, source in zip(self._parts, sources.each, strict=True):
            sql = "SELECT ordinal FROM index_gone WHERE segment = ?"
            gone = {row[0] for row in self._connection.rows(sql, (part.segment.id,))}
            late = sorted(gone - part.absent)
            take_out(self._connection, target, [source.ordinals[old] for old in late])
            merging.forget(self._connection, part.segment.id)
        merging.finish(self._connection, target, sources)
        touch(self._connection)

    def _lengths(self) -> list[int]:
        sql = "SELECT count(*) FROM index_posting WHERE segment = ?"
        return [self._connection.value(sql, (part.segment.id,)) for part in self._parts]

    def _check(self, target: int | None = None) -> None:
        """Raise where what is merged, or what it is merged to, is no more there as it was."""
        sql = "SELECT count(*) FROM index_segment WHERE id = ? AND stamp = ? AND live = 1"
        for part in self._parts:
            if not self._connection.value(sql, (part.segment.id, part.segment.stamp)):
                raise _OthersWereFirst
        sql = "SELECT count(*) FROM index_segment WHERE id = ? AND live = 0"
        if target is not None and not self._connection.value(sql, (target,)):
            raise _OthersWereFirst

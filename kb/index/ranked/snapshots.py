"""The last moments of an index that were looked at, shared by the threads of a process."""

from __future__ import annotations

import threading

from kb.index.ranked.snapshot import Key, Segment, Snapshot, key_of, read
from kb.store.sqlite.connection import Connection

_HERE = "index"


class Snapshots:
    """What an index was when it was last looked at; what did not change since is taken over."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._last: Snapshot | None = None
        self._segments: dict[int, Segment] = {}

    def at_this_moment(self, connection: Connection) -> Snapshot:
        """Return the index as a connection sees it.

        What is seen within a transaction that may yet be rolled back is not remembered.
        """
        found = connection.moment.get(_HERE)
        if not isinstance(found, Snapshot):
            found = self._found(connection)
            if not connection.writing:
                connection.moment[_HERE] = found
        return found

    def _found(self, connection: Connection) -> Snapshot:
        key = key_of(connection)
        with self._lock:
            last = self._last
        if last is not None and last.key == key:
            return last
        return self._read(connection, key, last)

    def _read(self, connection: Connection, key: Key, last: Snapshot | None) -> Snapshot:
        snapshot = read(connection, key, last)
        if not connection.writing:
            with self._lock:
                self._last = snapshot
        return snapshot

    def segments(self, connection: Connection) -> list[Segment]:
        """Return the segments there are as a connection sees them, known ones as they are."""
        with self._lock:
            known = dict(self._segments)
            if self._last:
                known |= {part.segment.stamp: part.segment for part in self._last.parts}
        sql = "SELECT id, stamp, size FROM index_segment WHERE live = 1 ORDER BY id"
        found = [
            known.get(stamp) or Segment(id, stamp, size) for id, stamp, size in connection.rows(sql)
        ]
        for segment in found:
            segment.load(connection)
        with self._lock:
            self._segments = {segment.stamp: segment for segment in found}
        return found

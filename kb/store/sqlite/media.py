"""Media and reviews as tables, beside the entries that they belong to."""

from __future__ import annotations

import json
import re
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence

from kb.records import Review
from kb.store.rows import Amount
from kb.store.sqlite.connection import Connection

_NAMED = re.compile(r"[0-9a-f]{64}")
_NAMING = (("version", "state"), ("journal", "before"), ("journal", "after"),
           ("record", "base"), ("record", "theirs"))  # fmt: skip
"""The columns in which, beside those of entries, a digest of media may stand."""


class MediaFiles:
    """The media of one file."""

    def __init__(self, connection: Callable[[], Connection]) -> None:
        self._connection = connection

    def put(self, sha256: str, data: bytes) -> None:
        """Keep the bytes of a digest."""
        self._connection().upsert("media", {"sha256": sha256, "data": data}, ("sha256",))

    def get(self, sha256: str) -> bytes | None:
        """Return the bytes of a digest, or nothing."""
        sql = "SELECT data FROM media WHERE sha256 = ?"
        found = self._connection().value(sql, (sha256,))
        return None if found is None else bytes(found)

    def missing(self, digests: Iterable[str]) -> list[str]:
        """Return those digests of which no bytes are kept."""
        sql = (
            "SELECT DISTINCT asked.value FROM json_each(?) AS asked "
            "WHERE asked.value NOT IN (SELECT sha256 FROM media)"
        )
        return [row[0] for row in self._connection().rows(sql, (json.dumps(list(digests)),))]

    def digests(self) -> list[str]:
        """Return the digests of all that is kept, in order."""
        return [row[0] for row in self._connection().rows("SELECT sha256 FROM media ORDER BY 1")]

    def amount(self) -> Amount:
        """Return how much is kept."""
        sql = "SELECT count(*), coalesce(sum(length(data)), 0) FROM media"
        return Amount(*self._connection().rows(sql)[0])

    def drop_unused(self) -> None:
        """Remove the bytes that neither an entry, nor a layer, nor the journal names."""
        if self._connection().row("SELECT 1 FROM media LIMIT 1") is None:
            return
        kept = json.dumps(list(set(self._named())))
        sql = "DELETE FROM media WHERE sha256 NOT IN (SELECT value FROM json_each(?))"
        self._connection().run(sql, (kept,))

    def _named(self) -> Iterator[str]:
        for (text,) in self._connection().rows("SELECT media FROM entry WHERE media IS NOT NULL"):
            yield from _NAMED.findall(text)
        for table, column in _NAMING:
            sql = f"SELECT {column} FROM {table} WHERE {column} LIKE '%sha256%'"
            for (text,) in self._connection().rows(sql):
                yield from _NAMED.findall(text)


class Reviews:
    """The reviews of one file."""

    def __init__(self, connection: Callable[[], Connection]) -> None:
        self._connection = connection

    def put(self, reviews: Mapping[str, Sequence[Review]]) -> None:
        """Add the reviews of entries, by their ids; what is known stays once."""
        rows = ((entry, *review) for entry, some in reviews.items() for review in some)
        columns = ("entry", *Review._fields)
        self._connection().upsert_many("review", columns, rows, ("entry", "card", "at"))

    def of(self, entries: Sequence[str]) -> dict[str, tuple[Review, ...]]:
        """Return the reviews of entries, in the order of their times."""
        columns = ", ".join(f"r.{name}" for name in Review._fields)
        found = self._connection().rows(
            f"SELECT r.entry, {columns} FROM json_each(?) AS asked "
            "JOIN review r ON r.entry = asked.value ORDER BY r.entry, r.at, r.card",
            (json.dumps(list(entries)),),
        )
        known: dict[str, list[Review]] = defaultdict(list)
        for entry, *values in found:
            known[entry].append(Review(*values))
        return {entry: tuple(some) for entry, some in known.items()}

    def entries(self) -> list[str]:
        """Return the entries that are stored and have any, in order."""
        sql = "SELECT DISTINCT entry FROM review WHERE entry IN (SELECT id FROM entry) ORDER BY 1"
        return [row[0] for row in self._connection().rows(sql)]

"""The evidence behind annotations, and what came of running it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence

from kb.records import Evidence, Proven, Snippet
from kb.store.sqlite import rows
from kb.store.sqlite.connection import Connection
from kb.store.sqlite.reading import evidence_states, read_entries
from kb.store.sqlite.visibility import LISTED, SHOWN

_HELD = f"FROM entry_snippet es JOIN entry e ON e.id = es.entry WHERE {SHOWN}"
# What only entries have that are not there, staged or taken back, is not there either.
_THERE = (
    f"(EXISTS (SELECT 1 {_HELD} AND es.snippet = s.id) "
    "OR NOT EXISTS (SELECT 1 FROM entry_snippet es WHERE es.snippet = s.id))"
)
_BLANKS = " \t\r\n"


class Snippets:
    """The programs of one file."""

    def __init__(self, connection: Callable[[], Connection]) -> None:
        self._connection = connection

    def get(self, names: Iterable[str]) -> dict[str, Snippet]:
        """Return the snippets of these names that are there."""
        sql = (
            "SELECT s.* FROM json_each(?) AS asked JOIN snippet s ON s.id = asked.value "
            f"WHERE {_THERE}"
        )
        found = self._connection().rows(sql, (json.dumps(list(names)),))
        return {row["id"]: rows.read_snippet(row) for row in found}

    def holders(self, names: Iterable[str]) -> dict[str, tuple[str, ...]]:
        """Return the entries that are there and have these snippets."""
        sql = (
            f"SELECT es.snippet, es.entry {_HELD} "
            "AND es.snippet IN (SELECT value FROM json_each(?)) ORDER BY es.entry"
        )
        found: dict[str, tuple[str, ...]] = {}
        for name, entry in self._connection().rows(sql, (json.dumps(list(names)),)):
            found[name] = (*found.get(name, ()), entry)
        return found

    def with_code(self, code: str) -> list[Snippet]:
        """Return the snippets that are there and say the same, but for blanks at the end."""
        sql = f"SELECT s.* FROM snippet s WHERE rtrim(s.code, ?) = ? AND {_THERE}"
        found = self._connection().rows(sql, (_BLANKS, code.rstrip(_BLANKS)))
        return [rows.read_snippet(row) for row in found]


class Evidences:
    """The evidence of one file."""

    def __init__(self, connection: Callable[[], Connection]) -> None:
        self._connection = connection

    def owners(self, names: Iterable[str]) -> dict[str, str]:
        """Return the entry of each of these annotations that is there."""
        sql = "SELECT a.id, a.entry FROM json_each(?) AS asked JOIN annotation a ON a.id = value"
        return dict(map(tuple, self._connection().rows(sql, (json.dumps(list(names)),))))

    def annotated(self) -> list[str]:
        """Return the entries that have annotations, in the order of their collections."""
        sql = (
            "SELECT e.id FROM entry e JOIN collection c ON c.id = e.collection "
            f"WHERE e.id IN (SELECT entry FROM annotation) AND {LISTED} "
            "ORDER BY c.position, e.position, e.id"
        )
        return [row[0] for row in self._connection().rows(sql)]

    def proven(self) -> Proven:
        """Count the annotations of listed entries that have evidence, and the confirmed ones."""
        sql = (
            "SELECT DISTINCT e.id FROM evidence v JOIN annotation a ON a.id = v.annotation "
            f"JOIN entry e ON e.id = a.entry WHERE {LISTED}"
        )
        entries = json.dumps([row[0] for row in self._connection().rows(sql)])
        states = evidence_states(self._connection(), (entries,)).values()
        confirmed = sum(counts.get("confirmed", 0) for counts in states)
        return Proven(confirmed, sum(sum(counts.values()) for counts in states))

    def put_status(self, annotation: str, status: str, figures: Mapping[str, float]) -> None:
        """Remember what the last run of an annotation's evidence showed."""
        values = rows.status_values(annotation, status, figures)
        self._connection().upsert("verification", values, ("annotation",))

    def renew(self, annotation: str, evidence: Sequence[Evidence]) -> None:
        """Store the digests that a person looked at, and the digest of the entry with them."""
        connection = self._connection()
        for each in evidence:
            connection.run(
                "UPDATE evidence SET quote_hash = ?, snippet_hash = ? "
                "WHERE annotation = ? AND snippet = ?",
                (each.quote_hash, each.snippet_hash, annotation, each.snippet),
            )
        (owner,) = self.owners([annotation]).values()
        (entry,) = read_entries(connection, [owner]).values()
        connection.run(
            "UPDATE entry SET digest = ? WHERE id = ?", (rows.packed_digest(entry.digest), owner)
        )

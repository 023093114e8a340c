"""The evidence behind annotations, and what came of running it."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping, Sequence

from kb.records import Evidence, Snippet
from kb.store.sqlite import rows
from kb.store.sqlite.connection import Connection
from kb.store.sqlite.reading import read_entries
from kb.store.sqlite.visibility import LISTED


class Snippets:
    """The programs of one file."""

    def __init__(self, connection: Callable[[], Connection]) -> None:
        self._connection = connection

    def get(self, names: Iterable[str]) -> dict[str, Snippet]:
        """Return the snippets of these names that are there."""
        sql = "SELECT s.* FROM json_each(?) AS asked JOIN snippet s ON s.id = asked.value"
        found = self._connection().rows(sql, (json.dumps(list(names)),))
        return {row["id"]: rows.read_snippet(row) for row in found}


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
        connection.run("UPDATE entry SET digest = ? WHERE id = ?", (entry.digest, owner))

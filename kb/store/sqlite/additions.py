"""What a reader added to entries: annotations and snippets of one's own.

They belong to nobody's file, so no renewal of an entry touches them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

from kb.errors import Conflict
from kb.records import Annotation, Snippet
from kb.store.sqlite import rows
from kb.store.sqlite.connection import Connection

# They stand behind what came with an entry, however much of that there will be.
_BEHIND = 1 << 20


class Additions:
    """What readers added to the entries of one file."""

    def __init__(self, connection: Callable[[], Connection]) -> None:
        self._connection = connection

    def put_annotation(self, entry: str, annotation: Annotation) -> None:
        """Store a reader's annotation of an entry, or renew it. Raises `Conflict`."""
        stored = self._stored("annotation", annotation.id)
        if stored is not None and stored["entry"] != entry:
            raise Conflict("another entry has an annotation of that name", place=annotation.id)
        position = stored["position"] if stored else self._next("annotation", entry)
        values = rows.annotation_values(entry, position, rows.READER, annotation)
        connection = self._connection()
        connection.upsert("annotation", values, ("id",))
        connection.run("DELETE FROM evidence WHERE annotation = ?", (annotation.id,))
        for place, evidence in enumerate(annotation.evidence):
            connection.insert("evidence", rows.evidence_values(annotation.id, place, evidence))

    def put_snippet(self, entry: str, snippet: Snippet) -> None:
        """Store a reader's snippet of an entry, or renew it. Raises `Conflict`."""
        connection = self._connection()
        self._stored("snippet", snippet.id)
        connection.upsert("snippet", rows.snippet_values(snippet, rows.READER), ("id",))
        sql = "SELECT position FROM entry_snippet WHERE entry = ? AND snippet = ?"
        position = connection.value(sql, (entry, snippet.id))
        if position is None:
            position = self._next("entry_snippet", entry)
        link = {"entry": entry, "position": position, "snippet": snippet.id}
        connection.upsert(
            "entry_snippet", {**link, "main": int(snippet.main)}, ("entry", "position")
        )

    def arrange(self, entry: str, names: Iterable[str]) -> None:
        """Let what a reader added to an entry stand in this order."""
        for name in names:
            for table, column in (("annotation", "id"), ("entry_snippet", "snippet")):
                self._connection().run(
                    f"UPDATE {table} SET position = ? WHERE entry = ? AND {column} = ?",
                    (self._next(table, entry), entry, name),
                )

    def annotation(self, name: str) -> tuple[str, Annotation] | None:
        """Return a reader's annotation with the id of its entry, or nothing."""
        sql = "SELECT * FROM annotation WHERE id = ? AND owner = ?"
        row = self._connection().row(sql, (name, rows.READER))
        if row is None:
            return None
        sql = "SELECT * FROM evidence WHERE annotation = ? ORDER BY position"
        evidence = tuple(map(rows.read_evidence, self._connection().rows(sql, (name,))))
        status = "unverified" if evidence else "no-evidence"
        return row["entry"], rows.read_annotation(row, evidence, status)

    def entries_of(self, name: str) -> list[str]:
        """Return the entries that a reader's annotation or snippet of this name is of."""
        found = self._connection().rows(
            "SELECT entry FROM annotation WHERE id = ? AND owner = ? "
            "UNION SELECT es.entry FROM entry_snippet es JOIN snippet s ON s.id = es.snippet "
            "WHERE s.id = ? AND s.owner = ?",
            (name, rows.READER, name, rows.READER),
        )
        return [row[0] for row in found]

    def remove(self, name: str) -> None:
        """Remove a reader's annotation or snippet."""
        mine = "SELECT id FROM annotation WHERE id = ? AND owner = ?"
        program = "SELECT id FROM snippet WHERE id = ? AND owner = ?"
        for statement in (
            f"DELETE FROM evidence WHERE annotation IN ({mine})",
            f"DELETE FROM verification WHERE annotation IN ({mine})",
            "DELETE FROM annotation WHERE id = ? AND owner = ?",
            f"DELETE FROM entry_snippet WHERE snippet IN ({program})",
            "DELETE FROM snippet WHERE id = ? AND owner = ?",
        ):
            self._connection().run(statement, (name, rows.READER))

    def names(self) -> list[str]:
        """Return the ids of all that readers added."""
        sql = (
            "SELECT id FROM annotation WHERE owner = ? UNION SELECT id FROM snippet WHERE owner = ?"
        )
        return [row[0] for row in self._connection().rows(sql, (rows.READER, rows.READER))]

    def holds(self, entry: str) -> bool:
        """Say whether a reader added anything to an entry: it then stays, whatever a file says."""
        sql = (
            "SELECT 1 FROM annotation WHERE entry = ? AND owner = ? UNION ALL "
            "SELECT 1 FROM entry_snippet es JOIN snippet s ON s.id = es.snippet "
            "WHERE es.entry = ? AND s.owner = ?"
        )
        values = (entry, rows.READER, entry, rows.READER)
        return self._connection().row(sql, values) is not None

    def _stored(self, table: str, name: str) -> rows.Row | None:
        """Return the stored row of that id. Raises `Conflict` where it is not a reader's.

        A program that no entry has any more is nobody's.
        """
        row: rows.Row | None = self._connection().row(
            f"SELECT * FROM {table} WHERE id = ?", (name,)
        )
        if row is not None and row["owner"] != rows.READER:
            used = "SELECT 1 FROM entry_snippet WHERE snippet = ?"
            if table == "snippet" and self._connection().row(used, (name,)) is None:
                return None
            raise Conflict("something that is not your own has this name", place=name)
        return row

    def _next(self, table: str, entry: str) -> int:
        sql = f"SELECT max(coalesce(max(position), 0) + 1, {_BEHIND}) FROM {table} WHERE entry = ?"
        return int(self._connection().value(sql, (entry,)))

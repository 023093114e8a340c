"""What a reader added to entries: annotations and snippets of one's own.

They belong to nobody's file, so no renewal of an entry touches them.
"""

from __future__ import annotations

import dataclasses

from kb.errors import Conflict
from kb.records import Annotation, Entry, Snippet
from kb.store.sqlite import rows, statements
from kb.store.sqlite.driver import Connection

# They stand behind what came with an entry, however much of that there will be.
_BEHIND = 1 << 20


def put_all(connection: Connection, entry: Entry) -> bool:
    """Store what a reader added to an entry elsewhere; say whether there was anything."""
    annotations = [each for each in entry.annotations if each.own]
    snippets = [each for each in entry.snippets if each.own]
    for annotation in annotations:
        put_annotation(connection, entry.id, annotation)
    for snippet in snippets:
        put_snippet(connection, entry.id, snippet)
    return bool(annotations or snippets)


def put_annotation(connection: Connection, entry: str, annotation: Annotation) -> None:
    """Store a reader's annotation of an entry, or renew it. Raises `Conflict`."""
    stored = _stored(connection, "annotation", annotation.id)
    if stored is not None and stored["entry"] != entry:
        raise Conflict(f"{annotation.id}: another entry has an annotation of that name")
    position = stored["position"] if stored else _next(connection, "annotation", entry)
    values = rows.annotation_values(entry, position, rows.READER, annotation)
    statements.upsert(connection, "annotation", values, ("id",))


def put_snippet(connection: Connection, entry: str, snippet: Snippet) -> None:
    """Store a reader's snippet of an entry, or renew it. Raises `Conflict`."""
    _stored(connection, "snippet", snippet.id)
    values = {
        "id": snippet.id,
        "owner": rows.READER,
        "title": rows.to_json(dict(snippet.title)),
        "code": snippet.code,
    }
    statements.upsert(connection, "snippet", values, ("id",))
    if snippet.id not in {each.id for each in _snippets(connection, entry)}:
        position = _next(connection, "entry_snippet", entry)
        link = {"entry": entry, "position": position, "snippet": snippet.id, "main": 0}
        statements.insert(connection, "entry_snippet", link)


def remove(connection: Connection, name: str) -> list[str]:
    """Remove a reader's annotation or snippet of this id; return the entries that had it."""
    owners = [
        row["entry"]
        for row in connection.execute(
            "SELECT entry FROM annotation WHERE id = ? AND owner = ? "
            "UNION SELECT es.entry FROM entry_snippet es JOIN snippet s ON s.id = es.snippet "
            "WHERE s.id = ? AND s.owner = ?",
            (name, rows.READER, name, rows.READER),
        )
    ]
    if not owners:
        return []
    _remove_annotation(connection, name)
    connection.execute("DELETE FROM entry_snippet WHERE snippet = ?", (name,))
    connection.execute("DELETE FROM snippet WHERE id = ? AND owner = ?", (name, rows.READER))
    return owners


def find_annotation(connection: Connection, name: str) -> tuple[str, Annotation] | None:
    """Return a reader's annotation with the id of its entry, or nothing."""
    sql = "SELECT * FROM annotation WHERE id = ? AND owner = ?"
    row = connection.execute(sql, (name, rows.READER)).fetchone()
    return None if row is None else (row["entry"], rows.read_annotation(row, (), "no-evidence"))


def names(connection: Connection) -> list[str]:
    """Return the ids of all that readers added."""
    sql = "SELECT id FROM annotation WHERE owner = ? UNION SELECT id FROM snippet WHERE owner = ?"
    return [row[0] for row in connection.execute(sql, (rows.READER, rows.READER))]


def is_held(connection: Connection, entry: str) -> bool:
    """Say whether a reader added anything to an entry: it then stays, whatever a file says."""
    return bool(_annotations(connection, entry) or _snippets(connection, entry))


def added_to(connection: Connection, entry: Entry) -> Entry:
    """Return an entry with what a reader added to the one that is stored."""
    return dataclasses.replace(
        entry,
        annotations=(*entry.annotations, *_annotations(connection, entry.id)),
        snippets=(*entry.snippets, *_snippets(connection, entry.id)),
    )


def _annotations(connection: Connection, entry: str) -> list[Annotation]:
    sql = "SELECT * FROM annotation WHERE entry = ? AND owner = ? ORDER BY position, id"
    found = connection.execute(sql, (entry, rows.READER))
    return [rows.read_annotation(row, (), "no-evidence") for row in found]


def _snippets(connection: Connection, entry: str) -> list[Snippet]:
    found = connection.execute(
        "SELECT s.* FROM entry_snippet es JOIN snippet s ON s.id = es.snippet "
        "WHERE es.entry = ? AND s.owner = ? ORDER BY es.position",
        (entry, rows.READER),
    )
    return [rows.read_snippet(row) for row in found]


def _stored(connection: Connection, table: str, name: str) -> rows.Row | None:
    """Return the stored row of that id. Raises `Conflict` where it is not a reader's."""
    row: rows.Row | None = connection.execute(
        f"SELECT * FROM {table} WHERE id = ?", (name,)
    ).fetchone()
    if row is not None and row["owner"] != rows.READER:
        raise Conflict(f"{name}: something that is not your own has this name")
    return row


def _next(connection: Connection, table: str, entry: str) -> int:
    sql = f"SELECT max(coalesce(max(position), 0) + 1, {_BEHIND}) FROM {table} WHERE entry = ?"
    return int(connection.execute(sql, (entry,)).fetchone()[0])


def _remove_annotation(connection: Connection, name: str) -> None:
    mine = "SELECT id FROM annotation WHERE id = ? AND owner = ?"
    for table in ("evidence", "verification"):
        sql = f"DELETE FROM {table} WHERE annotation IN ({mine})"
        connection.execute(sql, (name, rows.READER))
    connection.execute("DELETE FROM annotation WHERE id = ? AND owner = ?", (name, rows.READER))

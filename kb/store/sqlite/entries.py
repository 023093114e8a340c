"""Entries and what belongs to them, written and read. Every function takes a connection.

Who owns a row decides what may change it: ``bundled`` rows follow the content that
comes with the program, ``user`` rows were imported and follow their files, and ``reader``
rows, the annotations and snippets that a reader added to entries, nothing else touches.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Iterable, Mapping
from typing import Literal

from kb.errors import Conflict
from kb.present.anchoring import anchored
from kb.records import Annotation, Entry, Snippet, Source, digest
from kb.store.sqlite import own, rows, statements
from kb.store.sqlite.driver import Connection

Owner = Literal["bundled", "user"]
Change = Literal["added", "updated", "unchanged"]


def put_sources(connection: Connection, sources: Iterable[Source]) -> None:
    """Store source documents, or renew them."""
    for source in sources:
        values = {name: getattr(source, name) for name in Source._fields}
        statements.upsert(connection, "source", values, ("file",))


def put_collection(connection: Connection, name: str, title: Mapping[str, str]) -> None:
    """Store a collection; one that exists keeps its place, and its title unless one is given."""
    title_json = rows.to_json(dict(title))
    connection.execute(
        "INSERT INTO collection (id, title) VALUES (?, ?) ON CONFLICT (id) DO UPDATE "
        "SET title = CASE excluded.title WHEN '{}' THEN title ELSE excluded.title END",
        (name, title_json),
    )


def put_entry(connection: Connection, entry: Entry, owner: Owner, position: int) -> Change:
    """Store an entry, or renew it where anything in it changed.

    Raises `Conflict` when a stored entry or snippet of that name is another owner's.
    """
    values = rows.entry_values(entry, owner, position)
    stored = connection.execute(
        "SELECT digest, owner, position, collection FROM entry WHERE id = ?", (entry.id,)
    ).fetchone()
    if stored is not None:
        if stored["digest"] == values["digest"]:
            if owner == "bundled":
                moved = "UPDATE entry SET position = ? WHERE id = ?"
                connection.execute(moved, (position, entry.id))
            if own.put_all(connection, entry):
                renew_documents(connection, entry.id)
            return "unchanged"
        if stored["owner"] != owner or (
            owner == "user" and stored["collection"] != entry.collection
        ):
            raise Conflict(
                f"{entry.id}: another entry of that name is already stored",
                "Change the id, or import into an empty database ('kb init --empty').",
            )
        if owner == "user":
            values["position"] = stored["position"]
        _clear(connection, entry.id)
    statements.upsert(connection, "entry", values, ("id",))
    given = entry.given
    _put_snippets(connection, given, owner)
    _put_annotations(connection, given, owner)
    own.put_all(connection, entry)
    _put_documents(connection, own.added_to(connection, given))
    return "added" if stored is None else "updated"


def next_position(connection: Connection, collection: str) -> int:
    """Return the place behind the last entry of a collection."""
    sql = "SELECT coalesce(max(position), -1) + 1 FROM entry WHERE collection = ?"
    return int(connection.execute(sql, (collection,)).fetchone()[0])


def remove_entry(connection: Connection, entry: str) -> None:
    """Remove an entry and what belongs to it, unless a reader added something to it."""
    if own.is_held(connection, entry):
        return
    _clear(connection, entry)
    connection.execute("DELETE FROM entry WHERE id = ?", (entry,))


def get_entry(connection: Connection, entry: str) -> Entry | None:
    """Return an entry with everything that belongs to it, or nothing."""
    row = connection.execute("SELECT * FROM entry WHERE id = ?", (entry,)).fetchone()
    if row is None:
        return None
    documents = connection.execute(
        "SELECT * FROM document WHERE entry = ? ORDER BY id", (entry,)
    ).fetchall()
    snippets = [
        rows.read_snippet(found, bool(found["main"]))
        for found in connection.execute(
            "SELECT s.*, es.main FROM entry_snippet es JOIN snippet s ON s.id = es.snippet "
            "WHERE es.entry = ? ORDER BY es.position",
            (entry,),
        )
    ]
    annotations = _annotations(connection, entry)
    return anchored(rows.read_entry(row, documents, snippets, annotations))


def renew_documents(connection: Connection, entry: str) -> None:
    """Let a search find an entry by all that is stored of it, after a reader changed that."""
    found = get_entry(connection, entry)
    assert found is not None
    _remove_documents(connection, entry)
    _put_documents(connection, found)


def get_snippet(connection: Connection, snippet: str) -> Snippet | None:
    """Return a snippet by its id, or nothing."""
    row = connection.execute("SELECT * FROM snippet WHERE id = ?", (snippet,)).fetchone()
    return None if row is None else rows.read_snippet(row)


def put_status(
    connection: Connection, annotation: str, status: str, figures: Mapping[str, float]
) -> None:
    """Remember what the last run of an annotation's evidence showed."""
    values = {"annotation": annotation, "status": status, "figures": rows.to_json(dict(figures))}
    statements.upsert(connection, "verification", values, ("annotation",))


def accept(connection: Connection, annotation: Annotation, snippets: Mapping[str, str]) -> None:
    """Renew the hashes of an annotation's evidence; ``snippets`` has each snippet's digest."""
    for evidence in annotation.evidence:
        connection.execute(
            "UPDATE evidence SET quote_hash = ?, snippet_hash = ? "
            "WHERE annotation = ? AND snippet = ?",
            (
                digest(annotation.target.quote),
                snippets.get(evidence.snippet, ""),
                annotation.id,
                evidence.snippet,
            ),
        )
    owner = connection.execute(
        "SELECT entry FROM annotation WHERE id = ?", (annotation.id,)
    ).fetchone()["entry"]
    entry = get_entry(connection, owner)
    assert entry is not None
    connection.execute(
        "UPDATE entry SET digest = ? WHERE id = ?", (rows.entry_digest(entry), owner)
    )


def drop_unused(connection: Connection) -> None:
    """Remove the bundled snippets and the collections that nothing belongs to any more."""
    connection.execute(
        "DELETE FROM snippet WHERE owner = 'bundled' "
        "AND id NOT IN (SELECT snippet FROM entry_snippet)"
    )
    connection.execute("DELETE FROM collection WHERE id NOT IN (SELECT collection FROM entry)")


def _annotations(connection: Connection, entry: str) -> list[Annotation]:
    digests = {
        row["id"]: digest(row["code"])
        for row in connection.execute(
            "SELECT DISTINCT s.id, s.code FROM evidence v JOIN annotation a ON a.id = v.annotation "
            "JOIN snippet s ON s.id = v.snippet WHERE a.entry = ?",
            (entry,),
        )
    }
    found = connection.execute(
        "SELECT a.*, v.status FROM annotation a LEFT JOIN verification v ON v.annotation = a.id "
        "WHERE a.entry = ? ORDER BY a.position, a.id",
        (entry,),
    ).fetchall()
    read = [_annotation(connection, row, digests) for row in found]
    status = {annotation.id: annotation.status for annotation in read}
    return [
        dataclasses.replace(a, status=status.get(a.repeats, a.status)) if a.repeats else a
        for a in read
    ]


def _annotation(connection: Connection, row: rows.Row, digests: Mapping[str, str]) -> Annotation:
    evidence = tuple(
        rows.read_evidence(found)
        for found in connection.execute(
            "SELECT * FROM evidence WHERE annotation = ? ORDER BY position", (row["id"],)
        )
    )
    read = rows.read_annotation(row, evidence, row["status"] or "unverified")
    if not evidence:
        return dataclasses.replace(read, status="no-evidence")
    return dataclasses.replace(read, status="stale") if read.is_stale(digests) else read


def _clear(connection: Connection, entry: str) -> None:
    """Remove what an entry is made of, but not the entry, nor another owner's annotations."""
    _remove_documents(connection, entry)
    mine = "SELECT a.id FROM annotation a JOIN entry e ON e.id = a.entry AND e.owner = a.owner"
    readers = f"SELECT id FROM snippet WHERE owner = '{rows.READER}'"
    for statement in (
        f"DELETE FROM entry_snippet WHERE entry = ? AND snippet NOT IN ({readers})",
        f"DELETE FROM verification WHERE annotation IN ({mine} WHERE a.entry = ?)",
        f"DELETE FROM evidence WHERE annotation IN ({mine} WHERE a.entry = ?)",
        f"DELETE FROM annotation WHERE id IN ({mine} WHERE a.entry = ?)",
    ):
        connection.execute(statement, (entry,))


def _remove_documents(connection: Connection, entry: str) -> None:
    from kb.index.fts5 import index

    for row in connection.execute("SELECT id FROM document WHERE entry = ?", (entry,)).fetchall():
        index.remove_document(connection, row["id"])
    connection.execute("DELETE FROM document WHERE entry = ?", (entry,))


def _put_documents(connection: Connection, entry: Entry) -> None:
    from kb.index.fts5 import index  # the analyzer is not needed to read

    for values in rows.document_values(entry):
        cursor = statements.insert(connection, "document", values)
        index.add_document(connection, cursor.lastrowid)


def _put_snippets(connection: Connection, entry: Entry, owner: Owner) -> None:
    for position, snippet in enumerate(entry.snippets):
        stored = connection.execute(
            "SELECT owner, code FROM snippet WHERE id = ?", (snippet.id,)
        ).fetchone()
        theirs = stored is not None and (
            stored["owner"] != owner
            or (owner == "user" and _used_elsewhere(connection, snippet, entry))
        )
        if theirs and stored["code"] != snippet.code:
            raise Conflict(
                f"{snippet.id}: another snippet of that name is already stored",
                f"Rename the snippet of {entry.id}.",
            )
        if stored is None or stored["owner"] == owner:
            title = rows.to_json(dict(snippet.title))
            values = {"id": snippet.id, "owner": owner, "title": title, "code": snippet.code}
            statements.upsert(connection, "snippet", values, ("id",))
        link = {
            "entry": entry.id,
            "position": position,
            "snippet": snippet.id,
            "main": int(snippet.main),
        }
        statements.insert(connection, "entry_snippet", link)


def _used_elsewhere(connection: Connection, snippet: Snippet, entry: Entry) -> bool:
    """Say whether another entry runs this snippet."""
    sql = "SELECT 1 FROM entry_snippet WHERE snippet = ? AND entry <> ?"
    return connection.execute(sql, (snippet.id, entry.id)).fetchone() is not None


def _put_annotations(connection: Connection, entry: Entry, owner: Owner) -> None:
    for position, annotation in enumerate(entry.annotations):
        taken = "SELECT 1 FROM annotation WHERE id = ?"
        if connection.execute(taken, (annotation.id,)).fetchone() is not None:
            raise Conflict(
                f"{annotation.id}: another annotation of that name is already stored",
                f"Rename the annotation of {entry.id}.",
            )
        values = rows.annotation_values(entry.id, position, owner, annotation)
        statements.insert(connection, "annotation", values)
        for place, evidence in enumerate(annotation.evidence):
            statements.insert(
                connection, "evidence", rows.evidence_values(annotation.id, place, evidence)
            )
        if annotation.status in ("confirmed", "refuted", "cannot-run"):
            put_status(connection, annotation.id, annotation.status, {})

"""The step of the schema that gives entries and paths numbers, and halves their digests.

An id or a path then stands once where it stood in every row. Rows of other tables refer to those
that are made anew, so the caller does without foreign keys meanwhile.
"""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from kb.store.sqlite.rows import kept, packed_digest

if TYPE_CHECKING:
    from sqlite_utils import Database

_HALF = 32
"""The digits of a digest that stay."""

_ENTRY = {
    "kind": "TEXT NOT NULL",
    "collection": "TEXT NOT NULL REFERENCES collection(id)",
    **dict.fromkeys(("number", "level", "topic"), "TEXT"),
    **dict.fromkeys(("tags", "related"), "TEXT NOT NULL"),
    "position": "INTEGER NOT NULL",
    "owner": "TEXT NOT NULL",
    "digest": "BLOB NOT NULL",
    **dict.fromkeys(("layer", "hidden"), "INTEGER NOT NULL DEFAULT 0"),
}
_DOCUMENT = {
    **dict.fromkeys(("lang", "question"), "TEXT NOT NULL"),
    **dict.fromkeys(
        ("wording", "source", "reference", "notes", "code", "keywords", "origins"), "TEXT"
    ),
    "restored": "INTEGER",
    **dict.fromkeys(("source_origin", "reference_origin"), "TEXT"),
}
_RECORD = {
    "place": "TEXT NOT NULL",
    "given": "INTEGER NOT NULL",
    **dict.fromkeys(("heading", "answer", "digest"), "BLOB NOT NULL"),
    "line": "INTEGER",
    "gone": "INTEGER NOT NULL",
    **dict.fromkeys(("base", "theirs"), "TEXT"),
    "layer": "INTEGER NOT NULL",
}
_INDEXES = {
    "entry": ("collection, position", "layer"),
    "document": ("lang",),
    "record": ("file",),
}


def renumber(db: Database) -> None:
    """Make the tables anew with what is in them."""
    db.conn.create_function("halved", 1, _halved)
    db.execute("CREATE TABLE path (id INTEGER PRIMARY KEY, path TEXT NOT NULL UNIQUE)")
    db.execute("INSERT INTO path (path) SELECT DISTINCT file FROM record")
    key = {"key": "INTEGER PRIMARY KEY", "id": "TEXT NOT NULL UNIQUE"}
    _remake(db, "entry", key, _ENTRY, "id", "FROM entry r ORDER BY r.rowid")
    key = {"id": "INTEGER PRIMARY KEY", "entry": "INTEGER NOT NULL REFERENCES entry(key)"}
    joined = "FROM document r JOIN entry e ON e.id = r.entry ORDER BY r.id"
    _remake(db, "document", key, _DOCUMENT, "r.id, e.key", joined)
    db.execute("CREATE UNIQUE INDEX idx_document_entry_lang ON document (entry, lang)")
    key = {"entry": "TEXT PRIMARY KEY", "file": "INTEGER NOT NULL REFERENCES path(id)"}
    joined = "FROM record r JOIN path p ON p.path = r.file ORDER BY r.rowid"
    _remake(db, "record", key, _RECORD, "r.entry, p.id", joined)
    _halve_kept(db)


def _remake(
    db: Database, table: str, key: dict[str, str], columns: dict[str, str], known: str, rows: str
) -> None:
    """Make a table of a key and columns anew; ``known`` is what the key is told from."""
    defined = ", ".join(f"{name} {kind}" for name, kind in {**key, **columns}.items())
    names = [*(name for name in key if name != "key"), *columns]
    told = ", ".join(
        f"halved(r.{name})" if kind.startswith("BLOB") else f"r.{name}"
        for name, kind in columns.items()
    )
    db.execute(f"CREATE TABLE {table}_numbered ({defined})")
    db.execute(f"INSERT INTO {table}_numbered ({', '.join(names)}) SELECT {known}, {told} {rows}")
    db.execute(f"DROP TABLE {table}")
    db.execute(f"ALTER TABLE {table}_numbered RENAME TO {table}")
    for of in _INDEXES[table]:
        db.execute(f"CREATE INDEX idx_{table}_{of.replace(', ', '_')} ON {table} ({of})")


def _halve_kept(db: Database) -> None:
    """Halve the digests in what the journal and the layers keep."""
    db.conn.create_function("with_halves", 1, _with_halves)
    db.execute("UPDATE version SET seen = substr(seen, 1, ?), state = with_halves(state)", (_HALF,))
    db.execute(
        "UPDATE journal SET before = with_halves(before), after = with_halves(after) "
        "WHERE field = 'record.digest'"
    )


def _halved(digest: str) -> bytes:
    return packed_digest(digest[:_HALF])


def _with_halves(told: str | None) -> str | None:
    """Halve a digest in JSON, or those of a record."""
    said = None if told is None else json.loads(told)
    if isinstance(said, str):
        return kept(said[:_HALF])
    if not isinstance(said, dict) or not said.get("record"):
        return told
    halves = {name: said["record"][name][:_HALF] for name in ("heading", "answer", "digest")}
    return kept({**said, "record": {**said["record"], **halves}})

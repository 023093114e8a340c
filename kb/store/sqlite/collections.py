"""The collections of one file: a tree by slashes in their names."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING

from kb.model.changes import Collection
from kb.store.sqlite.driver import Part
from kb.store.sqlite.rows import DARK, LISTED, decoded, encoded, kept, packed_digest

if TYPE_CHECKING:
    from sqlite_utils import Database


_BELOW = "(id = ? OR instr(id, ? || '/') = 1)"
_EMPTY = "NOT EXISTS (SELECT 1 FROM entry e WHERE e.collection = collection.id)"
_OF_ENTRIES = (
    "coalesce((SELECT CASE WHEN e.layer IN (SELECT id FROM layer WHERE shown = 0) THEN e.layer "
    "ELSE 0 END AS shown FROM entry e WHERE e.collection = collection.id ORDER BY shown LIMIT 1), "
    "layer)"
)
"""The layer of a collection's entries: none if an entry is visible without one."""


class Collections(Part):
    """The collections of entries."""

    def put(self, id: str, title: Mapping[str, str], layer: int = 0) -> None:
        """Store a collection; an existing one keeps its position, and its title unless given.

        One of a ``layer`` is shown with it; otherwise it is permanent.
        """
        if not layer and not self.there(id):
            self.light(id, title, layer)
        self._db.run(
            "INSERT INTO collection (id, title, layer) VALUES (?, ?, ?) "
            "ON CONFLICT (id) DO UPDATE "
            "SET title = CASE excluded.title WHEN '{}' THEN title ELSE excluded.title END "
            "WHERE excluded.layer = 0",
            (id, encoded(dict(title)), layer),
        )

    def light(self, id: str, title: Mapping[str, str], layer: int) -> None:
        """Show a hidden stored collection with a layer, after all others."""
        self._db.run(
            "UPDATE collection SET layer = ?, title = ?, "
            "position = (SELECT max(position) + 1 FROM collection) WHERE id = ?",
            (layer, encoded(dict(title)), id),
        )

    def raise_layer(self, layer: int) -> None:
        """Move the collections of a layer after all others, in their order."""
        sql = (
            "UPDATE collection SET position = position + (SELECT max(position) FROM collection) "
            "WHERE layer = ?"
        )
        self._db.run(sql, (layer,))

    def there(self, id: str) -> bool:
        """Return whether a collection is stored and its layer shown."""
        sql = f"SELECT 1 FROM collection WHERE id = ? AND layer NOT IN {DARK}"
        return self._db.row(sql, (id,)) is not None

    def place(self, id: str) -> tuple[int, int]:
        """Return the position of a stored collection, and its layer."""
        sql = "SELECT position, layer FROM collection WHERE id = ?"
        position, layer = self._db.row(sql, (id,)) or (0, 0)
        return position, layer

    def put_back(self, id: str, position: int, layer: int) -> None:
        """Move a collection back to its position and layer; the one there moves behind."""
        run = self._db.run
        behind = "(SELECT max(position) + 1 FROM collection)"
        run(f"UPDATE collection SET position = {behind} WHERE position = ? AND id <> ?",
            (position, id))  # fmt: skip
        run("UPDATE collection SET position = ?, layer = ? WHERE id = ?", (position, layer, id))

    def retitle(self, id: str, title: Mapping[str, str]) -> None:
        """Set or remove a collection's title."""
        self._db.run("UPDATE collection SET title = ? WHERE id = ?", (encoded(dict(title)), id))

    def get(self, id: str) -> Collection | None:
        """Return a visible collection, or nothing."""
        return next((each for each in self.tree() if each.id == id), None)

    def tree(self) -> list[Collection]:
        """Return the collections in order, including parents, with entry counts."""
        found = self._db.rows(
            "SELECT c.id, c.title, (SELECT count(*) FROM entry e WHERE e.collection = c.id "
            f"AND {LISTED}) FROM collection c WHERE layer NOT IN {DARK} ORDER BY c.position"
        )
        titles: dict[str, dict[str, str]] = {}
        counts: dict[str, int] = {}
        for id, title, entries in found:
            parts = id.split("/")
            for depth in range(1, len(parts) + 1):
                name = "/".join(parts[:depth])
                titles.setdefault(name, {})
                counts[name] = counts.get(name, 0) + entries
            titles[id] = decoded(title)
        return [
            Collection(name, title, counts[name], name.rpartition("/")[0] or None)
            for name, title in titles.items()
        ]

    def entries_in(self, id: str) -> list[str]:
        """Return the entries of a collection and those below it, including hidden ones."""
        sql = (
            "SELECT e.id FROM entry e WHERE e.collection IN "
            f"(SELECT id FROM collection WHERE {_BELOW}) "
            f"AND e.layer NOT IN {DARK} ORDER BY e.position, e.id"
        )
        return self._db.column(sql, (id, id))

    def named(self, id: str) -> list[str]:
        """Return a stored collection and those below it, including hidden ones."""
        sql = f"SELECT id FROM collection WHERE {_BELOW} ORDER BY position"
        return self._db.column(sql, (id, id))

    def rename(self, old: str, new: str) -> None:
        """Rename a collection and those below it; entry ids stay."""
        self._db.run("PRAGMA defer_foreign_keys = ON")
        renamed = "? || substr({0}, length(?) + 1)"
        self._db.run(
            f"UPDATE entry SET collection = {renamed.format('collection')}, digest = x'' "
            "WHERE collection = ? OR instr(collection, ? || '/') = 1",
            (new, old, old, old),
        )
        self._db.run(
            f"UPDATE collection SET id = {renamed.format('id')} WHERE {_BELOW}",
            (new, old, old, old),
        )

    def remove(self, id: str) -> None:
        """Delete a collection; if hidden entries are in it, hide it with them."""
        run = self._db.run
        run(f"DELETE FROM collection WHERE id = ? AND {_EMPTY}", (id,))
        run(f"UPDATE collection SET layer = {_OF_ENTRIES} WHERE id = ?", (id,))

    def drop_empty(self, among: Iterable[str]) -> None:
        """Delete the empty ones of these collections."""
        self._db.run_many(
            f"DELETE FROM collection WHERE id = ? AND {_EMPTY}", ((id,) for id in among)
        )

    def leave_layer(self, layer: int) -> None:
        """Delete the collections of a layer, except those with other entries."""
        run = self._db.run
        run(f"DELETE FROM collection WHERE layer = ? AND {_EMPTY}", (layer,))
        run(f"UPDATE collection SET layer = {_OF_ENTRIES} WHERE layer = ?", (layer,))


# The step of the schema that gives entries and paths numbers, and halves their digests.
#
# An id or a path then stands once where it stood in every row. Rows of other tables refer to those
# that are rebuilt, so the caller does without foreign keys meanwhile.


_HALF = 32
"""The number of digits kept of a digest."""

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
_INDEXES = {"entry": ("collection, position", "layer"), "document": ("lang",), "record": ("file",)}


def renumber(db: Database) -> None:
    """Rebuild the tables with their content."""
    db.conn.create_function("halved", 1, lambda digest: packed_digest(digest[:_HALF]))
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
    # So are the digests in the change log and in layers.
    db.conn.create_function("with_halves", 1, _with_halves)
    db.execute("UPDATE version SET seen = substr(seen, 1, ?), state = with_halves(state)", (_HALF,))
    db.execute(
        "UPDATE journal SET before = with_halves(before), after = with_halves(after) "
        "WHERE field = 'record.digest'"
    )


def _remake(
    db: Database, table: str, key: dict[str, str], columns: dict[str, str], known: str, rows: str
) -> None:
    """Rebuild a table with a key and columns; ``known`` gives the numbers of keys."""
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


def _with_halves(told: str | None) -> str | None:
    """Halve a digest in JSON, or those of a record."""
    said = None if told is None else json.loads(told)
    if isinstance(said, str):
        return kept(said[:_HALF])
    if not isinstance(said, dict) or not said.get("record"):
        return told
    halves = {name: said["record"][name][:_HALF] for name in ("heading", "answer", "digest")}
    return kept({**said, "record": {**said["record"], **halves}})


# The step of the schema that takes marks of direction out of texts.
#
# They were put round formulas when content was read; now a formula is found when it is shown.
# Only what came with danesh or from a folder of content had them put in: marks that a reader, or
# a file of another kind, wrote stay.


_MARK = "char(8206)"
_TEXTS = ("question", "wording", "source", "reference", "notes", "keywords")
_MARKED = (
    "SELECT e.id FROM entry e LEFT JOIN record r ON r.entry = e.id "
    "LEFT JOIN path p ON p.id = r.file WHERE e.owner = 'bundled' OR p.path LIKE '%.toml'"
)


def unmark(db: Database) -> None:
    """Remove direction marks from texts, notes, file versions and the change log."""
    db.execute(f"CREATE TEMP TABLE marked AS {_MARKED}")
    keys = "SELECT key FROM entry WHERE id IN (SELECT id FROM marked)"
    _replace(db, "document", _TEXTS, f"entry IN ({keys})")
    _replace(db, "annotation", ("note",), "owner != 'reader' AND entry IN (SELECT id FROM marked)")
    for table, columns in (("record", ("base", "theirs")), ("journal", ("before", "after"))):
        _replace(db, table, columns, "entry IN (SELECT id FROM marked)")
    db.execute("DROP TABLE marked")


def _replace(db: Database, table: str, columns: tuple[str, ...], where: str) -> None:
    changed = ", ".join(f"{name} = replace({name}, {_MARK}, '')" for name in columns)
    found = " OR ".join(f"instr({name}, {_MARK})" for name in columns)
    db.execute(f"UPDATE {table} SET {changed} WHERE ({where}) AND ({found})")

"""Where entries came from: the records of files, and the collections that files made."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Iterator

from kb.records.changes import Record
from kb.store.sqlite.connection import Connection
from kb.store.sqlite.rows import Row, packed_digest
from kb.store.sqlite.visibility import DARK

_KNOWN = f"layer NOT IN {DARK}"
_DIGESTS = ("heading", "answer", "digest")
_READ = (
    "SELECT r.entry, p.path AS file, r.place, r.given, r.heading, r.answer, r.digest, r.line, "
    "r.gone, r.base, r.theirs, r.layer"
)
_OF_FILE = "record r JOIN path p ON p.id = r.file"


class Ledger:
    """The records of one file."""

    def __init__(self, connection: Callable[[], Connection]) -> None:
        self._connection = connection

    def knows(self, file: str) -> bool:
        """Say whether there is a record of a file, known, staged or taken back."""
        sql = f"SELECT 1 FROM {_OF_FILE} WHERE p.path = ?"
        return self._connection().row(sql, (file,)) is not None

    def of_file(self, file: str, staged: int | None = None) -> Iterator[Record]:
        """Yield the records of a file, in the order of their lines.

        They are those that are known, and those that are ``staged`` in a layer.
        """
        sql = (
            f"{_READ} FROM {_OF_FILE} WHERE p.path = ? AND (r.{_KNOWN} OR r.layer = ?) "
            "ORDER BY r.line, r.entry"
        )
        return map(_record, self._connection().stream(sql, (file, staged)))

    def of_entries(self, entries: Iterable[str], staged: int | None = None) -> dict[str, Record]:
        """Return the record of each of these entries that came from one.

        They are those that are known, and those that are ``staged`` in a layer.
        """
        sql = (
            f"{_READ} FROM json_each(?) AS asked JOIN record r ON r.entry = asked.value "
            f"JOIN path p ON p.id = r.file WHERE r.{_KNOWN} OR r.layer = ?"
        )
        found = self._connection().rows(sql, (json.dumps(list(entries)), staged))
        return {row["entry"]: _record(row) for row in found}

    def gone(self) -> list[str]:
        """Return the entries whose records are gone from their files."""
        sql = (
            f"SELECT r.entry FROM {_OF_FILE} JOIN entry e ON e.id = r.entry "
            f"WHERE r.gone = 1 AND r.{_KNOWN} ORDER BY p.path, r.line, r.entry"
        )
        return [row[0] for row in self._connection().rows(sql)]

    def contested(self) -> list[str]:
        """Return the entries that were changed here and in their files."""
        sql = f"SELECT entry FROM record WHERE theirs IS NOT NULL AND {_KNOWN} ORDER BY entry"
        return [row[0] for row in self._connection().rows(sql)]

    def put(self, *records: Record) -> None:
        """Store records, or renew them."""
        connection = self._connection()
        files = {record.file for record in records}
        connection.run_many(
            "INSERT INTO path (path) VALUES (?) ON CONFLICT DO NOTHING", ((f,) for f in files)
        )
        sql = "SELECT p.path, p.id FROM json_each(?) AS asked JOIN path p ON p.path = asked.value"
        numbers = dict(map(tuple, connection.rows(sql, (json.dumps(list(files)),))))
        rows = (_row(record, numbers[record.file]) for record in records)
        connection.upsert_many("record", Record._fields, rows, ("entry",))

    def put_places(self, places: Iterable[tuple[int | None, str, str]]) -> None:
        """Remember where records stand in their files: line, name there, and entry of each."""
        self._connection().run_many(
            "UPDATE record SET line = ?1, place = ?2 WHERE entry = ?3 "
            "AND (line IS NOT ?1 OR place <> ?2)",
            places,
        )

    def remove(self, entry: str) -> None:
        """Forget where an entry came from."""
        self._connection().run("DELETE FROM record WHERE entry = ?", (entry,))

    def drop_unused_paths(self) -> None:
        """Forget the paths that no record names."""
        self._connection().run("DELETE FROM path WHERE id NOT IN (SELECT file FROM record)")

    def files_below(self, folder: str) -> list[str]:
        """Return the known files of a folder and of those in it."""
        sql = f"SELECT path FROM file WHERE instr(path, ?) = 1 AND {_KNOWN} ORDER BY path"
        return [row[0] for row in self._connection().rows(sql, (folder,))]

    def collection_of(self, file: str) -> str | None:
        """Return the collection that a file was taken into, if it was."""
        sql = f"SELECT collection FROM file WHERE path = ? AND {_KNOWN}"
        found = self._connection().value(sql, (file,))
        return None if found is None else str(found)

    def put_file(self, file: str, collection: str, layer: int) -> None:
        """Remember into which collection a file was taken."""
        values = {"path": file, "collection": collection, "layer": layer}
        self._connection().upsert("file", values, ("path",))

    def files_in(self, collection: str) -> list[str]:
        """Return the files that are taken into a collection, or into one below it."""
        sql = "SELECT path FROM file WHERE collection = ?1 OR instr(collection, ?1 || '/') = 1"
        return [row[0] for row in self._connection().rows(sql, (collection,))]

    def rename(self, old: str, new: str, files: Iterable[str]) -> None:
        """Let these files be taken into a collection by its new name."""
        self._connection().run_many(
            "UPDATE file SET collection = ? || substr(collection, length(?) + 1) WHERE path = ?",
            ((new, old, file) for file in files),
        )

    def makers(self, collection: str) -> list[str]:
        """Return the files that were taken into a collection."""
        sql = "SELECT path FROM file WHERE collection = ? ORDER BY path"
        return [row[0] for row in self._connection().rows(sql, (collection,))]

    def unremembered(self, collection: str) -> bool:
        """Say whether all entries of a collection were imported from files not remembered."""
        sql = (
            "SELECT count(*), count(r.entry) FROM entry e LEFT JOIN record r ON r.entry = e.id "
            "AND r.file = (SELECT id FROM path WHERE path = '') WHERE e.collection = ?"
        )
        entries, unknown = self._connection().row(sql, (collection,)) or (0, 0)
        return 0 < entries == unknown


def _record(row: Row) -> Record:
    values = {name: row[name] for name in Record._fields}
    digests = {name: row[name].hex() for name in _DIGESTS}
    flags = {name: bool(row[name]) for name in ("given", "gone")}
    return Record(**{**values, **digests, **flags})


def _row(record: Record, file: int) -> tuple[object, ...]:
    """Return the values of a record in the order of its fields."""
    digests = {name: packed_digest(getattr(record, name)) for name in _DIGESTS}
    return tuple({**record._asdict(), **digests, "file": file}.values())

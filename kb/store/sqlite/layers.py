"""Layers: the data of an import, shown or hidden in one step."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import TYPE_CHECKING

from kb.store.sqlite.driver import Part
from kb.store.sqlite.rows import Row, decoded, kept

if TYPE_CHECKING:
    from kb.model.changes import Version


class Layers(Part):
    """The layers of one file."""

    def begin(self, work: str) -> int:
        """Return a new hidden layer for an import."""
        values = {"shown": 0, "settled": 1, "work": work, "beat": time.time()}
        return self._db.insert("layer", values)

    def staged(self) -> list[tuple[int, str, float]]:
        """Return the unfinished layers, each with its import and last sign of life."""
        sql = "SELECT id, work, beat FROM layer WHERE work <> '' ORDER BY id"
        return [tuple(row) for row in self._db.rows(sql)]

    def beat(self, layer: int) -> None:
        """Record a sign of life."""
        self._db.run("UPDATE layer SET beat = ? WHERE id = ?", (time.time(), layer))

    def show(self, layer: int, shown: bool) -> None:
        """Show or hide the entries of a layer; its versions must then be applied."""
        self._db.run(
            "UPDATE layer SET shown = ?, work = '', settled = NOT EXISTS "
            "(SELECT 1 FROM version WHERE layer = ?) WHERE id = ?",
            (int(shown), layer, layer),
        )

    def unsettled(self) -> list[tuple[int, bool]]:
        """Return the layers with versions to apply, and whether they are shown."""
        found = self._db.rows("SELECT id, shown FROM layer WHERE settled = 0 ORDER BY id")
        return [(row["id"], bool(row["shown"])) for row in found]

    def settle(self, layer: int) -> None:
        """Record that all versions of a layer are applied."""
        self._db.run("UPDATE layer SET settled = 1 WHERE id = ?", (layer,))

    def put_version(self, layer: int, version: Version) -> None:
        """Store the new version of an entry in a layer, or the previous one."""
        values = {"layer": layer, "entry": version.entry, "state": kept(version.state),
                  "seen": version.seen, "settled": int(version.settled)}  # fmt: skip
        self._db.upsert("version", values, ("layer", "entry"))

    def versions(self, layer: int, settled: bool, limit: int) -> list[Version]:
        """Return some versions of a layer, applied or not."""
        sql = "SELECT * FROM version WHERE layer = ? AND settled = ? ORDER BY entry LIMIT ?"
        return list(map(_version, self._db.rows(sql, (layer, int(settled), limit))))

    def version(self, layer: int, entry: str) -> Version | None:
        """Return the version of an entry in a layer, new or previous."""
        row = self._db.row("SELECT * FROM version WHERE layer = ? AND entry = ?", (layer, entry))
        return None if row is None else _version(row)

    def changed(self, layer: int) -> list[str]:
        """Return the entries with versions in a layer."""
        return self._db.column("SELECT entry FROM version WHERE layer = ? ORDER BY entry", (layer,))

    def entries(self, layer: int, limit: int | None = None) -> list[str]:
        """Return entries that a layer added."""
        sql = "SELECT id FROM entry WHERE layer = ? ORDER BY id LIMIT ?"
        return self._db.column(sql, (layer, -1 if limit is None else limit))

    def documents(self, layer: int) -> Iterator[int]:
        """Yield the document numbers of entries that a layer added."""
        sql = "SELECT d.id FROM entry e JOIN document d ON d.entry = e.key WHERE e.layer = ?"
        return (row[0] for row in self._db.stream(sql, (layer,)))

    def forget(self, layer: int) -> None:
        """Delete a layer without entries, and its data."""
        for table, column in (("record", "layer"), ("file", "layer"), ("version", "layer"),
                              ("layer", "id")):  # fmt: skip
            self._db.run(f"DELETE FROM {table} WHERE {column} = ?", (layer,))

    def forget_versions(self, layer: int) -> None:
        """Delete the undo data of a layer; its entries stay."""
        self._db.run("DELETE FROM version WHERE layer = ?", (layer,))

    def dropped(self) -> list[int]:
        """Return the permanently undone layers."""
        sql = (
            "SELECT l.id FROM layer l WHERE l.shown = 0 AND l.work = '' AND l.settled = 1 "
            "AND NOT EXISTS (SELECT 1 FROM change c WHERE c.layer = l.id AND c.state = 'undone')"
        )
        return self._db.column(sql)


def _version(row: Row) -> Version:
    from kb.model.changes import Version

    return Version(row["entry"], decoded(row["state"]), row["seen"], bool(row["settled"]))

"""The collections of one file, which their names with slashes make a tree."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping

from kb.records.changes import Collection
from kb.store.sqlite.connection import Connection
from kb.store.sqlite.rows import decoded, encoded
from kb.store.sqlite.visibility import DARK, LISTED

_BELOW = "(id = ? OR instr(id, ? || '/') = 1)"
_EMPTY = "NOT EXISTS (SELECT 1 FROM entry e WHERE e.collection = collection.id)"
_OF_ENTRIES = (
    "coalesce((SELECT CASE WHEN e.layer IN (SELECT id FROM layer WHERE shown = 0) THEN e.layer "
    "ELSE 0 END AS shown FROM entry e WHERE e.collection = collection.id ORDER BY shown LIMIT 1), "
    "layer)"
)
"""The layer with which the entries of a collection are there: none where one is there at all."""


class Collections:
    """The collections entries stand in."""

    def __init__(self, connection: Callable[[], Connection]) -> None:
        self._connection = connection

    def put(self, id: str, title: Mapping[str, str], layer: int = 0) -> None:
        """Store a collection; one that exists keeps its place, and its title if none is given.

        One of a ``layer`` is there with it; outside of any it is there for good.
        """
        if not layer and not self.there(id):
            self.light(id, title, layer)
        self._connection().run(
            "INSERT INTO collection (id, title, layer) VALUES (?, ?, ?) "
            "ON CONFLICT (id) DO UPDATE "
            "SET title = CASE excluded.title WHEN '{}' THEN title ELSE excluded.title END "
            "WHERE excluded.layer = 0",
            (id, encoded(dict(title)), layer),
        )

    def light(self, id: str, title: Mapping[str, str], layer: int) -> None:
        """Let a stored collection that is not there be there with a layer, behind all others."""
        self._connection().run(
            "UPDATE collection SET layer = ?, title = ?, "
            "position = (SELECT max(position) + 1 FROM collection) WHERE id = ?",
            (layer, encoded(dict(title)), id),
        )

    def raise_layer(self, layer: int) -> None:
        """Let the collections of a layer stand behind all others, in their order."""
        sql = (
            "UPDATE collection SET position = position + (SELECT max(position) FROM collection) "
            "WHERE layer = ?"
        )
        self._connection().run(sql, (layer,))

    def there(self, id: str) -> bool:
        """Say whether a collection is stored, and its layer shown."""
        sql = f"SELECT 1 FROM collection WHERE id = ? AND layer NOT IN {DARK}"
        return self._connection().row(sql, (id,)) is not None

    def place(self, id: str) -> tuple[int, int]:
        """Return where a stored collection stands among all, and its layer."""
        sql = "SELECT position, layer FROM collection WHERE id = ?"
        position, layer = self._connection().row(sql, (id,)) or (0, 0)
        return position, layer

    def put_back(self, id: str, position: int, layer: int) -> None:
        """Let a collection stand where it stood, in its layer; what stands there goes behind."""
        run = self._connection().run
        behind = "(SELECT max(position) + 1 FROM collection)"
        run(f"UPDATE collection SET position = {behind} WHERE position = ? AND id <> ?",
            (position, id))  # fmt: skip
        run("UPDATE collection SET position = ?, layer = ? WHERE id = ?", (position, layer, id))

    def retitle(self, id: str, title: Mapping[str, str]) -> None:
        """Give a collection another title, or none."""
        self._connection().run(
            "UPDATE collection SET title = ? WHERE id = ?", (encoded(dict(title)), id)
        )

    def get(self, id: str) -> Collection | None:
        """Return a collection that is there, or nothing."""
        return next((each for each in self.tree() if each.id == id), None)

    def tree(self) -> list[Collection]:
        """Return the collections in order, those above others too, each with its entries' count."""
        found = self._connection().rows(
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
        """Return the entries of a collection and of those below it, hidden ones too."""
        sql = (
            "SELECT e.id FROM entry e WHERE e.collection IN "
            f"(SELECT id FROM collection WHERE {_BELOW}) "
            f"AND e.layer NOT IN {DARK} ORDER BY e.position, e.id"
        )
        return [row[0] for row in self._connection().rows(sql, (id, id))]

    def named(self, id: str) -> list[str]:
        """Return a collection and those below it, dark ones too, that are stored."""
        sql = f"SELECT id FROM collection WHERE {_BELOW} ORDER BY position"
        return [row[0] for row in self._connection().rows(sql, (id, id))]

    def rename(self, old: str, new: str) -> None:
        """Give a collection and those below it another name; entries keep their ids."""
        connection = self._connection()
        connection.run("PRAGMA defer_foreign_keys = ON")
        renamed = "? || substr({0}, length(?) + 1)"
        connection.run(
            f"UPDATE entry SET collection = {renamed.format('collection')}, digest = x'' "
            "WHERE collection = ? OR instr(collection, ? || '/') = 1",
            (new, old, old, old),
        )
        connection.run(
            f"UPDATE collection SET id = {renamed.format('id')} WHERE {_BELOW}",
            (new, old, old, old),
        )

    def remove(self, id: str) -> None:
        """Remove a collection; where entries that are not shown stand in it, it goes with them."""
        run = self._connection().run
        run(f"DELETE FROM collection WHERE id = ? AND {_EMPTY}", (id,))
        run(f"UPDATE collection SET layer = {_OF_ENTRIES} WHERE id = ?", (id,))

    def drop_empty(self, among: Iterable[str]) -> None:
        """Remove those of these that no entry stands in."""
        self._connection().run_many(
            f"DELETE FROM collection WHERE id = ? AND {_EMPTY}", ((id,) for id in among)
        )

    def leave_layer(self, layer: int) -> None:
        """Remove the collections of a layer, but leave those that others stand in to them."""
        run = self._connection().run
        run(f"DELETE FROM collection WHERE layer = ? AND {_EMPTY}", (layer,))
        run(f"UPDATE collection SET layer = {_OF_ENTRIES} WHERE layer = ?", (layer,))

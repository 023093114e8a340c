"""The collections of one file: a tree by slashes in their names."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from itertools import accumulate

from kb.model.changes import Collection
from kb.model.json import canonical
from kb.store.sqlite.driver import Part
from kb.store.sqlite.rows import DARK, LISTED, title_of

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
            (id, canonical(dict(title)), layer),
        )

    def light(self, id: str, title: Mapping[str, str], layer: int) -> None:
        """Show a hidden stored collection with a layer, after all others."""
        self._db.run(
            "UPDATE collection SET layer = ?, title = ?, "
            "position = (SELECT max(position) + 1 FROM collection) WHERE id = ?",
            (layer, canonical(dict(title)), id),
        )

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
        self._db.run("UPDATE collection SET title = ? WHERE id = ?", (canonical(dict(title)), id))

    def get(self, id: str) -> Collection | None:
        """Return a visible collection, or nothing."""
        return next((each for each in self.tree() if each.id == id), None)

    def tree(self) -> list[Collection]:
        """Return the collections in order, each after its parent, with entry counts."""
        found = self._db.rows(
            "SELECT c.id, c.title, (SELECT count(*) FROM entry e WHERE e.collection = c.id "
            f"AND {LISTED}) FROM collection c WHERE layer NOT IN {DARK} ORDER BY c.position"
        )
        titles: dict[str, dict[str, str]] = {}
        counts: dict[str, int] = {}
        for id, title, entries in found:
            for name in accumulate(id.split("/"), "{}/{}".format):
                titles.setdefault(name, title_of(name))
                counts[name] = counts.get(name, 0) + entries
            titles[id] = title_of(id, title)
        order = {name: number for number, name in enumerate(titles)}

        def place(name: str) -> list[int]:
            return [order[above] for above in accumulate(name.split("/"), "{}/{}".format)]

        return [
            Collection(name, titles[name], counts[name], name.rpartition("/")[0] or None)
            for name in sorted(titles, key=place)
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

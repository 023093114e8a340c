"""The change log of one file, field by field, and the layers of imports, each in one step."""

from __future__ import annotations

import json
import time
from collections import defaultdict
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from kb.model.changes import IMPORT, Change, FieldChange, State, Version
from kb.store.sqlite.driver import Part, Row
from kb.store.sqlite.rows import decoded, kept

_COLLECTION = "collection."
_COLUMNS = "c.id, c.at, c.who, c.what, c.deed, c.state, c.layer, c.of, c.session"

_STEPPED = """
again(of, step, at, who, session) AS (
    SELECT of, max(id), at, who, session FROM change WHERE of IS NOT NULL GROUP BY of),
stepped AS (
    SELECT c.id, coalesce(a.at, c.at) AS at, coalesce(a.who, c.who) AS who, c.what, c.deed,
        c.state, c.layer, c.of, iif(a.step IS NULL, c.session, a.session) AS session,
        coalesce(a.step, c.id) AS step
    FROM change c LEFT JOIN again a ON a.of = c.id WHERE c.what IN ('write', 'import'))
"""
"""A reader's changes, each with its last step (change, undo or redo): time and author."""


class _Touched(NamedTuple):
    """What a change touches: fields by their entry (none for those of collections), collections.

    Those in ``whole`` were renamed, or made by a change that did nothing else: what is below
    belongs to them.
    """

    fields: dict[tuple[str | None, str | None], None]
    places: list[str]
    whole: list[str]


class Journal(Part):
    """The changes of one file."""

    def append(self, change: Change) -> None:
        """Add a change with its fields."""
        values = change._asdict()
        del values["fields"]
        values["deed"] = values.pop("action")  # what the column is called in every file there is
        self._db.insert("change", values)
        for field in change.fields:
            self._db.insert("journal", {
                "id": field.id, "change": change.id, "entry": field.entry, "field": field.field,
                "before": kept(field.before), "after": kept(field.after),
            })  # fmt: skip

    def last_id(self) -> str:
        """Return the highest id, or nothing."""
        sql = (
            "SELECT max(coalesce((SELECT max(id) FROM change), ''), "
            "coalesce((SELECT max(id) FROM journal), ''))"
        )
        return str(self._db.value(sql))

    def last(self, state: State, session: str | None = None) -> Change | None:
        """Return the reader's change that entered this state last, by this session.

        It has the time and author of that step.
        """
        row = self._db.row(
            f"WITH {_STEPPED} SELECT {_COLUMNS} FROM stepped c "
            "WHERE state = ?1 AND (?2 IS NULL OR session = ?2) ORDER BY step DESC LIMIT 1",
            (state, session),
        )
        return None if row is None else self._whole(row)

    def meeting(self, change: Change) -> tuple[Change, str] | None:
        """Return the last later change of the same field in this state, and its owner.

        That is an entry or a collection. Creating or deleting something changes every field; so
        does storing by an import. A change of a collection's name is of all below it, too.
        """
        later = self._db.rows(
            f"WITH {_STEPPED} SELECT {_COLUMNS} FROM stepped c WHERE state = ?2 "
            "AND step > (SELECT step FROM stepped WHERE id = ?1) ORDER BY step DESC",
            (change.id, change.state),
        )
        if not later:
            return None
        alone = change.layer is None and not any(each.entry for each in change.fields)
        mine = self._touched(change, alone=alone)
        owned: dict[str | None, set[str | None]] = defaultdict(set)
        for owner, field in mine.fields:
            owned[owner].add(field)
        for other in map(self._whole, later):
            theirs = self._touched(other)
            for owner, field in theirs.fields:
                known = owned.get(owner, ())
                if known and (field is None or None in known or field in known):
                    return other, owner or str(field).removeprefix(_COLLECTION)
            for whole, places in ((mine.whole, theirs.places), (theirs.whole, mine.places)):
                for place in sorted(places):
                    if any(f"{place}/".startswith(f"{name}/") for name in whole):
                        return other, place
        return None

    def _touched(self, change: Change, *, alone: bool = False) -> _Touched:
        """Return what a change touches; ``alone`` if it did nothing but for collections."""
        found = _Touched({}, [], [])
        for entry, field, before, after, _ in change.fields:
            names = []
            if field in (None, "collection", "renamed"):
                states = (each for each in (before, after) if each)
                names = [e["collection"] if isinstance(e, dict) else e for e in states]
            elif entry is None and field.startswith(_COLLECTION):
                names = [field.removeprefix(_COLLECTION)]
            if entry is not None or (names and field != "renamed"):
                found.fields[entry, field] = None
            found.places.extend(names)
            found.whole.extend(names if field == "renamed" or (alone and before is None) else ())
        if change.layer is not None:
            sql = (
                "SELECT id FROM entry WHERE layer = ?1 UNION SELECT entry FROM version "
                "WHERE layer = ?1 UNION SELECT entry FROM journal WHERE field = 'layer' "
                "AND before = CAST(?1 AS TEXT)"
            )
            found.fields.update(((e, None), None) for e in self._db.column(sql, (change.layer,)))
            sql = "SELECT DISTINCT collection FROM entry WHERE layer = ?"
            found.places.extend(self._db.column(sql, (change.layer,)))
        return found

    def get(self, id: str) -> Change | None:
        """Return a change with its fields, or nothing."""
        row = self._db.row(f"SELECT {_COLUMNS} FROM change c WHERE id = ?", (id,))
        return None if row is None else self._whole(row)

    def changes(self, limit: int | None, offset: int) -> Iterator[Change]:
        """Yield the changes with their fields, newest first."""
        sql = f"SELECT {_COLUMNS} FROM change c ORDER BY id DESC LIMIT ? OFFSET ?"
        found = self._db.rows(sql, (-1 if limit is None else limit, offset))
        return (self._whole(row) for row in found)

    def of_entry(self, entry: str) -> Iterator[Change]:
        """Yield the changes of an entry with its fields, oldest first."""
        found = self._db.rows(
            f"SELECT {_COLUMNS} FROM change c WHERE id IN "
            "(SELECT change FROM journal WHERE entry = ?) OR c.layer IN "
            "(SELECT layer FROM version WHERE entry = ? "
            "UNION SELECT layer FROM entry WHERE id = ?) ORDER BY id",
            (entry, entry, entry),
        )
        for row in found:
            change = self._whole(row)
            told = (f for f in change.fields if f.entry == entry or f.field == IMPORT)
            yield change._replace(fields=tuple(told))

    def changed(self, entries: Sequence[str]) -> dict[str, int]:
        """Return the times of the last changes of these entries, in seconds since 1970."""
        found = self._db.rows(
            "WITH wanted(entry) AS (SELECT value FROM json_each(?)), again(change, at) AS "
            "(SELECT of, max(at) FROM change WHERE of IS NOT NULL GROUP BY of), "
            "last(change, layer, at) AS (SELECT c.id, c.layer, max(c.at, coalesce(a.at, '')) "
            "FROM change c LEFT JOIN again a ON a.change = c.id) "
            "SELECT entry, CAST(strftime('%s', max(at)) AS INTEGER) FROM ("
            "SELECT w.entry, l.at FROM wanted w CROSS JOIN journal j ON j.entry = w.entry "
            "JOIN last l ON l.change = j.change "
            "UNION ALL SELECT w.entry, l.at FROM wanted w CROSS JOIN entry e ON e.id = w.entry "
            "JOIN last l ON l.layer = e.layer "
            "UNION ALL SELECT w.entry, l.at FROM last l CROSS JOIN wanted w CROSS JOIN version v "
            "ON v.layer = l.layer AND v.entry = w.entry) GROUP BY entry",
            (json.dumps(entries),),
        )
        return {row[0]: row[1] for row in found}

    def mark(self, ids: Sequence[str], state: State) -> None:
        """Set the state of changes."""
        self._db.run_many("UPDATE change SET state = ? WHERE id = ?", ((state, id) for id in ids))

    def undone(self) -> list[Change]:
        """Return the undone changes that can be redone, without their fields."""
        found = self._db.rows(f"SELECT {_COLUMNS} FROM change c WHERE state = 'undone' ORDER BY id")
        return [Change(*row) for row in found]

    def older(self, at: str) -> list[Change]:
        """Return the changes at or before a time, without their fields.

        Changes that are not sent to other copies yet are kept.
        """
        # Where the clock was set back, what came behind a change that stays does so, too.
        sql = (
            f"SELECT {_COLUMNS} FROM change c WHERE at <= ?1 AND id < "
            "coalesce((SELECT min(id) FROM change WHERE at > ?1), 'g') "
            "AND id <= coalesce((SELECT min(seen) FROM sync_space), 'g') ORDER BY id"
        )
        return [Change(*row) for row in self._db.rows(sql, (at,))]

    def forget(self, ids: Sequence[str]) -> None:
        """Remove changes."""
        self._db.run_many("DELETE FROM journal WHERE change = ?", ((id,) for id in ids))
        self._db.run_many("DELETE FROM change WHERE id = ?", ((id,) for id in ids))

    def _whole(self, row: Any) -> Change:
        (id, *_) = row
        found = self._db.rows(
            "SELECT entry, field, before, after, id FROM journal WHERE change = ? ORDER BY id",
            (id,),
        )
        fields = tuple(
            FieldChange(f["entry"], f["field"], decoded(f["before"]), decoded(f["after"]), f["id"])
            for f in found
        )
        return Change(*row)._replace(fields=fields)


# Layers: the data of an import, shown or hidden in one step.


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
    return Version(row["entry"], decoded(row["state"]), row["seen"], bool(row["settled"]))

"""The journal of one file: every change of content, field by field."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from kb.records.changes import IMPORT, Change, FieldChange, State
from kb.store.sqlite.connection import Connection
from kb.store.sqlite.rows import decoded, kept

_COLUMNS = "c.id, c.at, c.who, c.what, c.deed, c.state, c.layer, c.of"


class Journal:
    """The changes of one file."""

    def __init__(self, connection: Callable[[], Connection]) -> None:
        self._connection = connection

    def append(self, change: Change) -> None:
        """Add a change with its fields."""
        values = change._asdict()
        del values["fields"]
        connection = self._connection()
        connection.insert("change", values)
        for field in change.fields:
            connection.insert("journal", {
                "id": field.id, "change": change.id, "entry": field.entry, "field": field.field,
                "before": kept(field.before), "after": kept(field.after),
            })  # fmt: skip

    def last_id(self) -> str:
        """Return the id that sorts last, or nothing."""
        sql = (
            "SELECT max(coalesce((SELECT max(id) FROM change), ''), "
            "coalesce((SELECT max(id) FROM journal), ''))"
        )
        return str(self._connection().value(sql))

    def last(self, state: State, *, first: bool = False) -> Change | None:
        """Return the last change of a reader's in this state, or the first one."""
        order = "ASC" if first else "DESC"
        row = self._connection().row(
            f"SELECT {_COLUMNS} FROM change c WHERE state = ? AND what IN ('write', 'import') "
            f"ORDER BY id {order} LIMIT 1",
            (state,),
        )
        return None if row is None else self._whole(row)

    def get(self, id: str) -> Change | None:
        """Return a change with its fields, or nothing."""
        row = self._connection().row(f"SELECT {_COLUMNS} FROM change c WHERE id = ?", (id,))
        return None if row is None else self._whole(row)

    def changes(self, limit: int | None, offset: int = 0) -> Iterator[Change]:
        """Yield the changes with their fields, the last first."""
        sql = f"SELECT {_COLUMNS} FROM change c ORDER BY id DESC LIMIT ? OFFSET ?"
        found = self._connection().rows(sql, (-1 if limit is None else limit, offset))
        return (self._whole(row) for row in found)

    def of_entry(self, entry: str) -> Iterator[Change]:
        """Yield the changes that speak of an entry, the first first, each with its fields alone."""
        found = self._connection().rows(
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
        """Return when those of these entries that any change touched last were, from 1970 on."""
        found = self._connection().rows(
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
        """Give changes another state."""
        self._connection().run_many(
            "UPDATE change SET state = ? WHERE id = ?", ((state, id) for id in ids)
        )

    def undone(self) -> list[Change]:
        """Return the changes that were taken back and can be done again, without their fields."""
        found = self._connection().rows(
            f"SELECT {_COLUMNS} FROM change c WHERE state = 'undone' ORDER BY id"
        )
        return [Change(*row) for row in found]

    def size(self) -> tuple[int, int]:
        """Return how many changes there are, and about how many bytes they take."""
        sql = (
            "SELECT (SELECT count(*) FROM change), "
            "(SELECT coalesce(sum(length(before) + length(after) + 120), 0) FROM journal)"
            " + (SELECT coalesce(sum(length(state) + 60), 0) FROM version)"
        )
        changes, size = self._connection().row(sql) or (0, 0)
        return changes, size

    def older(self, at: str) -> list[Change]:
        """Return the changes before the first of a time or later, without their fields."""
        # Where the clock was set back, what came behind a change that stays does so, too.
        sql = (
            f"SELECT {_COLUMNS} FROM change c WHERE at < ?1 AND id < "
            "coalesce((SELECT min(id) FROM change WHERE at >= ?1), 'g') ORDER BY id"
        )
        return [Change(*row) for row in self._connection().rows(sql, (at,))]

    def forget(self, ids: Sequence[str]) -> None:
        """Remove changes."""
        connection = self._connection()
        connection.run_many("DELETE FROM journal WHERE change = ?", ((id,) for id in ids))
        connection.run_many("DELETE FROM change WHERE id = ?", ((id,) for id in ids))

    def retire(self, ids: Sequence[str]) -> None:
        """Let ids never be given again."""
        self._connection().run_many(
            "INSERT INTO retired (id) VALUES (?) ON CONFLICT DO NOTHING", ((id,) for id in ids)
        )

    def recall(self, id: str) -> None:
        """Let an id be used again by the entry that had it."""
        self._connection().run("DELETE FROM retired WHERE id = ?", (id,))

    def taken(self, id: str) -> bool:
        """Say whether an id is, or was, an entry's."""
        return id in self.taken_of((id,))

    def taken_of(self, ids: Sequence[str]) -> set[str]:
        """Return those of these ids that are, or were, an entry's."""
        sql = (
            "SELECT value FROM json_each(?) WHERE value IN (SELECT id FROM entry) "
            "OR value IN (SELECT id FROM retired) OR value IN (SELECT entry FROM record)"
        )
        return {row[0] for row in self._connection().rows(sql, (json.dumps(ids),))}

    def _whole(self, row: Any) -> Change:
        (id, *_) = row
        found = self._connection().rows(
            "SELECT entry, field, before, after, id FROM journal WHERE change = ? ORDER BY id",
            (id,),
        )
        fields = tuple(
            FieldChange(f["entry"], f["field"], decoded(f["before"]), decoded(f["after"]), f["id"])
            for f in found
        )
        return Change(*row)._replace(fields=fields)

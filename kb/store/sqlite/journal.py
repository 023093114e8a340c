"""The journal of one file: every change of content, field by field."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from typing import Any

from kb.records.changes import IMPORT, Change, FieldChange, State
from kb.store.sqlite.connection import Connection
from kb.store.sqlite.rows import decoded, kept

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
"""The changes of readers, each with its last step: when, and by whom, it was made, undone or
redone last."""

_LATER = f"""
WITH {_STEPPED}, later AS (
    SELECT id, step, layer FROM stepped
    WHERE state = ?3 AND step > (SELECT step FROM stepped WHERE id = ?1)),
"""

_MEETING = f"""{_LATER}
mine(entry, field) AS (
    SELECT entry, field FROM journal WHERE change = ?1 AND entry IS NOT NULL
    UNION SELECT id, NULL FROM entry WHERE layer = ?2
    UNION SELECT entry, NULL FROM version WHERE layer = ?2
    UNION SELECT entry, NULL FROM journal
        WHERE field = 'layer' AND before = CAST(?2 AS TEXT))
SELECT step, id, entry AS name FROM (
    SELECT l.step, l.id, m.entry FROM later l JOIN journal j ON j.change = l.id
        JOIN mine m ON m.entry = j.entry
        WHERE j.field IS NULL OR m.field IS NULL OR j.field = m.field
    UNION ALL SELECT l.step, l.id, m.entry FROM later l JOIN version v ON v.layer = l.layer
        JOIN mine m ON m.entry = v.entry
    UNION ALL SELECT l.step, l.id, m.entry FROM later l JOIN entry e ON e.layer = l.layer
        JOIN mine m ON m.entry = e.id
    UNION ALL SELECT l.step, l.id, substr(j.field, 12) FROM journal m
        JOIN journal j ON j.field = m.field JOIN later l ON l.id = j.change
        WHERE m.change = ?1 AND m.entry IS NULL AND m.field LIKE 'collection.%')
ORDER BY step DESC LIMIT 1
"""
"""The last later change of a field that a change changed, and the entry or the collection.

What is made or removed is changed in every field; so is what an import stored.
"""

_PLACES = "field IS NULL OR field IN ('collection', 'renamed')"
_MEETING_COLLECTIONS = f"""{_LATER}
some(id, layer) AS (SELECT id, layer FROM later UNION ALL SELECT ?1, ?2),
told(change, entry, field, before, after) AS (
    SELECT j.change, j.entry, j.field, j.before, j.after
    FROM some s JOIN journal j ON j.change = s.id),
place(change, field, name) AS (
    SELECT change, field, json_extract(before, iif(field IS NULL, '$.collection', '$'))
        FROM told WHERE {_PLACES}
    UNION SELECT change, field, json_extract(after, iif(field IS NULL, '$.collection', '$'))
        FROM told WHERE {_PLACES}
    UNION SELECT change, field, substr(field, 12) FROM told
        WHERE entry IS NULL AND field LIKE 'collection.%'
    UNION SELECT s.id, '', e.collection FROM some s JOIN entry e ON e.layer = s.layer),
whole(change, name) AS (
    SELECT change, name FROM place WHERE field = 'renamed'
    UNION SELECT change, substr(field, 12) FROM told
        WHERE change = ?1 AND before = 'null' AND field LIKE 'collection.%'
        AND NOT EXISTS (SELECT 1 FROM journal WHERE change = ?1 AND entry IS NOT NULL)
        AND ?2 IS NULL)
SELECT l.step, l.id, p.name FROM whole w
    JOIN place p ON substr(p.name || '/', 1, length(w.name) + 1) = w.name || '/'
    JOIN later l ON l.id = iif(w.change = ?1, p.change, w.change)
WHERE w.change = ?1 OR p.change = ?1
ORDER BY l.step DESC LIMIT 1
"""
"""The last later change that meets a change in a collection that one of the two renamed, or that
the one made and did nothing else: the other names it, or one below it."""


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

    def last(self, state: State, session: str | None = None) -> Change | None:
        """Return the change of a reader's that came into this state last, by this session.

        When it did so, and who brought it there, stand in it.
        """
        row = self._connection().row(
            f"WITH {_STEPPED} SELECT {_COLUMNS} FROM stepped c "
            "WHERE state = ?1 AND (?2 IS NULL OR session = ?2) ORDER BY step DESC LIMIT 1",
            (state, session),
        )
        return None if row is None else self._whole(row)

    def meeting(self, change: Change) -> tuple[Change, str] | None:
        """Return the last later change of the same, in the same state, and what both changed.

        That is an entry, or a collection.
        """
        given = (change.id, change.layer, change.state)
        found = [
            row
            for sql in (_MEETING, _MEETING_COLLECTIONS)
            if (row := self._connection().row(sql, given)) is not None
        ]
        if not found:
            return None
        step, id, name = max(found, key=lambda row: str(row[0]))
        met, by = self.get(id), self.get(step)
        assert met is not None
        assert by is not None
        return met._replace(at=by.at, who=by.who), name

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
        """Return the changes that are undone and can be redone, without their fields."""
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
        (found,) = self._connection().rows(sql)
        return tuple(found)

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

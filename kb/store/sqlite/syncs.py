"""What a file knows of its exchanges with other copies: rows, positions, and entries in dispute."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import NamedTuple

from kb.store.sqlite.driver import Part

GOOD, PROPOSAL, BAD = 0, 1, 2
"""The standing of a row: it counts, awaits a reviewer, or breaks our rules and never counts."""

UNKNOWN = "?"
"""The sender of a row from a file of proposals."""

_UNSENT = "space = ? AND sent = 0 AND (author = ? OR ?)"
_MADE_HERE = 2
"""What ``applied`` is of a row that was made in this copy."""

_READ = f"r.id, r.body, r.author, r.standing, r.applied > 0, r.applied = {_MADE_HERE}"


class Space(NamedTuple):
    """A set of rows that copies share: a course on a hub, or what is exchanged by files.

    ``me`` is the reader's name there. ``seq`` and ``chain`` are the last position that was read,
    and the digest of everything before it. ``seen`` is the last change that is in rows. ``only``
    names the collections of the course that are read, one on each line, or nothing for all.
    """

    target: str
    course: str = ""
    me: str = ""
    role: str = ""
    seq: int = 0
    chain: str = ""
    seen: str = ""
    only: str = ""
    id: int = 0


class StoredRow(NamedTuple):
    """A row as stored: its text, its sender on the hub, its standing, and whether it is applied.

    One ``made_here`` was not received: the reader made the change in this copy.
    """

    id: str
    body: str
    author: str
    standing: int
    applied: bool
    made_here: bool


class Syncs(Part):
    """The spaces of one file, and their rows."""

    def space(self, target: str, course: str) -> Space | None:
        """Return a known space, or nothing."""
        sql = f"SELECT {', '.join(Space._fields)} FROM sync_space WHERE target = ? AND course = ?"
        found = self._db.row(sql, (target, course))
        return None if found is None else Space(*found)

    def spaces(self) -> list[Space]:
        """Return all spaces."""
        sql = f"SELECT {', '.join(Space._fields)} FROM sync_space ORDER BY id"
        return [Space(*row) for row in self._db.rows(sql)]

    def put_space(self, space: Space) -> Space:
        """Store a space; return it with its number."""
        values = {k: v for k, v in space._asdict().items() if k != "id"}
        self._db.upsert("sync_space", values, ("target", "course"))
        found = self.space(space.target, space.course)
        assert found is not None
        return found

    def first_sent(self, space: Space, limit: int) -> list[str]:
        """Return some rows that the hub has, first the oldest of those that name an author."""
        sql = (
            "SELECT id FROM sync_row WHERE space = ? AND sent = 1 "
            'ORDER BY body LIKE \'%"author":""%\', key LIMIT ?'
        )
        return self._db.column(sql, (space.id, limit))

    def move(self, space: Space, target: str) -> Space:
        """Give a space another address."""
        self._db.run("UPDATE sync_space SET target = ? WHERE id = ?", (target, space.id))
        return space._replace(target=target)

    def last_change(self) -> str:
        """Return the id of the last change of content, or one before all others."""
        return str(self._db.value("SELECT coalesce(max(id), '0') FROM change"))

    def touched(self, seen: str) -> list[str]:
        """Return the entries that changed after a change; at first, all of a reader's."""
        if not seen:
            sql = (
                "SELECT id FROM entry WHERE owner = 'user' UNION "
                "SELECT entry FROM annotation WHERE owner = 'reader' UNION "
                "SELECT entry FROM record WHERE base IS NOT NULL UNION "
                "SELECT es.entry FROM entry_snippet es JOIN snippet s ON s.id = es.snippet "
                "WHERE s.owner = 'reader'"
            )
            return self._db.column(sql)
        sql = (
            "WITH news(id, layer) AS (SELECT id, layer FROM change WHERE id > ?1 UNION "
            "SELECT c.id, c.layer FROM change n JOIN change c ON c.id = n.of WHERE n.id > ?1) "
            "SELECT j.entry FROM news JOIN journal j ON j.change = news.id "
            "WHERE j.entry IS NOT NULL UNION "
            "SELECT e.id FROM news JOIN entry e ON e.layer = news.layer UNION "
            "SELECT v.entry FROM news JOIN version v ON v.layer = news.layer UNION "
            "SELECT e.id FROM news JOIN journal j ON j.change = news.id AND j.field = 'renamed' "
            "JOIN entry e ON e.collection || '/' LIKE json_extract(j.after, '$') || '/%' "
            "OR e.collection || '/' LIKE json_extract(j.before, '$') || '/%'"
        )
        return self._db.column(sql, (seen,))

    def add(
        self,
        space: Space,
        rows: Iterable[tuple[str, str, str, str, int]],
        *,
        made_here: bool,
        sent: bool,
    ) -> None:
        """Add rows: id, entry, text, sender and standing of each; those made here are applied.

        Of a known row, the better standing counts. A proposal on the hub leaves a row unsent that
        counts here, so that it is sent again by somebody whose rows count.
        """
        self._db.run_many(
            "INSERT INTO sync_row (space, id, entry, body, author, standing, applied, sent) "
            "VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8) ON CONFLICT (space, id) DO UPDATE SET "
            "sent = iif(excluded.standing <= standing OR excluded.author = ?9, "
            "max(sent, excluded.sent), sent), "
            "applied = iif(excluded.standing < standing AND author <> ?9, 0, applied), "
            "author = iif(excluded.sent AND excluded.standing <= standing, excluded.author, "
            "author), standing = iif(excluded.sent > sent AND excluded.author = ?9, "
            "excluded.standing, min(standing, excluded.standing))",
            ((space.id, *row, _MADE_HERE * made_here, int(sent), space.me) for row in rows),
        )

    def rows(self, space: Space, entries: Collection[str]) -> Mapping[str, list[StoredRow]]:
        """Return the rows of entries."""
        found: dict[str, list[StoredRow]] = defaultdict(list)
        sql = (
            f"SELECT r.entry, {_READ} FROM json_each(?) AS asked "
            "CROSS JOIN sync_row r ON r.space = ? AND r.entry = asked.value"
        )
        for entry, *values in self._db.rows(sql, (json.dumps(list(entries)), space.id)):
            found[entry].append(StoredRow(*values))
        return found

    def bodies(self, space: Space) -> Iterator[str]:
        """Yield the texts of all rows as they arrived."""
        sql = "SELECT body FROM sync_row WHERE space = ? ORDER BY key"
        return (row[0] for row in self._db.stream(sql, (space.id,)))

    def missing(self, space: Space, ids: Collection[str]) -> set[str]:
        """Return the ids among these that are not stored."""
        sql = (
            "SELECT asked.value FROM json_each(?) AS asked WHERE NOT EXISTS "
            "(SELECT 1 FROM sync_row r WHERE r.space = ? AND r.id = asked.value)"
        )
        found = self._db.rows(sql, (json.dumps(list(ids)), space.id))
        return {row[0] for row in found}

    def count(self, space: Space) -> int:
        """Return the number of rows."""
        return int(self._db.value("SELECT count(*) FROM sync_row WHERE space = ?", (space.id,)))

    def counting(self, space: Space) -> set[str]:
        """Return the ids of all rows that count."""
        sql = "SELECT id FROM sync_row WHERE space = ? AND standing = ?"
        return set(self._db.column(sql, (space.id, GOOD)))

    def unapplied(self, space: Space) -> list[tuple[str, int]]:
        """Return the entries with rows that are not applied yet, and the length of these."""
        sql = (
            "SELECT entry, sum(length(body)) FROM sync_row WHERE space = ? AND applied = 0 "
            "GROUP BY entry"
        )
        return [tuple(row) for row in self._db.rows(sql, (space.id,))]

    def mark_applied(self, space: Space, entries: Collection[str]) -> None:
        """Record that all rows of these entries are applied."""
        sql = (
            "UPDATE sync_row SET applied = 1 WHERE space = ? "
            "AND entry IN (SELECT value FROM json_each(?)) AND applied = 0"
        )
        self._db.run(sql, (space.id, json.dumps(list(entries))))

    def unsent(self, space: Space, limit: int) -> list[tuple[str, str]]:
        """Return some rows that the hub lacks: ids and texts. A reader sends only their own."""
        sql = f"SELECT id, body FROM sync_row WHERE {_UNSENT} ORDER BY key LIMIT ?"
        values = (space.id, space.me, space.role != "reader", limit)
        return [tuple(row) for row in self._db.rows(sql, values)]

    def count_unsent(self, space: Space) -> int:
        """Return the number of rows that the hub or the last file lacks."""
        sql = f"SELECT count(*) FROM sync_row WHERE {_UNSENT}"
        return int(self._db.value(sql, (space.id, space.me, space.role != "reader")))

    def own_proposals(self, space: Space) -> list[str]:
        """Return the texts of a reader's rows that are not sent, or wait for a reviewer."""
        sql = (
            "SELECT body FROM sync_row WHERE space = ? AND author = ? "
            "AND (sent = 0 OR standing = ?) ORDER BY key"
        )
        return self._db.column(sql, (space.id, space.me, PROPOSAL))

    def send_accepted(self, space: Space, entry: str) -> None:
        """Let the next sync send the proposals of an entry that came by a file."""
        self._db.run(
            "UPDATE sync_row SET sent = 0 WHERE space = ? AND entry = ? AND author = ?",
            (space.id, entry, UNKNOWN),
        )

    def mark_all_sent(self, space: Space, sent: bool) -> None:
        """Record that the file or the hub has all rows, or none of them."""
        sql = "UPDATE sync_row SET sent = ?1 WHERE space = ?2 AND sent <> ?1"
        self._db.run(sql, (int(sent), space.id))

    def mark_sent(self, space: Space, ids: Iterable[str], standing: int | None) -> None:
        """Record that the hub has rows, and their standing there."""
        self._db.run_many(
            "UPDATE sync_row SET sent = 1, standing = coalesce(?, standing) "
            "WHERE space = ? AND id = ?",
            ((standing, space.id, id) for id in ids),
        )

    def put_disputes(self, space: Space, entries: Mapping[str, bool]) -> None:
        """Record for each of these entries whether it is in dispute."""
        sql = (
            "DELETE FROM sync_dispute WHERE space = ? AND entry IN (SELECT value FROM json_each(?))"
        )
        self._db.run(sql, (space.id, json.dumps(list(entries))))
        sql = "INSERT INTO sync_dispute (space, entry) VALUES (?, ?)"
        self._db.run_many(sql, ((space.id, entry) for entry, yes in entries.items() if yes))

    def disputed(self, space: Space) -> list[str]:
        """Return the entries in dispute."""
        sql = "SELECT entry FROM sync_dispute WHERE space = ? ORDER BY entry"
        return self._db.column(sql, (space.id,))

    def proposals(self, space: Space) -> list[StoredRow]:
        """Return the rows that await a reviewer or did."""
        sql = f"SELECT {_READ} FROM sync_row r WHERE space = ? AND standing = ? ORDER BY key"
        return [StoredRow(*row) for row in self._db.rows(sql, (space.id, PROPOSAL))]

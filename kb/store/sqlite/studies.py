"""The study log, and memory states that can be rebuilt from it."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from kb.model.study import Card, Row, Scheduler
from kb.store.sqlite.driver import Part
from kb.store.sqlite.rows import LISTED

_NAMED, _MEMORY = Card._fields[:2], Card._fields[2:]
_M = ", ".join(f"m.{name}" for name in _MEMORY)
_KEPT = "what <> 'undo' AND id NOT IN (SELECT of FROM study_log WHERE of > 0)"
_GRADED = f"what = 'grade' AND {_KEPT}"
_OF_CARDS = "FROM study_log l JOIN study_card c ON c.card = l.card"
_ROWS = f"SELECT l.*, c.entry, c.exercise {_OF_CARDS}"
_STUDIED = (
    "(e.kind IN ('card', 'question') OR EXISTS (SELECT 1 FROM study_card a "
    "JOIN study_memory am ON am.card = a.card WHERE a.entry = e.id AND a.exercise = '' "
    "AND am.due > 0)) AND EXISTS (SELECT 1 FROM document d WHERE d.entry = e.key "
    "AND (e.kind = 'note' OR coalesce(d.source, d.reference) IS NOT NULL))"
)
_BEGUN = "EXISTS (SELECT 1 FROM study_card b WHERE b.entry = e.id AND b.exercise <> '')"
_WHOLE = (
    "NOT EXISTS (SELECT 1 FROM study_card s JOIN study_memory sm ON sm.card = s.card "
    "WHERE s.entry = e.id AND s.exercise = '' AND sm.suspended = 1)"
)
_BELOW = "(?1 = '' OR e.collection = ?1 OR substr(e.collection, 1, length(?1) + 1) = ?1 || '/')"
_TODAY = f"SELECT c.entry {_OF_CARDS} WHERE l.day = ?2 AND {_GRADED}"

_ACTIVE = "m.reviews > 0 AND m.suspended = 0 AND m.lapses < ?2"
_MET = (
    "FROM study_memory m JOIN study_card c ON c.card = m.card "
    f"JOIN entry e ON e.id = c.entry WHERE c.exercise <> '' AND {LISTED}"
)


class Asking(NamedTuple):
    """The conditions for the next exercise: collection, day and options.

    ``apart`` keeps exercises of one entry on different days, ``leech`` is the number of lapses
    that suspends one, ``kinds`` are the kinds of exercises, all if empty.
    """

    collection: str
    day: int
    apart: bool
    leech: int
    kinds: Sequence[str] = ()
    skipped: Sequence[tuple[str, str]] = ()


class Studies(Part):
    """The study log of one file."""

    def add(self, row: Row, *, last: bool = True) -> int:
        """Add a row to the log as the last one, or else at its time, and return its id."""
        card, first = self.card_number(row.entry, row.exercise, row.day), row.at << 16
        sql = "SELECT max(id) FROM study_log WHERE id BETWEEN ? AND ?"
        before = self._db.value(sql, (first, 1 << 62 if last else first | 0xFFFF))
        id = first if before is None else int(before) + 1
        told = {name: value for name, value in row._asdict().items() if name not in _NAMED}
        return self._db.insert("study_log", {**told, "id": id, "card": card})

    def card_number(self, entry: str, exercise: str, day: int) -> int:
        """Return the number of an exercise, given on the day on which it is first met."""
        sql = "SELECT card FROM study_card WHERE entry = ? AND exercise = ?"
        found = self._db.value(sql, (entry, exercise))
        if found is not None:
            return int(found)
        return self._db.insert("study_card", {"met": day, "entry": entry, "exercise": exercise})

    def undoable(self, id: int | None) -> Row | None:
        """Return the row of an id, or else the newest, if it can be undone."""
        sql = (
            f"{_ROWS} WHERE l.what NOT IN ('undo', 'changed') AND {_KEPT} "
            "AND l.id = coalesce(?, l.id) ORDER BY l.id DESC LIMIT 1"
        )
        return next(map(_row, self._db.rows(sql, (id,))), None)

    def undone(self) -> list[Row]:
        """Return the rows that were undone."""
        sql = f"{_ROWS} WHERE l.id IN (SELECT of FROM study_log WHERE of > 0)"
        return [_row(row) for row in self._db.rows(sql)]

    def rows(self, after: int = 0) -> Iterator[Row]:
        """Yield all rows of the log by id."""
        found = self._db.stream(f"{_ROWS} WHERE l.id > ? ORDER BY l.id", (after,))
        return map(_row, found)

    def steps(self, entry: str, exercise: str) -> list[Row]:
        """Return the rows of an exercise that determine its memory state, without undone ones."""
        sql = f"{_ROWS} WHERE c.entry = ? AND c.exercise = ? AND {_KEPT} ORDER BY l.at, l.id"
        return [_row(row) for row in self._db.rows(sql, (entry, exercise))]

    def cards(self) -> list[tuple[str, str]]:
        """Return the registered exercises."""
        return [tuple(row) for row in self._db.rows("SELECT entry, exercise FROM study_card")]

    def rated(self) -> list[str]:
        """Return the stored entries with at least one rating."""
        stored = "c.entry IN (SELECT id FROM entry)"
        return self._db.column(f"SELECT DISTINCT c.entry {_OF_CARDS} WHERE {_GRADED} AND {stored}")

    def exercises(self, entry: str) -> list[str]:
        """Return the keys of an entry's registered exercises."""
        sql = "SELECT exercise FROM study_card WHERE entry = ? AND exercise <> ''"
        return self._db.column(sql, (entry,))

    def scheduler(self, given: Scheduler) -> int:
        """Return the number of a scheduler, which is assigned on first use."""
        values = {
            "retention": given.retention,
            "begins": given.begins,
            "weights": json.dumps(given.weights),
        }
        where = " AND ".join(f"{name} = ?" for name in values)
        sql = f"SELECT id FROM study_scheduler WHERE {where}"
        found = self._db.value(sql, tuple(values.values()))
        return int(found) if found else self._db.insert("study_scheduler", values)

    def schedulers(self) -> dict[int, Scheduler]:
        """Return the schedulers of the log's rows by number."""
        found = self._db.rows("SELECT id, weights, retention, begins FROM study_scheduler")
        return {row[0]: Scheduler(tuple(json.loads(row[1])), row[2], row[3]) for row in found}

    # Memory, which follows from the log.

    def remember(self, card: Card) -> None:
        """Store the memory state of an exercise, and have its entry checked again."""
        self._remember(self.card_number(card.entry, card.exercise, card.day), card)

    def _remember(self, number: int, card: Card) -> None:
        values = {name: getattr(card, name) for name in _MEMORY}
        self._db.upsert("study_memory", {"card": number, **values, "seen": None}, ("card",))

    def forget(self) -> None:
        """Delete all memory states."""
        self._db.run("DELETE FROM study_memory")

    def replayed_with(self) -> str:
        """Return the settings that memory was replayed with, or nothing."""
        return str(self._db.value("SELECT shown FROM study_memory WHERE card = 0") or "")

    def end_replay(self, by: str) -> None:
        """Record what all memory states were replayed with, and that their entries are checked."""
        self._remember(0, Card("", "", shown=by))
        self._db.run(
            "UPDATE study_memory SET seen = (SELECT e.digest FROM study_card c "
            "JOIN entry e ON e.id = c.entry WHERE c.card = study_memory.card)"
        )

    def card(self, entry: str, exercise: str) -> Card:
        """Return the memory state of an exercise."""
        row = self._db.row(
            f"SELECT {_M} FROM study_card c JOIN study_memory m ON m.card = c.card "
            "WHERE c.entry = ? AND c.exercise = ?",
            (entry, exercise),
        )
        return Card(entry, exercise) if row is None else _card(entry, exercise, row)

    def altered(self, most: int) -> list[str]:
        """Return listed entries that changed since their exercises were last checked."""
        sql = f"SELECT DISTINCT e.id {_MET} AND m.seen IS NOT e.digest LIMIT ?"
        return self._db.column(sql, (most,))

    def seen(self, entry: str, exercise: str) -> None:
        """Record that an exercise was checked against its current entry."""
        self._db.run(
            "UPDATE study_memory SET seen = (SELECT digest FROM entry WHERE id = ?1) WHERE card = "
            "(SELECT card FROM study_card WHERE entry = ?1 AND exercise = ?2)",
            (entry, exercise),
        )

    # What is asked next.

    def due(self, asking: Asking) -> list[Card]:
        """Return due exercises: those rated before today first, longest due first."""
        return self._found(
            asking,
            "m.reviews > 0 AND m.due <= ?2",
            "m.day >= ?2, iif(m.day >= ?2, m.at, m.due), m.stability, c.card",
        )

    def further(self, asking: Asking) -> list[Card]:
        """Return new exercises of entries that have others already asked."""
        return self._found(asking, "m.reviews = 0", "m.card")

    def any_of(self, asking: Asking) -> list[Card]:
        """Return exercises asked before, weakest first."""
        return self._found(asking, "m.reviews > 0", "m.day + m.stability, c.card", free=True)

    def _found(self, asking: Asking, where: str, order: str, *, free: bool = False) -> list[Card]:
        apart = f"(m.day >= ?2 OR c.entry NOT IN ({_TODAY}))" if asking.apart and not free else "1"
        kinds = (
            "(?4 = '[]' OR substr(c.exercise, 1, instr(c.exercise || ':', ':') - 1) IN "
            "(SELECT value FROM json_each(?4)))"
        )
        found = self._db.rows(
            f"SELECT c.entry, c.exercise, {_M} {_MET} AND {where} AND m.suspended = 0 "
            f"AND m.lapses < ?3 AND {_WHOLE} AND {_BELOW} AND {kinds} AND {apart} "
            "AND NOT EXISTS (SELECT 1 FROM json_each(?5) s WHERE s.value ->> 0 = c.entry "
            "AND s.value ->> 1 = c.exercise) "
            f"ORDER BY {order} LIMIT 50",
            (
                asking.collection, asking.day, asking.leech, json.dumps(list(asking.kinds)),
                json.dumps([list(each) for each in asking.skipped]),
            ),
        )  # fmt: skip
        return [_card(row[0], row[1], row[2:]) for row in found]

    def untouched(self, collection: str, skipped: Sequence[str], *, random: bool) -> list[str]:
        """Return entries without any asked exercise, in order or at random."""
        order = "random()" if random else "p.position, e.position, e.id"
        sql = (
            "SELECT e.id FROM collection p CROSS JOIN entry e ON e.collection = p.id "
            f"WHERE {LISTED} AND {_STUDIED} AND NOT {_BEGUN} AND {_WHOLE} AND {_BELOW} "
            "AND e.id NOT IN (SELECT value FROM json_each(?2)) "
            f"ORDER BY {order} LIMIT 20"
        )
        found = self._db.rows(sql, (collection, json.dumps(list(skipped))))
        return [row[0] for row in found]

    # What is counted.

    def waiting(self, day: int, leech: int) -> tuple[int, int]:
        """Count the exercises due by a day: those not asked on it, and those asked again."""
        columns = "coalesce(sum(m.day < ?1), 0), coalesce(sum(m.day >= ?1), 0)"
        return self._sums(f"SELECT {columns} {_MET} AND {_ACTIVE} AND m.due <= ?1", (day, leech))

    def standing(self, day: int, leech: int) -> tuple[int, int, int, int]:
        """Count the exercises overdue on a day, due on the next, suspended, and leeches."""
        sums = (
            f"{_ACTIVE} AND m.day < ?1 AND m.due < ?1",
            f"{_ACTIVE} AND m.due = ?1 + 1",
            "m.suspended = 1",
            "m.suspended = 0 AND m.lapses >= ?2",
        )
        columns = ", ".join(f"coalesce(sum({each}), 0)" for each in sums)
        return self._sums(f"SELECT {columns} {_MET}", (day, leech))

    def counts(self, day: int, leech: int, *, apart: bool) -> list[tuple[str, int, int, int]]:
        """Return counts by collection: due on a day, due again that day, and new.

        New entries count once; in started entries, each new exercise counts. Where exercises of an
        entry are asked ``apart``, it counts once, and not if one of it was asked that day.
        """
        fresh = "m.reviews = 0" + f" AND c.entry NOT IN ({_TODAY})" * apart
        asked = (
            "SELECT e.collection, sum(m.reviews > 0 AND m.day < ?2) AS due, "
            f"sum(m.reviews > 0 AND m.day >= ?2) AS again, max({fresh}) AS fresh "
            f"{_MET} AND m.due <= ?2 AND m.suspended = 0 AND m.lapses < ?1 AND {_WHOLE} "
            f"GROUP BY {'c.entry' if apart else 'm.card'}"
        )
        untouched = (
            "SELECT e.collection, 0, 0, 1 FROM entry e "
            f"WHERE {LISTED} AND {_STUDIED} AND NOT {_BEGUN} AND {_WHOLE}"
        )
        found = self._db.rows(
            f"SELECT p.id, sum(due), sum(again), sum(fresh) FROM ({asked} UNION ALL {untouched}) f "
            "JOIN collection p ON p.id = f.collection GROUP BY p.id ORDER BY p.position",
            (leech, day),
        )
        return [(row[0], row[1], row[2], row[3]) for row in found]

    def done(self, day: int) -> tuple[int, int]:
        """Return how many new and how many earlier exercises were asked on a day."""
        return self._sums(
            "SELECT coalesce(sum(m.reviews = t.n), 0), coalesce(sum(m.reviews <> t.n), 0) FROM ("
            f"SELECT card, count(*) AS n FROM study_log WHERE day = ? AND {_GRADED} GROUP BY card"
            ") t JOIN study_memory m ON m.card = t.card",
            (day,),
        )

    def changed_on(self, day: int) -> int:
        """Return how many exercises came back on a day after somebody else's changes."""
        sql = "SELECT count(*) FROM study_log WHERE day = ? AND what = 'changed'"
        return int(self._db.value(sql, (day,)))

    def changed_by_reader(self, entry: str, since: str) -> bool:
        """Return whether the reader changed an entry since a time."""
        sql = (
            "SELECT EXISTS (SELECT 1 FROM journal j JOIN change c ON c.id = j.change "
            "WHERE j.entry = ? AND c.what NOT IN ('import', 'publish') AND c.at > ?)"
        )
        return bool(self._db.value(sql, (entry, since)))

    def due_days(self, day: int, days: int) -> dict[int, int]:
        """Return the number of due exercises per day from a day on; overdue ones count there."""
        sql = (
            f"SELECT max(m.due, ?1), count(*) {_MET} AND m.reviews > 0 AND m.suspended = 0 "
            "AND m.due < ?1 + ?2 GROUP BY 1"
        )
        return {row[0]: row[1] for row in self._db.rows(sql, (day, days))}

    def days(self, since: int) -> dict[int, int]:
        """Return the number of ratings per day from a day on."""
        sql = f"SELECT day, count(*) FROM study_log WHERE day >= ? AND {_GRADED} GROUP BY day"
        return {row[0]: row[1] for row in self._db.rows(f"{sql} ORDER BY day", (since,))}

    def recalled(self, since: int) -> tuple[int, int]:
        """Return how many exercises were repeated after a day or more, and how many recalled."""
        return self._sums(
            "SELECT count(*), coalesce(sum(l.rating > 1), 0) FROM study_log l "
            f"WHERE l.day >= ? AND {_GRADED} "
            "AND EXISTS (SELECT 1 FROM study_log p WHERE p.card = l.card AND p.at < l.at "
            "AND p.day < l.day AND p.what = 'grade') "
            "AND NOT EXISTS (SELECT 1 FROM study_log p WHERE p.card = l.card AND p.at < l.at "
            "AND p.day = l.day AND p.what = 'grade')",
            (since,),
        )

    def confidence(self) -> dict[int, tuple[int, int]]:
        """Return the number of answers by confidence, and how many were right."""
        sql = (
            "SELECT confidence, count(*), sum(rating > 1) FROM study_log WHERE confidence > 0 "
            f"AND {_GRADED} GROUP BY confidence ORDER BY confidence"
        )
        return {row[0]: (row[1], row[2]) for row in self._db.rows(sql)}

    def totals(self) -> tuple[int, int, int]:
        """Return the total numbers of ratings and exercises, and the time in milliseconds."""
        return self._sums(
            "SELECT count(*), count(DISTINCT card), coalesce(sum(took), 0) FROM study_log "
            f"WHERE {_GRADED}"
        )

    def _sums(self, sql: str, values: Sequence[object] = ()) -> tuple[Any, ...]:
        return tuple(*self._db.rows(sql, values))


def _row(row: Any) -> Row:
    return Row(*(row[name] for name in Row._fields))


def _card(entry: str, exercise: str, row: Sequence[Any]) -> Card:
    told = dict(zip(_MEMORY, row, strict=True))
    flags = {name: bool(told[name]) for name in ("suspended", "changed")}
    return Card(entry, exercise, **{**told, **flags})

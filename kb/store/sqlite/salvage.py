"""Recovers the data of a damaged database into the tables of a new one.

A row's table is known from its shape: no two of our tables have the same kinds of values. Missing
rows are known from the indexes, which name every row, as far as SQLite can read them.
"""

from __future__ import annotations

import json
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from contextlib import closing, suppress
from functools import cache, partial
from pathlib import Path
from typing import Any, NamedTuple

from kb.errors import BadDatabase
from kb.model.reports import Salvaged
from kb.store.sqlite.driver import SQLITE_ERRORS, Connection, RawConnection, sqlite3
from kb.store.sqlite.files import APPLICATION_ID, VERSION
from kb.store.sqlite.pages import Pages, Record, Value
from kb.store.sqlite.rows import DARK, SHOWN

CONTENT = (
    "meta", "source", "collection", "entry", "document", "snippet", "entry_snippet", "annotation",
    "evidence", "verification", "name", "path", "file", "record", "media", "review",
    "study_log", "study_card", "study_scheduler",
)  # fmt: skip
"""The tables whose rows are recovered."""

HISTORY = ("layer", "version", "change", "journal", "retired")
"""The tables of the change log, which are useless unless complete."""

FIRST_VERSION = 8
"""The first version whose tables have today's columns, except the last ones."""

LOST = "salvaged"
"""The collection of recovered entries with unknown collection."""

_SCHEMA = "tttit"
_KINDS = {"TEXT": "t", "INTEGER": "i", "FLOAT": "ir", "REAL": "ir", "BLOB": "b"}
_EMPTY: Mapping[str, Value] = {"INTEGER": 0, "TEXT": "", "BLOB": b""}
_JSON: Mapping[str, Value] = {
    "collection.title": "{}", "entry.tags": "[]", "entry.related": "[]", "entry.media": None,
    "entry.aliases": None, "entry.file": None, "entry.assessment": None,
    "entry.prompts": None,
    "document.origins": "[]", "document.source_origin": None, "document.reference_origin": None,
    "snippet.title": "{}", "annotation.note": "{}", "annotation.refs": "[]",
    "annotation.anchors": None, "verification.figures": "{}", "record.base": None,
    "record.theirs": None,
}  # fmt: skip
"""The JSON columns, and their value if it was lost."""

_NO_USE_CUT = ("snippet", "media", "meta")
"""The tables whose rows are useless if truncated: half a program does something else."""

_OF_ENTRIES = {"document": 1, "annotation": 1, "entry_snippet": 0}
"""The tables of entries' parts, and their column for the entry."""


class _Column(NamedTuple):
    name: str
    kinds: str
    empty: Value
    json: bool


class _Table(NamedTuple):
    name: str
    columns: Sequence[_Column]

    def fits(self, kinds: str) -> bool:
        """Return whether a row of these kinds fits the table; new columns were added at the end."""
        pairs = zip(kinds, self.columns, strict=False)
        missing = self.columns[len(kinds) :]
        return (
            len(kinds) <= len(self.columns)
            and all(kind in column.kinds for kind, column in pairs)
            and all("n" in column.kinds or column.empty is not None for column in missing)
        )


def readable(path: str) -> Pages:
    """Return the pages of a database. Raises `BadDatabase` if it is certainly not ours."""
    pages = Pages(path)
    known = pages.known()
    if known is None:
        return pages
    version, application = known
    if application != APPLICATION_ID:
        raise BadDatabase("this is a database of another program", place=path)
    if not FIRST_VERSION <= version <= VERSION:
        raise BadDatabase(
            "format {version} cannot be salvaged (this danesh reads formats {oldest} to {newest})",
            "Restore a copy with 'kb restore'.",
            place=path,
            version=version,
            oldest=FIRST_VERSION,
            newest=VERSION,
        )
    return pages


def fill(connection: Connection, pages: Pages, *, history: bool = False) -> tuple[Salvaged, bool]:
    """Fill the empty tables of a new file with the readable data of another.

    Returns also whether names of the bundled glossary may be missing. The losses are minimums.
    The caller holds the transaction. Without ``history``, undo is lost: undone data is left out,
    and changed data stays.
    """
    tables = _tables(connection)
    wanted = (*CONTENT, *HISTORY) if history else (*CONTENT, "layer")
    table_of = cache(partial(_table_of, tables))
    rows = _Rows(connection, {each.name: each for each in tables if each.name in wanted})
    for record in pages.rows():
        rows.put(table_of(record.kinds), record)
    rows.end()
    losses = _Losses(pages.path, rows, wanted)
    made = _make_lost_entries(connection, losses)
    partly = _partly(connection, rows, losses, made)
    if not history:  # leave out undone and unfinished layers, and make the rest permanent
        connection.run(f"DELETE FROM entry WHERE layer IN {DARK}")
        for table in ("entry", "collection", "file", "record"):
            connection.run(f"UPDATE {table} SET layer = 0")
        connection.run("DELETE FROM layer")
    mend_orphans(connection)
    counted = {name: connection.value(f'SELECT count(*) FROM "{name}"') for name in CONTENT}
    shown = connection.value(f"SELECT count(*) FROM entry e WHERE {SHOWN}")
    saved = {name: count for name, count in {**counted, "entry": shown}.items() if count}
    lost = {name: count for name in wanted if (count := losses.lost(name))}
    names_lost = bool(losses.gone("name")) or "name" in losses.unsure
    return Salvaged("", saved, lost, partly, not (lost or losses.unsure)), names_lost


def _table_of(tables: Sequence[_Table], kinds: str) -> str:
    """Return the table of a row by the kinds of its values, or nothing.

    A table with as many columns is preferred.
    """
    if kinds in (_SCHEMA, f"{_SCHEMA[:-1]}n"):
        return "sqlite_schema"
    fitting = ((len(each.columns), each.name) for each in tables if each.fits(kinds))
    return min(fitting, default=(0, ""))[1]


class _Rows:
    """Inserts rows into tables; truncated ones last, if there is no complete one."""

    def __init__(self, connection: Connection, tables: Mapping[str, _Table]) -> None:
        self._db = connection
        self._tables = tables
        self._cut: list[tuple[str, Record]] = []
        self.met: dict[str, set[int]] = defaultdict(set)
        """The row numbers found, by table."""
        self.cut: dict[str, set[int]] = defaultdict(set)
        """The row numbers of incomplete rows."""
        self.cut_of: dict[str, set[Value]] = defaultdict(set)
        """The entries of incomplete rows, by their reference."""

    def put(self, name: str, record: Record) -> None:
        """Add a row of a table."""
        if name not in self._tables or record.rowid in self.met[name]:
            return
        if record.whole < len(record.values):
            self._cut.append((name, record))
            return
        self._add(name, record)

    def end(self) -> None:
        """Add the truncated rows."""
        for name, record in self._cut:
            if record.rowid not in self.met[name]:
                self.cut[name].add(record.rowid)
                if name not in _NO_USE_CUT:
                    self._add(name, record)

    def _add(self, name: str, record: Record) -> None:
        self.met[name].add(record.rowid)
        values, marks = [*self._values(name, record)], len(self._tables[name].columns) * "?,"
        self._db.run(f'INSERT OR IGNORE INTO "{name}" VALUES ({marks[:-1]})', values)
        if record.rowid in self.cut[name] and name in _OF_ENTRIES:
            self.cut_of[name].add(values[_OF_ENTRIES[name]])

    def _values(self, name: str, record: Record) -> Iterator[Value]:
        """Yield the values of a row: the readable part of a truncated text, nothing for others."""
        columns = self._tables[name].columns
        for place, column in enumerate(columns):
            stored = place < len(record.values)
            value = record.values[place] if stored else column.empty
            if column.kinds == "n":
                yield record.rowid
            elif column.json and value is not None and not _is_json(value):
                self.cut[name].add(record.rowid)
                yield column.empty
            elif stored and place >= record.whole and not isinstance(value, str):
                yield column.empty
            else:
                yield value


class _Losses:
    """What is missing, according to the indexes of tables that SQLite cannot read.

    More may be missing in the ``unsure`` tables, which have no readable index.
    """

    def __init__(self, path: str, rows: _Rows, tables: Iterable[str]) -> None:
        self._rows = rows
        self._indexes: dict[str, dict[str, dict[int, Sequence[Any]]]] = defaultdict(dict)
        self.unsure = set(tables)
        place = f"{Path(path).absolute().as_uri()}?mode=ro&immutable=1"
        with closing(sqlite3.connect(place, uri=True)) as old, suppress(*SQLITE_ERRORS):
            old.execute("PRAGMA writable_schema=ON")  # it then reads a file that was cut, too
            old.execute("PRAGMA cell_size_check=ON")
            known = {name for (name,) in old.execute("SELECT name FROM sqlite_master")}
            for table in tables:
                if table not in known or self._is_readable(old, table):
                    self.unsure.discard(table)

    def _is_readable(self, old: RawConnection, table: str) -> bool:
        """Return whether a table, or else one of its indexes, can be read to its end."""
        if _scanned({}, old, f'SELECT rowid FROM "{table}" NOT INDEXED'):
            return True
        whole = False
        for _, index, *_ in old.execute(f'PRAGMA index_list("{table}")').fetchall():
            columns = [each[2] for each in old.execute(f'PRAGMA index_info("{index}")')]
            sql = f'SELECT rowid, {", ".join(columns)} FROM "{table}" INDEXED BY "{index}"'
            whole = _scanned(self._indexes[table].setdefault(index, {}), old, sql) or whole
        return whole

    def firsts(self, table: str, columns: int) -> Mapping[int, Any]:
        """Return the first value of rows in a table's indexes with this many columns."""
        return {
            row: values[0]
            for found in self._indexes[table].values()
            for row, values in found.items()
            if len(values) == columns
        }

    def named(self, table: str, index: str) -> Mapping[int, Sequence[Any]]:
        """Return the indexed values of each row of a table, by number."""
        return self._indexes[table].get(index, {})

    def missing(self, table: str) -> set[int]:
        """Return the `gone` rows, except bundled content."""
        gone = self.gone(table)
        if table == "name":  # what came with danesh comes again
            owners = self.named("name", "idx_name_owner_concept")
            gone = {row for row in gone if owners.get(row, ("",))[0] != "bundled"}
        return gone

    def gone(self, table: str) -> set[int]:
        """Return the row numbers in an index that were not found."""
        return set().union(*self._indexes[table].values()) - self._rows.met[table]

    def lost(self, table: str) -> int:
        """Return the number of missing or incomplete rows."""
        return len(self.missing(table) | self._rows.cut[table])


def _scanned(found: dict[int, Sequence[Any]], old: RawConnection, sql: str) -> bool:
    """Add the rows of a statement by number; return whether all could be read."""
    with suppress(*SQLITE_ERRORS):
        for row, *values in old.execute(sql):
            found[row] = values
        return True
    return False


def _tables(connection: Connection) -> list[_Table]:
    # Tables without numbers of rows hold what is made of others.
    names = connection.rows(
        "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND NOT wr"
    )
    return [_Table(name, _columns(connection, name)) for (name,) in names]


def _columns(connection: Connection, table: str) -> list[_Column]:
    told = connection.rows(f'PRAGMA table_info("{table}")')
    keys = [row["name"] for row in told if row["pk"]]
    columns = []
    for row in told:
        known, kinds = f"{table}.{row['name']}", _KINDS.get(row["type"], "tirb")
        empty = _JSON.get(known, _EMPTY.get(row["type"]) if row["notnull"] else None)
        if keys == [row["name"]] and row["type"] == "INTEGER":
            kinds, empty = "n", None
        elif not row["notnull"] and not row["pk"]:
            kinds += "n"
        columns.append(_Column(row["name"], kinds, empty, known in _JSON))
    return columns


def _is_json(value: Value) -> bool:
    try:
        json.loads(str(value))
    except (ValueError, RecursionError):
        return False
    return True


def _make_lost_entries(connection: Connection, losses: _Losses) -> set[str]:
    """Rebuild entries of which a part was recovered, and return them.

    Ids and positions come from an index if possible. An entry without text gets its id as text.
    """
    before = set(connection.column("SELECT id FROM entry"))
    ids = losses.named("entry", "sqlite_autoindex_entry_1")
    places = losses.named("entry", "idx_entry_collection_position")
    left = connection.rows("SELECT entry FROM document WHERE entry NOT IN (SELECT key FROM entry)")
    for key in sorted({*losses.missing("entry"), *(row[0] for row in left)}):
        (id,) = ids.get(key, (f"{LOST}/{key}",))
        _make_entry(connection, id, *places.get(key, (LOST, key)), key=key)
    for table in ("annotation", "entry_snippet"):  # reviews stay when an entry is deleted
        sql = f"SELECT DISTINCT entry FROM {table} WHERE entry NOT IN (SELECT id FROM entry)"
        for (id,) in connection.rows(sql):
            _make_entry(connection, id, LOST, 0)
    bare = "FROM entry e WHERE e.key NOT IN (SELECT entry FROM document)"
    silent = set(connection.column(f"SELECT e.id {bare}"))
    connection.run(f"INSERT INTO document (entry, lang, question) SELECT e.key, 'en', e.id {bare}")
    return set(connection.column("SELECT id FROM entry")) - before | silent


def _make_entry(
    connection: Connection, id: str, collection: str, position: int, *, key: int | None = None
) -> None:
    connection.run(
        "INSERT OR IGNORE INTO entry (key, id, kind, collection, tags, related, position, owner, "
        "digest) SELECT ?1, ?2, CASE WHEN EXISTS (SELECT 1 FROM document d WHERE d.entry = ?1 "
        "AND coalesce(d.source, d.reference) IS NOT NULL) THEN 'question' ELSE 'note' END, "
        "?3, '[]', '[]', ?4, CASE WHEN EXISTS (SELECT 1 FROM annotation a WHERE a.entry = ?2 "
        "AND a.owner = 'bundled') THEN 'bundled' ELSE 'user' END, x''",
        (key, id, collection, position),
    )


def _partly(
    connection: Connection, rows: _Rows, losses: _Losses, made: set[str]
) -> tuple[str, ...]:
    """Return the ids of incomplete entries, in order.

    Their digests no longer match, so bundled ones are updated.
    """
    known: set[Value] = {*made, *rows.cut["entry"]}
    for table in _OF_ENTRIES:
        named = losses.firsts(table, 2)
        known |= {named[row] for row in losses.missing(table) if row in named}
        known |= rows.cut_of[table]
    asked = json.dumps([each for each in known if isinstance(each, str | int)])
    asked_of = "IN (SELECT value FROM json_each(?1))"
    met = f"FROM entry WHERE key {asked_of} OR id {asked_of}"
    found = tuple(row[0] for row in connection.rows(f"SELECT id {met} ORDER BY id", (asked,)))
    connection.run(f"UPDATE entry SET digest = x'' WHERE key IN (SELECT key {met})", (asked,))
    return found


# Rows that speak of others that are missing: found, and mended.


def orphans(connection: Connection) -> dict[str, int]:
    """Return the number of rows with missing references, by table."""
    return dict(Counter(row[0] for row in connection.rows("PRAGMA foreign_key_check")))


def mend_orphans(connection: Connection) -> None:
    """Remove missing references; the caller holds the transaction.

    An entry gets its collection back, at the end. Rows whose owner is missing are deleted, with
    everything that refers to them.
    """
    connection.run(
        "INSERT INTO collection (id, title, position, layer) "
        "SELECT name, '{}', (SELECT coalesce(max(position), 0) FROM collection) + "
        "row_number() OVER (ORDER BY name), 0 FROM (SELECT DISTINCT collection AS name "
        "FROM entry WHERE collection NOT IN (SELECT id FROM collection))"
    )
    while found := connection.rows("PRAGMA foreign_key_check"):
        for table, rowid, *_ in found:
            connection.run(f'DELETE FROM "{table}" WHERE rowid = ?', (rowid,))

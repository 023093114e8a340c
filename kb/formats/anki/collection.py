"""An Anki collection: note types, decks, notes and reviews, read from its SQLite file.

Before schema 14, note types and decks are JSON in one row. Later they are tables with protocol
buffers.

It is another program's SQLite file: data is read and nothing in it is executed. A database can
have views, triggers, virtual tables and generated columns. None of them is used: each table must
be an ordinary one with the expected columns, and each statement has a step limit.
"""

from __future__ import annotations

import json
import sqlite3
from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager
from itertools import chain, islice
from pathlib import Path
from typing import Any, NamedTuple

from kb import limits
from kb.errors import BadData, Message
from kb.formats.anki.archive import AGAIN, fields_of
from kb.formats.anki.notetypes import Notetype
from kb.model.entry import Review

_PRAGMAS = (
    "query_only=ON",
    "trusted_schema=OFF",
    "cell_size_check=ON",
    "mmap_size=0",
    "temp_store=FILE",
    "cache_size=-8000",
)
_STEPS_BETWEEN = 100_000
_STORED = 0
"""The value of ``hidden`` in ``table_xinfo`` for an ordinary column."""

_CLOZE = 1
_NOTE = """
n.id, n.guid, n.mid, n.tags, CASE WHEN length(CAST(n.flds AS BLOB)) <= ? THEN n.flds END
"""
# The order of the join is told: without it, a base that was never measured is read note by card.
_NOTES = (
    "SELECT {note}, c.deck FROM ({decks} ORDER BY nid) AS c CROSS JOIN notes AS n ON n.id = c.nid",
    """SELECT {note}, NULL FROM notes AS n
    WHERE n.id NOT IN (SELECT nid FROM cards WHERE nid NOT NULL) ORDER BY n.id""",
)
_DECKS = """
SELECT nid, min(ord), CASE WHEN odid != 0 THEN odid ELSE did END AS deck FROM cards GROUP BY nid
"""
_REVIEWS = """
SELECT n.id, c.ord, r.id, r.ease, r.ivl, r.factor, r.time, r.type
FROM revlog AS r JOIN cards AS c ON c.id = r.cid JOIN notes AS n ON n.id = c.nid
ORDER BY n.id, r.id LIMIT ?
"""
_BY_HAND = 4


class Note(NamedTuple):
    """A row of a note as stored, not validated."""

    id: Any
    guid: Any
    notetype: Any
    tags: Any
    fields: Any
    deck: Any


class Collection:
    """The rows of a collection; ``name`` is used in messages.

    Raises `BadData` if the database is not an Anki collection.
    """

    def __init__(self, connection: sqlite3.Connection, name: str) -> None:
        self._connection = connection
        self._name = name
        for pragma in _PRAGMAS:
            list(self._rows(f"PRAGMA {pragma}"))
        self._demand("notes", "id", "guid", "mid", "tags", "flds")
        self._demand("cards", "id", "nid", "did", "ord", "odid")
        self._tables = self._has("notetypes", "id", "name", "config")
        if self._tables:
            self._demand("fields", "ntid", "ord", "name")
            self._demand("templates", "ntid", "ord", "config")
            self._demand("decks", "id", "name", "kind")
        else:
            self._demand("col", "models", "decks")

    def notetypes(self) -> Mapping[int, Notetype]:
        """Return the note types by their ids."""
        if self._tables:
            return dict(self._types_in_tables())
        found = {}
        for id, model in self._json("models").items():
            fields = [_text(each.get("name")) for each in _objects(model.get("flds"))]
            cards = _objects(model.get("tmpls"))
            sides = [(_text(card.get("qfmt")), _text(card.get("afmt"))) for card in cards]
            found[_number(id)] = _notetype(model.get("name"), fields, sides, model.get("type"))
        return found

    def decks(self) -> Mapping[int, str]:
        """Return the names of the decks with notes by id, with levels separated by ``::``."""
        used = {row[0] for row in self._few(f"SELECT DISTINCT deck FROM ({_DECKS})")}
        if self._tables:
            rows = self._few("SELECT id, name FROM decks ORDER BY id")
            found = {id: _text(name).replace("\x1f", "::") for id, name in rows}
        else:
            decks = self._json("decks").items()
            found = {_number(id): _text(deck.get("name")) for id, deck in decks}
        return {id: name for id, name in found.items() if id in used}

    def notes(self) -> Iterator[Note]:
        """Yield the notes in order of creation, those without cards last."""
        for statement in _NOTES:
            asked = statement.format(note=_NOTE, decks=_DECKS)
            for row in self._rows(asked, limits.RECORD):
                yield Note(*row)

    def count(self, table: str, column: str) -> int:
        """Return how many rows of a table have a positive value in a column."""
        if not self._has(table, column):
            return 0
        ((count,),) = self._rows(f"SELECT count(*) FROM {table} WHERE {column} > 0")
        return int(count)

    def reviews(self) -> Iterator[tuple[int, Review | None]]:
        """Yield the reviews of each note in order; invalid rows are skipped."""
        self._demand("revlog", "id", "cid", "ease", "ivl", "factor", "time", "type")
        for note, *values in self._rows(_REVIEWS, limits.REVIEWS):
            yield note, _review(values)

    def _types_in_tables(self) -> Iterator[tuple[int, Notetype]]:
        fields, sides = defaultdict[Any, list[str]](list), defaultdict[Any, list[Any]](list)
        for id, name in self._few("SELECT ntid, name FROM fields ORDER BY ntid, ord"):
            fields[id].append(_text(name))
        for id, config in self._few("SELECT ntid, config FROM templates ORDER BY ntid, ord"):
            said = self._message(config)
            sides[id].append((_text(said.get(1)), _text(said.get(2))))
        for id, name, config in self._few("SELECT id, name, config FROM notetypes ORDER BY id"):
            yield id, _notetype(name, fields[id], sides[id], self._message(config).get(1))

    def _message(self, cell: object) -> Mapping[int, object]:
        """Return the fields of a protocol buffer message in a cell."""
        try:
            return {
                number: value if isinstance(value, int) else value.decode("utf-8", "replace")
                for number, value in fields_of(cell if isinstance(cell, bytes) else b"")
            }
        except ValueError as error:
            raise BadData(
                "a kind of notes cannot be read ({error})", place=self._name, error=error
            ) from error

    def _json(self, column: str) -> Mapping[str, Mapping[str, Any]]:
        """Return the JSON objects in a column of the collection's only row."""
        rows = self._few(
            f"SELECT CASE WHEN length({column}) <= {limits.RECORD} THEN {column} END FROM col"
        )
        try:
            found = json.loads(rows[0][0]) if rows else None  # of equal keys the last, as in Anki
        except (TypeError, ValueError, RecursionError):
            found = None
        if not isinstance(found, dict):
            raise BadData(
                "{column} of the collection cannot be read", AGAIN, place=self._name, column=column
            )
        return {id: each for id, each in found.items() if isinstance(each, dict)}

    def _few(self, statement: str) -> Sequence[Any]:
        """Return the rows of a small table. Raises `BadData` if there are too many."""
        rows = list(islice(self._rows(statement), limits.FILES + 1))
        if len(rows) > limits.FILES:
            raise BadData(
                "has more than {most:,} decks or fields", place=self._name, most=limits.FILES
            )
        return rows

    def _has(self, table: str, *columns: str) -> bool:
        """Return whether there is an ordinary table of that name with these columns.

        Views and virtual tables are not ordinary.
        """
        made = "SELECT type, rootpage FROM sqlite_master WHERE name = ? COLLATE NOCASE"
        found = list(self._rows(made, table))
        if len(found) != 1 or found[0][0] != "table" or not found[0][1]:
            return False
        told = self._rows(f"PRAGMA table_xinfo({table})")
        stored = (name for _, name, *_, hidden in told if hidden == _STORED)
        return {*columns} <= {name.lower() for name in stored if isinstance(name, str)}

    def _demand(self, table: str, *columns: str) -> None:
        """Raise `BadData` unless there is an ordinary table of that name with these columns."""
        if not self._has(table, *columns):
            raise BadData(
                "has no table '{table}' of Anki's form", AGAIN, place=self._name, table=table
            )

    def _rows(self, statement: str, *values: object) -> Iterator[Sequence[Any]]:
        """Yield the rows of a statement. Raises `BadData` if the file is damaged.

        A cell is a number, a text or nothing; a text that is not UTF-8 is `bytes`.
        """
        steps = iter(range(limits.STEPS // _STEPS_BETWEEN))
        self._connection.set_progress_handler(lambda: next(steps, None) is None, _STEPS_BETWEEN)
        try:
            yield from self._connection.execute(statement, values)
        except (sqlite3.Error, OverflowError, MemoryError, UnicodeError) as error:
            # SQLite's own messages repeat the words of a damaged schema, whatever these are.
            said = Message("the collection needs too much work")
            if next(steps, None) is not None:
                said = Message("the collection cannot be read ({error})", error=error)
            raise BadData(said, AGAIN, place=self._name) from error


@contextmanager
def opened(file: Path, name: str) -> Iterator[Collection]:
    """Open a private file for reading only. Raises `BadData`."""
    uri = f"{file.absolute().as_uri()}?mode=ro&immutable=1"
    with closing(sqlite3.connect(uri, uri=True, isolation_level=None)) as connection:
        connection.setlimit(sqlite3.SQLITE_LIMIT_LENGTH, limits.CELLS)
        connection.setlimit(sqlite3.SQLITE_LIMIT_ATTACHED, 0)
        connection.text_factory = _text_or_bytes
        # In the order of Anki's collation, near enough for reading: letters of any case alike.
        connection.create_collation(
            "unicase", lambda a, b: (a.casefold() > b.casefold()) - (a.casefold() < b.casefold())
        )
        yield Collection(connection, name)


def _text_or_bytes(data: bytes) -> str | bytes:
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return data


def _notetype(
    name: object, fields: Sequence[str], sides: Sequence[tuple[str, str]], kind: object
) -> Notetype:
    return Notetype(_text(name), tuple(fields), tuple(chain(*sides)), kind == _CLOZE)


def _review(values: Sequence[Any]) -> Review | None:
    """Return a review from the values of its row, if valid."""
    if not all(isinstance(value, int) for value in values):
        return None
    review = Review(*values)
    if not review.is_possible:
        return None
    ease, took = max(review.ease, 0), max(review.took, 0)
    return review._replace(ease=ease, took=took, kind=min(review.kind, _BY_HAND))


def _objects(value: object) -> list[Mapping[str, Any]]:
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


def _number(id: str) -> int:
    return int(id) if id.isascii() and id.isdigit() and len(id) <= 18 else 0

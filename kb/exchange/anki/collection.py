"""What a collection of Anki's holds: kinds of notes, decks, notes and reviews, as rows say it.

Until schema 14 a collection keeps its kinds of notes and its decks as JSON in one row, since
then in tables, whose own texts are messages in protocol buffers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, NamedTuple

from kb import limits
from kb.contract.document import loads
from kb.errors import BadData
from kb.exchange.anki import wire
from kb.exchange.anki.database import Database
from kb.records import Review

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


class Look(NamedTuple):
    """A kind of notes: what its fields are called, and the two sides of its first card.

    ``sides`` are all sides of all its cards; a ``cloze`` kind hides parts of a text.
    """

    name: str
    fields: tuple[str, ...]
    front: str
    back: str
    sides: tuple[str, ...]
    cloze: bool


class Note(NamedTuple):
    """A row of a note, as it stands there: nothing of it is sure to be what it should be."""

    id: Any
    guid: Any
    look: Any
    tags: Any
    fields: Any
    deck: Any


class Reviewed(NamedTuple):
    """A review of a note by its id, or nothing where its row is none."""

    note: int
    review: Review | None


class Collection:
    """The rows of a collection. Raises `BadData` for a database that is none of Anki's."""

    def __init__(self, database: Database, name: str) -> None:
        self._database = database
        self._name = name
        database.demand("notes", "id", "guid", "mid", "tags", "flds")
        database.demand("cards", "id", "nid", "did", "ord", "odid")
        self._tables = database.has("notetypes", "id", "name", "config")
        if self._tables:
            database.demand("fields", "ntid", "ord", "name")
            database.demand("templates", "ntid", "ord", "config")
            database.demand("decks", "id", "name", "kind")
        else:
            database.demand("col", "models", "decks")

    def looks(self) -> Mapping[int, Look]:
        """Return the kinds of notes by their ids."""
        return dict(self._looks_in_tables() if self._tables else self._looks_in_json())

    def decks(self) -> Mapping[int, str]:
        """Return the names of decks by their ids, their levels parted by ``::``."""
        if not self._tables:
            found = self._json("decks").items()
            return {_number(id): _name(deck.get("name")) for id, deck in found}
        rows = self._few("SELECT id, name FROM decks ORDER BY id")
        return {id: _name(name).replace("\x1f", "::") for id, name in rows}

    def decks_used(self) -> set[Any]:
        """Return the ids of the decks that notes are in."""
        return {row[0] for row in self._few(f"SELECT DISTINCT deck FROM ({_DECKS})")}

    def notes(self) -> Iterator[Note]:
        """Yield the notes in the order in which they were made; those without cards come last."""
        for statement in _NOTES:
            asked = statement.format(note=_NOTE, decks=_DECKS)
            for row in self._database.rows(asked, limits.RECORD):
                yield Note(*row)

    def count(self, table: str) -> int:
        """Return how many rows a table has, 0 where there is none."""
        if not self._database.has(table, "id"):
            return 0
        ((count,),) = self._database.rows(f"SELECT count(*) FROM {table}")
        return int(count)

    def studied(self) -> int:
        """Return how many cards have been studied: what Anki plans for them is not taken."""
        if not self._database.has("cards", "reps"):
            return 0
        ((count,),) = self._database.rows("SELECT count(*) FROM cards WHERE reps > 0")
        return int(count)

    def reviews(self) -> Iterator[Reviewed]:
        """Yield the reviews note by note, of each note in order."""
        self._database.demand("revlog", "id", "cid", "ease", "ivl", "factor", "time", "type")
        for note, *values in self._database.rows(_REVIEWS, limits.REVIEWS):
            yield Reviewed(note, _review(values))

    def _looks_in_json(self) -> Iterator[tuple[int, Look]]:
        for id, model in self._json("models").items():
            fields = [_name(each.get("name")) for each in _objects(model.get("flds"))]
            cards = _objects(model.get("tmpls"))
            sides = [(_name(card.get("qfmt")), _name(card.get("afmt"))) for card in cards]
            yield _number(id), _look(_name(model.get("name")), fields, sides, model.get("type"))

    def _looks_in_tables(self) -> Iterator[tuple[int, Look]]:
        fields: dict[Any, list[str]] = {}
        for id, _, name in self._few("SELECT ntid, ord, name FROM fields ORDER BY ntid, ord"):
            fields.setdefault(id, []).append(_name(name))
        sides: dict[Any, list[tuple[str, str]]] = {}
        for id, _, config in self._few(
            "SELECT ntid, ord, config FROM templates ORDER BY ntid, ord"
        ):
            sides.setdefault(id, []).append((self._text(config, 1), self._text(config, 2)))
        for id, name, config in self._few("SELECT id, name, config FROM notetypes ORDER BY id"):
            kind = self._whole(config, 1)
            yield id, _look(_name(name), fields.get(id, []), sides.get(id, []), kind)

    def _text(self, message: object, number: int) -> str:
        return str(self._read(wire.text, message, number))

    def _whole(self, message: object, number: int) -> int:
        return int(self._read(wire.whole, message, number))

    def _read(self, reader: Any, message: object, number: int) -> Any:
        """Read a field of a message that stands in a cell."""
        try:
            return reader(message if isinstance(message, bytes) else b"", number)
        except ValueError as error:
            raise BadData(f"{self._name}: a kind of notes cannot be read ({error})") from error

    def _json(self, column: str) -> Mapping[str, Mapping[str, Any]]:
        """Return the objects of a column of the one row that a collection has."""
        rows = self._few(
            f"SELECT CASE WHEN length({column}) <= {limits.RECORD} THEN {column} END FROM col"
        )
        text = rows[0][0] if rows else None
        place = f"{self._name}: {column}"
        if not isinstance(text, str):
            raise BadData(f"{place} of the collection are missing", "Export the deck again.")
        found = loads(text, place)
        if not isinstance(found, dict):
            raise BadData(f"{place} of the collection are no object", "Export the deck again.")
        return {id: each for id, each in found.items() if isinstance(each, dict)}

    def _few(self, statement: str) -> list[Any]:
        """Return rows of which a collection has few. Raises `BadData` for too many."""
        rows = []
        for row in self._database.rows(statement):
            rows.append(row)
            if len(rows) > limits.FILES:
                raise BadData(f"{self._name}: has more than {limits.FILES:,} decks or fields")
        return rows


def _look(name: str, fields: list[str], sides: list[tuple[str, str]], kind: object) -> Look:
    front, back = sides[0] if sides else ("", "")
    every = tuple(side for both in sides for side in both)
    return Look(name, tuple(fields), front, back, every, kind == _CLOZE)


def _review(values: list[Any]) -> Review | None:
    """Return a review of the values of its row, if it is one."""
    if not all(isinstance(value, int) for value in values):
        return None
    card, at, rating, interval, ease, took, kind = values
    if not (0 <= rating <= 4 and 0 <= card and at > 0 and kind >= 0):
        return None
    return Review(card, at, rating, interval, max(ease, 0), max(took, 0), min(kind, _BY_HAND))


def _objects(value: object) -> list[Mapping[str, Any]]:
    return [each for each in value if isinstance(each, dict)] if isinstance(value, list) else []


def _name(value: object) -> str:
    return value if isinstance(value, str) else ""


def _number(id: str) -> int:
    return int(id) if id.isascii() and id.isdigit() and len(id) <= 18 else 0

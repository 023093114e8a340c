"""A package as every Anki from 2.1 on opens it: an archive of a collection and its media.

The collection is a SQLite file of Anki's layout 11 under the name ``collection.anki2``, which
newer layouts did not replace for exchange; ``media`` says in JSON what the numbered members
are called. Without ``schedVer`` Anki takes the schedules for those of its first scheduler.
"""

from __future__ import annotations

import json
import sqlite3
import tempfile
import zipfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from kb.disk.elsewhere import SCRATCH
from kb.disk.leftovers import scratch_prefix
from kb.errors import BadData
from kb.exchange.anki.identity import checksum

COLLECTION, MEDIA = "collection.anki2", "media"
_LAYOUT = 11
_DATE = (1980, 1, 1, 0, 0, 0)  # the same for all, and the first that an archive can have
_TABLES = """
CREATE TABLE col (
  id integer primary key, crt integer not null, mod integer not null, scm integer not null,
  ver integer not null, dty integer not null, usn integer not null, ls integer not null,
  conf text not null, models text not null, decks text not null, dconf text not null,
  tags text not null);
CREATE TABLE notes (
  id integer primary key, guid text not null, mid integer not null, mod integer not null,
  usn integer not null, tags text not null, flds text not null, sfld integer not null,
  csum integer not null, flags integer not null, data text not null);
CREATE TABLE cards (
  id integer primary key, nid integer not null, did integer not null, ord integer not null,
  mod integer not null, usn integer not null, type integer not null, queue integer not null,
  due integer not null, ivl integer not null, factor integer not null, reps integer not null,
  lapses integer not null, left integer not null, odue integer not null, odid integer not null,
  flags integer not null, data text not null);
CREATE TABLE revlog (
  id integer primary key, cid integer not null, usn integer not null, ease integer not null,
  ivl integer not null, lastIvl integer not null, factor integer not null, time integer not null,
  type integer not null);
CREATE TABLE graves (usn integer not null, oid integer not null, type integer not null);
"""
_INDEXES = """
CREATE INDEX ix_notes_usn ON notes (usn);
CREATE INDEX ix_cards_usn ON cards (usn);
CREATE INDEX ix_revlog_usn ON revlog (usn);
CREATE INDEX ix_cards_nid ON cards (nid);
CREATE INDEX ix_cards_sched ON cards (did, queue, due);
CREATE INDEX ix_revlog_cid ON revlog (cid);
CREATE INDEX ix_notes_csum ON notes (csum);
"""
_CONF = {
    "activeDecks": [1], "addToCur": True, "collapseTime": 1200, "curDeck": 1,
    "dayLearnFirst": False, "dueCounts": True, "estTimes": True, "newSpread": 0, "nextPos": 1,
    "schedVer": 2, "sortBackwards": False, "sortType": "noteFld", "timeLim": 0,
}  # fmt: skip
_PRESET = {
    "1": {
        "id": 1, "mod": 0, "name": "Default", "usn": 0, "maxTaken": 60, "autoplay": True,
        "timer": 0, "replayq": True, "dyn": False,
        "new": {"bury": False, "delays": [1.0, 10.0], "initialFactor": 2500, "ints": [1, 4, 0],
                "order": 1, "perDay": 20, "separate": True},
        "rev": {"bury": False, "ease4": 1.3, "ivlFct": 1.0, "maxIvl": 36500, "perDay": 200,
                "fuzz": 0.05, "minSpace": 1, "hardFactor": 1.2},
        "lapse": {"delays": [10.0], "leechAction": 1, "leechFails": 8, "minInt": 1, "mult": 0.0},
    }
}  # fmt: skip
_BETWEEN = "\x1f"


class Note(NamedTuple):
    """A note with one card: its fields, of which ``shown`` is how lists sort and show it.

    ``changed`` is in seconds since 1970: Anki renews a note that it has from a later time.
    """

    guid: str
    id: int
    type: int
    deck: int
    changed: int
    tags: Sequence[str]
    fields: Sequence[str]
    shown: str


class Package:
    """A package that is being written: notes and media in any number, then `finish`."""

    def __init__(self, file: str, out: BinaryIO) -> None:
        self._file = file
        self._collection = sqlite3.connect(file, isolation_level=None)
        # The file is a draft that nobody opens before it is whole.
        for pragma in ("page_size = 4096", "journal_mode = OFF", "synchronous = OFF"):
            self._collection.execute(f"PRAGMA {pragma}")
        self._collection.executescript(_TABLES)
        self._collection.execute("BEGIN")
        self._archive = zipfile.ZipFile(out, "w")
        self._names: list[str] = []
        self._count = 0
        self._newest = 0

    def add(self, note: Note) -> None:
        """Add a note and its card, which is new and comes behind those before it."""
        self._count += 1
        self._newest = max(self._newest, note.changed)
        tags = f" {' '.join(note.tags)} " if note.tags else ""
        first = note.fields[0]
        id = self._insert("notes", note.id, (
            note.guid, note.type, note.changed, -1, tags, _BETWEEN.join(note.fields), note.shown,
            checksum(first), 0, "",
        ))  # fmt: skip
        place = (id, note.deck, 0, note.changed, -1)
        self._insert("cards", id, (*place, 0, 0, self._count, *(0,) * 8, ""))

    def add_media(self, name: str, data: bytes) -> None:
        """Add a file under the name by which fields show it."""
        self._write(str(len(self._names)), data, zipfile.ZIP_STORED)
        self._names.append(name)

    def finish(self, types: Mapping[str, Any], decks: Mapping[str, Any]) -> int:
        """Write what the notes belong to, close the archive, and return how many notes it has."""
        conf = _CONF | {"nextPos": self._count + 1, "curModel": next(iter(types), None)}
        told: tuple[Mapping[str, Any], ...] = (conf, types, decks, _PRESET, {})
        times = (self._newest, self._newest * 1000, self._newest * 1000)
        values = (1, *times, _LAYOUT, 0, 0, 0, *map(_json, told))
        self._collection.execute(f"INSERT INTO col VALUES ({_marks(values)})", values)
        self._collection.execute("COMMIT")
        self._collection.executescript(_INDEXES)
        self._collection.close()
        with open(self._file, "rb") as made, self._member(COLLECTION) as member:
            while piece := made.read(1 << 20):
                member.write(piece)
        self._write(MEDIA, _json(dict(enumerate(self._names))).encode(), zipfile.ZIP_DEFLATED)
        self._archive.close()
        return self._count

    def close(self) -> None:
        """Let go of the draft, whole or not: of what is not, the archive is thrown away."""
        self._collection.close()
        with suppress(OSError, ValueError):
            self._archive.close()

    def _insert(self, table: str, id: int, values: Sequence[Any]) -> int:
        """Insert a row under an id, or under the next one that is free; return which it was."""
        sql = f"INSERT INTO {table} VALUES (?, {_marks(values)})"
        while True:
            try:
                self._collection.execute(sql, (id, *values))
            except sqlite3.IntegrityError:
                id += 1
            else:
                return id

    def _write(self, name: str, data: bytes, compression: int) -> None:
        self._archive.writestr(_info(name, compression), data)

    @contextmanager
    def _member(self, name: str) -> Iterator[Any]:
        with self._archive.open(_info(name, zipfile.ZIP_DEFLATED), "w", force_zip64=True) as opened:
            yield opened


@contextmanager
def packing(out: BinaryIO) -> Iterator[Package]:
    """Give a package that is written to a stream; the draft of its collection goes with it.

    Raises `BadData` where the draft cannot be written.
    """
    where = tempfile.gettempdir()
    try:
        with (
            tempfile.TemporaryDirectory(
                prefix=scratch_prefix(SCRATCH), ignore_cleanup_errors=True
            ) as folder,
            closing(Package(str(Path(folder) / COLLECTION), out)) as package,
        ):
            yield package
    except sqlite3.OperationalError as error:
        raise BadData(f"{where}: cannot be written ({error})") from error


def _info(name: str, compression: int) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name, _DATE)
    info.compress_type, info.create_system, info.external_attr = compression, 3, 0o600 << 16
    return info


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _marks(values: Sequence[object]) -> str:
    return ", ".join("?" * len(values))

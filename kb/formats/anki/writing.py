"""Export as an Anki package: one note per question and card, in the decks of their collections.

Guids are derived from entry ids, so a later export updates the notes and creates no duplicates.
Anki updates a note only from a newer one: so a note has the time of its entry's last change, and
unchanged notes are left alone. A run that confirms a figure does not change an entry. An
unchanged entry has the time of our card version (`notetypes.MADE`), which is also the minimum for
others.

Entries of the kind ``note`` have no card and are not exported. Reviews are only in a package that
an import kept (`kb.formats.anki.repacking`).

Every Anki from 2.1 on can open the package: an archive of a collection and its media. The
collection is a SQLite file of Anki's layout 11 named ``collection.anki2``, which is still the
exchange format; ``media`` maps the numbered members to names, in JSON. Without ``schedVer``, Anki
assumes its first scheduler.
"""

from __future__ import annotations

import json
import re
import shutil
import sqlite3
import tempfile
import unicodedata
import zipfile
from collections.abc import Mapping, Sequence
from contextlib import closing
from hashlib import sha1
from importlib.resources import files
from typing import Any, BinaryIO

from kb.disk import SCRATCH, scratch_prefix
from kb.errors import BadData
from kb.formats.anki.archive import COLLECTIONS, MEDIA
from kb.formats.anki.cards import fields, shown
from kb.formats.anki.decks import Decks
from kb.formats.anki.notetypes import MADE, NAMES, VERSION, guid_of, id_of, types
from kb.formats.book import Book
from kb.formats.names import Names
from kb.model.entry import Entry
from kb.terminal.terminal import in_one_line

_LAYOUT = 11
_NOT_KEPT = re.compile(r'[\x00-\x1f\x7f\[\]<>:"/\\?*^|]')
"""Characters that Anki removes from file names."""

_DATE = (1980, 1, 1, 0, 0, 0)  # the same for all, and the first that an archive can have
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


def write(book: Book, out: BinaryIO) -> int:
    """Write the package, one entry at a time; return how many have a card.

    If all of its entries came from one kept package, that is written with what changed here.
    Raises `BadData` if the temporary collection cannot be written.
    """
    if book.package is not None:
        from kb.formats.anki import repacking

        return repacking.write(book, book.package, out)
    try:
        with (
            tempfile.TemporaryDirectory(
                prefix=scratch_prefix(SCRATCH), ignore_cleanup_errors=True
            ) as folder,
            zipfile.ZipFile(out, "w") as archive,
            closing(sqlite3.connect(f"{folder}/{COLLECTIONS[1]}", isolation_level=None)) as base,
        ):
            collection, decks, names = _Collection(base), Decks(book.collections), Names(joint="-")
            listed: dict[str, str] = {}
            for entry in book.entries:
                if entry.kind in NAMES:
                    changed = max(book.changed(entry.id) + VERSION, MADE)
                    deck = decks.id(entry.collection)
                    media = _media(entry, book, archive, listed, names)
                    collection.add(entry, deck, changed, fields(entry, media))
            collection.finish(types(), decks.told(MADE))
            info = _info(COLLECTIONS[1], zipfile.ZIP_DEFLATED)
            with (
                open(f"{folder}/{COLLECTIONS[1]}", "rb") as made,
                archive.open(info, "w", force_zip64=True) as to,
            ):
                shutil.copyfileobj(made, to, 1 << 20)
            members = _json(dict(enumerate(listed.values())))
            archive.writestr(_info(MEDIA, zipfile.ZIP_DEFLATED), members)
            return collection.count
    except sqlite3.OperationalError as error:
        raise BadData(
            "cannot be written ({error})", place=tempfile.gettempdir(), error=error
        ) from error


def _media(
    entry: Entry, book: Book, archive: zipfile.ZipFile, listed: dict[str, str], names: Names
) -> Mapping[str, str]:
    """Add the files of an entry; return their names in the package by those in its texts.

    ``listed`` has the names by digest: each file is added once, and each name belongs to one.
    """
    for name, digest, *_ in entry.media:
        data = None if digest in listed else book.media.get(digest)
        if data is not None:
            archive.writestr(_info(str(len(listed)), zipfile.ZIP_STORED), data)
            plain = unicodedata.normalize("NFC", _NOT_KEPT.sub("_", name))
            listed[digest] = names.given(plain, digest)
    return {name: listed[digest] for name, digest, *_ in entry.media if digest in listed}


class _Collection:
    """A collection being written: add notes, then call `finish`."""

    def __init__(self, base: sqlite3.Connection) -> None:
        self._base = base
        self.count = self._newest = 0
        sql = files(__package__).joinpath("collection.sql").read_text("utf-8")
        tables, begin, indexes = sql.partition("CREATE INDEX")
        self._indexes = begin + indexes  # they are made when all rows are there
        self._base.executescript(tables)
        self._base.execute("BEGIN")

    def add(self, entry: Entry, deck: int, changed: int, texts: Sequence[str]) -> None:
        """Add a note and its card, which is new and last in order.

        ``changed`` is in seconds since 1970: Anki updates a note from a newer one.
        """
        self.count += 1
        self._newest = max(self._newest, changed)
        tags = tags_of(entry)
        id = self._insert("notes", id_of("note", entry.id), (
            guid_of(entry.id), id_of("type", entry.kind), changed, -1,
            f" {' '.join(tags)} " if tags else "", "\x1f".join(texts), shown(entry),
            checksum(texts[0]), 0, "",
        ))  # fmt: skip
        place = (id, deck, 0, changed, -1)
        self._insert("cards", id, (*place, 0, 0, self.count, *(0,) * 8, ""))

    def finish(self, types: Mapping[str, Any], decks: Mapping[str, Any]) -> None:
        """Write the rows that the notes refer to."""
        conf = _CONF | {"nextPos": self.count + 1, "curModel": next(iter(types), None)}
        told: tuple[Mapping[str, Any], ...] = (conf, types, decks, _PRESET, {})
        times = (self._newest, self._newest * 1000, self._newest * 1000)
        self._insert("col", 1, (*times, _LAYOUT, 0, 0, 0, *map(_json, told)))
        self._base.execute("COMMIT")
        self._base.executescript(self._indexes)

    def _insert(self, table: str, id: int, values: Sequence[Any]) -> int:
        """Insert a row with an id, or the next free one; return the id."""
        sql = f"INSERT INTO {table} VALUES (?{', ?' * len(values)})"
        while True:
            try:
                self._base.execute(sql, (id, *values))
            except sqlite3.IntegrityError:
                id += 1
            else:
                return id


def tags_of(entry: Entry) -> tuple[str, ...]:
    """Return an entry's tags, which in Anki have no blanks.

    >>> tags_of(Entry("a", "card", "", {}, tags=("deep learning", "شبکه‌ها")))
    ('deep_learning', 'شبکه\u200cها')
    """
    words = ("_".join(in_one_line(tag).replace("\u3000", " ").split()) for tag in entry.tags)
    return tuple(dict.fromkeys(filter(None, words)))


def checksum(field: str) -> int:
    """Return the checksum by which Anki finds notes with the same first field: 32 bits of SHA-1.

    >>> checksum("a")
    2264392759
    """
    data = field.encode("utf-8", "replace")
    return int(sha1(data, usedforsecurity=False).hexdigest()[:8], 16)


def _info(name: str, compression: int) -> zipfile.ZipInfo:
    info = zipfile.ZipInfo(name, _DATE)
    info.compress_type, info.create_system, info.external_attr = compression, 3, 0o600 << 16
    return info


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))

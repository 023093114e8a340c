"""A package with what changed here: edited fields, tags, reviews, and without what was left out.

Everything else stays as Anki wrote it: templates, decks and their options, masks of image
occlusion, flags, due dates, and cards that are suspended or buried.
"""

from __future__ import annotations

import sqlite3
import zipfile
from collections.abc import Iterable, Iterator, Sequence
from contextlib import closing, contextmanager, suppress
from io import BytesIO
from pathlib import Path
from typing import Any, BinaryIO

from kb.errors import BadData, Conflict, Message
from kb.formats.anki.archive import Archive
from kb.formats.anki.collection import Collection, Note, opened
from kb.formats.anki.media import Files
from kb.formats.anki.notes import Making
from kb.formats.anki.reading import unpacked
from kb.formats.anki.rewriting import Unclear, is_edited, rewritten
from kb.formats.anki.writing import checksum, tags_of
from kb.formats.book import Book, Leftover, Package
from kb.formats.hypertext.scanning import words
from kb.formats.media import Blobs
from kb.model.entry import Entry, Review

_NAME = "the kept package"
_DAY = 86400
_BETWEEN = "\x1f"


def write(book: Book, package: Package, out: BinaryIO) -> int:
    """Write the package of all entries of a book; return how many it holds.

    Raises `Conflict` for an edit that cannot go back into the fields of a note.
    """
    archive = Archive(BytesIO(package.data), _NAME)
    with unpacked(archive) as file:
        count = _change(archive, file, book, package)
        data = file.read_bytes()
    if archive.packed:
        import zstandard

        data = zstandard.ZstdCompressor().compress(data)
    with zipfile.ZipFile(BytesIO(package.data)) as was, zipfile.ZipFile(out, "w") as now:
        for info in was.infolist():
            now.writestr(info, data if info.filename == archive.collection else was.read(info))
    return count


def _change(archive: Archive, file: Path, book: Book, package: Package) -> int:
    entries = {package.guids[each.id]: each for each in book.entries}
    with _read(archive, file) as (collection, making):
        read = [(note, making.entry(note)) for note in collection.notes()]
    left = [note.id for note, entry in read if entry is None or entry.id not in entries]
    kept = [(note, entry) for note, entry in read if entry is not None and entry.id in entries]
    with closing(sqlite3.connect(file, isolation_level=None)) as base:
        base.create_collation("unicase", lambda a, b: (a > b) - (a < b))
        if base.execute("SELECT 1 FROM sqlite_master WHERE type IN ('trigger', 'view')").fetchone():
            raise BadData("has triggers or views, which Anki does not write", place=_NAME)
        base.execute("BEGIN")
        for note in left:
            base.execute(
                "DELETE FROM revlog WHERE cid IN (SELECT id FROM cards WHERE nid = ?)", (note,)
            )
            base.execute("DELETE FROM cards WHERE nid = ?", (note,))
            base.execute("DELETE FROM notes WHERE id = ?", (note,))
        for note, before in kept:
            now = entries[before.id]
            fields = note.fields.split(_BETWEEN)
            edited = is_edited(before, now)
            if edited:
                fields = _fields(making, note, before, now)
            if edited or now.tags != before.tags:
                tags = tags_of(now)
                base.execute(
                    "UPDATE notes SET flds = ?, tags = ?, mod = max(mod + 1, ?), usn = -1, "
                    "sfld = ?, csum = ? WHERE id = ?",
                    (
                        _BETWEEN.join(fields), f" {' '.join(tags)} " if tags else "",
                        book.changed(now.id), words(fields[0]),
                        checksum(words(fields[0])), note.id,
                    ),
                )  # fmt: skip
            reviews = book.reviews.get(now.id, ())
            cards = [each._replace(card=making.card_of(note.id, each.card)) for each in reviews]
            _review(base, note.id, cards)
        base.execute("COMMIT")
    return len(kept)


@contextmanager
def _read(archive: Archive, file: Path) -> Iterator[tuple[Collection, Making]]:
    with opened(file, _NAME) as collection:
        files = Files(archive, Blobs())
        yield collection, Making(_NAME, collection.notetypes(), {}, files, Leftover(_NAME))


def _fields(making: Making, note: Note, before: Entry, now: Entry) -> list[str]:
    """Return the fields of a note with its edited texts. Raises `Conflict`."""
    fields = note.fields.split(_BETWEEN)
    try:
        return rewritten(making.texts(note), fields, before, now, making.files.sources)
    except Unclear as error:
        raise Conflict(
            "its edited text is not one field of an Anki note ({why})",
            "Undo the edit, or export without --with-reviews.",
            place=now.id,
            why=error.args[0],
        ) from error


def why_refused(package: Package, before: Entry, now: Entry) -> Message | None:
    """Return why an edit of an entry cannot go back into its package, if only now."""
    archive = Archive(BytesIO(package.data), _NAME)
    with unpacked(archive) as file, _read(archive, file) as (collection, making):
        for note in collection.notes():
            with suppress(BadData):
                if making.id(note) == package.guids[now.id]:
                    return _why(making, note, before, now)
    return None


def _why(making: Making, note: Note, before: Entry, now: Entry) -> Message | None:
    given, fields = making.entry(note), note.fields.split(_BETWEEN)
    if given is None:
        return None
    texts, whys = making.texts(note), list[Message | None]()
    for each in (before, now):
        try:
            rewritten(texts, fields, given, each, making.files.sources)
            whys.append(None)
        except Unclear as error:
            whys.append(error.args[0])
    return whys[1] if whys[0] is None else None


def _review(base: sqlite3.Connection, note: int, reviews: Iterable[Review]) -> None:
    """Add the reviews of a note that it does not have to their cards, and their next days."""
    created = base.execute("SELECT crt FROM col").fetchone()[0]
    sql = "SELECT r.id FROM revlog r JOIN cards c ON c.id = r.cid WHERE c.nid = ?"
    known = {at for (at,) in base.execute(sql, (note,))}
    for card, ord in base.execute("SELECT id, ord FROM cards WHERE nid = ?", (note,)).fetchall():
        new = [each for each in reviews if each.card == ord and each.at not in known]
        before = 0
        for each in new:
            row: Sequence[Any] = (
                each.at, card, -1, each.rating, each.interval, before, each.ease, each.took,
                each.kind,
            )  # fmt: skip
            base.execute("INSERT OR IGNORE INTO revlog VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)", row)
            before = each.interval
        if new:
            last = new[-1]
            days = max(last.interval, 0)
            base.execute(
                "UPDATE cards SET type = 2, queue = iif(queue < 0, queue, 2), due = ?, "
                "ivl = max(?, 1), reps = reps + ?, lapses = lapses + ?, left = 0, mod = ?, "
                "usn = -1 WHERE id = ? AND odid = 0",
                (
                    (last.at // 1000 - created) // _DAY + days, days, len(new),
                    sum(each.rating == 1 for each in new), last.at // 1000, card,
                ),
            )  # fmt: skip

"""Packages of Anki's in all three layouts: notes to entries, decks to collections."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from kb import limits
from kb.errors import BadData
from kb.exchange.anki.archive import Archive
from kb.exchange.anki.collection import Collection, Note, Reviewed
from kb.exchange.anki.collections import collections_of
from kb.exchange.anki.database import opened
from kb.exchange.anki.files import Files
from kb.exchange.anki.layout import Layout, layout_of, opened_member
from kb.exchange.anki.leftover import Leftover
from kb.exchange.anki.notes import Making
from kb.exchange.anki.reviews import Reviews, taken
from kb.exchange.blobs import Blobs
from kb.exchange.book import Batch, Book
from kb.exchange.shelf import Shelf
from kb.foreign import pieces
from kb.records import Dropped, Progress, silent

_SHOWN = 200


def read(stream: BinaryIO, name: str, progress: Progress = silent, reviews: bool = False) -> Batch:
    """Return the notes of a package as entries, each by the guid that its note has.

    With ``reviews`` the log of their reviews comes with them. What Anki has planned for its
    cards, media that no note shows and whatever else is not taken is in ``dropped``; notes that
    cannot be read are the batch's ``bad`` ones. Raises `BadData` for what is no package.
    """
    archive = Archive(stream, name)
    layout = layout_of(archive)
    left, blobs = Leftover(name), Blobs()
    files = Files(archive, layout, blobs)
    with _unpacked(archive, layout) as file, opened(file, name) as database:
        collection = Collection(database, name)
        decks = collections_of(collection.decks(), collection.decks_used())
        making = Making(name, collection.looks(), decks, files, left)
        entries, bad = _entries(collection, making, name, progress)
        log = _log(collection, making, left, progress) if reviews else Reviews()
        _leave(collection, left, reviews=reviews)
    for why, which in files.unused():
        left.add(why, which)
    return Batch(
        Book(entries, media=blobs, reviews=log),
        given=frozenset(making.ids.values()),
        dropped=tuple(left.told()),
        bad=tuple(bad),
    )


def _entries(
    collection: Collection, making: Making, name: str, progress: Progress
) -> tuple[Shelf, list[Dropped]]:
    """Return the entries of all notes, and the notes that cannot be read."""
    entries, bad = Shelf(), list[Dropped]()
    for note in collection.notes():
        progress(0, 0)
        try:
            entry = making.entry(note)
        except BadData as error:
            if len(bad) >= limits.BAD_LINES:
                raise BadData(f"{name}: more than {len(bad):,} notes cannot be read") from error
            bad.append(Dropped(name, None, error.message, _shown(note)))
            continue
        if entry is not None:
            entries.add(entry)
        if len(entries) > limits.SHELVED:
            raise BadData(f"{name}: holds more than {limits.SHELVED:,} notes")
    return entries, bad


def _log(collection: Collection, making: Making, left: Leftover, progress: Progress) -> Reviews:
    return taken(_told(collection.reviews(), progress), making.ids, left)


def _told(rows: Iterator[Reviewed], progress: Progress) -> Iterator[Reviewed]:
    for row in rows:
        progress(0, 0)
        yield row


def _leave(collection: Collection, left: Leftover, *, reviews: bool) -> None:
    """Tell what a collection has that is not taken of any."""
    if studied := collection.studied():
        left.add("what is planned for a card that was studied is not taken", count=studied)
    if not reviews and (count := collection.count("revlog")):
        left.add("a review is not taken; --with-reviews takes them", count=count)


def _shown(note: Note) -> str:
    """Return the beginning of a note's fields, whatever stands there."""
    fields = note.fields if isinstance(note.fields, str) else repr(note.fields)
    return " | ".join(fields[:_SHOWN].split("\x1f"))


@contextmanager
def _unpacked(archive: Archive, layout: Layout) -> Iterator[Path]:
    """Put the collection into a file of its own for as long as it is read. Raises `BadData`."""
    place = f"{archive.name}: {layout.collection}"
    with tempfile.TemporaryDirectory(prefix="danesh-") as folder:
        file = Path(folder) / "collection.db"
        try:
            with (
                file.open("xb") as out,
                opened_member(
                    archive, layout.collection, limits.DATABASE, packed=layout.packed
                ) as inner,
            ):
                for piece in pieces(inner, place, limits.DATABASE):
                    out.write(piece)
        except OSError as error:
            raise BadData(f"{folder}: cannot be written ({error.strerror or error})") from error
        yield file

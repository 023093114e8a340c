"""Anki packages of all three layouts: notes to entries, decks to collections."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import BinaryIO

from kb import limits
from kb.errors import Message
from kb.foreign import pieces
from kb.formats.anki.archive import Archive
from kb.formats.anki.collection import Note, opened
from kb.formats.anki.decks import collections_of
from kb.formats.anki.media import Files
from kb.formats.anki.notes import Making
from kb.formats.book import Batch, Book, Leftover, shelved
from kb.formats.delivery import told_of
from kb.formats.media import Blobs
from kb.model.entry import Review
from kb.model.reports import Dropped
from kb.model.results import Progress, silent

_SHOWN = 200


def read(stream: BinaryIO, name: str, progress: Progress = silent, reviews: bool = False) -> Batch:
    """Return the notes of a package as entries, identified by their guids.

    With ``reviews``, their review log is imported, too, and the package is kept: an export writes
    it with what changed here. Unused media and other skipped data are in ``dropped``; unreadable
    notes are in ``bad``. Raises `BadData` if it is not a package.
    """

    def told(note: Note, reason: str) -> Dropped:
        fields = note.fields if isinstance(note.fields, str) else repr(note.fields)
        return Dropped(name, None, reason, " | ".join(fields[:_SHOWN].split("\x1f")))

    archive = Archive(stream, name)
    left, blobs = Leftover(name), Blobs()
    log: dict[str, list[Review]] = {}
    files = Files(archive, blobs)
    with unpacked(archive) as file, opened(file, name) as collection:
        decks = collections_of(collection.decks())
        making = Making(name, collection.notetypes(), decks, files, left, whole=reviews)
        entries, bad = shelved(name, collection.notes(), making.entry, told, progress)
        if reviews:
            for count, (note, review) in enumerate(collection.reviews(), 1):
                progress(0, 0)
                if note not in making.ids:
                    left.add("a review belongs to no imported note")
                elif review is None:
                    left.add("a review is not in Anki's form", "", making.ids[note])
                else:
                    number = making.exercise_of(note, review.card)
                    log.setdefault(making.ids[note], []).append(review._replace(card=number))
                if count == limits.REVIEWS:
                    left.add(Message("only {most:,} reviews are imported", most=limits.REVIEWS))
        if not reviews and (studied := collection.count("cards", "reps")):
            left.add("the schedule of a studied card was skipped", count=studied)
        if not reviews and (count := collection.count("revlog", "id")):
            left.add("a review was skipped; --with-reviews imports reviews", count=count)
    for why, which in files.unused():
        left.add(why, which)
    stream.seek(0)
    return Batch(
        Book(entries, media=blobs, reviews=log),
        package=stream.read(limits.STREAM) if reviews else b"",
        given=frozenset(making.ids.values()),
        dropped=tuple(left.told()),
        bad=bad,
    )


@contextmanager
def unpacked(archive: Archive) -> Iterator[Path]:
    """Extract the collection to a temporary file while it is read. Raises `BadData`."""
    member, limit = archive.collection, limits.DATABASE
    with tempfile.TemporaryDirectory(prefix="danesh-") as folder:
        file = Path(folder) / "collection.db"
        with told_of(folder), file.open("xb") as out, archive.opened(member, limit) as inner:
            out.writelines(pieces(inner, f"{archive.name}: {member}", limit))
        yield file

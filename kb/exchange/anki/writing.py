"""A package of Anki's: each question and each card a note, in the decks of their collections.

Guids come from the ids of entries, so whoever imports a later export into the same collection
has the same notes, renewed and not doubled. Anki renews a note from a later time than its own:
so a note has the time of its entry's last change that the journal knows, and what was not
changed is left alone. A run that confirms a figure changes no entry. What was never changed
has the time of the version of our cards (`notetypes.MADE`), which counts for the others, too.

Entries of the kind ``note`` ask nothing and have no card: they are not taken. Nor are reviews.
"""

from __future__ import annotations

from typing import BinaryIO

from kb.display.safe import in_one_line
from kb.exchange.anki import notetypes
from kb.exchange.anki.cards import fields, shown
from kb.exchange.anki.decks import Decks
from kb.exchange.anki.identity import guid_of, id_of
from kb.exchange.anki.media import MediaNames
from kb.exchange.anki.packing import Note, packing
from kb.exchange.book import Book
from kb.records import Entry


def write(book: Book, out: BinaryIO) -> int:
    """Write the package, an entry at a time; return how many have a card.

    Raises `BadData` where no draft can be written.
    """
    with packing(out) as package:
        decks = Decks(book.collections)
        media = MediaNames(book, package.add_media)
        for entry in book.entries:
            if entry.kind in notetypes.NAMES:
                changed = max(book.changed.get(entry.id, 0) + notetypes.VERSION, notetypes.MADE)
                package.add(_note(entry, decks.id(entry.collection), changed, media))
        return package.finish(notetypes.types(), decks.told(notetypes.MADE))


def _note(entry: Entry, deck: int, changed: int, media: MediaNames) -> Note:
    return Note(
        guid_of(entry.id),
        id_of("note", entry.id),
        notetypes.type_of(entry.kind),
        deck,
        changed,
        tags_of(entry),
        fields(entry, media.of(entry)),
        shown(entry),
    )


def tags_of(entry: Entry) -> tuple[str, ...]:
    """Return an entry's tags, which in Anki have no blanks.

    >>> tags_of(Entry("a", "card", "", {}, tags=("deep learning", "شبکه‌ها")))
    ('deep_learning', 'شبکه\u200cها')
    """
    words = ("_".join(in_one_line(tag).replace("\u3000", " ").split()) for tag in entry.tags)
    return tuple(dict.fromkeys(filter(None, words)))

"""Anki's notes as text: the two sides of an entry's card, for its kind of notes with two fields.

A text holds no files, so what entries show is named and not shown. For the rest see
`kb.exchange.anki.writing`.
"""

from __future__ import annotations

import csv
import io
from typing import BinaryIO

from kb.exchange.anki.cards import fields
from kb.exchange.anki.decks import Decks
from kb.exchange.anki.identity import guid_of
from kb.exchange.anki.notetypes import FIELDS, NAMES
from kb.exchange.anki.writing import tags_of
from kb.exchange.book import Book
from kb.exchange.encoding import write_text

_HEAD = """\
#separator:tab
#html:true
#notetype:Basic
#guid column:1
#deck column:4
#tags column:5
"""
_FRONT = FIELDS.index("Question")
_BACK = slice(_FRONT + 1, FIELDS.index("Number"))


def write(book: Book, out: BinaryIO) -> int:
    """Write the notes, an entry at a time; return how many entries have a card."""
    decks, count = Decks(book.collections), 0
    write_text(out, _HEAD)
    for entry in book.entries:
        if entry.kind in NAMES:
            texts = fields(entry, {})
            front, back = texts[_FRONT], "".join(texts[_BACK])
            deck, tags = decks.name(entry.collection), " ".join(tags_of(entry))
            write_text(out, _row(guid_of(entry.id), front, back, deck, tags))
            count += 1
    return count


def _row(*cells: str) -> str:
    text = io.StringIO(newline="")
    csv.writer(text, delimiter="\t", lineterminator="\n").writerow(cells)
    return text.getvalue()

"""Anki's notes as text, read: each row is a note, which becomes an entry as one of a package does.

Files that notes show are not in a text: their names stay, and are told. Kinds of notes are not
known here but by name: ours, those with gaps, and others, whose first field is the question.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from html import escape
from typing import BinaryIO, cast

from kb import limits
from kb.errors import BadData
from kb.exchange.anki.collection import Look, Note
from kb.exchange.anki.collections import collections_of
from kb.exchange.anki.files import Files
from kb.exchange.anki.leftover import Leftover
from kb.exchange.anki.notes import Making
from kb.exchange.anki.notetypes import FIELDS, NAMES
from kb.exchange.ankitext.head import Head
from kb.exchange.ankitext.rows import Lines, Row, rows
from kb.exchange.book import Batch, Book
from kb.exchange.hypertext.scanning import words
from kb.exchange.shelf import Shelf
from kb.records import Dropped, Entry, Media, Progress, silent
from kb.text.slug import slug

_FIELD = "\x1f"
_GAP = re.compile(r"\{\{c\d+::", re.IGNORECASE)
_TAG = re.compile(r"</?[a-zA-Z][^<>]*>|&(?:[a-zA-Z]{2,8}|#\d{1,7});")
_GUESSED_BY = 5  # rows in which Anki, too, looks for HTML
_OURS, _PLAIN, _GAPS = frozenset(NAMES.values()), 0, 1


def read(stream: BinaryIO, name: str, progress: Progress = silent) -> Batch:
    """Return the entries of a file; rows that cannot be read are its ``bad`` ones.

    Raises `BadData` for a file that is no UTF-8 text, or has a row that does not end.
    """
    survey = _Survey(stream, name, progress)
    stream.seek(0)
    taking = _Taking(name, survey)
    lines = Lines(stream, name)
    for row in rows(lines, name):
        progress(0, 0)
        taking.take(row)
    return taking.batch(lines)


class _Survey:
    """What must be known of all rows before the first: the decks, and whether fields are HTML."""

    def __init__(self, stream: BinaryIO, name: str, progress: Progress) -> None:
        lines = Lines(stream, name)
        self.head = lines.head
        self.decks: dict[str, int] = {}
        self.html = bool(self.head.html)
        for number, row in enumerate(rows(lines, name)):
            progress(0, 0)
            if self.head.html is None and number < _GUESSED_BY:
                self.html = self.html or any(map(_TAG.search, row.cells))
            self.decks.setdefault(_deck(self.head, row.cells), len(self.decks))
            if len(self.decks) > limits.FILES:
                raise BadData(f"{name}: has more than {limits.FILES:,} decks")


class _Taking:
    """The entries of a file as they are made, and what is to be told of it."""

    def __init__(self, name: str, survey: _Survey) -> None:
        self._name = name
        self._head, self._html, self._decks = survey.head, survey.html, survey.decks
        self._left = Leftover(name)
        names = {number: deck for deck, number in survey.decks.items()}
        looks = {_PLAIN: _plain(self._head), _GAPS: _gaps(), **_ours()}
        self._kinds = {look.name: number for number, look in looks.items() if number > _GAPS}
        # It asks of files no more than their names, and which of them there are.
        files = cast("Files", _NoFiles())
        collections = collections_of(names, [*names])
        self._making = Making(name, looks, collections, files, self._left)
        self._entries = Shelf()
        self._lines: dict[str, int] = {}
        self._given: set[str] = set()
        self._often: Counter[str] = Counter()
        self._bad: list[Dropped] = []

    def take(self, row: Row) -> None:
        """Take a row, or put it among the bad ones. Raises `BadData` for too many."""
        try:
            entry = self._entry(row)
        except BadData as error:
            if len(self._bad) >= limits.BAD_LINES:
                said = f"{self._name}: more than {limits.BAD_LINES:,} rows cannot be read"
                raise BadData(said) from error
            why = error.message.removeprefix(f"{self._name}: ")
            self._bad.append(Dropped(self._name, row.line, why, "\t".join(row.cells)[:200]))
            return
        if entry is not None:
            if len(self._entries) >= limits.SHELVED:
                raise BadData(f"{self._name}: holds more than {limits.SHELVED:,} entries")
            self._entries.add(entry)
            self._lines[entry.id] = row.line

    def batch(self, lines: Lines) -> Batch:
        """Return what was taken."""
        comments = lines.comments
        told = list(self._left.told())
        if comments is not None:
            said = f"{comments.many} lines that are comments are not taken"
            told.append(Dropped(self._name, comments.line, said, comments.text[:200]))
        return Batch(
            Book(self._entries),
            lines=self._lines,
            given=self._given,
            dropped=tuple(told),
            bad=tuple(self._bad),
        )

    def _entry(self, row: Row) -> Entry | None:
        head = self._head
        cells = [row.cells[place] for place in head.fields(len(row.cells))]
        fields = [self._source(cell) for cell in cells]
        kind = _cell(head, row.cells, "notetype").strip() or head.notetype
        look = self._look(kind, fields)
        guid = _cell(head, row.cells, "guid").strip()
        tags = f"{head.tags} {_cell(head, row.cells, 'tags')}"
        deck = self._decks[_deck(head, row.cells)]
        said = _FIELD.join(fields[: len(FIELDS)] if look > _GAPS else fields)
        id = guid or self._named(fields)
        entry = self._making.entry(Note(row.line, id, look, tags, said, deck))
        if entry is not None and (guid or look > _GAPS):
            self._given.add(entry.id)
        return entry

    def _source(self, cell: str) -> str:
        """Return a cell as HTML that a field may hold."""
        cell = cell.replace(_FIELD, " ")
        return cell if self._html else escape(cell, quote=False).replace("\n", "<br>")

    def _look(self, kind: str, fields: Sequence[str]) -> int:
        """Return how the notes of a kind are shown, by its name or by what they hold."""
        if kind in self._kinds:
            return self._kinds[kind]
        if kind:
            self._left.add("the kinds of notes are not taken", kind)
        return _GAPS if any(map(_GAP.search, fields[:1])) else _PLAIN

    def _named(self, fields: Sequence[str]) -> str:
        """Return a name for a note without a guid, made of its words, that is no other's here."""
        wanted = found = slug(words(next(filter(str.strip, fields), "")))
        while found in self._lines:
            self._often[wanted] += 1
            found = f"{wanted}-{self._often[wanted] + 1}"
        return found


class _NoFiles:
    """The files that a text shows, of which it has none."""

    def __init__(self) -> None:
        self._shown: dict[str, None] = {}

    def name(self, source: str) -> str:
        """Return the name that a file goes by."""
        self._shown[source] = None
        return source

    def taken(self, left: Callable[[str, str], None]) -> tuple[Media, ...]:
        """Return no file; ``left`` is told of those that were named."""
        for name in self._shown:
            left("a file that a note shows is not in a text", name)
        self._shown.clear()
        return ()


def _cell(head: Head, cells: Sequence[str], column: str) -> str:
    place = head.places.get(column, len(cells))
    return cells[place] if place < len(cells) else ""


def _deck(head: Head, cells: Sequence[str]) -> str:
    return _cell(head, cells, "deck").strip() or head.deck


def _plain(head: Head) -> Look:
    labels = [head.labels[place].strip() for place in head.fields(len(head.labels))]
    names = [label or str(number) for number, label in enumerate(labels, 1)]
    names += ("Front", "Back")[len(names) :]
    front, back = (f"{{{{{name}}}}}" for name in names[:2])
    return Look("", tuple(names), front, back, (front, back), cloze=False)


def _gaps() -> Look:
    front = "{{cloze:Text}}"
    back = f"{front}{{{{Back Extra}}}}"
    return Look("", ("Text", "Back Extra"), front, back, (front, back), cloze=True)


def _ours() -> Mapping[int, Look]:
    back = "".join(f"{{{{{name}}}}}" for name in FIELDS[2:6])
    return {
        number: Look(name, FIELDS, "{{Question}}", back, ("{{Question}}", back), cloze=False)
        for number, name in enumerate(sorted(_OURS), _GAPS + 1)
    }

"""Anki's text format: a table of notes after lines that describe it.

Each row is a note and becomes an entry, as in a package. The text contains no media: their names
stay, and are reported. Note types are known only by name: ours, those with gaps, and others,
whose first field is the question.
"""

from __future__ import annotations

import io
import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from html import escape
from itertools import takewhile
from typing import BinaryIO

from kb import limits
from kb.errors import BadData, Message
from kb.foreign import unix
from kb.formats.anki.cards import fields
from kb.formats.anki.collection import Note
from kb.formats.anki.decks import Decks, collections_of
from kb.formats.anki.media import Files
from kb.formats.anki.notes import Making
from kb.formats.anki.notetypes import FIELDS, NAMES, Notetype, guid_of
from kb.formats.anki.writing import tags_of
from kb.formats.book import Batch, Book, Leftover, shelved, slug, unused
from kb.formats.hypertext.scanning import words
from kb.formats.registry import ANKI_SETTING
from kb.formats.tables import bad_row, write_rows
from kb.formats.tabular.dialect import Dialect, Row, Written, reader, rows_in
from kb.formats.tabular.reading import Column, Mapped
from kb.model.entry import Entry
from kb.model.reports import Dropped
from kb.model.results import Progress, silent

_SEPARATORS = {
    "tab": "\t", "pipe": "|", "semicolon": ";", "colon": ":", "comma": ",", "space": " ",
}  # fmt: skip
"""Possible separators, in the order that Anki tries if the file does not name one."""

_LONGEST_HEAD = 1 << 18
_SEPARATOR_GUESSED_BY = 8 << 10
_HTML_GUESSED_BY = 5  # rows in which Anki, too, looks for HTML
_TAG = re.compile(r"</?[a-zA-Z][^<>]*>|&(?:[a-zA-Z]{2,8}|#\d{1,7});")
_NUMBER = re.compile(r"\s*[1-9]\d{0,3}\s*", re.ASCII)
_FIELD = "\x1f"
_GAP = re.compile(r"\{\{c\d+::", re.IGNORECASE)
_CLOZE = Notetype("", ("Text", "Back Extra"), ("{{cloze:Text}}", "{{Back Extra}}"), cloze=True)
_OURS = {name: Notetype(name, FIELDS, ("{{Question}}",), cloze=False) for name in NAMES.values()}

_WRITTEN_HEAD = """\
#separator:tab
#html:true
#notetype:Basic
#guid column:1
#deck column:4
#tags column:5
"""
_FRONT = FIELDS.index("Question")
_BACK = slice(_FRONT + 1, FIELDS.index("Number"))


def read(stream: BinaryIO, name: str, progress: Progress = silent) -> Batch:
    """Return the entries of a file; unreadable rows are in ``bad``.

    Raises `BadData` if it is not UTF-8 text, or has an unfinished row.
    """
    notes = _Notes(stream, name, progress)
    entries, bad = shelved(name, notes.rows(), notes.entry, partial(bad_row, name), progress)
    return Batch(
        Book(entries), lines=notes.lines, given=notes.given, dropped=tuple(notes.told()), bad=bad
    )


def write(book: Book, out: BinaryIO) -> int:
    """Write each entry's card as an Anki note of the type with two fields.

    A text contains no media, so they are named and not shown. See `kb.formats.anki.writing` for
    the rest. Return how many entries have a card.
    """
    out.write(_WRITTEN_HEAD.encode())
    decks, count = Decks(book.collections), 0
    for entry in book.entries:
        if entry.kind in NAMES:
            texts = fields(entry, {})
            sides = texts[_FRONT], "".join(texts[_BACK])
            deck, tags = decks.name(entry.collection), " ".join(tags_of(entry))
            write_rows(out, [(guid_of(entry.id), *sides, deck, tags)], "\t")
            count += 1
    return count


class _Notes:
    """The settings of a file, its rows, and the entries made of them.

    ``lines`` has the first line of each entry, ``given`` the ids from the file.
    """

    def __init__(self, stream: BinaryIO, name: str, progress: Progress) -> None:
        self._stream, self._name = stream, name
        self._left = Leftover(name)
        self.lines: dict[str, int] = {}
        self.given: set[str] = set()
        self._often: Counter[str] = Counter()
        labels = self._read_head()
        html = self._settings.get("html", "").strip().lower()
        self._is_html = html == "true"
        decks: dict[str, str] = {}
        # What must be known of all rows before the first: the decks, and whether fields are HTML.
        for number, row in enumerate(self.rows()):
            progress(0, 0)
            if html not in ("true", "false") and number < _HTML_GUESSED_BY:
                self._is_html = self._is_html or any(map(_TAG.search, row.cells))
            deck = self._said(row)["deck"]
            decks[deck] = deck
            if len(decks) > limits.FILES:
                raise BadData("has more than {most:,} decks", place=name, most=limits.FILES)
        notetypes = {"": _plain(self._fields(labels)), "cloze": _CLOZE, **_OURS}
        self._making = Making(name, notetypes, collections_of(decks), _NoFiles(), self._left)

    def _read_head(self) -> Sequence[str]:
        """Read the settings of the first lines, and return the names of all columns.

        The last of equal settings counts.
        """
        text = unix(self._stream.read(_LONGEST_HEAD).decode("utf-8-sig", "replace"))
        lines = [*takewhile(lambda line: line.startswith("#"), io.StringIO(text))]
        head = "".join(lines)
        settings = {key.lower(): value for key, value in ANKI_SETTING.findall(head)}
        separator = settings.get("separator", "")
        separator = _SEPARATORS.get(separator.strip().lower(), separator)
        is_known = separator in _SEPARATORS.values()
        between = separator if is_known else "\t"
        labels = next(reader([settings.get("columns", "")], delimiter=between), [])
        if not is_known:
            rows = text[len(head) :][:_SEPARATOR_GUESSED_BY]
            separator = next((sign for sign in _SEPARATORS.values() if sign in rows), "\t")
        columns = tuple(
            Column(key.removesuffix(" column"), (int(value) - 1,))
            for key, value in settings.items()
            if key.endswith(" column") and _NUMBER.fullmatch(value)
        )
        self._settings, self._head_lines = settings, len(lines)
        self._written = Written("UTF-8-SIG", Dialect(separator, strict=False), guessed=False)
        self._columns = Mapped(columns, header=False)
        return labels

    def rows(self) -> Iterator[Row]:
        """Yield the rows with a cell that is not empty."""
        self._stream.seek(0)
        self._comments, self._first = 0, (0, "")
        for row in rows_in(self._stream, self._written, self._name, self._is_comment):
            if any(cell.strip() for cell in row.cells):
                yield Row(row.line, [unix(cell) for cell in row.cells])

    def _said(self, row: Row) -> Mapping[str, str]:
        """Return the settings of a row, or else those of the header for all rows."""
        every = {what: self._settings.get(what, "").strip() for what in ("deck", "notetype")}
        return every | {role: said for (role, _), said in self._columns.said(row.cells).items()}

    def _fields(self, cells: Sequence[str]) -> list[str]:
        """Return the cells that are fields."""
        taken = self._columns.places
        return [cell for place, cell in enumerate(cells) if place not in taken]

    def entry(self, row: Row) -> Entry | None:
        """Return the entry of a row. Raises `BadData` for an invalid row."""
        texts = [cell.replace(_FIELD, " ") for cell in self._fields(row.cells)]
        if not self._is_html:
            texts = [escape(cell, quote=False).replace("\n", "<br>") for cell in texts]
        said = self._said(row)
        guid, kind = said.get("guid", ""), said["notetype"]
        if kind and kind not in _OURS:
            self._left.add("the note types were skipped", kind)
        if kind not in _OURS:
            kind = "cloze" if any(map(_GAP.search, texts[:1])) else ""
        tags = f"{self._settings.get('tags', '')} {said.get('tags', '')}"
        named = slug(words(next(filter(str.strip, texts), "")))
        id = guid or unused(named, self.lines.__contains__, self._often)
        sides = _FIELD.join(texts[: len(FIELDS)] if kind in _OURS else texts)
        entry = self._making.entry(Note(row.line, id, kind, tags, sides, said["deck"]))
        if entry is not None:
            self.lines[entry.id] = row.line
            if guid or kind in _OURS:
                self.given.add(entry.id)
        return entry

    def _is_comment(self, line: str, number: int) -> bool:
        """Return whether a line is not a row; comment lines without a setting are counted."""
        if not line.startswith("#"):
            return False
        if number > self._head_lines or not ANKI_SETTING.match(line):
            if not self._comments:
                self._first = number, line.rstrip("\r\n")[:200]
            self._comments += 1
        return True

    def told(self) -> Iterator[Dropped]:
        """Yield what was skipped."""
        yield from self._left.told()
        if self._comments:
            said = Message("{lines} comment lines were skipped", lines=self._comments)
            yield Dropped(self._name, self._first[0], said, self._first[1])


class _NoFiles(Files):
    """The media that a text shows, none of which it contains."""

    def __init__(self) -> None:
        self._shown = {}

    def name(self, source: str) -> str:
        """Return the name of a file."""
        self._shown[source] = ""
        return source


def _plain(labels: Sequence[str]) -> Notetype:
    names = [label.strip() or str(number) for number, label in enumerate(labels, 1)]
    names += ("Front", "Back")[len(names) :]
    sides = tuple(f"{{{{{name}}}}}" for name in names[:2])
    return Notetype("", tuple(names), sides, cloze=False)

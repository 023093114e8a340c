"""Anki's text format: a table of notes after lines that describe it.

Each row is a note and becomes an entry, as in a package. The text contains no media: their names
stay, and are reported. Note types are known only by name: ours, those with gaps, and others,
whose first field is the question.
"""

from __future__ import annotations

import io
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from html import escape
from itertools import takewhile
from typing import BinaryIO, NamedTuple

from kb import limits
from kb.errors import BadData, Message
from kb.foreign import unix
from kb.formats.anki.cards import fields
from kb.formats.anki.collection import Note
from kb.formats.anki.decks import Decks, collections_of
from kb.formats.anki.media import Files
from kb.formats.anki.notes import Leftover, Making
from kb.formats.anki.notetypes import FIELDS, NAMES, Notetype, guid_of
from kb.formats.anki.writing import tags_of
from kb.formats.book import Batch, Book
from kb.formats.cells import reader
from kb.formats.encoding import write_text
from kb.formats.hypertext.scanning import words
from kb.formats.shelf import shelved
from kb.formats.tables import write_rows
from kb.formats.tabular.columns import Column, Mapped
from kb.formats.tabular.dialect import ANKI_SETTING, Dialect, Row, Written
from kb.formats.tabular.making import unused
from kb.formats.tabular.reading import bad_row, rows_in
from kb.model import Dropped, Entry, Progress, silent
from kb.text.slug import slug

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
_CLOZE = Notetype("", ("Text", "Back Extra"), "{{cloze:Text}}", "{{Back Extra}}", (), cloze=True)
_OURS = {
    name: Notetype(name, FIELDS, "{{Question}}", "", (), cloze=False) for name in NAMES.values()
}

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


class _Head(NamedTuple):
    """The settings in the first lines, the number of these lines, and the dialect.

    ``columns`` are those that are not fields; ``labels`` name all.
    """

    settings: Mapping[str, str]
    lines: int
    written: Written
    columns: Mapped
    labels: Sequence[str]

    def said(self, row: Row) -> Mapping[str, str]:
        """Return the settings of a row, or else those of the header for all rows."""
        every = {what: self.settings.get(what, "").strip() for what in ("deck", "notetype")}
        return every | {role: said for (role, _), said in self.columns.said(row.cells).items()}

    def fields(self, cells: Sequence[str]) -> list[str]:
        """Return the cells that are fields."""
        taken = self.columns.places
        return [cell for place, cell in enumerate(cells) if place not in taken]


def read(stream: BinaryIO, name: str, progress: Progress = silent) -> Batch:
    """Return the entries of a file; unreadable rows are in ``bad``.

    Raises `BadData` if it is not UTF-8 text, or has an unfinished row.
    """
    head = _head(stream)
    html = head.settings.get("html", "").strip().lower()
    decks: dict[str, str] = {}
    is_html = html == "true"
    # What must be known of all rows before the first: the decks, and whether fields are HTML.
    for number, row in enumerate(_rows(stream, name, head, _is_comment)):
        progress(0, 0)
        if html not in ("true", "false") and number < _HTML_GUESSED_BY:
            is_html = is_html or any(map(_TAG.search, row.cells))
        deck = head.said(row)["deck"]
        decks[deck] = deck
        if len(decks) > limits.FILES:
            raise BadData("has more than {most:,} decks", place=name, most=limits.FILES)
    notes = _Notes(name, head, decks, is_html=is_html)
    rows = _rows(stream, name, head, notes.is_comment)
    entries, bad = shelved(name, rows, notes.entry, partial(bad_row, name), progress)
    return Batch(
        Book(entries),
        lines=notes.lines,
        given=notes.given,
        dropped=tuple(notes.told()),
        bad=bad,
    )


def write(book: Book, out: BinaryIO) -> int:
    """Write each entry's card as an Anki note of the type with two fields.

    A text contains no media, so they are named and not shown. See `kb.formats.anki.writing` for
    the rest. Return how many entries have a card.
    """
    write_text(out, _WRITTEN_HEAD)
    decks, count = Decks(book.collections), 0
    for entry in book.entries:
        if entry.kind in NAMES:
            texts = fields(entry, {})
            sides = texts[_FRONT], "".join(texts[_BACK])
            deck, tags = decks.name(entry.collection), " ".join(tags_of(entry))
            write_rows(out, [(guid_of(entry.id), *sides, deck, tags)], "\t")
            count += 1
    return count


def _head(stream: BinaryIO) -> _Head:
    """Return the settings of the first lines; the last of equal ones counts."""
    text = unix(stream.read(_LONGEST_HEAD).decode("utf-8-sig", "replace"))
    lines = [*takewhile(_is_comment, io.StringIO(text))]
    head = "".join(lines)
    settings = {key.lower(): value for key, value in ANKI_SETTING.findall(head)}
    separator = settings.get("separator", "")
    separator = _SEPARATORS.get(separator.strip().lower(), separator)
    is_known = separator in _SEPARATORS.values()
    between = separator if is_known else "\t"
    labels: list[str] = next(reader([settings.get("columns", "")], delimiter=between), [])
    if not is_known:
        rows = text[len(head) :][:_SEPARATOR_GUESSED_BY]
        separator = next((sign for sign in _SEPARATORS.values() if sign in rows), "\t")
    columns = tuple(
        Column(key.removesuffix(" column"), (int(value) - 1,))
        for key, value in settings.items()
        if key.endswith(" column") and _NUMBER.fullmatch(value)
    )
    written = Written("UTF-8-SIG", Dialect(separator, strict=False), guessed=False)
    return _Head(settings, len(lines), written, Mapped(columns, header=False), labels)


def _rows(
    stream: BinaryIO, name: str, head: _Head, is_comment: Callable[[str, int], bool]
) -> Iterator[Row]:
    """Yield the rows with a cell that is not empty."""
    stream.seek(0)
    for row in rows_in(stream, head.written, name, is_comment):
        if any(cell.strip() for cell in row.cells):
            yield Row(row.line, [unix(cell) for cell in row.cells])


def _is_comment(line: str, number: int = 0) -> bool:
    return line.startswith("#")


class _Notes:
    """Makes entries of rows and collects what to report.

    ``lines`` has the first line of each entry, ``given`` the ids from the file.
    """

    def __init__(self, name: str, head: _Head, decks: dict[str, str], *, is_html: bool) -> None:
        self._left = Leftover(name)
        self.lines: dict[str, int] = {}
        self.given: set[str] = set()
        self._head, self._is_html = head, is_html
        notetypes = {"": _plain(head.fields(head.labels)), "cloze": _CLOZE, **_OURS}
        self._making = Making(name, notetypes, collections_of(decks, decks), _NoFiles(), self._left)
        self._often: Counter[str] = Counter()
        self._name, self._comments, self._first = name, 0, (0, "")

    def entry(self, row: Row) -> Entry | None:
        """Return the entry of a row. Raises `BadData` for an invalid row."""
        texts = [cell.replace(_FIELD, " ") for cell in self._head.fields(row.cells)]
        if not self._is_html:
            texts = [escape(cell, quote=False).replace("\n", "<br>") for cell in texts]
        said = self._head.said(row)
        guid, kind = said.get("guid", ""), said["notetype"]
        if kind and kind not in _OURS:
            self._left.add("the note types were skipped", kind)
        if kind not in _OURS:
            kind = "cloze" if any(map(_GAP.search, texts[:1])) else ""
        tags = f"{self._head.settings.get('tags', '')} {said.get('tags', '')}"
        named = slug(words(next(filter(str.strip, texts), "")))
        id = guid or unused(named, self.lines, self._often)
        sides = _FIELD.join(texts[: len(FIELDS)] if kind in _OURS else texts)
        entry = self._making.entry(Note(row.line, id, kind, tags, sides, said["deck"]))
        if entry is not None:
            self.lines[entry.id] = row.line
            if guid or kind in _OURS:
                self.given.add(entry.id)
        return entry

    def is_comment(self, line: str, number: int) -> bool:
        """Return whether a line is not a row; comment lines without a setting are counted."""
        found = _is_comment(line)
        if found and not (number <= self._head.lines and ANKI_SETTING.match(line)):
            if not self._comments:
                self._first = (number, line.rstrip("\r\n"))
            self._comments += 1
        return found

    def told(self) -> Iterator[Dropped]:
        """Yield what was skipped."""
        yield from self._left.told()
        if self._comments:
            said = Message("{lines} comment lines were skipped", lines=self._comments)
            yield Dropped(self._name, self._first[0], said, self._first[1][:200])


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
    front, back = (f"{{{{{name}}}}}" for name in names[:2])
    return Notetype("", tuple(names), front, back, (), cloze=False)

"""JSON lines: other people's documents in, and our own entries in and out."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import BinaryIO, NamedTuple

from kb import limits
from kb.contract.bounds import bounded, bounded_keys
from kb.contract.codec import TEXT, Choice, Maybe, Words
from kb.contract.document import dumps, loads
from kb.contract.entry import ENTRY
from kb.contract.shape import Key, Shape
from kb.errors import BadData
from kb.exchange.book import Batch, Book
from kb.exchange.encoding import write_text
from kb.foreign import decoded, raw_lines, size
from kb.records import Answer, Dropped, Entry, Progress
from kb.records.progress import silent
from kb.records.vocabulary import LEVELS
from kb.text.languages import guess_language

_SHOWN = 200  # bytes of a line that is too long to be set aside


def write(book: Book, out: BinaryIO) -> None:
    """Write an entry a line."""
    for entry in book.entries:
        write_text(out, dumps(ENTRY.write(entry), indent=None) + "\n")


def read(stream: BinaryIO, name: str, progress: Progress = silent) -> Batch:
    """Return the entries of a file; lines that cannot be read are its ``bad`` ones.

    A line is either one of ours or ``{"id", "lang", "title", "text"}``, where the title
    becomes the question and the text the answer. Lines with the same id and another
    language are one entry. What else such a line holds is not taken, and listed by its key.
    """
    own: dict[str, Entry] = {}
    foreign: dict[str, Entry] = {}
    first_line: dict[str, int] = {}
    others = _NotTaken(name)
    bad = _Bad(name)
    for number, (line, whole) in enumerate(raw_lines(stream, name, limits.FILE, limits.RECORD), 1):
        if not line.strip():
            continue
        progress(0, 0)
        place = f"{name}:{number}"
        try:
            value = loads(_text(line, whole, number, place), place)
            if isinstance(value, dict) and "kind" in value and "question" in value:
                _add_own(own, bounded(ENTRY.read(value, place), place), place, first_line)
            else:
                entry = bounded(_foreign(value, place), place)
                _add_foreign(foreign, entry, place, first_line)
                others.add(value.keys() - _TAKEN, number)
        except BadData as error:
            bad.add(number, error.message, line)
            continue
        first_line.setdefault(_identifier(value, place), number)
        if len(first_line) > limits.ENTRIES:
            raise BadData(f"{name}: holds more than {limits.ENTRIES:,} entries")
    if own and foreign:
        raise BadData(f"{name}: some lines are danesh's own entries and some are not")
    entries = tuple(own.values()) or tuple(foreign.values())
    return Batch(
        Book(entries),
        own=bool(own),
        lines=first_line,
        given=frozenset(foreign),
        dropped=others.told(),
        bad=tuple(bad.lines),
    )


def _text(line: bytes, whole: bool, number: int, place: str) -> str:
    if not whole:
        raise BadData(f"{place}: this line has more than {size(limits.RECORD)}")
    return decoded(line, place, first=number == 1)


class _Bad:
    """The lines that cannot be read, as they are set aside: of one too long the beginning."""

    def __init__(self, name: str) -> None:
        self.lines: list[Dropped] = []
        self._name = name
        self._bytes = 0

    def add(self, number: int, reason: str, line: bytes) -> None:
        """Set a line aside. Raises `BadData` once there are too many."""
        whole = len(line) <= limits.RECORD
        self._bytes += len(line) if whole else _SHOWN
        if len(self.lines) >= limits.BAD_LINES or self._bytes > limits.BAD_BYTES:
            raise BadData(f"{reason} (and {len(self.lines)} lines before it: no more are read)")
        said = reason if whole else f"{reason}; only its beginning is set aside"
        text = line[: None if whole else _SHOWN].decode("utf-8", "replace").rstrip("\r\n")
        self.lines.append(Dropped(self._name, number, said, text))


class _NotTaken:
    """The keys that are not taken, each with its first line and how many have it."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._known: dict[str, list[int]] = {}
        self._more = 0

    def add(self, keys: Iterable[str], line: int) -> None:
        """Note the keys of a line."""
        for key in keys:
            if key in self._known:
                self._known[key][1] += 1
            elif len(self._known) < limits.KEYS:
                self._known[key] = [line, 1]
            else:
                self._more += 1

    def told(self) -> tuple[Dropped, ...]:
        """Return each key as something of the file that is not taken."""
        told = [
            Dropped(self._name, line, f"the key '{key}' of {count} lines is not taken", key)
            for key, (line, count) in self._known.items()
        ]
        if self._more:
            told.append(Dropped(self._name, None, f"{self._more:,} more such keys", ""))
        return tuple(told)


def _add_own(
    own: dict[str, Entry], entry: Entry, place: str, first_line: Mapping[str, int]
) -> None:
    if entry.id in own:
        line = first_line[entry.id]
        raise BadData(f"{place}: the id '{entry.id}' stands in line {line} too")
    own[entry.id] = entry


def _add_foreign(
    foreign: dict[str, Entry], entry: Entry, place: str, first_line: Mapping[str, int]
) -> None:
    known = foreign.get(entry.id)
    foreign[entry.id] = entry if known is None else _joined(known, entry, place, first_line)


class _Row(NamedTuple):
    """What a line of other people's files says; what else it holds is left out."""

    title: str
    text: str
    lang: str | None
    level: str | None
    topic: str | None
    tags: tuple[str, ...]


_ROW = Shape(
    _Row,
    Key("title", TEXT, default=""),
    Key("text", TEXT, default=""),
    Key("lang", Maybe(TEXT), default=None),
    Key("level", Maybe(Choice(LEVELS)), default=None),
    Key("topic", Maybe(TEXT), default=None),
    Key("tags", Words(), default=()),
    strict=False,
)


_TAKEN = {"id", *_Row._fields}


def _foreign(value: object, place: str) -> Entry:
    if isinstance(value, dict):
        bounded_keys(value, place)
    row = _ROW.read(value, place)
    if not row.title.strip() and not row.text.strip():
        raise BadData(f"{place}: title and text are both missing or empty")
    lang = row.lang or guess_language(row.title + row.text)
    return Entry(
        id=_identifier(value, place),
        kind="question",
        collection="",
        question={lang: row.title or _first_line(row.text)},
        level=row.level,
        topic=row.topic,
        tags=row.tags,
        answers=(Answer("source", lang, row.text),) if row.text.strip() else (),
    )


def _identifier(value: object, place: str) -> str:
    """Return the id as given: a text that is not empty, or a whole number."""
    given = value.get("id") if isinstance(value, Mapping) else None
    if type(given) is int:
        return json.dumps(given)
    if given is None:
        raise BadData(f"{place}: id is missing")
    found: str = TEXT.read(given, place, "id")
    if not found.strip():
        raise BadData(f"{place}: id is empty")
    return found


def _joined(known: Entry, new: Entry, place: str, first_line: Mapping[str, int]) -> Entry:
    """Return an entry with the language of another line added."""
    lang = next(iter(new.question))
    if lang in known.question:
        line = first_line[known.id]
        raise BadData(
            f"{place}: the id '{known.id}' stands in line {line} too, in '{lang}' as well"
        )
    return Entry(
        id=known.id,
        kind=known.kind,
        collection="",
        question={**known.question, **new.question},
        level=known.level or new.level,
        topic=known.topic or new.topic,
        tags=tuple(dict.fromkeys((*known.tags, *new.tags))),
        answers=(*known.answers, *new.answers),
    )


def _first_line(text: str) -> str:
    return text.strip().splitlines()[0][:120]

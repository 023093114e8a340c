"""JSON lines: import of foreign documents, import and export of our own entries."""

from __future__ import annotations

import json
from array import array
from bisect import bisect_left
from collections.abc import Mapping
from dataclasses import replace
from typing import Any, BinaryIO

from kb import limits
from kb.errors import BadData, Message
from kb.foreign import decoded, raw_lines, size
from kb.formats.book import Batch, Book, Leftover, Shelf, first_line, shelved
from kb.model.entry import Answer, Entry
from kb.model.entry_json import ENTRY, Level, bounded, bounded_keys
from kb.model.json import dumps, loads
from kb.model.reports import Dropped
from kb.model.results import Progress, silent
from kb.model.shapes import TEXT, WORDS, Key, Maybe, Shape
from kb.model.values import LEVELS
from kb.text.languages import guess_language

_SHOWN = 200  # bytes of a line that is too long to be set aside


def write(book: Book, out: BinaryIO) -> None:
    """Write one entry per line."""
    out.writelines(
        (dumps(ENTRY.write(entry), indent=None) + "\n").encode() for entry in book.entries
    )


def read(stream: BinaryIO, name: str, progress: Progress = silent) -> Batch:
    """Return the entries of a file; unreadable lines are in ``bad``.

    A line is either one of ours or ``{"id", "lang", "title", "text"}``, where the title becomes
    the question and the text the answer. Lines with the same id and another language are one
    entry. Other keys of such a line are skipped and listed.
    """
    taken = _Taken(name)
    lines = enumerate(raw_lines(stream, name, limits.FILE, limits.RECORD), 1)
    said = (each for each in lines if each[1][0].strip())
    _, bad = shelved(name, said, taken.entry, taken.unread, progress, taken.entries)
    return taken.batch(bad)


_Line = tuple[int, tuple[bytes, bool]]
"""The number of a line, the line, and whether it is complete."""


class _Taken:
    """The entries read so far and the line where each begins, and what was skipped."""

    def __init__(self, name: str) -> None:
        self.entries = Shelf()
        self._name = name
        self._lines: dict[str, int] = {}
        self._begins = array("Q")
        self._kinds: set[bool] = set()
        self._left = Leftover(name)

    def entry(self, line: _Line) -> Entry | None:
        """Return the entry of a line, or nothing if it is the text of another in a language.

        Raises `BadData` if its id, or its id and language, are taken.
        """
        number, (data, whole) = line
        place = f"{self._name}:{number}"
        if not whole:
            raise BadData("this line has more than {most}", place=place, most=size(limits.RECORD))
        value = loads(decoded(data, place, first=number == 1), place)
        own = isinstance(value, dict) and "kind" in value and "question" in value
        entry = bounded((ENTRY.read if own else _foreign)(value, place), place)
        self._kinds.add(own)
        start = self._lines.setdefault(entry.id, number)
        if start == number:
            self._begins.append(number)
        elif own:
            raise BadData(
                "the id '{id}' is also in line {line}", place=place, id=entry.id, line=start
            )
        else:
            known = bisect_left(self._begins, start)
            self.entries.put(known, _joined(self.entries[known], entry, place, start))
        for key in () if own else sorted(value.keys() - _TAKEN):
            self._left.add("the key '{text}' of {n} lines was skipped", key, line=number)
        return entry if start == number else None

    def unread(self, line: _Line, reason: str) -> Dropped:
        """Return the report of an unreadable line, of a too long one with its beginning."""
        number, (data, whole) = line
        if not whole:
            data = data[:_SHOWN]
            reason = Message("{reason}; only its beginning is written", reason=reason)
        text = data.decode("utf-8", "replace").rstrip("\r\n")
        return Dropped(self._name, number, reason, text)

    def batch(self, bad: tuple[Dropped, ...]) -> Batch:
        """Return the result. Raises `BadData` for lines of both kinds."""
        if len(self._kinds) > 1:
            raise BadData("only some lines are danesh's entries", place=self._name)
        own = True in self._kinds
        return Batch(
            Book(self.entries),
            own=own,
            lines=self._lines,
            given=() if own else self._lines.keys(),
            dropped=tuple(self._left.told()),
            bad=bad,
            plain=not own,
        )


_KEYS = (
    Key("title", TEXT, default=""),
    Key("text", TEXT, default=""),
    Key("lang", Maybe(TEXT), default=None),
    Key("level", Maybe(Level(LEVELS)), default=None),
    Key("topic", Maybe(TEXT), default=None),
    Key("tags", WORDS, default=()),
)
"""The content of a foreign line; other keys are skipped."""
_ROW: Shape[dict[str, Any]] = Shape(dict, *_KEYS, strict=False)
_TAKEN = {"id", *(key.name for key in _KEYS)}


def _foreign(value: object, place: str) -> Entry:
    if isinstance(value, dict):
        bounded_keys(value, place)
    facts = _ROW.read(value, place)
    title, text, lang = (facts.pop(key) for key in ("title", "text", "lang"))
    if not title.strip() and not text.strip():
        raise BadData("title and text are both missing or empty", place=place)
    lang = lang or guess_language(title + text)
    return Entry(
        id=_identifier(value, place),
        kind="question",
        collection="",
        question={lang: title or first_line(text)},
        answers=(Answer("source", lang, text),) if text.strip() else (),
        **facts,
    )


def _identifier(value: object, place: str) -> str:
    """Return the id as given: a text that is not empty, or a whole number."""
    given = value.get("id") if isinstance(value, Mapping) else None
    if type(given) is int:
        return json.dumps(given)
    if given is None:
        raise BadData("id is missing", place=place)
    found: str = TEXT.read(given, place, "id")
    if not found.strip():
        raise BadData("id is empty", place=place)
    return found


def _joined(known: Entry, new: Entry, place: str, line: int) -> Entry:
    """Return an entry with the texts of another line added."""
    lang = next(iter(new.question))
    if lang in known.question:
        raise BadData(
            "the id '{id}' is also in line {line}, for '{lang}'",
            place=place,
            id=known.id,
            line=line,
            lang=lang,
        )
    return replace(
        known,
        question={**known.question, **new.question},
        level=known.level or new.level,
        topic=known.topic or new.topic,
        tags=tuple(dict.fromkeys((*known.tags, *new.tags))),
        answers=(*known.answers, *new.answers),
    )

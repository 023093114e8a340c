"""JSON lines: import of foreign documents, import and export of our own entries."""

from __future__ import annotations

import json
from array import array
from bisect import bisect_left
from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any, BinaryIO

from kb import limits
from kb.errors import BadData, Message
from kb.foreign import decoded, raw_lines, size
from kb.formats.book import Batch, Book, Shelf, first_line
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
    bad: list[Dropped] = []
    room = limits.BAD_BYTES
    for number, (line, whole) in enumerate(raw_lines(stream, name, limits.FILE, limits.RECORD), 1):
        if not line.strip():
            continue
        progress(0, 0)
        place = f"{name}:{number}"
        try:
            if not whole:
                raise BadData(
                    "this line has more than {most}", place=place, most=size(limits.RECORD)
                )
            value = loads(decoded(line, place, first=number == 1), place)
            if isinstance(value, dict) and "kind" in value and "question" in value:
                taken.add(bounded(_own(value, place), place), number, own=True)
            else:
                taken.add(bounded(_foreign(value, place), place), number, own=False)
                taken.skip(sorted(value.keys() - _TAKEN), number)
        except BadData as error:
            shown = line if len(line) <= limits.RECORD else line[:_SHOWN]
            room -= len(shown)
            if len(bad) >= limits.BAD_LINES or room < 0:
                raise BadData(
                    "{reason} (and {lines} lines before it; reading stopped)",
                    reason=error.message,
                    lines=len(bad),
                ) from error
            said = error.message
            if shown is not line:
                said = Message("{reason}; only its beginning is written", reason=said)
            text = shown.decode("utf-8", "replace").rstrip("\r\n")
            bad.append(Dropped(name, number, said, text))
        taken.check()
    return taken.batch(tuple(bad))


def _own(value: Mapping[str, Any], place: str) -> Entry:
    entry = ENTRY.read(value, place)
    if "backlinks" not in value:
        return entry
    # 'kb show' told it: its short answer may be the beginning of the full one.
    short = {k: v for k, v in entry.short.items() if not entry.text("reference", k).startswith(v)}
    return replace(entry, short=short)


class _Taken:
    """The entries read so far and the line where each begins; skipped keys with line and count."""

    def __init__(self, name: str) -> None:
        self._name = name
        self._entries = Shelf()
        self._lines: dict[str, int] = {}
        self._begins = array("Q")
        self._kinds: set[bool] = set()
        self._skipped: dict[str, list[int]] = {}
        self._more = 0

    def add(self, entry: Entry, line: int, *, own: bool) -> None:
        """Add an entry of ours, or a foreign one or its texts in another language.

        Raises `BadData` if its id, or its id and language, are taken.
        """
        self._kinds.add(own)
        start = self._lines.get(entry.id)
        if start is None:
            self._entries.add(entry)
            self._lines[entry.id] = line
            self._begins.append(line)
            return
        place = f"{self._name}:{line}"
        if own:
            raise BadData(
                "the id '{id}' is also in line {line}", place=place, id=entry.id, line=start
            )
        number = bisect_left(self._begins, start)
        self._entries.put(number, _joined(self._entries[number], entry, place, start))

    def skip(self, keys: Iterable[str], line: int) -> None:
        """Record the skipped keys of a line."""
        for key in keys:
            if key in self._skipped:
                self._skipped[key][1] += 1
            elif len(self._skipped) < limits.KEYS:
                self._skipped[key] = [line, 1]
            else:
                self._more += 1

    def check(self) -> None:
        """Raise `BadData` if there are too many entries, or both kinds."""
        if len(self._kinds) > 1:
            raise BadData("only some lines are danesh's entries", place=self._name)
        if len(self._lines) > limits.SHELVED:
            raise BadData(
                "contains more than {most:,} entries", place=self._name, most=limits.SHELVED
            )

    def batch(self, bad: tuple[Dropped, ...]) -> Batch:
        """Return the result."""
        own = True in self._kinds
        dropped = []
        for key, (line, n) in self._skipped.items():
            said = Message("the key '{key}' of {n} lines was skipped", key=key, n=n)
            dropped.append(Dropped(self._name, line, said, key))
        if self._more:
            said = Message("{more:,} more such keys", more=self._more)
            dropped.append(Dropped(self._name, None, said, ""))
        return Batch(
            Book(self._entries),
            own=own,
            lines=self._lines,
            given=() if own else self._lines.keys(),
            dropped=tuple(dropped),
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

"""JSON lines: other people's documents in, and our own entries in and out."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import BinaryIO, NamedTuple

from kb.contract.codec import TEXT, Choice, Maybe, Words
from kb.contract.document import dumps, loads
from kb.contract.entry import ENTRY
from kb.contract.shape import Key, Shape
from kb.errors import BadData
from kb.exchange.book import Batch, Book
from kb.exchange.encoding import read_text, write_text
from kb.records import Answer, Dropped, Entry, Progress
from kb.records.progress import silent
from kb.records.vocabulary import LEVELS
from kb.text.languages import guess_language


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
    others: dict[str, list[int]] = {}
    bad: list[Dropped] = []
    for number, line in _lines(read_text(stream, name)):
        progress(0, 0)
        place = f"{name}:{number}"
        try:
            value = loads(line, place)
            if isinstance(value, dict) and "kind" in value and "question" in value:
                _add_own(own, ENTRY.read(value, place), place, first_line)
            else:
                _add_foreign(foreign, _foreign(value, place), place, first_line)
                for key in value.keys() - _TAKEN:
                    others.setdefault(key, []).append(number)
        except BadData as error:
            bad.append(Dropped(name, number, error.message, line))
            continue
        first_line.setdefault(_identifier(value, place), number)
    if own and foreign:
        raise BadData(f"{name}: some lines are danesh's own entries and some are not")
    entries = tuple(own.values()) or tuple(foreign.values())
    return Batch(
        Book(entries),
        own=bool(own),
        lines=first_line,
        given=frozenset(foreign),
        dropped=tuple(_not_taken(name, key, lines) for key, lines in others.items()),
        bad=tuple(bad),
    )


def _lines(text: str) -> Iterator[tuple[int, str]]:
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            yield number, line


def _not_taken(name: str, key: str, lines: Sequence[int]) -> Dropped:
    return Dropped(name, lines[0], f"the key '{key}' of {len(lines)} lines is not taken", key)


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

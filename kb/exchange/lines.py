"""JSON lines: other people's documents in, and our own entries in and out."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping

from kb.contract.reading import Reader, loads, read_entry
from kb.contract.shapes import dumps, entry_json
from kb.errors import BadData
from kb.exchange.book import Batch, Book
from kb.records import Answer, Entry, Progress
from kb.records.progress import silent
from kb.records.vocabulary import LEVELS
from kb.text.languages import guess_language


def write(book: Book) -> str:
    """Return an entry a line."""
    return "".join(dumps(entry_json(entry), indent=None) + "\n" for entry in book.entries)


def read(text: str, name: str, progress: Progress = silent) -> Batch:
    """Return the entries of a file; a broken line is named and nothing is returned.

    A line is either one of ours or ``{"id", "lang", "title", "text"}``, where the title
    becomes the question and the text the answer. Lines with the same id and another
    language are one entry. What else such a line holds is left out.
    """
    own: list[Entry] = []
    foreign: dict[str, Entry] = {}
    first_line: dict[str, int] = {}
    for number, value in _values(text, name):
        progress(0, 0)
        place = f"{name}:{number}"
        if isinstance(value, dict) and "kind" in value and "question" in value:
            entry = read_entry(value, place)
            own.append(entry)
        else:
            entry = _foreign(value, place)
            known = foreign.get(entry.id)
            foreign[entry.id] = entry if known is None else _joined(known, entry, place, first_line)
        if entry.id in first_line and entry.id not in foreign:
            raise BadData(f"{place}: the id '{entry.id}' stands in line {first_line[entry.id]} too")
        first_line.setdefault(entry.id, number)
    if own and foreign:
        raise BadData(f"{name}: some lines are danesh's own entries and some are not")
    return Batch(Book(tuple(own) or tuple(foreign.values())), own=bool(own))


def _values(text: str, name: str) -> Iterator[tuple[int, object]]:
    for number, line in enumerate(text.split("\n"), 1):
        if line.strip():
            yield number, loads(line, f"{name}:{number}")


def _foreign(value: object, place: str) -> Entry:
    raw = Reader(value, place)
    title, text = raw.get("title", str, ""), raw.get("text", str, "")
    if not title.strip() and not text.strip():
        raise BadData(f"{place}: title and text are both missing or empty")
    lang = raw.maybe("lang", str) or guess_language(title + text)
    return Entry(
        id=_identifier(value, place),
        kind="question",
        collection="",
        question={lang: title or _first_line(text)},
        level=raw.choice("level", LEVELS) if raw.maybe("level", str) else None,
        topic=raw.maybe("topic", str),
        tags=raw.words("tags"),
        answers=(Answer("source", lang, text),) if text.strip() else (),
    )


def _identifier(value: object, place: str) -> str:
    """Return the id as given: a text that is not empty, or a whole number."""
    given = value.get("id") if isinstance(value, Mapping) else None
    if type(given) is int:
        return json.dumps(given)
    found = Reader(value, place).get("id", str)
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

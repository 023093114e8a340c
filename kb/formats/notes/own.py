"""danesh's own Markdown, read back with the help of its marks."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import chain
from typing import Any, NamedTuple

from kb import limits
from kb.errors import BadData
from kb.formats.book import Batch, Book
from kb.formats.marks import marked, trimmed, unescaped, with_fences
from kb.model.entry import Entry
from kb.model.entry_json import ENTRY
from kb.model.json import check_version
from kb.model.reports import Dropped
from kb.model.shapes import TEXTS, ByName, Maybe
from kb.model.values import LAYERS

_TITLES = Maybe(ByName(TEXTS), {})
_BY_LANGUAGE = ("question", "wording", *LAYERS)


class _Part(NamedTuple):
    """A mark with its line, and the lines up to the next mark or heading."""

    line: int
    facts: Mapping[str, Any]
    below: tuple[str, ...]


def read_own(lines: Iterable[str], name: str, tick: Callable[[], None]) -> Batch:
    """Return the content of our own document. Raises `BadData` for an unknown version."""
    parts = _parts(lines, name)
    first = next(parts)
    check_version(first.facts["schema_version"], name)
    entries: list[Entry] = []
    places: dict[str, int] = {}
    dropped = list(_unmarked(first, name))
    for part, texts in _by_entry(parts):
        tick()
        plain = _filled(part, texts, f"{name}:{part.line}")
        for each in (part, *texts):
            dropped.extend(_unmarked(each, name))
        entry = ENTRY.read(plain, f"{name}:{part.line}")
        if len(entries) >= limits.ENTRIES:
            raise BadData("contains more than {most:,} entries", place=name, most=limits.ENTRIES)
        entries.append(entry)
        places.setdefault(entry.id, part.line)
    collections = _TITLES.read(first.facts.get("collections"), f"{name}:1", "collections")
    book = Book(tuple(entries), collections=collections)
    return Batch(book, own=True, lines=places, given=frozenset(places), dropped=tuple(dropped))


def _parts(lines: Iterable[str], name: str) -> Iterator[_Part]:
    start, facts, below = 0, None, list[str]()
    for number, (text, fence) in enumerate(chain(with_fences(lines), [("# ", "")])):
        if number > limits.OWN_LINES:
            raise BadData("has more than {most:,} lines", place=name, most=limits.OWN_LINES)
        found = None if fence else marked(text)
        if found is None and (fence or not text.startswith(("# ", "## ", "### "))):
            below.append(text)
            continue
        if facts is not None:
            yield _Part(start, facts, tuple(trimmed(below)))
        start, facts, below = number + 1, found, []


def _by_entry(parts: Iterable[_Part]) -> Iterator[tuple[_Part, list[_Part]]]:
    entry, texts = None, list[_Part]()
    for part in parts:
        if "entry" in part.facts:
            if entry is not None:
                yield entry, texts
            entry, texts = part, []
        else:
            texts.append(part)
    if entry is not None:
        yield entry, texts


def _filled(entry: _Part, texts: Sequence[_Part], place: str) -> dict[str, Any]:
    """Return an entry as parsed, with each text at the place that its mark names."""
    if not isinstance(entry.facts["entry"], dict):
        raise BadData("an entry must be an object", place=place)
    plain: dict[str, Any] = {**entry.facts["entry"], **{name: {} for name in _BY_LANGUAGE}}
    for records in (plain.get("snippets"), plain.get("annotations"), texts):
        if isinstance(records, list) and len(records) > limits.PARTS:
            raise BadData("an entry has at most {most:,} parts", place=place, most=limits.PARTS)
    for part in texts:
        try:
            _put(plain, part)
        except (KeyError, TypeError, IndexError, ValueError, AttributeError) as error:
            raise BadData(
                "line {line} names a place that is in no text", place=place, line=part.line
            ) from error
    return plain


def _put(plain: dict[str, Any], part: _Part) -> None:
    if "code" in part.facts:
        code = "\n".join(part.below[1:-1]) + str(part.facts.get("tail", ""))
        _one(plain["snippets"], id=part.facts["code"])["code"] = code
        return
    place = list(part.facts["text"])
    text = unescaped(list(part.below), part.facts)
    match place:
        case [key, lang] if key in _BY_LANGUAGE:
            plain[key][lang] = text
        case ["assessment", lang]:
            plain["assessment"].setdefault("sentence", {})[lang] = text
        case ["context", _]:
            plain["context"] = text
        case ["answers", role, lang]:
            _one(plain["answers"], role=role, lang=lang)["text"] = text
        case ["note", name, lang]:
            _one(plain["annotations"], id=name).setdefault("note", {})[lang] = text
        case []:
            pass
        case _:
            raise KeyError


def _one(records: Sequence[dict[str, Any]], **values: str) -> dict[str, Any]:
    for record in records:
        if all(record[key] == value for key, value in values.items()):
            return record
    raise KeyError


def _unmarked(part: _Part, name: str) -> Iterator[Dropped]:
    """Yield text that was written below a mark that has no text."""
    if "text" not in part.facts and "code" not in part.facts and any(part.below):
        yield Dropped(name, part.line, "text without a mark", "\n".join(part.below))

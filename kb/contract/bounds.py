"""How large an entry may be: what is stored can be written and read again, within bounds."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sized

from kb import limits
from kb.contract.document import dumps
from kb.contract.entry import ENTRY
from kb.errors import BadData
from kb.foreign import size
from kb.records import Annotation, Entry

_COUNTS: Mapping[str, tuple[int, Callable[[Entry], Sized]]] = {
    "languages": (limits.LANGUAGES, lambda entry: entry.languages),
    "tags": (limits.TAGS, lambda entry: entry.tags),
    "answers": (limits.PARTS, lambda entry: entry.answers),
    "snippets": (limits.PARTS, lambda entry: entry.snippets),
    "annotations": (limits.PARTS, lambda entry: entry.annotations),
    "related entries": (limits.PARTS, lambda entry: entry.related),
    "files of media": (limits.PARTS, lambda entry: entry.media),
    "aliases": (limits.PARTS, lambda entry: entry.aliases),
}
_FEW = 100
_SHORT = limits.ENTRY // 8
"""Characters of an entry that is within its bytes: JSON takes at most six for one."""


def bounded(entry: Entry, place: str) -> Entry:
    """Return an entry. Raises `BadData` for one that has too much of anything."""
    if not _is_small(entry):
        _check(entry, place)
    return entry


def _is_small(entry: Entry) -> bool:
    """Say at once whether an entry of texts alone is far below all bounds."""
    if entry.snippets or entry.annotations or entry.media:
        return False
    names = [entry.id, entry.collection, entry.number or "", entry.topic or "", entry.within or ""]
    names += (*entry.languages, *entry.tags, *entry.related)
    parts = len(names) + len(entry.answers) + len(entry.aliases)
    return parts <= _FEW and max(map(len, names)) <= limits.NAME and _characters(entry) <= _SHORT


def _check(entry: Entry, place: str) -> None:
    for name, (most, of) in _COUNTS.items():
        if len(of(entry)) > most:
            raise BadData("an entry has at most {most:,} {name}", place=place, most=most, name=name)
    for what, name in _names(entry):
        if len(name) > limits.NAME:
            raise BadData(
                "{what} has more than {most:,} characters: '{name}…'",
                place=place,
                what=what,
                most=limits.NAME,
                name=name[:40],
            )
    if _characters(entry) > _SHORT:
        length = len(dumps(ENTRY.write(entry), indent=None).encode())
        if length > limits.ENTRY:
            raise BadData(
                "an entry has at most {most}, this one has {size}",
                "Divide it.",
                place=place,
                most=size(limits.ENTRY),
                size=size(length),
            )


def bounded_keys(value: Mapping[str, object], place: str) -> None:
    """Refuse an object that has too many keys, or a key that is too long. Raises `BadData`."""
    if len(value) > limits.KEYS:
        raise BadData(
            "has {keys:,} keys, more than {most:,}",
            place=place,
            keys=len(value),
            most=limits.KEYS,
        )
    longest = max(value, key=len, default="")
    if len(longest) > limits.NAME:
        raise BadData("a key has more than {most:,} characters", place=place, most=limits.NAME)


def _names(entry: Entry) -> Iterator[tuple[str, str]]:
    yield "the id", entry.id
    yield "the collection", entry.collection
    yield from (("the number", entry.number or ""), ("the topic", entry.topic or ""))
    yield "the note that a card is within", entry.within or ""
    yield from (("a language", lang) for lang in entry.languages)
    yield from (("a tag", tag) for tag in entry.tags)
    yield from (("a related entry", name) for name in entry.related)
    yield from (("the id of a program", each.id) for each in entry.snippets)
    yield from (("the id of an annotation", each.id) for each in entry.annotations)


def _characters(entry: Entry) -> int:
    """Return about how many characters an entry has, at least a third of them all."""
    texts = [
        *entry.question.values(),
        *entry.wording.values(),
        *(each.text for each in entry.answers),
        *(each.code for each in entry.snippets),
        *(title for each in entry.snippets for title in each.title.values()),
        *entry.tags,
        *entry.related,
        *entry.aliases,
        entry.context or "",
        *(entry.file or ()),
        *(each.name for each in entry.media),
    ]
    return sum(map(len, texts)) + sum(map(_length, entry.annotations))


def _length(annotation: Annotation) -> int:
    target = annotation.target
    said = (*annotation.note.values(), *annotation.references)
    marked = (target.quote, target.prefix, target.suffix)
    return 300 + 200 * len(annotation.evidence) + sum(map(len, (*said, *marked)))

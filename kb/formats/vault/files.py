"""Notes that were imported as files: their original bytes, and data stored beside them.

What a reader added to a note or card, such as annotations and answers, is in one file beside the
notes, by path. An import of the folder reads it from there.
"""

from __future__ import annotations

import dataclasses
import io
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any, BinaryIO

from kb import limits
from kb.errors import BadData
from kb.foreign import decoded, drawn, is_below, size
from kb.formats.book import Batch, unused
from kb.formats.media import Attachments
from kb.formats.notes.matter import encoded
from kb.formats.notes.reading import read
from kb.model.entry import Entry, Media, file_named
from kb.model.entry_json import ENTRY
from kb.model.json import dumps, loads
from kb.model.values import SCHEMA_VERSION

SIDECAR = "danesh.json"
"""The file for data that notes cannot hold, in the vault's folder."""

_NOTES = (".md", ".markdown", ".txt")
_NOT_SAID = ("id", "collection", "related", "media", "file", "within", "origins", "restored")
"""Fields of an entry that follow from its place or its text."""

Said = Mapping[str, Any]


def is_file(entry: Entry) -> bool:
    """Return whether an entry is exported as its original file.

    One that quotes source documents needs our own note form for their spans. A path is used only
    if it is that of a note within the folder: an entry may come from anybody.
    """
    file = entry.file
    if file is None or entry.within is not None or entry.origins:
        return False
    return lies_within(file.path) and PurePosixPath(file.path).suffix.lower() in _NOTES


def lies_within(path: str) -> bool:
    """Return whether a path is inside a folder on every system, and not hidden.

    >>> [lies_within(each) for each in ("a/ب.md", "../a.md", "/a.md", ".git/a.md", "c:a.md")]
    [True, False, False, False, False]
    """
    hidden = any(part.startswith(".") for part in PurePosixPath(path).parts)
    return bool(path) and is_below(path) and not hidden and "\\" not in path


def note_of(entry: Entry, cards: Sequence[Entry]) -> tuple[bytes, Said]:
    """Return the file of a note that its cards were made from, and the data it does not contain.

    A changed card changes the text, if its old words occur there once.
    """
    assert entry.file is not None
    body = _body(entry)
    shown = {media.name: media for each in (entry, *cards) for media in each.media}
    again = _again(entry, shown, body)
    names = _names(cards, again)
    for card in cards:
        was = body
        body, again = _with_card(entry, shown, body, again, card, names[card.id])
        names = names if body == was else _names(cards, again)
    fields = _difference(entry, again.get("", entry), body)
    told = {names[each.id]: _difference(each, again.get(names[each.id]), "") for each in cards}
    more = {"fields": fields, "cards": {name: said for name, said in told.items() if said}}
    return encoded(entry.file, body), {key: said for key, said in more.items() if said}


def sidecar_file(notes: Mapping[str, Said]) -> bytes:
    """Return the file with the data that notes cannot hold, by path.

    Raises `BadData` above the limits of an import.
    """
    data = dumps({"schema_version": SCHEMA_VERSION, "notes": notes}).encode() + b"\n"
    if len(data) > limits.RECORD:
        raise BadData(
            "danesh.json of the vault is larger than {most}",
            "Export its parts.",
            most=size(limits.RECORD),
        )
    return data


def read_sidecar(stream: BinaryIO, name: str) -> Mapping[str, Said] | None:
    """Return the content of such a file by path; nothing for other files."""
    try:
        said = loads(decoded(drawn(stream, name, limits.RECORD), name), name)
    except BadData:
        return None
    if not isinstance(said, dict) or said.get("schema_version") != SCHEMA_VERSION:
        return None
    notes = said.get("notes")
    return notes if isinstance(notes, dict) else None


def with_sidecar(batch: Batch, said: Said, name: str) -> Batch:
    """Return the batch of a note with the data from beside it; `BadData` names the file."""
    entries = list(batch.book.entries)
    cards = said.get("cards", {}) if isinstance(said, dict) else None
    if not isinstance(cards, dict) or not entries:
        raise BadData("its record in {file} is not an object", place=name, file=SIDECAR)
    known = {each.id for each in entries}
    for number, entry in enumerate(entries):
        fields = cards.get(entry.id) if number else said.get("fields")
        if fields:
            entries[number] = _joined(entry, fields, f"{SIDECAR}: {name}", is_note=not number)
    for given, fields in cards.items():
        if given not in known:
            blank = Entry(given, "card", "", {}, within=entries[0].id)
            entries.append(_joined(blank, fields, f"{SIDECAR}: {name}", is_note=False))
    return dataclasses.replace(batch, book=dataclasses.replace(batch.book, entries=tuple(entries)))


def _joined(entry: Entry, fields: object, place: str, *, is_note: bool) -> Entry:
    if not isinstance(fields, dict):
        raise BadData("the record of '{id}' is not an object", place=place, id=entry.id)
    more = {key: value for key, value in fields.items() if key not in _NOT_SAID}
    plain = {**ENTRY.write(entry), **more}
    if is_note and isinstance(more.get("answers"), list):
        plain["answers"] = [*ENTRY.write(entry)["answers"], *more["answers"]]
    found: Entry = ENTRY.read(plain, place)
    return found


def _body(entry: Entry) -> str:
    """Return the text of a note: its first answer, if any."""
    return next((each.text for each in entry.answers if each.role == "source"), "")


def _names(cards: Sequence[Entry], again: Mapping[str, Entry]) -> dict[str, str]:
    """Return the ids that cards have in their note's file, each another.

    In its collection, a card can have another number behind it: other notes ask the same.
    """
    free = {name: _content(each) for name, each in again.items() if name}
    ids = {card.id: card.id.rpartition("/")[2] for card in cards}
    found: dict[str, str] = {}
    ways: tuple[Callable[[Entry, str], bool], ...] = (
        lambda card, name: name == ids[card.id] and free[name] == _content(card),
        lambda card, name: free[name] == _content(card),
        lambda card, name: name == ids[card.id],
        lambda card, name: name == re.sub(r"-\d+$", "", ids[card.id]),
    )
    for wanted in ways:
        for card in (each for each in cards if each.id not in found):
            name = next((each for each in free if wanted(card, each)), None)
            if name is not None:
                found[card.id] = name
                del free[name]
    known = {*again, *found.values()}
    for card in (each for each in cards if each.id not in found):
        found[card.id] = unused(ids[card.id], known.__contains__)
        known.add(found[card.id])
    return found


def _content(card: Entry) -> tuple[Any, ...]:
    return card.question, _texts(card)


def _again(entry: Entry, shown: Mapping[str, Media], body: str) -> dict[str, Entry]:
    """Return the content of a note's file: the note under an empty name, its cards by id."""
    assert entry.file is not None
    beside = Attachments(lambda target: shown.get(file_named(target)), {})
    try:
        data = io.BytesIO(encoded(entry.file, body))
        batch = read(data, entry.file.path, attachments=beside)
    except BadData:
        return {}
    found = {each.id: each for each in batch.book.entries}
    return {**found, "": batch.book.entries[0]} if batch.is_note else {}


def _with_card(
    entry: Entry,
    shown: Mapping[str, Media],
    body: str,
    again: dict[str, Entry],
    card: Entry,
    name: str,
) -> tuple[str, dict[str, Entry]]:
    """Return a note's text with a changed card of this name, and its new content."""
    was = again.get(name)
    if was is None or _content(was) == _content(card):
        return body, again
    changed = body
    for before, after in ((was.question, card.question), (_texts(was), _texts(card))):
        for key, text in before.items():
            new = after.get(key, text)
            if new != text and changed.count(text) == 1:
                changed = changed.replace(text, new)
    now = _again(entry, shown, changed)
    same = [each for each in now.values() if _content(each) == _content(card)]
    if len(same) != 1 or len(now) != len(again):
        return body, again
    return changed, now


def _texts(entry: Entry) -> dict[Any, str]:
    return {(each.role, each.lang): each.text for each in entry.answers}


def _difference(entry: Entry, again: Entry | None, body: str) -> dict[str, Any]:
    """Return the fields in which an entry differs from its file, without a note's body."""
    now = {key: said for key, said in ENTRY.write(entry).items() if key not in _NOT_SAID}
    was = ENTRY.write(again) if again is not None else {}
    different = {key: said for key, said in now.items() if said != was.get(key) and (said or was)}
    if body and "answers" in different:
        others = [each for each in different.pop("answers") if each["text"] != _body(entry)]
        different |= {"answers": others} if others else {}
    return different

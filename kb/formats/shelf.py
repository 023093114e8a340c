"""Temporary storage of entries while a file is read: a few in memory, many in a file."""

from __future__ import annotations

import hashlib
import json
import tempfile
import weakref
from array import array
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import fields
from operator import attrgetter, eq
from typing import BinaryIO, TypeVar, cast, overload

from kb import limits
from kb.errors import BadData
from kb.model import Answer, Dropped, Entry, NoteFile, Progress, Span
from kb.model.entry import FACTS
from kb.model.entry_json import ENTRY

_IN_MEMORY = 4 << 20  # bytes of entries that are not put into a file
_AT_ONCE = 1000
_BYTES_AT_ONCE = 2 << 20
_ENCODE = json.JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode
_DECODE = json.JSONDecoder().decode

_Part = TypeVar("_Part")


class Shelf(Sequence[Entry]):
    """Stored entries in order; only 12 bytes for each are in memory.

    >>> shelf = Shelf([Entry("a", "note", "c", {"en": "One"}), Entry("b", "note", "c", {})])
    >>> shelf[0].question, [entry.id for entry in shelf], len(shelf)
    ({'en': 'One'}, ['a', 'b'], 2)
    """

    def __init__(self, entries: Iterable[Entry] = ()) -> None:
        self._file = cast("BinaryIO", tempfile.SpooledTemporaryFile(_IN_MEMORY))  # noqa: SIM115 - closed below
        weakref.finalize(self, self._file.close)
        self._places, self._lengths = array("Q"), array("I")
        self._end = 0
        self._digest = hashlib.sha256()
        for entry in entries:
            self.add(entry)

    def add(self, entry: Entry) -> None:
        """Add an entry at the end."""
        place, length = self._written(entry)
        self._places.append(place)
        self._lengths.append(length)

    def put(self, number: int, entry: Entry) -> None:
        """Replace an entry."""
        self._places[number], self._lengths[number] = self._written(entry)

    @property
    def digest(self) -> str:
        """A digest of everything stored here."""
        return self._digest.hexdigest()

    def _written(self, entry: Entry) -> tuple[int, int]:
        # One of texts alone, as most are, is kept as a list of its fields.
        whole = any(_OTHERS(entry)) or any(each.evidence for each in entry.answers)
        data = _ENCODE(ENTRY.write(entry) if whole else _TEXTS(entry)).encode()
        try:
            self._file.seek(self._end)
            self._file.write(data)
        except OSError as error:
            where = tempfile.gettempdir()
            raise BadData(
                "cannot be written ({error})", place=where, error=error.strerror or error
            ) from error
        self._digest.update(data)
        place, self._end = self._end, self._end + len(data)
        return place, len(data)

    def __len__(self) -> int:
        return len(self._places)

    @overload
    def __getitem__(self, number: int) -> Entry: ...
    @overload
    def __getitem__(self, number: slice) -> tuple[Entry, ...]: ...
    def __getitem__(self, number: int | slice) -> Entry | tuple[Entry, ...]:
        if isinstance(number, slice):
            return tuple(map(self._read, range(*number.indices(len(self)))))
        return self._read(number)

    def parts(self) -> Iterator[slice]:
        """Yield spans of entries that fit in memory."""
        return parts(self._lengths)

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Sequence):
            return NotImplemented
        return len(self) == len(other) and all(map(eq, self, other))

    __hash__ = None  # type: ignore[assignment]

    def _read(self, number: int) -> Entry:
        self._file.seek(self._places[number])
        return _unpacked(self._file.read(self._lengths[number]))


def shelved(
    name: str,
    parts: Iterable[_Part],
    made: Callable[[_Part], Entry | None],
    told: Callable[[_Part, str], Dropped],
    progress: Progress,
) -> tuple[Shelf, tuple[Dropped, ...]]:
    """Return the entries that ``made`` makes of the parts of a file, and the unreadable parts.

    Unreadable parts are ``told`` with the reason. Raises `BadData` for too many of either kind.
    """
    entries, bad = Shelf(), list[Dropped]()
    for part in parts:
        progress(0, 0)
        try:
            entry = made(part)
        except BadData as error:
            if len(bad) >= limits.BAD_LINES:
                raise BadData(
                    "more than {most:,} entries cannot be read", place=name, most=len(bad)
                ) from error
            bad.append(told(part, error.message))
            continue
        if entry is not None:
            entries.add(entry)
        if len(entries) > limits.SHELVED:
            raise BadData("contains more than {most:,} entries", place=name, most=limits.SHELVED)
    return entries, tuple(bad)


def parts(sizes: Sequence[int]) -> Iterator[slice]:
    """Yield spans of items with these sizes in bytes, each small enough to read at once.

    >>> [each.stop for each in parts([1 << 20, 1 << 19, 1 << 20, 1 << 23, 1])]
    [2, 3, 4, 5]
    """
    start = weight = 0
    for number, size in enumerate(sizes):
        weight += size
        if number > start and (weight > _BYTES_AT_ONCE or number - start == _AT_ONCE):
            yield slice(start, number)
            start, weight = number, size
    if start < len(sizes):
        yield slice(start, len(sizes))


_LISTS = ("tags", "related", "aliases")
_PLAIN = ("id", "kind", "collection", "question", *FACTS, *_LISTS, "answers", "file")
"""The fields of an entry that has only texts."""
_OTHERS = attrgetter(*(each.name for each in fields(Entry) if each.name not in _PLAIN))
_TEXTS = attrgetter(*_PLAIN)


def _unpacked(data: bytes) -> Entry:
    found = _DECODE(data.decode())
    if isinstance(found, dict):
        return ENTRY.read(found, "entry")
    plain = dict(zip(_PLAIN, found, strict=True))
    for name in _LISTS:
        plain[name] = tuple(plain[name])
    plain["answers"] = tuple(
        [
            Answer(role, lang, text, None if origin is None else Span(*origin), checked, until)
            for role, lang, text, origin, checked, until, *_ in plain["answers"]
        ]
    )
    plain["file"] = plain["file"] and NoteFile(*plain["file"])
    return Entry(**plain)

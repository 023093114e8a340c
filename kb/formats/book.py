"""The data of an export and of an import: entries, their ids, and the shelf where they wait."""

from __future__ import annotations

import hashlib
import json
import re
import tempfile
import unicodedata
import weakref
from array import array
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from operator import attrgetter
from typing import Any, BinaryIO, NamedTuple, TypeVar, cast

from kb import limits
from kb.errors import BadData, Message, counted
from kb.model.entry import FACTS, Answer, ConceptName, Entry, NoteFile, Review, Source, Span
from kb.model.entry_json import ENTRY
from kb.model.reports import Dropped, FileReading
from kb.model.results import Progress

_SHOWN = 200
"""The number of characters of an example of what was skipped."""


class Package(NamedTuple):
    """An Anki package with the history of its cards, and the guids of its notes by entry."""

    data: bytes
    guids: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class Book:
    """Entries in order, with their sources and collections.

    The entries can be iterated again, and so can the bytes of ``media``, by digest, and the
    ``reviews`` of an entry, by id. ``changed`` returns the time of an entry's last change in
    seconds since 1970, or 0; ``names`` are the names of glossary concepts, for search.
    ``package`` is what all of them came from, if that was kept.
    """

    entries: Sequence[Entry]
    sources: tuple[Source, ...] = ()
    collections: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    media: Mapping[str, bytes] = field(default_factory=dict)
    reviews: Mapping[str, Sequence[Review]] = field(default_factory=dict)
    changed: Callable[[str], int] = lambda entry: 0
    names: Iterable[ConceptName] = ()
    package: Package | None = None


@dataclass(frozen=True, slots=True)
class Batch:
    """The content of a file, ready to store.

    ``own`` marks our own formats, whose ids are kept without a collection prefix. By entry id,
    ``lines`` has the line where it begins, if the file has lines, and ``links`` the files and
    headings that its text links to, as written. A ``partial`` file has only facts and texts:
    other parts of a stored entry are kept. ``given`` are the ids from the file; others are made
    from an entry's words. In a ``plain`` batch the entries are only texts, with unique ids and
    within limits. ``dropped`` has what was skipped, ``bad`` what should be an entry but is
    invalid; ``unfit`` are programs that hide what Python runs, which are stored and never run, and
    ``disbelieved`` claims that are ignored. ``assumed`` says what was guessed about the file. The
    content of an ``unread`` file is unknown. ``reading`` says how a Markdown file was read.
    ``package`` is an Anki package whose reviews were read.
    """

    book: Book
    own: bool = False
    partial: bool = False
    lines: Mapping[str, int] = field(default_factory=dict)
    links: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    given: Collection[str] = frozenset()
    dropped: tuple[Dropped, ...] = ()
    bad: tuple[Dropped, ...] = ()
    unfit: tuple[Dropped, ...] = ()
    disbelieved: tuple[Dropped, ...] = ()
    unread: bool = False
    plain: bool = False
    assumed: tuple[str, ...] = ()
    reading: FileReading | None = None
    package: bytes = b""

    @property
    def is_note(self) -> bool:
        """Whether the file is a note: its first entry, with its cards after it."""
        entries = self.book.entries
        return self.reading is not None and bool(entries) and entries[0].kind == "note"


def reviews_skipped(file: str, line: int | None, count: int) -> Dropped:
    """Return the notice about reviews that nobody asked for."""
    reviews = counted(count, "{n:,} review", "{n:,} reviews")
    said = Message("{reviews}, which --with-reviews imports", reviews=reviews)
    return Dropped(file, line, said, "")


class Leftover:
    """What is skipped of a file: each reason once, with its first example.

    >>> left = Leftover("deck.apkg")
    >>> left.add("a file is missing", "a.png", "abc")
    >>> left.add("a file is missing", "b.png", "abc")
    >>> [each.reason for each in left.told()]
    ["a file is missing, of note 'abc' (and 1 more like it)"]
    >>> left.add("the key '{text}' of {n} lines was skipped", "a", line=3)
    >>> left.add("the key '{text}' of {n} lines was skipped", "a", line=4)
    >>> [*left.told()][1][1:3]
    (3, "the key 'a' of 2 lines was skipped")
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._first: dict[tuple[str, str], tuple[int | None, str, str]] = {}
        self._count: Counter[tuple[str, str]] = Counter()

    def add(
        self, reason: str, text: str = "", note: str = "", count: int = 1, line: int | None = None
    ) -> None:
        """Add something that is skipped; above a limit only the count grows.

        A reason can be a template with the count ``n`` and the ``text``; it is told for each text.
        """
        key = reason, text if "{text}" in reason else ""
        if key not in self._first and len(self._first) >= limits.KEYS:
            key, text, note, line = ("something else is not taken", ""), "", "", None
        self._first.setdefault(key, (line, text, note))
        self._count[key] += count

    def told(self) -> Iterator[Dropped]:
        """Yield each reason with its first example and the number of others."""
        for key, (line, text, note) in self._first.items():
            said, count = Message(key[0]), self._count[key]
            if note:
                said = Message("{reason}, of note '{note}'", reason=said, note=note)
            if "{n}" in said.template:
                said = Message(said.template, **{**said.arguments, "text": text, "n": count})
            elif count > 1:
                said = Message("{reason} (and {more:,} more like it)", reason=said, more=count - 1)
            yield Dropped(self._name, line, said, text[:_SHOWN])


# Temporary storage of entries while a file is read: a few in memory, many in a file.


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

    def __getitem__(self, number: Any) -> Any:
        if isinstance(number, slice):
            return tuple(map(self._read, range(*number.indices(len(self)))))
        return self._read(number)

    def parts(self) -> Iterator[slice]:
        """Yield spans of entries, each small enough to read at once."""
        start = weight = 0
        for number, size in enumerate(self._lengths):
            weight += size
            if number > start and (weight > _BYTES_AT_ONCE or number - start == _AT_ONCE):
                yield slice(start, number)
                start, weight = number, size
        if start < len(self):
            yield slice(start, len(self))

    def _read(self, number: int) -> Entry:
        self._file.seek(self._places[number])
        return _unpacked(self._file.read(self._lengths[number]))


def shelved(
    name: str,
    parts: Iterable[_Part],
    made: Callable[[_Part], Entry | None],
    told: Callable[[_Part, str], Dropped],
    progress: Progress,
    entries: Shelf | None = None,
) -> tuple[Shelf, tuple[Dropped, ...]]:
    """Return the entries that ``made`` makes of the parts of a file, and the unreadable parts.

    Unreadable parts are ``told`` with the reason. Raises `BadData` for too many of either kind.
    """
    entries, bad, room = Shelf() if entries is None else entries, [], limits.BAD_BYTES
    for part in parts:
        progress(0, 0)
        try:
            entry = made(part)
        except BadData as error:
            bad.append(told(part, error.message))
            room -= len(bad[-1].text)
            if len(bad) > limits.BAD_LINES or room < 0:
                raise BadData(
                    "{reason} (and {entries:,} entries before it; reading stopped)",
                    reason=error.message,
                    entries=len(bad) - 1,
                ) from error
            continue
        if entry is not None:
            entries.add(entry)
        if len(entries) > limits.SHELVED:
            raise BadData("contains more than {most:,} entries", place=name, most=limits.SHELVED)
    return entries, tuple(bad)


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


# Readable ids and titles made from words.


_WORDS, _LONGEST, _TITLE = 9, 80, 120


def slug(text: str) -> str:
    """Return the first words of a text joined by hyphens.

    >>> slug("What does it mean when we say “intractable”?")
    'what-does-it-mean-when-we-say-intractable'
    >>> slug("؟"), slug("شبکه عصبی چیست؟")
    ('question', 'شبکه-عصبی-چیست')
    """
    folded = unicodedata.normalize("NFKC", text).casefold().replace("\u200c", "")
    words = re.findall(r"\w+", folded)[:_WORDS]
    return "-".join(words)[:_LONGEST].strip("-") or "question"


def first_line(text: str) -> str:
    """Return the first line of a text with words, in the form of a title.

    >>> first_line("\\nOne\\nTwo")
    'One'
    """
    return text.strip().splitlines()[0][:_TITLE]


def unused(name: str, is_taken: Callable[[str], bool], often: Counter[str] | None = None) -> str:
    """Return an unused name: the wanted one, or with a number added.

    With ``often``, a thousand equal names are not tried from the first.

    >>> unused("a", {"a", "a-2"}.__contains__)
    'a-3'
    """
    often = Counter() if often is None else often
    found = name
    while is_taken(found):
        often[name] += 1
        found = f"{name}-{often[name] + 1}"
    return found

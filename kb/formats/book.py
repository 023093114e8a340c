"""The data of an export and of an import."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import NamedTuple

from kb.errors import Message, counted
from kb.model import ConceptName, Dropped, Entry, FileReading, Review, Source


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
    invalid; ``unfit`` are programs that hide what Python runs, which are stored and never run.
    ``assumed`` says what was guessed about the file. The content of an ``unread`` file is
    unknown. ``reading`` says how a Markdown file was read. ``package`` is an Anki package whose
    reviews were read.
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

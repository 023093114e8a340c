"""What goes out and what comes in."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from kb.model import ConceptName, Dropped, Entry, FileReading, Review, Source


@dataclass(frozen=True, slots=True)
class Book:
    """Entries in order, with the sources and collections they speak of.

    The entries may be read again each time that they are gone through, and so may the bytes of
    their ``media``, by their digests, and the ``reviews`` of an entry, by its id. ``changed``
    has when an entry was last changed, in seconds since 1970, where that is remembered; ``names``
    are those of the concepts that a glossary knows, for what searches.
    """

    entries: Sequence[Entry]
    sources: tuple[Source, ...] = ()
    collections: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    media: Mapping[str, bytes] = field(default_factory=dict)
    reviews: Mapping[str, Sequence[Review]] = field(default_factory=dict)
    changed: Mapping[str, int] = field(default_factory=dict)
    names: Iterable[ConceptName] = ()


@dataclass(frozen=True, slots=True)
class Batch:
    """What a file holds, as it is to be stored.

    ``own`` is set for our own formats, whose ids are kept and not put under a collection.
    By an entry's id, ``lines`` has the line in which it begins, where the file has lines, and
    ``links`` the files and headings that its text points to, as they are written there.
    A ``partial`` file holds facts and texts alone: what else a stored entry has stays with it.
    ``given`` are the ids that the file itself gives; others are made of an entry's words.
    Of a ``plain`` one the entries are texts alone, each of its own id and within bounds.
    What is of the file and not in the book is in ``dropped``, or in ``bad`` where it should
    have been an entry and cannot be read as one; ``unfit`` are programs that hide what Python
    runs, which are in the book and never run. ``assumed`` says what had to be guessed of how it
    is written. Of a file that is ``unread`` nobody knows what it holds. ``reading`` says what
    a file of Markdown was taken for.
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

    @property
    def is_note(self) -> bool:
        """Whether the file is a note: its first entry, of which the others are cards."""
        entries = self.book.entries
        return self.reading is not None and bool(entries) and entries[0].kind == "note"

"""The files that entries show, under names that are one file's each in the whole package."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Callable, Mapping

from kb.exchange.book import Book
from kb.records import Entry

_NOT_KEPT = re.compile(r'[\x00-\x1f\x7f\[\]<>:"/\\?*^|]')
"""What Anki takes out of the names of files."""


class MediaNames:
    """Gives each file a name, and lets it be added once.

    >>> from kb.records import Media
    >>> book = Book((), media={"1a": b"one", "2b": b"two"})
    >>> names = MediaNames(book, lambda name, data: None)
    >>> one, two = (Entry("e", "card", "", {}, media=(Media("a?.png", x, 3),)) for x in book.media)
    >>> names.of(one), names.of(two)
    ({'a?.png': 'a_.png'}, {'a?.png': 'a_-2b.png'})
    """

    def __init__(self, book: Book, add: Callable[[str, bytes], None]) -> None:
        self._media = book.media
        self._add = add
        self._names: dict[str, str] = {}
        self._taken: set[str] = set()

    def of(self, entry: Entry) -> Mapping[str, str]:
        """Return the names of an entry's files by those in its texts; what is lost has none."""
        return {each.name: name for each in entry.media if (name := self._name(each[0], each[1]))}

    def _name(self, name: str, digest: str) -> str:
        if digest not in self._names:
            data = self._media.get(digest)
            if data is None:
                return ""
            self._names[digest] = self._unused(name, digest)
            self._add(self._names[digest], data)
        return self._names[digest]

    def _unused(self, name: str, digest: str) -> str:
        plain = unicodedata.normalize("NFC", _NOT_KEPT.sub("_", name))
        if plain.casefold() in self._taken:
            stem, dot, ending = plain.rpartition(".")
            plain = f"{stem or ending}-{digest[:12]}{dot}{ending if stem else ''}"
        self._taken.add(plain.casefold())
        return plain

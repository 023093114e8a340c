"""A site as a folder: a page for each entry and language, and shared files."""

from __future__ import annotations

import base64
from collections.abc import Callable, Iterator, Mapping
from importlib.resources import files
from os.path import splitext
from pathlib import Path

from kb.formats.book import Book
from kb.formats.hypertext.rendering import IMAGES, SOUNDS
from kb.formats.names import Names, safe
from kb.formats.site.pages import (
    FACES,
    SEARCH,
    EntryPage,
    Listed,
    Page,
    contents,
    faces_of,
    framed,
    title_of,
)
from kb.formats.site.search.index import write as write_search
from kb.model import Entry

# The images and sounds that the entries of a site show, each once and by its digest.

FOLDER = "media"
_DRAWING = ".svg"
_SHOWN = (IMAGES | SOUNDS) - {_DRAWING}
_DIGITS = 24


class Files:
    """Writes the media of entries beside the pages.

    An SVG can contain scripts, which run if it is opened as a page: it is embedded as an image,
    in which they do not run.
    """

    def __init__(self, media: Mapping[str, bytes], folder: Path) -> None:
        self._media = media
        self._folder = folder / FOLDER
        self._written: set[str] = set()

    def of(self, entry: Entry) -> Callable[[str], str]:
        """Return the addresses of an entry's media by name, without those that are not shown."""
        digests = {each.name: each.sha256 for each in entry.media}
        return lambda name: self._address(digests[name], name) if name in digests else ""

    def _address(self, digest: str, name: str) -> str:
        ending = splitext(name)[1].lower()
        if ending == _DRAWING:
            data = self._media.get(digest)
            coded = base64.b64encode(data or b"").decode("ascii")
            return f"data:image/svg+xml;base64,{coded}" if data else ""
        file = f"{digest[:_DIGITS]}{ending}"
        data = self._media.get(digest) if ending in _SHOWN and file not in self._written else None
        if data is not None:
            self._folder.mkdir(exist_ok=True)
            (self._folder / file).write_bytes(data)
            self._written.add(file)
        return f"../{FOLDER}/{file}" if file in self._written else ""  # its bytes may be lost


_STYLE = "site.css"
_LONGEST = 100  # bytes of the name of a page


class _Site:
    """A site being written: its file names and the addresses of its lists."""

    def __init__(self, book: Book, folder: Path) -> None:
        self._book = book
        self._folder = folder
        self._files = Files(book.media, folder)
        self._sources = {source.file: source for source in book.sources}
        names = Names(joint="-")
        self._listed: dict[str, Listed] = {}
        for entry in book.entries:
            name = names.given(safe(entry.id, _LONGEST, "entry").replace(" ", "-"), entry.id)
            titles = {face: title_of(entry, face) for face in faces_of(entry)}
            self._listed[entry.id] = Listed(
                f"{name}.html", entry.collection, entry.number or "", titles
            )
        spoken = {face for each in self._listed.values() for face in each.titles}
        self._faces = [face for face in FACES if face in spoken] or [next(iter(FACES))]

    def write(self) -> None:
        """Write all pages and shared files."""
        for face in self._faces:
            (self._folder / face).mkdir()
        self._put(_STYLE, files(__package__).joinpath(_STYLE).read_text("utf-8"))
        write_search(self._written(), self._folder, self._book.names)
        for face in self._faces:
            self._contents(face)

    def _written(self) -> Iterator[tuple[Entry, str, str]]:
        """Write the pages of entries, and yield each for the index."""
        for entry in self._book.entries:
            listed, address = self._listed[entry.id], self._files.of(entry)
            for face, title in listed.titles.items():
                page = EntryPage(entry, face, address, self._listed, self._sources)
                others = {each: f"../{each}/{listed.address}" for each in listed.titles}
                del others[face]
                made = Page(face, title.text, "../", page.body(), self._list_of(face), others)
                self._put(f"{face}/{listed.file}", framed(made))
            yield entry, listed.address, next(iter(listed.titles))

    def _contents(self, face: str) -> None:
        others = {other: self._list_of(other) for other in self._faces if other != face}
        listed = list(self._listed.values())
        body = contents(listed, self._book.collections, face)
        topmost = (known for name, known in self._book.collections.items() if "/" not in name)
        title = next((known[face] for known in topmost if face in known), "danesh")
        self._put(
            self._list_of(face),
            framed(Page(face, title, "", body, self._list_of(face), others, SEARCH)),
        )

    def _list_of(self, face: str) -> str:
        """Return the file of the list of entries; servers open that of the first language."""
        return "index.html" if face == self._faces[0] else f"{face}.html"

    def _put(self, place: str, text: str) -> None:
        (self._folder / place).write_text(text, "utf-8", newline="\n", errors="replace")


def write(book: Book, folder: Path) -> None:
    """Write the pages of a book into an empty folder."""
    _Site(book, folder).write()

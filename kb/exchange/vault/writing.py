"""A vault as a folder: notes in the folders of their collections, what they show beside them."""

from __future__ import annotations

import posixpath
import re
from collections.abc import Iterable, Mapping
from pathlib import Path, PurePosixPath

from kb import limits
from kb.errors import BadData
from kb.exchange.beside import shows
from kb.exchange.book import Book
from kb.exchange.names import FOLDER, TITLE, Names, folded, safe
from kb.exchange.vault.attachments import embedded, file_name
from kb.exchange.vault.files import BESIDE, beside_file, is_file, lies_within, note_of
from kb.exchange.vault.layout import ATTACHMENTS, SOURCES, link_words
from kb.exchange.vault.pages import Surroundings, collection_page, entry_page, source_page
from kb.foreign import size
from kb.records import Entry, Media

_LINK = re.compile(r"!?\[([^\[\]\n]*)\]\([^()\n]*\)")
_DEEPEST = 8
"""Folders within each other: what lies deeper is put into the last one."""


def write(book: Book, folder: Path) -> None:
    """Write a vault into an empty folder. Raises `BadData` for more than is read again."""
    if len(book.entries) > limits.FILES:
        raise BadData(f"a vault has at most {limits.FILES:,} notes", "Export its parts.")
    _Vault(book, folder).write()


class _Vault:
    """A vault that is written: which names its files and folders have been given."""

    def __init__(self, book: Book, folder: Path) -> None:
        self._book = book
        self._folder = folder
        self._folders = Names(ATTACHMENTS, SOURCES)
        paths = (entry.file.path for entry in book.entries if entry.file and is_file(entry))
        self._titles = Names(*(PurePosixPath(path).stem for path in paths))
        self._attachments = Names(joint="-")
        self._written: set[str] = set()
        self._done: set[str] = set()
        self._paths: set[str] = set()
        self._places: dict[str, str] = {}
        self._bytes = 0

    def write(self) -> None:
        """Write all notes and what they show."""
        book = self._book
        of_files = self._files()
        for name, titles in book.collections.items():
            if name in of_files and not titles:
                continue  # its folder says all there is to say
            words = next(iter(titles.values()), "") or name.rpartition("/")[2]
            title = self._titles.given(safe(words, TITLE), f"collection {name}")
            self._note(f"{self._folder_of(name)}/{title}.md", collection_page(name, titles))
        for source in book.sources:
            title = self._titles.given(safe(source.file, TITLE), f"source {source.file}")
            self._note(f"{SOURCES}/{title}.md", source_page(source))
        notes = {entry.id: self._title_of(entry) for entry in book.entries}
        for entry in book.entries:
            if entry.id not in self._done:
                self._entry(entry, notes)

    def _files(self) -> set[str]:
        """Write the notes that were files as they came; return the collections of these alone."""
        entries = self._book.entries
        cards: dict[str, list[Entry]] = {}
        for entry in entries:
            if entry.within is not None:
                cards.setdefault(entry.within, []).append(entry)
        beside = {}
        for entry in entries:
            if is_file(entry):
                own = cards.get(entry.id, [])
                path, written = self._free(entry), note_of(entry, own)
                self._put(path, written.data)
                self._shown_by(entry, PurePosixPath(path))
                self._done |= {entry.id, *(card.id for card in own)}
                if written.beside:
                    beside[path] = written.beside
        if beside:
            self._put(BESIDE, beside_file(beside))
        others = {entry.collection for entry in entries if entry.id not in self._done}
        return {entry.collection for entry in entries} - others

    def _free(self, entry: Entry) -> str:
        """Return the path of a note's file; below its collection where another has that path."""
        assert entry.file is not None
        path = entry.file.path
        if folded(path) in self._paths or folded(path) == BESIDE:
            path = f"{self._folder_of(entry.collection)}/{path}"
        self._paths.add(folded(path))
        return path

    def _shown_by(self, entry: Entry, path: PurePosixPath) -> None:
        """Write what a note shows where its text looks for it."""
        digests = {media.name: media.sha256 for media in entry.media}
        texts = "\n".join(answer.text for answer in entry.answers)
        for target, name in embedded(texts, digests):
            if digests[name] in self._book.media:
                place = self._place_of(target, path, Media(name, digests[name], 0))
                if place not in self._written:
                    self._written.add(place)
                    self._put(place, self._book.media[digests[name]])

    def _place_of(self, target: str, note: PurePosixPath, media: Media) -> str:
        """Return where a file is written that a note calls so: there, or among the attachments."""
        place = posixpath.normpath((note.parent / target).as_posix())
        if not (lies_within(place) and shows(place)):
            return f"{ATTACHMENTS}/{self._attachments.given(file_name(media), media.sha256)}"
        folder, _, name = place.rpartition("/")
        if "/" not in target or folder == ATTACHMENTS:
            return f"{ATTACHMENTS}/{self._attachments.given(name, media.sha256)}"
        if self._places.setdefault(folded(place), media.sha256) == media.sha256:
            return place
        return f"{ATTACHMENTS}/{self._attachments.given(name, media.sha256)}"

    def _title_of(self, entry: Entry) -> str:
        texts = (*entry.question.values(), *(each.text for each in entry.answers), entry.id)
        words = (link_words(_LINK.sub(r"\1", text.strip()[:1000])) for text in texts)
        line = f"{entry.number or ''} {next(filter(None, words), '')}"
        return self._titles.given(safe(line, TITLE), f"entry {entry.id}")

    def _entry(self, entry: Entry, notes: Mapping[str, str]) -> None:
        folder = self._folder_of(entry.collection)
        around = Surroundings(
            notes[entry.id], "../" * len(folder.split("/")), self._shown(entry), notes
        )
        reviews = self._book.reviews.get(entry.id, ()) if self._book.reviews else ()
        self._note(f"{folder}/{notes[entry.id]}.md", entry_page(entry, around, reviews))

    def _shown(self, entry: Entry) -> Mapping[str, str]:
        """Write what an entry shows, unless that is there; return its files by their names."""
        files = {}
        for media in entry.media:
            try:
                data = self._book.media[media.sha256]
            except KeyError:  # its bytes are lost
                continue
            file = self._attachments.given(file_name(media), media.sha256)
            files[media.name] = file
            if f"{ATTACHMENTS}/{file}" not in self._written:
                self._written.add(f"{ATTACHMENTS}/{file}")
                self._put(f"{ATTACHMENTS}/{file}", data)
        return files

    def _folder_of(self, collection: str) -> str:
        parts = collection.split("/")
        first, rest = parts[: _DEEPEST - 1], parts[_DEEPEST - 1 :]
        made = ""
        for depth, part in enumerate((*first, *([" ".join(rest)] if rest else []))):
            above = "/".join(parts[: depth + 1]) if depth < _DEEPEST - 1 else collection
            path = f"{made}/{safe(part, FOLDER, 'collection')}".lstrip("/")
            made = self._folders.given(path, above)
        return made

    def _note(self, place: str, blocks: Iterable[str]) -> None:
        self._put(place, ("\n\n".join(blocks) + "\n").encode())

    def _put(self, place: str, data: bytes) -> None:
        self._bytes += len(data)
        if self._bytes > limits.FILE:
            raise BadData(f"a vault has at most {size(limits.FILE)}", "Export its parts.")
        file = self._folder / place
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_bytes(data)

"""The media of a package: each by the name that its notes show it by, put aside when one does."""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Callable, Iterator
from typing import NamedTuple
from urllib.parse import unquote

from kb import limits
from kb.contract.document import loads
from kb.errors import BadData
from kb.exchange.anki import wire
from kb.exchange.anki.archive import Archive
from kb.exchange.anki.layout import Layout, is_known, member
from kb.exchange.blobs import Blobs
from kb.foreign import decoded, size
from kb.records import Media

_LIST = "media"
_NAME, _SIZE, _SHA1, _MEMBER = 1, 2, 3, 255
_UNSAFE = re.compile(r"[^\w.\-+@=,~\u200c\u200d]+")
_LONGEST = 120

Left = Callable[[str, str], None]
"""Is told what is not taken: why, and which."""


class Packed(NamedTuple):
    """A file in the archive: its member, and its bytes and their SHA-1, where that is said."""

    member: str
    size: int = -1
    sha1: bytes = b""


class Files:
    """The files by the names that notes have for them; `taken` are those of the note at hand."""

    def __init__(self, archive: Archive, layout: Layout, blobs: Blobs) -> None:
        self._archive = archive
        self._layout = layout
        self._blobs = blobs
        self._packed = _listed(archive, layout)
        self._names: dict[str, str] = {}
        self._used: dict[str, int] = {}
        self._made: dict[str, Media | str] = {}
        self._shown: dict[str, str] = {}
        self._read = 0

    def name(self, source: str) -> str:
        """Return the name that a file has in our text, by the one that it has in the note."""
        found = next((each for each in _spellings(source) if each in self._packed), "")
        key = found or _last(source)
        if key not in self._names:
            self._names[key] = self._unused(key)
        self._shown[key] = found
        return self._names[key]

    def taken(self, left: Left) -> tuple[Media, ...]:
        """Return the files named since this was last asked; ``left`` is told of others."""
        shown, self._shown = self._shown, {}
        media: list[Media] = []
        for name, found in shown.items():
            made = self._media(name) if found else "a file that a note shows is missing"
            if isinstance(made, str):
                left(made, name)
                continue
            media.append(made)
            if _last(name) != name:
                left("the name of a file leads elsewhere; its last part is taken", name)
        return tuple(media)

    def unused(self) -> Iterator[tuple[str, str]]:
        """Yield what is in the archive and was not taken, with the reason."""
        members = {each.member for each in self._packed.values()}
        for name in self._packed:
            if name not in self._made:
                yield "no note shows this file", name
        for name in self._archive.members:
            if name not in members and not is_known(name):
                yield "no deck has this file of the archive", name

    def _media(self, name: str) -> Media | str:
        """Return a file, put aside, or why it is not taken."""
        if name not in self._made:
            try:
                self._made[name] = self._blobs.add(self._names[name], self._bytes(name))
            except BadData as error:
                said = error.message.rpartition(": ")[2]
                self._made[name] = f"a file that a note shows is not taken: {said}"
        return self._made[name]

    def _bytes(self, name: str) -> bytes:
        """Return what a file holds, whole and within all bounds. Raises `BadData`."""
        packed, place = self._packed[name], f"{self._archive.name}: {name}"
        if self._archive.is_link(packed.member):
            raise BadData(f"{place} is a link")
        if self._read > limits.MEDIA:
            raise BadData(f"{place}: the media have more than {size(limits.MEDIA)}")
        data = member(self._archive, packed.member, limits.MEDIUM, packed=self._layout.packed)
        self._read += max(len(data), self._archive.size(packed.member))
        if packed.size not in (-1, len(data)):
            raise BadData(f"{place} has {size(len(data))}, and should have {size(packed.size)}")
        if packed.sha1 and hashlib.sha1(data, usedforsecurity=False).digest() != packed.sha1:
            raise BadData(f"{place} is damaged")
        return data

    def _unused(self, name: str) -> str:
        """Return a name that stands in Markdown as it is, and is no other file's."""
        plain = _UNSAFE.sub("-", unicodedata.normalize("NFC", _last(name))).strip("-.") or "file"
        stem, dot, ending = plain.rpartition(".")
        stem, ending = (stem, dot + ending[:10]) if stem else (plain, "")
        stem = stem[:_LONGEST]
        wanted = f"{stem}{ending}"
        while (key := wanted.casefold()) in self._used:
            self._used[key] += 1
            wanted = f"{stem}-{self._used[key]}{ending}"
        self._used[key] = 1
        return wanted


def _listed(archive: Archive, layout: Layout) -> dict[str, Packed]:
    """Return the files that a package says it has, by their names. Raises `BadData`."""
    if _LIST not in archive.members:
        return {}
    place = f"{archive.name}: {_LIST}"
    data = member(archive, _LIST, limits.RECORD, packed=layout.packed)
    try:
        found = dict(_in_message(data) if layout.packed else _in_json(data, place))
    except ValueError as error:
        raise BadData(f"{place} cannot be read ({error})", "Export the deck again.") from error
    if len(found) > limits.FILES:
        raise BadData(f"{place} names more than {limits.FILES:,} files")
    return {name: each for name, each in found.items() if each.member in archive.members}


def _in_json(data: bytes, place: str) -> Iterator[tuple[str, Packed]]:
    listed = loads(decoded(data, place), place) if data.strip() else {}
    for member_, name in listed.items() if isinstance(listed, dict) else ():
        if isinstance(name, str):
            yield name, Packed(member_)


def _in_message(data: bytes) -> Iterator[tuple[str, Packed]]:
    entries = (value for key, value in wire.fields(data) if key == 1 and isinstance(value, bytes))
    for number, entry in enumerate(entries):
        said = dict(wire.fields(entry))
        name, sha1, length = said.get(_NAME), said.get(_SHA1, b""), said.get(_SIZE, -1)
        if isinstance(name, bytes) and isinstance(length, int):
            member_ = str(said.get(_MEMBER, number))
            yield (
                name.decode("utf-8"),
                Packed(member_, length, sha1 if isinstance(sha1, bytes) else b""),
            )


def _spellings(source: str) -> Iterator[str]:
    """Yield the names that a file may have in the archive by what a note calls it."""
    for each in (source, unquote(source)):
        yield from (each, unicodedata.normalize("NFC", each), unicodedata.normalize("NFD", each))


def _last(name: str) -> str:
    return re.split(r"[/\\]", name)[-1]

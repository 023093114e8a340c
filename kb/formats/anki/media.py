"""The media of a package by the names that notes use."""

from __future__ import annotations

import hashlib
import re
import stat
import unicodedata
from collections.abc import Callable, Iterator, Mapping
from functools import partial
from itertools import repeat
from urllib.parse import unquote

from kb import limits
from kb.errors import BadData, Message
from kb.foreign import decoded, size
from kb.formats.anki.archive import AGAIN, COLLECTIONS, MEDIA, META, Archive, fields_of
from kb.formats.media import Blobs
from kb.formats.names import Names
from kb.model.entry import Media, plain_name
from kb.model.json import loads

_NAME, _SHA1, _MEMBER = 1, 3, 255
_FORMS = (str, partial(unicodedata.normalize, "NFC"), partial(unicodedata.normalize, "NFD"))
"""How the name that a note gives a file may be spelled in the package."""

_Packed = tuple[str, bytes]
"""A file's member in the archive, and the SHA-1 of its bytes if known.

Zstandard does not detect a truncated file.
"""


class Files:
    """The files by the names that notes use; `taken` are those of the current note.

    A file is stored temporarily when a note shows it.
    """

    def __init__(self, archive: Archive, blobs: Blobs) -> None:
        self._archive = archive
        self._blobs = blobs
        self._packed = _listed(archive)
        self._names: dict[str, str] = {}
        self._given = Names(joint="-")
        self._made: dict[str, Media | str] = {}
        self._shown: dict[str, str] = {}
        self._read = 0

    def name(self, source: str) -> str:
        """Return the name of a file in our text, by its name in the note."""
        spelled = (form(each) for each in (source, unquote(source)) for form in _FORMS)
        found = next((each for each in spelled if each in self._packed), "")
        key = found or _last(source)
        if key not in self._names:
            self._names[key] = self._given.given(plain_name(_last(key)), key)
        self._shown[key] = found
        return self._names[key]

    def taken(self, left: Callable[[str, str], None]) -> tuple[Media, ...]:
        """Return the files named since the last call; ``left`` gets skipped ones."""
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

    @property
    def sources(self) -> Mapping[str, str]:
        """The names in the package by our names."""
        return {name: source for source, name in self._names.items()}

    def unused(self) -> Iterator[tuple[str, str]]:
        """Yield the unused files of the archive with the reason."""
        members = {member for member, _ in self._packed.values()}
        known = {META, MEDIA, *COLLECTIONS.values(), *members}
        not_shown = (name for name in self._packed if name not in self._made)
        not_listed = (name for name in self._archive.members if name not in known)
        yield from zip(repeat("no note shows this file"), not_shown)
        yield from zip(repeat("no deck has this file of the archive"), not_listed)

    def _media(self, name: str) -> Media | str:
        """Return a stored file, or why it is skipped."""
        if name not in self._made:
            try:
                self._made[name] = self._blobs.add(self._names[name], self._bytes(name))
            except BadData as error:
                why = error.message.without_place()
                self._made[name] = Message("an attachment of a note was skipped: {why}", why=why)
        return self._made[name]

    def _bytes(self, name: str) -> bytes:
        """Return the bytes of a file, complete and within all limits. Raises `BadData`."""
        member, sha1 = self._packed[name]
        found, place = self._archive.members[member], self._archive.name
        if stat.S_ISLNK(found.external_attr >> 16):
            raise BadData("{name} is a link", place=place, name=name)
        if self._read > limits.MEDIA:
            raise BadData(
                "the media are larger than {most}",
                place=f"{place}: {name}",
                most=size(limits.MEDIA),
            )
        data = self._archive.read(member, limits.MEDIUM)
        self._read += max(len(data), found.file_size)
        if sha1 and hashlib.sha1(data, usedforsecurity=False).digest() != sha1:
            raise BadData("{name} is damaged", place=place, name=name)
        return data


def _listed(archive: Archive) -> dict[str, _Packed]:
    """Return the files that a package lists, by name. Raises `BadData`."""
    if MEDIA not in archive.members:
        return {}
    place = archive.name
    data = archive.read(MEDIA, limits.RECORD)
    try:
        if archive.packed:
            found = dict(_in_message(data))
        else:
            here = f"{place}: {MEDIA}"
            listed = loads(decoded(data, here), here) if data.strip() else {}
            members = listed.items() if isinstance(listed, dict) else ()
            found = {name: (member, b"") for member, name in members if isinstance(name, str)}
    except ValueError as error:
        raise BadData(
            "{name} cannot be read ({error})", AGAIN, place=place, name=MEDIA, error=error
        ) from error
    if len(found) > limits.FILES:
        raise BadData(
            "{name} names more than {most:,} files", place=place, name=MEDIA, most=limits.FILES
        )
    return {name: each for name, each in found.items() if each[0] in archive.members}


def _in_message(data: bytes) -> Iterator[tuple[str, _Packed]]:
    entries = (value for key, value in fields_of(data) if key == 1 and isinstance(value, bytes))
    for number, entry in enumerate(entries):
        said = dict(fields_of(entry))
        name, sha1 = said.get(_NAME), said.get(_SHA1)
        if isinstance(name, bytes):
            packed = str(said.get(_MEMBER, number)), sha1 if isinstance(sha1, bytes) else b""
            yield name.decode("utf-8"), packed


def _last(name: str) -> str:
    return re.split(r"[/\\]", name)[-1]

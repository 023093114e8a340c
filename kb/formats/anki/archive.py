r"""The zip archive of a package: each member is opened within limits, and nothing is extracted.

Members are only looked up by name. Names are never used as paths, so ``/etc/x`` or ``../x`` is
just an unknown member.

A package has one of three layouts, with these members for deck and media:

=========  =======================  =======================================================
``meta``   the collection           the names of the media
=========  =======================  =======================================================
(none)     ``collection.anki2``     ``media``, JSON by the members' names
``08 02``  ``collection.anki21``    the same
``08 03``  ``collection.anki21b``   ``media``, a message in protocol buffers; each is packed
=========  =======================  =======================================================

The second and third layouts also have a ``collection.anki2`` with one note that asks to update
Anki. So ``meta`` gives a lower bound, and the newest collection is used. Newer packages are also
compressed with Zstandard, and decompressed within limits.
"""

from __future__ import annotations

import os
import struct
import zipfile
import zlib
from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO, cast

from kb import limits
from kb.errors import BadData, Message
from kb.foreign import drawn, size

AGAIN = Message("Export the deck again.")
META, MEDIA = "meta", "media"
COLLECTIONS = {1: "collection.anki2", 2: "collection.anki21", 3: "collection.anki21b"}
_NEWEST = 3
_LONGEST_META = 1 << 10
_BROKEN = (
    *(zipfile.BadZipFile, zlib.error, struct.error, EOFError, ValueError, OverflowError),
    *(RuntimeError, OSError),
)
"""Exceptions that Python's zip module raises for damaged or malicious archives."""

_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_END = struct.Struct("<4s4H2LH")
_END_64 = struct.Struct("<4sQ2H2L4Q")
_LOCATOR = 20
_LONGEST_COMMENT = 1 << 16
_RECORD = 80  # bytes in the directory for a member with a short name, and some to spare
_LONGEST_VARINT = 10
_FIXED = {1: 8, 5: 4}
_VARINT, _BYTES = 0, 2


class Archive:
    """The ``members`` of a zip archive by name, and which is the ``collection``.

    In packages of the newest layout it is compressed (``packed``), as are the media. Raises
    `BadData` for a file that is not a package, or has a newer layout.
    """

    def __init__(self, stream: BinaryIO, name: str) -> None:
        self.name = name
        with self._told():
            _check_directory(stream, name)
            self._zip = zipfile.ZipFile(stream)
        self.members = {each.filename: each for each in self._zip.infolist()}
        if len(self._zip.infolist()) > limits.FILES:
            raise BadData("contains more than {most:,} files", place=name, most=limits.FILES)
        self.packed = False
        found = self._layout()
        self.collection, self.packed = COLLECTIONS[found], found == _NEWEST

    def read(self, member: str, limit: int) -> bytes:
        """Return a decompressed member of limited size. Raises `BadData`."""
        with self.opened(member, limit) as file:
            return drawn(file, f"{self.name}: {member}", limit)

    @contextmanager
    def opened(self, member: str, limit: int) -> Iterator[BinaryIO]:
        """Open a member for reading in decompressed pieces.

        Raises `BadData` for an invalid one, or one with a declared size above ``limit`` bytes.
        """
        found = self.members.get(member)
        place = f"{self.name}: {member}"
        if found is None:
            raise BadData("{name} is missing", AGAIN, place=self.name, name=member)
        longest = limits.FILE if self.packed else limit
        if found.file_size > longest:
            raise BadData("contains more than {most}", place=place, most=size(longest))
        if found.flag_bits & 1:
            raise BadData(
                "{name} is encrypted",
                "Export the deck again, without a password.",
                place=self.name,
                name=member,
            )
        if found.compress_type not in _METHODS:
            raise BadData(
                "{name} is compressed in a way that Anki does not use", place=self.name, name=member
            )
        with self._told(), self._zip.open(found) as file:
            if self.packed:
                with _unpacked(cast("BinaryIO", file), place) as inner:
                    yield inner
            else:
                yield cast("BinaryIO", file)

    def _layout(self) -> int:
        """Return the layout of a package. Raises `BadData` for an unknown or newer layout."""
        said = 0
        if META in self.members:
            try:
                said = int(dict(fields_of(self.read(META, _LONGEST_META))).get(1, 0))
            except ValueError as error:
                raise BadData(
                    "{name} has no version ({error})", place=self.name, name=META, error=error
                ) from error
        there = [layout for layout, member in COLLECTIONS.items() if member in self.members]
        if not there:
            raise BadData("this archive contains no Anki deck", place=self.name)
        if said > _NEWEST:
            hint = "In Anki, export it with 'Support older Anki versions'."
            raise BadData(
                "a newer Anki wrote this package ({version})", hint, place=self.name, version=said
            )
        if max(there) < said:
            hint = "The one that is there only asks to update Anki. Export the deck again."
            raise BadData("{name} is missing", hint, place=self.name, name=COLLECTIONS[said])
        return max(there)

    @contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except _BROKEN as error:
            raise BadData(
                "this Anki package is incomplete ({error})", AGAIN, place=self.name, error=error
            ) from error


def fields_of(message: bytes) -> Iterator[tuple[int, int | bytes]]:
    """Yield the fields of a message in order. Raises `ValueError` for invalid data.

    A message has the wire format of protocol buffers: numbered fields without descriptions
    (https://protobuf.dev/programming-guides/encoding/). Texts, bytes and whole numbers are read,
    and fields of fixed length are skipped.

    >>> list(fields_of(b"\\x08\\x03\\x12\\x01a"))
    [(1, 3), (2, b'a')]
    """
    at = 0
    while at < len(message):
        key, at = _varint(message, at)
        number, kind = key >> 3, key & 7
        if kind == _VARINT:
            value, at = _varint(message, at)
            yield number, value
        elif kind == _BYTES:
            length, at = _varint(message, at)
            if length > len(message) - at:
                raise ValueError("a field goes beyond the end")
            yield number, message[at : at + length]
            at += length
        elif kind in _FIXED:
            at += _FIXED[kind]
        else:
            raise ValueError(f"no such kind of field: {kind}")


def _varint(message: bytes, at: int) -> tuple[int, int]:
    value = 0
    for place, byte in enumerate(message[at : at + _LONGEST_VARINT]):
        value |= (byte & 0x7F) << 7 * place
        if byte < 0x80:
            return value, at + place + 1
    raise ValueError("a number has no end")


@contextmanager
def _unpacked(file: BinaryIO, name: str) -> Iterator[BinaryIO]:
    """Return a decompressed stream; raise `BadData` for other data."""
    import zstandard

    unpacker = zstandard.ZstdDecompressor(max_window_size=limits.WINDOW)
    try:
        with unpacker.stream_reader(file, closefd=False) as reader:
            yield cast("BinaryIO", reader)
    except zstandard.ZstdError as error:
        raise BadData("cannot be unpacked ({error})", AGAIN, place=name, error=error) from error


def _check_directory(stream: BinaryIO, name: str) -> None:
    """Reject an archive whose directory is too long, because it is read into memory."""
    end = stream.seek(0, os.SEEK_END)
    stream.seek(-min(end, _LONGEST_COMMENT + _END.size + _LOCATOR + _END_64.size), os.SEEK_END)
    tail = stream.read()
    at = tail.rfind(b"PK\x05\x06")
    if at < 0 or len(tail) - at < _END.size:
        raise BadData("this is not an Anki package (not a zip archive)", place=name)
    length = _END.unpack_from(tail, at)[5]
    before = at - _LOCATOR - _END_64.size
    if before >= 0 and tail.startswith(b"PK\x06\x06", before):
        length = max(length if length < 0xFFFFFFFF else 0, _END_64.unpack_from(tail, before)[8])
    if length > limits.FILES * _RECORD:
        raise BadData(
            "its directory has {size}, more than {most:,} files need",
            place=name,
            size=size(length),
            most=limits.FILES,
        )
    stream.seek(0)

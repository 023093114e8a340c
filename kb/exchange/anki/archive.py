"""The archive that a package is: what lies in it, each opened within bounds, nothing written.

A name in an archive is only ever looked up, and never a path: what is called ``/etc/x`` or
``../x`` is a member that no package has, and stays where it is.
"""

from __future__ import annotations

import os
import stat
import struct
import zipfile
import zlib
from collections.abc import Collection, Iterator
from contextlib import contextmanager
from typing import BinaryIO, cast

from kb import limits
from kb.errors import BadData
from kb.foreign import size

_BROKEN = (
    *(zipfile.BadZipFile, zlib.error, struct.error, EOFError, ValueError, OverflowError),
    *(RuntimeError, OSError),
)
"""What Python's module for archives raises for those that are damaged, or made to do harm."""

_METHODS = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_END = struct.Struct("<4s4H2LH")
_END_64 = struct.Struct("<4sQ2H2L4Q")
_LOCATOR = 20
_LONGEST_COMMENT = 1 << 16
_RECORD = 80  # bytes in the directory for a member with a short name, and some to spare


class Archive:
    """The members of a zip archive by their names. Raises `BadData` for what is none."""

    def __init__(self, stream: BinaryIO, name: str) -> None:
        self.name = name
        with self._told():
            _check_directory(stream, name)
            self._zip = zipfile.ZipFile(stream)
        self._members = {each.filename: each for each in self._zip.infolist()}
        if len(self._zip.infolist()) > limits.FILES:
            raise BadData(f"{name}: holds more than {limits.FILES:,} files")

    @property
    def members(self) -> Collection[str]:
        """The names of all members."""
        return self._members.keys()

    def is_link(self, member: str) -> bool:
        """Say whether a member stands for a link."""
        return stat.S_ISLNK(self._members[member].external_attr >> 16)

    def size(self, member: str) -> int:
        """Return how many bytes a member is said to have, unpacked."""
        return self._members[member].file_size

    @contextmanager
    def opened(self, member: str, limit: int) -> Iterator[BinaryIO]:
        """Open a member to be read, piece by piece.

        Raises `BadData` for one that cannot be, or is said to have more than ``limit`` bytes.
        """
        found = self._members.get(member)
        place = f"{self.name}: {member}"
        if found is None:
            raise BadData(f"{place} is missing", "Export the deck again.")
        if found.file_size > limit:
            raise BadData(f"{place}: holds more than {size(limit)}")
        if found.flag_bits & 1:
            raise BadData(f"{place} is encrypted", "Export the deck again, without a password.")
        if found.compress_type not in _METHODS:
            raise BadData(f"{place} is packed in a way that Anki does not pack")
        with self._told(), self._zip.open(found) as file:
            yield cast("BinaryIO", file)

    @contextmanager
    def _told(self) -> Iterator[None]:
        try:
            yield
        except _BROKEN as error:
            said = f"{self.name}: this is no whole package of Anki's ({error})"
            raise BadData(said, "Export the deck again.") from error


def _check_directory(stream: BinaryIO, name: str) -> None:
    """Refuse an archive whose directory is too long: it is read whole, a record for each member."""
    end = stream.seek(0, os.SEEK_END)
    stream.seek(-min(end, _LONGEST_COMMENT + _END.size + _LOCATOR + _END_64.size), os.SEEK_END)
    tail = stream.read()
    at = tail.rfind(b"PK\x05\x06")
    if at < 0 or len(tail) - at < _END.size:
        raise BadData(f"{name}: this is no package of Anki's (no zip archive)")
    length = _END.unpack_from(tail, at)[5]
    before = at - _LOCATOR - _END_64.size
    if before >= 0 and tail.startswith(b"PK\x06\x06", before):
        length = max(length if length < 0xFFFFFFFF else 0, _END_64.unpack_from(tail, before)[8])
    if length > limits.FILES * _RECORD:
        said = f"its directory has {size(length)}, more than {limits.FILES:,} files need"
        raise BadData(f"{name}: {said}")
    stream.seek(0)

"""Media put aside while what shows them is read: their bytes in one file without a name."""

from __future__ import annotations

import hashlib
import tempfile
import weakref
from collections.abc import Iterator, Mapping
from typing import BinaryIO, cast

from kb import limits
from kb.errors import BadData
from kb.foreign import size
from kb.records import Media


class Blobs(Mapping[str, bytes]):
    """Bytes by the digest of them, of which only the places are kept in memory.

    >>> blobs = Blobs()
    >>> made = blobs.add("a.png", b"bytes")
    >>> made.size, blobs[made.sha256]
    (5, b'bytes')
    """

    def __init__(self) -> None:
        self._kept: BinaryIO | None = None
        self._places: dict[str, tuple[int, int]] = {}
        self._end = 0

    def add(self, name: str, data: bytes) -> Media:
        """Put bytes aside under a name. Raises `BadData` for too many, of one file or in all."""
        if len(data) > limits.MEDIUM:
            raise BadData("has more than {most}", place=name, most=size(limits.MEDIUM))
        key = hashlib.sha256(data).hexdigest()
        if key not in self._places:
            if self._end + len(data) > limits.MEDIA:
                raise BadData(
                    "with it, all media have more than {most}", place=name, most=size(limits.MEDIA)
                )
            self._file.seek(self._end)
            self._file.write(data)
            self._places[key] = (self._end, len(data))
            self._end += len(data)
        return Media(name, key, len(data))

    @property
    def _file(self) -> BinaryIO:
        """The file, which lasts as long as the mapping; few imports have media."""
        if self._kept is None:
            self._kept = cast("BinaryIO", tempfile.TemporaryFile())  # noqa: SIM115
            weakref.finalize(self, self._kept.close)
        return self._kept

    def __getitem__(self, key: str) -> bytes:
        start, length = self._places[key]
        self._file.seek(start)
        return self._file.read(length)

    def __iter__(self) -> Iterator[str]:
        return iter(self._places)

    def __len__(self) -> int:
        return len(self._places)

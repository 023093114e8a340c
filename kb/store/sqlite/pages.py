"""Reads the pages of an SQLite file without SQLite, to recover a damaged one.

Every page is read independently, so damage to one does not affect others. The format is
documented at https://www.sqlite.org/fileformat.html; numbers in parentheses are its sections.
"""

from __future__ import annotations

import mmap
import os
import shutil
import struct
import tempfile
import weakref
from collections.abc import Iterator, Sequence
from contextlib import closing, suppress
from functools import lru_cache
from typing import NamedTuple

from kb.disk import scratch_prefix
from kb.store.sqlite.driver import SQLITE_ERRORS, sqlite3
from kb.store.sqlite.files import MAGIC, copy_with_journal, has_journal

Value = int | float | str | bytes | None

_SIZE = 4096
"""The bytes of a page: danesh leaves SQLite's default."""

_TABLE_LEAF = 13
_FREE = 2
_MAPPED = range(1, 6)
_FIXED = {0: ("n", 0), **{n: ("i", size) for n, size in enumerate((1, 2, 3, 4, 6, 8), 1)},
          7: ("r", 8), 8: ("i", 0), 9: ("i", 0)}  # fmt: skip


class Record(NamedTuple):
    """A stored row; ``values`` from index ``whole`` on are incomplete.

    ``kinds`` has a letter for each value: n(ull), i(nteger), r(eal), b(lob), t(ext).
    """

    rowid: int
    kinds: str
    values: tuple[Value, ...]
    whole: int


class Pages:
    """The pages of a file, including its log or journal.

    ``path`` is the file, or a copy into which SQLite has merged its journal. Raises `OSError` if
    it cannot be read.
    """

    def __init__(self, path: str) -> None:
        self.path = path
        if has_journal(path):
            folder = tempfile.mkdtemp(prefix=scratch_prefix("danesh-"))
            weakref.finalize(self, shutil.rmtree, folder, True)
            self.path = copy_with_journal(path, folder)
            with closing(sqlite3.connect(self.path)) as merging, suppress(*SQLITE_ERRORS):
                merging.execute("SELECT count(*) FROM sqlite_master").fetchone()
        self._file = _read(self.path)
        self.count = -(-len(self._file) // _SIZE)
        first = self._page(1)
        listed = self._free_list(first) if _is_header(first) else set()
        self._free = listed.union(self._mapped_free())

    def known(self) -> tuple[int, int] | None:
        """Return ``user_version`` and ``application_id``, or nothing if the header is damaged."""
        first = self._page(1)
        version, _, application = struct.unpack_from(">III", first, 60)
        return (version, application) if _is_header(first) else None

    def rows(self) -> Iterator[Record]:
        """Yield the rows of all tables, in page order."""
        for page in range(1, self.count + 1):
            if page not in self._free:
                yield from self._records(page)

    def _page(self, number: int) -> bytes:
        start = (number - 1) * _SIZE
        return bytes(self._file[start : start + _SIZE]).ljust(_SIZE, b"\0")

    def _records(self, page: int) -> Iterator[Record]:
        """Yield the records of a leaf of a table (1.6); invalid cells are skipped."""
        data, start = self._page(page), 100 if page == 1 else 0
        kind, _, cells, content = struct.unpack_from(">BHHH", data, start)
        first = start + 8
        if kind != _TABLE_LEAF or not first + 2 * cells <= content <= _SIZE:
            return
        for pointer in struct.unpack_from(f">{cells}H", data, first):
            with suppress(ValueError, IndexError, struct.error):
                if first + 2 * cells <= pointer < _SIZE - 3:
                    size, at = _varint(data, pointer)
                    rowid, at = _varint(data, at)
                    yield _decoded(rowid, self._payload(data, at, size), size)

    def _payload(self, data: bytes, at: int, size: int) -> bytes:
        """Return the bytes of a cell with its overflow pages (1.6), up to any damage."""
        if size > self.count * _SIZE:
            raise ValueError(size)
        least = (_SIZE - 12) * 32 // 255 - 23
        kept = least + (size - least) % (_SIZE - 4)
        local = next(each for each in (size, kept, least) if each <= _SIZE - 35)
        if at + local > _SIZE:
            raise ValueError(at)
        parts, left, chain = [data[at : at + local]], size - local, set[int]()
        following = struct.unpack_from(">I", data, at + local)[0] if left else 0
        while left:
            if not 1 < following <= self.count or following in chain:
                break
            chain.add(following)
            page = self._page(following)
            parts.append(page[4 : min(_SIZE, 4 + left)])
            left -= len(parts[-1])
            following = struct.unpack_from(">I", page)[0]
        if chain and (left or following):  # what names no page after it was overwritten itself
            parts.pop()
        return b"".join(parts)

    def _free_list(self, first: bytes) -> set[int]:
        """Return the pages in the freelist (1.5), as far as it is readable."""
        free: set[int] = set()
        trunk = struct.unpack_from(">I", first, 32)[0]
        while 1 < trunk <= self.count and trunk not in free:
            following, leaves = struct.unpack_from(">II", self._page(trunk))
            if leaves > _SIZE // 4 - 2:
                break
            free |= {trunk, *struct.unpack_from(f">{leaves}I", self._page(trunk), 8)}
            trunk = following
        return free

    def _mapped_free(self) -> Iterator[int]:
        """Yield the free pages of pointer maps, if the file has them (1.8).

        A pointer map with an invalid entry is ignored.
        """
        each = _SIZE // 5
        for place in range(2, self.count + 1, each + 1):
            told = struct.iter_unpack(">BI", self._page(place)[: each * 5])
            known = dict(zip(range(place + 1, self.count + 1), told, strict=False))
            if all(kind in _MAPPED and above <= self.count for kind, above in known.values()):
                yield from (page for page, (kind, _) in known.items() if kind == _FREE)


def _read(path: str) -> bytes | mmap.mmap:
    if not os.path.exists(path) or not os.path.getsize(path):
        return b""
    with open(path, "rb") as file:
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)


def _is_header(page: bytes) -> bool:
    """Return whether the first page begins with a valid header (1.3)."""
    return page.startswith(MAGIC) and page[20:24] == b"\0\x40\x20\x20" and any(page[56:60])


def _varint(data: bytes, at: int) -> tuple[int, int]:
    """Return a number of one to nine bytes, and its end (1.6)."""
    value = 0
    for step in range(8):
        byte = data[at + step]
        value = value << 7 | byte & 0x7F
        if byte < 0x80:
            return value, at + step + 1
    value = value << 8 | data[at + 8]
    return value - (1 << 64 if value >> 63 else 0), at + 9


def _decoded(rowid: int, payload: bytes, size: int) -> Record:
    """Return a record from its bytes (2.1); the last ones may be missing."""
    end, at = _varint(payload, 0)
    if not at <= end <= size:
        raise ValueError(end)
    kinds, types, length = _types(payload[at:end])
    if end + length > size:
        raise ValueError(length)
    at = end
    values: list[Value] = []
    whole = len(types)
    for place, (type, kind, length) in enumerate(types):
        data = payload[at : at + length]
        value, sound = _value(type, kind, data)
        if len(data) < length or not sound:
            whole = min(whole, place)
        values.append(value)
        at += length
    return Record(rowid, kinds, tuple(values), whole)


@lru_cache(maxsize=10_000)
def _types(header: bytes) -> tuple[str, Sequence[tuple[int, str, int]], int]:
    """Return the kinds of values, their serial types, kinds and lengths, and the total."""
    found: list[tuple[int, str, int]] = []
    at = 0
    while at < len(header):
        type, at = _varint(header, at)
        found.append((type, *_told(type)))
    return "".join(kind for _, kind, _ in found), found, sum(length for *_, length in found)


def _told(type: int) -> tuple[str, int]:
    """Return the kind and length of a value from its serial type."""
    if type >= 12:
        return ("t" if type % 2 else "b"), (type - 12) // 2
    if type not in _FIXED:
        raise ValueError(type)
    return _FIXED[type]


def _value(type: int, kind: str, data: bytes) -> tuple[Value, bool]:
    """Return a value, and whether its bytes are valid for it."""
    if kind == "n":
        return None, True
    if kind == "b":
        return data, True
    if kind == "t":
        try:
            return data.decode("utf-8"), True
        except UnicodeDecodeError as error:
            return data[: error.start].decode("utf-8"), False
    if kind == "r":
        return (struct.unpack(">d", data)[0] if len(data) == 8 else None), True
    return (int.from_bytes(data, "big", signed=True) if type < 8 else type - 8), True

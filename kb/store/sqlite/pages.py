"""Reads the pages of an SQLite file without SQLite, to recover a damaged one.

Every page is read independently, so damage to one does not affect others. The format is
documented at https://www.sqlite.org/fileformat.html; numbers in parentheses are its sections.
"""

from __future__ import annotations

import mmap
import os
import struct
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from contextlib import closing, contextmanager, suppress
from functools import cached_property, lru_cache
from typing import NamedTuple

from kb.disk import scratch_prefix
from kb.store.sqlite.driver import SQLITE_ERRORS, sqlite3
from kb.store.sqlite.files import copy_with_journal, has_journal

Value = int | float | str | bytes | None

_MAGIC = b"SQLite format 3\0"
_SIZE = 4096
"""The bytes of a page: danesh leaves SQLite's default."""

_INDEX_INNER, _TABLE_INNER, _INDEX_LEAF, _TABLE_LEAF = 2, 5, 10, 13
_TREE = (_INDEX_INNER, _TABLE_INNER, _INDEX_LEAF, _TABLE_LEAF)
_ROOT, _FREE = 1, 2
_MAPPED = range(1, 6)
_LOCK_BYTE = 1 << 30
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

    @property
    def is_cut(self) -> bool:
        """Whether a part of it was unreadable."""
        return self.whole < len(self.values)


class Tree(NamedTuple):
    """The records of an index, and whether all its pages are readable."""

    records: Sequence[Record]
    whole: bool


class Pages:
    """The pages of a file, including its log or journal.

    Raises `OSError` if it cannot be read.
    """

    def __init__(self, path: str) -> None:
        with _with_journal(path) as whole:
            self._file = _read(whole)
        first = self._page(1)
        headed = _is_header(first)
        self.count = -(-len(self._file) // _SIZE)
        self.is_short = headed and struct.unpack_from(">I", first, 28)[0] > self.count
        """Whether the header counts more pages than the file has."""
        self._map = self._pointer_map()
        free = {page for page, (kind, _) in self._map.items() if kind == _FREE}
        self._free = free | (self._free_list(first) if headed else set())
        self._chained: set[int] = set()
        self._torn: set[int] = set()

    def known(self) -> tuple[int, int] | None:
        """Return ``user_version`` and ``application_id``, or nothing if the header is damaged."""
        first = self._page(1)
        version, _, application = struct.unpack_from(">III", first, 60)
        return (version, application) if _is_header(first) else None

    def rows(self) -> Iterator[Record]:
        """Yield the rows of all tables, in page order."""
        for page in range(1, self.count + 1):
            if page not in self._free and self._kind(page) == _TABLE_LEAF:
                found = list(self._records(page))
                if len(found) < self._cells(page):
                    self._torn.add(page)
                yield from found

    def index(self, root: int) -> Tree:
        """Return the readable content of an index."""
        found: list[Record] = []
        waiting, seen, whole = [root], set[int](), True
        while waiting:
            page = waiting.pop()
            kind = self._kind(page) if page not in seen else 0
            seen.add(page)
            if kind not in (_INDEX_INNER, _INDEX_LEAF):
                whole = False
                continue
            records = list(self._records(page))
            whole = whole and len(records) == self._cells(page)
            found += records
            if kind == _INDEX_INNER:
                data, start = self._page(page), _start(page)
                for pointer in (start + 8, *self._pointers(page)):
                    waiting += struct.unpack_from(">I", data, pointer)
        return Tree(found, whole)

    def unread(self) -> Iterator[int | None]:
        """Yield the tree root of each unreadable page, or nothing if unknown.

        Read all `rows` first.
        """
        if not self._map:  # whose the pages are is not told: those of indexes are read, too
            for page in range(1, self.count + 1):
                if page not in self._free and self._kind(page) in (_INDEX_INNER, _INDEX_LEAF):
                    list(self._records(page))
        for page in range(1, self.count + 1):
            known = page in self._free or page in self._chained or page in self._maps
            if page in self._torn or not (known or self._kind(page)):
                yield self._root(page)
        if self.is_short:
            yield None

    def _page(self, number: int) -> bytes:
        start = (number - 1) * _SIZE
        return bytes(self._file[start : start + _SIZE]).ljust(_SIZE, b"\0")

    def _kind(self, page: int) -> int:
        """Return the kind of a tree page (1.6), or 0 for any other or damaged page."""
        if not 0 < page <= self.count:
            return 0
        data, start = self._page(page), _start(page)
        kind, _, cells, content = struct.unpack_from(">BHHH", data, start)
        pointers = start + _head(kind) + 2 * cells
        if kind not in _TREE or not pointers <= content <= _SIZE:
            return 0
        return int(kind)

    def _cells(self, page: int) -> int:
        return int(struct.unpack_from(">H", self._page(page), _start(page) + 3)[0])

    def _pointers(self, page: int) -> Iterator[int]:
        """Yield the offsets of a page's cells that are within the page."""
        data, start, cells = self._page(page), _start(page), self._cells(page)
        first = start + _head(data[start])
        for pointer in struct.unpack_from(f">{cells}H", data, first):
            if first + 2 * cells <= pointer < _SIZE - 3:
                yield pointer

    def _records(self, page: int) -> Iterator[Record]:
        """Yield the records of a page; invalid cells are skipped."""
        data, kind = self._page(page), self._kind(page)
        for pointer in self._pointers(page):
            try:
                yield self._record(data, pointer, kind)
            except (ValueError, IndexError, struct.error):
                continue

    def _record(self, data: bytes, at: int, kind: int) -> Record:
        at += 4 if kind == _INDEX_INNER else 0
        size, at = _varint(data, at)
        rowid = 0
        if kind == _TABLE_LEAF:
            rowid, at = _varint(data, at)
        return _decoded(rowid, self._payload(data, at, size, table=kind == _TABLE_LEAF), size)

    def _payload(self, data: bytes, at: int, size: int, *, table: bool) -> bytes:
        """Return the bytes of a cell with its overflow pages (1.6), up to any damage."""
        if size > self.count * _SIZE:
            raise ValueError(size)
        least = (_SIZE - 12) * 32 // 255 - 23
        most = _SIZE - 35 if table else (_SIZE - 12) * 64 // 255 - 23
        kept = least + (size - least) % (_SIZE - 4)
        local = size if size <= most else kept if kept <= most else least
        if at + local > _SIZE:
            raise ValueError(at)
        parts, left, chain = [data[at : at + local]], size - local, list[int]()
        following = struct.unpack_from(">I", data, at + local)[0] if left else 0
        while left:
            if not 1 < following <= self.count or following in chain:
                break
            chain.append(following)
            page = self._page(following)
            parts.append(page[4 : min(_SIZE, 4 + left)])
            left -= len(parts[-1])
            following = struct.unpack_from(">I", page)[0]
        if chain and (left or following):  # what names no page after it was overwritten itself
            parts.pop()
            chain.pop()
        self._chained.update(chain)
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

    @cached_property
    def _maps(self) -> set[int]:
        """The pointer map pages, and the page that SQLite locks."""
        told = set(range(2, self.count + 1, _SIZE // 5 + 1)) if self._map else set()
        return told | {_LOCK_BYTE // _SIZE + 1}

    def _pointer_map(self) -> Mapping[int, tuple[int, int]]:
        """Return kind and parent of each page, if the file stores them (1.8).

        A pointer map with an invalid entry is ignored.
        """
        found: dict[int, tuple[int, int]] = {}
        each = _SIZE // 5
        for place in range(2, self.count + 1, each + 1):
            told = struct.iter_unpack(">BI", self._page(place)[: each * 5])
            known = dict(zip(range(place + 1, self.count + 1), told, strict=False))
            if all(kind in _MAPPED and above <= self.count for kind, above in known.values()):
                found |= known
        return found

    def _root(self, page: int) -> int | None:
        """Return the root of a page's tree, if its parents are known."""
        seen: set[int] = set()
        while page in self._map and page not in seen:
            seen.add(page)
            kind, above = self._map[page]
            if kind == _ROOT:
                return page
            page = above
        return 1 if page == 1 else None


@contextmanager
def _with_journal(path: str) -> Iterator[str]:
    """Provide a file into which SQLite has merged its journal: a copy, if there is one."""
    if not has_journal(path):
        yield path
        return
    with tempfile.TemporaryDirectory(prefix=scratch_prefix("danesh-")) as folder:
        copy = copy_with_journal(path, folder)
        with closing(sqlite3.connect(copy)) as merging, suppress(*SQLITE_ERRORS):
            merging.execute("SELECT count(*) FROM sqlite_master").fetchone()
        yield copy


def _read(path: str) -> bytes | mmap.mmap:
    if not os.path.exists(path) or not os.path.getsize(path):
        return b""
    with open(path, "rb") as file:
        return mmap.mmap(file.fileno(), 0, access=mmap.ACCESS_READ)


def _is_header(page: bytes) -> bool:
    """Return whether the first page begins with a valid header (1.3)."""
    return page.startswith(_MAGIC) and page[20:24] == b"\0\x40\x20\x20" and any(page[56:60])


def _start(page: int) -> int:
    return 100 if page == 1 else 0


def _head(kind: int) -> int:
    return 12 if kind in (_INDEX_INNER, _TABLE_INNER) else 8


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

"""The journals beside a database: whether one that was left there belongs to it, and its pages.

Sections are those of https://www.sqlite.org/fileformat.html.
"""

from __future__ import annotations

import contextlib
import mmap
import os
import struct
import time

from kb.disk.durable import lock_holders
from kb.errors import BadDatabase, KbError, Message
from kb.store.sqlite import driver
from kb.store.sqlite.connection import Connection
from kb.store.sqlite.files import BESIDE
from kb.store.sqlite.place import is_open_here

Bytes = bytes | mmap.mmap
"""What a file holds."""

_WAL_MAGIC = (0x377F0682, 0x377F0683)
_WAL_HEADER, _FRAME_HEADER = 32, 24
_JOURNAL_MAGIC = b"\xd9\xd5\x05\xf9\x20\xa1\x63\xd7"
_JOURNAL_HEADER = 28
_CONNECTED = 128  # of the -shm file: https://sqlite.org/walformat.html#wal_locks


def check_left(path: str) -> None:
    """Refuse a database beside which a killed session's log lies that is of another file.

    SQLite would write it into the file at the next chance. Raises `BadDatabase` that says how to
    mend it. What others have open is not looked at.
    """
    left = _size(f"{path}-wal") and not is_open_here(path)
    if left and lock_holders(f"{path}-shm", _CONNECTED) == [] and not is_whole(path, "read"):
        _refuse(path)


def _refuse(path: str) -> None:
    if is_whole(path, "still"):
        raise BadDatabase(
            "the journal beside it ({path}-wal) is not of this file, or is damaged; "
            "without it the file is whole",
            Message(
                "Move {path}-wal and {path}-shm elsewhere, or put a copy back with 'kb restore'.",
                path=path,
            ),
            place=path,
            path=path,
        )
    raise driver.damaged(path)


def is_whole(path: str, mode: driver.Mode) -> bool:
    """Say whether a file is whole, with the journal beside it or, where ``still``, without.

    Nothing of it or beside it is changed.
    """
    try:
        with contextlib.closing(Connection(driver.connect(path, mode), path)) as connection:
            return bool(connection.value("PRAGMA integrity_check(1)") == "ok")
    except driver.SQLITE_ERRORS:
        return False
    except KbError:
        return False


def drop_cold(path: str, connection: Connection) -> None:
    """Remove a rollback journal that undoes nothing, beside a database that uses none.

    As long as a connection has the database in WAL mode nobody can begin to use one. One that
    begins with a zero is of no use to SQLite, either: https://sqlite.org/fileformat.html#rollbackjournal
    """
    if connection.limit is None and connection.value("PRAGMA journal_mode") == "wal":
        with contextlib.suppress(OSError), open(f"{path}-journal", "rb") as journal:
            if journal.read(1) in (b"", b"\0"):
                os.unlink(f"{path}-journal")


def set_aside(path: str) -> list[str]:
    """Move journals away whose database is gone, before another one is made in its place.

    Returns their new names.
    """
    moved = []
    stamp = time.strftime("%Y%m%d-%H%M%S")
    for end in BESIDE:
        if _size(f"{path}{end}") and end != "-shm":
            moved.append(f"{path}.left-{stamp}{end}")
            os.rename(f"{path}{end}", moved[-1])
        else:
            with contextlib.suppress(FileNotFoundError):
                os.unlink(f"{path}{end}")
    return moved


def committed_pages(log: Bytes, size: int) -> dict[int, bytes]:
    """Return the pages of a write-ahead log up to its last commit (4.2)."""
    if len(log) <= _WAL_HEADER:
        return {}
    magic, _, told, _, *salts = struct.unpack_from(">6I", log)
    order = ">" if magic & 1 else "<"
    if magic not in _WAL_MAGIC or told != size:
        return {}
    pages: dict[int, bytes] = {}
    pending: dict[int, bytes] = {}
    sums = _checksum((0, 0), log[:24], order)
    for at in range(_WAL_HEADER, len(log) - _FRAME_HEADER - size + 1, _FRAME_HEADER + size):
        page, commit, first, second, *told_sums = struct.unpack_from(">6I", log, at)
        data = bytes(log[at + _FRAME_HEADER : at + _FRAME_HEADER + size])
        sums = _checksum(_checksum(sums, log[at : at + 8], order), data, order)
        if [first, second] != salts or list(sums) != told_sums or not page:
            break
        pending[page] = data
        if commit:
            pages |= pending
            pending = {}
    return pages


def undone_pages(journal: Bytes, size: int) -> tuple[dict[int, bytes], int]:
    """Return pages as they were before a transaction that never ended, and how many there were.

    That is what a rollback journal holds (3), in parts that begin with headers.
    """
    pages: dict[int, bytes] = {}
    had = at = 0
    while journal[at : at + 8] == _JOURNAL_MAGIC and len(journal) >= at + _JOURNAL_HEADER:
        count, nonce, had, sector, told = struct.unpack_from(">5I", journal, at + 8)
        if told != size or not sector:
            break
        at += sector
        for _ in range(min(count, (len(journal) - at) // (size + 8))):
            page, data = struct.unpack_from(f">I{size}s", journal, at)
            checked = nonce + sum(data[size - 200 : 0 : -200]) & 0xFFFFFFFF
            if checked != struct.unpack_from(">I", journal, at + 4 + size)[0]:
                return pages, had
            pages.setdefault(page, data)
            at += size + 8
        at = -(-at // sector) * sector
    return pages, had


def _checksum(sums: tuple[int, int], data: bytes, order: str) -> tuple[int, int]:
    one, two = sums
    for first, second in struct.iter_unpack(f"{order}II", data):
        one = (one + first + two) & 0xFFFFFFFF
        two = (two + second + one) & 0xFFFFFFFF
    return one, two


def _size(path: str) -> int:
    try:
        return os.path.getsize(path)
    except OSError:
        return 0

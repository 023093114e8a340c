"""The folder that a run may write in: measured during the run and then removed."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator

LARGEST_FILE, LARGEST_FOLDER = 16 << 20, 64 << 20
_MOST_ENTRIES = 1000
_ATTEMPTS = 50
_LARGEST_MAPS = 4 << 20
_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


def is_full(path: str, pid: int) -> bool:
    """Return whether a process has exceeded the size limit of its folder.

    Deleted files that are still open or mapped count, too. The size of mapped files is unknown
    without privileges, so each counts as the largest possible file. A folder that changes during
    every measurement counts as full.
    """
    for _ in range(_ATTEMPTS):
        try:
            return _exceeds(itertools.chain(_sizes(path), _held(pid)))
        except (FileNotFoundError, ProcessLookupError):
            continue  # renamed, removed or closed while it was measured
    return True


def _exceeds(sizes: Iterator[int]) -> bool:
    taken = 0
    for count, size in enumerate(sizes):
        taken += size
        if taken > LARGEST_FOLDER or count >= _MOST_ENTRIES:
            return True
    return False


def remove(path: str) -> None:
    """Remove a folder of any depth, without following links.

    Subfolders are moved up before they are emptied, so that no path becomes too long.
    """
    os.chmod(path, 0o700)
    top = os.open(path, _FOLDER)
    try:
        while left := os.listdir(top):
            for name in left:
                _remove_one(top, name)
    finally:
        os.close(top)
    os.rmdir(path)


def _remove_one(top: int, name: str) -> None:
    if not _is_folder(top, name):
        os.unlink(name, dir_fd=top)
        return
    os.chmod(name, 0o700, dir_fd=top)
    inner = os.open(name, _FOLDER, dir_fd=top)
    try:
        for child in os.listdir(inner):
            if _is_folder(inner, child):
                os.chmod(child, 0o700, dir_fd=inner)
                os.rename(child, os.urandom(8).hex(), src_dir_fd=inner, dst_dir_fd=top)
            else:
                os.unlink(child, dir_fd=inner)
    finally:
        os.close(inner)
    os.rmdir(name, dir_fd=top)


def _is_folder(parent: int, name: str) -> bool:
    mode = os.stat(name, dir_fd=parent, follow_symlinks=False).st_mode
    return mode & 0o170000 == 0o040000


def _sizes(path: str) -> Iterator[int]:
    """Yield the sizes of everything in a folder; an unreadable folder counts as too large.

    Raises `FileNotFoundError` if something was moved or removed meanwhile.
    """
    folders = [path]
    while folders:
        try:
            with os.scandir(folders.pop()) as entries:
                for entry in entries:
                    if entry.is_dir(follow_symlinks=False):
                        folders.append(entry.path)
                    yield _blocks(entry.stat(follow_symlinks=False))
        except FileNotFoundError:
            raise
        except OSError:
            yield LARGEST_FOLDER + 1


def _held(pid: int) -> Iterator[int]:
    """Yield the sizes of deleted files that a process keeps open: proc(5).

    Threads share open files, and the first thread can end before the others. Raises
    `FileNotFoundError` if something was closed meanwhile.
    """
    if not os.path.exists(f"/proc/{pid}"):
        return  # a system that does not tell
    for thread in os.listdir(f"/proc/{pid}/task"):
        maps = _maps(f"/proc/{pid}/task/{thread}/maps")
        if maps:
            yield from _held_open(f"/proc/{pid}/task/{thread}/fd")
            yield from (LARGEST_FILE for _ in removed_files(maps))
            return


def _held_open(path: str) -> Iterator[int]:
    for number in os.listdir(path):
        found = os.stat(f"{path}/{number}")
        if not found.st_nlink:
            yield _blocks(found)


def _maps(path: str) -> bytes:
    """Return the start of a ``maps`` file; nothing for an ended thread."""
    try:
        with open(path, "rb") as file:
            return file.read(_LARGEST_MAPS)
    except ProcessLookupError:
        return b""


def removed_files(maps: bytes) -> set[bytes]:
    """Return device and inode of each removed file in the ``maps`` of a process.

    The kernel escapes only newlines in names. A line of any other form counts as a separate
    file, and so does a truncated line.

    >>> maps = b"7-8 r--p 0 0:2a 31  /a b\\rc (deleted)\\n8-9 rw-p 0 0:0 0 [heap]\\n"
    >>> removed_files(maps)
    {b'0:2a 31'}
    """
    if len(maps) >= _LARGEST_MAPS:
        return set(maps.split(b"\n"))
    found = set()
    for line in maps.removesuffix(b"\n").split(b"\n"):
        fields = line.split(b" ", 5)
        if len(fields) < 5:
            found.add(line)
        elif fields[4] != b"0" and line.endswith(b" (deleted)"):
            found.add(b" ".join(fields[3:5]))
    return found


def _blocks(found: os.stat_result) -> int:
    return found.st_blocks * 512

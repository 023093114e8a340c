"""The folder that a run may write in: made, measured while it runs, and removed."""

from __future__ import annotations

import itertools
import os
from collections.abc import Iterator

from kb.evidence.sandbox.limits import LARGEST_FILE, LARGEST_FOLDER, MOST_ENTRIES

_FOLDER = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC


def make(base: str) -> str:
    """Make a folder that no other run has had."""
    path = os.path.join(base, os.urandom(8).hex())
    os.mkdir(path, 0o700)
    return path


def is_full(path: str, pid: int) -> bool:
    """Say whether a process has put more into its folder than a run may.

    What it has removed but still holds open, or mapped, takes room too. Of what is mapped
    the size cannot be known without privileges: it counts as the largest file there can be.
    """
    taken = 0
    for count, size in enumerate(itertools.chain(_sizes(path), _held(pid))):
        taken += size
        if taken > LARGEST_FOLDER or count >= MOST_ENTRIES:
            return True
    return False


def remove(path: str) -> None:
    """Remove a folder whatever lies in it, however deep, and follow no link.

    Folders within are moved up before they are emptied, so that no path grows too long.
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
    """Yield the bytes of everything in a folder; of what cannot be looked into, too many."""
    folders = [path]
    while folders:
        try:
            with os.scandir(folders.pop()) as entries:
                for entry in entries:
                    if entry.is_dir(follow_symlinks=False):
                        folders.append(entry.path)
                    yield _blocks(entry.stat(follow_symlinks=False))
        except FileNotFoundError:
            continue  # removed while it was looked at
        except OSError:
            yield LARGEST_FOLDER + 1


def _held(pid: int) -> Iterator[int]:
    """Yield the bytes of the files that a process has removed and holds: proc(5)."""
    if not os.path.exists(f"/proc/{pid}"):
        return
    try:
        for number in os.listdir(f"/proc/{pid}/fd"):
            found = os.stat(f"/proc/{pid}/fd/{number}")
            if not found.st_nlink:
                yield _blocks(found)
        with open(f"/proc/{pid}/maps", encoding="utf-8", errors="replace") as file:
            mapped = {line.split()[4] for line in file if line.endswith("(deleted)\n")}
    except (FileNotFoundError, ProcessLookupError):
        return  # ended, or closed, while it was looked at
    mapped.discard("0")
    yield from (LARGEST_FILE for _ in mapped)


def _blocks(found: os.stat_result) -> int:
    return found.st_blocks * 512

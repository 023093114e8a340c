"""The client side of run folders: created, and removed if their owner was killed.

A folder's name has its owner's id, and the owner holds a lock that the kernel releases when it
dies, so folders of live processes are never removed.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

from kb.disk import left_behind, scratch_of, scratch_prefix
from kb.evidence.sandbox import folder

_PREFIX = "danesh-run-"


@contextlib.contextmanager
def scratch_folder() -> Iterator[str]:
    """Create a folder for a run and remove it; first remove those of killed owners."""
    sweep()
    path = tempfile.mkdtemp(prefix=scratch_prefix(_PREFIX))
    held = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        with contextlib.suppress(OSError):  # a file system without locks: the name must do
            fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield path
    finally:
        os.close(held)
        with contextlib.suppress(OSError):  # its supervisor has removed it already, most often
            folder.remove(path)


def sweep() -> None:
    """Remove the folders of this user's dead processes."""
    for path in left_behind(tempfile.gettempdir(), scratch_of(_PREFIX)):
        with contextlib.suppress(OSError):  # another process sweeps it, or it is no folder
            if _is_free(path):
                folder.remove(str(path))


def _is_free(path: Path) -> bool:
    held = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    finally:
        os.close(held)
    return True

"""The owner's side of the folders that programs write in: made, and swept after a killed owner.

A folder's name tells who made it, and its owner holds a lock on it, which the kernel takes
away at its death: nothing of a process that lives is swept, wherever it runs.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import tempfile
from collections.abc import Iterator
from pathlib import Path

from kb.disk import is_alive, scratch_of
from kb.evidence.sandbox import folder

_PREFIX = "danesh-run-"


@contextlib.contextmanager
def scratch_folder() -> Iterator[str]:
    """Make a folder for a run, after sweeping those of killed owners; remove what is left of it."""
    sweep()
    path = tempfile.mkdtemp(prefix=f"{_PREFIX}{os.getpid()}-")
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
    """Remove the folders of this user's processes that are no more."""
    for path in _left():
        with contextlib.suppress(OSError):  # another process sweeps it, or it is not ours
            folder.remove(str(path))


def _left() -> Iterator[Path]:
    for path in Path(tempfile.gettempdir()).glob(f"{_PREFIX}*-*"):
        named = scratch_of(_PREFIX).fullmatch(path.name)
        with contextlib.suppress(OSError):
            own = path.lstat().st_uid == os.getuid() and path.is_dir() and not path.is_symlink()
            if own and named and not is_alive(int(named["pid"])) and _is_free(path):
                yield path


def _is_free(path: Path) -> bool:
    held = os.open(path, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW)
    try:
        fcntl.flock(held, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    finally:
        os.close(held)
    return True

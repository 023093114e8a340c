"""Making what was written last: in its file, and under its name."""

from __future__ import annotations

import errno
import os

_PRIVATE = 0o600
_UNKNOWN = (errno.EINVAL, errno.ENOTSUP, errno.ENOSYS)


def make_private(path: str | os.PathLike[str]) -> None:
    """Make an empty file that its owner alone may read. Raises `FileExistsError`.

    A link of that name is not followed.
    """
    flags = os.O_CREAT | os.O_EXCL | os.O_WRONLY | getattr(os, "O_NOFOLLOW", 0)
    os.close(os.open(path, flags, _PRIVATE))


def sync_file(path: str | os.PathLike[str]) -> None:
    """Wait until a file is on its disk."""
    opened = os.open(path, os.O_RDWR)
    try:
        _sync(opened)
    finally:
        os.close(opened)


def sync_folder(path: str | os.PathLike[str]) -> None:
    """Wait until the names in a folder are on its disk, on systems that can say so."""
    if os.name == "nt":  # a folder cannot be opened there
        return
    opened = os.open(path, os.O_RDONLY)
    try:
        try:
            _sync(opened)
        except OSError as error:  # some network file systems know no such thing for folders
            if error.errno not in _UNKNOWN:
                raise
    finally:
        os.close(opened)


def _sync(opened: int) -> None:
    """Sync an open file; where fsync stops short of the disk (macOS, fcntl(2)), all the way."""
    try:
        import fcntl

        fcntl.fcntl(opened, fcntl.F_FULLFSYNC)  # type: ignore[attr-defined,unused-ignore]
    except (ImportError, AttributeError, OSError):
        os.fsync(opened)

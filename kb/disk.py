"""Durable files: synced contents and names."""

from __future__ import annotations

import errno
import os
import re
import shutil
import stat
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from pathlib import Path

from kb.errors import KbError
from kb.foreign import read_bytes

_PRIVATE = 0o600
_UNKNOWN = (errno.EINVAL, errno.ENOTSUP, errno.ENOSYS)


def make_private(path: str | os.PathLike[str]) -> None:
    """Create an empty file that only its owner may read. Raises `FileExistsError`.

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
    """Wait until the names in a folder are on its disk, if the system supports that."""
    if os.name == "nt":  # a folder cannot be opened there
        return
    opened = os.open(path, os.O_RDONLY)
    try:
        _sync(opened)
    except OSError as error:  # some network file systems know no such thing for folders
        if error.errno not in _UNKNOWN:
            raise
    finally:
        os.close(opened)


def _sync(opened: int) -> None:
    """Sync an open file; on macOS, where fsync does not reach the disk, use fcntl(2)."""
    try:
        import fcntl

        fcntl.fcntl(opened, fcntl.F_FULLFSYNC)  # type: ignore[attr-defined,unused-ignore]
    except (ImportError, AttributeError, OSError):
        os.fsync(opened)


# Drafts in folders that no later start would look at: remembered beside the database.
#
# While something is made elsewhere a file ``NAME.in-PID-THREAD`` beside the database names the
# folder. Where that process is killed, the next start finds it, and sweeps there.


SCRATCH = ".danesh-"
"""The prefix of temporary folders in which exports are written, beside the target."""


@contextmanager
def making_in(folder: Path, database: str | None) -> Iterator[None]:
    """Record beside a database that something is being written in a folder.

    If that cannot be recorded, work continues: the next write to that folder removes what is
    left.
    """
    said = os.fsencode(folder.absolute())
    with nullcontext() if database is None else noted(database, "in", said):
        yield


@contextmanager
def noted(path: str, kind: str, said: bytes) -> Iterator[None]:
    """Keep a file ``PATH.KIND-PID-THREAD`` beside a database meanwhile, if that is possible."""
    note = Path(f"{path}.{kind}-{os.getpid()}-{threading.get_ident()}")
    with suppress(OSError):
        note.write_bytes(said)
    try:
        yield
    finally:
        with suppress(OSError):
            note.unlink()


def sweep_named_folders(database: str, patterns: Sequence[re.Pattern[str]]) -> None:
    """Remove what killed processes left in the folders that they recorded."""
    place = Path(database).absolute()
    notes = re.compile(rf"{re.escape(place.name)}\.in-(?P<pid>\d+)-\d+")
    for note in left_behind(place.parent, notes):
        with suppress(OSError, KbError):
            if not note.is_symlink():
                folder = os.fsdecode(read_bytes(note, 1 << 16))
                for pattern in patterns:
                    sweep(folder, pattern)
            note.unlink()


# What a killed process leaves behind: files and folders whose names carry its number.
#
# Whoever makes something for a while gives it a name with ``os.getpid()`` in it; `sweep` then
# knows whose it was, and removes it once nobody can need it any more.


_LONGEST_WORK = 24 * 3600.0
"""Seconds after which a temporary folder is abandoned even if its process id is in use again."""


def scratch_prefix(name: str) -> str:
    """Return the prefix of a temporary name, which includes this process's id."""
    return f"{name}{os.getpid()}-"


def scratch_of(name: str) -> re.Pattern[str]:
    """Return a pattern for all names that `scratch_prefix` of this name makes.

    >>> bool(scratch_of("danesh-").fullmatch(scratch_prefix("danesh-") + "x1"))
    True
    """
    return re.compile(rf"{re.escape(name)}(?P<pid>\d+)-\w+")


def sweep(folder: str | os.PathLike[str], pattern: re.Pattern[str]) -> None:
    """Remove what dead processes left in a folder.

    ``pattern`` must match whole names, and its group ``pid`` is the id of the process. Only the
    reader's own files are removed, and links are not followed.
    """
    for path in left_behind(folder, pattern):
        with suppress(OSError):
            if stat.S_ISDIR(path.lstat().st_mode):
                shutil.rmtree(path)
            else:
                path.unlink()


def left_behind(folder: str | os.PathLike[str], pattern: re.Pattern[str]) -> Iterator[Path]:
    """Yield what `sweep` would remove."""
    try:
        names = os.listdir(folder)
    except OSError:
        return
    for name in names:
        met = pattern.fullmatch(name)
        if met is not None and _abandoned(Path(folder) / name, int(met["pid"])):
            yield Path(folder) / name


def is_alive(pid: int) -> bool:
    """Return whether a process with this id may be running.

    >>> is_alive(os.getpid()), is_alive(0)
    (True, False)
    """
    if not 0 < pid < 1 << 31:
        return False
    if os.name == "nt":  # a signal would end it there, so age alone decides
        return True
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True


def _abandoned(path: Path, pid: int) -> bool:
    try:
        known = path.lstat()
    except OSError:
        return False
    if hasattr(os, "getuid") and known.st_uid != os.getuid():
        return False
    return not is_alive(pid) or time.time() - known.st_mtime > _LONGEST_WORK


# Which processes hold locks on a file, as Linux tells.


_LOCKS = "/proc/locks"


def lock_holders(path: str, byte: int, *, writing: bool = False) -> list[int] | None:
    """Return the processes that hold a lock on a byte of a file, or nothing if that is unknown.

    Opening the file to ask the kernel would drop this process's own locks (fcntl(2)).
    """
    try:
        status = os.stat(path)
        with open(_LOCKS, encoding="ascii") as file:
            lines = [line.split() for line in file]
    except FileNotFoundError:
        return [] if os.path.exists(_LOCKS) else None
    except OSError:
        return None
    device = f"{os.major(status.st_dev):02x}:{os.minor(status.st_dev):02x}:{status.st_ino}"
    found = []
    for fields in lines:
        # 1: POSIX ADVISORY WRITE pid device:inode start end; a waiting one has '->' second.
        if len(fields) == 8 and fields[5] == device and (not writing or fields[3] == "WRITE"):
            start, end = int(fields[6]), fields[7]
            if start <= byte and (end == "EOF" or byte <= int(end)):
                found.append(int(fields[4]))
    return found

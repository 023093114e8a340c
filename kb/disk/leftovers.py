"""What a killed process leaves behind: files and folders whose names carry its number.

Whoever makes something for a while gives it a name with ``os.getpid()`` in it; `sweep` then
knows whose it was, and removes it once nobody can need it any more.
"""

from __future__ import annotations

import os
import re
import shutil
import stat
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

_LONGEST_WORK = 24 * 3600.0
"""Seconds after which no process needs its scratch any more, should its number be another's."""


def scratch_prefix(name: str) -> str:
    """Return how the name of something begins that is to be swept: with this process's number."""
    return f"{name}{os.getpid()}-"


def scratch_of(name: str) -> re.Pattern[str]:
    """Return how all is called that `scratch_prefix` of this name begins.

    >>> bool(scratch_of("danesh-").fullmatch(scratch_prefix("danesh-") + "x1"))
    True
    """
    return re.compile(rf"{re.escape(name)}(?P<pid>\d+)-\w+")


def sweep(folder: str | os.PathLike[str], pattern: re.Pattern[str]) -> list[Path]:
    """Remove what dead processes have left in a folder; return what was removed.

    ``pattern`` is met by whole names, and its group ``pid`` is the number of the process that
    made them. Only what belongs to the reader is touched, and links are not followed.
    """
    removed = []
    for path in left_behind(folder, pattern):
        with suppress(OSError):
            _remove(path)
            removed.append(path)
    return removed


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
    """Say whether a process of this number may be running.

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


def _remove(path: Path) -> None:
    if stat.S_ISDIR(path.lstat().st_mode):
        shutil.rmtree(path)
    else:
        path.unlink()

"""Which processes hold locks on a file, as Linux tells."""

from __future__ import annotations

import os

_LOCKS = "/proc/locks"


def lock_holders(path: str, byte: int, *, writing: bool = False) -> list[int] | None:
    """Return the processes that hold a lock on a byte of a file, or nothing where none can know.

    To ask the kernel by opening the file would drop the locks of this process on it (fcntl(2)).
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

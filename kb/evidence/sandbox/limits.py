"""The resource limits of a program: memory, time, sizes, and no inherited descriptors."""

from __future__ import annotations

import os

LARGEST_FILE = 16 << 20
LARGEST_FOLDER = 64 << 20
MOST_ENTRIES = 1000
MOST_THREADS = 256
_MOST_OPEN = 64
_HIGHEST_DESCRIPTOR = 1 << 16


def limit(memory: int, seconds: int) -> None:
    """Set kernel limits, which a process can only lower: setrlimit(2).

    ``memory`` is bytes of address space, ``seconds`` is processor time. The number of processes
    is not limited: the kernel would count all processes of the user, and none of root. One second
    after the limit the kernel kills a process that ignores its signal.
    """
    import resource  # only here: where there is none, the rest can still be asked for

    for kind, soft, hard in (
        (resource.RLIMIT_AS, memory, memory),
        (resource.RLIMIT_CPU, seconds, seconds + 1),
        (resource.RLIMIT_FSIZE, LARGEST_FILE, LARGEST_FILE),
        (resource.RLIMIT_NOFILE, _MOST_OPEN, _MOST_OPEN),
        (resource.RLIMIT_CORE, 0, 0),
    ):
        resource.setrlimit(kind, (soft, hard))


def close_all_but(kept: int) -> None:
    """Close every descriptor except the three standard ones and one more."""
    os.closerange(3, kept)
    os.closerange(kept + 1, _HIGHEST_DESCRIPTOR)

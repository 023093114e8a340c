"""What a program may take of the machine: memory, time, sizes, and nothing that is open."""

from __future__ import annotations

import os

LARGEST_FILE = 16 << 20
LARGEST_FOLDER = 64 << 20
MOST_ENTRIES = 1000
MOST_THREADS = 256
_MOST_OPEN = 64
_HIGHEST_DESCRIPTOR = 1 << 16


def limit(memory: int, seconds: int) -> None:
    """Set the kernel's limits, which a process can only lower: setrlimit(2).

    ``memory`` is in bytes of address space, ``seconds`` are of processor time.
    The number of processes is not limited: the kernel counts all of the user's, and none of
    root's. A second above the time allowed the kernel kills what does not heed its signal.
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
    """Close every descriptor but the three standard ones and one more."""
    os.closerange(3, kept)
    os.closerange(kept + 1, _HIGHEST_DESCRIPTOR)

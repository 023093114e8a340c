"""The command line in a process whose memory is measured, with or without what protects it."""

from __future__ import annotations

import os
import resource
import stat
import sys
from pathlib import Path

_ROOM = 1 << 30  # bytes of address space where nothing else protects


def _unprotect() -> None:
    """Take away the limits, and what asks for the kind of a file and where it lies."""
    from kb import foreign, limits
    from kb.content import annotations
    from kb.service.importing import materials

    for name in vars(limits):
        if name.isupper():
            setattr(limits, name, 1 << 60)
    limits.RECORD = (1 << 31) - 2  # as many bytes as one line may be asked for
    foreign._check_kind = lambda file, found: None
    foreign._FLAGS = os.O_RDONLY
    foreign.leads_out = materials.leads_out = lambda place, folder: False
    foreign._lies_within = lambda found, file, folder: True
    annotations.is_below = lambda name: True
    materials.stat = _AnyKind()


class _AnyKind:
    """Takes whatever is no folder for a regular file."""

    S_ISDIR = staticmethod(stat.S_ISDIR)

    @staticmethod
    def S_ISREG(mode: int) -> bool:  # noqa: N802
        return not stat.S_ISDIR(mode)


def main() -> None:
    """Run the command, and tell the most memory that it had, in MiB, in the last line."""
    how = sys.argv.pop(1)
    if how == "unprotected":
        resource.setrlimit(resource.RLIMIT_AS, (_ROOM, _ROOM))
        _unprotect()
    from kb.cli import main as run

    try:
        run()
    finally:
        sys.stdout.flush()
        print(f"peak {_peak()}", file=sys.stderr)


def _peak() -> int:
    """Return the most memory of this program; what its parent had before it does not count."""
    for line in Path("/proc/self/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) // 1024
    return 0


if __name__ == "__main__":
    main()

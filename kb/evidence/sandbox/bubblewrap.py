"""bubblewrap: a file system that holds only what Python needs, and no network or process beside.

What bwrap(1) is asked for: own mounts, network, processes, IPC; no capabilities; and, as the
only place to write, a file system in memory of a size that cannot be exceeded.
"""

from __future__ import annotations

import os
import shutil
from pathlib import Path

from kb.evidence.sandbox.limits import LARGEST_FOLDER
from kb.evidence.sandbox.places import DEVICES, RANDOM, readable, starting

SCRATCH = "/scratch"
_CODE = Path(__file__).parents[2]


def program() -> str | None:
    """Return where bwrap lies, if it is there."""
    return shutil.which("bwrap", path=os.defpath + ":/usr/local/bin")


def command(bwrap: str) -> list[str]:
    """Return the command that another one is put behind."""
    mounts = [
        part
        for path in (*readable(), *starting(), str(_CODE))
        for part in ("--ro-bind-try", path, path)
    ]
    devices = [part for path in (*DEVICES, *RANDOM) for part in ("--dev-bind-try", path, path)]
    scratch = ["--size", str(LARGEST_FOLDER), "--perms", "0700", "--tmpfs", SCRATCH]
    return [
        bwrap, "--unshare-all", "--cap-drop", "ALL", *mounts, *devices, "--proc", "/proc",
        *scratch, "--remount-ro", "/", "--chdir", "/",
    ]  # fmt: skip

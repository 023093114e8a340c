"""bubblewrap: a file system with only what Python needs, without network and other processes.

bwrap(1) provides separate mounts, network, processes and IPC, no capabilities, and an in-memory
file system of fixed size as the only writable place.
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
    """Return the path of bwrap, if it is installed."""
    return shutil.which("bwrap", path=os.defpath + ":/usr/local/bin")


def command(bwrap: str) -> list[str]:
    """Return the bwrap command to prepend to another command."""
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

"""The sandbox level of this machine: found by trying, once in a process.

*strong*: Landlock, seccomp and bubblewrap; *good*: Landlock and seccomp; *limits-only*: only
limits on memory and time, and a separate process, session and environment.
"""

from __future__ import annotations

import functools
import os
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from kb.evidence.sandbox import canary, places
from kb.evidence.sandbox.folder import LARGEST_FOLDER

SCRATCH = "/scratch"
"""The folder of a run within bubblewrap."""

_CODE = Path(__file__).parents[2]


SHUT_IN = ("fs", "net", "memory", "cpu", "processes")
# Other systems than Linux take a limit on memory and do not keep it.
LIMITED = ("memory", "cpu") if sys.platform == "linux" else ("cpu",)
"""What is isolated with layers, and without any."""

LEVELS: dict[str, tuple[str, ...]] = {
    "strong": ("landlock", "seccomp", "bubblewrap"),
    "good": ("landlock", "seccomp"),
    "limits-only": (),
}
"""The layers of each level, from strongest to weakest."""


class Reached(NamedTuple):
    """The level of this machine, and why each higher level is not available."""

    level: str
    missing: tuple[str, ...] = ()


Attempt = Callable[[str, str], str]
"""Runs code at a level; returns what failed, or nothing."""


@functools.cache
def reached(attempt: Attempt) -> Reached:
    """Return the level of this machine by trying, or as it was found before.

    If that level no longer works, runs fail and the cache is cleared, so no run is weaker than
    its level says.
    """
    missing: list[str] = []
    for name in ("strong", "good"):
        wrong = _cannot(name) or attempt(name, canary.code(LEVELS[name]))
        if not wrong:
            return Reached(name, tuple(missing))
        missing.append(f"not {name}: {wrong}")
    return Reached("limits-only", tuple(missing))


def _cannot(name: str) -> str:
    """Return why a level is obviously impossible here, or nothing; without a trial."""
    if sys.platform != "linux":
        return "Landlock and seccomp are in Linux alone"
    if "bubblewrap" in LEVELS[name] and bubblewrap() is None:
        return "bubblewrap is not installed"
    return ""


def bubblewrap() -> str | None:
    """Return the path of bwrap, if it is installed."""
    return shutil.which("bwrap", path=os.defpath + ":/usr/local/bin")


def within_bubblewrap(bwrap: str) -> list[str]:
    """Return the bwrap(1) command to prepend to another command.

    It provides separate mounts, with only what Python needs, and no network, other processes or
    capabilities. An in-memory file system of fixed size is the only writable place.
    """
    readable = (*places.readable(), *places.starting(), str(_CODE))
    devices = (*places.DEVICES, *places.RANDOM)
    mounts = [
        part
        for option, paths in (("--ro-bind-try", readable), ("--dev-bind-try", devices))
        for path in paths
        for part in (option, path, path)
    ]
    return [
        bwrap, "--unshare-all", "--cap-drop", "ALL", *mounts, "--proc", "/proc", "--size",
        str(LARGEST_FOLDER), "--perms", "0700", "--tmpfs", SCRATCH, "--remount-ro", "/",
        "--chdir", "/",
    ]  # fmt: skip

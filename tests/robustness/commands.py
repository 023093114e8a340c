"""The real command line in a process of its own, with a home of its own, and strace beside it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).parents[2]
DATABASE = "kb.db"
LONGEST = 1800.0
"""Seconds after which a command is ended, so that it blocks nothing; 100 times what it takes."""


class Done(NamedTuple):
    """History of a command: its exit code (below zero: killed by that signal) and its words."""

    code: int
    out: str
    err: str


def command(arguments: Sequence[str], spoil: str = "") -> list[str]:
    """Return the command line; ``spoil`` names the protection that a control takes away."""
    program = ["-m", "tests.robustness.spoiled", spoil] if spoil else ["-m", "kb"]
    return [sys.executable, *program, "--db", DATABASE, *arguments]


def start(
    place: Path, arguments: Sequence[str], *, tracer: Sequence[str] = (), spoil: str = ""
) -> subprocess.Popen[str]:
    """Start a command in a place, which is its folder, its home and where its temporary files go.

    Bytecode is read, never written, so that a command does the same each time.
    """
    for name in ("home", "tmp"):
        (place / name).mkdir(exist_ok=True)
    return subprocess.Popen(
        [*tracer, *command(arguments, spoil)],
        cwd=place,
        env=surroundings(place),
        stdin=subprocess.DEVNULL,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        encoding="utf-8",
        errors="replace",
    )


def run(
    place: Path, arguments: Sequence[str], *, tracer: Sequence[str] = (), spoil: str = ""
) -> Done:
    """Run a command to its end. Raises `TimeoutExpired` where it hangs."""
    process = start(place, arguments, tracer=tracer, spoil=spoil)
    try:
        out, err = process.communicate(timeout=LONGEST)
    except subprocess.TimeoutExpired:
        process.kill()
        process.communicate()
        raise
    return Done(process.returncode, out, err)


def surroundings(place: Path) -> dict[str, str]:
    """Return the environment of a command in a place: nothing of this machine's user."""
    home = place / "home"
    return {
        "HOME": str(home),
        "XDG_DATA_HOME": str(home / "data"),
        "XDG_CONFIG_HOME": str(home / "config"),
        "XDG_STATE_HOME": str(home / "state"),
        "XDG_CACHE_HOME": str(home / "cache"),
        "TMPDIR": str(place / "tmp"),
        "PATH": os.environ["PATH"],
        "LC_ALL": "C.UTF-8",
        "PYTHONPATH": str(ROOT),
        "PYTHONSAFEPATH": "1",  # Python itself is to look for nothing in the place
        "PYTHONHASHSEED": "0",
        "PYTHONDONTWRITEBYTECODE": "1",
    }

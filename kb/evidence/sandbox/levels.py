"""The sandbox level of this machine: found by trying, and cached until it may change.

*strong*: Landlock, seccomp and bubblewrap; *good*: Landlock and seccomp; *limits-only*: only
limits on memory and time, and a separate process, session and environment.
"""

from __future__ import annotations

import contextlib
import functools
import json
import os
import platform
import sys
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from kb.evidence.sandbox import bubblewrap, canary
from kb.version import __version__

_EVERY_ABI = 1 << 10


class Level(NamedTuple):
    """A level: its layers, and what its canary must find beyond the common attempts.

    ``abi`` is the highest Landlock version used.
    """

    layers: tuple[str, ...]
    shuts: tuple[str, ...]
    needed: tuple[str, ...] = ()
    abi: int = _EVERY_ABI


_ALL = ("fs", "net", "memory", "cpu", "processes")
# Other systems than Linux take a limit on memory and do not keep it.
_LIMITED = ("memory", "cpu") if sys.platform == "linux" else ("cpu",)

LEVELS = {
    "strong": Level(("landlock", "seccomp", "bubblewrap"), _ALL, ("hidden",)),
    "good": Level(("landlock", "seccomp"), _ALL),
    "limits-only": Level((), _LIMITED),
}
"""From strongest to weakest."""


class Reached(NamedTuple):
    """The level of this machine, and why each higher level is not available."""

    level: str
    missing: tuple[str, ...] = ()


Attempt = Callable[[str, str], str]
"""Runs code at a level; returns what failed, or nothing."""


def reached(attempt: Attempt, renew: bool = False) -> Reached:
    """Return the level of this machine, from the cache or by trying.

    It is cached in the user's cache folder. If a cached level no longer works, runs fail and
    `forget` it, so no run is weaker than its level says.
    """
    known = None if renew else _kept()
    return known or _find_out(attempt)


def forget() -> None:
    """Find the level again at the next request."""
    _kept.cache_clear()
    with contextlib.suppress(OSError):
        _file().unlink()


def _find_out(attempt: Attempt) -> Reached:
    missing: list[str] = []
    found = Reached("limits-only", ())
    for name, level in LEVELS.items():
        wrong = _cannot(name) or (attempt(name, canary.code(level.needed)) if level.layers else "")
        if not wrong:
            found = Reached(name, tuple(missing))
            break
        missing.append(f"not {name}: {wrong}")
    _keep(found)
    return found


def _cannot(name: str) -> str:
    """Return why a level is obviously impossible here, or nothing; without a trial."""
    layers = LEVELS[name].layers
    if layers and sys.platform != "linux":
        return "Landlock and seccomp are in Linux alone"
    if "bubblewrap" in layers and bubblewrap.program() is None:
        return "bubblewrap is not installed"
    return ""


@functools.cache
def _kept() -> Reached | None:
    try:
        kept = json.loads(_file().read_text(encoding="utf-8"))
        if kept["of"] == _surroundings() and kept["level"] in LEVELS:
            return Reached(kept["level"], tuple(map(str, kept["missing"])))
    except (OSError, ValueError, KeyError, TypeError):
        return None
    return None


def _keep(found: Reached) -> None:
    """Cache the result; if it cannot be written, each start finds it again."""
    _kept.cache_clear()
    kept = {"of": _surroundings(), "level": found.level, "missing": found.missing}
    with contextlib.suppress(OSError):
        file = _file()
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(json.dumps(kept), encoding="utf-8")


def _surroundings() -> list[str]:
    """Return the facts that a level depends on: boot, kernel, Python, user, bwrap, danesh."""
    boot = ""
    with contextlib.suppress(OSError):
        boot = Path("/proc/sys/kernel/random/boot_id").read_text(encoding="ascii").strip()
    bwrap = bubblewrap.program() or ""
    changed = os.stat(bwrap).st_mtime_ns if bwrap else 0
    user = str(os.getuid()) if hasattr(os, "getuid") else ""
    places = [os.path.realpath(sys.executable), sys.prefix, str(Path(__file__))]
    return [boot, platform.release(), sys.version, user, bwrap, str(changed), __version__, *places]


def _file() -> Path:
    import platformdirs

    return Path(platformdirs.user_cache_dir("kb", appauthor=False)) / "sandbox.json"

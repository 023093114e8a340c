"""Where Python and its libraries lie on this machine: all that a program may read."""

from __future__ import annotations

import os
import sys
import sysconfig
from collections.abc import Iterable

_SYSTEM = (
    "/lib", "/lib64", "/usr/lib", "/usr/lib64", "/usr/local/lib", "/etc/ld.so.cache",
    "/etc/localtime", "/usr/share/zoneinfo", "/usr/share/locale",
)  # fmt: skip
"""Shared libraries, time zones, locales."""

DEVICES = ("/dev/null", "/dev/zero")
RANDOM = ("/dev/urandom", "/dev/random")
_LIBRARIES = ("stdlib", "platstdlib", "purelib", "platlib")
_BESIDE = (".libs",)
"""What wheels put their own shared libraries into, beside the package."""


def readable() -> tuple[str, ...]:
    """Return the folders and files that Python needs, each once, shorter paths first."""
    paths = [sysconfig.get_path(name) for name in _LIBRARIES]
    paths += [os.path.join(sys.base_prefix, "lib"), *_packages("numpy"), *_SYSTEM]
    return _distinct(path for path in paths if path and os.path.exists(path))


def starting() -> tuple[str, ...]:
    """Return what else it takes to start this interpreter: its program and its ``pyvenv.cfg``."""
    folders = {os.path.dirname(sys.executable), os.path.dirname(os.path.realpath(sys.executable))}
    settings = os.path.join(sys.prefix, "pyvenv.cfg")
    return _distinct(path for path in (*folders, settings) if os.path.exists(path))


def _packages(name: str) -> list[str]:
    """Return where a package really lies: an installer may have linked it in from elsewhere."""
    found = []
    for folder in (sysconfig.get_path("purelib"), sysconfig.get_path("platlib")):
        package = os.path.join(folder, name)
        found += [os.path.realpath(package + ending) for ending in ("", *_BESIDE)]
    return found


def _distinct(paths: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(set(paths), key=lambda path: (len(path), path)))

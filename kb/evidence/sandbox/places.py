"""The paths of Python and its libraries: all that a program may read."""

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
"""Folders beside a package in which wheels put their shared libraries."""


def readable() -> tuple[str, ...]:
    """Return the folders and files that Python needs."""
    paths = [sysconfig.get_path(name) for name in _LIBRARIES]
    paths += [os.path.join(sys.base_prefix, "lib"), *_packages("numpy"), *_SYSTEM]
    return _existing(filter(None, paths))


def starting() -> tuple[str, ...]:
    """Return the other files that this interpreter needs to start: itself and ``pyvenv.cfg``."""
    folders = {os.path.dirname(sys.executable), os.path.dirname(os.path.realpath(sys.executable))}
    settings = os.path.join(sys.prefix, "pyvenv.cfg")
    return _existing((*folders, settings))


def _packages(name: str) -> list[str]:
    """Return the real path of a package: an installer may have linked it."""
    found = []
    for folder in (sysconfig.get_path("purelib"), sysconfig.get_path("platlib")):
        package = os.path.join(folder, name)
        found += [os.path.realpath(package + ending) for ending in ("", *_BESIDE)]
    return found


def _existing(paths: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(filter(os.path.exists, paths)))

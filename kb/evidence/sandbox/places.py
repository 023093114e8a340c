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
_NUMPY = ("numpy", "numpy.libs")
"""Numpy, and the folder in which its wheel puts shared libraries."""


def readable() -> tuple[str, ...]:
    """Return the folders and files that Python needs."""
    paths = [sysconfig.get_path(name) for name in _LIBRARIES]
    packages = (os.path.join(path, name) for path in paths[2:] for name in _NUMPY)
    real = map(os.path.realpath, packages)  # an installer may have linked them
    return _existing((*paths, os.path.join(sys.base_prefix, "lib"), *real, *_SYSTEM))


def starting() -> tuple[str, ...]:
    """Return the other files that this interpreter needs to start: itself and ``pyvenv.cfg``."""
    folders = {os.path.dirname(sys.executable), os.path.dirname(os.path.realpath(sys.executable))}
    settings = os.path.join(sys.prefix, "pyvenv.cfg")
    return _existing((*folders, settings))


def _existing(paths: Iterable[str]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(filter(os.path.exists, paths)))

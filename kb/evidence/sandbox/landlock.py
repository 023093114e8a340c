"""Landlock: restricts the files, ports and processes that a process can reach.

Follows landlock(7): everything a ruleset handles is denied unless a rule allows it. Each kernel
ABI adds rights; all known ones are handled.
"""

from __future__ import annotations

import ctypes
import errno
import os
import stat
import struct
from collections.abc import Iterable

from kb.evidence.sandbox.kernel import syscall

_CREATE_RULESET, _ADD_RULE, _RESTRICT_SELF = 444, 445, 446
_ASK_VERSION = 1
_PATH_BENEATH = 1

_WRITE_FILE, _READ_FILE, _READ_DIR = 1 << 1, 1 << 2, 1 << 3
_REMOVE_DIR, _REMOVE_FILE = 1 << 4, 1 << 5
_MAKE_DIR, _MAKE_REG = 1 << 7, 1 << 8
_TRUNCATE = 1 << 14

_RIGHTS = {1: 13, 2: 14, 3: 15, 5: 16}
"""The number of file rights by minimum ABI (the lowest bits)."""
_PORTS = (4, 0b11)
_SCOPES = (6, 0b11)
"""The minimum ABI for denying TCP ports, and abstract sockets and signals."""

_READING = _READ_FILE | _READ_DIR
_USING = _READING | _WRITE_FILE | _TRUNCATE
_KEEPING = _USING | _REMOVE_DIR | _REMOVE_FILE | _MAKE_DIR | _MAKE_REG
_OF_FILES = _WRITE_FILE | _READ_FILE | _TRUNCATE


def abi() -> int:
    """Return the Landlock version of the kernel; raise `OSError` if there is none."""
    return syscall(_CREATE_RULESET, None, ctypes.c_size_t(0), _ASK_VERSION)


def restrict(readable: Iterable[str], usable: Iterable[str], own: str) -> None:
    """Restrict this process to reading some files, using some devices, and writing to one folder.

    Missing paths are left out. Files that are already open stay open. The process must have given
    up gaining privileges. Raises `OSError`.
    """
    version = abi()
    if version < 1:
        raise OSError(errno.ENOSYS, "no version of it can be used")
    known = (1 << max(bits for since, bits in _RIGHTS.items() if since <= version)) - 1
    ruleset = _ruleset(version, known)
    try:
        for path in readable:
            _allow(ruleset, path, _READING & known)
        for path in usable:
            _allow(ruleset, path, _USING & known)
        _allow(ruleset, own, _KEEPING & known)
        syscall(_RESTRICT_SELF, ruleset, 0)
    finally:
        os.close(ruleset)


def _ruleset(version: int, rights: int) -> int:
    fields = [rights]
    for since, denied in (_PORTS, _SCOPES):
        if version >= since:
            fields.append(denied)
    attributes = struct.pack(f"={len(fields)}Q", *fields)
    return syscall(_CREATE_RULESET, attributes, ctypes.c_size_t(len(attributes)), 0)


def _allow(ruleset: int, path: str, rights: int) -> None:
    try:
        place = os.open(path, os.O_PATH | os.O_CLOEXEC)
    except (FileNotFoundError, NotADirectoryError):
        return
    try:
        if not stat.S_ISDIR(os.fstat(place).st_mode):
            rights &= _OF_FILES
        syscall(_ADD_RULE, ruleset, _PATH_BENEATH, struct.pack("=Qi", rights, place), 0)
    finally:
        os.close(place)

"""Linux system calls that Python does not provide. Raises `OSError`."""

from __future__ import annotations

import ctypes
import os
import sys
from typing import Any

LINUX = sys.platform == "linux"

_SET_PDEATHSIG = 1
_SET_DUMPABLE = 4
_CAPBSET_DROP = 24
_SET_CHILD_SUBREAPER = 36
_SET_NO_NEW_PRIVS = 38
_CAP_AMBIENT = 47
_CAP_AMBIENT_CLEAR_ALL = 4
_CAPABILITIES = 64
_CAPABILITY_VERSION_3 = 0x20080522


def prctl(option: int, *arguments: int) -> None:
    """Set an option of this process, by the numbers of ``linux/prctl.h``."""
    filled = [*arguments, 0, 0, 0, 0][:4]
    _checked(_libc().prctl(option, *(ctypes.c_ulong(each) for each in filled)))


def syscall(number: int, *arguments: Any) -> int:
    """Make the system call with this number."""
    return _checked(_libc().syscall(ctypes.c_long(number), *arguments))


def die_with_parent(parent: int, number: int) -> None:
    """Get a signal when the parent thread ends, or at once if it has ended."""
    if LINUX:
        prctl(_SET_PDEATHSIG, number)
        if os.getppid() != parent:
            os.kill(os.getpid(), number)


def adopt_orphans() -> None:
    """Adopt processes that this process's children leave running."""
    if LINUX:
        prctl(_SET_CHILD_SUBREAPER, 1)


def hide(hidden: bool) -> None:
    """Keep other processes of the user from reading this one's memory and files, or allow it again.

    See proc(5).
    """
    if LINUX:
        prctl(_SET_DUMPABLE, int(not hidden))


def give_up_privileges() -> None:
    """Drop all capabilities and the ability to gain any: capabilities(7).

    The bounding set is emptied as far as possible; what remains has no effect on a process that
    gains no privileges and starts no program.
    """
    if not LINUX:
        return
    prctl(_SET_NO_NEW_PRIVS, 1)
    prctl(_CAP_AMBIENT, _CAP_AMBIENT_CLEAR_ALL)
    for capability in range(_CAPABILITIES):
        try:
            prctl(_CAPBSET_DROP, capability)
        except OSError:
            break
    header = (ctypes.c_uint32 * 2)(_CAPABILITY_VERSION_3, 0)
    _checked(_libc().capset(header, (ctypes.c_uint32 * 6)()))


def _libc() -> ctypes.CDLL:
    return ctypes.CDLL(None, use_errno=True)


def _checked(result: int) -> int:
    if result < 0:
        number = ctypes.get_errno()
        raise OSError(number, os.strerror(number))
    return result

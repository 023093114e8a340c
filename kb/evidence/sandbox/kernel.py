"""What is asked of the kernel of Linux that Python has no call for. Raises `OSError`."""

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
    """Ask for an option of this process: prctl(2)."""
    filled = [*arguments, 0, 0, 0, 0][:4]
    _checked(_libc().prctl(option, *(ctypes.c_ulong(each) for each in filled)))


def syscall(number: int, *arguments: Any) -> int:
    """Make a system call by its number: syscall(2)."""
    return _checked(_libc().syscall(ctypes.c_long(number), *arguments))


def die_with_parent(parent: int, number: int) -> None:
    """Get a signal when the thread that started this process ends, or at once where it has."""
    if LINUX:
        prctl(_SET_PDEATHSIG, number)
        if os.getppid() != parent:
            os.kill(os.getpid(), number)


def adopt_orphans() -> None:
    """Become the parent of what this process's children leave running."""
    if LINUX:
        prctl(_SET_CHILD_SUBREAPER, 1)


def hide() -> None:
    """Keep others of the same user from reading this process's memory and files: proc(5)."""
    if LINUX:
        prctl(_SET_DUMPABLE, 0)


def show() -> None:
    """Let others of the same user look again, as it is for a process that has hidden nothing."""
    if LINUX:
        prctl(_SET_DUMPABLE, 1)


def give_up_privileges() -> None:
    """Give up all capabilities, and for ever the gain of any: capabilities(7).

    The bounding set is emptied as far as this process may; what is left in it gives nothing
    to a process that gains no privileges and starts no program.
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

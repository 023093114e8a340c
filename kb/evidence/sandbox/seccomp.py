"""seccomp: a filter in the kernel that sees each system call before it is made.

Follows seccomp(2) and, for the words of a filter, ``linux/filter.h``. What is not allowed
fails with EPERM; calls younger than clone3 with ENOSYS, as on a kernel that has none of them,
so that libraries take the older way. Calls of another architecture, and those of x32, end the
process.
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct
import sys
from typing import NamedTuple

from kb.evidence.sandbox.kernel import prctl
from kb.evidence.sandbox.syscalls import ALLOWED, Has, Lacks, Null, OneOf, Test, conditional

_SET_SECCOMP, _MODE_FILTER = 22, 2
_LOAD, _EQUAL, _AT_LEAST, _AND, _RETURN = 0x20, 0x15, 0x35, 0x54, 0x06
_ALLOW, _KILL_PROCESS, _ERRNO = 0x7FFF0000, 0x80000000, 0x00050000
_NUMBER, _ARCHITECTURE, _ARGUMENTS = 0, 4, 16
_X32 = 0x40000000
_YOUNG = 424

Filter = list[bytes]


class Architecture(NamedTuple):
    """How the kernel calls an architecture (``linux/audit.h``), and its column in the tables."""

    audit: int
    column: int


ARCHITECTURES = {
    "x86_64": Architecture(0xC000003E, 0),
    "aarch64": Architecture(0xC00000B7, 1),
}


def refuse_system_calls() -> None:
    """Let this process make only the calls of `syscalls`, for good. Raises `OSError`.

    It must have no other threads, and have given up new privileges.
    """
    machine = os.uname().machine
    if machine not in ARCHITECTURES or sys.maxsize < 1 << 32:
        raise OSError(errno.ENOSYS, f"there is no table of system calls for {machine}")
    words = b"".join(filter_of(machine, os.getpid()))
    kept = ctypes.create_string_buffer(words, len(words))
    program = struct.pack("@HP", len(words) // 8, ctypes.addressof(kept))
    held = ctypes.create_string_buffer(program, len(program))
    prctl(_SET_SECCOMP, _MODE_FILTER, ctypes.addressof(held))


def filter_of(machine: str, pid: int) -> Filter:
    """Return the filter for a process of this id, as instructions of eight bytes."""
    audit, column = ARCHITECTURES[machine]
    return [
        _word(_LOAD, _ARCHITECTURE),
        _word(_EQUAL, audit, 1, 0),
        _word(_RETURN, _KILL_PROCESS),
        _word(_LOAD, _NUMBER),
        _word(_AT_LEAST, _X32, 0, 1),
        _word(_RETURN, _KILL_PROCESS),
        *_where_allowed(column),
        *_where_tested(column, pid),
        _word(_AT_LEAST, _YOUNG, 0, 1),
        _refusal(errno.ENOSYS),
        _refusal(errno.EPERM),
    ]


def _where_allowed(column: int) -> Filter:
    numbers = (numbers[column] for numbers in ALLOWED.values())
    return [
        word
        for number in numbers
        if number is not None
        for word in (_word(_EQUAL, number, 0, 1), _word(_RETURN, _ALLOW))
    ]


def _where_tested(column: int, pid: int) -> Filter:
    words: Filter = []
    for *numbers, tests in conditional(pid).values():
        number = numbers[column]
        if isinstance(number, int):
            body = [word for test in tests for word in _tested(test)]
            body.append(_word(_RETURN, _ALLOW))
            words += [_word(_EQUAL, number, 0, len(body)), *body]
    return words


def _tested(test: Test) -> Filter:
    """Return what goes on behind itself where the test holds, and refuses where it does not."""
    lower = _word(_LOAD, _ARGUMENTS + 8 * test.argument)
    refused = _refusal(errno.EPERM)
    match test:
        case OneOf(values=values):
            left = range(len(values), 0, -1)
            jumps = [_word(_EQUAL, value, n, 0) for value, n in zip(values, left, strict=True)]
            return [lower, *jumps, refused]
        case Has(bits=bits):
            return [lower, _word(_AND, bits), _word(_EQUAL, bits, 1, 0), refused]
        case Lacks(mask=mask, bits=bits):
            return [lower, _word(_AND, mask), _word(_EQUAL, bits, 0, 1), refused]
        case Null():
            upper = _word(_LOAD, _ARGUMENTS + 8 * test.argument + 4)
            zero = _word(_EQUAL, 0, 1, 0)
            return [lower, zero, refused, upper, zero, refused]


def _refusal(number: int) -> bytes:
    return _word(_RETURN, _ERRNO | number)


def _word(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("=HBBI", code, if_true, if_false, value)

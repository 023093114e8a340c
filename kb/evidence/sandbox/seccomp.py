"""seccomp: a kernel filter that checks each system call.

Follows seccomp(2) and, for filter instructions, ``linux/filter.h``. Forbidden calls fail with
EPERM. Calls newer than clone3 fail with ENOSYS, as on an older kernel, so libraries use the older
call. Calls of another architecture, and of x32, end the process. A program may make only the
calls that Python, numpy and threads need. Their numbers are those of x86-64
(``arch/x86/entry/syscalls/syscall_64.tbl``) and aarch64 (``include/uapi/asm-generic/unistd.h``);
`None` if an architecture has no such call.
"""

from __future__ import annotations

import ctypes
import errno
import os
import struct
import sys
from typing import NamedTuple

from kb.evidence.sandbox.kernel import prctl

_SET_SECCOMP, _MODE_FILTER = 22, 2
_LOAD, _EQUAL, _AT_LEAST, _AND, _RETURN = 0x20, 0x15, 0x35, 0x54, 0x06
_ALLOW, _KILL_PROCESS, _ERRNO = 0x7FFF0000, 0x80000000, 0x00050000
_NUMBER, _ARCHITECTURE, _ARGUMENTS = 0, 4, 16
_X32 = 0x40000000
_YOUNG = 424


class Test(NamedTuple):
    """The masked bits of the lower half of an argument, or of its upper half, are one of these."""

    argument: int
    values: tuple[int, ...]
    mask: int = (1 << 32) - 1
    upper: bool = False


ALLOWED: dict[str, tuple[int | None, int | None]] = {
    # memory
    "mmap": (9, 222), "mprotect": (10, 226), "munmap": (11, 215), "brk": (12, 214),
    "mremap": (25, 216), "msync": (26, 227), "madvise": (28, 233),
    # what is open
    "read": (0, 63), "write": (1, 64), "close": (3, 57), "fstat": (5, 80), "lseek": (8, 62),
    "pread64": (17, 67), "pwrite64": (18, 68), "readv": (19, 65), "writev": (20, 66),
    "preadv": (295, 69), "pwritev": (296, 70), "preadv2": (327, 286), "pwritev2": (328, 287),
    "dup": (32, 23), "dup2": (33, None), "dup3": (292, 24), "fsync": (74, 82),
    "fdatasync": (75, 83), "ftruncate": (77, 46), "fallocate": (285, 47),
    "fadvise64": (221, 223), "getdents": (78, None), "getdents64": (217, 61),
    "close_range": (436, 436), "pipe": (22, None), "pipe2": (293, 59), "eventfd2": (290, 19),
    "poll": (7, None), "ppoll": (271, 73), "select": (23, None), "pselect6": (270, 72),
    "epoll_create": (213, None), "epoll_create1": (291, 20), "epoll_ctl": (233, 21),
    "epoll_wait": (232, None), "epoll_pwait": (281, 22),
    "recvfrom": (45, 207), "shutdown": (48, 210),
    # files by name; which of them is Landlock's business
    "stat": (4, None), "lstat": (6, None), "newfstatat": (262, 79), "statx": (332, 291),
    "access": (21, None), "faccessat": (269, 48), "faccessat2": (439, 439),
    "readlink": (89, None), "readlinkat": (267, 78), "getcwd": (79, 17), "chdir": (80, 49),
    "fchdir": (81, 50), "creat": (85, None), "mkdir": (83, None), "mkdirat": (258, 34),
    "rmdir": (84, None), "unlink": (87, None), "unlinkat": (263, 35), "rename": (82, None),
    "renameat": (264, 38), "renameat2": (316, 276), "umask": (95, 166),
    # time, and what the process is
    "clock_gettime": (228, 113), "clock_getres": (229, 114), "clock_nanosleep": (230, 115),
    "nanosleep": (35, 101), "gettimeofday": (96, 169), "time": (201, None), "times": (100, 153),
    "getitimer": (36, 102), "setitimer": (38, 103), "alarm": (37, None), "pause": (34, None),
    "getpid": (39, 172), "getppid": (110, 173), "gettid": (186, 178), "getpgrp": (111, None),
    "getuid": (102, 174), "getgid": (104, 176), "geteuid": (107, 175), "getegid": (108, 177),
    "getresuid": (118, 148), "getresgid": (120, 150), "getgroups": (115, 158),
    "getrusage": (98, 165), "getrlimit": (97, 163), "getpriority": (140, 141),
    "sysinfo": (99, 179), "uname": (63, 160), "getrandom": (318, 278), "getcpu": (309, 168),
    # threads, signals, the end
    "futex": (202, 98), "set_robust_list": (273, 99), "get_robust_list": (274, 100),
    "rseq": (334, 293), "set_tid_address": (218, 96), "sched_yield": (24, 124),
    "sched_getaffinity": (204, 123), "sched_getparam": (143, 121),
    "sched_getscheduler": (145, 120), "sched_get_priority_max": (146, 125),
    "sched_get_priority_min": (147, 126), "rt_sigaction": (13, 134),
    "rt_sigprocmask": (14, 135), "rt_sigreturn": (15, 139), "rt_sigpending": (127, 136),
    "rt_sigtimedwait": (128, 137), "rt_sigsuspend": (130, 133), "sigaltstack": (131, 132),
    "restart_syscall": (219, 128), "wait4": (61, 260), "waitid": (247, 95),
    "exit": (60, 93), "exit_group": (231, 94),
}  # fmt: skip
"""Calls that are allowed with any arguments."""

_CLONE_THREAD_AND_FILES = 0x10400
_ACCESS_AND_TRUNC = 0o1003
_WITHOUT_TRUNC_TO_READ = (0, 1, 2, 3, 0o1001, 0o1002, 0o1003)
_ASKS_OF_TERMINALS_AND_FILES = (0x5401, 0x5413, 0x541B, 0x5421, 0x5450, 0x5451)
_ASKS_OF_DESCRIPTORS = (0, 1, 2, 3, 4, 5, 6, 7, 36, 37, 38, 1030, 1032)
_SET_NAME, _GET_NAME = 15, 16
_LOCAL, _STREAM = 1, 1
_STREAMS = tuple(_STREAM | flags for flags in (0, 0o4000, 0o2000000, 0o2004000))


def conditional(pid: int) -> dict[str, tuple[int | None, int | None, tuple[Test, ...]]]:
    """Return the calls that a process of this id may make only with matching arguments."""
    # Opening to read with O_TRUNC empties a file; Landlock sees that only from ABI 3 on.
    opening = Test(1, _WITHOUT_TRUNC_TO_READ, _ACCESS_AND_TRUNC)
    threads = Test(0, (_CLONE_THREAD_AND_FILES,), _CLONE_THREAD_AND_FILES)
    myself = Test(0, (pid,))
    return {
        "open": (2, None, (opening,)),
        "openat": (257, 56, (opening._replace(argument=2),)),
        "clone": (56, 220, (threads,)),
        "kill": (62, 129, (myself,)),
        "tgkill": (234, 131, (myself,)),
        "ioctl": (16, 29, (Test(1, _ASKS_OF_TERMINALS_AND_FILES),)),
        "fcntl": (72, 25, (Test(1, _ASKS_OF_DESCRIPTORS),)),
        "prctl": (157, 167, (Test(0, (_SET_NAME, _GET_NAME)),)),
        "prlimit64": (302, 261, (Test(0, (0, pid)), *_null(2))),
        # A pair joined for good, as an event loop wakes itself with; it names no one.
        "socketpair": (53, 199, (Test(0, (_LOCAL,)), Test(1, _STREAMS))),
        "sendto": (44, 206, _null(4)),
    }


def _null(argument: int) -> tuple[Test, Test]:
    """Return the tests that a pointer is null."""
    return Test(argument, (0,)), Test(argument, (0,), upper=True)


Filter = list[bytes]


class Architecture(NamedTuple):
    """The kernel's id of an architecture (``linux/audit.h``), and its column in the tables."""

    audit: int
    column: int


ARCHITECTURES = {
    "x86_64": Architecture(0xC000003E, 0),
    "aarch64": Architecture(0xC00000B7, 1),
}


def refuse_system_calls() -> None:
    """Let this process make only the calls allowed above, permanently. Raises `OSError`.

    It must be single-threaded and have given up gaining privileges.
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
    """Return the filter for a process of this id as eight-byte instructions."""
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
    """Return instructions that continue after themselves if the test passes, else refuse."""
    left = range(len(test.values), 0, -1)
    return [
        _word(_LOAD, _ARGUMENTS + 8 * test.argument + 4 * test.upper),
        _word(_AND, test.mask),
        *(_word(_EQUAL, value, n, 0) for value, n in zip(test.values, left, strict=True)),
        _refusal(errno.EPERM),
    ]


def _refusal(number: int) -> bytes:
    return _word(_RETURN, _ERRNO | number)


def _word(code: int, value: int, if_true: int = 0, if_false: int = 0) -> bytes:
    return struct.pack("=HBBI", code, if_true, if_false, value)

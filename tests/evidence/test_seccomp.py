"""The filter of system calls, read as the kernel reads it, for both architectures."""

from __future__ import annotations

import errno
import fcntl
import re
import struct
import termios
from pathlib import Path

import pytest

from kb.evidence.sandbox.seccomp import ALLOWED, ARCHITECTURES, conditional, filter_of
from tests.robustness.calls import CALLS

PID = 4321
ALLOW, KILL, ERRNO = 0x7FFF0000, 0x80000000, 0x00050000
HEADERS = {"x86_64": "x86_64-linux-gnu/asm/unistd_64.h", "aarch64": "asm-generic/unistd.h"}
"""Where Debian's linux-libc-dev has the numbers of the calls, below ``/usr/include``."""
NEEDED_BY_TESTS = {"clone", "openat", "fork"}
TERMINAL = {
    termios.TCGETS, termios.TIOCGWINSZ, termios.FIONREAD, termios.FIONBIO, termios.FIONCLEX,
    termios.FIOCLEX,
}  # fmt: skip
_OFD_LOCKS, _PIPE_SIZE = {36, 37, 38}, {1032}
DESCRIPTOR = _OFD_LOCKS | _PIPE_SIZE | {
    fcntl.F_DUPFD, fcntl.F_GETFD, fcntl.F_SETFD, fcntl.F_GETFL, fcntl.F_SETFL, fcntl.F_GETLK,
    fcntl.F_SETLK, fcntl.F_SETLKW, fcntl.F_DUPFD_CLOEXEC,
}  # fmt: skip


def verdict(machine: str, number: int, *arguments: int, audit: int | None = None) -> int:
    """Run the filter as ``Documentation/networking/filter`` says, on one call."""
    audit = ARCHITECTURES[machine].audit if audit is None else audit
    filled = [each & (1 << 64) - 1 for each in [*arguments, 0, 0, 0, 0, 0, 0][:6]]
    data = struct.pack("=IIQ6Q", number, audit, 0, *filled)
    words, place, held = filter_of(machine, PID), 0, 0
    while True:
        code, if_true, if_false, value = struct.unpack("=HBBI", words[place])
        place += 1
        match code:
            case 0x20:
                held = struct.unpack_from("=I", data, value)[0]
            case 0x54:
                held &= value
            case 0x15:
                place += if_true if held == value else if_false
            case 0x35:
                place += if_true if held >= value else if_false
            case 0x06:
                return value
            case _:
                raise AssertionError(f"no such instruction: {code:#x}")


def refused(value: int) -> bool:
    return value in (KILL, ERRNO | errno.EPERM, ERRNO | errno.ENOSYS)


@pytest.mark.parametrize("machine", ARCHITECTURES)
def test_nothing_that_hostile_programs_ask_for_is_allowed(machine: str) -> None:
    for name, number in CALLS[machine].items():
        if name not in NEEDED_BY_TESTS:
            assert refused(verdict(machine, number)), name


@pytest.mark.parametrize("machine", ARCHITECTURES)
def test_of_all_numbers_those_of_the_tables_are_allowed_and_no_others(machine: str) -> None:
    column = ARCHITECTURES[machine].column
    allowed = {numbers[column] for numbers in ALLOWED.values()} - {None}
    tested = {numbers[column] for numbers in conditional(PID).values()}
    for number in range(1024):
        if number in allowed:
            assert verdict(machine, number) == ALLOW
        elif number not in tested:
            assert refused(verdict(machine, number)), number


@pytest.mark.parametrize("machine", ARCHITECTURES)
def test_each_call_has_the_number_that_the_kernel_gives_it(machine: str) -> None:
    header = Path("/usr/include", HEADERS[machine])
    if not header.exists():
        pytest.skip("linux-libc-dev is not installed")
    text = header.read_text(encoding="ascii")
    numbers = {name: int(n) for name, n in re.findall(r"__NR(?:3264)?_(\w+) (\d+)", text)}
    same = re.findall(r"__NR_(\w+) __NR3264_(\w+)", text)
    numbers |= {name: numbers[of] for name, of in same if of in numbers}
    column = ARCHITECTURES[machine].column
    for name, ours in {**ALLOWED, **conditional(PID)}.items():
        assert ours[column] == numbers.get(name), name


def test_calls_of_another_architecture_and_of_x32_end_the_process() -> None:
    assert verdict("x86_64", 0x40000000) == verdict("x86_64", 0x40000000 + 41) == KILL
    assert verdict("x86_64", 0, audit=0x40000003) == KILL
    assert verdict("aarch64", 63, audit=ARCHITECTURES["x86_64"].audit) == KILL


@pytest.mark.parametrize("machine", ARCHITECTURES)
def test_what_is_allowed_with_some_arguments_is_refused_with_others(machine: str) -> None:
    column = ARCHITECTURES[machine].column
    number = {name: numbers[column] for name, numbers in conditional(PID).items()}
    high = 1 << 32

    def asks(name: str, *arguments: int) -> int:
        found = number[name]
        assert isinstance(found, int)
        return verdict(machine, found, *arguments)

    if machine == "x86_64":
        assert asks("open", 0o1000, 0o101) == ALLOW and refused(asks("open", 0, 0o1000))
    for allowed in (
        asks("clone", 0x3D0F00), asks("kill", PID, 9), asks("tgkill", PID, PID + 1, 6),
        asks("openat", -100, 0, 0o101), asks("openat", -100, 0, 0o1001), asks("ioctl", 1, 0x5401),
        asks("fcntl", 3, 1030), asks("prctl", 15), asks("prlimit64", 0, 7, 0),
        asks("prlimit64", PID, 7, 0), asks("socketpair", 1, 0o2000001),
        asks("socketpair", 1, 0o4001), asks("socketpair", 1, 0o2004001), asks("sendto", 3),
    ):  # fmt: skip
        assert allowed == ALLOW
    for other in (
        asks("clone", 17), asks("clone", 0x10000000 | 17), asks("clone", 0x10B00),
        asks("kill", PID + 1, 0),
        asks("kill", -1, 9), asks("kill", 0, 9), asks("kill", -PID, 9), asks("tgkill", 1, 1, 0),
        asks("openat", -100, 0, 0o1000), asks("ioctl", 0, 0x5412), asks("fcntl", 3, 8, 1),
        asks("prctl", 1), asks("prctl", 4, 1), asks("prlimit64", 0, 7, 4096),
        asks("prlimit64", 0, 7, high), asks("prlimit64", 1, 7, 0), asks("socketpair", 2, 1),
        asks("socketpair", 1, 2), asks("socketpair", 1, 2050), asks("sendto", 3, 0, 0, 0, 4096),
        asks("sendto", 3, 0, 0, 0, high),
    ):  # fmt: skip
        assert refused(other)


def test_calls_younger_than_the_filter_look_as_if_they_were_not_there() -> None:
    for machine in ARCHITECTURES:
        assert verdict(machine, 435) == ERRNO | errno.ENOSYS  # clone3: threads take clone
        assert verdict(machine, 600) == ERRNO | errno.ENOSYS


@pytest.mark.parametrize("machine", ARCHITECTURES)
def test_of_terminals_and_descriptors_nothing_else_is_asked(machine: str) -> None:
    column = ARCHITECTURES[machine].column
    for name, asked, every in (
        ("ioctl", TERMINAL, range(0x5400, 0x5480)),
        ("fcntl", DESCRIPTOR, range(1100)),
    ):
        number = conditional(PID)[name][column]
        assert isinstance(number, int)
        allowed = {each for each in every if verdict(machine, number, 3, each) == ALLOW}
        assert allowed == asked

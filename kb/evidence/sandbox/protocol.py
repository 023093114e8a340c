"""What the owner of a run and its supervisor tell each other: the program, and what came of it.

The owner sends a request once. The supervisor answers in a line or two, and the owner believes
what is exactly of this shape: whatever else arrives is no report.
"""

from __future__ import annotations

import re
from typing import BinaryIO, NamedTuple

STARTED = b"begun\n"
"""What is told first of a program that is shut in and runs."""

_ENDED = re.compile(rb"ended (\d{1,9}) (\d{1,12}) (\d{1,9}) ([a-z]{0,20})\n", re.ASCII)
_REFUSED = re.compile(rb"refused ([^\n]{1,2000})\n")


class Program(NamedTuple):
    """What to run, under which file name, and how much it may take.

    ``memory`` is in bytes of address space, ``seconds`` are of processor time.
    """

    name: str
    memory: int
    seconds: int
    code: str


class Layers(NamedTuple):
    """What to shut a program in with: kernel layers by name, and the highest Landlock ABI."""

    names: tuple[str, ...]
    abi: int


class Report(NamedTuple):
    """How a program ended: its wait status, its peak memory and processor time, and why.

    Memory in the unit of getrusage(2), time in milliseconds. ``reason`` is why the supervisor
    ended it, if it did; ``refused`` why it was not run; ``lost`` says that it began, and that
    what came of it is not known.
    """

    status: int = 0
    peak: int = 0
    milliseconds: int = 0
    reason: str = ""
    refused: str = ""
    lost: bool = False


def request(program: Program) -> bytes:
    """Return a program as it is sent: its length, then its parts, divided by NUL.

    >>> request(Program("a.py", 1 << 30, 11, "pass"))[8:]
    b'a.py\\x001073741824\\x0011\\x00pass'
    """
    sent = "\0".join(map(str, program)).encode("utf-8", "replace")
    return len(sent).to_bytes(8, "big") + sent


def read_request(file: BinaryIO) -> Program:
    """Read what is to be run. Raises `ValueError` where the owner ended before it was sent."""
    length = int.from_bytes(file.read(8), "big")
    name, memory, seconds, code = file.read(length).decode().split("\0", 3)
    return Program(name, int(memory), int(seconds), code)


def ended(status: int, peak: int, seconds: float, reason: str) -> bytes:
    """Return the line of a program that ran."""
    return f"ended {status} {peak} {int(seconds * 1000)} {reason}\n".encode()


def refused(problem: str) -> bytes:
    """Return the line of a program that was not run."""
    return f"refused {' '.join(problem.split())[:400]}\n".encode()


def read(told: bytes) -> Report | None:
    """Return what was told, or nothing where it is no report.

    >>> read(STARTED + ended(9, 4096, 0.25, "asked"))
    Report(status=9, peak=4096, milliseconds=250, reason='asked', refused='', lost=False)
    >>> read(refused("Landlock: not there")).refused
    'Landlock: not there'
    >>> read(STARTED + b"ended 0 0 0 ok" + bytes(5)).lost
    True
    """
    if told.startswith(STARTED):
        found = _ENDED.fullmatch(told, len(STARTED))
        if found is None:
            return Report(lost=True)
        status, peak, milliseconds, reason = found.groups()
        return Report(int(status), int(peak), int(milliseconds), reason.decode())
    if found := _REFUSED.fullmatch(told):
        return Report(refused=found[1].decode("utf-8", "replace"))
    return None

"""The messages between client and supervisor: the program and its outcome.

The client sends one request. The supervisor answers in one or two lines; the client ignores
anything of another form.
"""

from __future__ import annotations

import re
from typing import BinaryIO, NamedTuple

STARTED = b"begun\n"
"""The first message, sent when the program is isolated and running."""

_ENDED = re.compile(rb"ended (\d{1,9}) (\d{1,12}) (\d{1,9}) ([a-z]{0,20})\n", re.ASCII)
_REFUSED = re.compile(rb"refused ([^\n]{1,2000})\n")


class Program(NamedTuple):
    """What to run, under which file name, with which limits.

    ``memory`` is bytes of address space, ``seconds`` is processor time.
    """

    name: str
    memory: int
    seconds: int
    code: str


class Report(NamedTuple):
    """How a program ended: wait status, peak memory, processor time and reason.

    Memory has the unit of getrusage(2), time is in milliseconds. ``reason`` is why the supervisor
    ended it; ``refused`` is why it did not run; ``lost`` means that it started and its outcome is
    unknown.
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
    """Read the request. Raises `ValueError` if the client ended before sending it."""
    length = int.from_bytes(file.read(8), "big")
    name, memory, seconds, code = file.read(length).decode().split("\0", 3)
    return Program(name, int(memory), int(seconds), code)


def ended(status: int, peak: int, seconds: float, reason: str) -> bytes:
    """Return the message for a program that ran."""
    return f"ended {status} {peak} {int(seconds * 1000)} {reason}\n".encode()


def refused(problem: str) -> bytes:
    """Return the message for a program that was refused."""
    return f"refused {' '.join(problem.split())[:400]}\n".encode()


def read(told: bytes) -> Report | None:
    """Return the report in a message, or nothing if it is invalid.

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

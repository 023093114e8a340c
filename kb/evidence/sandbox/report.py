"""What a supervisor tells the owner of a run: one line, written here and read here.

The owner believes a line only where it is exactly of this shape; whatever else arrives is no
report.
"""

from __future__ import annotations

import re
from typing import NamedTuple

_ENDED = re.compile(rb"ended (\d{1,9}) (\d{1,12}) (\d{1,9}) ([a-z]{0,20})\n", re.ASCII)
_REFUSED = re.compile(rb"refused ([^\n]{1,2000})\n")


class Report(NamedTuple):
    """How a program ended: its wait status, its peak memory and processor time, and why.

    Memory in the unit of getrusage(2), time in milliseconds. ``reason`` is why the supervisor
    ended it, if it did; ``refused`` why it was not run.
    """

    status: int = 0
    peak: int = 0
    milliseconds: int = 0
    reason: str = ""
    refused: str = ""


def ended(status: int, peak: int, seconds: float, reason: str) -> bytes:
    """Return the line of a program that ran."""
    return f"ended {status} {peak} {int(seconds * 1000)} {reason}\n".encode()


def refused(problem: str) -> bytes:
    """Return the line of a program that was not run."""
    return f"refused {' '.join(problem.split())[:400]}\n".encode()


def read(line: bytes) -> Report | None:
    """Return what a line tells, or nothing where it is no report.

    >>> read(ended(9, 4096, 0.25, "asked"))
    Report(status=9, peak=4096, milliseconds=250, reason='asked', refused='')
    >>> read(refused("Landlock: not there")).refused
    'Landlock: not there'
    >>> read(b'ended 0 0 0 ok' + bytes(5)) is None
    True
    """
    if found := _ENDED.fullmatch(line):
        *numbers, reason = found.groups()
        return Report(*map(int, numbers), reason.decode())
    if found := _REFUSED.fullmatch(line):
        return Report(refused=found[1].decode("utf-8", "replace"))
    return None

"""How often long work speaks: often enough to be followed and stopped, and no more.

Work tells its `Progress` at every step, however small; at the door the steps are thinned out.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import NamedTuple

from kb.errors import Message

Progress = Callable[[int, int], None]
"""Is told how much of the work is done, and how much there is, 0 while that is not known.

It is called about ten times a second, also where nothing new is done. To end the work it
raises `kb.errors.Cancelled`.
"""

_SECONDS = 0.1


def silent(done: int, total: int) -> None:
    """Tell nobody."""


def paced(progress: Progress | None) -> Progress:
    """Return a `Progress` that passes on ten steps a second, and of each total the first and last.

    >>> told = []
    >>> tell = paced(lambda done, total: told.append(done))
    >>> for done in range(1001):
    ...     tell(done, 1000)
    >>> told[0], told[-1], len(told) < 1001
    (0, 1000, True)
    """
    if progress is None:
        return silent
    last, known = 0.0, -1

    def tell(done: int, total: int) -> None:
        nonlocal last, known
        now = time.monotonic()
        if total != known or 0 < total <= done or now - last >= _SECONDS:
            last, known = now, total
            progress(done, total)

    return tell


# The writer that holds the write lock.


class Writer(NamedTuple):
    """A program that writes: what it does, its process (0 where unknown), for how many seconds."""

    what: str = ""
    pid: int = 0
    seconds: float = 0.0

    @property
    def said(self) -> Message:
        """What is said of it.

        >>> Writer("kb import", 1234, 12.3).said
        'another danesh (kb import, process 1234) has been writing for 12 s'
        >>> Writer(pid=1234).said, Writer().said
        ('another program (process 1234) is writing', 'another program is writing')
        """
        if self.what:
            return Message(
                "another danesh ({what}, process {pid}) has been writing for {seconds:.0f} s",
                what=self.what,
                pid=self.pid,
                seconds=self.seconds,
            )
        if self.pid:
            return Message("another program (process {pid}) is writing", pid=self.pid)
        return Message("another program is writing")


OnWait = Callable[[Writer, float], None]
"""Is told several times a second whom this thread waits for, and since how many seconds.

To wait no more it raises `kb.errors.Cancelled`.
"""

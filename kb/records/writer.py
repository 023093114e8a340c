"""Who holds what one waits for."""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple


class Writer(NamedTuple):
    """A program that writes: what it does, its process (0 where unknown), for how many seconds."""

    what: str = ""
    pid: int = 0
    seconds: float = 0.0

    @property
    def said(self) -> str:
        """What is said of it.

        >>> Writer("kb import", 1234, 12.3).said
        'another danesh (kb import, process 1234) has been writing for 12 s'
        >>> Writer(pid=1234).said, Writer().said
        ('another program (process 1234) is writing', 'another program is writing')
        """
        if self.what:
            told = f"({self.what}, process {self.pid})"
            return f"another danesh {told} has been writing for {self.seconds:.0f} s"
        return f"another program{f' (process {self.pid})' if self.pid else ''} is writing"


OnWait = Callable[[Writer, float], None]
"""Is told several times a second whom this thread waits for, and since how many seconds.

To wait no more it raises `kb.errors.Cancelled`.
"""

"""An app in a pseudo-terminal: started, typed to, looked at; its work and its memory, by /proc."""

from __future__ import annotations

import fcntl
import os
import pty
import signal
import struct
import termios
import threading
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

import pyte

LINES, COLUMNS = 40, 120
_LONGEST_WAIT = 30.0


class Screen:
    """What a terminal shows."""

    def __init__(self) -> None:
        self._screen = pyte.Screen(COLUMNS, LINES)
        self._stream = pyte.ByteStream(self._screen)

    def paint(self, data: bytes) -> None:
        """Do what an app wrote."""
        self._stream.feed(data)

    def rows(self, first: int, last: int, columns: int = COLUMNS) -> list[str]:
        """Return some lines, as far as so many columns."""
        cells = self._screen.buffer
        return ["".join(cells[y][x].data for x in range(columns)) for y in range(first, last)]


class Terminal:
    """A running app, and what it has painted. Use it as a context manager.

    A thread reads what the app writes and notes when; what it looks like is found out later,
    by `look`, so that nothing but reading comes between the app and the clock.
    """

    def __init__(self, command: tuple[str, ...], environ: Mapping[str, str]) -> None:
        self.began = time.perf_counter()
        self._process, self._side = pty.fork()
        if not self._process:
            os.execve(command[0], command, environ)
        size = struct.pack("HHHH", LINES, COLUMNS, 0, 0)
        fcntl.ioctl(self._side, termios.TIOCSWINSZ, size)
        self._written: list[tuple[float, bytes]] = []
        self._looked_at = 0
        self._screen = Screen()
        self._reader = threading.Thread(target=self._read, daemon=True)
        self._reader.start()

    def __enter__(self) -> Terminal:
        return self

    def __exit__(self, *exc: object) -> None:
        os.kill(self._process, signal.SIGKILL)
        os.waitpid(self._process, 0)
        self._reader.join()
        os.close(self._side)

    def type(self, keys: str) -> float:
        """Send keys, and return when."""
        when = time.perf_counter()
        os.write(self._side, keys.encode())
        return when

    def look(self) -> Iterator[tuple[float, Screen]]:
        """Yield each change of the screen that was not yet looked at: when, and what it shows."""
        while self._looked_at < len(self._written):
            when, data = self._written[self._looked_at]
            self._looked_at += 1
            self._screen.paint(data)
            yield when, self._screen

    def wait(self, shown: Callable[[Screen], bool]) -> float:
        """Return when the screen came to show something. Raises `TimeoutError` if it never does."""
        while time.perf_counter() < self.began + _LONGEST_WAIT:
            for when, screen in self.look():
                if shown(screen):
                    return when
            time.sleep(0.01)
        raise TimeoutError("what was waited for never came to the screen")

    def work(self) -> float:
        """Return the seconds of processor time that all threads have taken."""
        tasks = Path(f"/proc/{self._process}/task").iterdir()
        return sum(int((task / "schedstat").read_text().split()[0]) for task in tasks) / 1e9

    def memory(self) -> float:
        """Return the MiB that lie in memory."""
        lines = Path(f"/proc/{self._process}/status").read_text().splitlines()
        resident = next(line for line in lines if line.startswith("VmRSS:"))
        return int(resident.split()[1]) / 1024

    def _read(self) -> None:
        while True:
            try:
                data = os.read(self._side, 1 << 16)
            except OSError:  # the app has ended
                return
            self._written.append((time.perf_counter(), data))

"""The app in a pseudo-terminal, its screen read by a terminal emulator."""

from __future__ import annotations

import codecs
import fcntl
import os
import pty
import select
import struct
import subprocess
import termios
import time
from collections.abc import Callable

import pyte

from tests.conftest import PATIENCE

_INVISIBLE = dict.fromkeys((0x200C, 0x200D, 0x200E, 0x200F))

STILL = 3
"""Seconds of stillness after which a screen is taken as what is expected from now on."""


class FakeTerminal:
    """The app in a pseudo-terminal: what it writes, what its screen shows, what is sent to it."""

    def __init__(
        self, command: list[str], environ: dict[str, str], size: tuple[int, int] = (90, 24)
    ) -> None:
        columns, lines = size
        self._master, slave = pty.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", lines, columns, 0, 0))
        # Where these are set, they would be believed before the terminal is asked.
        environ = {k: v for k, v in environ.items() if k not in ("COLUMNS", "LINES")}
        self.process = subprocess.Popen(
            command,
            stdin=slave,
            stdout=slave,
            stderr=slave,
            env=environ,
            start_new_session=True,
        )
        os.close(slave)
        self._screen = pyte.Screen(columns, lines)
        self._stream = pyte.Stream(self._screen)
        self._decoder = codecs.getincrementaldecoder("utf-8")("replace")
        self.written = ""
        self._gone = False

    def until(self, wanted: Callable[[], bool]) -> None:
        """Read on until something is so; a cursor that blinks keeps nobody waiting forever."""
        end = time.monotonic() + PATIENCE
        while not wanted() and time.monotonic() < end:
            if not select.select([self._master], [], [], PATIENCE)[0]:
                break
            if not self._take():
                break
        assert wanted(), self.shown

    def _take(self) -> bool:
        """Read a piece; say whether the app is still there."""
        try:
            piece = os.read(self._master, 1 << 16)
        except OSError:
            self.process.wait(PATIENCE)
            return False
        text = self._decoder.decode(piece)
        self.written += text
        # pyte prints the orders it does not know, and loses what follows an invisible mark.
        self._stream.feed(text.replace("\x1b[>", "\x1b[?").translate(_INVISIBLE))
        return True

    def until_still(self) -> None:
        """Read on until the screen has shown the same for a while; a cursor may blink."""
        shown, end = self.shown, time.monotonic() + STILL
        while (left := end - time.monotonic()) > 0:
            if select.select([self._master], [], [], left)[0]:
                self._take()
            if self.shown != shown:
                shown, end = self.shown, time.monotonic() + STILL

    def until_shown(self, words: str) -> None:
        self.until(lambda: words in self.shown)

    def until_written(self, order: str, times: int = 1) -> None:
        self.until(lambda: self.written.count(order) >= times)

    def until_ended(self) -> int:
        """Read on until the app has ended, and what it wrote at last; return its exit code."""
        self.until(lambda: self.process.poll() is not None)
        while select.select([self._master], [], [], 1)[0] and self._take():
            pass
        return int(self.process.returncode)

    def send(self, text: str) -> None:
        os.write(self._master, text.encode())

    def search(self, words: str) -> None:
        self.send(f"/{words}")

    def leave(self) -> None:
        self.send("\x11")
        self.until_ended()

    @property
    def shown(self) -> str:
        """The cells of the screen, line by line."""
        return "\n".join(line.rstrip() for line in self._screen.display).rstrip("\n")

    def vanish(self) -> None:
        """Be gone without a signal, as one whose line breaks."""
        os.close(self._master)
        self._gone = True

    def close(self) -> None:
        if self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        if not self._gone:
            os.close(self._master)

"""The three standard streams: there whatever the shell left open, and safe whoever writes.

`kb.cli.output` and `kb.cli.messages` write bytes that they have made safe. Whatever else
writes text, Python's warnings and tracebacks or click's help, goes through `SafeText`.
"""

from __future__ import annotations

import io
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import BinaryIO, TextIO, cast

from kb.errors import OutputClosed, OutputFailed

_IN, _OUT, _ERR = 0, 1, 2


def make_whole() -> None:
    """Put streams in place of those that the shell closed, and make all safe to write to.

    Descriptors 0 to 2 are opened where they are closed: a database that got one of them would
    be written over by messages. What is written to a closed stdout raises `OutputFailed`, and
    what is said on a closed stderr is lost.
    """
    for descriptor, mode in ((_IN, os.O_RDONLY), (_OUT, os.O_RDONLY), (_ERR, os.O_WRONLY)):
        if not _is_open(descriptor):
            os.open(os.devnull, mode)  # takes the lowest that is free, which is this one
    sys.stdin = sys.stdin or open(_IN, encoding="utf-8", closefd=False)  # noqa: SIM115
    # What is written to a stdout that is opened for reading fails, as to one that is closed.
    sys.stdout = _safe(sys.stdout or open(_OUT, "w", encoding="utf-8", closefd=False))  # noqa: SIM115
    sys.stderr = _safe(sys.stderr or open(_ERR, "w", encoding="utf-8", closefd=False))  # noqa: SIM115


def check_output() -> None:
    """Raise `OutputFailed` where stdout is closed: before anything is done, not after it."""
    if sys.__stdout__ is None:
        raise OutputFailed("standard output is closed; nothing was done")


def give_up(stream: TextIO) -> None:
    """Let what could not be written go, so that the interpreter does not try again on its way."""
    try:
        descriptor = stream.fileno()
    except (OSError, ValueError):
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, descriptor)
    os.close(nowhere)


@contextmanager
def to_the_reader() -> Iterator[None]:
    """Tell a stdout that nobody reads, or that takes nothing, from an error in a file."""
    try:
        yield
    except BrokenPipeError as error:
        raise OutputClosed from error
    except OSError as error:
        raise OutputFailed("standard output: {error}", error=error.strerror or error) from error


class SafeText(io.TextIOBase):
    """A standard stream that makes text safe before it writes it."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    @property
    def buffer(self) -> BinaryIO:
        """The bytes below, for those who have made their text safe."""
        return self._stream.buffer

    @property
    def encoding(self) -> str:  # type: ignore[override]
        """The encoding of the stream below."""
        return self._stream.encoding

    @property
    def errors(self) -> str | None:  # type: ignore[override]
        """What the stream below does with what it cannot encode."""
        return self._stream.errors

    def write(self, text: str) -> int:
        """Write a text, made safe."""
        from kb.display.terminal import safe  # not needed to start

        with to_the_reader():
            return self._stream.write(safe(text))

    def flush(self) -> None:
        """Bring on its way what was written."""
        with to_the_reader():
            self._stream.flush()

    def isatty(self) -> bool:
        """Say whether it is a terminal."""
        return self._stream.isatty()

    def fileno(self) -> int:
        """Return the descriptor."""
        return self._stream.fileno()


def _is_open(descriptor: int) -> bool:
    try:
        os.fstat(descriptor)
    except OSError:
        return False
    return True


def _safe(stream: TextIO) -> TextIO:
    return cast("TextIO", SafeText(stream))

"""The real command line in a fork of this process, on a pseudo-terminal or on pipes.

A fork has all modules at hand, so that a command takes a tenth of a start.
"""

from __future__ import annotations

import fcntl
import os
import pty
import select
import struct
import sys
import termios
import time
import traceback
from collections.abc import Mapping, Sequence

from kb.cli import messages
from kb.cli.main import run

PATIENCE = 600
"""Seconds after which a command is ended, so that it blocks nothing; usual are tenths of one."""

_COLUMNS, _LINES = 100, 40


def told(
    arguments: Sequence[str], environ: Mapping[str, str], *, terminal: bool, into: str = ""
) -> str:
    """Run ``kb`` with arguments; return what came over stdout and stderr, invalid bytes escaped.

    ``into`` is a folder to be in.
    """
    if terminal:
        reading, writing = pty.openpty()
        fcntl.ioctl(writing, termios.TIOCSWINSZ, struct.pack("HHHH", _LINES, _COLUMNS, 0, 0))
    else:
        reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        _speak(arguments, environ, writing, into)
    os.close(writing)
    try:
        return _heard(reading, child).decode("utf-8", "backslashreplace").replace("\r\n", "\n")
    finally:
        os.close(reading)
        os.waitpid(child, 0)


def _heard(reading: int, child: int) -> bytes:
    heard, end = b"", time.monotonic() + PATIENCE
    while time.monotonic() < end:
        if not select.select([reading], [], [], 1)[0]:
            continue
        try:
            piece = os.read(reading, 1 << 16)
        except OSError:  # the other end of a pseudo-terminal is closed
            return heard
        if not piece:
            return heard
        heard += piece
    os.kill(child, 9)
    return heard + b"\x1b<does not end>"


def _speak(arguments: Sequence[str], environ: Mapping[str, str], writing: int, into: str) -> None:
    """Be the command, and end."""
    code = 1
    try:
        nothing = os.open(os.devnull, os.O_RDONLY)
        for descriptor, source in ((0, nothing), (1, writing), (2, writing)):
            os.dup2(source, descriptor)
        sys.stdin, sys.stdout, sys.stderr = (
            open(number, mode, encoding="utf-8", closefd=False)  # noqa: SIM115
            for number, mode in ((0, "r"), (1, "w"), (2, "w"))
        )
        os.environ.clear()
        os.environ.update(environ)
        os.chdir(into or "/")
        messages.make_whole()
        code = run(list(arguments))
    except BaseException:  # noqa: BLE001  # as the interpreter does with what comes to it
        traceback.print_exc()
    finally:
        for stream in (sys.stdout, sys.stderr):
            stream.flush()
        os._exit(code)

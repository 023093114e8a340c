"""The pre-forked process: Python and numpy loaded once, a fork for each run.

It is started with a clean environment and nothing open but one socket. Each byte that comes
asks for a run and says what to load before; with it come the run's own descriptors, which
only the fork reads from: nothing of a run passes through this process, so no run finds
anything of another's in its memory. It ends when its owner's end of the socket is closed,
after the runs that go on.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import signal
from socket import recv_fds, socket
from typing import NoReturn

from kb.evidence.sandbox import folder, kernel, report
from kb.evidence.sandbox.limits import Allowance
from kb.evidence.sandbox.program import Program, Walls
from kb.evidence.sandbox.supervisor import supervise

LOADABLE = ("numpy", "numpy.random")
"""What a run can ask to be loaded before: bit by bit of the byte that asks for it."""


def serve(door: socket, walls: Walls, base: str, swept: bool) -> None:
    """Fork for each request until the owner has gone; then remove ``base`` if it is ``swept``."""
    kernel.hide()
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    while True:
        wanted, received, _, _ = recv_fds(door, 1, 3)
        if not wanted:
            break
        _load(wanted[0])
        _fork(door, received, walls, base)
    _wait_for_all()
    if swept:
        folder.remove(base)


def _load(wanted: int) -> None:
    for bit, name in enumerate(LOADABLE):
        if wanted >> bit & 1 and kernel.LINUX:
            with contextlib.suppress(Exception):  # the program meets it and shows it
                importlib.import_module(name)


def _fork(door: socket, received: list[int], walls: Walls, base: str) -> None:
    """Fork a supervisor; where that fails, the owner sees its pipes closed without a report."""
    server = os.getpid()
    with contextlib.suppress(BlockingIOError):
        if not os.fork():
            door.close()
            _become(server, received, walls, base)
    for number in received:
        os.close(number)


def _become(server: int, received: list[int], walls: Walls, base: str) -> NoReturn:
    try:
        kernel.die_with_parent(server, signal.SIGKILL)
        control, *streams = received
        for place, number in enumerate(streams, 1):
            os.dup2(number, place)
            os.close(number)
        with socket(fileno=control) as owner:
            try:
                told = supervise(owner, _asked(owner), walls, base)
            except OSError as error:
                told = report.refused(str(error))
            owner.sendall(told)
    finally:
        os._exit(0)


def _asked(owner: socket) -> Program:
    """Read what is to run: its length, name, limits and code, parted by NUL."""
    with owner.makefile("rb") as file:
        length = int.from_bytes(file.read(8), "big")
        told = file.read(length).decode()
    name, memory, seconds, code = told.split("\0", 3)
    return Program(name, code, Allowance(int(memory), int(seconds)))


def _wait_for_all() -> None:
    with contextlib.suppress(ChildProcessError):
        while True:
            os.wait()

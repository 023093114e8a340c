"""The parent process of a program: starts it, watches its use of resources, ends it, and reports.

It is not isolated, and reads nothing that the program wrote. The program cannot signal it, trace
it or open its files, so its report comes from the kernel alone. It ends the program when the
client's end of ``control`` is closed, as when the client dies.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
from collections.abc import Sequence
from typing import NoReturn

from kb.evidence.sandbox import folder, kernel, protocol
from kb.evidence.sandbox.program import run, shut_in
from kb.evidence.sandbox.protocol import Program

_TICK = 0.01
_MOST_THREADS = 256
_READY = b"ready"


def serve(control: int, place: str, *layers: str) -> None:
    """Run the program that the client sends, in the folder ``place``; report the outcome."""
    kernel.hide(True)
    try:
        with open(control, "rb", closefd=False) as file:
            program = protocol.read_request(file)
        told = _supervise(control, program, layers, place)
    except OSError as error:
        told = protocol.refused(str(error))
    finally:
        with contextlib.suppress(OSError):  # a mounted folder goes with this process
            folder.remove(place)
    os.write(control, told)


def _supervise(control: int, program: Program, layers: Sequence[str], place: str) -> bytes:
    """Run a program and return the report. Raises `OSError` if it could not run."""
    kernel.adopt_orphans()
    # A client may ignore it, and then no child could be waited for.
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    with open(os.path.join(place, program.name), "w", encoding="utf-8") as file:
        file.write(program.code)
    pid, problem = _start(program, layers, place)
    if problem:
        _ended(pid)
        return protocol.refused(problem)
    os.write(control, protocol.STARTED)
    return _watched(control, pid, place)


def _start(program: Program, layers: Sequence[str], place: str) -> tuple[int, str]:
    """Start the program's process; return its id, and which isolation step failed."""
    supervisor = os.getpid()
    told, tell = os.pipe()
    pid = os.fork()
    if not pid:
        _become(program, layers, place, supervisor, tell)
    os.close(tell)
    said = b""
    while part := os.read(told, 1 << 12):
        said += part
    os.close(told)
    if said == _READY:
        return pid, ""
    return pid, said.decode("utf-8", "replace") or "it ended before it was shut in"


def _become(
    program: Program, layers: Sequence[str], place: str, supervisor: int, tell: int
) -> NoReturn:
    try:
        shut_in(program, layers, place, supervisor, tell)
        os.write(tell, _READY)
        os.close(tell)
    except BaseException as error:  # whatever it is, the program must not run
        os.write(tell, str(error or type(error).__name__).encode())
        os._exit(1)
    run(program)


def _watched(control: int, pid: int, place: str) -> bytes:
    """Wait until the program ends, or end it for the first reason found."""
    reason = ""
    while True:
        ended, status, used = os.wait4(pid, os.WNOHANG)
        if ended:
            _end_orphans()
            seconds = used.ru_utime + used.ru_stime
            return protocol.ended(status, used.ru_maxrss, seconds, reason)
        reason = reason or _reason(control, pid, place)
        if reason:
            os.kill(pid, signal.SIGKILL)
        select.select([] if reason else [control], [], [], _TICK)


def _reason(control: int, pid: int, place: str) -> str:
    """Return why the program must be stopped, or nothing."""
    if select.select([control], [], [], 0)[0]:
        return "asked"
    try:
        if folder.is_full(place, pid):
            return "disk"
        if _threads(pid) > _MOST_THREADS:
            return "threads"
    except OSError:
        return "unwatched"
    return ""


def _threads(pid: int) -> int:
    try:
        return len(os.listdir(f"/proc/{pid}/task"))
    except (FileNotFoundError, ProcessLookupError):
        return 0  # ended, or a system that does not tell


def _ended(pid: int) -> None:
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)


def _end_orphans() -> None:
    """Kill processes that the program left running: as subreaper, this process adopts them."""
    while True:
        try:
            with open(f"/proc/self/task/{os.getpid()}/children", encoding="ascii") as file:
                left = file.read().split()
        except OSError:
            return
        if not left:
            return
        for pid in left:
            _ended(int(pid))

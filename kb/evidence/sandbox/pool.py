"""The owner's side of the pre-forked processes: one for each way of shutting in, made anew in time."""

from __future__ import annotations

import atexit
import contextlib
import os
import signal
import socket
import subprocess
import sys
import threading
from pathlib import Path

from kb.errors import KbError
from kb.evidence.sandbox import bubblewrap, scratch
from kb.evidence.sandbox.program import Walls

_CHILD = Path(__file__).parents[1] / "child.py"
_MOST_RUNS = 50
_PATIENCE = 2.0
_ENVIRONMENT = {
    "LANG": "C.UTF-8",
    "NO_COLOR": "1",
    # One thread: threads take address space and time that are then not the snippet's.
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
}
"""All there is in the environment of a program: nothing of the reader's."""


class Server:
    """A pre-forked process, as its owner sees it."""

    def __init__(self, walls: Walls) -> None:
        self._held: int | None = None
        if "bubblewrap" in walls.layers:
            base, before = bubblewrap.SCRATCH, bubblewrap.command(bubblewrap.program() or "bwrap")
        else:
            scratch.sweep()
            (base, self._held), before = scratch.make(), []
        self._base = base
        self._door, theirs = socket.socketpair()
        command = [*before, sys.executable, "-I", "-X", "utf8", str(_CHILD), str(theirs.fileno())]
        command += [base, str(int(self._held is not None)), str(walls.abi), *walls.layers]
        self.runs = 0
        try:
            with theirs:
                self._process = _started(command, theirs.fileno())
        except OSError as error:
            self._let_go()
            raise KbError(f"Python cannot be started ({error})") from error

    def ask(self, wanted: int, descriptors: list[int]) -> None:
        """Ask for a run with these descriptors. Raises `OSError` where the process has ended."""
        socket.send_fds(self._door, [bytes([wanted])], descriptors)
        self.runs += 1

    @property
    def lives(self) -> bool:
        """Whether the process is there."""
        return self._process.poll() is None

    def close(self) -> None:
        """Let the process end after the runs that go on."""
        self._door.close()

    def end(self, patience: float = _PATIENCE) -> str:
        """Wait for the process's end, or end it; return what it complained of."""
        self.close()
        try:
            complaint = self._process.communicate(timeout=patience)[1]
        except subprocess.TimeoutExpired:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._process.pid, signal.SIGKILL)
            complaint = self._process.communicate()[1]
        self._let_go()
        return complaint.decode("utf-8", "replace").strip()

    def _let_go(self) -> None:
        self.close()
        if self._held is not None:
            os.close(self._held)
            self._held = None


def _started(command: list[str], kept: int) -> subprocess.Popen[bytes]:
    return subprocess.Popen(
        command,
        cwd="/",
        env=_ENVIRONMENT,
        stdin=subprocess.DEVNULL,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.PIPE,
        pass_fds=(kept,),
        start_new_session=True,
    )


class Pool:
    """The pre-forked processes of this one."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._serving: dict[Walls, Server] = {}
        self._retired: list[Server] = []
        self._owner = os.getpid()
        atexit.register(self.close)

    def ask(self, walls: Walls, wanted: int, descriptors: list[int]) -> Server:
        """Ask a process for a run; return it. Raises `KbError` where none can be started."""
        with self._lock:
            self._forget_others()
            for _ in range(2):  # a process may have ended since; a new one just started has not
                server = self._fit(walls)
                with contextlib.suppress(OSError):
                    server.ask(wanted, descriptors)
                    return server
                complaint = self._serving.pop(walls).end()
            raise KbError(f"the process that runs programs has ended ({complaint})")

    def drop(self, server: Server) -> str:
        """End a process that does not do its work; return what it complained of."""
        with self._lock:
            if server not in (*self._serving.values(), *self._retired):
                return ""  # another run has ended it
            self._serving = {k: each for k, each in self._serving.items() if each is not server}
            self._retired = [each for each in self._retired if each is not server]
            return server.end(patience=0.2)

    def close(self) -> None:
        """End all processes."""
        with self._lock:
            self._forget_others()
            for server in (*self._serving.values(), *self._retired):
                server.close()
            for server in (*self._serving.values(), *self._retired):
                server.end()
            self._serving, self._retired = {}, []

    def _fit(self, walls: Walls) -> Server:
        """Return a process that has not served too often, and let go of those that have."""
        server = self._serving.get(walls)
        if server is not None and server.runs >= _MOST_RUNS:
            server.close()
            self._retired.append(server)
            server = None
        for each in [each for each in self._retired if not each.lives]:
            self._retired.remove(each)
            each.end()
        if server is None:
            server = self._serving[walls] = Server(walls)
        return server

    def _forget_others(self) -> None:
        """Leave the processes of the one that this was forked from to it."""
        if os.getpid() != self._owner:
            self._owner, self._serving, self._retired = os.getpid(), {}, []


POOL = Pool()

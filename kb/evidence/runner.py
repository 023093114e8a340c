"""The owner's side of a run: ask for it, stream its output, stop it in time, measure.

How a program is shut in stands in `kb.evidence.sandbox`.
"""

from __future__ import annotations

import codecs
import contextlib
import os
import re
import selectors
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Literal

from kb.errors import KbError, Untrusted
from kb.evidence.figures import read_figures
from kb.evidence.sandbox import canary, levels
from kb.evidence.sandbox.report import Report, read
from kb.evidence.trust import Consent
from kb.records import Outcome, Snippet

Stream = Literal["stdout", "stderr"]
OnOutput = Callable[[Stream, str], None]

_LARGEST_OUTPUT = 256 << 10
_GRACE = 2.0
_TICK = 0.05
_RSS_UNIT = 1 if sys.platform == "darwin" else 1024
_NUMPY = re.compile(r"\bnumpy\b")
_RANDOM = re.compile(r"\brandom\b")


@dataclass(frozen=True, slots=True)
class Limits:
    """What a snippet may take: wall time in seconds, memory in MiB of address space."""

    seconds: float = 10.0
    memory_mib: int = 1024


def run_snippet(
    snippet: Snippet,
    limits: Limits,
    on_output: OnOutput | None = None,
    stop: threading.Event | None = None,
    *,
    level: str | None = None,
) -> Outcome:
    """Run a snippet in a process of its own and return what came of it.

    It is shut in as far as this machine can (`sandbox_level`), or to another ``level``; where
    a layer of that cannot be put up, it is not run, and the outcome is ``refused``. It has a
    clean environment, a scratch folder that is removed afterwards, no terminal and none of
    this program's open files. ``on_output`` gets the text as it comes; setting ``stop`` ends
    the run. Trust is the caller's business.
    """
    _check_system()
    chosen = level or sandbox_level().level
    outcome = _Run(snippet, limits, on_output, stop or threading.Event(), chosen).go()
    if outcome.status == "refused" and level is None:
        levels.forget()
    return outcome


def sandbox_level(renew: bool = False) -> levels.Reached:
    """Return how far programs are shut in here; ``renew`` finds out anew."""
    return levels.reached(_tried, renew)


def check_level(snippet: Snippet, consent: Consent) -> None:
    """Raise `Untrusted` for code from elsewhere where programs cannot be shut in.

    Code of a trusted digest runs at every level; for other code the yes of `check_trust` is
    not enough here, unless the consent is also to what is ``unsafe``.
    """
    if consent.unsafe or snippet.digest in consent.trusted:
        return
    found = sandbox_level()
    if found.level == "limits-only":
        raise Untrusted(
            f"{snippet.id}: programs cannot be shut in on this machine, so one that did not come "
            f"with danesh was not run ({'; '.join(found.missing)})",
            "--unsafe-run runs it with your rights, with limits on time and memory only.",
        )


def refused(snippet: str, why: str, level: str = "") -> Outcome:
    """Return the outcome of a program that was not run."""
    level = level or sandbox_level().level
    shuts = levels.LEVELS[level].shuts
    return Outcome(
        snippet, "refused", None, "", f"{why}\n", False, 0.0, 0, shuts, {}, level, "sandbox"
    )


def _tried(level: str, code: str) -> str:
    """Run the canary at a level; return what was wrong, or nothing."""
    try:
        outcome = run_snippet(Snippet("canary", {}, code), Limits(), level=level)
    except KbError as error:
        return error.message
    return canary.problem(outcome.status, outcome.stdout, outcome.stderr)


def _check_system() -> None:
    if os.name != "posix":
        raise KbError(
            "programs cannot be run on this system: danesh has no way to limit them here",
            "On Windows, run danesh in WSL.",
        )


class _Run:
    """One run: its pipes, what has come from them, and why it was stopped, if it was."""

    def __init__(
        self,
        snippet: Snippet,
        limits: Limits,
        on_output: OnOutput | None,
        stop: threading.Event,
        level: str,
    ) -> None:
        self._snippet = snippet
        self._limits = limits
        self._on_output = on_output
        self._stop = stop
        self._level = level
        self._decoders = {
            name: codecs.getincrementaldecoder("utf-8")("replace") for name in ("stdout", "stderr")
        }
        self._text: dict[str, list[str]] = {"stdout": [], "stderr": []}
        self._taken = {"stdout": 0, "stderr": 0}
        self._report = b""
        self._stopped = ""

    def go(self) -> Outcome:
        from kb.evidence.sandbox.pool import POOL

        began = time.monotonic()
        control, theirs = socket.socketpair()
        pipes = {"stdout": os.pipe(), "stderr": os.pipe()}
        given = [theirs.fileno(), *(writing for _, writing in pipes.values())]
        walls = levels.LEVELS[self._level].walls
        with control:
            try:
                try:
                    server = POOL.ask(walls, self._wanted(), given)
                finally:
                    theirs.close()
                    for number in given[1:]:
                        os.close(number)
                self._order(control)
                ended = self._attend(control, pipes, began + self._limits.seconds)
                if not ended:
                    POOL.drop(server)
            except KbError as error:
                raise KbError(f"{self._snippet.id}: {error.message}", error.hint) from error
            finally:
                for reading, _ in pipes.values():
                    os.close(reading)
        return self._outcome(time.monotonic() - began)

    def _wanted(self) -> int:
        """Return what the program will load, by `kb.evidence.sandbox.server.LOADABLE`."""
        code = self._snippet.code
        numpy = bool(_NUMPY.search(code))
        return numpy | (numpy and bool(_RANDOM.search(code))) << 1

    def _order(self, control: socket.socket) -> None:
        """Send the program; a supervisor that is not there closes its pipes, which is seen."""
        name = "".join(c if c.isalnum() else "_" for c in self._snippet.id)[:100]
        memory, seconds = self._limits.memory_mib << 20, int(self._limits.seconds) + 1
        told = f"{name}.py\0{memory}\0{seconds}\0{self._snippet.code}".encode("utf-8", "replace")
        with contextlib.suppress(OSError):
            control.sendall(len(told).to_bytes(8, "big") + told)

    def _attend(
        self, control: socket.socket, pipes: dict[str, tuple[int, int]], deadline: float
    ) -> bool:
        """Read until all pipes are closed; stop the snippet when it takes too much.

        Return whether they were closed in time.
        """
        with selectors.DefaultSelector() as selector:
            selector.register(control, selectors.EVENT_READ, "report")
            for name, (reading, _) in pipes.items():
                selector.register(reading, selectors.EVENT_READ, name)
            while selector.get_map():
                for key, _ in selector.select(_TICK):
                    data = _read(key.fd)
                    if data:
                        self._take(str(key.data), data)
                    else:
                        selector.unregister(key.fileobj)
                if time.monotonic() > deadline + _GRACE:
                    return False
                self._look(control, deadline)
        return True

    def _take(self, pipe: str, data: bytes) -> None:
        if pipe == "report":
            self._report += data
            return
        kept = data[: max(0, _LARGEST_OUTPUT - self._taken[pipe])]
        self._taken[pipe] += len(data)
        text = self._decoders[pipe].decode(kept)
        if text:
            self._text[pipe].append(text)
            if self._on_output is not None:
                self._on_output("stdout" if pipe == "stdout" else "stderr", text)

    def _look(self, control: socket.socket, deadline: float) -> None:
        """Stop the snippet for the first reason there is."""
        if self._stopped:
            return
        if max(self._taken.values()) > _LARGEST_OUTPUT:
            self._stopped = "output"
        elif self._stop.is_set():
            self._stopped = "asked"
        elif time.monotonic() > deadline:
            self._stopped = "time"
        if self._stopped:
            with contextlib.suppress(OSError):
                control.shutdown(socket.SHUT_WR)

    def _tell(self, sentence: str) -> str:
        """Show a sentence of ours where the program would have written."""
        if self._on_output is not None:
            self._on_output("stderr", sentence)
        return sentence

    def _outcome(self, seconds: float) -> Outcome:
        report = read(self._report)
        stdout, stderr = ("".join(self._text[pipe]) for pipe in ("stdout", "stderr"))
        status, code, reason = self._ending(report)
        if report and report.refused:
            stderr += self._tell(f"not run: the sandbox could not be put up ({report.refused})\n")
        return Outcome(
            snippet=self._snippet.id,
            status=status,
            exit_code=code,
            stdout=stdout,
            stderr=stderr,
            truncated=max(self._taken.values()) > _LARGEST_OUTPUT,
            seconds=round(seconds, 4),
            peak_memory_bytes=report.peak * _RSS_UNIT if report else 0,
            isolation=levels.LEVELS[self._level].shuts,
            figures=read_figures(stdout),
            level=self._level,
            reason=reason,
        )

    def _ending(self, report: Report | None) -> tuple[str, int | None, str]:
        """Return status, exit code and reason: the owner's before the supervisor's and kernel's."""
        if self._stopped:
            status = "timeout" if self._stopped == "time" else "killed"
            return status, 128 + signal.SIGKILL, self._stopped
        if report is None:
            return "killed", 128 + signal.SIGKILL, "lost"
        if report.refused:
            return "refused", None, "sandbox"
        code = os.waitstatus_to_exitcode(report.status)
        if code >= 0:
            return ("failed" if code else "ok"), code, ""
        reason = report.reason or self._of_signal(-code, report)
        return ("timeout" if reason == "time" else "killed"), 128 - code, reason

    def _of_signal(self, number: int, report: Report) -> str:
        if number == signal.SIGKILL and report.milliseconds >= 1000 * int(self._limits.seconds + 1):
            return "time"
        return _SIGNALS.get(number, "signal")


_SIGNALS: dict[int, str] = {
    signal.SIGXCPU: "time",
    signal.SIGSYS: "call",
    signal.SIGKILL: "memory",
    signal.SIGXFSZ: "disk",
}
"""What it means that a program was ended by a signal that we did not send."""


def _read(descriptor: int) -> bytes:
    """Read what is there; of what the other side has broken off there is no more."""
    try:
        return os.read(descriptor, 1 << 16)
    except ConnectionResetError:
        return b""

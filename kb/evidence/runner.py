"""The owner's side of a run: ask for it, stream its output, stop it in time, measure.

How a program is shut in stands in `kb.evidence.sandbox`.
"""

from __future__ import annotations

import codecs
import contextlib
import os
import re
import selectors
import socket
import sys
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Literal

from kb.errors import KbError, Untrusted
from kb.evidence.ending import ending
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
        began = time.monotonic()
        complaint = self._served(began + self._limits.seconds)
        return self._outcome(time.monotonic() - began, read(self._report), complaint)

    def _served(self, deadline: float) -> str:
        """Have the program run; return what the process above complained of, if it ended."""
        from kb.evidence.sandbox.pool import POOL

        walls = levels.LEVELS[self._level].walls
        with contextlib.ExitStack() as ours:
            control, theirs = socket.socketpair()
            ours.enter_context(control)
            with theirs, contextlib.ExitStack() as given:
                pipes = {name: _pipe(ours, given) for name in self._text}
                numbers = [theirs.fileno(), *(writing for _, writing in pipes.values())]
                try:
                    server = POOL.ask(walls, self._wanted(), numbers)
                except KbError as error:
                    return error.message
            self._order(control)
            ended = self._attend(control, {name: end for name, (end, _) in pipes.items()}, deadline)
            if ended and (self._report or not server.has_ended()):
                return ""
            return POOL.drop(server)

    def _wanted(self) -> int:
        """Return what the program will load, by `kb.evidence.sandbox.server.LOADABLE`."""
        code = self._snippet.code
        numpy = bool(_NUMPY.search(code))
        return numpy | (numpy and bool(_RANDOM.search(code))) << 1

    def _order(self, control: socket.socket) -> None:
        """Send the program; a supervisor that is not there closes its pipes, which is seen."""
        name = "".join(c if c.isalnum() else "_" for c in self._snippet.id)[:60]
        memory, seconds = self._limits.memory_mib << 20, int(self._limits.seconds) + 1
        told = f"{name}.py\0{memory}\0{seconds}\0{self._snippet.code}".encode("utf-8", "replace")
        with contextlib.suppress(OSError):
            control.sendall(len(told).to_bytes(8, "big") + told)

    def _attend(self, control: socket.socket, pipes: Mapping[str, int], deadline: float) -> bool:
        """Read until all pipes are closed; stop the snippet when it takes too much.

        Return whether they were closed in time.
        """
        with selectors.DefaultSelector() as selector:
            selector.register(control, selectors.EVENT_READ, "report")
            for name, reading in pipes.items():
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

    def _outcome(self, seconds: float, report: Report | None, complaint: str) -> Outcome:
        stdout, stderr = ("".join(self._text[pipe]) for pipe in ("stdout", "stderr"))
        status, code, reason = ending(report, self._stopped, self._limits.seconds)
        if status == "refused":
            why = (report.refused if report else complaint) or "its process ended at once"
            stderr += self._tell(f"not run: the sandbox could not be put up ({why})\n")
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


def _pipe(ours: contextlib.ExitStack, given: contextlib.ExitStack) -> tuple[int, int]:
    """Return the ends of a pipe, of which each side closes one."""
    reading, writing = os.pipe()
    ours.callback(os.close, reading)
    given.callback(os.close, writing)
    return reading, writing


def _read(descriptor: int) -> bytes:
    """Read what is there; of what the other side has broken off there is no more."""
    try:
        return os.read(descriptor, 1 << 16)
    except ConnectionResetError:
        return b""

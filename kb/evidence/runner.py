"""The client side of a run: start it, stream its output, stop it in time, measure it.

`kb.evidence.sandbox` isolates the program.
"""

from __future__ import annotations

import codecs
import contextlib
import math
import os
import re
import selectors
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import IO, NamedTuple

from kb.errors import KbError, Untrusted
from kb.evidence.sandbox import canary, levels
from kb.evidence.sandbox.protocol import Program, Report, read, request
from kb.evidence.trust import Consent
from kb.limits import MEMORY, SECONDS
from kb.model.entry import Snippet
from kb.model.reports import Outcome

OnOutput = Callable[[str, str], None]
"""Called with the stream (stdout, stderr) and the text of a program's output."""

_LARGEST_OUTPUT = 256 << 10
_GRACE = 2.0
_TICK = 0.05
_RSS_UNIT = 1 if sys.platform == "darwin" else 1024
_ROOT = str(Path(__file__).absolute().parents[2])
_CHILD = f"""
import sys
sys.path.insert(0, {_ROOT!r})
from kb.evidence.sandbox.supervisor import serve
sys.path.remove({_ROOT!r})
sys.dont_write_bytecode = True  # what is loaded from here on is a program's business
serve(int(sys.argv[1]), *sys.argv[2:])
"""
_ENVIRONMENT = {
    "LANG": "C.UTF-8",
    "NO_COLOR": "1",
    # One thread: threads take address space and time that are then not the snippet's.
    "OPENBLAS_NUM_THREADS": "1",
    "OMP_NUM_THREADS": "1",
    "MKL_NUM_THREADS": "1",
}
"""The whole environment of a program, without the reader's variables."""

_KILLED = 128 + 9
_SIGNALS = {"SIGXCPU": "time", "SIGSYS": "call", "SIGKILL": "memory", "SIGXFSZ": "disk"}
"""What a signal means that danesh did not send."""


@dataclass(frozen=True, slots=True)
class Limits:
    """The limits of a program: time in seconds, memory in MiB of address space.

    ``seconds`` is processor time, and ``patience`` times as much is wall time: above 1 where a
    busy machine must not change the result.
    """

    seconds: float = SECONDS
    memory_mib: int = MEMORY
    patience: float = 1.0


def run_snippet(
    snippet: Snippet,
    limits: Limits,
    on_output: OnOutput | None = None,
    stop: threading.Event | None = None,
    *,
    level: str | None = None,
) -> Outcome:
    """Run a program in its own process and return the outcome.

    It is isolated as far as this machine can (`sandbox_level`), or at another ``level``; if a
    layer of that fails, the program does not run and the outcome is ``refused``. It has a clean
    environment, a temporary folder, no terminal and no open files of this process. ``on_output``
    gets the output as it comes; setting ``stop`` ends the run. The caller checks trust.
    """
    if os.name != "posix":
        raise KbError(
            "programs do not run on this system, because danesh cannot limit them",
            "On Windows, run danesh in WSL.",
        )
    chosen = level or sandbox_level().level
    outcome = _Run(snippet, limits, on_output, stop or threading.Event(), chosen).go()
    if outcome.status == "refused" and level is None:
        levels.reached.cache_clear()
    return outcome


def sandbox_level(renew: bool = False) -> levels.Reached:
    """Return the sandbox level of this machine; ``renew`` tests it again."""
    if renew:
        levels.reached.cache_clear()
    return levels.reached(_tried)


def check_level(snippet: Snippet, consent: Consent) -> None:
    """Raise `Untrusted` for untrusted code if there is no sandbox.

    Trusted code runs at every level. Without a sandbox, other code also needs consent to
    ``unsafe`` runs.
    """
    if consent.unsafe or snippet.digest in consent.trusted:
        return
    found = sandbox_level()
    if found.level == "limits-only":
        raise Untrusted(
            "no sandbox works here, so untrusted code was not run ({missing})",
            "--unsafe-run runs it with your rights, with limits on time and memory only.",
            place=snippet.id,
            missing="; ".join(found.missing),
        )


def _tried(level: str, code: str) -> str:
    """Run the canary at a level; return what failed, or nothing."""
    try:
        outcome = run_snippet(Snippet("canary", {}, code), Limits(), level=level)
    except KbError as error:
        return error.message
    return canary.problem(outcome.status, outcome.stdout, outcome.stderr)


@dataclass
class _Run:
    """One run: its pipes, its output so far, and why it was stopped, if it was."""

    snippet: Snippet
    limits: Limits
    on_output: OnOutput | None
    stop: threading.Event
    level: str
    text: dict[str, str] = field(default_factory=lambda: {"stdout": "", "stderr": ""})
    taken: dict[str, int] = field(default_factory=lambda: {"stdout": 0, "stderr": 0})
    report: bytes = b""
    stopped: str = ""

    def __post_init__(self) -> None:
        decoder = codecs.getincrementaldecoder("utf-8")
        self._decoders = {name: decoder("replace") for name in self.text}

    def go(self) -> Outcome:
        began = time.monotonic()
        complaint = ""
        try:
            self._serve(began + self.limits.seconds * self.limits.patience)
        except OSError as error:
            complaint = f"Python cannot be started ({error})"
        return self._outcome(time.monotonic() - began, read(self.report), complaint)

    def _serve(self, deadline: float) -> None:
        """Start a process, send it the program and watch both; kill what does not end in time.

        Raises `OSError` if no process can be started.
        """
        name = "".join(c if c.isalnum() else "_" for c in self.snippet.id)[:60]
        memory, seconds = self.limits.memory_mib << 20, int(self.limits.seconds) + 1
        program = Program(f"{name}.py", memory, seconds, self.snippet.code)
        control, theirs = socket.socketpair()
        # The socket is closed before the process is waited for: that ends what still runs.
        with contextlib.ExitStack() as started, control:
            with theirs:
                process = started.enter_context(_process(levels.LEVELS[self.level], theirs))
            with contextlib.suppress(OSError):  # a dead supervisor is noticed by its closed pipes
                control.sendall(request(program))
            if not self._attend(control, process, deadline):
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    os.killpg(process.pid, signal.SIGKILL)

    def _attend(
        self, control: socket.socket, process: subprocess.Popen[bytes], deadline: float
    ) -> bool:
        """Read until all pipes are closed; stop the program if it exceeds a limit.

        Return whether they were closed in time.
        """
        pipes: dict[str, socket.socket | IO[bytes] | None] = {
            "report": control, "stdout": process.stdout, "stderr": process.stderr
        }  # fmt: skip
        with selectors.DefaultSelector() as selector:
            for name, pipe in pipes.items():
                if pipe is not None:
                    selector.register(pipe, selectors.EVENT_READ, name)
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
            self.report += data
            return
        kept = data[: max(0, _LARGEST_OUTPUT - self.taken[pipe])]
        self.taken[pipe] += len(data)
        text = self._decoders[pipe].decode(kept)
        self.text[pipe] += text
        if text and self.on_output is not None:
            self.on_output(pipe, text)

    def _look(self, control: socket.socket, deadline: float) -> None:
        """Stop the program for the first reason found."""
        if self.stopped:
            return
        if max(self.taken.values()) > _LARGEST_OUTPUT:
            self.stopped = "output"
        elif self.stop.is_set():
            self.stopped = "asked"
        elif time.monotonic() > deadline:
            self.stopped = "time"
        if self.stopped:
            with contextlib.suppress(OSError):
                control.shutdown(socket.SHUT_WR)

    def _outcome(self, seconds: float, report: Report | None, complaint: str) -> Outcome:
        stdout, stderr = self.text.values()
        status, code, reason = ending(report, self.stopped, self.limits.seconds)
        if status == "refused":
            said = complaint or stderr.strip().rpartition("\n")[2]
            why = (report.refused if report else said) or "its process ended at once"
            told = f"not run: the sandbox could not be put up ({why})\n"
            if self.on_output is not None:
                self.on_output("stderr", told)
            stderr += told
        return Outcome(
            snippet=self.snippet.id,
            status=status,
            exit_code=code,
            stdout=stdout,
            stderr=stderr,
            truncated=max(self.taken.values()) > _LARGEST_OUTPUT,
            seconds=round(seconds, 4),
            peak_memory_bytes=report.peak * _RSS_UNIT if report else 0,
            isolation=levels.SHUT_IN if levels.LEVELS[self.level] else levels.LIMITED,
            figures=read_figures(stdout),
            level=self.level,
            reason=reason,
        )


@contextlib.contextmanager
def _process(layers: Sequence[str], control: socket.socket) -> Iterator[subprocess.Popen[bytes]]:
    """Start the process of a run, which gets ``control``, and wait until it ends.

    It has its own session, so that no terminal signal reaches it.
    """
    from kb.evidence.sandbox.scratch import scratch_folder

    with contextlib.ExitStack() as kept:
        if "bubblewrap" in layers:
            place = levels.SCRATCH
            before = levels.within_bubblewrap(levels.bubblewrap() or "bwrap")
        else:
            place, before = kept.enter_context(scratch_folder()), []
        command = [*before, sys.executable, "-I", "-X", "utf8", "-c", _CHILD]
        command += [str(control.fileno()), place, *layers]
        yield kept.enter_context(
            subprocess.Popen(
                command,
                cwd="/",
                env=_ENVIRONMENT,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.PIPE,
                stderr=subprocess.PIPE,
                pass_fds=(control.fileno(),),
                start_new_session=True,
            )
        )


def _read(descriptor: int) -> bytes:
    """Read what is available; treat a broken connection as the end."""
    try:
        return os.read(descriptor, 1 << 16)
    except ConnectionResetError:
        return b""


class Ending(NamedTuple):
    """The status and exit code of an outcome, and its reason from `kb.model.reports.REASONS`."""

    status: str
    code: int | None
    reason: str


def ending(report: Report | None, stopped: str, seconds: float) -> Ending:
    """Return how a run ended; ``stopped`` is the reason if danesh stopped it.

    ``seconds`` is its time limit. The client's own stop takes precedence over the report, and the
    report over a signal.

    >>> ending(Report(status=9, reason="disk"), "", 10)
    Ending(status='killed', code=137, reason='disk')
    >>> ending(None, "output", 10)
    Ending(status='killed', code=137, reason='output')
    >>> ending(Report(refused="Landlock: not there"), "", 10).status
    'refused'
    """
    if stopped:
        return Ending("timeout" if stopped == "time" else "killed", _KILLED, stopped)
    if report is None or report.refused:
        return Ending("refused", None, "sandbox")
    if report.lost:
        return Ending("killed", _KILLED, "lost")
    code = os.waitstatus_to_exitcode(report.status)
    if code >= 0:
        return Ending("failed" if code else "ok", code, "")
    reason = report.reason or _of_signal(-code, report, seconds)
    return Ending("timeout" if reason == "time" else "killed", 128 - code, reason)


def _of_signal(number: int, report: Report, seconds: float) -> str:
    """Return the meaning of a signal: SIGKILL above the time limit is the kernel's limit."""
    name = signal.Signals(number).name if number in set(signal.Signals) else ""
    if name == "SIGKILL" and report.milliseconds >= 1000 * int(seconds + 1):
        return "time"
    return _SIGNALS.get(name, "signal")


# The figures that a program prints: lines of the form ``name: value``.


_FIGURE = re.compile(
    r"^([a-z_][a-z0-9_]*): ([-+]?(?:\d+(?:\.\d*)?|\.\d+)(?:e[-+]?\d+)?)[ \t\r]*$",
    re.MULTILINE | re.IGNORECASE | re.ASCII,
)


def read_figures(output: str) -> Mapping[str, float]:
    """Return the figures by name; the last one counts if a name is repeated.

    >>> read_figures("table: 3 rows\\nvalues_held: 2272\\nerror: 1.5e-07\\n")
    {'values_held': 2272.0, 'error': 1.5e-07}
    """
    found = {name: float(value) for name, value in _FIGURE.findall(output)}
    return {name: value for name, value in found.items() if math.isfinite(value)}

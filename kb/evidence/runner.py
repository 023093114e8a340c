"""The parent's side of a run: start the child, stream its output, stop it in time, measure."""

from __future__ import annotations

import codecs
import contextlib
import json
import os
import selectors
import signal
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Literal

from kb.errors import KbError
from kb.evidence.figures import read_figures
from kb.records import Outcome, Snippet

Stream = Literal["stdout", "stderr"]
OnOutput = Callable[[Stream, str], None]

_CHILD = Path(__file__).with_name("child.py")
_LARGEST_OUTPUT = 256 << 10
_GRACE = 2.0
_TICK = 0.05
_RSS_UNIT = 1 if sys.platform == "darwin" else 1024


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
) -> Outcome:
    """Run a snippet in a process of its own and return what came of it.

    The child has a clean environment, a scratch folder that is removed afterwards, no
    terminal and none of this program's open files. ``on_output`` gets the text as it
    comes; setting ``stop`` ends the run. Trust is the caller's business.
    """
    with tempfile.TemporaryDirectory(prefix="danesh-", ignore_cleanup_errors=True) as scratch:
        name = f"{''.join(c if c.isalnum() else '_' for c in snippet.id)}.py"
        Path(scratch, name).write_text(snippet.code, encoding="utf-8", errors="replace")
        return _Run(snippet.id, limits, on_output, stop or threading.Event()).go(scratch, name)


class _Run:
    """One run: its pipes, what has come from them, and why it was stopped, if it was."""

    def __init__(
        self, snippet: str, limits: Limits, on_output: OnOutput | None, stop: threading.Event
    ) -> None:
        self._snippet = snippet
        self._limits = limits
        self._on_output = on_output
        self._stop = stop
        self._decoders = {
            name: codecs.getincrementaldecoder("utf-8")("replace") for name in ("stdout", "stderr")
        }
        self._text: dict[str, list[str]] = {"stdout": [], "stderr": []}
        self._taken = {"stdout": 0, "stderr": 0}
        self._report = b""
        self._stopped: str | None = None

    def go(self, scratch: str, name: str) -> Outcome:
        began = time.monotonic()
        reading, writing = os.pipe()
        try:
            process = self._start(scratch, name, writing)
        except OSError as error:
            os.close(reading)
            raise KbError(f"{self._snippet}: Python cannot be started ({error})") from error
        finally:
            os.close(writing)
        try:
            self._attend(process, reading, began + self._limits.seconds)
        finally:
            self._end(process)
            os.close(reading)
        return self._outcome(time.monotonic() - began)

    def _start(self, scratch: str, name: str, report: int) -> subprocess.Popen[bytes]:
        config = {
            "name": name,
            "report": report,
            "memory_bytes": self._limits.memory_mib << 20,
            "cpu_seconds": int(self._limits.seconds) + 1,
        }
        command = [sys.executable, "-I", "-B", "-X", "utf8", str(_CHILD)]
        return subprocess.Popen(
            [*command, json.dumps(config)],
            cwd=scratch,
            env=_environment(scratch),
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            pass_fds=(report,),
            start_new_session=True,
        )

    def _attend(self, process: subprocess.Popen[bytes], report: int, deadline: float) -> None:
        """Read until all pipes are closed; stop the snippet when it takes too much."""
        assert process.stdout is not None and process.stderr is not None
        with selectors.DefaultSelector() as selector:
            selector.register(process.stdout, selectors.EVENT_READ, "stdout")
            selector.register(process.stderr, selectors.EVENT_READ, "stderr")
            selector.register(report, selectors.EVENT_READ, "report")
            while selector.get_map():
                for key, _ in selector.select(_TICK):
                    data = os.read(key.fd, 1 << 16)
                    if data:
                        self._take(str(key.data), data)
                    else:
                        selector.unregister(key.fileobj)
                if time.monotonic() > deadline + _GRACE:
                    return
                self._look(deadline)

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

    def _look(self, deadline: float) -> None:
        """Stop the snippet for the first reason there is."""
        if self._stopped is None:
            if max(self._taken.values()) > _LARGEST_OUTPUT or self._stop.is_set():
                self._stopped = "killed"
            elif time.monotonic() > deadline:
                self._stopped = "timeout"
        if self._stopped is not None:
            self._kill_snippet()

    def _kill_snippet(self) -> None:
        pid = self._facts().get("pid")
        if isinstance(pid, int):
            for kill in (os.killpg, os.kill):
                with contextlib.suppress(ProcessLookupError, PermissionError):
                    kill(pid, signal.SIGKILL)

    def _end(self, process: subprocess.Popen[bytes]) -> None:
        """Leave nothing behind: neither the snippet nor the process above it."""
        try:
            process.wait(_GRACE)
        except subprocess.TimeoutExpired:
            self._kill_snippet()
            with contextlib.suppress(ProcessLookupError):
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        for pipe in (process.stdout, process.stderr):
            if pipe is not None:
                pipe.close()

    def _facts(self) -> dict[str, object]:
        """Return what the child has reported so far, in whole lines."""
        facts: dict[str, object] = {}
        for line in self._report.split(b"\n")[:-1]:
            facts.update(json.loads(line))
        return facts

    def _outcome(self, seconds: float) -> Outcome:
        facts = self._facts()
        raw = facts.get("status")
        code = os.waitstatus_to_exitcode(raw) if isinstance(raw, int) else -signal.SIGKILL
        peak = facts.get("peak")
        stdout, stderr = ("".join(self._text[pipe]) for pipe in ("stdout", "stderr"))
        return Outcome(
            snippet=self._snippet,
            status=self._stopped or _status(code),
            exit_code=code if code >= 0 else 128 - code,
            stdout=stdout,
            stderr=stderr,
            truncated=max(self._taken.values()) > _LARGEST_OUTPUT,
            seconds=round(seconds, 4),
            peak_memory_bytes=peak * _RSS_UNIT if isinstance(peak, int) else 0,
            isolation=("memory", "cpu") if facts.get("root") else ("memory", "cpu", "processes"),
            figures=read_figures(stdout),
        )


def _status(code: int) -> str:
    if code == -signal.SIGXCPU:
        return "timeout"
    return "ok" if code == 0 else "killed" if code < 0 else "failed"


def _environment(scratch: str) -> dict[str, str]:
    """Return an environment that holds nothing of the reader's."""
    return {
        "HOME": scratch,
        "TMPDIR": scratch,
        "LANG": "C.UTF-8",
        "NO_COLOR": "1",
        # One thread: threads take address space and time that are then not the snippet's.
        "OPENBLAS_NUM_THREADS": "1",
        "OMP_NUM_THREADS": "1",
        "MKL_NUM_THREADS": "1",
    }

"""How long one waits for danesh to start, beside its rivals: ``python tests/bench/startup.py``.

Prints one table. Every figure is the median of interleaved runs in one go on one machine;
what counts is the ratio. The database is made in a folder of its own.
"""

from __future__ import annotations

import argparse
import fcntl
import os
import platform
import pty
import signal
import statistics
import struct
import subprocess
import sys
import tempfile
import termios
import time
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

ROOT = Path(__file__).resolve().parents[2]
BIN = Path(sys.executable).parent
QUERY = "gradient memory"
EMPTY_APP = """
from textual.app import App
from textual.widgets import Input

class Empty(App):
    def compose(self):
        yield Input(placeholder="Search")

Empty().run()
"""
UNCOMPILED = "PYTHONDONTWRITEBYTECODE"
PAINTED = b"earch"  # its first letter is under the cursor in one of the two


class Row(NamedTuple):
    """A comparison: what is measured, beside what, and the most the ratio may be."""

    name: str
    ours: Callable[[], float]
    rival: str
    theirs: Callable[[], float]
    most: float


def clock(*command: str) -> Callable[[], float]:
    """Return what runs a command and gives its seconds."""

    def run() -> float:
        began = time.perf_counter()
        quiet = subprocess.DEVNULL
        subprocess.run(command, check=True, stdout=quiet, stderr=quiet, env=environment())
        return time.perf_counter() - began

    return run


def painted(*command: str) -> Callable[[], float]:
    """Return what opens an app in a terminal and gives the seconds to its first screen."""

    def run() -> float:
        began = time.perf_counter()
        process, terminal = pty.fork()
        if not process:
            os.execve(command[0], command, environment())
        fcntl.ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
        seen = b""
        while PAINTED not in seen:
            seen += os.read(terminal, 1 << 16)
        seconds = time.perf_counter() - began
        os.kill(process, signal.SIGKILL)
        os.waitpid(process, 0)
        os.close(terminal)
        return seconds

    return run


def environment() -> dict[str, str]:
    """Return an environment in which the checkout is what is imported, as if it was installed.

    Installing compiles a program, as it did the rivals: the runs to warm up do so here.
    """
    kept = {name: value for name, value in os.environ.items() if name != UNCOMPILED}
    return {**kept, "PYTHONPATH": str(ROOT), "TERM": "xterm-256color"}


def rows(database: str) -> list[Row]:
    """Return the comparisons."""
    python = sys.executable
    kb, sqlite_utils = str(BIN / "kb"), str(BIN / "sqlite-utils")
    copy = f"{database}.copy"
    export = [kb, "--db", database, "export", "-f", "sqlite", "-o", copy]
    subprocess.run(export, check=True, env=environment(), stderr=subprocess.DEVNULL)
    return [
        Row(
            "kb search, from nothing",
            clock(kb, "--db", database, "search", QUERY),
            "sqlite-utils search, a copy of it",
            clock(sqlite_utils, "search", copy, "document", "gradient OR memory", "--limit", "10"),
            1.0,
        ),
        Row(
            "kb --help",
            clock(kb, "--help"),
            "import click",
            clock(python, "-c", "import click"),
            2.0,
        ),
        Row(
            "kb, from the start to the first screen",
            painted(kb),
            "an empty Textual app",
            painted(python, "-c", EMPTY_APP),
            1.3,
        ),
    ]


def main() -> int:
    """Measure, print the table, and fail where a ratio is above what is promised."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--runs", type=int, default=15)
    runs = parser.parse_args().runs
    with tempfile.TemporaryDirectory() as folder:
        database = str(Path(folder) / "kb.db")
        os.environ["KB_DB"] = database
        subprocess.run([BIN / "kb", "--db", database, "init"], check=True, env=environment())
        print(
            f"Python {platform.python_version()}, {os.cpu_count()} cores, median of {runs} runs\n"
        )
        print("| | ms | beside | ms | ratio | at most |\n|---|---|---|---|---|---|")
        failed = 0
        for row in rows(database):
            ours, theirs = measure(row, runs)
            ratio = ours / theirs
            failed += ratio > row.most
            print(
                f"| {row.name} | {ours * 1000:.0f} | {row.rival} | {theirs * 1000:.0f} "
                f"| {ratio:.2f} | {row.most:g} |"
            )
    return int(failed > 0)


def measure(row: Row, runs: int) -> tuple[float, float]:
    """Return the median seconds of both sides, run in turn after one run to warm up."""
    pairs = [(row.ours(), row.theirs()) for _ in range(runs + 1)][1:]
    return (
        statistics.median(pair[0] for pair in pairs),
        statistics.median(pair[1] for pair in pairs),
    )


if __name__ == "__main__":
    sys.exit(main())

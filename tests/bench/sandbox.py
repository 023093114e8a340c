"""What shutting programs in costs: ``python -m tests.bench.sandbox``.

Beside a bare ``python -I`` that runs the same program, in turn; and from the process that is
forked before, as the app and ``kb verify`` run the second program and those after it. Prints
one table; fails where a figure is above what is promised. On a machine that is busy otherwise
start it by ``chrt -f 10``, so that the figures are those of the programs alone.
"""

from __future__ import annotations

import argparse
import contextlib
import datetime
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

from kb.evidence.runner import Limits, run_snippet, sandbox_level
from kb.evidence.sandbox import levels
from kb.evidence.sandbox.pool import POOL
from kb.records import Snippet

PROGRAM = "import numpy as np\nprint('total:', np.arange(1000.0).sum())\n"
_ADDED_AT_MOST = 25
_AGAIN_AT_MOST = 60


class Row(NamedTuple):
    """What was measured at a level, in milliseconds, and the most it may be."""

    name: str
    figure: str
    measured: float
    most: float


def first(level: str) -> None:
    """Run the program as the first of a process."""
    again(level)
    POOL.close()


def again(level: str) -> None:
    """Run the program."""
    outcome = run_snippet(Snippet("bench", {}, PROGRAM), Limits(), level=level)
    if outcome.status != "ok":
        raise SystemExit(f"{level}: {outcome.status}: {outcome.stderr}")


def bare(program: str) -> None:
    """Run the program by Python alone, as the sandbox's is started."""
    command = [sys.executable, "-I", "-X", "utf8", program]
    environment = {"OPENBLAS_NUM_THREADS": "1"}
    subprocess.run(command, check=True, capture_output=True, env=environment)


def clock(deed: Callable[[], None]) -> float:
    """Return the milliseconds that something takes."""
    began = time.perf_counter()
    deed()
    return (time.perf_counter() - began) * 1000


def measured(level: str, runs: int) -> Iterator[Row]:
    """Yield the rows of a level: what it adds to a bare run, and how long a later run takes."""
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder, "program.py")
        program.write_text(PROGRAM)
        turns = [
            (clock(lambda: bare(str(program))), clock(lambda: first(level)))
            for _ in range(runs + 1)
        ][1:]
    alone = statistics.median(each for each, _ in turns)
    added = statistics.median(shut_in - each for each, shut_in in turns)
    yield Row(f"{level}, the first run", f"added to {alone:.0f} bare, p50", added, _ADDED_AT_MOST)
    again(level)
    later = sorted(clock(lambda: again(level)) for _ in range(4 * runs))
    p95 = later[int(len(later) * 0.95)]
    yield Row(f"{level}, a later run", "p50", statistics.median(later), _AGAIN_AT_MOST)
    yield Row(f"{level}, a later run", "p95", p95, _AGAIN_AT_MOST)


def main() -> int:
    """Measure every level that there is, print the table, fail where a promise is broken."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--runs", type=int, default=40)
    runs = parser.parse_args().runs
    names = list(levels.LEVELS)
    there = names[names.index(sandbox_level().level) :]
    user = "root" if os.getuid() == 0 else "an ordinary user"
    print(
        f"{datetime.datetime.now(datetime.UTC).date()}, Python {platform.python_version()}, "
        f"{os.cpu_count()} cores; as {user}, {runs} runs in turn\n"
    )
    print("| | | ms | at most |\n|---|---|---|---|")
    failed = 0
    for row in (row for name in there for row in measured(name, runs)):
        failed += row.measured > row.most
        print(f"| {row.name} | {row.figure} | {row.measured:.1f} | {row.most:g} |", flush=True)
    return int(failed > 0)


if __name__ == "__main__":
    with contextlib.suppress(BrokenPipeError):
        sys.exit(main())

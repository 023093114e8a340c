"""What shutting programs in costs: ``python -m tests.bench.sandbox``.

Beside a bare ``python -I`` that runs the same program, in turn. Prints one table; fails where
a figure is above what is promised. On a machine that is busy otherwise start it by
``chrt -f 10``, so that the figures are those of the programs alone.
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
from collections.abc import Callable
from pathlib import Path

from kb.evidence.runner import Limits, run_snippet, sandbox_level
from kb.evidence.sandbox import levels
from kb.model.entry import Snippet

PROGRAM = "import numpy as np\nprint('total:', np.arange(1000.0).sum())\n"
_ADDED_AT_MOST = 25


def shut_in(level: str) -> None:
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


def measured(level: str, runs: int) -> tuple[float, float]:
    """Return the medians of a bare run and of what a level adds to it, in milliseconds."""
    with tempfile.TemporaryDirectory() as folder:
        program = Path(folder, "program.py")
        program.write_text(PROGRAM)
        turns = [
            (clock(lambda: bare(str(program))), clock(lambda: shut_in(level)))
            for _ in range(runs + 1)
        ][1:]
    alone = statistics.median(each for each, _ in turns)
    return alone, statistics.median(took - each for each, took in turns)


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
    print("| level | bare run, p50, ms | added, p50, ms | at most |\n|---|---|---|---|")
    failed = 0
    for name in there:
        alone, added = measured(name, runs)
        failed += added > _ADDED_AT_MOST
        print(f"| {name} | {alone:.0f} | {added:.1f} | {_ADDED_AT_MOST} |", flush=True)
    return int(failed > 0)


if __name__ == "__main__":
    with contextlib.suppress(BrokenPipeError):
        sys.exit(main())

"""Try what danesh promises to withstand, and print what came of it.

python -m tests.robustness                       all of it in short, with the controls
python -m tests.robustness --long                the same with the numbers of every night
python -m tests.robustness kills --long          one trial at length
python -m tests.robustness kills --amount 300 --seed 7
"""

from __future__ import annotations

import argparse
import importlib
import subprocess
import sys
import time
from concurrent.futures import ThreadPoolExecutor

from tests.plugin import compile_danesh
from tests.robustness.trial import Attempt, Tally, Trial, keep

NAMES: tuple[str, ...] = (
    "kills", "sandbox", "queries", "consent", "io_faults", "crowd", "power_cuts", "terminal",
    "files", "damage", "audit",
)  # fmt: skip
_AT_ONCE = 2
"""So many trials run beside each other: many wait more than they work, and none judges seconds."""


def main() -> int:
    options = _options()
    names = options.names or NAMES
    if len(names) == 1:
        return _tried(names[0], options)
    compile_danesh()
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        return max(pool.map(lambda name: _in_a_process(name, options), names))


def _in_a_process(name: str, options: argparse.Namespace) -> int:
    """Try one thing in a process of its own, and print what it says once it has ended."""
    chosen = ["--seed", str(options.seed)]
    if options.long:
        chosen.append("--long")
    if options.amount:
        chosen += ["--amount", str(options.amount)]
    command = [sys.executable, "-m", "tests.robustness", name, *chosen]
    done = subprocess.run(
        command, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
    )
    print(done.stdout, end="", flush=True)
    return done.returncode


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser("python -m tests.robustness")
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(NAMES))
    parser.add_argument("--long", action="store_true", help="as often as is promised")
    parser.add_argument("--amount", type=int, help="so often")
    parser.add_argument("--seed", type=int, default=1)
    options = parser.parse_args()
    unknown = [name for name in options.names if name not in NAMES]
    if unknown:
        parser.error(f"there is no trial '{unknown[0]}'; there are {', '.join(NAMES)}")
    return options


def _tried(name: str, options: argparse.Namespace) -> int:
    """Try one thing and its control; return 1 where the promise or the control failed."""
    trial: Trial = importlib.import_module(f"tests.robustness.{name}").TRIAL
    amount = options.amount or (trial.long if options.long else trial.short)
    print(f"{name}: {trial.promise}", flush=True)
    tally = _timed("tried", trial.run, amount, options.seed)
    for finding in tally.findings[:20]:
        print(f"  WRONG {finding.said}", flush=True)
        if finding.case is not None:
            print(f"        kept in {keep(name, finding.case)}", flush=True)
    control = _timed("control", trial.control, trial.controls, options.seed)
    if not control.findings:
        print("  WRONG the control found nothing", flush=True)
    return int(bool(tally.findings) or not control.findings)


def _timed(what: str, attempt: Attempt, amount: int, seed: int) -> Tally:
    began = time.monotonic()
    tally = attempt(amount, seed)
    figures = "".join(f", {name} {value}" for name, value in tally.figures.items())
    print(
        f"  {what} {tally.done:,} times from seed {seed}: {len(tally.findings)} went wrong{figures}"
        f" ({time.monotonic() - began:.0f} s)",
        flush=True,
    )
    return tally


if __name__ == "__main__":
    sys.exit(main())

"""Many random sequences of changes, held against the model; each is known by its seed.

Run as ``python -m tests.service.long_changes --sequences 10000 [--first SEED] [--steps 25]``.
"""

from __future__ import annotations

import argparse
import os
import shutil
import sys
import tempfile
from collections.abc import Iterable
from pathlib import Path

from kb import open_library
from tests.service.sequences import Sequence


def run_many(
    seeds: Iterable[int], steps: int, template: Path, folder: Path, most: int = 3
) -> list[str]:
    """Run a sequence for each seed on a copy of a base; return the first failures."""
    failed: list[str] = []
    for seed in seeds:
        place = folder / f"seed-{seed}"
        place.mkdir()
        if found := Sequence(seed, template, place).run(steps):
            failed.append(f"seed {seed}: {found}")
        shutil.rmtree(place)
        if len(failed) >= most:
            break
    return failed


def main() -> int:
    """Run what is asked on the command line; return 1 where anything differs."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--sequences", type=int, default=10_000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--steps", type=int, default=25)
    parser.add_argument("--bundled", action="store_true", help="begin with what comes with danesh")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        os.environ["HOME"] = os.environ["XDG_DATA_HOME"] = name
        template = folder / "template.db"
        open_library(template, bundled=asked.bundled).close()
        last = asked.first + asked.sequences
        failed: list[str] = []
        for start in range(asked.first, last, 500):
            seeds = range(start, min(start + 500, last))
            found = run_many(seeds, asked.steps, template, folder)
            failed += found
            done = seeds.stop - asked.first
            print(*found, f"{done} sequences, {len(failed)} failed", sep="\n", flush=True)
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main())

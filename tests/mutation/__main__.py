"""Put small faults into the code, and see which the tests notice.

python -m tests.mutation                          every area, 150 mutants each
python -m tests.mutation ranking query --seed 2   another draw
python -m tests.mutation --change HEAD~1          mutants of the lines changed since a commit

The tests of a mutant are those that run its line, quickest first. Which those are, a run of them
all says first, which takes minutes; `--covered FOLDER` takes what an earlier one wrote. That of a
change leaves out the tests marked ``long``.
"""

from __future__ import annotations

import argparse
import csv
import math
import os
import random
import subprocess
import sys
import tempfile
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from tests.mutation.areas import AREAS, ROOT, TESTS, area_of, mutants
from tests.mutation.operators import Mutant, changed_lines, mutants_of
from tests.mutation.recorder import Covered
from tests.mutation.running import try_all

_MOST = 30.0
"""CPU seconds that the tests of one mutant may take together."""
_EQUIVALENT = Path(__file__).with_name("equivalent.tsv")
_PASSED, _NOT_FOUND, _UNUSABLE = 0, 4, (3, 4, 5)


def main() -> int:
    """Try mutants and print the score of each area; 1 where one misses its goal."""
    options = _options()
    if options.change:
        drawn = _changed(options.change, options.draw or 40, options.seed)
    else:
        drawn = {name: _drawn(name, options.draw or 150, options.seed) for name in options.areas}
    if not any(drawn.values()):
        print("no line changed that mutants are made of")
        return 0
    covered = _covered(options.covered, [] if options.change else ["-m", ""])
    survivors: dict[Mutant, list[str]] = {}
    every = [(mutant, _chosen(covered, mutant)) for part in drawn.values() for mutant in part]
    with tempfile.TemporaryDirectory(prefix="mutants-") as folder:
        for mutant, tests, code, printed in _tried(every, Path(folder), options.slots):
            if code in _UNUSABLE:
                print(f"  no test ran for {mutant.path}:{mutant.line}\n{printed[-600:]}")
            if code in (_PASSED, *_UNUSABLE):
                survivors[mutant] = tests
                print(f"  survived {_described(mutant)} ({len(tests)} tests)", flush=True)
    return max([_reported(name, part, survivors) for name, part in drawn.items()], default=0)


def _tried(
    mutants: list[tuple[Mutant, list[str]]], folder: Path, slots: int
) -> Iterator[tuple[Mutant, list[str], int, str]]:
    """Yield each mutant with its tests, how they ended and what they printed.

    Where a mutant changes which tests there are, all of their files are run.
    """
    again: list[tuple[Mutant, list[str]]] = []
    for mutant, tests, code, _, printed in try_all([*mutants], folder, slots):
        assert mutant is not None
        files = sorted(set(map(_file_of, tests)))
        if code == _NOT_FOUND and tests != files:
            again.append((mutant, files))
        else:
            yield mutant, tests, code, printed
    if again:
        yield from _tried(again, folder, slots)


def _options() -> argparse.Namespace:
    parser = argparse.ArgumentParser("python -m tests.mutation")
    parser.add_argument("areas", nargs="*", metavar="AREA", help=", ".join(AREAS))
    parser.add_argument("--draw", type=int, help="mutants of each area (150), or of a change (40)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--change", metavar="COMMIT", help="only lines changed since COMMIT")
    parser.add_argument("--covered", type=Path, metavar="FOLDER")
    parser.add_argument("--slots", type=int, default=2, help="how many at a time (2)")
    options = parser.parse_args()
    unknown = [name for name in options.areas if name not in AREAS]
    if unknown:
        parser.error(f"unknown area '{unknown[0]}' (known: {', '.join(AREAS)})")
    options.areas = options.areas or list(AREAS)
    return options


def _covered(folder: Path | None, marked: list[str]) -> Covered:
    """Return what a run of the tests covered: one of before, or one that is made now."""
    if folder:
        return Covered.read(folder)
    with tempfile.TemporaryDirectory(prefix="covered-") as made:
        recorder = ["-p", "tests.mutation.recorder", *marked]
        command = [sys.executable, "-m", "pytest", "-q", *recorder, *TESTS]
        subprocess.run(command, cwd=ROOT, env={**os.environ, "COVERED": made}, check=False)
        return Covered.read(Path(made))


def _drawn(name: str, amount: int, seed: int) -> list[Mutant]:
    every = mutants(AREAS[name])
    return random.Random(f"{name} {seed}").sample(every, min(amount, len(every)))


def _changed(commit: str, amount: int, seed: int) -> dict[str, list[Mutant]]:
    """Draw from the mutants of the lines that were changed since a commit."""
    diff = subprocess.run(
        ["git", "diff", "--unified=0", commit, "--", "kb"],
        cwd=ROOT, capture_output=True, check=True, encoding="utf-8",
    ).stdout  # fmt: skip
    lines = defaultdict(set)
    for path, line in changed_lines(diff):
        if path.endswith(".py") and area_of(path):
            lines[path].add(line)
    every = [
        mutant
        for path in sorted(lines)
        for mutant in mutants_of(path, (ROOT / path).read_text(encoding="utf-8"))
        if mutant.line in lines[path]
    ]
    return {"change": random.Random(seed).sample(every, min(amount, len(every)))}


def _chosen(covered: Covered, mutant: Mutant) -> list[str]:
    """Return the tests that run a mutant, as many of the quickest as `_MOST` allows.

    Those of one file stand together, so that what a file shares is made once.
    """
    scope = range(mutant.scope[0], mutant.scope[1] + 1) if mutant.scope else None
    found = covered.tests(mutant.path, mutant.line, scope)
    area = area_of(mutant.path)
    if not found and area and area.asked_by:
        found = covered.tests(area.asked_by, 0, None)
    chosen: list[str] = []
    seconds = 0.0
    for test in found:
        seconds += covered.seconds.get(test, 0.0)
        if seconds > _MOST and chosen:
            break
        chosen.append(test)
    files = list(dict.fromkeys(map(_file_of, chosen)))
    return sorted(chosen, key=lambda test: files.index(_file_of(test)))


def _file_of(test: str) -> str:
    return test.split("::")[0]


def _reported(name: str, drawn: list[Mutant], survivors: dict[Mutant, list[str]]) -> int:
    """Print the score; return 1 where an area misses its goal. A change has none."""
    equal = {(row[0], row[1], row[2]) for row in _equivalent()}
    told = {mutant: (mutant.path, *_lines(mutant)) in equal for mutant in drawn}
    counted = [mutant for mutant in drawn if not told[mutant]]
    missed = [mutant for mutant in counted if mutant in survivors]
    amount, noticed = len(counted), len(counted) - len(missed)
    if not amount:
        print(f"{name}: no mutants")
        return 0
    low, high = wilson(noticed, amount)
    goal = AREAS[name].goal if name in AREAS else 0.0
    print(
        f"{name}: {noticed} of {amount} noticed, {noticed / amount:.1%} ({low:.1%} to {high:.1%});"
        f" {sum(told.values())} equivalent; goal {goal:.0%}"
    )
    return int(noticed / amount < goal)


def wilson(noticed: int, amount: int) -> tuple[float, float]:
    """Return the 95 % interval of a share (Wilson, JASA 22, 1927).

    >>> [round(each, 3) for each in wilson(120, 150)]
    [0.729, 0.856]
    """
    z = 1.96
    share = noticed / amount
    middle = share + z * z / (2 * amount)
    spread = z * math.sqrt(share * (1 - share) / amount + z * z / (4 * amount * amount))
    return (middle - spread) / (1 + z * z / amount), (middle + spread) / (1 + z * z / amount)


def _lines(mutant: Mutant) -> tuple[str, str]:
    return mutant.lines((ROOT / mutant.path).read_bytes())


def _described(mutant: Mutant) -> str:
    before, after = _lines(mutant)
    return f"{mutant.path}:{mutant.line}\n    - {before}\n    + {after}"


def _equivalent() -> list[list[str]]:
    """Return the mutants that change nothing a test could see: file, before, after, reason."""
    if not _EQUIVALENT.exists():
        return []
    with _EQUIVALENT.open(encoding="utf-8") as file:
        return list(csv.reader(file, delimiter="\t", quoting=csv.QUOTE_NONE))


if __name__ == "__main__":
    sys.exit(main())

"""Run all programs with other blocks of seeds, and without AVX2: which figures hold?

A figure of a simulation is a fact about the task, not about one block of random numbers. So
each is measured again in five other blocks, and once where NumPy uses no AVX2, and must agree
within its tolerance each time. The result is written to ``tests/measures/seeds.tsv``.

python -m tests.seeds          minutes; every night, and after a change of a program
"""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import NamedTuple

from kb.content.bundled import bundled_folder
from kb.content.folder import read_content
from kb.evidence.parameters import SEED, parameters_of, with_values
from kb.evidence.runner import read_figures
from kb.model.entry import Evidence, Snippet

BLOCKS = (1000, 2000, 3000, 4000, 5000)
WRITTEN = Path(__file__).with_name("measures") / "seeds.tsv"
_WITHOUT_AVX2 = {"NPY_DISABLE_CPU_FEATURES": "X86_V3 X86_V4 AVX2 FMA3"}


class Row(NamedTuple):
    """A figure: what is expected, how much room it has, and what the runs measured."""

    program: str
    figure: str
    expected: float
    tolerance: str
    measured: Sequence[float | None]
    holds: int


def main() -> int:
    """Write the table; 1 where a figure does not hold in every run."""
    evidence = dict(_evidence())
    programs = list({snippet.id: snippet for snippet, _ in evidence.values()}.values())
    with ThreadPoolExecutor(os.cpu_count()) as pool:
        runs = dict(zip((p.id for p in programs), pool.map(_runs, programs), strict=True))
    rows = [_row(each, runs[program.id]) for program, each in evidence.values()]
    missed = [row for row in rows if row.holds < len(row.measured)]
    WRITTEN.write_text("".join(f"{_line(row)}\n" for row in sorted(rows)), encoding="utf-8")
    for row in missed:
        print(_line(row))
    print(f"{len(rows)} figures in {len(BLOCKS) + 1} runs each: {len(missed)} do not always hold")
    return bool(missed)


def _evidence() -> Iterator[tuple[tuple[str, str], tuple[Snippet, Evidence]]]:
    """Yield the evidence of all entries by program and figure: some is named more than once."""
    for entry in read_content(bundled_folder()).entries:
        snippets: Mapping[str, Snippet] = {each.id: each for each in entry.snippets}
        for owner in (*entry.annotations, *entry.answers):
            for each in getattr(owner, "evidence", ()):
                yield (each.snippet, each.figure), (snippets[each.snippet], each)


def _runs(program: Snippet) -> list[Mapping[str, float]]:
    seeded = any(each.name == SEED for each in parameters_of(program.code))
    codes = [with_values(program.code, {SEED: block}) for block in BLOCKS] if seeded else []
    return [_run(program.code, _WITHOUT_AVX2), *(_run(code, {}) for code in codes)]


def _run(code: str, environment: Mapping[str, str]) -> Mapping[str, float]:
    """Run bundled code without a sandbox, whose environment is fixed."""
    done = subprocess.run(
        [sys.executable, "-I", "-"],
        input=code,
        capture_output=True,
        encoding="utf-8",
        env={"OPENBLAS_NUM_THREADS": "1", **environment},
        check=False,
    )
    return read_figures(done.stdout) if done.returncode == 0 else {}


def _row(evidence: Evidence, runs: Sequence[Mapping[str, float]]) -> Row:
    measured = [run.get(evidence.figure) for run in runs]
    held = [value is not None and evidence.agrees(value) for value in measured]
    tolerance = f"{evidence.tolerance:g}{'' if evidence.absolute else ' of it'}"
    return Row(evidence.snippet, evidence.figure, evidence.expected, tolerance, measured, sum(held))


def _line(row: Row) -> str:
    measured = " ".join("-" if value is None else f"{value:.6g}" for value in row.measured)
    told = f"{row.holds}/{len(row.measured)}", f"{row.expected:g}", row.tolerance, measured
    return "\t".join((row.program, row.figure, *told))


if __name__ == "__main__":
    sys.exit(main())

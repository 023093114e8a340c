"""Mutated files of every format, and files of every wrong kind: refused in a sentence, or taken.

Mutated ones are imported by processes of their own, whose memory is measured, and whose CPU time
is held against the reference of `pace`; what a refused one leaves in the database is compared
with what was there. The wrong kinds are given to the command line itself.
"""

from __future__ import annotations

import base64
import json
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

from tests.robustness.crafted import CRAFTED, Crafted
from tests.robustness.taking_in import MOST_TIMES
from tests.robustness.trial import Finding, Tally, Trial, kept

_HOUSE = Path(__file__).parents[2]
_WORKERS = 2
_HANGS, _HANGS_UNPROTECTED = 900.0, 10.0
"""Seconds after which a command that usually takes two is ended, so that it blocks nothing; without
protection some wait for ever, and that is no finding of the control."""

_ENDLESS = "did not end"
_AT_ONCE = 250
"""Cases that a process tries before another takes its place."""


def _run(amount: int, seed: int) -> Tally:
    with tempfile.TemporaryDirectory(prefix="kb-files-") as folder:
        jobs = [
            ["--kept"],
            *(
                [str(seed), str(start), str(min(_AT_ONCE, amount - start))]
                for start in range(0, amount, _AT_ONCE)
            ),
        ]
        with ThreadPoolExecutor(_WORKERS) as pool:
            told = list(pool.map(lambda job: _worker(folder, job), jobs))
            base = _empty_base(Path(folder))
            crafted = list(
                pool.map(lambda each: _crafted(each, "protected", base), CRAFTED.values())
            )
    findings = [each for some, _ in told for each in some]
    findings += [Finding(said) for said in crafted if said]
    figures = _figures([figures for _, figures in told])
    return Tally(amount + len(CRAFTED), tuple(findings), figures)


def _control(amount: int, seed: int) -> Tally:
    """Give the wrong kinds to a command line that neither asks for a kind nor has limits."""
    tried = list(CRAFTED.values())[:amount]
    with tempfile.TemporaryDirectory() as folder, ThreadPoolExecutor(_WORKERS) as pool:
        base = _empty_base(Path(folder))
        said = list(
            pool.map(lambda each: _crafted(each, "unprotected", base, _HANGS_UNPROTECTED), tried)
        )
    found = [each for each in said if each and not each.endswith(_ENDLESS)]
    return Tally(len(tried), tuple(map(Finding, found)))


def _worker(folder: str, job: Sequence[str]) -> tuple[list[Finding], dict[str, float]]:
    """Try some cases in a process; one that dies tells by the case that it was at."""
    done = subprocess.run(
        [sys.executable, "-m", "tests.robustness.taking_in", folder, *job],
        capture_output=True, text=True, check=False, cwd=_HOUSE,
    )  # fmt: skip
    lines = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    found = [Finding(each["said"], each["case"]) for each in lines if "said" in each]
    figures = next((each for each in lines if "figures" in each), None)
    if figures is None:
        last = next((each for each in reversed(lines) if "at" in each), {"at": job})
        found.append(Finding(f"the process died at {last['at']}: {done.stderr[-300:]}"))
    return found, figures["figures"] if figures else {}


def _figures(told: Sequence[dict[str, float]]) -> dict[str, str]:
    def of(key: str) -> list[float]:
        return [each.get(key, 0) for each in told]

    return {
        "taken": f"{int(sum(of('taken'))):,}",
        "refused": f"{int(sum(of('refused'))):,}",
        "slowest s": f"{max(of('slowest')):.1f}",
        "peak MiB": f"{max(of('peak')):.0f}",
        "kept cases": f"{len(list(kept('files')))}",
    }


def _empty_base(folder: Path) -> Path:
    """Make a base without what comes with danesh, which each command gets a copy of."""
    command = [sys.executable, "-m", "kb", "init", "--empty", "--db", str(folder / "empty.db")]
    subprocess.run(command, check=True, capture_output=True, cwd=_HOUSE)
    return folder / "empty.db"


def _crafted(case: Crafted, how: str, base: Path, seconds: float = _HANGS) -> str:
    """Give a crafted file to the command line; return what went wrong, or nothing."""
    with tempfile.TemporaryDirectory(prefix="kb-crafted-") as place:
        folder = Path(place)
        (folder / "in").mkdir()
        shutil.copy(base, folder / "kb.db")
        arguments = case.make(folder / "in")
        env = {**os.environ, "HOME": place, "XDG_DATA_HOME": place, "KB_DB": f"{place}/kb.db",
               "PYTHONPATH": str(_HOUSE)}  # fmt: skip
        command = [sys.executable, "-m", "tests.robustness.commanded", how, *arguments]
        stdin = case.stdin(folder / "in") if case.stdin else subprocess.DEVNULL
        try:
            done = subprocess.run(
                command, stdin=stdin, capture_output=True, text=True, check=False, timeout=seconds,
                env=env, cwd=folder / "in",
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            return f"{case.name}: {_ENDLESS}"
        finally:
            if not isinstance(stdin, int):
                stdin.close()
        return _wrong(case, done)


def _wrong(case: Crafted, done: subprocess.CompletedProcess[str]) -> str:
    told = done.stderr + done.stdout
    *_, measured = done.stderr.splitlines() or [""]
    peak = int(measured.removeprefix("peak ")) if measured.startswith("peak ") else 1 << 20
    if done.returncode != case.code or "Traceback" in told:
        return f"{case.name}: exit {done.returncode}: {told[-200:]!r}"
    if case.said not in told:
        return f"{case.name}: not told by '{case.said}': {told[-200:]!r}"
    if case.never and case.never in told:
        return f"{case.name}: gave away '{case.never}'"
    return f"{case.name}: {peak} MiB" if peak > 512 else ""


def case_of(files: dict[str, bytes], format: str) -> dict[str, object]:
    """Return what repeats an import: the files of a format, as JSON can hold them."""
    coded = {name: base64.b64encode(data).decode() for name, data in files.items()}
    return {"format": format, "files": coded}


TRIAL = Trial(
    "files",
    "a mutated file makes no traceback, changes nothing when refused, takes at most"
    f" {MOST_TIMES:.0f} times the reference and 512 MiB",
    1_300,
    500_000,
    _run,
    _control,
    9,
)

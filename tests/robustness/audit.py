"""Nothing runs and nothing is called while files are taken in, read, searched and given away.

A process with Python's audit hook imports hostile files of every format from the folder it
stands in, and reads, searches and exports what came of them. Programs and modules among them
would tell of themselves; where `strace` is installed, the kernel is asked, too.
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.robustness.mutants import seeds
from tests.robustness.trial import Finding, Tally, Trial

_HOUSE = Path(__file__).parents[2]
_MARK = "ran_foreign_code"
_PROGRAM = f'''"""Steps."""

import pathlib

pathlib.Path("{_MARK}").write_text("x")
print("x: 1")
'''
_MODULES = (
    "json", "numpy", "csv", "yaml", "sqlite3", "encodings", "kb", "markdown_it", "sitecustomize",
    "conftest", "setup", "simplejson", "orjson", "linkify_it", "_pysqlite", "colorama", "__init__",
)  # fmt: skip
_OF_THE_SYSTEM = ("/var/run/nscd/socket",)
"""Where the C library asks who the user is; it is on this machine, and no file has a part in it."""
_CALLS = ("execve", "execveat", "connect", "sendto", "bind")


def _run(amount: int, seed: int) -> Tally:
    with tempfile.TemporaryDirectory(prefix="kb-audit-") as place:
        _lay_out(Path(place))
        findings, figures = _watched(Path(place), "data", amount, seed)
        if (Path(place) / _MARK).exists():
            findings.append(Finding("a program among the data ran"))
    return Tally(amount, tuple(findings), figures)


def _control(amount: int, seed: int) -> Tally:
    """Run a program of the reader's own: that must be seen."""
    with tempfile.TemporaryDirectory(prefix="kb-audit-") as place:
        _lay_out(Path(place))
        findings, figures = _watched(Path(place), "program", amount, seed)
    return Tally(amount, tuple(findings), figures)


def _lay_out(folder: Path) -> None:
    """Put files of every format into a folder, and beside them modules of the names we import."""
    for number, files in enumerate(each for some in seeds().values() for each in some):
        for name, data in files.items():
            place = folder / f"{number}" / name
            place.parent.mkdir(parents=True, exist_ok=True)
            place.write_bytes(data)
    for where in [folder, *(each for each in folder.iterdir() if each.is_dir())]:
        for name in _MODULES:
            (where / f"{name}.py").write_text(_PROGRAM)
    for snippet in folder.glob("*/course/snippets/*.py"):
        snippet.write_text(_PROGRAM)
    for file in folder.glob("*/x.md"):
        file.write_text(
            file.read_text() + f"\n```python\n{_PROGRAM}```\n\n!!python/object:os.system x\n"
        )


def _watched(
    folder: Path, what: str, amount: int, seed: int
) -> tuple[list[Finding], dict[str, str]]:
    env = {**os.environ, "HOME": str(folder), "XDG_DATA_HOME": str(folder / ".data"),
           "PYTHONPATH": str(_HOUSE), "PYTHONSAFEPATH": "1"}  # fmt: skip
    command = [
        sys.executable,
        "-m",
        "tests.robustness.audited",
        what,
        str(amount),
        str(seed),
        _MARK,
    ]
    traced = shutil.which("strace")
    log = folder / ".calls"
    before = (
        [traced, "-f", "-qq", "-e", f"trace={','.join(_CALLS)}", "-o", str(log)] if traced else []
    )
    done = subprocess.run(
        [*before, *command], cwd=folder, env=env, capture_output=True, text=True, check=False
    )
    lines = [json.loads(line) for line in done.stdout.splitlines() if line.startswith("{")]
    findings = [Finding(each["event"]) for each in lines if "event" in each]
    figures = next((each["figures"] for each in lines if "figures" in each), None)
    if figures is None:
        return [Finding(f"the process died: {done.stderr[-400:]}")], {}
    if traced:
        calls = log.read_text().splitlines()[1:]  # the first starts the process itself
        findings += [
            Finding(f"called {each[:160]}")
            for each in calls
            if "(" in each and not any(known in each for known in _OF_THE_SYSTEM)
        ]
    return findings, {**figures, "kernel asked": "yes" if traced else "no (strace is missing)"}


TRIAL = Trial(
    "audit",
    "import, search, show, list, export and doctor of a folder run no code and touch no network",
    60,
    5_000,
    _run,
    _control,
    1,
)

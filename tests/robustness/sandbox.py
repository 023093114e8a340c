"""Hostile programs, at each level, as root and as an ordinary user: none gets out.

The programs are in ``hostile``; `tests.robustness.attack` runs them as a user and sees what
they did. A level's gaps are tried, too: where a gap does no harm any more, what is said of the
level is wrong. The control runs the same programs with limits alone.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from tests.robustness.attack import WEAKENED, names
from tests.robustness.orphans import WAYS
from tests.robustness.trial import Finding, Tally, Trial, kept

ROOT = Path(__file__).parents[2]
_NOBODY = 65534
_LEVELS = ("good", "strong")


class Case(NamedTuple):
    """A program, or a way of killing its owner, at a level, as a user."""

    name: str
    level: str
    user: str


class Place(NamedTuple):
    """Where a user finds an interpreter with numpy, and danesh with its trials."""

    python: str
    code: str


def run(amount: int, seed: int) -> Tally:
    """Try so many cases, those found before first; each once before any is tried again."""
    users = _users()
    chances = random.Random(seed)
    wanted = [Case(**case) for case in kept("sandbox") if case["user"] in users]
    while len(wanted) < amount:
        for every in (_promised(users), _weakened(users)):
            wanted += chances.sample(every, len(every))
    answers = _answers(wanted[:amount])
    findings = [
        Finding(f"{' '.join(case)}: {said}", case._asdict())
        for case, answer in answers
        if (said := _judged(answer))
    ]
    figures = {f"as {user}": str(n) for user, n in Counter(c.user for c, _ in answers).items()}
    gaps = sorted({f"{c.level} {c.name}" for c, answer in answers if answer["gap"]})
    return Tally(len(answers), tuple(findings), {**figures, "gaps": ", ".join(gaps) or "none"})


def control(amount: int, seed: int) -> Tally:
    """Run so many of the same programs with limits alone: what they then do is found."""
    chosen = random.Random(seed).sample(names(), min(amount, len(names())))
    answers = _answers([Case(name, "limits-only", _users()[-1]) for name in chosen])
    findings = [
        Finding(f"{case.name}: {answer['found'][0]}") for case, answer in answers if answer["found"]
    ]
    harmless = sorted(case.name for case, answer in answers if not answer["found"])
    return Tally(len(answers), tuple(findings), {"stopped by limits": ", ".join(harmless)})


def _judged(answer: dict[str, Any]) -> str:
    """Return what is wrong with an answer, or nothing."""
    if answer["gap"]:
        return "" if answer["found"] else "is said to be a gap of this level, and did no harm"
    return "; ".join(answer["found"][:3])


def _users() -> tuple[str, ...]:
    return ("root", "nobody") if os.getuid() == 0 else ("ordinary",)


def _promised(users: Sequence[str]) -> list[Case]:
    return [Case(n, level, user) for user in users for level in _LEVELS for n in (*names(), *WAYS)]


def _weakened(users: Sequence[str]) -> list[Case]:
    """Return the programs at the level that older kernels have, with less of Landlock."""
    return [Case(name, level, users[-1]) for level in WEAKENED for name in names()]


def _answers(cases: Sequence[Case]) -> list[tuple[Case, dict[str, Any]]]:
    """Ask a process of each user for its cases, one after the other."""
    found = []
    with ExitStack() as stack:
        place = stack.enter_context(_place())
        asked = {}
        for case in cases:
            if case.user not in asked:
                asked[case.user] = stack.enter_context(_attacker(place, case.user))
            process = asked[case.user]
            process.stdin.write(f"{case.name} {case.level}\n")
            process.stdin.flush()
            line = process.stdout.readline()
            assert line, f"{case}: whoever tries it has ended"
            found.append((case, json.loads(line)))
    return found


@contextmanager
def _attacker(place: Place, user: str) -> Iterator[Any]:
    """Start who tries things as a user."""
    given = {"user": _NOBODY, "group": _NOBODY, "extra_groups": []} if user == "nobody" else {}
    process = subprocess.Popen(
        [place.python, "-m", "tests.robustness.attack"],
        cwd=place.code,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env={"PYTHONPATH": place.code, "HOME": "/nonexistent", "LANG": "C.UTF-8"},
        **given,  # type: ignore[arg-type]
    )
    with process:
        yield process
        assert process.stdin is not None
        process.stdin.close()
        process.wait(600)  # no more than that it blocks nothing


@contextmanager
def _place() -> Iterator[Place]:
    """Make an environment that every user can read, and that no harm is done by."""
    with tempfile.TemporaryDirectory(prefix="danesh-trial-") as folder:
        os.chmod(folder, 0o755)
        environment = Path(folder) / "environment"
        base = _base_python()
        subprocess.run([base, "-m", "venv", "--without-pip", str(environment)], check=True)
        python = str(environment / "bin" / "python")
        ask = "import sysconfig; print(sysconfig.get_path('purelib'))"
        asked = subprocess.run([python, "-c", ask], capture_output=True, text=True, check=True)
        libraries = Path(asked.stdout.strip())
        for name in ("numpy", "numpy.libs"):
            found = Path(sysconfig.get_path("platlib")) / name
            if found.exists():
                shutil.copytree(found, libraries / name)
        for path in (libraries / "numpy").rglob("*"):
            if os.getuid() == 0:
                os.chown(path, _NOBODY, _NOBODY)
        os.chmod(libraries / "numpy", 0o777)
        for name in ("kb", "tests/robustness"):
            shutil.copytree(ROOT / name, Path(folder) / "code" / name)
        shutil.copy(ROOT / "tests" / "__init__.py", Path(folder) / "code" / "tests")
        yield Place(python, str(Path(folder) / "code"))


def _base_python() -> str:
    """Return an interpreter of this version that every user can start."""
    for python in (os.path.realpath(sys.executable), "/usr/bin/python3"):
        given = {"user": _NOBODY} if os.getuid() == 0 else {}
        ask = [python, "-c", "import sys; print(sys.version_info[:2])"]
        try:
            told = subprocess.run(ask, capture_output=True, text=True, cwd="/", **given)  # type: ignore[call-overload]
        except OSError:
            continue
        if told.stdout.strip() == str(sys.version_info[:2]):
            return python
    raise SystemExit("no interpreter of this version can be started by an ordinary user")


TRIAL = Trial(
    "sandbox",
    "no program gets out of the sandbox, outlives its run or its owner, or forges its report",
    short=2 * 2 * (len(names()) + len(WAYS)),
    long=5 * (2 * 2 * (len(names()) + len(WAYS)) + len(WEAKENED) * len(names())),
    run=run,
    control=control,
    controls=len(names()),
)

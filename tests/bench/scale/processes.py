"""The processes that build, answer and judge, as the one that starts them sees them.

That one imports no engine and holds no document: a child's peak of memory begins at its own.
"""

from __future__ import annotations

import functools
import json
import os
import subprocess
import sys
from collections.abc import Iterable, Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import IO, Any

from tests.bench.scale.engines import Level
from tests.bench.surroundings import ROOT

_PACKAGE = "tests.bench.scale"
_SYSTEM = "/usr/bin/python3"


class ChildFailed(Exception):
    """A process ended without an answer."""


@functools.cache
def python_with(package: str) -> str | None:
    """Return the Python that has a package: this one, or the system's; nothing if neither."""
    if find_spec(package):
        return sys.executable
    has = subprocess.run([_SYSTEM, "-c", f"import {package}"], capture_output=True, check=False)
    return None if has.returncode else _SYSTEM


def run(module: str, *arguments: object, python: str = "", lines: Iterable[str] = ()) -> list[Any]:
    """Run a module of this package to its end and return the lines of JSON it prints.

    Raises `ChildFailed`.
    """
    ran = subprocess.run(
        _command(python, module, arguments), cwd=ROOT, env=_environment(), check=False,
        input="".join(f"{line}\n" for line in lines), stdout=subprocess.PIPE, text=True,
    )  # fmt: skip
    if ran.returncode:
        raise ChildFailed(f"{module} {arguments[0]} ended with {ran.returncode}")
    return [json.loads(line) for line in ran.stdout.splitlines()]


class Asking:
    """A process that answers the queries of a kind, by their numbers."""

    def __init__(self, level: Level, folder: Path, asks: Path, kind: str, clock: str) -> None:
        python = python_with(level.package) or sys.executable
        arguments = ("ask", level.engine, level.name, folder, asks, kind, clock)
        self._process = subprocess.Popen(
            _command(python, "worker", arguments), cwd=ROOT, env=_environment(),
            stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip

    def ready(self) -> int:
        """Wait until the index is open, and return how many queries there are."""
        return int(self._read()["queries"])

    def seconds(self, start: int, stop: int) -> Sequence[float]:
        """Return how long each of some queries takes."""
        return list(self._ask("seconds", start, stop)["seconds"])

    def found(self, stop: int) -> list[list[int]]:
        """Return what the first queries find."""
        return list(self._ask("found", 0, stop)["found"])

    def end(self) -> dict[str, int]:
        """End the process; return its peak of memory and how many queries were stopped."""
        self._input.close()
        told: dict[str, int] = self._read()
        self._process.wait()
        return told

    def kill(self) -> None:
        """End the process, whatever it does."""
        self._process.kill()
        self._process.wait()

    @property
    def _input(self) -> IO[str]:
        assert self._process.stdin is not None
        return self._process.stdin

    def _ask(self, *what: object) -> Any:
        try:
            print(json.dumps(what), file=self._input, flush=True)
        except BrokenPipeError as error:
            raise ChildFailed("a process that answers has ended") from error
        return self._read()

    def _read(self) -> Any:
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise ChildFailed(f"a process that answers ended with {self._process.wait()}")
        return json.loads(line)


def _command(python: str, module: str, arguments: Iterable[object]) -> list[str]:
    return [python or sys.executable, "-m", f"{_PACKAGE}.{module}", *map(str, arguments)]


def _environment() -> dict[str, str]:
    path = os.pathsep.join(filter(None, (str(ROOT), os.environ.get("PYTHONPATH"))))
    return os.environ | {"PYTHONPATH": path}

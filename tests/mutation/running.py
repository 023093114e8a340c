"""Runs the tests of mutants, each in a copy of the tree and in a fork that has imported pytest.

A fork begins with what tests import of others and nothing of ours, so that a test of a mutant
costs what the test costs, and the import of danesh.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import resource
import shutil
import signal
import subprocess
import sys
import time
import traceback
from collections.abc import Iterator
from pathlib import Path

from tests.mutation.areas import ROOT
from tests.mutation.operators import Mutant

_BEFOREHAND = ("numpy", "pytest", "hypothesis", "click", "sqlite_utils", "pysqlite3", "yaml",
               "whoosh.qparser", "Stemmer", "markdown_it", "babel.numbers", "pytest_asyncio",
               "asyncio", "textual.app", "textual.widgets", "pygments")  # fmt: skip
_CPU_SECONDS = 120
"""More than any mutant's tests take (`_MOST`); one that takes it does not end."""
_HANGS = 900
_OPTIONS = ("-x", "-q", "--no-header", "--tb=line", "-p", "no:cacheprovider",
            "-o", "addopts=", "-p", "tests.plugin", "--doctest-modules", "--import-mode=importlib",
            "-W", "ignore::pytest.PytestAssertRewriteWarning")  # fmt: skip


class Slot:
    """A copy of the tree in which one mutant at a time is tried."""

    def __init__(self, folder: Path) -> None:
        self._tree, self._scratch, self.log = folder / "tree", folder / "tmp", folder / "log"
        files = subprocess.run(
            ["git", "ls-files", "-z", "--cached", "--others", "--exclude-standard"],
            cwd=ROOT, capture_output=True, check=True, encoding="utf-8",
        ).stdout.split("\0")  # fmt: skip
        for name in (*filter(None, files), *_catalogs()):
            if (ROOT / name).is_file():
                (self._tree / name).parent.mkdir(parents=True, exist_ok=True)
                shutil.copy2(ROOT / name, self._tree / name)
        self._began = 0.0
        self._mutant: Mutant | None = None
        self._tests: list[str] = []
        self._process = 0

    def begin(self, mutant: Mutant | None, tests: list[str]) -> None:
        """Start the tests of a mutant, or of the code as it is."""
        self._mutant, self._tests, self._began = mutant, tests, time.monotonic()
        if mutant:
            self._write(mutant.path, mutant.of((ROOT / mutant.path).read_bytes()))
        shutil.rmtree(self._scratch, ignore_errors=True)
        self._scratch.mkdir()
        self._process = os.fork()
        if not self._process:
            self._run()

    def ended(self) -> tuple[int, float] | None:
        """Return how the tests ended and after how many seconds, if they have."""
        over = time.monotonic() - self._began
        if over > _HANGS:
            self._kill()
        process, status = os.waitpid(self._process, 0 if over > _HANGS else os.WNOHANG)
        if not process:
            return None
        self._kill()
        if self._mutant:
            self._write(self._mutant.path, (ROOT / self._mutant.path).read_bytes())
        return os.waitstatus_to_exitcode(status), over

    @property
    def mutant(self) -> Mutant | None:
        return self._mutant

    @property
    def tests(self) -> list[str]:
        return self._tests

    def _kill(self) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(self._process, signal.SIGKILL)

    def _write(self, path: str, source: bytes) -> None:
        file = self._tree / path
        file.write_bytes(source)
        for old in (file.parent / "__pycache__").glob(f"{file.stem}.*.pyc"):
            old.unlink()  # two mutants of one second and one size would share it

    def _run(self) -> None:
        """Be the fork: run the tests in the copy, and end as they do."""
        code = 70
        try:
            os.setsid()
            resource.setrlimit(resource.RLIMIT_CPU, (_CPU_SECONDS, _CPU_SECONDS))
            log = os.open(self.log, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600)
            os.dup2(os.open(os.devnull, os.O_RDONLY), 0)
            os.dup2(log, 1)
            os.dup2(log, 2)
            os.chdir(self._tree)
            os.environ.update(PYTHONPATH=str(self._tree), TMPDIR=str(self._scratch))
            sys.path[:] = [str(self._tree), *(p for p in sys.path if Path(p or ".") != ROOT)]
            for name in [n for n in sys.modules if n.split(".")[0] in ("tests", "kb", "tui")]:
                del sys.modules[name]
            import tempfile

            import pytest

            tempfile.tempdir = None
            code = int(pytest.main([*_OPTIONS, *self._tests]))
        except BaseException:  # noqa: BLE001 - a fork that goes on would be a second parent
            traceback.print_exc()
        finally:
            sys.stdout.flush()
            os._exit(code)


def try_all(
    mutants: list[tuple[Mutant | None, list[str]]], folder: Path, slots: int = 2
) -> Iterator[tuple[Mutant | None, list[str], int, float, str]]:
    """Yield each mutant, its tests, pytest's exit code, the seconds and what pytest printed."""
    for name in _BEFOREHAND:
        importlib.import_module(name)
    waiting = list(reversed(mutants))
    free = [Slot(folder / str(number)) for number in range(slots)]
    busy: list[Slot] = []
    while waiting or busy:
        while waiting and free:
            slot = free.pop()
            slot.begin(*waiting.pop())
            busy.append(slot)
        for slot in list(busy):
            if end := slot.ended():
                busy.remove(slot)
                free.append(slot)
                yield slot.mutant, slot.tests, *end, slot.log.read_text(errors="replace")
        time.sleep(0.02)


def _catalogs() -> list[str]:
    """Return the compiled catalogs, which git does not keep."""
    return [str(path.relative_to(ROOT)) for path in (ROOT / "kb").rglob("*.mo")]

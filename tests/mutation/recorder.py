"""Which lines each test runs, and how long it takes.

``COVERED=FOLDER pytest -p tests.mutation.recorder`` writes both for each process of the run;
`Covered.read` joins them. With ``COVERED_SINCE=COMMIT`` only the files changed since a commit are
measured, and those that import them, which costs the run little.
"""

from __future__ import annotations

import ast
import json
import os
import re
import subprocess
import time
from collections import defaultdict
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, TypeGuard

import coverage
import pytest

from tests.mutation.areas import ROOT, TESTS, area_of


class Recorder:
    """Measures the lines of each test as a context of its own."""

    def __init__(self, folder: Path, files: list[str]) -> None:
        self._times = folder / f"{os.getpid()}.json"
        self._seconds: dict[str, float] = {}
        self._coverage = coverage.Coverage(
            str(folder / f"{os.getpid()}.lines"), config_file=False, messages=False,
            include=files,
        )  # fmt: skip
        self._coverage.set_option("run:disable_warnings", ["no-data-collected"])

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, Any, Any]:
        if not item.nodeid.startswith(TESTS):
            return (yield)
        self._coverage.start()
        self._coverage.switch_context(item.nodeid)
        began = time.process_time()
        result = yield
        self._seconds[item.nodeid] = round(time.process_time() - began, 3)
        self._coverage.stop()
        return result

    def pytest_sessionfinish(self) -> None:
        self._coverage.save()
        self._times.write_text(json.dumps(self._seconds))


@dataclass(frozen=True)
class Covered:
    """The seconds of each test, and the tests that run each line of each file."""

    seconds: dict[str, float]
    lines: dict[str, dict[int, set[str]]]

    @classmethod
    def read(cls, folder: Path) -> Covered:
        """Read what the processes of a run wrote."""
        seconds: dict[str, float] = {}
        lines: dict[str, dict[int, set[str]]] = defaultdict(lambda: defaultdict(set))
        for file in folder.glob("*.json"):
            seconds.update(json.loads(file.read_text()))
        for file in folder.glob("*.lines"):
            data = coverage.CoverageData(str(file))
            data.read()
            for name in data.measured_files():
                path = str(Path(name).relative_to(ROOT))
                for line, tests in data.contexts_by_lineno(name).items():
                    lines[path][line].update(filter(None, tests))
        return cls(seconds, lines)

    def tests(self, path: str, line: int, scope: range | None) -> list[str]:
        """Return the tests that run a line, quickest first.

        ``scope`` are the lines of the function that it stands in. What a module does when it is
        imported concerns the tests of all that import it, first those that run a line with the
        name that is given a value there.
        """
        file = self.lines.get(path, {})
        using: set[str] = set()
        if scope:
            tests = file.get(line) or {test for each in scope for test in file.get(each, ())}
        else:
            files = (path, *_importing(path))
            found = (self.lines.get(each, {}).values() for each in files)
            tests = {test for lines in found for each in lines for test in each}
            using = {test for each in _uses(path, line) for test in file.get(each, ())}
        return sorted(tests, key=lambda test: (test not in using, self.seconds.get(test, 0.0)))


def _measured(commit: str | None) -> list[str]:
    """Return patterns of the files to measure: all, or those that a change concerns."""
    if not commit:
        return [f"{ROOT}/kb/*", f"{ROOT}/tui/*"]
    changed = subprocess.run(
        ["git", "diff", "--name-only", commit, "--", "kb/*.py"],
        cwd=ROOT, capture_output=True, check=True, encoding="utf-8",
    ).stdout.split()  # fmt: skip
    measured = {path for each in filter(area_of, changed) for path in (each, *_importing(each))}
    return [str(ROOT / path) for path in sorted(measured)]


def _uses(path: str, line: int) -> Iterator[int]:
    """Yield the lines of a file with a name that the statement at a line of it assigns."""
    tree = ast.parse((ROOT / path).read_text(encoding="utf-8"))
    held = (each for each in tree.body if each.lineno <= line <= (each.end_lineno or 0))
    names = {each.id for each in ast.walk(ast.Module([*held], [])) if _is_stored(each)}
    for each in ast.walk(tree):
        if isinstance(each, ast.Name) and each.id in names and not _is_stored(each):
            yield each.lineno


def _is_stored(node: ast.AST) -> TypeGuard[ast.Name]:
    return isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)


@cache
def _importing(path: str) -> tuple[str, ...]:
    """Return the files that import a module by name."""
    folder, _, name = path.removesuffix(".py").replace("/", ".").rpartition(".")
    named = re.compile(
        rf"from {re.escape(folder)}\.{name} import|from {re.escape(folder)} import .*\b{name}\b"
    )
    files = (file for top in ("kb", "tui") for file in (ROOT / top).rglob("*.py"))
    return tuple(str(f.relative_to(ROOT)) for f in files if named.search(f.read_text("utf-8")))


def pytest_configure(config: pytest.Config) -> None:
    """Watch, where the run does not only hand its tests to other processes."""
    folder = Path(os.environ["COVERED"])
    folder.mkdir(parents=True, exist_ok=True)
    files = _measured(os.environ.get("COVERED_SINCE"))
    hands_out = getattr(config.option, "numprocesses", None) and not hasattr(config, "workerinput")
    if files and not hands_out:
        config.pluginmanager.register(Recorder(folder, files))

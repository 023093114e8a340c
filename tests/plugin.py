"""How the tests run: which are quick, how often a property is tried, in how many processes."""

from __future__ import annotations

import compileall
import gc
import os
from pathlib import Path

import pytest
from hypothesis import settings

ROOT = Path(__file__).parents[1]
_PROCESSES = 3
"""One more than the two cores of the smallest machine: a third of the time is waiting."""
EFFORT = float(os.environ.get("TEST_EFFORT", "1"))

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")
"""As in the sandbox: the threads of several processes wait for each other, busily."""


def times(amount: int) -> int:
    """Return how often something is tried that is tried so often where nobody asks for more.

    TEST_EFFORT=50 asks for fifty times as much.
    """
    return max(1, round(amount * EFFORT))


settings.register_profile("danesh", max_examples=times(20), deadline=None, print_blob=True)
settings.load_profile("danesh")


_QUICK = ("kb/", "tests/terminal/", "tests/evidence/", "tests/present/", "tests/ranking/",
          "tests/search/", "tests/text/", "tests/test_docs.py", "tests/test_json.py")  # fmt: skip
_NOT_QUICK = (
    "tests/search/index/",
    "tests/search/test_same_answer.py",
    "tests/search/test_bounds.py",
)


def compile_danesh() -> None:
    """Compile all modules, which each started command would do where Python writes no bytecode.

    A command then takes five times as long.
    """
    for folder in ("kb", "tui"):
        compileall.compile_dir(ROOT / folder, quiet=2)


def pytest_configure(config: pytest.Config) -> None:
    """Compile danesh once for all processes of a run."""
    if not hasattr(config, "workerinput"):
        compile_danesh()


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark what a minute is enough for: analysis, search, evidence, layout and examples."""
    for item in items:
        path = item.nodeid.split("::")[0]
        slow = path.startswith(_NOT_QUICK) or item.get_closest_marker("long")
        if path.startswith(_QUICK) and not slow:
            item.add_marker("quick")


def pytest_collection_finish() -> None:
    """Leave what was collected, which stays, out of the garbage collector's rounds.

    Looking through it again and again takes a fourth of the time of the app's tests.
    """
    gc.collect()
    gc.freeze()
    gc.set_threshold(20_000, 20, 50)


@pytest.hookimpl(tryfirst=True)
def pytest_xdist_auto_num_workers(config: pytest.Config) -> int:
    """Run one file alone in this process: others would cost more than they bring."""
    files = {Path(argument.split("::")[0]) for argument in config.args}
    return 0 if len(files) == 1 and all(file.suffix for file in files) else _PROCESSES

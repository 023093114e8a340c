"""Measures all engines at one size: what is built, answers, and answers after changes."""

from __future__ import annotations

import shutil
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from tests.bench.scale.asking import Plan, ask_all
from tests.bench.scale.engines import LEVELS, Level
from tests.bench.scale.figures import Built, Changed, Size
from tests.bench.scale.processes import ChildFailed, python_with, run


def prepare(plan: Plan, size: int, more: int) -> tuple[Path, dict[str, Any]]:
    """Write the files of a size, and the queries if there are none; return where they lie."""
    folder = plan.work / str(size)
    folder.mkdir()
    (told,) = run("prepare", "documents", plan.data, folder, size, more)
    if not plan.asks.exists():
        run("prepare", "asks", plan.data, folder, plan.asks, plan.queries)
    return folder, told


def measure(plan: Plan, size: int, labels: Sequence[str], changes: int) -> Size:
    """Return all that is measured at a size."""
    folder, told = prepare(plan, size, changes // 3)
    levels, missing = _usable(labels, size)
    built: dict[str, Built] = {}
    for level in levels.values():
        if level.built not in built and level.built not in missing:
            try:
                built[level.built] = _build(level, folder)
            except ChildFailed as error:
                missing[level.built] = str(error)
    levels = {label: level for label, level in levels.items() if level.built in built}
    answers = ask_all(plan, folder, levels)
    changed = None
    if changes and "danesh" in built:
        changed = _change(plan, folder, levels, min(changes, size))
    shutil.rmtree(folder)
    return Size(**told, built=built, answers=answers, changed=changed, missing=missing)


def _usable(labels: Sequence[str], size: int) -> tuple[dict[str, Level], dict[str, str]]:
    """Return the levels that can be measured, and for what is built why another cannot."""
    levels, missing = {}, {}
    for label in labels:
        level = LEVELS[label]
        if level.most is not None and size > level.most:
            missing[level.built] = f"not above {level.most:,} documents"
        elif python_with(level.package) is None:
            missing[level.built] = f"not there: no Python here has {level.package}"
        else:
            levels[label] = level
    return levels, missing


def _build(level: Level, folder: Path) -> Built:
    python = python_with(level.package) or ""
    place = folder / level.built
    (told,) = run("worker", "build", level.engine, level.name, place, folder, python=python)
    return Built(**told)


def _change(plan: Plan, folder: Path, levels: Mapping[str, Level], count: int) -> Changed:
    """Change danesh's base, commit by commit, and ask again."""
    (told,) = run("changes", folder / "danesh" / "index", folder, count)
    ours = {label: level for label, level in levels.items() if level.engine == "danesh"}
    return Changed(**told, answers=ask_all(plan, folder, ours))

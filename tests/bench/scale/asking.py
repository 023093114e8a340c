"""Asks all engines the queries of each kind, in turn, and has judged what they find."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Mapping
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple, TypeVar

from tests.bench.scale.engines import Level
from tests.bench.scale.figures import Answers, Times
from tests.bench.scale.processes import Asking, ChildFailed, run

T = TypeVar("T")

_BLOCK = 20
"""So many queries an engine answers before it is another's turn."""


class Plan(NamedTuple):
    """How to measure: where, by which clock, how often; how many queries are judged."""

    data: Path
    work: Path
    clock: str
    queries: int
    passes: int
    sample: int

    @property
    def asks(self) -> Path:
        """The file of the queries."""
        return self.work / "asks.json"


class Crowd:
    """The processes that answer a kind of query, each by its label; who fails goes."""

    def __init__(self, asking: Mapping[str, Asking]) -> None:
        self._asking = dict(asking)
        self._first = 0
        self.failed: list[str] = []

    def each(self, deed: Callable[[Asking], T]) -> dict[str, T]:
        """Do something with one after the other, every time beginning with another one."""
        labels = list(self._asking)
        self._first = (self._first + 1) % max(1, len(labels))
        done: dict[str, T] = {}
        for label in labels[self._first :] + labels[: self._first]:
            try:
                done[label] = deed(self._asking[label])
            except ChildFailed as error:
                self._asking.pop(label).kill()
                self.failed.append(f"{label}: {error}")
        return {label: done[label] for label in labels if label in done}


def ask_all(plan: Plan, folder: Path, levels: Mapping[str, Level]) -> Answers:
    """Ask every level the queries of every kind, and judge what the first of them find."""
    answers = Answers(defaultdict(dict), defaultdict(dict), defaultdict(dict), {}, [])
    cases: list[str] = []
    for kind in dict.fromkeys(kind for level in levels.values() for kind in level.kinds):
        asked = {label: level for label, level in levels.items() if kind in level.kinds}
        for label, found in _ask_kind(plan, folder, asked, kind, answers).items():
            level = levels[label]
            if level.formula and kind not in level.unranked:
                of = {"label": label, "formula": level.formula, "kind": kind, "found": found}
                cases.append(json.dumps(of | {"ours": level.engine == "danesh"}))
    for told in run("judging", folder, plan.asks, folder / "danesh" / "index", lines=cases):
        answers.recall[told["label"]][told["kind"]] = told["recall"]
    return answers


def in_turn(crowd: Crowd, queries: int, passes: int) -> dict[str, Times]:
    """Ask all queries once of empty caches and then some times more, block by block in turn."""
    spent: list[dict[str, list[float]]] = [defaultdict(list), defaultdict(list)]
    for number in range(1 + passes):
        for start in range(0, queries, _BLOCK):
            stop = start + _BLOCK
            block = crowd.each(lambda asking, at=start, stop=stop: asking.seconds(at, stop))
            for label, seconds in block.items():
                spent[min(1, number)][label] += seconds
    first, warm = spent
    return {label: Times(first[label], warm[label]) for label in first}


def _ask_kind(
    plan: Plan, folder: Path, levels: Mapping[str, Level], kind: str, answers: Answers
) -> dict[str, list[list[int]]]:
    """Ask the queries of a kind, each level in its own process; return what the first find."""
    with ExitStack() as ending:
        asking = {}
        for label, level in levels.items():
            asking[label] = Asking(level, folder / level.built, plan.asks, kind, plan.clock)
            ending.callback(asking[label].kill)
        crowd = Crowd(asking)
        queries = crowd.each(Asking.ready)
        times = in_turn(crowd, max(queries.values(), default=0), plan.passes)
        found = crowd.each(lambda asking: asking.found(plan.sample))
        for label, told in crowd.each(Asking.end).items():
            answers.times[label][kind] = times[label]
            answers.peaks[label] = max(answers.peaks.get(label, 0), told["peak"])
            answers.stopped[label][kind] = told["stopped"]
    answers.failed.extend(f"{each} ({kind})" for each in crowd.failed)
    return found

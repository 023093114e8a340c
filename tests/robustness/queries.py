"""Fuzzed queries on a small base and on one of 20,000 entries: none raises, none takes long.

A query is asked as the command line asks it and, every fourth, as the app does while it is
typed. Two things are held against a bound: the work that its budgets count, and how many times as
long it takes as the reference of `pace`, which finds what nobody counts. One that takes long is
asked again, with empty caches, and the least counts. Some are asked again in another connection,
while something else keeps the machine busy: the answer must be the same.
"""

from __future__ import annotations

import json
import math
import multiprocessing
import os
import sys
import tempfile
import time
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from statistics import quantiles
from typing import NamedTuple
from unittest.mock import patch

from kb import Library, open_library
from kb.model.results import Results
from kb.work import Budget
from tests.robustness import pace
from tests.robustness.query_bases import MANY, bundled, made
from tests.robustness.query_texts import fuzzed
from tests.robustness.trial import Finding, Tally, Trial, kept

MOST_TIMES = 16.0
"""What has taken longest so far is 8 times the reference; without bounds it is 40 times."""

MOST_UNITS = 250_000.0
"""A search has 120,000 units on bases of these sizes, and its page of excerpts some more."""

_TYPED_EVERY, _AGAIN_EVERY, _TRIES = 4, 20, 5
_PROCESSES = 2
_BUSY_SECONDS = 30  # should nobody end it
_TOO_MUCH = ("verdict:" * 80, "shabake:" * 80, "شبکخ:" * 110)
_KNOWN = (*_TOO_MUCH, "verdict:" * 800, "shabake:" * 800, "lang:" * 2_000, "a b c " * 1_000)


class Asked(NamedTuple):
    """What a query came to: milliseconds of CPU, units that were counted, and what went wrong."""

    query: str
    ms: float
    units: float
    wrong: str = ""


def _run(amount: int, seed: int) -> Tally:
    before = tuple(case["query"] for case in kept("queries"))
    findings: list[Finding] = []
    figures: dict[str, str] = {}
    with tempfile.TemporaryDirectory() as folder:
        bases = {"33": bundled(Path(folder)), f"{MANY:,}": made(Path(folder), MANY)}
        asked = {
            name: [*_asked(path, (*_KNOWN, *before)), *_spread(path, seed, before, amount, place)]
            for place, (name, path) in enumerate(bases.items())
        }
    for name, of_base in asked.items():
        findings += [_finding(name, each) for each in of_base if each.wrong]
        figures |= _figures(name, of_base)
    return Tally(sum(map(len, asked.values())), tuple(findings), figures)


def _control(amount: int, seed: int) -> Tally:
    """Ask what is known to be too much of a base where nothing is counted."""
    with tempfile.TemporaryDirectory() as folder, _unbounded():
        asked = list(_asked(bundled(Path(folder)), _TOO_MUCH[:amount]))
    found = tuple(_finding("33", each) for each in asked if each.wrong)
    return Tally(len(asked), found, _figures("33", asked))


def _spread(
    path: Path, seed: int, before: Sequence[str], amount: int, place: int
) -> Iterator[Asked]:
    """Ask this base its half of the queries, by several processes."""
    first = range(place, amount, 2)
    shares = [first[number::_PROCESSES] for number in range(_PROCESSES)]
    with multiprocessing.get_context("spawn").Pool(_PROCESSES) as pool:
        for found in pool.imap(partial(_share, path, seed, before), shares):
            yield from found


def _share(path: Path, seed: int, before: Sequence[str], numbers: Sequence[int]) -> list[Asked]:
    """Ask the queries of these numbers, and some of them again."""
    asked = list(_asked(path, (fuzzed(seed, number, before) for number in numbers)))
    with open_library(path) as library, open_library(path) as other:
        for place in range(0, len(asked), _AGAIN_EVERY):
            if not asked[place].wrong:
                wrong = _difference(library, other, asked[place].query)
                asked[place] = asked[place]._replace(wrong=wrong)
    return asked


def _asked(path: Path, queries: Iterable[str]) -> Iterator[Asked]:
    with open_library(path) as library:
        library.search('"warm" -up*')
        for number, query in enumerate(queries):
            yield _one(library, query, typed=number % _TYPED_EVERY == 0)


def _one(library: Library, query: str, typed: bool = False) -> Asked:
    """Ask a query; where it took long, again: its work is the same, the machine's may not be."""
    ask: Callable[[], object] = partial(library.search, query, explain=not typed)
    if typed:
        ask = partial(_last, library, query)
    least, times = math.inf, math.inf
    for _ in range(_TRIES):
        began = time.process_time()
        try:
            with _counted() as units:
                ask()
        except Exception as error:  # noqa: BLE001  # whatever it is, it went wrong
            return Asked(query, 0.0, 0.0, f"raises {type(error).__name__}: {error}")
        seconds = time.process_time() - began
        least, times = min(least, seconds * 1000), min(times, pace.ratio(seconds, MOST_TIMES))
        if times <= MOST_TIMES:
            break
        _forget()
    wrong = []
    if times > MOST_TIMES:
        wrong.append(f"takes {times:.0f} times the reference")
    if sum(units) > MOST_UNITS:
        wrong.append(f"counts {sum(units):,.0f} units of work")
    return Asked(query, least, sum(units), ", ".join(wrong))


@contextmanager
def _counted() -> Iterator[list[float]]:
    """Give the units of work that are spent meanwhile."""
    units: list[float] = []
    spend = Budget.spend

    def counting(budget: Budget, more: float) -> None:
        units.append(min(more, budget.left))
        spend(budget, more)

    with patch.object(Budget, "spend", counting):
        yield units


def _last(library: Library, query: str) -> list[Results]:
    return list(library.search_typed(query))


def _difference(library: Library, other: Library, query: str) -> str:
    """Return how an answer differs where nothing is in a cache and the machine is busy."""
    first = library.search(query)
    with _busy():
        _forget()
        second = other.search(query)
    same = _answer(first) == _answer(second)
    return "" if same else "gives another answer when it is asked again"


def _answer(results: Results) -> object:
    told = [(hit.id, hit.score, hit.excerpt) for hit in results.hits]
    return told, results.total, results.notice, results.suggestion


def _forget() -> None:
    """Empty the caches of the analyzer and the planner."""
    from kb.search import compile as planning
    from kb.search import translation
    from kb.text import analyzer

    for cached in (
        analyzer.stem, analyzer.are_one_word,
        planning._terms, planning._readings, planning._joined_in, translation.key_of,
        analyzer.analyzed, analyzer._words_of,
    ):  # fmt: skip
        cached.cache_clear()


@contextmanager
def _busy() -> Iterator[None]:
    """Keep the machine busy meanwhile."""
    pid = os.fork()
    if not pid:
        ends = time.monotonic() + _BUSY_SECONDS
        while time.monotonic() < ends:
            sum(range(10_000))
        os._exit(0)
    try:
        yield
    finally:
        os.kill(pid, 9)
        os.waitpid(pid, 0)


@contextmanager
def _unbounded() -> Iterator[None]:
    """Take away what bounds a query: neither its parts nor its work are counted."""
    with (
        patch.object(Budget, "spend", lambda self, units: None),
        patch.object(Budget, "affords", lambda self, units: True),
        patch.object(Budget, "stops", lambda self: False),
        patch("kb.search.parser._beginning", lambda word, most: (word, 1)),
        patch("kb.search.lexicon.cache", lambda look_up: look_up),
        patch("kb.search.fallbacks.MOST_MISSPELT", sys.maxsize),
        patch("kb.service.find.MOST_UNKNOWN", sys.maxsize),
    ):
        yield


def _finding(base: str, asked: Asked) -> Finding:
    shown = json.dumps(asked.query[:120], ensure_ascii=False)
    said = f"of {base} entries {shown} ({len(asked.query)} characters) {asked.wrong}"
    return Finding(said, {"query": asked.query, "base": base, "said": asked.wrong})


def _figures(name: str, asked: Sequence[Asked]) -> dict[str, str]:
    times = [each.ms for each in asked]
    hundredths = quantiles(times, n=100, method="inclusive")
    shown = f"{hundredths[49]:.1f} / {hundredths[98]:.1f} / {max(times):.1f}"
    return {
        f"p50 / p99 / max ms of CPU at {name}": shown,
        f"units at most at {name}": f"{max(each.units for each in asked):,.0f}",
    }


TRIAL = Trial(
    "queries",
    f"a query of whatever kind raises nothing, takes at most {MOST_TIMES:.0f} times the reference"
    f" on {MANY:,} entries, counts at most {MOST_UNITS:,.0f} units of work, and has one answer",
    short=1_000,
    long=1_000_000,
    run=_run,
    control=_control,
    controls=len(_TOO_MUCH),
)

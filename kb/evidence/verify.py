"""Verification: runs each program once, in parallel, and judges every annotation."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait
from dataclasses import replace

from kb.evidence.judge import judge
from kb.evidence.runner import Limits, run_snippet
from kb.model.entry import Annotation, Snippet
from kb.model.reports import Outcome, Verification
from kb.model.results import Progress

_AT_ONCE = os.cpu_count() or 2
_TICK = 0.1
_PATIENCE = 5.0
"""The programs run beside each other: what they get of the processor says nothing about them."""


def programs_of(
    annotations: Sequence[Annotation], snippets: Mapping[str, Snippet]
) -> list[Snippet]:
    """Return the programs that these annotations need, by name.

    Stale evidence runs nothing until somebody has reviewed it.
    """
    digests = {name: snippet.digest for name, snippet in snippets.items()}
    fresh = {e.snippet for a in annotations if not a.is_stale(digests) for e in a.evidence}
    return [snippets[name] for name in sorted(fresh) if name in snippets]


def verified(
    annotations: Sequence[Annotation],
    snippets: Mapping[str, Snippet],
    refused: Mapping[str, str],
    limits: Limits,
    progress: Progress,
) -> Iterator[Verification]:
    """Yield the status of each annotation as soon as its programs have run.

    ``refused`` are programs that do not run, with the reason: annotations that need them are
    ``cannot-run``.
    """
    wanted = programs_of(annotations, snippets)
    runnable = [snippet for snippet in wanted if snippet.id not in refused]
    awaited = {snippet.id for snippet in runnable}
    outcomes: dict[str, Outcome] = {}
    left = list(annotations)
    for outcome in _outcomes(runnable, limits, progress):
        if outcome is not None:
            outcomes[outcome.snippet] = outcome
        missing = awaited - outcomes.keys()
        reached = [a for a in left if missing.isdisjoint(e.snippet for e in a.evidence)]
        left = [a for a in left if a not in reached]
        yield from (judge(annotation, snippets, outcomes, refused) for annotation in reached)


def _outcomes(
    snippets: Sequence[Snippet], limits: Limits, progress: Progress
) -> Iterator[Outcome | None]:
    """Run programs in parallel; yield nothing first, then outcomes as they come.

    No process is left running, however this ends.
    """
    stop, limits = threading.Event(), replace(limits, patience=_PATIENCE)
    pool = ThreadPoolExecutor(_AT_ONCE)
    try:
        running: set[Future[Outcome]] = {
            pool.submit(run_snippet, snippet, limits, stop=stop) for snippet in snippets
        }
        yield None
        while running:
            progress(len(snippets) - len(running), len(snippets))
            ended, running = wait(running, _TICK, FIRST_COMPLETED)
            yield from (future.result() for future in ended)
        progress(len(snippets), len(snippets))
    finally:
        stop.set()
        pool.shutdown(cancel_futures=True)

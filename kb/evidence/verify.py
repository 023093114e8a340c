"""Evidence run: each snippet once, side by side, and every annotation judged by the figures."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterator, Mapping, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait

from kb.errors import Untrusted
from kb.evidence.judge import judge
from kb.evidence.runner import Limits, check_level, refused, run_snippet
from kb.evidence.trust import Consent, check_trust
from kb.records import Annotation, Outcome, Progress, Snippet, Verification

_AT_ONCE = os.cpu_count() or 2
_TICK = 0.1


def verified(
    annotations: Sequence[Annotation],
    snippets: Mapping[str, Snippet],
    consent: Consent,
    limits: Limits,
    progress: Progress,
) -> Iterator[Verification]:
    """Yield the state of each annotation's evidence, as soon as its snippets have all run.

    What is not trusted is not run: its annotations are ``cannot-run``.
    """
    digests = {name: snippet.digest for name, snippet in snippets.items()}
    fresh = {e.snippet for a in annotations if not a.is_stale(digests) for e in a.evidence}
    wanted = [snippets[name] for name in sorted(fresh) if name in snippets]
    runnable = [snippet for snippet in wanted if _may_run(snippet, consent)]
    awaited = {snippet.id for snippet in runnable}
    outcomes: dict[str, Outcome] = {}
    left = list(annotations)
    for outcome in _outcomes(runnable, consent, limits, progress):
        if outcome is not None:
            outcomes[outcome.snippet] = outcome
        missing = awaited - outcomes.keys()
        reached = [a for a in left if missing.isdisjoint(e.snippet for e in a.evidence)]
        left = [a for a in left if a not in reached]
        yield from (judge(annotation, snippets, outcomes) for annotation in reached)


def _outcomes(
    snippets: Sequence[Snippet], consent: Consent, limits: Limits, progress: Progress
) -> Iterator[Outcome | None]:
    """Run snippets side by side; yield nothing first, then outcomes as they come.

    Nothing is left running, whatever ends it.
    """
    stop = threading.Event()
    pool = ThreadPoolExecutor(_AT_ONCE)
    try:
        running: set[Future[Outcome]] = {
            pool.submit(_run, snippet, consent, limits, stop) for snippet in snippets
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


def _run(snippet: Snippet, consent: Consent, limits: Limits, stop: threading.Event) -> Outcome:
    """Run a snippet, unless it came from elsewhere and cannot be shut in here."""
    try:
        check_level(snippet, consent)
    except Untrusted as error:
        return refused(snippet.id, f"{error.message}. {error.hint}")
    return run_snippet(snippet, limits, stop=stop)


def _may_run(snippet: Snippet, consent: Consent) -> bool:
    try:
        check_trust(snippet, consent)
    except Untrusted:
        return False
    return True

"""The evidence behind annotations, run and judged."""

from __future__ import annotations

import os
import threading
from collections.abc import Iterable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, ThreadPoolExecutor, wait

from kb.errors import Untrusted
from kb.evidence.judge import judge
from kb.evidence.runner import Limits, run_snippet
from kb.evidence.trust import Consent, check_trust
from kb.records import Annotation, Entry, Outcome, Progress, Snippet, Verification
from kb.store.sqlite import entries
from kb.store.sqlite.database import Database

_AT_ONCE = os.cpu_count() or 2
_TICK = 0.1


def verify(
    database: Database,
    chosen: Iterable[Entry],
    consent: Consent,
    limits: Limits,
    progress: Progress,
) -> list[Verification]:
    """Run each snippet behind the entries' evidence once, judge, and remember the states.

    What is not trusted is not run: its annotations are ``cannot-run``. Whatever ends it
    early, annotations whose snippets have all run are judged and remembered.
    """
    with database.errors():
        annotations = with_evidence(chosen)
        snippets = snippets_of(database, annotations)
    digests = {name: snippet.digest for name, snippet in snippets.items()}
    fresh = {e.snippet for a in annotations if not a.is_stale(digests) for e in a.evidence}
    wanted = [snippets[name] for name in sorted(fresh) if name in snippets]
    runnable = [snippet for snippet in wanted if _may_run(snippet, consent)]
    outcomes: dict[str, Outcome] = {}
    try:
        for outcome in _outcomes(runnable, limits, progress):
            outcomes[outcome.snippet] = outcome
    finally:
        awaited = {snippet.id for snippet in runnable} - outcomes.keys()
        reached = [a for a in annotations if awaited.isdisjoint(e.snippet for e in a.evidence)]
        results = [judge(annotation, snippets, outcomes) for annotation in reached]
        _remember(database, results)
    return results


def _remember(database: Database, results: Iterable[Verification]) -> None:
    with database.writing() as connection:
        for result in results:
            if result.status != "stale":
                entries.put_status(connection, result.annotation, result.status, result.figures)


def accept(database: Database, annotations: Sequence[Annotation]) -> dict[str, str]:
    """Renew the hashes kept beside the evidence; return the snippets' digests."""
    with database.writing() as connection:
        snippets = snippets_of(database, annotations)
        digests = {name: snippet.digest for name, snippet in snippets.items()}
        for annotation in annotations:
            entries.accept(connection, annotation, digests)
    return digests


def with_evidence(chosen: Iterable[Entry]) -> list[Annotation]:
    """Return the annotations that have evidence, in order."""
    return [a for entry in chosen for a in entry.annotations if a.evidence]


def snippets_of(database: Database, annotations: Iterable[Annotation]) -> dict[str, Snippet]:
    """Return the stored snippets that evidence names."""
    names = {evidence.snippet for a in annotations for evidence in a.evidence}
    found = (entries.get_snippet(database.connection, name) for name in sorted(names))
    return {snippet.id: snippet for snippet in found if snippet is not None}


def _outcomes(snippets: Sequence[Snippet], limits: Limits, progress: Progress) -> Iterator[Outcome]:
    """Run snippets side by side; yield outcomes as they come, and leave nothing running."""
    stop = threading.Event()
    pool = ThreadPoolExecutor(_AT_ONCE)
    try:
        running: set[Future[Outcome]] = {
            pool.submit(run_snippet, snippet, limits, stop=stop) for snippet in snippets
        }
        while running:
            progress(len(snippets) - len(running), len(snippets))
            ended, running = wait(running, _TICK, FIRST_COMPLETED)
            yield from (future.result() for future in ended)
        progress(len(snippets), len(snippets))
    finally:
        stop.set()
        pool.shutdown(cancel_futures=True)


def _may_run(snippet: Snippet, consent: Consent) -> bool:
    try:
        check_trust(snippet, consent)
    except Untrusted:
        return False
    return True

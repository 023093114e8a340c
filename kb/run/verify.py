"""The evidence behind annotations, run and judged."""

from __future__ import annotations

import os
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor, as_completed

from kb.errors import Untrusted
from kb.model import Annotation, Entry, Outcome, Progress, Snippet, Verification
from kb.run.evidence import judge
from kb.run.runner import Limits, run_snippet
from kb.run.trust import Consent, check_trust
from kb.store import entries
from kb.store.database import Database

_AT_ONCE = os.cpu_count() or 2


def verify(
    database: Database,
    chosen: Iterable[Entry],
    consent: Consent,
    limits: Limits,
    progress: Progress | None = None,
) -> list[Verification]:
    """Run each snippet behind the entries' evidence once, judge, and remember the states.

    What is not trusted is not run: its annotations are ``cannot-run``.
    """
    with database.errors():
        annotations = with_evidence(chosen)
        snippets = snippets_of(database, annotations)
    digests = {name: snippet.digest for name, snippet in snippets.items()}
    fresh = {e.snippet for a in annotations if not a.is_stale(digests) for e in a.evidence}
    wanted = [snippets[name] for name in sorted(fresh) if name in snippets]
    outcomes = _run_all(wanted, consent, limits, progress)
    results = [judge(annotation, snippets, outcomes) for annotation in annotations]
    with database.writing() as connection:
        for result in results:
            if result.status != "stale":
                entries.put_status(connection, result.annotation, result.status, result.figures)
    return results


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


def _run_all(
    snippets: Sequence[Snippet],
    consent: Consent,
    limits: Limits,
    progress: Progress | None,
) -> dict[str, Outcome]:
    outcomes: dict[str, Outcome] = {}
    with ThreadPoolExecutor(_AT_ONCE) as pool:
        running = {
            pool.submit(run_snippet, snippet, limits): snippet
            for snippet in snippets
            if _may_run(snippet, consent)
        }
        for done, future in enumerate(as_completed(running), 1):
            outcomes[running[future].id] = future.result()
            if progress is not None:
                progress(done, len(running))
    return outcomes


def _may_run(snippet: Snippet, consent: Consent) -> bool:
    try:
        check_trust(snippet, consent)
    except Untrusted:
        return False
    return True

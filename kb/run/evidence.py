"""An annotation's evidence, judged by what its snippets measured."""

from __future__ import annotations

from collections.abc import Mapping

from kb.model import Annotation, Evidence, Outcome, Snippet, Verification


def judge(
    annotation: Annotation, snippets: Mapping[str, Snippet], outcomes: Mapping[str, Outcome]
) -> Verification:
    """Return the state of an annotation that has evidence.

    *stale*: the quote or a snippet is not what a person last looked at. *cannot-run*: a
    snippet is missing, fails, or does not print the figure. *confirmed*: every figure is
    as expected and, where the verdict is ``wrong``, not as claimed. *refuted*: otherwise.
    """
    measured = {
        e.figure: outcome.figures[e.figure]
        for e in annotation.evidence
        if (outcome := outcomes.get(e.snippet)) and e.figure in outcome.figures
    }
    return Verification(annotation.id, _status(annotation, snippets, outcomes, measured), measured)


def _status(
    annotation: Annotation,
    snippets: Mapping[str, Snippet],
    outcomes: Mapping[str, Outcome],
    measured: Mapping[str, float],
) -> str:
    if annotation.is_stale({name: snippet.digest for name, snippet in snippets.items()}):
        return "stale"
    for evidence in annotation.evidence:
        outcome = outcomes.get(evidence.snippet)
        if outcome is None or outcome.status != "ok" or evidence.figure not in outcome.figures:
            return "cannot-run"
    holds = all(_holds(annotation, e, measured[e.figure]) for e in annotation.evidence)
    return "confirmed" if holds else "refuted"


def _holds(annotation: Annotation, evidence: Evidence, figure: float) -> bool:
    if not evidence.agrees(figure):
        return False
    return annotation.verdict != "wrong" or evidence.contradicts_claim(figure)

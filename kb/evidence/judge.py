"""An annotation's evidence, judged by what its snippets measured."""

from __future__ import annotations

from collections.abc import Mapping

from kb.display.figures import figure
from kb.errors import nearest
from kb.records import Annotation, Evidence, Outcome, Snippet, Verification


def judge(
    annotation: Annotation, snippets: Mapping[str, Snippet], outcomes: Mapping[str, Outcome]
) -> Verification:
    """Return the state of an annotation that has evidence, and why it is not confirmed.

    *stale*: the quote or a snippet is not what a person last looked at. *cannot-run*: a
    snippet is missing, fails, or does not print the figure. *confirmed*: every figure is
    as expected and, where the verdict is ``wrong``, not as claimed. *refuted*: otherwise.
    """
    measured = {
        e.figure: outcome.figures[e.figure]
        for e in annotation.evidence
        if (outcome := outcomes.get(e.snippet)) and e.figure in outcome.figures
    }
    if annotation.is_stale({name: snippet.digest for name, snippet in snippets.items()}):
        reason = "the quote or a snippet changed since somebody looked: look, then --accept"
        return Verification(annotation.id, "stale", measured, reason)
    for evidence in annotation.evidence:
        missing = _missing(evidence, snippets, outcomes.get(evidence.snippet))
        if missing:
            return Verification(annotation.id, "cannot-run", measured, missing)
    for evidence in annotation.evidence:
        against = _against(annotation, evidence, measured[evidence.figure])
        if against:
            return Verification(annotation.id, "refuted", measured, against)
    return Verification(annotation.id, "confirmed", measured)


def _missing(evidence: Evidence, snippets: Mapping[str, Snippet], outcome: Outcome | None) -> str:
    """Say why a figure was not measured, or nothing."""
    name = evidence.snippet
    if name not in snippets:
        return f"there is no snippet '{name}'"
    if outcome is None:
        return f"{name} did not come with danesh; read it, and if you trust it add --trust"
    if outcome.status != "ok":
        last = outcome.stderr.strip().split("\n")[-1]
        return f"{name}: {outcome.status}{f': {last}' if last else ''}"
    if evidence.figure not in outcome.figures:
        hint = nearest(evidence.figure, outcome.figures)
        return f"{name} does not print '{evidence.figure}'. {hint}".strip()
    return ""


def _against(annotation: Annotation, evidence: Evidence, measured: float) -> str:
    """Say what speaks against the annotation in a figure, or nothing."""
    name, found = evidence.figure, figure(measured)
    if not evidence.agrees(measured):
        return f"{name} is {found}, expected {figure(evidence.expected)}"
    if annotation.verdict == "wrong" and not evidence.contradicts_claim(measured):
        return f"{name} is {found}, as the source claims"
    return ""

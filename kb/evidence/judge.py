"""The one rule that judges an annotation's evidence by measured figures."""

from __future__ import annotations

from collections.abc import Mapping
from enum import Enum
from typing import TYPE_CHECKING

from kb.errors import Message, joined_sentences, nearest
from kb.terminal.numerals import figure

if TYPE_CHECKING:
    from kb.model.entry import Annotation, Evidence, Snippet
    from kb.model.reports import Outcome, Verification


class Finding(Enum):
    """What a measured figure means for the claim."""

    UNEXPECTED = "not what the annotation expects"
    AS_CLAIMED = "what the source claims, of which the annotation says that it is wrong"
    EXPECTED = "what is expected; the source names no figure"
    AS_SOURCE = "what is expected, and what the source says"
    AGAINST_SOURCE = "what is expected, and not what the source says"

    @property
    def holds(self) -> bool:
        """Whether the evidence is confirmed."""
        return self not in (Finding.UNEXPECTED, Finding.AS_CLAIMED)


def judge_figure(verdict: str, evidence: Evidence, measured: float) -> Finding:
    """Judge one figure; to confirm the verdict ``wrong`` it must also differ from the claim."""
    if not evidence.agrees(measured):
        return Finding.UNEXPECTED
    if evidence.claimed is None:
        return Finding.EXPECTED
    if evidence.contradicts_claim(measured):
        return Finding.AGAINST_SOURCE
    return Finding.AS_CLAIMED if verdict == "wrong" else Finding.AS_SOURCE


def judge(
    annotation: Annotation,
    snippets: Mapping[str, Snippet],
    outcomes: Mapping[str, Outcome],
    refused: Mapping[str, str] | None = None,
) -> Verification:
    """Return the status of an annotation with evidence, and why it is not confirmed.

    *stale*: the quote or a program changed since the last review. *cannot-run*: a program is
    missing, fails, or does not print the figure. *confirmed*: every figure is as expected and,
    for the verdict ``wrong``, not as claimed. *refuted*: otherwise.
    """
    from kb.model.reports import Verification

    measured = {
        e.figure: outcome.figures[e.figure]
        for e in annotation.evidence
        if (outcome := outcomes.get(e.snippet)) and e.figure in outcome.figures
    }
    if annotation.is_stale({name: snippet.digest for name, snippet in snippets.items()}):
        reason = Message(
            "the quote or a program changed since the last review: review it, then use --accept"
        )
        return Verification(annotation.id, "stale", measured, reason)
    for evidence in annotation.evidence:
        outcome = outcomes.get(evidence.snippet)
        missing = (refused or {}).get(evidence.snippet) or _missing(evidence, snippets, outcome)
        if missing:
            return Verification(annotation.id, "cannot-run", measured, missing)
    for evidence in annotation.evidence:
        found = measured[evidence.figure]
        finding = judge_figure(annotation.verdict, evidence, found)
        if not finding.holds:
            return Verification(
                annotation.id, "refuted", measured, _against(finding, evidence, found)
            )
    return Verification(annotation.id, "confirmed", measured)


def _missing(evidence: Evidence, snippets: Mapping[str, Snippet], outcome: Outcome | None) -> str:
    """Return why a figure was not measured, or nothing."""
    name = evidence.snippet
    if name not in snippets:
        return Message("there is no program '{name}'", name=name)
    if outcome is None:
        return Message("{name} was not run", name=name)
    if outcome.status != "ok":
        last = outcome.stderr.strip().split("\n")[-1]
        return f"{name}: {outcome.status}{f': {last}' if last else ''}"
    if evidence.figure not in outcome.figures:
        hint = nearest(evidence.figure, outcome.figures)
        said = Message("{name} does not print '{figure}'.", name=name, figure=evidence.figure)
        return joined_sentences(said, hint)
    return ""


def _against(finding: Finding, evidence: Evidence, measured: float) -> str:
    """Return how a figure contradicts the annotation."""
    if finding is Finding.AS_CLAIMED:
        return Message(
            "{name} is {measured}, as the source claims",
            name=evidence.figure,
            measured=figure(measured),
        )
    return Message(
        "{name} is {measured}, expected {expected}",
        name=evidence.figure,
        measured=figure(measured),
        expected=figure(evidence.expected),
    )

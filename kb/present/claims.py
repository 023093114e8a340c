"""The figures that annotations rest on, by the program that measures them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from kb.evidence.judge import Finding, judge_figure

if TYPE_CHECKING:
    from kb.records import Entry, Evidence, Snippet


class Claim(NamedTuple):
    """A figure that an annotation rests on, and the verdict it proves."""

    verdict: str
    evidence: Evidence


def claims_of(entry: Entry, snippet: Snippet) -> Sequence[Claim]:
    """Return the figures of this snippet that annotations of the entry rest on, once each."""
    found = dict.fromkeys(
        Claim(annotation.verdict, evidence)
        for annotation in entry.annotations
        for evidence in annotation.evidence
        if evidence.snippet == snippet.id
    )
    return tuple(found)


class Measured(NamedTuple):
    """A claim beside what a run measured, and what that says of it."""

    claim: Claim
    figure: float
    finding: Finding


def measured(claims: Sequence[Claim], figures: Mapping[str, float]) -> list[Measured]:
    """Return the claims whose figures a run printed, each judged."""
    return [
        Measured(claim, found, judge_figure(claim.verdict, claim.evidence, found))
        for claim in claims
        if (found := figures.get(claim.evidence.figure)) is not None
    ]


__all__ = ["Claim", "Finding", "Measured", "claims_of", "measured"]

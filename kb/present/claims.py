"""The figures behind annotations, by program."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from kb.evidence.judge import Finding as Finding
from kb.evidence.judge import judge_figure
from kb.present.annotated import concerning

if TYPE_CHECKING:
    from kb.model.entry import Entry, Evidence, Snippet


class Claim(NamedTuple):
    """A figure behind an annotation, its verdict, and the annotation's number.

    Figures of an answer have no verdict, and the number 0.
    """

    verdict: str
    evidence: Evidence
    number: int = 0

    def finding(self, figure: float) -> Finding:
        """Return what a measured figure means for the claim."""
        return judge_figure(self.verdict, self.evidence, figure)


def claims_of(entry: Entry, snippet: Snippet, langs: Sequence[str]) -> Sequence[Claim]:
    """Return the figures of a program behind annotations for readers of these languages."""
    answers = ((0, each) for each in entry.claims if not each.verdict)
    return tuple(
        Claim(annotation.verdict, evidence, number)
        for number, annotation in (*concerning(entry, langs), *answers)
        for evidence in annotation.evidence
        if evidence.snippet == snippet.id
    )


def proof_of(entry: Entry, annotation: str | None) -> Snippet | None:
    """Return the program of an annotation's first figure, or of the annotation it repeats."""
    by_id = {each.id: each for each in entry.annotations}
    found = by_id.get(annotation or "")
    if found is not None and found.repeats:
        found = by_id.get(found.repeats, found)
    name = found.evidence[0].snippet if found is not None and found.evidence else None
    return next((each for each in entry.snippets if each.id == name), None)

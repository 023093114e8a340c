"""The display of a run's result: how it ended, and each figure beside the source's."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

from kb.i18n import N_, _, ngettext, number, share
from kb.i18n.names import RUNS, sandbox_name
from kb.present.claims import Finding, measured
from tui.phrases import verdict_of

if TYPE_CHECKING:
    from kb.model import Annotation, Evidence, Outcome
    from kb.present.claims import Claim, Measured

_HOLDS, _FAILS = "$text-success", "$text-error"
_BROKEN_OFF = {
    "output": N_("wrote too much"),
    "disk": N_("wrote too much to its folder"),
    "threads": N_("started too many threads"),
    "call": N_("made a forbidden system call"),
    "memory": N_("killed by the system, probably for lack of memory"),
    "signal": N_("ended by a signal"),
    "sandbox": N_("the sandbox could not start"),
    "unwatched": N_("could not be monitored"),
    "lost": N_("its monitor died"),
}
"""Why a run was ended, if its status does not say so."""
_BASES = {"counted": N_("counted"), "simulated": N_("simulated"), "definition": N_("by definition")}
"""The labels of figures that are not measured."""


class FigureRow(NamedTuple):
    """A figure behind a note: the source's value, the measured value, and the result.

    ``note`` is the note's number, ``source`` is empty without a claimed value, and ``against``
    means that the claimed value differs from the measured one. If the ``expected`` value is
    shown, too, the row links to the ``snippet`` that prints it.
    """

    note: int
    figure: str
    source: str
    measured: str
    said: str
    style: str
    holds: bool
    against: bool
    expected: str = ""
    snippet: str = ""


def proof_rows(annotation: Annotation) -> list[FigureRow]:
    """Return a row for each figure behind a note, as known without a run."""
    return [_known(each, confirmed=annotation.holds) for each in annotation.evidence]


def _known(evidence: Evidence, *, confirmed: bool) -> FigureRow:
    source = "" if evidence.claimed is None else number(evidence.claimed)
    expected = number(evidence.expected)
    basis = _(_BASES[evidence.basis]) if evidence.basis in _BASES else ""
    said = "✓" if confirmed and not basis else basis
    shown = expected if confirmed else ""
    row = FigureRow(0, evidence.figure, source, shown, said, _HOLDS, confirmed, False)
    return row._replace(expected=expected, snippet=evidence.snippet)


def figure_rows(claims: Sequence[Claim], outcome: Outcome, change: str = "") -> list[FigureRow]:
    """Return a row for each figure behind notes; after a failed run, the measured ones.

    After a ``change`` of the program, other values refute nothing.
    """
    found = {each.claim: each for each in measured(claims, outcome.figures)}
    rows = [_row(each, found.get(each)) for each in claims]
    rows = [row if row.holds or not change else _changed(row, each)
            for row, each in zip(rows, claims, strict=True)]  # fmt: skip
    return rows if outcome.status == "ok" else [row for row in rows if row.measured]


def _row(claim: Claim, found: Measured | None) -> FigureRow:
    evidence = claim.evidence
    source = "" if evidence.claimed is None else number(evidence.claimed)
    shown = "" if found is None else number(found.figure)
    holds = found is not None and found.finding.holds
    against = found is not None and found.finding is Finding.AGAINST_SOURCE
    said, style = _said(claim, found)
    return FigureRow(claim.number, evidence.figure, source, shown, said, style, holds, against)


def _changed(row: FigureRow, claim: Claim) -> FigureRow:
    """Return a row that names the value without the reader's change."""
    before = _("{figure} without the change", figure=number(claim.evidence.expected))
    return row._replace(said=before, style="$text-muted", against=False)


def _said(claim: Claim, found: Measured | None) -> tuple[str, str]:
    """Return the result of a figure with its sign and style."""
    if found is None:
        return _("✗ evidence: not measured"), _FAILS
    if found.finding is Finding.UNEXPECTED:
        expected = number(claim.evidence.expected)
        return _("✗ evidence: {figure} was expected").format(figure=expected), _FAILS
    if found.finding is Finding.AS_CLAIMED:
        return _("✗ evidence: the source's value was measured"), _FAILS
    if found.finding is Finding.AGAINST_SOURCE:
        verdict = verdict_of(claim.verdict)
        return f"{verdict.sign} {_('source')}", verdict.style
    return "✓", _HOLDS


def succeeded(outcome: Outcome, rows: Sequence[FigureRow]) -> bool:
    """Return whether a run succeeded with confirmed figures."""
    return outcome.status == "ok" and all(row.holds for row in rows)


def result(outcome: Outcome, rows: Sequence[FigureRow], change: str = "") -> str:
    """Return the summary of a run: result, ``change``, time, memory and sandbox level."""
    sign = "✓" if succeeded(outcome, [] if change else rows) else "✗"
    ended = _(RUNS.get(outcome.status, outcome.status))
    if rows and outcome.status == "ok":
        holding = share(sum(row.holds for row in rows), len(rows))
        said = _("{share} values as before") if change else _("{share} values confirmed")
        ended = said.format(share=holding)
    why = _BROKEN_OFF.get(outcome.reason)
    against = sum(row.against for row in rows)
    refuted = ngettext("{n} contradicts the source", "{n} contradict the source", against)
    return " · ".join(
        [
            f"{sign} {ended}",
            *([_("with {change}", change=change)] if change else []),
            *([f"✗ {refuted}"] if against else []),
            *([_(why)] if why else []),
            _("{figure} s").format(figure=number(round(outcome.seconds, 2))),
            _("{figure} MiB").format(figure=number(outcome.peak_memory_bytes >> 20)),
            sandbox_name(outcome.level, outcome.isolation),
        ]
    )

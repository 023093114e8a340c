"""What evidence must hold: confirmed only by what was measured, and stale when anything moved."""

from __future__ import annotations

import dataclasses
import threading
from pathlib import Path

import pytest

from kb import Library, open_library
from kb.content.folder import read_accepted
from kb.errors import Cancelled, NotFound, ReadOnly
from kb.evidence import verify
from kb.evidence.judge import Finding, judge, judge_figure
from kb.evidence.runner import Limits
from kb.model.entry import Annotation, Evidence, Snippet, Target, digest
from kb.model.reports import Outcome
from kb.model.results import Progress
from kb.present.claims import Claim
from tests.behind import raw
from tui.widgets.figures import figure_rows

SNIPPET = Snippet("s", {}, "print('figure: 2')")
QUOTE = "it is 1"
EVIDENCE = Evidence("s", "figure", 2.0, 1.0, 0.0, False, digest(QUOTE), SNIPPET.digest)
CLAIM = Annotation(
    "a", Target("source", "en", QUOTE, 0, 7, "f"), "wrong", "high", {}, evidence=(EVIDENCE,)
)


def measured(**figures: float) -> dict[str, Outcome]:
    outcome = Outcome("s", "ok", 0, "", "", False, 0.0, 0, (), figures)
    return {"s": outcome}


def status(evidence: Evidence, outcomes: dict[str, Outcome], verdict: str = "wrong") -> str:
    claim = dataclasses.replace(CLAIM, verdict=verdict, evidence=(evidence,))
    return judge(claim, {"s": SNIPPET}, outcomes).status


def test_what_is_measured_as_expected_is_confirmed() -> None:
    assert status(EVIDENCE, measured(figure=2)) == "confirmed"


def test_what_is_measured_otherwise_is_refuted() -> None:
    assert status(EVIDENCE, measured(figure=3)) == "refuted"


def test_a_wrong_claim_whose_figure_is_the_measured_one_is_refuted() -> None:
    same = dataclasses.replace(EVIDENCE, claimed=2.0)
    assert status(same, measured(figure=2)) == "refuted"
    for claimed, found, why in ((2.0, 2, "2, as the source claims"), (1.0, 3, "3, expected 2")):
        claim = dataclasses.replace(EVIDENCE, claimed=claimed)
        judged = dataclasses.replace(CLAIM, evidence=(claim,))
        reason = judge(judged, {"s": SNIPPET}, measured(figure=found)).reason
        assert str(reason) == f"figure is {why}"
    assert status(same, measured(figure=2), verdict="incomplete") == "confirmed"


@pytest.mark.parametrize(
    ("verdict", "claimed", "found", "finding"),
    [
        ("wrong", 1.0, 2.0, Finding.AGAINST_SOURCE),
        ("wrong", 2.0, 2.0, Finding.AS_CLAIMED),
        ("misleading", 2.0, 2.0, Finding.AS_SOURCE),
        ("misleading", 1.0, 2.0, Finding.AGAINST_SOURCE),
        ("misleading", None, 2.0, Finding.EXPECTED),
        ("wrong", 1.0, 3.0, Finding.UNEXPECTED),
    ],
)
def test_one_rule_judges_a_figure_and_every_face_says_what_it_found(
    verdict: str, claimed: float | None, found: float, finding: Finding
) -> None:
    evidence = dataclasses.replace(EVIDENCE, claimed=claimed)
    assert judge_figure(verdict, evidence, found) is finding
    assert (status(evidence, measured(figure=found), verdict) == "confirmed") is finding.holds
    (row,) = figure_rows([Claim(verdict, evidence)], measured(figure=found)["s"])
    assert (row.said == "✗ source") is (verdict == "wrong" and finding.holds)
    assert row.said.startswith("✗ evidence") is not finding.holds
    assert row.holds is finding.holds


def test_a_figure_that_is_not_printed_cannot_be_run() -> None:
    assert status(EVIDENCE, measured(other=2)) == "cannot-run"
    assert status(EVIDENCE, {}) == "cannot-run"


def test_a_snippet_that_fails_cannot_be_run() -> None:
    failed = measured(figure=2)["s"]._replace(status="failed")
    assert status(EVIDENCE, {"s": failed}) == "cannot-run"


def test_a_changed_quote_or_snippet_is_stale() -> None:
    for changed in ({"quote_hash": "x"}, {"snippet_hash": "x"}):
        assert status(dataclasses.replace(EVIDENCE, **changed), measured(figure=2)) == "stale"


def test_a_tolerance_is_relative_unless_it_says_absolute() -> None:
    assert Evidence("s", "f", 100.0, tolerance=0.01).agrees(101)
    assert not Evidence("s", "f", 100.0, tolerance=0.01).agrees(101.5)
    assert Evidence("s", "f", 0.0, tolerance=0.1, absolute=True).agrees(0.05)
    assert not Evidence("s", "f", 0.0, tolerance=0.1).agrees(0.05)


def test_states_are_kept_and_repeated_claims_share_them(bundled: Library) -> None:
    bundled.verify(["batch-norm-epsilon"])
    states = {a.id: a.status for a in bundled.show("batch-norm-epsilon").annotations}
    assert states["epsilon-adds-noise"] == "confirmed"
    assert states["epsilon-adds-noise-summary"] == "confirmed"


def test_an_annotation_can_be_named_by_itself(bundled: Library) -> None:
    names = [result.annotation for result in bundled.verify(["rnn-space-times-weights"])]
    assert "rnn-space-times-weights" in names


def test_an_unknown_id_names_the_nearest(bundled: Library) -> None:
    with pytest.raises(NotFound) as caught:
        bundled.verify(["rnn-backprop-complexit"])
    assert "rnn-backprop-complexity" in caught.value.hint


def test_accepted_evidence_counts_as_content_of_its_entry(
    bundled: Library, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("kb.service.verify.bundled_folder", lambda: tmp_path)
    raw(bundled).execute("UPDATE evidence SET quote_hash = 'older'")
    raw(bundled).execute("UPDATE entry SET digest = x'00'")
    bundled.verify(["radius-mask"], accept=True)
    stored = raw(bundled).execute("SELECT digest FROM entry WHERE id = 'radius-mask'").fetchone()
    entry = bundled._base.store.entries.get(["radius-mask"])["radius-mask"]
    assert stored[0] == bytes.fromhex(entry.digest)


@pytest.mark.long
def test_accepting_renews_what_is_stale(
    bundled_path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    checkout = tmp_path / "checkout"
    checkout.mkdir()
    monkeypatch.setattr("kb.service.verify.bundled_folder", lambda: checkout)
    with open_library(bundled_path) as library:
        raw(library).execute("UPDATE evidence SET snippet_hash = 'older'")
        some = ["matrix-chain-three", "rnn-backprop-complexity"]
        assert {r.status for r in library.verify(some)} == {"stale"}
        assert {r.status for r in library.verify(some, accept=True)} == {"confirmed"}
        assert {r.status for r in library.verify(["accurate-mean"])} == {"stale"}
        renewed = {each.annotation for each in library.verify(some)}
        assert (read_accepted(checkout) or {}).keys() == renewed
    with open_library(bundled_path) as library:
        assert {a.status for a in library.show("matrix-chain-three").annotations if a.evidence} == {
            "confirmed"
        }


def test_a_run_proves_only_what_rests_on_its_program_alone(bundled: Library) -> None:
    entry = bundled.show("rnn-backprop-complexity")
    program = entry.main_snippet().id
    outcome = bundled.run(program)
    resting = {
        each.id
        for each in entry.annotations
        if {evidence.snippet for evidence in each.evidence} == {program}
    }
    judged = bundled.judge_run(program, outcome)
    assert {each.annotation for each in judged} == resting != set()
    assert {each.status for each in judged} == {"confirmed"}
    one = min(resting)
    raw(bundled).execute(
        "UPDATE evidence SET snippet = 'matrix_chain_order' WHERE annotation = ? AND position = 0",
        (one,),
    )
    again = {each.annotation for each in bundled.judge_run(program, outcome)}
    assert again == resting - {one}
    assert not bundled.judge_run(program, outcome._replace(status="failed"))


class Programs:
    """Programs that only pretend to run: each until it is told to stop, or not at all."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch, *, endless: bool) -> None:
        monkeypatch.setattr(verify, "_AT_ONCE", 1)
        monkeypatch.setattr(verify, "run_snippet", self._run)
        self.begun = threading.Event()
        self.ended: list[tuple[str, bool]] = []
        self.patience = set[bool]()
        self._endless = endless

    def _run(self, snippet: Snippet, limits: Limits, *, stop: threading.Event) -> Outcome:
        self.begun.set()
        self.patience.add(limits.patience > 1)
        self.ended.append((snippet.id, stop.wait(9) if self._endless else stop.is_set()))
        return measured(figure=2)["s"]._replace(snippet=snippet.id)

    def verified(self, progress: Progress) -> list[str]:
        """Verify an annotation for each of three programs, and return what is confirmed."""
        snippets = {name: dataclasses.replace(SNIPPET, id=name) for name in "abc"}
        claims = [
            dataclasses.replace(CLAIM, id=n, evidence=(dataclasses.replace(EVIDENCE, snippet=n),))
            for n in snippets
        ]
        found = verify.verified(claims, snippets, {}, Limits(1, 1), progress)
        return [each.annotation for each in found if each.status == "confirmed"]


def test_where_a_verification_is_ended_what_runs_is_stopped_and_nothing_else_begins(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    programs = Programs(monkeypatch, endless=True)

    def end(done: int, total: int) -> None:
        assert programs.begun.wait(60)
        raise Cancelled("ended")

    with pytest.raises(Cancelled):
        programs.verified(end)
    assert programs.ended == [("a", True)]


def test_a_verification_tells_how_many_programs_have_run_to_the_last(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    programs, told = Programs(monkeypatch, endless=False), list[tuple[int, int]]()
    assert sorted(programs.verified(lambda *step: told.append(step))) == ["a", "b", "c"]
    assert programs.ended == [(name, False) for name in "abc"]
    assert told == sorted(told) and (told[0][1], told[-1]) == (3, (3, 3))
    assert programs.patience == {True}, "a busy machine would refute what a program proves"


def test_evidence_is_verified_where_the_database_may_only_be_read(
    bundled: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(*given: object) -> None:
        raise ReadOnly("the database is read-only")

    name = next(iter(bundled._base.store.snippets.holders(["matrix_chain_order"]).values()))[0]
    monkeypatch.setattr(type(bundled._base.store), "transaction", refuse)
    results = bundled.verify([name])
    assert {(each.status, each.stored) for each in results} == {("confirmed", False)}

"""A note and the program that proves it: seen, run and named."""

from __future__ import annotations

from pathlib import Path

import pytest

from kb import Library
from kb.errors import NotFound, UsageError
from kb.model.draft import Draft
from kb.model.entry import Annotation, Evidence, TextSpan
from kb.present.claims import claims_of, proof_of
from tests.databases import new_library

TEXTS = {"en": "The sum is 50.", "fa": "جمع برابر 50 است."}
NOTES = {"en": "It is 55.", "fa": "برابر 55 است."}
CODE = "print('total:', sum(range(11)))\n"


def _entry(library: Library, lang: str) -> str:
    draft = Draft({lang: TEXTS[lang]}, {"source": {lang: TEXTS[lang]}})
    (id,) = library.edit.new(draft).ids
    library.own.save_snippet(id, "print('other: 1')\n", name="first")
    library.own.save_snippet(id, CODE, name="proof")
    return id


def _note(library: Library, id: str, lang: str, figure: str = "total") -> Annotation:
    start = TEXTS[lang].index("50")
    words = TextSpan("source", lang, start, start + 2)
    evidence = [Evidence("proof", figure, 55.0, 50.0)]
    return library.own.annotate(id, words, NOTES[lang], verdict="wrong", evidence=evidence)


@pytest.mark.parametrize("lang", ["en", "fa"])
def test_a_note_of_ones_own_is_proved_by_its_program(empty: Library, lang: str) -> None:
    id = _entry(empty, lang)
    note = _note(empty, id, lang)
    assert note.status == "unverified"
    entry = empty.show(id)
    proof = proof_of(entry, note.id)
    assert proof is not None
    assert (proof.id, entry.main_snippet().id) == ("proof", "first")  # type: ignore[union-attr]
    assert [claim.number for claim in claims_of(entry, proof, [lang])] == [1]
    assert empty.run(note.id).figures == {"total": 55.0}
    assert [each.status for each in empty.verify([note.id])] == ["confirmed"]
    assert empty.show(id).annotations[0].status == "confirmed"


@pytest.mark.parametrize("lang", ["en", "fa"])
def test_a_run_of_its_program_proves_a_note_and_that_is_kept(empty: Library, lang: str) -> None:
    id = _entry(empty, lang)
    note = _note(empty, id, lang)
    outcome = empty.run("proof")
    assert not empty.judge_run("proof", outcome._replace(status="failed"))
    assert not empty.judge_run("first", empty.run("first"))
    assert empty.show(id).annotations[0].status == "unverified"
    (judged,) = empty.judge_run("proof", outcome)
    assert (judged.annotation, judged.status) == (note.id, "confirmed")
    assert empty.show(id).annotations[0].status == "confirmed"
    (judged,) = empty.judge_run("proof", outcome._replace(figures={"total": 54.0}))
    assert (judged.status, empty.show(id).annotations[0].status) == ("refuted", "refuted")


def test_a_figure_names_every_note_that_rests_on_it(empty: Library) -> None:
    id = _entry(empty, "en")
    for _again in range(2):
        _note(empty, id, "en")
    entry = empty.show(id)
    proof = next(each for each in entry.snippets if each.id == "proof")
    assert [claim.number for claim in claims_of(entry, proof, ["en"])] == [1, 2]


def test_a_figure_that_is_not_as_expected_refutes_a_note(empty: Library) -> None:
    id = _entry(empty, "en")
    start = TEXTS["en"].index("50")
    words = TextSpan("source", "en", start, start + 2)
    wrong = [Evidence("proof", "total", 54.0, 50.0)]
    note = empty.own.annotate(id, words, "It is 54.", verdict="wrong", evidence=wrong)
    assert empty.read.proven() == (0, 1)
    assert [each.status for each in empty.verify([note.id])] == ["refuted"]
    assert empty.read.proven() == (0, 1)


def test_a_program_that_changed_makes_the_proof_stale(empty: Library) -> None:
    id = _entry(empty, "en")
    note = _note(empty, id, "en")
    empty.own.save_snippet(id, CODE.replace("11", "12"), name="proof")
    assert [each.status for each in empty.verify([note.id])] == ["stale"]


def test_evidence_needs_a_program_of_the_entry_and_numbers(empty: Library) -> None:
    id = _entry(empty, "en")
    words = TextSpan("source", "en", 0, 3)
    with pytest.raises(NotFound, match="proff"):
        empty.own.annotate(id, words, "x", evidence=[Evidence("proff", "total", 1.0)])
    with pytest.raises(UsageError):
        empty.own.annotate(id, words, "x", evidence=[Evidence("proof", "total", float("nan"))])
    assert not empty.show(id).annotations


@pytest.mark.parametrize("lang", ["en", "fa"])
def test_note_program_and_proof_go_to_another_base_and_back(
    empty: Library, tmp_path: Path, lang: str
) -> None:
    id = _entry(empty, lang)
    _note(empty, id, lang)
    empty.export("json", tmp_path / "all.json")
    with new_library(tmp_path / "other.db") as other:
        other.import_file(tmp_path / "all.json")
        assert other.show(id) == empty.show(id)
        other.changes.undo()
        assert other.list().total == 0
    empty.changes.undo(4)
    assert empty.list().total == 0
    empty.changes.redo(4)
    assert empty.show(id).annotations[0].evidence[0].snippet == "proof"


def test_one_program_is_the_main_one(empty: Library) -> None:
    id = _entry(empty, "en")
    empty.own.save_snippet(id, CODE, name="proof", main=True)
    mains = [each.id for each in empty.show(id).snippets if each.main]
    assert mains == ["proof"]
    assert empty.run(id).figures == {"total": 55.0}

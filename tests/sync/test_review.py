"""Proposals: a reader's change waits for a reviewer, and evidence has a say."""

from __future__ import annotations

from contextlib import ExitStack

import pytest

from kb.errors import BadData, Conflict, UsageError
from kb.model.entry import Evidence, TextSpan
from tests.sync.test_files import amend, content, new
from tests.sync.test_hub import Course


@pytest.fixture
def course(server, database, tmp_path):
    """A course with one entry, known to all."""
    with ExitStack() as stack:
        made = Course(server, database, tmp_path, stack)
        made.entry = new(made["ada"])
        made.sync("ada", "rose", "rey", "bob")
        yield made


def proposed(course, **values):
    """Return the proposal that the reviewer gets of a reader's change."""
    amend(course["rey"], course.entry, **values)
    course.sync("rey", "rose", "bob")
    (found,) = course["rose"].reviews.proposals()
    return found


def test_a_readers_change_is_a_proposal_until_it_is_accepted(course):
    found = proposed(course, level="H")
    assert (found.entry, found.author, found.status) == (course.entry, "rey", "pending")
    assert [(each.field, each.before, each.after) for each in found.changes] == [
        ("level", None, "H")
    ]
    assert course["rey"].show(course.entry).level == "H"
    assert course["bob"].show(course.entry).level is None
    course["rose"].reviews.decide(found.id, accept=True)
    course.sync("rose", "bob", "rey")
    assert course["bob"].show(course.entry).level == "H"
    assert content(course["bob"]) == content(course["rey"]) == content(course["rose"])
    assert course["rose"].reviews.proposals() == []
    (told,) = course["rey"].reviews.proposals(decided=True)
    assert told.status == "accepted"
    (done,) = course.sync("rey")
    assert (done.sent, done.unsent) == (0, 0)


def test_a_refused_proposal_is_taken_back_and_says_why(course):
    found = proposed(course, question="Why?", lang="en")
    course["rose"].reviews.decide(found.id[:10], accept=False, reason="It was clear.")
    course.sync("rose", "rey", "bob")
    assert course["rey"].show(course.entry).question == {"en": "Attention"}
    (told,) = course["rey"].reviews.proposals(decided=True)
    assert (told.status, told.reason) == ("rejected", "It was clear.")
    assert [(each.before, each.after) for each in told.changes] == [("Attention", "Why?")]
    assert content(course["rey"]) == content(course["bob"])
    (done,) = course.sync("rey")
    assert (done.sent, done.received) == (0, 0)


def test_several_steps_are_one_proposal_and_accepted_together(course):
    amend(course["rey"], course.entry, level="H")
    course.sync("rey")
    found = proposed(course, tag=("hard",))
    assert {each.field for each in found.changes} == {"level", "tags"}
    course["rose"].reviews.decide(course.entry, accept=True)
    course.sync("rose", "bob")
    assert course["bob"].show(course.entry).tags == ("hard",)
    assert course["bob"].show(course.entry).level == "H"


def test_an_accepted_proposal_merges_with_what_was_changed_since(course):
    found = proposed(course, answer="ONE two three four", lang="en")
    amend(course["ada"], course.entry, answer="one two three FOUR", lang="en")
    course.sync("ada", "rose")
    course["rose"].reviews.decide(found.id, accept=True)
    course.sync("rose", "ada", "rey")
    assert course["ada"].show(course.entry).answers[0].text == "ONE two three FOUR"
    assert content(course["ada"]) == content(course["rey"])


@pytest.mark.long
@pytest.mark.parametrize("name", ["ada", "rey"])
def test_only_reviewers_decide(course, name):
    found = proposed(course, level="H")
    course.sync("ada")
    with pytest.raises(UsageError, match="only reviewers"):
        course[name].reviews.decide(found.id, accept=True)


def test_a_proposal_travels_as_a_file_that_does_not_prove_its_author(course, tmp_path):
    amend(course["rey"], course.entry, level="H")
    path = tmp_path / "rey.proposal"
    assert course["rey"].sync.save_proposals(path) == 1
    course["rose"].sync.load_proposals(path)
    (found,) = course["rose"].reviews.proposals()
    assert (found.author, found.says) == ("?", "rey")
    assert course["rose"].show(course.entry).level is None
    course.sync("rose", "bob")
    assert course["bob"].reviews.proposals() == []
    course["rose"].reviews.decide(found.id, accept=True)
    course.sync("rose", "bob", "rey")
    assert course["bob"].show(course.entry).level == "H"
    assert content(course["rey"]) == content(course["rose"]) == content(course["bob"])
    assert course.sync("rey")[0].unsent == 0


def test_a_proposal_in_a_file_keeps_every_separator_of_lines(course, tmp_path):
    amend(course["rey"], course.entry, answer="one\u2028two\u2029three\x85four", lang="en")
    path = tmp_path / "rey.proposal"
    course["rey"].sync.save_proposals(path)
    assert not course["rose"].sync.load_proposals(path).aside
    (found,) = course["rose"].reviews.proposals()
    assert found.changes[0].after["text"] == "one\u2028two\u2029three\x85four"


def test_a_changed_file_of_proposals_is_refused(course, tmp_path):
    amend(course["rey"], course.entry, level="H")
    path = tmp_path / "rey.proposal"
    course["rey"].sync.save_proposals(path)
    path.write_text(path.read_text().replace('"H"', '"E"'))
    with pytest.raises(BadData, match="changed, or are not complete"):
        course["rose"].sync.load_proposals(path)
    with pytest.raises(BadData, match="not a file"):
        course["rose"].sync.load_proposals(__file__)
    course["rey"].sync.save_proposals(path)
    with pytest.raises(UsageError, match="one course in which you are reviewer"):
        course["rey"].sync.load_proposals(path)


def with_evidence(course, expected: float):
    """Return a reader's proposal of an annotation whose program measures 4."""
    rey = course["rey"]
    program = rey.own.save_snippet(course.entry, "print('sum:', 2 + 2)")
    rey.own.annotate(
        course.entry, TextSpan("source", "en", 0, 3), "It is so.", verdict="wrong",
        evidence=[Evidence(program.id, "sum", expected, claimed=5.0)],
    )  # fmt: skip
    course.sync("rey", "rose")
    (found,) = course["rose"].reviews.proposals()
    (program,) = course["rose"].reviews.programs(found.id)
    return found, program


@pytest.mark.long
def test_evidence_runs_after_consent_and_confirms(course, monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "a"))
    found, program = with_evidence(course, 4.0)
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "b"))  # the reviewer's machine
    with pytest.raises(Conflict, match="cannot-run, so the proposal was not accepted"):
        course["rose"].reviews.decide(found.id, accept=True)
    done = course["rose"].reviews.decide(
        found.id, accept=True, yes=[program.digest], unsafe_run=True
    )
    assert [each.status for each in done.results] == ["confirmed"]
    course.sync("rose", "bob")
    assert len(course["bob"].show(course.entry).annotations) == 1


def test_what_evidence_refutes_is_accepted_only_with_a_reason(course, monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path / "a"))
    found, program = with_evidence(course, 7.0)
    reviews, consent = course["rose"].reviews, {"yes": [program.digest], "unsafe_run": True}
    with pytest.raises(Conflict, match="refuted, so the proposal was not accepted"):
        reviews.decide(found.id, accept=True, **consent)
    assert reviews.proposals()[0].status == "pending"
    done = reviews.decide(found.id, accept=True, reason="To be mended.", **consent)
    assert [each.status for each in done.results] == ["refuted"]
    assert reviews.proposals(decided=True)[0].reason == "To be mended."

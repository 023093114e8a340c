"""The merge of rows: any order and any exchange give the same state, and nothing is lost."""

from __future__ import annotations

import random

import pytest

from kb.sync.merge import merged
from kb.sync.rows import EXISTS, make_row
from tests.plugin import EFFORT
from tests.sync.copies import ENTRY, lost, trial

FIRST = {
    EXISTS: True, "kind": "note", "collection": "c", "question.en": "Q?", "tags": ["a", "b"],
    "answers.reference.en": {"role": "reference", "lang": "en", "text": "one two three four\n"},
}  # fmt: skip


def row(fields, *parents, author="ada"):
    return make_row(ENTRY, tuple(each.id for each in parents), author, "", fields)


ROOT = row(FIRST)


def both(one: dict, other: dict):
    """Return the state after two changes that know nothing of each other."""
    rows = [ROOT, row(one, ROOT), row(other, ROOT, author="bob")]
    state = merged(rows)
    assert state == merged(rows[::-1])
    return state


def answer(text: str) -> dict:
    return {"answers.reference.en": {**FIRST["answers.reference.en"], "text": text}}


def test_random_steps_end_equal_on_all_copies_in_any_order_and_lose_nothing():
    steps = 0
    for seed in range(int(40 * EFFORT)):
        copies, done = trial(seed, 40)
        steps += done
        rows = copies[0].rows
        first = merged(rows.values())
        for copy in copies[1:]:
            assert copy.state == first, seed
        shuffled = list(rows.values())
        random.Random(seed).shuffle(shuffled)
        assert merged(shuffled) == first, seed
        assert lost(rows, first) == [], seed
    assert steps >= 1600 * EFFORT - 40


def test_different_fields_merge():
    state = both({"level": "E"}, {"topic": "nets"})
    assert (state.fields["level"], state.fields["topic"], state.disputes) == ("E", "nets", {})


def test_one_field_changed_in_two_ways_is_a_dispute_with_its_base():
    state = both({"question.en": "Why?"}, {"question.en": "How?"})
    (dispute,) = state.disputes.values()
    assert dispute.base == "Q?"
    assert {value for _, value in dispute.versions} == {"Why?", "How?"}
    assert state.fields["question.en"] == dispute.versions[0][1]


def test_distant_words_of_a_line_merge():
    state = both(answer("ONE two three four\n"), answer("one two three FOUR\n"))
    assert state.fields["answers.reference.en"]["text"] == "ONE two three FOUR\n"
    assert not state.disputes


def test_neighbouring_words_are_a_dispute():
    assert both(answer("ONE two three four\n"), answer("one TWO three four\n")).disputes


def test_tags_merge_as_a_set():
    assert both({"tags": ["a", "b", "c"]}, {"tags": ["b"]}).fields["tags"] == ["b", "c"]


def test_code_merges_by_line_and_never_within_one():
    first = {"id": "s", "title": {}, "code": "a = 1; b = 2; c = 3\n"}
    rows = [ROOT, made := row({"snippets.s": first}, ROOT)]
    one = row({"snippets.s": {**first, "code": "a = 9; b = 2; c = 3\n"}}, made)
    other = row({"snippets.s": {**first, "code": "a = 1; b = 2; c = 9\n"}}, made)
    assert "snippets.s" in merged([*rows, one, other]).disputes


@pytest.mark.parametrize("edit", [{"level": "E"}, {"question.en": "Why?"}, {"tags": ["z"]}])
def test_deletion_against_an_edit_is_always_a_dispute_and_the_entry_stays(edit):
    state = both({EXISTS: False}, edit)
    assert EXISTS in state.disputes
    assert state.fields is not None


def test_two_deletions_agree():
    assert both({EXISTS: False}, {EXISTS: False}).fields is None


def test_a_removed_field_against_a_changed_one_is_a_dispute():
    assert "answers.reference.en" in both({"answers.reference.en": None}, answer("x\n")).disputes


@pytest.mark.parametrize("stays", [True, False])
def test_a_resolution_is_a_row_that_ends_the_dispute_everywhere(stays):
    one, other = row({EXISTS: False}, ROOT), row({"level": "E"}, ROOT)
    rows = [ROOT, one, other, row({EXISTS: stays}, one, other)]
    state = merged(rows)
    assert state.disputes == {}
    assert (state.fields is not None) == stays


def test_an_edit_beside_a_dispute_does_not_end_it():
    one, other = row({"level": "E"}, ROOT), row({"level": "H"}, ROOT)
    later = row({"topic": "nets"}, one, other)
    assert "level" in merged([ROOT, one, other, later]).disputes


def test_undo_removes_one_change_and_keeps_the_others():
    one = row(answer("ONE two three four\n"), ROOT)
    undone = row(answer("one two three four\n"), one)
    other = row(answer("one two three FOUR\n"), ROOT)
    state = merged([ROOT, one, undone, other])
    assert state.fields["answers.reference.en"]["text"] == "one two three FOUR\n"


def test_undo_of_a_change_that_another_was_built_on_is_a_dispute():
    one = row({"question.en": "Why?"}, ROOT)
    built, undone = row({"question.en": "Why not?"}, one), row({"question.en": "Q?"}, one)
    assert "question.en" in merged([ROOT, one, built, undone]).disputes


def test_parts_that_make_no_entry_together_are_a_dispute():
    rows = [made := row({**FIRST, "answers.reference.en": None, "question.fa": "چرا؟"})]
    rows += [row({"question.en": None}, made), row({"question.fa": None}, made)]
    state = merged(rows)
    assert set(state.disputes) == {"question.en", "question.fa"}
    assert state.fields is not None


def test_rows_without_effect_are_passed_over():
    refused = row({"level": "H"}, ROOT)
    later = row({"topic": "nets"}, refused)
    state = merged([ROOT, refused, later], without={refused.id})
    assert state.fields.get("level") is None
    assert state.fields["topic"] == "nets"


def test_a_long_chain_of_merges_within_merges_ends():
    rows, heads = [ROOT], [ROOT, ROOT]
    for n in range(400):
        heads = [row({"level": "EMH"[n % 3]}, *heads), row({"level": "HEM"[n % 3]}, heads[0])]
        rows += heads
    assert merged(rows) == merged(rows[::-1])

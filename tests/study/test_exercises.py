"""What is asked of the bundled content: recall, faults, predictions, in both languages."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from kb import Entry, Library, Snippet, Untrusted, open_library
from kb.content.bundled import bundled_folder
from kb.i18n.names import values_told
from kb.model.entry import Answer
from kb.service.study import Study
from kb.study.exercises import HIDDEN, SOUND, exercises, review_numbers, sentence_at
from tests.content.ledger import RIGHT

LANGUAGES = ("en", "fa")
NO_CLAIM = ("no claim", "question", "code", "comment", "introduces")


@pytest.fixture(scope="module")
def entries(_bundled_file: Path) -> list[Entry]:
    with open_library(_bundled_file) as library:
        return [library.show(hit.id) for hit in library.list().hits]


def rows(name: str) -> list[list[str]]:
    text = (bundled_folder() / name).read_text(encoding="utf-8")
    return [line.split("\t") for line in text.splitlines()[1:]]


def test_there_are_exercises_of_each_kind_for_a_course(entries: list[Entry]) -> None:
    made = [each for entry in entries for each in exercises(entry, "en")]
    counts = {
        kind: sum(each.kind == kind for each in made) for kind in ("recall", "fault", "predict")
    }
    assert counts["recall"] >= 32 and counts["fault"] >= 90 and counts["predict"] >= 25
    keys = [(each.entry, each.key) for each in made]
    assert len(keys) == len(set(keys))


def test_exercises_are_the_same_in_both_languages_and_in_the_language_asked(
    entries: list[Entry],
) -> None:
    other = 0
    for entry in entries:
        english, persian = (exercises(entry, lang) for lang in LANGUAGES)
        assert [each.key for each in english] == [each.key for each in persian]
        assert [each.shown for each in english] == [each.shown for each in persian]
        other += sum(each.lang != "en" for each in english)
        other += sum(each.lang != "fa" for each in persian)
    assert other <= 5, "a figure that only one language says as one number is asked in that"


def test_a_prediction_does_not_show_its_figure(entries: list[Entry]) -> None:
    for entry in entries:
        for lang in LANGUAGES:
            for each in (e for e in exercises(entry, lang) if e.evidence):
                assert HIDDEN in each.passage and each.evidence is not None
                assert each.annotation and each.answer == each.annotation.note[each.lang]
                number = f"{each.evidence.expected:,.10g}"
                if len(number) > 2:
                    assert not re.search(
                        rf"(?<![\d.,]){re.escape(number)}(?![\d.,]\d)", each.passage
                    )


def test_a_sound_passage_is_a_row_of_the_ledger_that_claims_something(
    entries: list[Entry],
) -> None:
    by_id = {entry.id: entry for entry in entries}
    right = {
        " ".join(row[5].split()).removeprefix("- "): row
        for row in rows("ledger.tsv")
        if row[3] == RIGHT
    }
    for id, en, fa, *reasons in rows(SOUND):
        assert not right[en][4].startswith(NO_CLAIM), en
        assert en in by_id[id].text("source", "en") and fa in by_id[id].text("source", "fa")
        assert all(reasons) and reasons[0] != reasons[1]


def test_every_sound_passage_is_asked_in_both_languages(entries: list[Entry]) -> None:
    for lang in LANGUAGES:
        sound = [
            each
            for entry in entries
            for each in exercises(entry, lang)
            if each.kind == "fault" and each.annotation is None
        ]
        assert len(sound) == len(rows(SOUND))
        assert {each.lang for each in sound} == {lang}
        assert all(each.reason for each in sound)


def test_each_gap_of_a_text_is_asked_by_itself() -> None:
    entry = Entry(
        "paris", "card", "cards", {"en": "[…] lies on the […] (river)."},
        answers=(Answer("source", "en", "Paris lies on the Seine."),),
    )  # fmt: skip
    made = exercises(entry, "fa")
    assert [(each.key, each.question, each.answer) for each in made] == [
        ("cloze:1", "[…] lies on the Seine.", "Paris"),
        ("cloze:2", "Paris lies on the […] (river).", "Seine"),
    ]


def test_a_further_card_asks_parts_of_the_answer_in_their_language() -> None:
    answer = "سگ\n\n**Plural:** Hunde\n\n**Use:**\n\n- der Hund\n- die Hunde"
    entry = Entry(
        "dog", "card", "cards", {"de": "Hund"}, answers=(Answer("source", "fa", answer),),
        prompts=(("",), (), ("Plural", "Use"), ("Gone",)),
    )  # fmt: skip
    made = exercises(entry, "de")
    assert [(each.key, each.question, each.answer) for each in made] == [
        ("recall", "Hund", answer),
        ("recall:2", "سگ", answer.replace("سگ", "Hund")),
        ("recall:4", "Hunde\n\n- der Hund\n- die Hunde", "Hund\n\nسگ"),
    ]
    assert {(each.kind, each.shown) for each in made} == {("recall", made[0].shown)}
    assert [(each.lang, each.answer_lang) for each in made[1:]] == [("fa", "de")] * 2
    assert review_numbers(each.key for each in made) == {"recall": 0, "recall:2": 1, "recall:4": 3}


def test_a_question_can_also_be_answered_in_the_other_language(entries: list[Entry]) -> None:
    entry = next(each for each in entries if {"en", "fa"} <= each.short.keys())
    assert all(not each.answer_lang for each in exercises(entry, "en"))
    for lang, other in (LANGUAGES, LANGUAGES[::-1]):
        plain, *_, across = exercises(entry, lang, across=True)
        assert (plain.key, across.key, across.kind) == ("recall", "recall:across", "recall")
        assert (across.lang, across.answer_lang) == (lang, other)
        assert across.question == plain.question and across.answer == entry.short[other]


def test_a_question_without_an_answer_makes_no_exercise() -> None:
    assert exercises(Entry("a", "card", "cards", {"en": "Why?"}), "en") == []


def test_a_passage_is_whole_sentences() -> None:
    text = "First. The loss falls, then rises. Last.\nNew line"
    assert sentence_at(text, 11, 15) == "The loss falls, then rises."
    assert sentence_at(text, 0, len(text)) == text


# Judged by a run.


def test_a_prediction_is_judged_by_a_run_of_the_program(bundled: Library) -> None:
    study = bundled.study
    made = next(
        e for e in study.exercises("rnn-backprop-complexity") if e.key.endswith("values_held")
    )
    exact = study.predict(made.entry, made.key, "2,272")
    assert (exact.error, exact.measured, exact.problem) == (0.0, 2272.0, "")
    near = study.predict(made.entry, made.key, "۲۰۰۰ تا ۲۵۰۰")
    assert near.error == pytest.approx(272 / 2272)
    assert study.hint(made.entry, made.key) == "It is between 1,000 and 10,000."


def test_the_hint_for_an_answer_has_the_first_letters_of_its_words(bundled: Library) -> None:
    hint = bundled.study.hint("matrix-chain-three", "recall")
    assert hint.startswith("M······· B b· C f····: A(B·). B· t·· u···· r···")
    hint = bundled.study.hint("matrix-chain-three", "recall", lang="fa")
    assert hint.startswith("ن··· B· ر· ح···")


def test_a_prediction_that_comes_back_has_other_values_and_is_judged_by_them(
    bundled: Library,
) -> None:
    study = bundled.study
    made = next(
        e for e in study.exercises("rnn-backprop-complexity") if e.key.endswith("values_held")
    )
    named = (made.entry, made.key)
    assert not study.exercise(*named).exercise.values
    drawn = []
    for _ in range(2):
        study.grade(*named, 3)
        asked = study.exercise(*named).exercise
        assert asked.values.keys() in ({"SEED", "CHUNK"}, {"SEED", "STEPS"}) and asked.snippet
        assert study.exercise(*named).exercise.values == asked.values
        figures = bundled.run(asked.snippet.id, values=asked.values).figures
        assert study.predict(*named, "1").measured == figures["values_held"]
        name = next(each for each in asked.values if each != "SEED")
        assert f"{name} = {asked.values[name]:,} (10" in values_told(asked)
        assert study.hint(*named) == "Without that it is 2,272."
        drawn.append(asked.values)
    assert drawn[0] != drawn[1]


def test_a_figure_that_is_no_number_of_its_own_is_not_hidden(entries: list[Entry]) -> None:
    """An exponent, and "no" and "once"."""
    for entry in entries:
        for lang in LANGUAGES:
            for each in (e for e in exercises(entry, lang) if e.evidence):
                assert not re.search(
                    rf"\d{re.escape(HIDDEN)}|\bconvert {re.escape(HIDDEN)}", each.passage
                )


def test_a_program_that_fails_is_told_and_not_rated(
    bundled: Library, monkeypatch: pytest.MonkeyPatch
) -> None:
    study = bundled.study
    made = next(each for each in study.exercises("rnn-backprop-complexity") if each.snippet)
    broken = Snippet(made.snippet.id if made.snippet else "", {}, "raise SystemExit('no room')")
    asked = study.exercise(made.entry, made.key)
    altered = asked._replace(exercise=made._replace(snippet=broken))
    monkeypatch.setattr(Study, "exercise", lambda *_, **__: altered)
    with pytest.raises(Untrusted):
        study.predict(made.entry, made.key, "5")
    outcome = study.predict(made.entry, made.key, "5", yes=[broken.digest])
    assert "no room" in outcome.problem and outcome.measured is None


def test_a_fault_is_found_or_not(bundled: Library) -> None:
    study = bundled.study
    faults = [each for each in study.exercises("matrix-chain-three") if each.kind == "fault"]
    wrong = next(each for each in faults if each.annotation)
    sound = next(each for each in faults if not each.annotation)
    assert study.find_fault(wrong.entry, wrong.key, wrong=True).right is True
    assert study.find_fault(wrong.entry, wrong.key, wrong=False).right is False
    assert study.find_fault(sound.entry, sound.key, wrong=False).right is True
    assert study.find_fault(sound.entry, sound.key, wrong=True)[:2] == (False, True)


@pytest.mark.long
def test_every_prediction_of_the_right_figure_is_exact(bundled: Library) -> None:
    """Each program is run once, and its figures are those that exercises are judged by."""
    wrong, runs = [], {}
    for hit in bundled.list().hits:
        for each in bundled.study.exercises(hit.id):
            if each.evidence is None or each.snippet is None:
                continue
            if each.snippet.id not in runs:
                runs[each.snippet.id] = bundled.run(each.snippet.id, timeout=120)
            measured = runs[each.snippet.id].figures.get(each.evidence.figure)
            if measured is None or not each.evidence.agrees(measured):
                wrong.append(each.key)
    assert wrong == []

"""Which layer of an entry says what, in one language or two, and what waits folded."""

from __future__ import annotations

import dataclasses

import pytest

from kb.model.entry import Answer, Assessment, Entry, Evidence, Snippet
from kb.present.layers import Part, layers, short_answers
from tests.present.test_weight import SOURCE, TRANSLATED, entry, note

REFERENCE = "Only on average.\n\nThe step may be too large."
FULL = dataclasses.replace(
    entry(note("bad", "wrong", "high"), note("gap", "incomplete", "medium")),
    answers=(
        Answer("source", "en", SOURCE),
        Answer("reference", "en", REFERENCE),
        Answer("source", "fa", TRANSLATED),
        Answer("reference", "fa", "فقط به طور میانگین."),
    ),
    wording={"fa": "چرا کم می‌شود؟"},
    snippets=(Snippet("run", {"en": "Run"}, "print(1)"),),
)


def by_key(parts: list[Part]) -> dict[str, Part]:
    return {part.key: part for part in parts}


def texts(part: Part) -> list[list[tuple[str, str, str] | None]]:
    """Return role, language and words of the texts of a part, row by row."""
    return [[text and (text.role, text.lang, text.shown.strip()) for text in r] for r in part.rows]


def test_the_short_answer_comes_first_and_the_rest_waits() -> None:
    parts = layers(FULL, "en")
    assert [part.key for part in parts] == [
        "question", "short", "deeper", "wrong", "smaller", "source", "programs"
    ]  # fmt: skip
    assert [part.key for part in parts if part.folded] == [
        "deeper", "smaller", "source", "programs"
    ]  # fmt: skip
    found = by_key(parts)
    assert texts(found["short"]) == [[("reference", "en", "Only on average.")]]
    assert texts(found["deeper"]) == [[("reference", "en", "The step may be too large.")]]
    assert texts(found["source"]) == [[("source", "en", SOURCE)]]


def test_what_is_wrong_is_told_and_the_rest_is_smaller() -> None:
    found = by_key(layers(FULL, "en"))
    assert [each.each.annotation.id for each in found["wrong"].remarks] == ["bad"]
    assert [each.each.annotation.id for each in found["smaller"].remarks] == ["gap"]


def test_what_a_reader_remarks_stands_by_itself() -> None:
    own = [
        dataclasses.replace(note("bad", "wrong", "high"), own=True),
        dataclasses.replace(note("small", "incomplete", "medium"), own=True),
    ]
    notes = (*own, note("gap", "incomplete", "medium"))
    parts = layers(dataclasses.replace(FULL, annotations=notes), "en")
    told = {part.key: [each.each.annotation.id for each in part.remarks] for part in parts}
    assert "wrong" not in told and told["smaller"] == ["gap"]
    assert told["own"] == ["bad", "small"] and not by_key(parts)["own"].folded


def test_at_most_three_are_told_at_once() -> None:
    notes = [note(f"n{each}", "wrong", "high") for each in range(5)]
    found = by_key(layers(dataclasses.replace(FULL, annotations=tuple(notes)), "en"))
    assert (len(found["wrong"].remarks), len(found["smaller"].remarks)) == (3, 2)


def test_the_better_wording_is_asked_and_the_sources_own_waits_with_its_answer() -> None:
    found = by_key(layers(FULL, "fa"))
    assert texts(found["question"]) == [[("wording", "fa", "چرا کم می‌شود؟")]]
    assert texts(found["source"]) == [
        [("question", "fa", "چرا؟")], [("source", "fa", TRANSLATED)]
    ]  # fmt: skip


def test_an_answer_of_one_paragraph_has_nothing_deeper() -> None:
    assert "deeper" not in by_key(layers(FULL, "fa"))


@pytest.mark.parametrize("lang", ["en", "fa"])
def test_one_language_is_shown_unless_both_are_asked_for(lang: str) -> None:
    one = {text.lang for part in layers(FULL, lang) for row in part.rows for text in row if text}
    assert one == {lang}
    two = by_key(layers(FULL, lang, both=True))
    other = {"en": "fa", "fa": "en"}[lang]
    assert [text and text.lang for text in two["short"].rows[0]] == [lang, other]


def test_where_a_language_lacks_a_text_its_own_is_shown_and_beside_another_nothing() -> None:
    given = [answer for answer in FULL.answers if answer.lang == "en"]
    english = dataclasses.replace(FULL, answers=tuple(given))
    assert texts(by_key(layers(english, "fa"))["short"])[0][0] == (
        "reference", "en", "Only on average."
    )  # fmt: skip
    both = by_key(layers(english, "fa", both=True))
    assert [text and text.lang for text in both["short"].rows[0]] == [None, "en"]


def test_a_source_in_the_language_read_goes_before_a_reference_in_another() -> None:
    given = [answer for answer in FULL.answers if (answer.role, answer.lang) != ("reference", "en")]
    found = by_key(layers(dataclasses.replace(FULL, answers=tuple(given)), "en"))
    assert texts(found["answer"]) == [[("source", "en", SOURCE)]]
    assert not {"short", "deeper", "source"} & set(found)


def test_an_answer_without_a_reference_is_open_with_its_notes() -> None:
    parts = layers(entry(note("bad", "wrong", "high")), "en")
    assert [(part.key, part.folded) for part in parts] == [
        ("question", False), ("wrong", False), ("answer", False), ("notes", False)
    ]  # fmt: skip


@pytest.mark.parametrize("verdict", ["typo", "translation-error", "lost-in-extraction"])
def test_what_concerns_the_text_of_one_language_is_counted_there_only(verdict: str) -> None:
    told = dataclasses.replace(FULL, annotations=(note("a", verdict, "low"),))
    assert "smaller" in by_key(layers(told, "en"))
    assert "smaller" not in by_key(layers(told, "fa"))
    assert "smaller" in by_key(layers(told, "fa", both=True))


def test_the_short_answer_ends_with_its_first_paragraph_below_a_heading() -> None:
    text = "# So\n\nIt *falls*,\nmostly.\n\n- one\n- two"
    told = dataclasses.replace(FULL, answers=(Answer("reference", "en", text),))
    assert short_answers(told) == {"en": "# So\n\nIt *falls*,\nmostly."}
    assert short_answers(FULL) == {"en": "Only on average.", "fa": "فقط به طور میانگین."}
    assert short_answers(entry()) == {}


def test_no_word_of_an_answer_is_lost_between_the_layers() -> None:
    found = by_key(layers(FULL, "en"))
    (short,), (deeper,) = found["short"].rows[0], found["deeper"].rows[0]
    assert short is not None and deeper is not None
    assert short.shown + deeper.shown == REFERENCE


def test_a_context_stands_with_the_question() -> None:
    asked = Entry("a", "card", "c", {"fa": "کی؟"}, context="Turing")
    (part,) = layers(asked, "fa")
    assert [row[0] and row[0].text for row in part.rows] == ["کی؟", "Turing"]


LAYERED = dataclasses.replace(
    FULL,
    short={"en": "It falls on average."},
    example={"en": "1, 0.5, 0.7, 0.3", "fa": "۱، ۰٫۵، ۰٫۷، ۰٫۳"},
    further={"en": "- Which step is too large?"},
    assessment=Assessment("flawed", {"en": "It says *always*."}),
)


def test_what_is_written_beside_an_answer_is_unfolded_with_it() -> None:
    parts = layers(LAYERED, "en")
    assert [(part.key, part.fold) for part in parts][1:6] == [
        ("short", "short"), ("deeper", "deeper"), ("example", "deeper"), ("further", "deeper"),
        ("wrong", "wrong"),
    ]  # fmt: skip
    found = by_key(parts)
    assert texts(found["short"]) == [[("short", "en", "It falls on average.")]]
    assert texts(found["deeper"]) == [[("reference", "en", REFERENCE)]]
    assert found["example"].folded and texts(found["example"])[0][0] == (
        "example", "en", "1, 0.5, 0.7, 0.3"
    )  # fmt: skip


def test_a_language_without_a_short_answer_of_its_own_has_the_beginning_of_the_full_one() -> None:
    assert short_answers(LAYERED) == {
        "en": "It falls on average.", "fa": "فقط به طور میانگین."
    }  # fmt: skip
    found = by_key(layers(LAYERED, "fa"))
    assert texts(found["short"]) == [[("reference", "fa", "فقط به طور میانگین.")]]
    assert texts(found["further"]) == [[("further", "en", "- Which step is too large?")]]
    assert found["deeper"].rows == ()


@pytest.mark.parametrize(
    ("judgement", "heading"),
    [("flawed", ""), ("sound", "sound"), ("sound but thin", "sound but thin")],
)
def test_what_is_wrong_is_headed_by_what_the_source_answer_is_worth(
    judgement: str, heading: str
) -> None:
    told = dataclasses.replace(LAYERED, assessment=Assessment(judgement, {"en": "So."}))
    found = by_key(layers(dataclasses.replace(told, annotations=()), "en"))
    assert (found["wrong"].heading, found["wrong"].remarks) == (heading, ())
    assert texts(found["wrong"]) == [[("assessment", "en", "So.")]]


def test_the_figures_of_an_answer_stand_where_it_ends() -> None:
    proven = (Evidence("run", "slope", 2.0),)
    answers = [
        each._replace(evidence=proven) if each.role == "reference" and each.lang == "en" else each
        for each in FULL.answers
    ]
    told = dataclasses.replace(FULL, answers=tuple(answers))
    for lang in ("en", "fa"):
        (claim,) = by_key(layers(told, lang))["deeper"].claims
        assert claim.evidence == proven

"""What is told first of an entry, what waits, and where notes stand in the other language."""

from __future__ import annotations

import dataclasses

from kb.model.entry import Anchor, Annotation, Answer, Entry, Span, Target
from kb.model.values import OWN_VERDICTS
from kb.present.annotated import (
    SIGNS,
    concerning,
    concerns,
    marked_words,
    may_wait,
    numbers_of,
    remarks_of,
    said_before,
    worst_of,
)

SOURCE = "The loss always falls, and it falls fast."
TRANSLATED = "زیان همیشه کم می‌شود، و زود هم کم می‌شود."


def note(id: str, verdict: str, severity: str, words: str = "falls", **more: object) -> Annotation:
    start = SOURCE.index(words)
    target = Target("source", "en", words, start, start + len(words), "s.txt")
    said = {"en": f"{id} is so. More.", "fa": f"{id} چنین است. بیشتر."}
    return Annotation(id, target, verdict, severity, said, **more)  # type: ignore[arg-type]


def entry(*notes: Annotation) -> Entry:
    answers = (
        Answer("source", "en", SOURCE, Span("s.txt", 0, len(SOURCE))),
        Answer("source", "fa", TRANSLATED),
    )
    return Entry("e", "question", "c", {"en": "Why?", "fa": "چرا؟"}, answers=answers,
                 annotations=notes)  # fmt: skip


def test_what_is_false_comes_first_the_wrong_before_the_misleading_and_then_by_harm() -> None:
    notes = [
        note("low", "wrong", "low"),
        note("medium", "wrong", "medium"),
        note("gap", "incomplete", "high"),
        note("letters", "typo", "high"),
        note("half-true", "misleading", "high"),
        note("false", "wrong", "high"),
        note("half", "incomplete", "medium"),
        note("again", "wrong", "high", repeats="false"),
        note("mine", "wrong", "high", own=True),
    ]
    told = [each.each.annotation.id for each in worst_of(entry(*notes), "en")]
    assert told == ["false", "medium", "half-true"]
    every = [each.each.annotation.id for each in remarks_of(entry(*notes), ["en"])]
    assert every == [*told, "again", "mine", "low", "gap", "half", "letters"]


def test_each_is_told_in_the_first_sentence_of_its_note_in_the_language_read() -> None:
    shown = entry(note("a", "wrong", "high"), note("b", "wrong", "medium"))
    assert [each.sentence for each in worst_of(shown, "en")] == ["a is so.", "b is so."]
    assert [each.sentence for each in worst_of(shown, "fa")] == ["a چنین است.", "b چنین است."]
    assert [each.lang for each in worst_of(shown, "de")] == ["en", "en"]


def test_a_remark_without_words_is_told_by_the_words_it_speaks_of() -> None:
    silent = dataclasses.replace(note("a", "note", "high", "always", own=True), note={})
    (remark,) = remarks_of(entry(silent), ["fa"])
    assert (remark.lang, remark.sentence) == ("en", "always")


def test_what_weighs_little_waits_but_never_what_a_reader_wrote() -> None:
    assert may_wait(note("a", "wrong", "low"))
    assert not may_wait(note("a", "wrong", "medium"))
    assert not may_wait(note("a", "note", "low", own=True))


def test_how_a_text_is_spelled_concerns_who_reads_it() -> None:
    typo, false = note("a", "typo", "low"), note("b", "wrong", "high")
    assert concerns(typo, "en")
    assert not concerns(typo, "fa")
    assert concerns(false, "fa")
    translated = note("c", "translation-error", "high")
    assert concerns(translated, "en") and not concerns(translated, "fa")


def test_a_note_stands_on_its_anchor_in_the_other_language() -> None:
    start = TRANSLATED.index("همیشه")
    anchor = Anchor("source", "همیشه", start, start + 5)
    shown = entry(note("a", "wrong", "high", "always", anchors={"fa": anchor}))
    (marked,) = marked_words(shown, "source", "fa")
    assert TRANSLATED[marked.start : marked.end] == "همیشه"
    (given,) = marked_words(shown, "source", "en")
    assert SOURCE[given.start : given.end] == "always"
    assert marked_words(entry(note("a", "wrong", "high", "always")), "source", "fa") == []


def test_an_anchor_is_found_by_its_words_where_the_text_has_changed() -> None:
    anchor = Anchor("source", "همیشه", 5, 10)
    shown = entry(note("a", "wrong", "high", "always", anchors={"fa": anchor}))
    changed = shown.answers[1]._replace(text=f"پس {TRANSLATED}")
    shown = dataclasses.replace(shown, answers=(shown.answers[0], changed))
    (marked,) = marked_words(shown, "source", "fa")
    assert changed.text[marked.start : marked.end] == "همیشه"


def test_a_repeat_is_told_by_the_words_of_what_it_repeats() -> None:
    again = note("b", "wrong", "high", "fast", repeats="a")
    anchor = Anchor("source", "همیشه", 5, 10)
    shown = entry(note("a", "wrong", "high", "always", anchors={"fa": anchor}), again)
    assert said_before(numbers_of(shown), again, "en") == (1, "always")
    assert said_before(numbers_of(shown), again, "fa") == (1, "همیشه")
    assert said_before(numbers_of(entry(again)), again, "en") is None


def test_readers_of_each_language_see_consecutive_numbers_which_agree_on_the_same_note() -> None:
    of_persian = Target("source", "fa", "زود", 0, 3, "s.txt")
    slip = dataclasses.replace(note("slip", "translation-error", "high"), target=of_persian)
    first = note("typo", "typo", "high", "The")
    mine = note("mine", "note", "high", "fast", own=True)
    shown = entry(slip, first, mine, note("b", "wrong", "high", "fast"), note("a", "wrong", "low"))
    told = {
        lang: [(each.number, each.annotation.id) for each in concerning(shown, [lang])]
        for lang in ("en", "fa")
    }
    assert told == {
        "en": [(1, "a"), (2, "b"), (3, "mine"), (4, "typo")],
        "fa": [(1, "a"), (2, "b"), (3, "mine"), (4, "slip")],
    }


def test_every_verdict_has_a_sign_of_its_own() -> None:
    assert set(SIGNS) == set(OWN_VERDICTS)
    assert len(set(SIGNS.values())) == len(SIGNS)

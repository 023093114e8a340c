"""A note stays a note; what its author wrote as cards or questions is made besides."""

from __future__ import annotations

import io
import sys

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.formats.book import Batch
from kb.formats.notes.reading import read
from tests.behind import batch

SVM = (
    "# SVM\n\nA linear classifier with the widest margin.\n\nHow many support vectors are there?\n\n"
    "Usually few.\n\n## Kernel\n\nThe kernel trick maps the points.\n"
)
VAULT = {
    "a question in it": SVM,
    "a question in Persian": "# ماشین\n\nیک دسته‌بند خطی است.\n\nچند بردار پشتیبان هست؟\n\nکم.\n\n## هسته\n\nنگاشت.\n",
    "a task list": "# Plan\n\n- [ ] one thing\n- [x] another thing\n",
    "headings": "# Lecture\n\n## Norm\n\nLength.\n\n## Ball\n\nA set.\n",
    "steps": "# Setup\n\n1. Install it\n2. Run it\n3. Close it\n",
    "links": "# Links\n\n- [What is it?](https://x.org)\n- [Why?](https://y.org)\n",
    "a chapter that asks": "# What Is Ownership?\n\nA set of rules.\n\n## Stack\n\nWords.\n",
    "one line": "just a line\n",
    "nothing but a heading": "# Heading only\n",
}  # fmt: skip


def take(text: str, name: str = "x.md", **options: object) -> Batch:
    return read(io.BytesIO(text.encode()), name, **options)  # type: ignore[arg-type]


@pytest.mark.parametrize("text", VAULT.values(), ids=VAULT)
def test_a_note_is_one_entry_with_the_whole_body(text: str) -> None:
    found = take(text, "Kernel methods.md")
    (note,) = found.book.entries
    assert note.kind == "note"
    assert list(note.question.values()) == ["Kernel methods"]
    assert note.id == "kernel-methods"
    assert [each.text for each in note.answers] == [text]
    assert found.dropped == ()
    assert found.reading and (found.reading.taken_as, found.reading.lost) == ("notes", 0)


@given(st.text(max_size=200), st.sampled_from(["", "---\ntitle: T\n---\n"]))
def test_the_answer_of_a_note_is_its_body(text: str, head: str) -> None:
    if "\0" in text or not text.isprintable():
        return
    found = take(head + text)
    for note in found.book.entries:
        if note.kind == "note" and note.answers:
            assert note.file is not None
            assert note.file.head + note.answers[0].text == head + text


def test_the_title_is_that_of_the_front_matter_or_the_file_or_the_first_heading() -> None:
    assert take("---\ntitle: Kernels\n---\n# A\n", "b.md").book.entries[0].question == {
        "en": "Kernels"
    }
    assert list(take("# A heading\n", "یادداشت.md").book.entries[0].question.values()) == [
        "یادداشت"
    ]
    assert list(take("# A heading\n", "standard input").book.entries[0].question.values()) == [
        "A heading"
    ]
    assert list(take("# A heading\n", "a/README.md").book.entries[0].question.values()) == [
        "A heading"
    ]


def test_aliases_tags_and_links_of_a_note_are_kept() -> None:
    text = (
        "---\naliases: [GD, 'descent, gradient']\ntags: [ml]\nid: n1\n---\n# Descent\n\n"
        "See [[Loss|it]], [b](notes/b.md), #opt/sgd and #123.\n\n`#no` [[Loss#Huber]]\n\n```\n#no\n```\n"
    )
    found = take(text)
    (note,) = found.book.entries
    assert (note.id, note.aliases) == ("n1", ("GD", "descent, gradient"))
    assert note.tags == ("ml", "opt/sgd")
    assert found.links == {"n1": ("Loss", "notes/b.md", "Loss#Huber")}
    assert found.given == {"n1"}


def test_properties_of_a_page_are_read_as_front_matter() -> None:
    found = take(
        "title:: Nets\nalias:: nn, [[neural nets]]\ntags:: #ml, [[deep learning]]\n\n- Text.\n"
    )
    (note,) = found.book.entries
    assert note.question == {"en": "Nets"}
    assert note.aliases == ("nn", "neural nets")
    assert note.tags[:2] == ("ml", "deep learning")


def test_making_cards_takes_nothing_from_a_note() -> None:
    text = f"{SVM}\nWhat is a margin? :: The gap.\n"
    found = take(text)
    note, card = found.book.entries
    assert note.answers[0].text == text
    assert (card.kind, card.question) == ("card", {"en": "What is a margin?"})
    assert card.within == note.id
    assert found.lines == {note.id: 1, card.id: 13}


def test_text_under_a_heading_is_context_of_the_questions_below_it() -> None:
    text = (
        "# SQL questions\n\n## Ads\n\nFor these questions use the table ads.\n\n| id | n |\n|--|--|\n| 1 | 2 |\n\n"
        "1. How many?\n\n   Two.\n\n2. Which id?\n\n   One.\n\n## Other\n\n3. Why?\n\n   So.\n"
    )
    found = take(text)
    first, second, third = found.book.entries
    assert first.context is not None and first.context == second.context
    assert first.context.startswith("For these questions use the table ads.\n\n| id | n |")
    assert third.context is None
    assert found.dropped == ()


@pytest.mark.parametrize("number", ["2.ماهو", "۲.ما هو", "2)ما هو", "2- ما هو"])
def test_a_malformed_number_is_an_item_of_its_list(number: str) -> None:
    text = f"# أسئلة\n\n1. ما هو الأول؟\n\nهذا.\n\n{number} الثاني؟\n\nذلك.\n\n3. ما هو الثالث؟\n\nهنا.\n"
    assert [each.number for each in take(text).book.entries] == ["1", "2", "3"]


def test_a_number_that_repeats_within_an_answer_is_no_item() -> None:
    text = "# Exam questions\n\n1. What is A?\n\nIt has parts:\n\n1. one\n2. two\n\n2. What is B?\n\nb\n"
    first, second = take(text).book.entries
    assert "2. two" in first.answers[0].text
    assert second.question == {"en": "What is B?"}


def test_what_stands_under_no_question_stays_in_a_note() -> None:
    text = "# FAQ\n\n## What is A?\n\nIt is a.\n\n## Is it b?\n\nNo.\n\n## License\n\nFree as in freedom, for everybody.\n"
    found = take(text, "faq.md")
    note, *made = found.book.entries
    assert [each.kind for each in made] == ["question", "question"]
    assert note.answers[0].text == text
    assert found.reading and "stays a note" in found.reading.why


@pytest.mark.parametrize(
    ("taken_as", "kinds"),
    [("notes", ["note"]), ("questions", ["question"] * 2), ("cards", ["card"] * 2)],
)
def test_the_decision_can_be_overridden(taken_as: str, kinds: list[str]) -> None:
    text = "# Lecture\n\n## Norm\n\nLength.\n\n## Ball\n\nA set.\n"
    found = take(text, taken_as=taken_as)
    assert [each.kind for each in found.book.entries if each.kind != "note"] == [
        each for each in kinds if each != "note"
    ]
    assert found.reading and found.reading.taken_as == taken_as


def test_an_entry_is_in_one_language_where_its_author_marked_none() -> None:
    text = "## What is a norm? / نرم چیست؟\n\nاندازهٔ یک بردار است.\n\n## چرا؟\n\nLength.\n"
    for entry in take(text).book.entries:
        assert len(entry.languages) == 1


@pytest.mark.parametrize("lang", ["de", "fr", "ar"])
def test_front_matter_names_the_language(lang: str) -> None:
    (note,) = take(f"---\nlang: {lang}\n---\nRSA\n").book.entries
    assert note.languages == (lang,)


def test_a_file_of_many_lines_is_a_note() -> None:
    found = take("Q: a\nA: b\n" * 30_000)
    assert [each.kind for each in found.book.entries] == ["note"]
    assert found.reading and "50,000 lines" in found.reading.why


HOSTILE = {
    "headings": "# a\n", "questions": "## Why a?\n", "brackets": "[", "links": "[a](", "wiki": "[[a",
    "quotes": ">", "details": "<details>\n", "summaries": "<details><summary>", "sides": "a :: b\n",
    "colons": "a::b ", "ticks": "`a ", "pipes": "|", "rows": "| a | b |\n|--|--|\n", "turns": "?\n",
    "cards": "- a #card\n", "labels": "Q: a\nA: b\n", "gaps": "{{c1::", "marks": "#flashcards ==a ",
    "boxes": "Why?\n- [ ] a\n- [x] b\n", "anki": "STARTI [Basic] a ", "lists": "<ul><li>a",
    "comments": "<!-- ", "percents": "%% a\n", "tags": "#a ", "bold": "**a ", "rules": "- ", "blanks": "a" + " " * 50,
    "solutions": "### Exercise 1\n## Solutions\n", "sections": "## Questions\n- a\n- b\n- c\n", "numbers": "## سوال ۱\n\nچرا؟\n", "banners": "==== a ====\n",
    "empty": "<details><summary>a</summary></details>\n", "cells": "<td><details><summary>a</summary>b\n",
    "fences": "1. a\n   ```\n", "clozes": "C: [a]\n", "arrows": "- a >> b\n", "sources": "1. Why? [[src](a)]\n",
    "wrappers": "<div>\n1. Why?\n</div>\n", "front matter": "---\na: b\n", "stars": "*", "breaks": "<br>", "schedules": "<!--SR:",
}  # fmt: skip


def calls_for(text: str) -> int:
    """Return how many functions are called while a text is read."""
    counted = [0]

    def count(frame: object, event: str, argument: object) -> None:
        counted[0] += event in ("call", "c_call")

    before = sys.getprofile()
    sys.setprofile(count)
    try:
        take(text)
    finally:
        sys.setprofile(before)
    return counted[0]


@pytest.mark.long
@pytest.mark.parametrize("sign", HOSTILE.values(), ids=HOSTILE)
def test_the_work_for_hostile_text_grows_with_its_length(sign: str) -> None:
    def calls(size: int) -> int:
        return calls_for(sign * (size // len(sign)))

    calls(100)  # loads what is loaded once
    assert calls(8_000) <= 2.3 * calls(4_000) + 2_000


@pytest.mark.parametrize("sign", ["T: x\nA: because\n", "A: because\nand so\n"])
def test_the_work_for_a_question_of_many_answers_grows_with_their_number(sign: str) -> None:
    def calls(many: int) -> int:
        return calls_for("Q: why\n" + "more words here\n" * many + "\n" + sign * many)

    calls(10)  # loads what is loaded once
    assert calls(200) <= 2.3 * calls(100) + 2_000


def test_the_work_for_a_question_of_many_links_grows_with_their_number() -> None:
    def calls(many: int) -> int:
        return calls_for("1. " + "Why [a](a.md)? " * many + "\n2. Why?\n")

    calls(2)  # loads what is loaded once
    assert calls(200) <= 2.3 * calls(100) + 2_000


@pytest.mark.parametrize("sign", [HOSTILE[name] for name in ("sections", "numbers", "empty")])
def test_the_lines_run_for_many_headings_and_elements_grow_with_their_number(sign: str) -> None:
    def lines(many: int) -> int:
        counted = [0]

        def count(frame: object, event: str, argument: object) -> object:
            counted[0] += event == "line"
            return count

        before = sys.gettrace()
        sys.settrace(count)
        try:
            take(sign * many)
        finally:
            sys.settrace(before)
        return counted[0]

    lines(2)  # loads what is loaded once
    assert lines(600) <= 2.3 * lines(300)


def test_a_file_of_ours_comes_back_by_its_marks() -> None:
    text = '<!-- danesh {"schema_version":1} -->\n'
    assert batch(read, text, "x.md").own


@pytest.mark.parametrize(
    ("title", "text", "question", "answer"),
    [
        ("Gradient", "The vector of partial derivatives.", "Question", "Answer"),
        ("Gradient", "The vector of partial derivatives.", "Q", "A"),
        ("شیب", "بردار مشتق‌های جزئی است.", "پرسش", "پاسخ"),
        ("شیب", "بردار مشتق‌های جزئی است.", "سوال", "جواب"),
    ],
)
def test_the_answer_of_a_card_makes_no_question_of_the_heading_above(
    title: str, text: str, question: str, answer: str
) -> None:
    whole = f"# {title}\n\n{text}\n\n{question}: {title}?\n{answer}: {text}\n"
    note, card = take(whole, f"{title}.md").book.entries
    assert (note.kind, note.answers[0].text) == ("note", whole)
    assert (card.kind, card.within) == ("card", note.id)


@pytest.mark.parametrize("word", ["What is {}?", "{} چیست؟"])
def test_a_list_with_other_names_stays_a_note_that_has_them(word: str) -> None:
    listed = "".join(f"## 1. {word.format(n)}\n\n{n}.\n\n" for n in ("A", "B"))
    found = take(f"---\naliases: [نام]\n---\n{listed}", "list.md")
    note, *made = found.book.entries
    assert (note.kind, note.aliases, len(made)) == ("note", ("نام",), 2)


@pytest.mark.parametrize(
    ("first", "second", "part"),
    [
        ("Question (EN)", "Answer (EN)", "**Solution:**"),
        ("پرسش (FA)", "پاسخ (FA)", "**پاسخ:**"),
        ("Question", "Answer (EN)", "**Solution:**"),
        ("پرسش", "پاسخ (FA)", "**راه‌حل:**"),
    ],
)
def test_a_part_of_an_answer_stays_in_it(first: str, second: str, part: str) -> None:
    text = f"# {first}\nWhat is a norm?\n\n## {second}\nThe problem.\n\n{part}\nThe length.\n"
    *_, card = take(text).book.entries
    (answer,) = card.answers
    assert "The problem." in answer.text and "The length." in answer.text


LISTED = """---
title: Convergence
id: {id}
cards:
- front: How fast is SGD?
  back: As $1/\\sqrt{{T}}$.
- front: Which step is right?
  choices:
  - text: It falls
    correct: true
  - text: It grows
- front: A front without a back
- back: A back without a front
---
{body}"""


@pytest.mark.parametrize(
    "id", ["<% tp.user.uuid() %>", "two words", "56388325-8d34-45d2-8124-b0289b279dac"]
)
def test_an_id_of_front_matter_that_nobody_types_gives_way_to_the_title(id: str) -> None:
    found = take(LISTED.format(id=f'"{id}"', body="Text.\n"), "sgd.md")
    assert found.book.entries[0].id == "convergence"


def test_a_numbered_list_in_a_manual_of_a_program_for_flashcards_is_none_of_cards() -> None:
    text = (
        "# Flash Cards\n\nA program.\n\n## Setup\n\n1. Install it\n2. Run it\n\n" + "Words. " * 60
    )
    found = take(text, "README.md")
    assert [each.kind for each in found.book.entries] == ["note"]


def test_comments_are_told_of_and_shown_nowhere() -> None:
    """Comments as definitions of an address that none uses, and as HTML over several lines."""
    text = (
        "# Interview questions\n\n[//]: # (for the authors only)\n\n## What is a norm?\n\n"
        "[comment]: <> (another one)\n\nThe length of a vector.\n\n<!-- and\nmore -->\n\n"
        '## What is a trace?\n\nThe sum of the diagonal.\n\n[//]: # "the last"\n'
    )
    read = take(text)
    assert [each.kind for each in read.book.entries] == ["question", "question"]
    assert [each.answers[0].text for each in read.book.entries] == [
        "The length of a vector.",
        "The sum of the diagonal.",
    ]
    assert [each.text for each in read.dropped] == [
        "[//]: # (for the authors only)",
        "[comment]: <> (another one)",
        "<!-- and",
        "more -->",
        '[//]: # "the last"',
    ]
    assert read.reading is not None and not read.reading.lost


@pytest.mark.parametrize("title", ["¿Qué es una norma?", "نرم چیست؟", "Explain norms"])
@pytest.mark.parametrize("head", ["---\ntitle: {}\nlevel: easy\n---\n\n", "# {}\n\n"])
def test_a_title_that_asks_in_a_folder_of_questions_is_answered_by_its_file(
    title: str, head: str
) -> None:
    text = f"{head.format(title)}A length.\n\n## Examples\n\nMany.\n"
    (asked,) = take(text, "questions/norm.md").book.entries
    assert (asked.kind, *asked.question.values()) == ("question", title)
    assert asked.answers[0].text == "A length.\n\n## Examples\n\nMany."
    assert [each.kind for each in take(text, "notes/norm.md").book.entries] == ["note"]
    listed = take(f"{text}\nQ: Is it large?\nA: No.\n", "questions/norm.md").book.entries
    assert [each.kind for each in listed] == ["note", "card"]


@pytest.mark.parametrize("name", ["x/exercise.md", "x/Assignment 2.md", "x/تمرین.md"])
def test_a_comment_before_the_title_of_an_exercise_is_none_of_it(name: str) -> None:
    comment = "<!--\nCopyright\n-->\n<!-- License -->\n\n"
    (made,) = take(f"{comment}# Nested arrays\n\nWrite a function.\n", name).book.entries
    assert made.question["en"] == "Nested arrays\n\nWrite a function."


@pytest.mark.parametrize(("parts", "kind"), [(4, "question"), (5, "note")])
@pytest.mark.parametrize("name", ["x/exercise.md", "x/تمرین.md"])
def test_a_page_of_many_parts_without_an_answer_is_no_exercise(
    name: str, parts: int, kind: str
) -> None:
    below = "".join(f"## Part {n}\n\nIt is a text.\n\n" for n in range(parts))
    made = take(f"# Sorting\n\nRead this.\n\n{below}", name).book.entries
    assert [each.kind for each in made] == [kind]
    (solved,) = take(f"# Sorting\n\nRead.\n\n{below}## Solution\n\nSo.\n", name).book.entries
    assert (solved.kind, solved.answers[0].text) == ("question", "So.")


@pytest.mark.parametrize("name", ["x/exercise.md", "x/Assignment 2.md", "x/تمرین.md"])
def test_a_file_named_after_an_exercise_is_one(name: str) -> None:
    task = "Sort\n\n## Objectives\n\n1. Sort a list.\n2. Reverse it."
    (asked,) = take(f"# {task}\n", name).book.entries
    assert (asked.kind, asked.answers, *asked.question.values()) == ("question", (), task)
    solved = take(f"# {task}\n\n## Solution\n\n    sort\n", "exercises/x/sort.md").book.entries
    assert [*solved[0].question.values(), solved[0].answers[0].text] == [task, "sort"]
    linked = take(f"# {task}\n\n## Solution\n\nClick [here](s.md) to view the solution\n", name)
    assert not linked.book.entries[0].answers
    assert [each.kind for each in take("\n", name).book.entries] == ["note"]
    for other in ("x/sort.md", "x/Exercise and health.md"):
        assert [each.kind for each in take(f"# {task}\n", other).book.entries] == ["note"]

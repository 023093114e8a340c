"""Answer keys below the questions of an exam answer these by their numbers."""

from __future__ import annotations

import pytest

from tests.formats.notes.test_lists import cards, entries, pairs

ASKED = "# {title}\n\n1. What is A?\n2. What is B?\n3. چرا؟\n\n"
ANSWERED = [("What is A?", "a length"), ("What is B?", "b"), ("چرا؟", "زیرا")]


@pytest.mark.parametrize("title", ["Quiz", "آزمون"])
@pytest.mark.parametrize(
    "head", ["Answers", "Answer Key", "پاسخ‌ها", "Lösungen", "Ответы", "参考答案"]
)
@pytest.mark.parametrize(
    "key",
    [
        "1. a length\n2. b\n3. زیرا",
        "**Q1**: a length\n\n**Q2**: b\n\n**Q3**: زیرا",
        "| No. | Answer |\n|--|--|\n| 1 | a length |\n| 2 | b |\n| ۳ | زیرا |",
        "1) a length\n\n2) b\n\n3) زیرا",
    ],
    ids=["items", "labels", "table", "brackets"],
)
def test_a_key_answers_the_questions_of_its_numbers(title: str, head: str, key: str) -> None:
    text = f"{ASKED.format(title=title)}## {head}\n\n{key}\n"
    assert cards(text) == ANSWERED
    hidden = f"<details>\n<summary>{head}</summary>\n\n{key}\n\n</details>\n"
    assert cards(f"{ASKED.format(title=title)}{hidden}") == ANSWERED


def test_a_key_may_have_its_answers_in_one_line() -> None:
    asked = [("What is A?", "b"), ("What is B?", "a"), ("چرا؟", "d")]
    assert pairs(f"{ASKED.format(title='Quiz')}## Answers\n\n1. b  2. a  3. d\n") == asked
    assert pairs(f"{ASKED.format(title='Quiz')}## Answers\n\n1-b, 2-a, 3-d\n") == asked


def test_keys_by_numbers_are_those_of_a_file_together_or_none_is() -> None:
    first = "## One\n\n1. What is A?\n2. What is B?\n\n### Answers\n\n1. a\n2. b\n\n"
    text = f"# Quiz\n\n{first}## Two\n\n1. What is C?\n2. Why?\n\n### Answers\n\n{{}}"
    assert pairs(text.format("1. c\n2. d\n"))[0] == ("What is A?", "a")
    assert pairs(text.format("4. c\n5. d\n6. e\n"))[0] != ("What is A?", "a")


def test_questions_with_labels_have_the_answers_of_the_key_and_not_the_key_itself() -> None:
    asked = "# Exam\n\n**Question 1**: What is A?\n\n**Question 2**: Why?\na) so\nb) thus\n\n"
    assert pairs(f"{asked}## Answer Key\n\n1. a\n   length\n2. b) thus\n") == [
        ("What is A?", "a\n   length"),
        ("Why?\na) so\nb) thus", "b) thus"),
    ]


def test_numbers_that_begin_again_are_those_of_the_next_part() -> None:
    asked = "# Quiz\n\n## A\n\n1. What is A?\n2. What is B?\n\n## B\n\n1. Why?\n2. How?\n\n"
    found = [("What is A?", "a"), ("What is B?", "b"), ("Why?", "so"), ("How?", "thus")]
    assert pairs(f"{asked}## Answers\n\n### A\n\n1. a\n2. b\n\n### B\n\n1. so\n2. thus\n") == found
    each = "# Quiz\n\n## A\n\n1. What is A?\n2. What is B?\n\n### Answers\n\n1. a\n2. b\n\n"
    then = "## B\n\n1. Why?\n2. How?\n\n### Answers\n\n1. so\n2. thus\n"
    assert pairs(f"{each}{then}") == found


@pytest.mark.parametrize(
    "key",
    [
        "1. a\n2. b\n3. c\n4. d\n5. e",  # two more than there are questions
        "2. a\n3. b\n4. c",
        "First read this.\n\nAll of it.\n\nIt is long.\n\n1. a\n2. b\n3. c",
        "1. a",
    ],
)
def test_what_fits_the_questions_in_part_is_no_key(key: str) -> None:
    told = [each for _, each in pairs(f"{ASKED.format(title='Quiz')}## Answers\n\n{key}\n")]
    assert "a" not in told


def test_a_key_leaves_answers_alone() -> None:
    asked = "# Quiz\n\n1. What is A?\n\n   It is a.\n\n2. What is B?\n\n   It is b.\n\n"
    found = cards(f"{asked}## Answers\n\n1. more\n2. words\n")
    assert found[0] == ("What is A?", "It is a.")


def test_words_beside_the_answers_of_a_key_keep_the_file_a_note() -> None:
    text = f"{ASKED.format(title='Quiz')}## Answers\n\n### Graded by Mephisto\n\n1. a\n2. b\n3. c\n"
    note, *made = entries(text)
    assert note.kind == "note"
    assert [each.answers[0].text for each in made] == ["a", "b", "c"]


def test_a_key_may_have_a_remark_above_and_headings_of_its_own() -> None:
    text = f"{ASKED.format(title='Quiz')}## Answer Key\n\n*(For instructors)*\n\n### Question 1\n**a**\n\n---\n\n### Question 3\nAnswer: so\n"
    note, *made = entries(text)
    assert note.kind == "note"
    assert [each.answers[0].text if each.answers else "" for each in made] == [
        "**a**",
        "",
        "Answer: so",
    ]


def test_numbers_of_parts_and_numbers_within_an_answer_are_told_apart() -> None:
    asked = "# Test\n\n### Question 1.1 (5 points)\nWhat is A?\n\n### Question 1.2\nچرا؟\n\n"
    key = "## Answer Key\n\n**Answer 1.1 (5 points):**\nA length.\n\n**Answer 1.2:** Firms that:\n\n1. agree\n2. share\n"
    assert pairs(f"{asked}{key}") == [
        ("What is A?", "A length."),
        ("چرا؟", "Firms that:\n\n1. agree\n2. share"),
    ]


def test_an_answer_too_many_is_left_and_the_file_stays_a_note() -> None:
    asked = "".join(f"{n}. What is {n}?\n" for n in range(1, 6))
    told = "".join(f"{n}. it is {n} indeed\n" for n in range(1, 6))
    note, *made = entries(f"# Quiz\n\n{asked}\n## Answers\n\n{told}6. Mephisto\n")
    assert note.kind == "note"
    assert [each.answers[0].text for each in made] == [f"it is {n} indeed" for n in range(1, 6)]


def test_numbers_of_topic_and_question_are_those_of_the_questions() -> None:
    blanks = "# Exercises\n\n## Topic 1\n\n**1.** Which is long?\n\nThe ____ is long.\n\n"
    more = "## Topic 2\n\n**1.** Which is high?\n\nThe ____ is high.\n\n## {}\n\n"
    key = "**T1-1.** The Nile is long.\n\n**T2-1.** The Everest is high.\n"
    asked = ("Which is long?\n\nThe ____ is long.", "Which is high?\n\nThe ____ is high.")
    told = ("The Nile is long.", "The Everest is high.")
    for head in ("Answer key", "Megoldókulcs"):
        assert cards(f"{blanks}{more.format(head)}{key}") == list(zip(asked, told, strict=True))


def test_a_key_whose_numbers_name_no_single_question_is_for_others() -> None:
    two_parts = (
        "## One\n\n1. What is A?\n2. What is B?\n\n## Two\n\n1. What is C?\n2. What is D?\n\n"
    )
    asked = [(f"What is {name}?", "") for name in "ABCD"]
    assert pairs(f"# Quiz\n\n{two_parts}## Answers\n\n1. a\n2. b\n")[:4] == asked
    nine = "".join(f"{n}. What is {n}?\n" for n in range(1, 10))
    key = "".join(f"{n}. {n}\n" for n in range(1, 10))
    assert pairs(f"# Quiz\n\n{nine}\n## Answers\n\n{key}")[0] == ("What is 1?", "1")
    again = pairs(f"# Quiz\n\n{nine}\n## Answers\n\n{key}\n1. another\n")
    assert again[0] == ("What is 1?", "")

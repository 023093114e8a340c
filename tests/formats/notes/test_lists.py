"""What lists of questions and cards in Markdown must become, however they are written."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from textwrap import indent
from typing import NamedTuple

import pytest

from kb.formats.book import Batch
from kb.formats.notes.key import Key, answered
from kb.formats.notes.page import Card
from kb.formats.notes.reading import read
from kb.model.entry import Entry
from tests.behind import batch


def take(text: str, name: str = "x.md") -> Batch:
    return batch(read, text, name)


def entries(text: str) -> tuple[Entry, ...]:
    return take(text).book.entries


def pairs(text: str) -> list[tuple[str, str]]:
    """Return what is asked and answered, in the first language of each."""
    return [
        (next(iter(each.question.values())), each.answers[0].text if each.answers else "")
        for each in entries(text)
    ]


def cards(text: str) -> list[tuple[str, str]]:
    """Return what is asked and answered but for the note that it was made from."""
    notes = sum(each.kind == "note" for each in entries(text))
    return pairs(text)[notes:]


AB = [("What is A?", "It is a."), ("What is B?", "It is b.")]
FA = [("نرم چیست؟", "اندازه است."), ("مشتق چیست؟", "شیب است.")]

ANSWERED = {
    "headings": "# FAQ\n\n## What is A?\n\nIt is a.\n\n## What is B?\nIt is b.\n",
    "numbered headings": "### Q1. What is A?\nIt is a.\n\n### Q2: What is B?\n\nIt is b.\n",
    "headings in a list": "1. #### What is A?\n\n    It is a.\n\n2. #### What is B?\n\n    It is b.\n",
    "underlined": "Interview\n====\n\nWhat is A?\n----\n\nIt is a.\n\nWhat is B?\n----\nIt is b.\n",
    "headings without a blank": "##1. What is A?\nIt is a.\n\n##2. What is B?\nIt is b.\n",
    "HTML headings": "<h3>1. What is A?</h3>\n\nIt is a.\n\n<h3>2. What is B?</h3>\n\nIt is b.\n",
    "anchors": "### <a name='a'></a>1. What is A?\nIt is a.\n\n### <a id='b'></a>2. What is B?\nIt is b.\n",
    "signs": "## ❓ 1. What is A?\n\nIt is a.\n\n## ❓ 2. What is B?\n\nIt is b.\n",
    "bold lines": "**1. What is A?**\n\nIt is a.\n\n<br/>\n\n**2. What is B?**\nIt is b.\n",
    "bold numbers": "**1)** What is A?\n\nIt is a.\n\n**2)** What is B?\n\nIt is b.\n",
    "bold numbers in code": "**`1`**. What is A?\n\nIt is a.\n\n**`2`**. What is B?\n\nIt is b.\n",
    "signs beside labels": "## 🧠 Question 1: What is A?\n\n### Answer 📄\n\nIt is a.\n\n"
    "## 🧠 Question 2: What is B?\n\n### Answer 📄\n\nIt is b.\n",
    "labels without accents": "Pregunta 1: What is A?\n\nReponse : It is a.\n\n"
    "Pregunta 2: What is B?\n\nReponse : It is b.\n",
    "attributes": "# FAQ\n\n## What is A? { #a .x }\n\nIt is a.\n\n## What is B? {#b}\n\nIt is b.\n",
    "links to the top": "# FAQ\n\n## What is A?\n\nIt is a.\n\n[[↑] Back to top](#x)\n\n"
    "## What is B?\n\nIt is b.\n\n[[↑] Back to top](#x)\n",
    "bold items": "1. **What is A?**\n\n   It is a.\n\n2. **What is B?**\n   It is b.\n",
    "items": "- What is A?\n  It is a.\n- What is B?\n  It is b.\n",
    "items with answers outside": "1. What is A?\n\nIt is a.\n\n2. What is B?\n\nIt is b.\n",
    "quoted answers": "1. What is A?\n   > It is a.\n2. What is B?\n   > It is b.\n",
    "letters": "Q: What is A?\nA: It is a.\n\nQ: What is B?\nA: It is b.\n",
    "letters and stops": "Q. What is A?\nA. It is a.\n\nQ. What is B?\nA. It is b.\n",
    "numbered letters": "Q1) What is A?\n\nAns: It is a.\n\nQ2) What is B?\n\nAns: It is b.\n",
    "bold letters": "**Q: What is A?** It is a.\n\n**Q: What is B?** It is b.\n",
    "letters in items": "- **Q: What is A?**\n  - A: It is a.\n- **Q: What is B?**\n  - A: It is b.\n",
    "words": "**Question 1:** What is A?\n\n**Answer:** It is a.\n\n**Question 2:** What is B?\n\n**Answer:**\n\nIt is b.\n",
    "headings that only label": "## Question 1\n\nWhat is A?\n\n### Answer\n\nIt is a.\n\n"
    "## Question 2\n\nWhat is B?\n\n### Answer\n\nIt is b.\n",
    "summaries": "<details>\n<summary>What is A?</summary><br><b>\nIt is a.\n</b></details>\n\n"
    "<details><summary>What is B?</summary>\n\nIt is b.\n\n</details>\n",
    "hidden answers": "### What is A?\n\n<details>\n<summary>Answer</summary>\n\nIt is a.\n</details>\n\n"
    "### What is B?\n\n<details><summary>Show answer</summary>It is b.</details>\n",
    "a table without a head": "| What is A? | It is a. |\n|--|--|\n| What is B? | It is b. |\n",
    "problems": "## Problem 1\n\nWhat is A?\n\n### Solution\n\nIt is a.\n\n"
    "## Problem 2\n\nWhat is B?\n\n### Solution\n\nIt is b.\n",
    "letters on lines of their own": "Q:\nWhat is A?\n\nA:\nIt is a.\n\nQ:\nWhat is B?\n\nA:\nIt is b.\n",
    "a table": "| No | Question | Answer |\n|---|---|---|\n| 1 | What is A? | It is a. |\n| 2 | What is B? | It is b. |\n",
    "callouts": "> [!question]- What is A?\n> It is a.\n\n> [!question] What is B?\n> It is b.\n",
    "cards in a line": "What is A?::It is a.\nWhat is B? ::: It is b.\n",
    "turned cards": "What is A?\n?\nIt is a.\n<!--SR:!2025-01-01,1,2-->\n\nWhat is B?\n??\nIt is b.\n",
    "marked cards": "- ## Letters\n- #card What is A?\n  card-repeats:: 1\n\t- It is a.\n- What is B? #card\n\t- It is b.\n",
    "cards marked by links": "- What is A? [[card]] #[[two words]]\n\t- It is a.\n- #[[card]] What is B?\n\t- It is b.\n",
    "HTML items": "<ul>\n<li>What is A?<br>It is a.</li>\n<li>\n  What is B?\n  <p>It is b.</p>\n</li>\n</ul>\n",
    "Windows": "## 1. What is A?\r\n\r\nIt is a.\r\n\r\n## 2. What is B?\r\nIt is b.\r\n",
    "admonitions": '??? question "What is A?"\n\n    It is a.\n\n!!! faq "What is B?"\n    It is b.\n',
    "labels in callouts": "> [!question] Q1: What is A?\n> It is a.\n\n> [!question] Question 2\n> What is B?\n>\n"
    "> > [!answer]\n> > It is b.\n",
    "bold items with answers on the line": "- **What is A?** It is a.\n- **What is B?** It is b.\n",
    "problems with points": "## Problem 1 (10 points)\n\nWhat is A?\n\n**Solution:**\n\nIt is a.\n\n"
    "## Problem 2 (5 pts): What is B?\n\nSolution: It is b.\n",
    "labelled headings of several depths": "## Q. ***What is A?***\n\nIt is a.\n\n#### Q. What is B?\n\nIt is b.\n",
    "fronts and backs": "### Card 1\n**Front:** What is A?\n**Back:** It is a.\n\n"
    "### Card 2\nFront: What is B?\nBack: It is b.\n",
    "bold labels with a stop": "**Q1.** What is A?\n\nIt is a.\n\n**Question 2.** What is B?\n\nIt is b.\n",
    "an interviewer who asks": "## 1. A\n\n**Interviewer asks:** What is A?\n\n**Model answer:** It is a.\n\n"
    "## 2. B\n\n**Interviewer asks:** What is B?\n\n**Strong senior-level answer:** It is b.\n",
    "keys as numbers": "## 1️⃣ What is A?\n\nIt is a.\n\n## 2\ufe0f\u20e3 What is B?\n\nIt is b.\n",
    "a question below its label": "## ❓ Q1:\n\n## What is A?\n\n### ✅ Answer:\n\nIt is a.\n\n"
    "## ❓ Q2:\n\n## What is B?\n\n### ✅ Answer:\n\nIt is b.\n",
    "signs and HTML before an answer": "### What is A?\n\n👉 **Answer:** It is a.\n\n"
    "### What is B?\n\n<b>Answer:</b> It is b.\n",
    "back to the top": "## 1. What is A?\n\nIt is a.\n\n**[⬆ Back to Top](#top)**\n\n---\n\n## 2. What is B?\n\nIt is b.\n",
}  # fmt: skip

PERSIAN = {
    "headings": "# پرسش‌ها\n\n## ۱. نرم چیست؟\n\nاندازه است.\n\n## ۲. مشتق چیست؟\nشیب است.\n",
    "digits": "۱. نرم چیست؟\n   اندازه است.\n۲) مشتق چیست؟\n   شیب است.\n",
    "digits and dashes": "۱- نرم چیست؟\n\nاندازه است.\n\n۲- مشتق چیست؟\n\nشیب است.\n",
    "labels": "### سؤال ۱: نرم چیست؟\n\n**پاسخ:** اندازه است.\n\n### سؤال ۲: مشتق چیست؟\n\nجواب: شیب است.\n",
    "letters": "س: نرم چیست؟\nج: اندازه است.\n\nس: مشتق چیست؟\nج: شیب است.\n",
    "the letter of both words": "پ: نرم چیست؟\nج: اندازه است.\n\nس: مشتق چیست؟\nپ: شیب است.\n",
    "cards marked by links": "- نرم چیست؟ [[card]]\n\t- اندازه است.\n- مشتق چیست؟ #[[دو واژه]] #card\n\t- شیب است.\n",
    "bullets": "• نرم چیست؟\n  اندازه است.\n• مشتق چیست؟\n  شیب است.\n",
    "marks of direction": "\u200f## ۱. نرم چیست؟\n\nاندازه است.\n\n\u200f## ۲. مشتق چیست؟\n\nشیب است.\n",
    "a table": "| پرسش | پاسخ |\n|--|--|\n| نرم چیست؟ | اندازه است. |\n| مشتق چیست؟ | شیب است. |\n",
    "HTML": "<ul dir=rtl>\n<li>نرم چیست؟<br>اندازه است.</li>\n<li>مشتق چیست؟<br>شیب است.</li>\n</ul>\n",
    "cards": "نرم چیست؟::اندازه است.\nمشتق چیست؟\n?\nشیب است.\n",
    "admonitions": '??? question "نرم چیست؟"\n    اندازه است.\n\n??? faq "مشتق چیست؟"\n\n    شیب است.\n',
    "ordinals": "### سؤال اول: نرم چیست؟\n\nپاسخ: اندازه است.\n\n### سؤال دوم: مشتق چیست؟\n\nپاسخ: شیب است.\n",
    "signs": "# پرسش‌ها\n\n**پرسش ۱:** نرم چیست؟\n\nپاسخ: اندازه است.\n\n**❓ مشتق چیست؟**\n\nشیب است.\n",
    "bold items with answers on the line": "- **نرم چیست؟** اندازه است.\n- **مشتق چیست؟** شیب است.\n",
    "points": "## تمرین ۱ (۱۰ نمره)\n\nنرم چیست؟\n\nراه‌حل: اندازه است.\n\n"
    "## تمرین ۲ (۵ نمره)\n\nمشتق چیست؟\n\nراه‌حل: شیب است.\n",
    "fronts and backs": "### کارت ۱\n**رو:** نرم چیست؟\n**پشت:** اندازه است.\n\nرو: مشتق چیست؟\nپشت: شیب است.\n",
    "a byte order mark": "\ufeff**نرم چیست؟**\n\nاندازه است.\n\n**مشتق چیست؟**\n\nشیب است.\n",
}


@pytest.mark.parametrize("text", ANSWERED.values(), ids=ANSWERED)
def test_a_question_and_its_answer_are_found_however_they_are_written(text: str) -> None:
    assert pairs(text) == AB


@pytest.mark.parametrize("text", PERSIAN.values(), ids=PERSIAN)
def test_persian_lists_are_found_however_they_are_written(text: str) -> None:
    assert pairs(text) == FA
    assert all(set(each.question) == {"fa"} for each in entries(text))


@pytest.mark.parametrize(
    "text", ["", "just a line\n", "\0\0", "# Heading only\n", "- [A](a.md)\n- [B](b.md)\n"]
)
class Leveled(NamedTuple):
    text: str
    levels: str


LEVELS = [
    Leveled("1. [E] What is A?\n2. [H] What is B?\n", "EH"),
    Leveled("**What is A? 👶**\n\na\n\n**What is B?** ⭐️\n\nb\n\n**What is C? 🚀**\n\nc\n", "EMH"),
    Leveled("1. What is A? ⭐\n2. What is B? ⭐⭐\n3. What is C? ⭐⭐⭐\n", "EMH"),
    Leveled("1. What is A? (Easy)\n2. (Hard) What is B?\n3. **[Medium]** What is C?\n", "EHM"),
    Leveled("# Q\n\n## Beginner\n\n1. What is A?\n\n## Advanced\n\n1. What is B?\n", "EH"),
    Leveled("### 1. What is A?\n\n**Difficulty:** Easy\n\nIt is a.\n\n### 2. B?\n\n*سطح: سخت*\n\nb\n", "EH"),
    Leveled("| Question | Level |\n|--|--|\n| What is A? | Fundamental |\n| What is B? | Advance |\n", "EH"),
    Leveled("| سوال | سطح |\n|--|--|\n| نرم چیست؟ | آسان |\n| مشتق چیست؟ | متوسط |\n", "EM"),
    Leveled("#### 1. What is A? (★☆☆)\n\na\n\n#### 2. What is B? (★★☆)\n\nb\n\n#### 3. What is C? (★★★)\n\nc\n", "EMH"),
    Leveled("### What is A? ☆☆\n\na\n\n### What is B? ☆☆☆☆\n\nb\n\n### What is C? ☆☆☆☆☆\n\nc\n", "EHH"),
    Leveled("## نرم چیست؟ (★☆☆)\n\nا\n\n## مشتق چیست؟ (★★★)\n\nب\n", "EH"),
    Leveled("## نرم چیست؟ (سخت)\n\nا\n\n## مشتق چیست؟ [ساده]\n\nب\n", "HE"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "levels"), LEVELS)
def test_levels_in_words_and_signs_become_levels_and_leave_the_question(
    text: str, levels: str
) -> None:
    found = entries(text)
    assert "".join(each.level or "-" for each in found) == levels
    for each in found:
        assert next(iter(each.question.values())) in {
            "What is A?",
            "What is B?",
            "What is C?",
            "B?",
        } | {
            "نرم چیست؟",
            "مشتق چیست؟",
        }


def test_a_question_that_only_speaks_of_levels_has_none() -> None:
    assert [
        each.level
        for each in entries("## 1. Is it hard?\n\nNo.\n\n## 2. Is medium enough?\n\nYes.\n")
    ] == [None, None]


def test_headings_above_are_the_topic() -> None:
    found = entries(
        "# Questions\n\n## Python\n\n### Lists\n\n#### What is A?\n\na\n\n## SQL\n\n### What is B?\n\nb\n"
    )
    assert [each.topic for each in found] == ["Python / Lists", "SQL"]


def test_statements_beside_questions_are_questions() -> None:
    text = "# Questions\n\n## Theory\n\n### Explain A\n\na\n\n### A and B\n\nab\n\n### What is B?\n\nb\n"
    assert [each for each, _ in pairs(text)] == ["Explain A", "A and B", "What is B?"]


def test_what_stands_under_a_deeper_heading_belongs_to_the_answer() -> None:
    text = "## 1. What is A?\n\nIntro.\n\n### Why?\n\nMore.\n\n## 2. What is B?\n\nIt is b.\n"
    ((_, answer), _) = pairs(text)
    assert answer == "Intro.\n\n### Why?\n\nMore."


def test_code_in_an_answer_asks_nothing_and_stays_whole() -> None:
    code = "```python\n# What is this?\n    x = [1]\n\n**Why?**\n```"
    text = f"## 1. What is A?\n\n{code}\n\nEnd.\n\n## 2. What is B?\n\nIt is b.\n"
    assert pairs(text) == [("What is A?", f"{code}\n\nEnd."), AB[1]]


def test_options_belong_to_the_question_and_the_ticked_one_answers() -> None:
    text = "#### Q1. Which is even?\n\n- [ ] 3\n- [x] 4\n\n**Explanation:** Halves.\n"
    assert pairs(text) == [("Which is even?\n\n- [ ] 3\n- [ ] 4", "4\n\n**Explanation:** Halves.")]


def test_lettered_options_belong_to_the_question() -> None:
    text = "**Q1. کدام زوج است؟**\n\nالف) ۳\nب) ۴\n\n**پاسخ:** ب\n"
    assert pairs(text) == [("کدام زوج است؟\n\nالف) ۳\nب) ۴", "ب")]


def test_a_tick_behind_an_option_with_a_letter_answers() -> None:
    text = "# آزمون\n\n1. کدام زوج است؟\n   الف) ۳\n   ب) **۴** ✔️\n\n2. Which is odd?\n   - A) 3 ✅\n   - B) 4\n"
    assert pairs(text) == [
        ("کدام زوج است؟\nالف) ۳\nب) **۴**", "ب) **۴**"),
        ("Which is odd?\n- A) 3\n- B) 4", "A) 3"),
    ]


def test_questions_within_a_question_belong_to_it() -> None:
    assert pairs("- What is A?\n  - Why A?\n  - How?\n- What is B?\n") == [
        ("What is A?\n\n- Why A?\n- How?", ""),
        ("What is B?", ""),
    ]


def test_gaps_are_asked_and_the_whole_answers() -> None:
    text = "#flashcards\n\nThe ==capital== is Paris.\n\n{{c1::روم}} در {{c2::ایتالیا}} است.\n\nC: [Bern] is Swiss.\n"
    assert pairs(text) == [
        ("The […] is Paris.", "The capital is Paris."),
        ("[…] در […] است.", "روم در ایتالیا است."),
        ("[…] is Swiss.", "Bern is Swiss."),
    ]
    assert {each.kind for each in entries(text)} == {"card"}


@pytest.mark.parametrize("label", ["Exercise", "تمرین"])
def test_the_text_of_an_exercise_stands_with_each_of_its_questions(label: str) -> None:
    parts = [
        f"### **{label} {n}: Shots (4 points)**\nShe hits {n} of 9 times.\n\n"
        "1. How likely is a hit?\n2. What is the mean?\n\n---\n"
        for n in (1, 2)
    ]
    asked = entries(f"# Exam\n\n{''.join(parts)}")
    assert [each.context for each in asked if each.kind != "note"] == [
        *["She hits 1 of 9 times."] * 2, *["She hits 2 of 9 times."] * 2,
    ]  # fmt: skip


def test_colons_beside_another_sign_separate_nothing() -> None:
    deck = "#flashcards\n\nsort {} compares neighbours\n"
    assert len(cards(deck.format("::"))) == 1 and cards(deck.format("::@::")) == []


def test_all_up_to_the_next_labelled_question_answers() -> None:
    long, short = "**Q:** How?\n**A:** So.\n\nAnd so.\n\n", "**Q:** Why?\n**A:** It is.\n\n"
    assert cards(f"# Notes\n\n{long}{short}") == [("How?", "So.\n\nAnd so."), ("Why?", "It is.")]
    assert cards(f"# Notes\n\n{short}{long}") == [("Why?", "It is."), ("How?", "So.")]


def test_two_colons_of_a_program_are_no_card() -> None:
    (entry,) = entries(
        "# Notes\n\nUse std::vector and the ::before rule, or `a :: b`.\n\nkey:: value\n"
    )
    assert entry.kind == "note"


def test_front_matter_becomes_fields_and_may_ask() -> None:
    text = "---\nid: n1\nquestion: 'What: A?'\ntags: [x, y]\ndifficulty: hard\ntopic: T\nlang: en\nsort: 3\n---\n\nIt is a.\n"
    found = take(text)
    (entry,) = found.book.entries
    assert (entry.id, entry.level, entry.topic, entry.tags) == ("n1", "H", "T", ("x", "y"))
    assert entry.question == {"en": "What: A?"}
    assert entry.answers[0].text == "It is a."
    assert found.given == {"n1"}
    assert [(each.line, each.text) for each in found.dropped] == [(8, "sort: 3")]


def test_one_question_in_two_languages_is_one_entry() -> None:
    text = "# سؤال (FA)\n> نرم چیست؟\n\n# Question (EN)\n> What is a norm?\n\n---\n\n## پاسخ (FA)\n\nاندازه.\n\n## Answer (EN)\n\nLength.\n"
    (entry,) = entries(text)
    assert entry.question == {"fa": "نرم چیست؟", "en": "What is a norm?"}
    assert {each.lang: each.text for each in entry.answers} == {"fa": "اندازه.", "en": "Length."}


def test_a_question_is_clean_but_keeps_code_formulas_and_pictures() -> None:
    text = "### 3. **What** is [`a*b*`](u.md) in <b>$x_1 * y$</b> and ![p](p.png)? #maths\n\nYes.\n\n### 4. Why?\n"
    entry, _ = entries(text)
    assert entry.question == {"en": "What is `a*b*` in $x_1 * y$ and ![p](p.png)?"}
    assert (entry.number, entry.tags) == ("3", ("maths",))


def test_ids_come_from_the_file_or_from_words_and_are_told_apart() -> None:
    text = "## 1. What is A?\n\na\n\n## 2. What is A?\n\nb\n\n## 3. What is A?\n\nc\n"
    found = take(text)
    assert [e.id for e in found.book.entries] == ["what-is-a", "what-is-a-2", "what-is-a-3"]
    assert found.given == set()
    assert take("---\nid: own\n---\nA text.\n").given == {"own"}
    assert list(found.lines.values()) == [1, 5, 9]


def test_the_address_of_a_link_that_asks_is_not_lost() -> None:
    found = take("## 1. [What is A?](https://x.org/a)\n\na\n\n## 2. What is B?\n\nb\n")
    assert [each.text for each in found.dropped] == ["https://x.org/a"]


def test_a_file_of_several_styles_is_read_in_all_of_them() -> None:
    text = "".join(
        f"# Part {n}\n\n{ANSWERED[name]}\n\n"
        for n, name in enumerate(("bold lines", "a table", "letters", "summaries", "turned cards"))
    )
    assert pairs(text) == AB * 5


QUESTION_N = (
    "# Course\n\n## Question 1\n\nHow many rows are there?\n\nCount them.\n\n- 16\n- 18\n\n> A note.\n\n"
    "## Question 2\n\n1. Take the median.\n2. Print it.\n\n## سوال ۳\n\nچرا؟\n\nزیرا.\n\n"
    "## Question 4\n\nWhy?\n\nAnswer: So.\n\n### Question 5: What is a norm?\n\nA length.\n"
)


def test_what_stands_below_a_mere_number_of_a_question_asks() -> None:
    assert pairs(QUESTION_N) == [
        ("How many rows are there?\n\nCount them.\n\n- 16\n- 18\n\n> A note.", ""),
        ("1. Take the median.\n\n2. Print it.", ""),
        ("چرا؟", "زیرا."),
        ("Why?", "So."),
        ("What is a norm?", "A length."),
    ]
    assert [each.number for each in entries(QUESTION_N)] == ["1", "2", "3", "4", "5"]


@pytest.mark.parametrize(
    ("label", "asked", "options"),
    [("Question", "How many rows\nare there?", "- 16\n- 18"), ("سوال", "چند سطر\nهست؟", "۱. دو\n۲. سه")],
)  # fmt: skip
def test_options_directly_below_a_question_stay_on_their_lines(
    label: str, asked: str, options: str
) -> None:
    text = "".join(f"## {label} {n}:\n{asked}\n{options}\n\n" for n in (1, 2))
    assert pairs(text) == [(f"{' '.join(asked.split())}\n\n{options}", "")] * 2


@pytest.mark.parametrize(
    ("heads", "asked"),
    [
        (["Why?", "Standard errors", "I deleted it.", "How?", "Can I call?", "Explain it.", "So?"], [0, 3, 4, 5, 6]),
        (["Pourquoi ?", "Appels", "J'ai oublié mon mot de passe", "Comment ?", "Où ?"], [0, 3, 4]),
        (["چرا؟", "تماس‌ها", "خطای معیار", "خودم را حذف کردم", "آیا می‌شود؟", "چه؟", "با چه؟", "کی؟"], [0, 4, 5, 6, 7]),
        (["1. Why?", "2. Calls", "3. How?"], [0, 1, 2]),
    ],
)  # fmt: skip
def test_among_headings_that_ask_the_others_ask_only_in_words_or_with_a_number(
    heads: list[str], asked: list[int]
) -> None:
    text = "# FAQ\n\n" + "".join(f"## {head}\n\nIt is so.\n\n" for head in heads)
    found = [each for each, _ in cards(text)]
    assert found == [heads[n].split(". ")[-1] for n in asked]


@pytest.mark.parametrize(
    ("title", "question", "asked", "label", "told"),
    [
        ("Homework 2", "Question", "How many are there?", "Answers:", "There are 16 rows."),
        ("Homework 2", "Question", "How many are there?", "### Answers", "There are 16 rows."),
        ("Homework 2", "Question", "Why?", "Answers:", f"- It is so{' and so' * 15}.\n- No."),
        ("تکلیف دوم", "سوال", "چند تا هست؟", "پاسخ‌ها:", "شانزده سطر هست."),
        ("تکلیف دوم", "سوال", "چند تا هست؟", "### پاسخ‌ها", "شانزده سطر هست."),
    ],
)
def test_text_below_the_answers_of_homework_answers(
    title: str, question: str, asked: str, label: str, told: str
) -> None:
    text = "".join(f"## {question} {n}. Rows\n\n{asked}\n\n{label}\n\n{told}\n\n" for n in (1, 2))
    assert [answer for _, answer in cards(f"# {title}\n\n{text}")] == [told] * 2


@pytest.mark.parametrize(
    ("title", "asked", "items"),
    [
        ("Homework 2", "Why is the sky blue?", f"- {'It is so. ' * 11}\n- {'It was so. ' * 11}"),
        (
            "Multiple choice explained",
            "Why is it?",
            f"- {'It is so. ' * 11}\n- {'It was so. ' * 11}",
        ),
        ("Homework 2 solutions", "Why is the sky blue?", "- It scatters light.\n- It is air."),
        ("حل تمرین", "چرا آسمان آبی است؟", "- نور را می‌پراکند.\n- هوا است."),
        ("پاسخ تکلیف دوم", "چرا آسمان آبی است؟", "- نور را می‌پراکند.\n- هوا است."),
    ],
)
def test_items_that_are_long_or_below_a_title_of_solutions_answer(
    title: str, asked: str, items: str
) -> None:
    text = "".join(f"{n}) {asked}\n{items}\n\n" for n in (1, 2, 3))
    assert [answer.split() for _, answer in cards(f"# {title}\n\n{text}")] == [items.split()] * 3


def test_the_third_of_several_options_is_no_cloze() -> None:
    text = "".join(
        f"{n}. What is {n}?\n- A: `x`\n- B: `y`\n- C: `a[1]`\n- D: `z`\n\nJawaban: B\n\n"
        for n in (1, 2)
    )
    options = "- A: `x`\n- B: `y`\n- C: `a[1]`\n- D: `z`"
    assert pairs(text) == [(f"What is {n}?\n{options}", "B") for n in (1, 2)]
    assert pairs("C: [Bern] is Swiss.\n") == [("[…] is Swiss.", "Bern is Swiss.")]
    assert [each.kind for each in entries("C - [Bern] is Swiss.\n")] == ["note"]


def test_an_empty_element_among_answered_ones_is_a_question_without_an_answer() -> None:
    one = "<details>\n<summary>{}</summary><br><b>\n{}\n</b></details>\n\n"
    text = "".join(one.format(f"Norm {n}", "So." if n else "") for n in range(3))
    text = f"# Questions\n\n{text}"
    assert [told.strip("<br>/ \n") for _, told in pairs(text)] == ["", "So.", "So."]
    alone = one.format("A norm", "")
    assert [each.kind for each in entries(f"# Note\n\nText.\n\n{alone}")] == ["note"]


def test_an_element_in_the_cell_of_a_table_is_no_card() -> None:
    row = "<tr><td>Alex {}</td><td><details><summary>More info</summary>text</details></td></tr>\n"
    text = "<table>\n" + "".join(map(row.format, range(4))) + "</table>\n"
    assert [each.kind for each in entries(text)] == ["note"]


@pytest.mark.parametrize("label", ["Question {}", "Q{}. Version", "سوال {}", "Puzzle {}: It"])
def test_numbered_labels_are_a_list_beside_however_much_text(label: str) -> None:
    head = "# Homework\n\n## Setup\n\n" + "Prepare your machine for it. " * 60
    text = head + "".join(f"\n\n## {label.format(n)}\n\nWhat is {n}?\n" for n in range(1, 5))
    found = entries(text)
    assert [each.number for each in found if each.kind == "question"] == ["1", "2", "3", "4"]
    assert found[0].context and "Prepare" in found[0].context
    few = head + "".join(f"\n\n## {label.format(n)}\n\nWhat is {n}?\n" for n in range(1, 3))
    assert [each.kind for each in entries(few)] == ["note"]


def test_a_section_that_says_that_it_has_questions_is_a_list_of_them() -> None:
    text = (
        "# ML\n\n"
        + "Notes of it. " * 90
        + "\n\n## {}\n\n- What is A?\n- Explain B\n- Why C?\n\n## More\n\n- What?\n"
    )
    found = entries(text.format("Sample Questions"))
    assert [each.question["en"] for each in found[1:]] == [
        "What is A?",
        "Explain B",
        "Why C?",
    ]
    assert found[0].kind == "note" and all(each.within == found[0].id for each in found[1:])
    others = ("Remarks", "Open questions", "Questions to consider", "What do questions tell us?")
    for title in (*others, "سوالاتی برای مصاحبه‌کننده", "Preguntas para el entrevistador"):
        assert [each.kind for each in entries(text.format(title))] == ["note"]


@pytest.mark.parametrize(("above", "count", "name", "number", "found"), [
    ("# Life\n\nIt is long.", 15, "x.md", "", 0),  # as in any guide
    ("# Life\n\nIt is long.", 16, "x.md", "", 16),
    ("It is long.", 4, "faq/x.md", "", 0),
    ("It is long.", 5, "سوالات/x.md", "", 5),
    ("It is long.", 4, "x.md", "1. ", 0),
    ("It is long.", 5, "x.md", "1. ", 5),
    ("It is long.", 1, "questions/x.md", "1. ", 1),
    ("# Life", 2, "x.md", "", 2),
    ("", 2, "x.md", "", 2),
    ("", 1, "x.md", "", 0),
    ("## Life\n\n### Long", 2, "x.md", "", 0),
])  # fmt: skip
def test_headings_that_ask_are_a_list_if_many_or_numbered_or_all_or_in_a_folder_that_says_so(
    above: str, count: int, name: str, number: str, found: int
) -> None:
    asked = "".join(f"## {number}What is {n}?\n\nIt is {n}.\n\n" for n in range(count))
    text = f"{above}\n\n{asked}"
    asked = [each for each in take(text, name).book.entries if each.kind == "question"]
    assert len(asked) == found


@pytest.mark.parametrize("asked", ["- {}\n", "{n}. {}\n", "**{}**\n\nSo.\n\n", "> {}\n\nSo.\n\n"])
def test_few_questions_in_a_note_are_no_list(asked: str) -> None:
    for title, word in (("Cost of data", "Is it clean?"), ("هزینهٔ داده", "آیا کافی است؟")):
        some = "".join(asked.format(f"{n} {word}", n=n + 1) for n in range(4))
        assert [each.kind for each in entries(f"# {title}\n\n{word[:-1]}.\n\n{some}")] == ["note"]


def test_the_first_of_several_sections_says_nothing_of_the_others() -> None:
    text = (
        "## {}\n\n1. Why A?\n2. Why B?\n3. Why C?\n\n## Steps\n\n1. Open A\n2. Save B\n3. End C\n"
    )
    text = text.format("Review questions")
    assert [q for q, _ in cards(text)] == ["Why A?", "Why B?", "Why C?"]
    assert len(cards(text.replace("## Steps", "### Steps"))) == 6


@pytest.mark.parametrize(("name", "found"), [("x.md", []), ("faq/x.md", ["Old phones", "Noise"])])
def test_what_is_folded_asks_by_itself_or_in_a_folder_that_says_so(
    name: str, found: list[str]
) -> None:
    fold = "<details><summary>{}</summary>\n\nIt is a text of some words.\n\n</details>\n\n"
    folds = map(fold.format, ("Old phones", "Example Solution", "Noise", "جواب نمونه"))
    made = take(f"# Help\n\n{''.join(folds)}", name)
    assert [each.question["en"] for each in made.book.entries if each.kind == "card"] == found


def test_the_quarters_of_a_year_are_no_questions() -> None:
    text = "# {}\n\n## Q1 Plan of it\n\nOne.\n\n## Q2 {}\n\nTwo.\n\n## Q3 (July)\n\nThree.\n"
    assert [each.kind for each in entries(text.format("Year", "Plan"))] == ["note"]
    assert [each.number for each in entries(text.format("Homework", "Plan"))] == ["1", "2", "3"]
    assert [q for q, _ in cards(text.format("Year", "Why?"))] == ["Why?"]


@pytest.mark.parametrize(
    ("title", "asked"), [("Quiz questions", "How many rows?"), ("سوالات آزمون", "چند سطر؟")]
)
def test_options_below_the_questions_of_a_section_do_not_hide_them(title: str, asked: str) -> None:
    section = "".join(f"{n}) {asked}\n- 16\n- 18\n- 20\n\n" for n in (1, 2, 3))
    other = "A note has words enough of its own to stay one. " * 30
    text = f"# Homework\n\n{other}\n\n### {title}\n\n{section}### End\n\n{other}\n"
    assert cards(text) == [(f"{asked}\n\n- 16\n- 18\n- 20", "")] * 3


def test_the_headings_of_a_section_that_announces_questions_are_a_list_of_them() -> None:
    asked = "".join(f"### Why {x}?\n\nSo.\n\n" for x in "ABC")
    text = f"# Guide\n\n## What is it?\n\n{'Words of it. ' * 90}\n\n## {{}}\n\n{asked}## Where?\n\nHere.\n"
    assert cards(text.format("FAQ")) == [(f"Why {x}?", "So.") for x in "ABC"]
    assert cards(text.format("More")) == []


@pytest.mark.parametrize(
    "title", ["🚀 Interview questions", "Q&A — 🚀", "**Questions** ⭐", "سوالات 🚀"]
)
def test_a_heading_that_says_that_there_are_questions_is_none(title: str) -> None:
    assert [each.kind for each in entries(f"# {title}\n\n## Setup\n\nFirst.\n")] == ["note"]
    text = f"# {title}\n\n## What is A?\n\na\n\n## {title}\n\n## Do questions help? 🚀\n\nc\n"
    assert [q for q, _ in cards(text)] == ["What is A?", "Do questions help?"]


def test_a_heading_that_does_not_ask_is_a_question_only_in_a_list_that_says_so() -> None:
    text = "# {}\n\n## What is A?\n\na\n\n## Kinds of A\n\nb\n\n## Why A?\n\nc\n"
    assert [each.kind for each in entries(text.format("A"))] == ["note"]  # as in any text
    topics = text.replace("## Why", "## Sorts of A\n\ns\n\n## Why").format("Questions on A")
    assert [a for a, _ in pairs(topics)][1:3] == ["Kinds of A", "Sorts of A"]
    more = "".join(f"\n## What is {n}?\n\nd\n" for n in range(14))
    assert [a for a, _ in cards(text.format("A") + more)][:3] == [
        "What is A?",
        "Why A?",
        "What is 0?",
    ]


def test_homework_asks_and_does_not_answer() -> None:
    text = (
        "# Homework\n\n## Question 1\n\nWhich loss\nwill you use?\n\n* one\n* another\n\n## Question 2: CV\n\n"
        "Use five folds.\n\nWhat is the deviation?\n\n## Question 3: Why?\n\nUse code.\n"
    )
    assert pairs(text) == [
        ("Which loss will you use?\n\n* one\n* another", ""),
        ("CV\n\nUse five folds.\n\nWhat is the deviation?", ""),
        ("Why?\n\nUse code.", ""),
    ]
    persian = "# تکلیف سوم\n\n## سوال ۱\n\nکدام است؟\n\n* یک\n* دو\n\n## سوال ۲: نرم\n\nطول را بیابید.\n\n## سوال ۳\n\nچرا؟\n\nبنویسید.\n"
    assert pairs(persian) == [
        ("کدام است؟\n\n* یک\n* دو", ""),
        ("نرم\n\nطول را بیابید.", ""),
        ("چرا؟\n\nبنویسید.", ""),
    ]
    assert pairs(persian.replace("تکلیف سوم", "آزمون فرض"))[-1] == ("چرا؟", "بنویسید.")
    elsewhere = text.replace("# Homework", "# Course")
    assert [told for _, told in pairs(elsewhere)] == ["", "", "Use code."]
    assert pairs(persian.replace("تکلیف", "تمرین")) == pairs(persian)


@pytest.mark.parametrize(
    ("heading", "kinds"),
    [
        ("Clarifying questions", ["note"]),
        ("سوال‌هایی که باید از خودتان بپرسید", ["note"]),
        ("سوالات امتحان خودرمزگذار", ["note", *["question"] * 3]),
    ],
)
def test_questions_that_only_clarify_are_none(heading: str, kinds: list[str]) -> None:
    text = (
        "# Design\n\n"
        + "Text of it. " * 90
        + f"\n\n## {heading}\n\n- Latency?\n- Scale?\n- Cost?\n"
    )
    assert [each.kind for each in entries(text)] == kinds


def test_what_stands_below_a_heading_of_answers_asks_nothing() -> None:
    text = "# Questions\n\n1. What is A?\n2. What is B?\n3. What is C?\n\n# ANSWERS\n\n1. Ask A?\n2. B.\n3. C.\n"
    assert [asked for asked, _ in pairs(text) if "What" in asked][-3:] == [
        f"What is {x}?" for x in "ABC"
    ]
    assert not [asked for asked, _ in pairs(text) if asked in ("Ask A?", "B.", "C.")]
    persian = "# سوالات\n\n۱. نرم چیست؟\n۲. بردار چیست؟\n۳. پایه چیست؟\n\n# {}\n\n۱. طول؟\n۲. نقطه.\n۳. مجموعه.\n"
    for heading in ("پاسخ", "پاسخ‌ها", "جواب‌ها"):
        assert "طول؟" not in [asked for asked, _ in pairs(persian.format(heading))]


def test_a_preamble_is_context_only_where_it_shows_or_speaks_of_what_follows() -> None:
    text = "# Interview questions\n\n{}\n\n1. What is A?\n2. What is B?\n3. What is C?\n"
    much = " ".join(["Welcome to this list."] * 50)
    said = {
        much: None,
        "Welcome to this list.": None,
        "Use the [rubric](#end) for every question.": None,
        "Use the sales table for all questions.": "Use the sales table for all questions.",
        "<sub>[⬅ Previous](a.md) | Use the table below.</sub>": None,
        "[⬅ Previous](a.md) · [⬆ Back to contents](../b.md)": None,
        "[![build](https://x.org/badge.svg)](https://x.org)\n\n⬆ Back to top": None,
        "[بازگشت به فهرست](../fa.md)": None,
        "#flashcards/given-the-deck": None,
        f"{much} Use the numbers below.": f"{much} Use the numbers below.",
        f"{much} از جدول زیر بخوانید.": f"{much} از جدول زیر بخوانید.",
        f"{much} زیرا مفید است.": None,
        "| a | b |\n|---|---|\n| 1 | 2 |": "| a | b |\n|---|---|\n| 1 | 2 |",
    }
    for above, context in said.items():
        questions = [e for e in entries(text.format(above)) if e.kind == "question"]
        assert [each.context for each in questions] == [context] * 3


def test_an_element_around_a_question_stands_in_none_of_its_texts() -> None:
    text = "".join(
        f"<div dir='rtl'>\n\n{n}. ماهو الناتج؟\n\n</div>\n\n```js\nx\n```\n\n- A: `1`\n- B: `2`\n\nAnswer: B\n\n"
        for n in range(1, 6)
    )
    assert not [side for pair in pairs(text) for side in pair if "div" in side]


def test_an_element_behind_an_answer_belongs_to_it() -> None:
    prose = "They are inputs to components, passed down from a parent. " * 5
    text = "# Interview questions\n\n" + "".join(
        f"{n}. What are props {n}?\n\n   {prose.strip()}\n\n   <details><summary>See Class</summary>\n\n   x\n\n   </details>\n\n"
        for n in range(1, 5)
    )
    for asked, told in pairs(text):
        assert asked.startswith("What are props") and asked.endswith("?")
        assert told.startswith("They are inputs") and "See Class" in told and "x" in told


def test_the_end_of_an_element_that_began_elsewhere_stands_in_no_question() -> None:
    one = "<div dir='rtl'>\n\n{}. ايه اللي هيتطبع؟\n\n```js\nx\n```\n</div>\n\n- A: `1`\n- B: `2`\n\nAnswer: B\n\n"
    text = "".join(map(one.format, range(1, 6)))
    assert not [side for pair in pairs(text) for side in pair if "div" in side]


def test_a_bullet_that_is_a_link_is_a_question_among_questions() -> None:
    text = "# Interview questions\n\n- What is A?\n- [What is B?](https://x.org)\n- What is C?\n"
    assert [asked for asked, _ in pairs(text)] == ["What is A?", "What is B?", "What is C?"]


@pytest.mark.parametrize(
    ("note", "announces", "asked"),
    [("Introduction", "Questions", "What is"), ("مقدمه", "پرسش‌ها", "چرا")],
)
def test_numbered_headings_without_a_question_mark_are_a_list_if_the_file_says_so(
    note: str, announces: str, asked: str
) -> None:
    text = "".join(f"{n}. ### {asked} {n}\n\n   It is.\n\n" for n in range(1, 7))
    assert [each.kind for each in entries(f"# {note}\n\n{text}")] == ["note"]
    assert pairs(f"# {announces}\n\n{text}") == [(f"{asked} {n}", "It is.") for n in range(1, 7)]


def test_headings_of_a_deck_are_cards_though_they_do_not_ask() -> None:
    assert pairs("# Flashcards\n\n## Norm\n\nLength.\n\n## گوی\n\nمجموعه.\n") == [
        ("Norm", "Length."),
        ("گوی", "مجموعه."),
    ]


def test_the_same_headings_without_that_title_are_a_note() -> None:
    (entry,) = entries("# Lecture\n\n## Norm\n\nLength.\n\n## گوی\n\nمجموعه.\n")
    assert entry.kind == "note"


def test_options_below_an_item_stay_on_their_lines() -> None:
    assert pairs("1. Which is even?\nA. 3\nB. 4\nAnswer: B\n\n2. Is 2 odd?\nAnswer: No\n") == [
        ("Which is even?\nA. 3\nB. 4", "B"),
        ("Is 2 odd?", "No"),
    ]


def test_terms_in_bold_are_no_cards_in_a_file_that_is_no_glossary() -> None:
    (entry,) = entries("# Lecture\n\nOn norms.\n\n- **Norm**: A length.\n- **Ball**: A set.\n")
    assert entry.kind == "note"


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("1. Sets are open.\n\n   **Answer:** False.\n\n2. Balls are sets.\n\n   **Answer:** True.\n",
         [("Sets are open.", "False."), ("Balls are sets.", "True.")]),
        ("۱. هر مجموعه باز است.\n\n   **پاسخ:** نادرست.\n\n۲. گوی مجموعه است.\n\n   **پاسخ:** درست.\n",
         [("هر مجموعه باز است.", "نادرست."), ("گوی مجموعه است.", "درست.")]),
        ("1. A norm is ____\na) a length\nb) a set\n\nAnswer: a\n\n2. A ball is ____\na) a length\nb) a set\n\nAnswer: b\n",
         [("A norm is ____\na) a length\nb) a set", "a"), ("A ball is ____\na) a length\nb) a set", "b")]),
    ],
)  # fmt: skip
def test_items_with_options_or_an_answer_ask_whatever_their_words(
    text: str, found: list[tuple[str, str]]
) -> None:
    assert pairs(text) == found


def test_an_element_that_hides_a_part_of_an_answer_stays_in_it() -> None:
    text = "# FAQ\n\n## What is A?\n\nIt is a.\n\n<details><summary>A class</summary>\n\nMore.\n\n</details>\n\nEnd.\n"
    ((question, answer),) = pairs(text)
    assert question == "What is A?" and answer.endswith("End.")


@pytest.mark.parametrize(
    ("head", "answer"),
    [("`x` fails", "**Answer:** Use `y`."), ("`x` کار نمی‌کند", "**پاسخ:** `y` بزنید.")],
)
def test_among_headings_that_ask_one_with_a_labelled_answer_asks(head: str, answer: str) -> None:
    text = f"# FAQ\n\n## Why?\n\nSo.\n\n## {head}\n\n{answer}\n\n## چرا؟\n\nزیرا.\n"
    assert pairs(text)[1] == (head, answer.split("** ")[1])


@pytest.mark.parametrize(
    ("text", "asked"),
    [
        ("# Interview questions\n\n* Why?\n\n## B\n\n- Differences between A and B\n", 2),
        ("# سوالات مصاحبه\n\n* چرا؟\n\n## ب\n\n- تفاوت الف و ب\n", 2),
        ("# Interview questions\n\n* Why?\n\n## B\n\n- Between A and B\n", 1),
    ],
)
def test_a_single_item_that_tells_to_do_something_asks_in_a_list_of_questions(
    text: str, asked: int
) -> None:
    assert len(pairs(text)) == asked


@pytest.mark.parametrize(
    "text",
    [
        "# Interview questions\n\n## A\n\n1. Reverse a list\n2. Find a gap\n3. Two sums\n",
        "# سوالات مصاحبه\n\n## الف\n\n۱. طراحی یک صف\n۲. مزایا و معایب پشته\n۳. دو عدد\n",
    ],
)
def test_tasks_are_questions_where_the_title_says_so(text: str) -> None:
    assert len(pairs(text)) == 3
    (note,) = entries(text.replace("Interview questions", "Work").replace("سوالات مصاحبه", "کار"))
    assert note.kind == "note"


@pytest.mark.parametrize(
    "asked",
    ["What is the value of `a`?", "مقدار `a` چیست؟", "¿Qué imprime?", "Qual a saída?", "输出是什么？",
     "Was ist die Ausgabe?", "Что будет выведено?", "Cosa stampa?", "Que renvoie-t-elle ?"],
)  # fmt: skip
def test_code_below_an_item_that_asks_what_it_gives_belongs_to_the_question(asked: str) -> None:
    text = f"# Questions\n\n* Why?\n* {asked}\n  ```js\n  let a = 1\n  ```\n"
    assert pairs(text)[1] == (f"{asked}\n\n```js\nlet a = 1\n```", "")
    how = pairs(text.replace(asked, "How is it written?"))[1]
    assert how == ("How is it written?", "```js\nlet a = 1\n```")


@pytest.mark.parametrize(
    "text",
    [
        "# Exam\n\n## 1. Why A?\n\nSo.\n\n## 2. Explain B\n\n### One\n\nb\n\n### Two\n\nc\n\n### Which?\n\nd\n",
        "# آزمون\n\n## ۱. چرا؟\n\nزیرا.\n\n## ۲. ب را توضیح دهید\n\n### یک\n\nب\n\n### دو\n\nپ\n\n### کدام؟\n\nت\n",
    ],
)
def test_a_numbered_question_keeps_its_parts_though_one_of_them_asks(text: str) -> None:
    assert len(pairs(text)) == 2
    assert pairs(text)[1][1].count("###") == 3


@pytest.mark.parametrize(
    "text",
    [
        "# Learning Goals\n\n- Define A.\n- Explain B.\n- Describe C.\n- Compare D and E.\n",
        "# مشتق\n\n## اهداف درس\n\n- مشتق را تعریف کنید\n- شیب را توضیح دهید\n- حد را شرح دهید\n",
        "# Flashcard writing guide\n\n## Organizing principles\n\nUse few.\n\n## Rules\n\nCheck all.\n",
    ],
)
def test_goals_and_guides_ask_nothing(text: str) -> None:
    assert {each.kind for each in entries(text)} == {"note"}


def test_the_text_of_another_section_is_no_context() -> None:
    text = "# L\n\n## Queues\n\nA server is fast, given that.\n\n## Problem 1\n\nWhy A?\n\n## Problem 2\n\nWhy B?\n"
    asked = [each for each in entries(text) if each.kind == "question"]
    assert [(each.context, each.topic) for each in asked] == [(None, "L"), (None, "L")]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("## Q&A\n\n- Why A? → because.\n- Why not B? — it is b.\n- B: why? -> so → it\n",
         [("Why A?", "because."), ("Why not B?", "it is b."), ("B: why?", "so → it")]),
        ("# Questions\n\n- Is A so? NO\n- Is B so? YES if\n  it is b.\n- What is C? Explain it.\n",
         [("Is A so?", "NO"), ("Is B so?", "YES if\n  it is b."), ("What is C? Explain it.", "")]),
        ("# سوالات\n\n- آیا الف چنین است؟ بله\n- چرا ب؟ → زیرا\n- پ چیست؟ توضیح دهید\n",
         [("آیا الف چنین است؟", "بله"), ("چرا ب؟", "زیرا"), ("پ چیست؟ توضیح دهید", "")]),
        ("***1. What is A?***\n\nIt is a.\n\n***2. What is B?***\n\nIt is b.\n", AB),
    ],
)  # fmt: skip
def test_an_item_may_answer_what_it_asks(text: str, found: list[tuple[str, str]]) -> None:
    assert [pair for pair in pairs(text) if pair[0] != "x"] == found


def test_a_hint_belongs_to_the_question_and_the_solution_is_the_answer() -> None:
    one = (
        "<article>\n\n## Scenario {0}: Choose {0}\n\nWhich one is {0}?\n\n<details>\n<summary>💡 Hint</summary>\n\n"
        "Look at {0}.\n\n</details>\n\n<details>\n<summary>✅ Solution</summary>\n\nIt is {0}.\n\n</details>\n\n</article>\n\n"
    )
    made = [e for e in entries("# Scenarios\n\n" + "".join(map(one.format, "ABC"))) if e.answers]
    assert [each.answers[0].text for each in made] == ["It is A.", "It is B.", "It is C."]
    assert all("Look at" in each.question["en"] for each in made)


@pytest.mark.parametrize(
    "text",
    [
        "# Debounce\n\nWrite it.\n\n<details>\n<summary>Hint 1</summary>\n\nUse a timer?\n\n</details>\n",
        "# Speed 🚀\n\nBe fast.\n\n## Overview\n\nThis is about speed.\n",
        "# Interviews\n\n## Interview Tips\n\n1. Start simple\n2. Discuss it\n3. Explain it\n",
        "name\tmail\tage\nAnna\ta@x.org 1\nBert\tb@x.org 2\nCarl\tc@x.org 3\nDora\td@x.org 4\n",
        "Nest\tFood\tTime\nAut\tDeprived\t22.25\nAut\tSatiated\t22.38\nBoc\tDeprived\t23.1\n",
        "نام\tغذا\tساعت\nسار\tکم\t22.25\nسار\tبس\t22.38\nباز\tکم\t23.1\n",
        "# mov\n\nq (quad) : 64 bit\nl (long) : 32 bit\nw (word) : 16 bit\n",
        "# ElGamal\n\nq : 큰 소수\na: q의 primitive root\n",
    ],
)
def test_hints_tips_and_tables_ask_nothing(text: str) -> None:
    assert {each.kind for each in entries(text)} == {"note"}


@pytest.mark.parametrize(
    "text",
    [
        "# SQL\n\nUse it.\n\n**Uses:**\n* ?? Employees and managers\n* ?? Routes\n* ?? Rows of a table\n",
        "# CLR\n\n## Table of Contents\n\n1. [What](#a)\n   - What is it\n   - How it works\n   - Why\n\nText.\n",
        "# Ready\n\n## Checklist\n\n- [ ] Do you know it?\n- [ ] Do you have it?\n- [ ] Did you sleep?\n",
    ],
)
def test_broken_signs_contents_and_check_lists_ask_nothing(text: str) -> None:
    assert {each.kind for each in entries(text)} == {"note"}


def test_a_heading_that_parts_every_answer_is_no_question() -> None:
    part = "## {0}. How is {0} done?\n\n### What is it?\n\nA {0}.\n\n### Example\n\nSee {0}.\n\n"
    found = pairs("# Questions\n\n" + "".join(part.format(n) for n in range(1, 5)))
    assert [asked for asked, _ in found] == [f"How is {n} done?" for n in range(1, 5)]
    assert "What is it?" in found[0][1]


@pytest.mark.parametrize(
    "text",
    [
        "“Hollow?”\n\n“Yes, a shell.”\n\n“And why?”\n\n“It is light.”\n\nHe went to the\nmoon at last?\n",
        "Where is he?\n\n" + "He walked on through the wood.\n\n" * 12,
        "| # | Category | Questions |\n|--|--|--|\n| 1 | Chat | 17 |\n| 2 | Mail | 13 |\n",
        "«کجاست؟»\n\n«نمی‌دانم.»\n\n«چرا؟»\n\n«دور است.»\n",
    ],
)
def test_a_story_and_a_count_ask_nothing(text: str) -> None:
    assert {each.kind for each in take(text, "x.txt").book.entries} == {"note"}


def test_a_bold_line_between_questions_is_the_context_of_those_below_it() -> None:
    text = (
        "## Question bank\n\n**Trees**\n\n- Why A?\n- Why B?\n\n**Graphs**\n\n- Why C?\n- Why D?\n"
    )
    asked = [each.context for each in entries(text) if each.kind == "question"]
    assert asked == ["**Trees**", "**Trees**", "**Graphs**", "**Graphs**"]


MODEL = (
    "## Question {n}\n**Interviewer asks:** Why {n}?\n\n**Expected answer points:**\n- So.\n\n"
    "**Red flags:** Silence.\n\n**Model answer:** Because.\n\n"
)


def test_all_that_an_interviewer_expects_answers_under_its_labels() -> None:
    answer = MODEL.partition("\n\n")[2].strip()
    text = MODEL.format(n=1) + MODEL.format(n=2)
    assert pairs(text) == [("Why 1?", answer), ("Why 2?", answer)]
    assert [each.number for each in entries(text)] == ["1", "2"]
    persian = "**سؤال:** چرا؟\n\n**نکات کلیدی:**\n- چون.\n\n**پاسخ کامل:** زیرا.\n\n"
    assert pairs(persian) == [("چرا؟", persian.partition("\n\n")[2].strip())]


def test_a_remark_in_a_label_stays_in_the_note() -> None:
    text = "Question(Done): What is A?\nAnswer: It is a.\n\n**Question (new one):** What is B?\n\n**Answer (short):** It is b.\n"
    persian = "**سؤال (مهم):** نرم چیست؟\n\n**پاسخ (کوتاه):** اندازه است.\n\nسؤال (مهم): مشتق چیست؟\nپاسخ: شیب است.\n"
    assert (cards(text), cards(persian)) == (AB, FA)


def test_the_output_and_its_explanation_answer_below_a_mere_question_of_code() -> None:
    text = (
        "# Quiz\n\n## Question 1\n\n```js\na\n```\n\n**Output:** 1\n\n**Explanation:** So.\n\n"
        "## Question 2\n\nWhat is printed?\n\n```js\nb\n```\n\n**Output:** 2\n"
    )
    assert pairs(text) == [
        ("```js\na\n```", "**Output:** 1\n\n**Explanation:** So."),
        ("What is printed?\n\n```js\nb\n```", "**Output:** 2"),
    ]
    titled = "# Quiz\n\n## How is A copied?\n\nSpread it.\n\n```js\n[...a]\n```\n\n**Output:** 1\n\n## Why?\n\nSo.\n"
    assert pairs(titled)[0][0] == "How is A copied?"


def test_advice_before_an_interview_is_no_question() -> None:
    advice = (
        "## How to prepare\n\nSleep well.\n\n## What to expect\n\n1. Why us?\n2. Coding.\n3. Talk.\n\n"
        "## Resources\n\n- Books\n\n"
    )
    asked = "".join(f"## What is {n}?\n\nIt is one of the many numbers.\n\n" for n in range(5))
    found = [q for q, _ in cards(f"# Interview questions\n\n{advice}{asked}")]
    assert found == [f"What is {n}?" for n in range(5)]
    for text in (
        f"# Interview prep\n\n{advice}",
        "# The interview response framework\n\n1. Ask\n2. Say\n3. Do\n",
    ):
        assert [each.kind for each in entries(text)] == ["note"]
    persian = "# سوالات مصاحبه\n\n## چگونه آماده شویم\n\n۱. بخوانید.\n۲. بنویسید.\n۳. بپرسید.\n\n"
    asked = "".join(f"## {n}. عدد {n} چیست؟\n\nیکی از عددهای بسیار است.\n\n" for n in range(1, 5))
    assert len(cards(persian + asked)) == 4


def test_lines_that_lead_through_files_hide_no_list_and_are_in_no_answer() -> None:
    top = "\n\n<sub>[⬆ Back to top](#top) | all of the many questions</sub>\n\n"
    text = f"# Interview questions\n\n## A\n{top}1. What is A?\n2. What is B?\n{top}## B\n{top}3. What is C?{top}"
    assert [q for q, _ in pairs(text)] == [f"What is {x}?" for x in "ABC"]


def test_where_a_question_was_asked_is_no_answer_and_a_link_ends_an_item() -> None:
    text = (
        "- **What is A?** (2 times — [X](https://x.org), [Y](https://y.org))\n\n"
        "- **What is B? Name it.** (once — [X](https://x.org))\n\n"
        "- **[two sum](https://x.org/two)** (once — [Y](https://y.org))\n\n- **What is C?** It is c.\n"
    )
    made = [each for each in entries(text) if each.kind != "note"]
    assert [each.question["en"] for each in made] == [
        "What is A?",
        "What is B? Name it.",
        "What is C?",
    ]
    assert [len(each.answers) for each in made] == [0, 0, 1]


@pytest.mark.parametrize(("label", "asked"), [("Puzzle", "What is shown?"), ("معما", "چه می‌شود؟")])
def test_an_element_without_a_summary_below_options_hides_the_answer(
    label: str, asked: str
) -> None:
    one = "## Puzzle {}: {}\n{}\n\nA) one\n\nB) two\n\n<details>\nB) two\n</details>\n\n"
    text = "# Quiz\n\n" + "".join(one.format(n, label, asked) for n in (1, 2, 3))
    assert pairs(text)[1] == (f"{label}\n\n{asked}\n\nA) one\n\nB) two", "B) two")


@pytest.mark.parametrize(("label", "task"), [("Exercise", "Print this:"), ("تمرین", "چاپ کنید:")])
def test_code_directly_below_the_words_of_a_question_stays_on_its_lines(
    label: str, task: str
) -> None:
    text = "".join(f"## {label} {n}\n{task}\n```\n*\n***\n```\n\n" for n in (1, 2, 3))
    assert pairs(text)[0] == (f"{task}\n\n```\n*\n***\n```", "")


@pytest.mark.parametrize("label", ["Question", "سوال"])
def test_boxes_without_a_space_before_them_are_options(label: str) -> None:
    one = "## {} {}: What?\n-[ ] one  \n-[x] two\n\n"
    text = "# Quiz\n\n" + "".join(one.format(label, n) for n in (1, 2, 3))
    assert pairs(text) == [("What?\n\n-[ ] one  \n-[ ] two", "two")] * 3


@pytest.mark.parametrize(
    ("asked", "told"), [("Question: Which?", "Solution"), ("پرسش: کدام؟", "پاسخ")]
)
def test_the_bounds_of_a_block_stand_in_no_card(asked: str, told: str) -> None:
    text = f"{asked}\n\n```\nf()\n```\n\n:::: solution\n\n## {told}\n\nB\n\n::::\n:::\n\n::: challenge\n"
    assert cards(text) == [(asked.split(": ")[1] + "\n\n```\nf()\n```", "B")]


@pytest.mark.parametrize(("title", "told"), [("Exercise 1", "Solution"), ("تمرین ۱", "پاسخ")])
def test_the_answer_of_a_numbered_exercise_ends_at_the_next_heading(title: str, told: str) -> None:
    text = (
        f"## {title}\n\nTry A.\n\n{told}:\n\n- B\n\n## Definition\n\nA is so.\n\n## More\n\nSo.\n"
    )
    assert cards(text) == [("Try A.", "- B")]


def test_exercises_in_german_are_questions_as_those_in_english_and_persian_are() -> None:
    for title in ("Exercise", "تمرین", "Übung", "Aufgabe"):
        text = "".join(f"## {title} 1.{n}\n\nPrint {n}.\n\n" for n in (1, 2, 3))
        assert pairs(text)[0] == ("Print 1.", "")
    for asked, told in (("Frage", "Antwort"), ("Aufgabe", "Lösung")):
        assert cards(f"**{asked}:** Was ist A?\n\n**{told}:** Ein A.\n") == [
            ("Was ist A?", "Ein A.")
        ]


def test_an_arrow_parts_what_is_asked_or_quoted_from_what_answers_it() -> None:
    text = (
        '## Interview questions\n\n- "What is A?" → Compare it with b.\n- "A is null, so nothing." → Wrong: see b.\n'
        '- "What is B?" → It is b.\n- «A صفر است.» → نه همیشه.\n'
    )
    assert pairs(text) == [
        ('"What is A?"', "Compare it with b."),
        ('"A is null, so nothing."', "Wrong: see b."),
        ('"What is B?"', "It is b."),
        ("«A صفر است.»", "نه همیشه."),
    ]


def test_key_points_within_an_answer_part_nothing() -> None:
    told = "It is a.\n\nMore of a.\n\n**Key points:**\n- a"
    asked = f"### 1. What is A?\n\n{told}\n\n### 2. What is B?\n\n{told}\n"
    assert pairs(asked) == [("What is A?", told), ("What is B?", told)]
    assert [
        each.kind for each in entries(f"# Types\n\n### Arrays\n\n{told}\n\n### Lists\n\n{told}\n")
    ] == ["note"]


def test_the_solution_of_a_limit_makes_no_heading_a_question() -> None:
    text = "# Limits\n\n### 1. No null\n\nNever.\n\n**Solution:** wrap it.\n\n### 2. No base\n\n**Solution:** none.\n"
    assert [each.kind for each in entries(text)] == ["note"]


def test_the_headings_of_a_file_that_is_one_question_part_its_answer() -> None:
    told = "It is a.\n\n### 1. More\n\n#### Key points\n\n- a\n\n### 2. Even more\n\nb"
    for labels in ("### Q: What is A?\n\n**Answer:**", "### Question\nWhat is A?\n\n### Answer"):
        assert pairs(f"{labels}\n\n{told}\n") == [("What is A?", told)]


def test_an_element_that_begins_in_an_answer_and_ends_elsewhere_is_not_in_it() -> None:
    text = "## Q1: چرا؟\n\n### ✅ جواب عمیق:\n\nزیرا:\n\n<div dir='ltr'>\n\n```\n<p>\n```\n\n<div dir='rtl'>\n\nپس.\n"
    ((_, told),) = pairs(text)
    assert "div" not in told and told.startswith("زیرا:") and told.endswith("پس.")


def test_scenarios_that_ask_nothing_part_a_note() -> None:
    text = "# Capacity\n\nWe plan for three.\n\n" + "".join(
        f"## Scenario {n}: Load {n}\n\n{n} nodes are needed.\n\n" for n in range(1, 4)
    )
    assert [each.kind for each in entries(text)] == ["note"]


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (
            "# Quiz\n\n## What is A?\n\nIt is a.\n\n## Key points:\n\n- a\n\n## What is B?\n\nIt is b.\n",
            [("What is A?", "It is a.\n\n## Key points:\n\n- a"), ("What is B?", "It is b.")],
        ),
        (
            "# آزمون\n\n## نرم چیست؟\n\nاندازه است.\n\n## مثال:\n\nطول بردار\n\n## مشتق چیست؟\n\nشیب است.\n",
            [("نرم چیست؟", "اندازه است.\n\n## مثال:\n\nطول بردار"), ("مشتق چیست؟", "شیب است.")],
        ),
    ],
)
def test_a_heading_that_ends_in_a_colon_goes_on_with_the_answer_above_it(
    text: str, found: list[tuple[str, str]]
) -> None:
    assert cards(text) == found


def test_headings_below_contents_or_a_check_list_are_no_questions() -> None:
    asked = "## Questions\n\n### 1. Arrays\n\nIt is a.\n\n### 2. What is B?\n\nIt is b.\n\n"
    for above, title in (
        ("## Table of Contents", "1. Arrays"),
        ("## Interview checklist", "Basic"),
    ):
        listed = f"{above}\n\n### [{title}](#a)\n\n1.1 [One](#b)\n\n"
        for text in (f"# Interview\n\n{listed}{asked}", f"# Interview\n\n{asked}{listed}"):
            made = [each for each in entries(text) if each.kind != "note"]
            assert [each.number for each in made] == ["1", "2"]
            assert [each.answers[0].text for each in made] == ["It is a.", "It is b."]


def test_the_number_of_a_section_is_of_no_question() -> None:
    text = "# Interview\n\n## 1. Letters\n\n### 1.1 A\n\nIt is a.\n\n### 1.2 B\n\nIt is b.\n\n### 1.3 What is C?\n\nIt is c.\n"
    assert [asked for asked, _ in cards(text)] == ["A", "B", "What is C?"]


@pytest.mark.parametrize(
    ("title", "link"), [("Interview questions", "See the answer"), ("سوالات مصاحبه", "دیدن پاسخ")]
)
def test_a_table_of_contents_whose_files_answer_asks_nothing(title: str, link: str) -> None:
    items = "".join(f"### {n}. What is {n}?\n\n[{link}](./q/{n}.md)\n\n" for n in range(1, 5))
    assert [each.kind for each in entries(f"# {title}\n\n{items}")] == ["note"]
    told = items.replace("./q/", "https://example.org/")
    assert len(cards(f"# {title}\n\n{told}")) == 4


def test_an_item_left_empty_and_layout_belong_to_no_question() -> None:
    text = "# Interview\n\n1. What is A?\n2. Difference between B and C\n3.  \n\n# پرسش‌ها\n\n۱. نرم چیست؟\n۲.\n"
    assert [asked for asked, _ in pairs(text)] == [
        "What is A?",
        "Difference between B and C",
        FA[0][0],
    ]
    text = "# Quiz\n\n## What is A?\n\nIt is a.\n\n&nbsp;\n\n---\n\n&nbsp;\n\n## What is B?\n\nIt is b.\n\n&nbsp;\n"
    assert pairs(text) == AB


@pytest.mark.parametrize(
    "title", ["Requirements", "Constraints", "محدودیت‌ها", "题目要求", "约束条件"]
)
def test_what_a_task_requires_is_no_question(title: str) -> None:
    required = f"## {title}\n\n1. Copy the array\n2. Keep its order\n3. Use no library\n\n### 1. Steps\n\nOne.\n\n"
    asked = "## Follow-up questions\n\n1. Why is A so?\n2. Why is B so?\n3. Why is C so?\n"
    made = [each for each in entries(f"# Interview\n\n{required}{asked}") if each.kind != "note"]
    assert [each.question["en"] for each in made] == [
        "Why is A so?",
        "Why is B so?",
        "Why is C so?",
    ]


def test_the_parts_of_an_answer_below_a_heading_that_asks_are_no_questions() -> None:
    told = (
        "It is a.\n\n### Steps\n\n1. Source → code\n2. Code → binary\n3. When it runs\n\n"
        "### When to use A\n\n- When it is cold\n- When it rains\n\n#### 1. **Rain**\n\nWet."
    )
    for title in ("# Question 29 - Letters", "# پرسش ۲۹ - حروف", "# Letters interview"):
        assert pairs(f"{title}\n\n## What is A?\n\n{told}\n") == [("What is A?", told)]
    listed = "# Interview\n\n## Why these?\n\nTo learn.\n\n### What is A?\n\nIt is a.\n\n### What is B?\n\nIt is b.\n"
    assert cards(listed)[-2:] == AB


NESTED = """# Questions

1. What is A?
2. Given two documents:

    ```
    D1: a duck
    ```
        1. What is B?
        2. What is C?
3. Word embeddings
    1. What is D?
    2. What is E?
4. Dead neurons.
5. What is F?
"""


def test_what_introduces_nested_questions_is_shown_with_each_and_is_no_question_itself() -> None:
    made = [each for each in entries(NESTED) if each.kind == "question"]
    asked = {each.question["en"]: (each.context or "", each.answers) for each in made}
    given = "Given two documents:\n\n```\nD1: a duck\n```"
    assert asked["What is B?"] == asked["What is C?"] == (given, ())
    assert asked["What is E?"] == ("Word embeddings", ())  # not answered by the item after it
    assert "Word embeddings" not in asked and asked["What is A?"] == ("", ())


def test_what_introduces_nested_questions_is_shown_with_each_in_persian() -> None:
    text = "# سوالات\n\n۱. نرم چیست؟\n۲. تعبیهٔ واژه‌ها\n    ۱. مشتق چیست؟\n    ۲. شیب چیست؟\n۳. گرادیان چیست؟\n"
    asked = {each.question["fa"]: each.context for each in entries(text) if each.kind != "note"}
    assert asked == dict.fromkeys(("نرم چیست؟", "گرادیان چیست؟")) | dict.fromkeys(
        ("مشتق چیست؟", "شیب چیست؟"), "تعبیهٔ واژه‌ها"
    )


def test_numbered_parts_of_a_guide_to_interviews_are_questions_only_if_one_asks() -> None:
    guide = "# Interview guide\n\n## 1. Résumé\n\nBe short.\n\n## 2. Referrals\n\nAsk.\n\n## 3. {}\n\nGo.\n"
    assert not cards(guide.format("The day"))
    assert len(cards(guide.format("What will they ask?"))) == 3


@pytest.mark.parametrize(
    ("title", "task"),
    [
        ("Exercise 3: Money", "Your goal is to mend it."),
        ("تمرین ۳: پول", "کار شما درست کردن آن است."),
        ("Exercise 4: The total", "Show the total below the invoice."),
    ],
)
def test_the_task_of_an_exercise_is_its_question_and_no_answer(title: str, task: str) -> None:
    ((asked, told),) = pairs(f"# {title}\n\nAn invoice has 3 bugs.\n\n## Run\n\n{task}\n")[-1:]
    assert task in asked
    assert not told


@pytest.mark.parametrize(("above", "exercise"), [("Exercises", "Exercise"), ("تمرین‌ها", "تمرین")])
def test_code_alone_below_the_title_of_an_exercise_is_its_answer(above: str, exercise: str) -> None:
    code = "```bash\nls -l\n```"
    text = f"# {above}\n\n" + "".join(f"### {exercise} {n}: Files\n{code}\n\n" for n in (1, 2))
    assert pairs(text) == [("Files", code)] * 2
    assert pairs(text.replace("```bash", "What does it show?\n\n```bash"))[0][1] == ""


def test_a_numbered_bold_line_ends_the_bullets_of_the_one_before() -> None:
    text = "# Interview questions\n\n" + "".join(
        f"**{n}.** Topic {n}\n\n* i. What is A{n}?\n\nIt is a{n}.\n\n* ii. What is B{n}?\n\nIt is b{n}.\n\n"
        for n in range(1, 4)
    )
    assert ("ii. What is B1?", "It is b1.") in pairs(text)
    asked = {each.question["en"]: each.context for each in entries(text)}
    assert asked["i. What is A1?"] == asked["ii. What is B1?"] == "Topic 1"


CHAPTER = """# Chapter 8: Exercises

**1.** What is A?

It is a.

**2.** Why is B?

**Part:**

It is b.

* Is it?

**3.** Clusters.

* i. What is C?

It is c.

* ii. Why is C?

So.

* iii. Draw D.

It is d.

**4.** What is E?

**5.** What is F?
"""


def test_below_numbered_bold_lines_bullets_are_their_parts_and_bold_words_structure_answers() -> (
    None
):
    made = {each.question["en"]: each for each in entries(CHAPTER) if each.kind != "note"}
    parts = ["i. What is C?", "ii. Why is C?", "iii. Draw D."]
    assert list(made) == ["What is A?", "Why is B?", *parts, "What is E?", "What is F?"]
    assert made["Why is B?"].answers[0].text == "**Part:**\n\nIt is b.\n\n* Is it?"
    assert {made[each].context for each in parts} == {"Clusters."}
    assert made["iii. Draw D."].answers[0].text == "It is d."
    assert made["What is E?"].context is None


def test_a_title_and_the_task_below_it_are_one_question_of_two_lines() -> None:
    text = "# Questions\n\n" + "".join(
        f"{n}. **{each}**  \n   Find the number of {n}.\n\n"
        for n, each in enumerate(("Fibonacci Triangle", "Prime Sums", "Palindromes"), 1)
    )
    assert pairs(text)[1] == ("Prime Sums\nFind the number of 2.", "")
    assert pairs(text)[0] == ("Fibonacci Triangle\nFind the number of 1.", "")


def test_a_section_about_an_interview_that_asks_is_a_list() -> None:
    text = "# Acme\n\n## Dates\n\n" + "It was long ago. " * 30 + "\n\n## {}\n\n"
    text += "- Tell me about A.\n\n- What is B?\n\n- Why is C so?\n"
    made = [each for each in entries(text.format("Technical interview")) if each.kind != "note"]
    assert [each.question["en"] for each in made] == [
        "Tell me about A.", "What is B?", "Why is C so?",
    ]  # fmt: skip
    assert [e.kind for e in entries(text.format("What interviewers look at"))] == ["note"]


@pytest.mark.parametrize("title", ["توضیح شعبه در سامانه", "مقایسهٔ نرم‌ها"])
def test_a_persian_title_that_names_an_explanation_asks_nothing(title: str) -> None:
    text = f"# {title}\n\n## شعبه چیست؟\n\n{'بخشی از شرکت است. ' * 9}\n\n## جزئیات\n\n{'شماره دارد. ' * 9}\n"
    assert [each.kind for each in entries(text)] == ["note"]


def test_text_below_a_rule_at_the_end_is_of_no_question() -> None:
    text = "# FAQ\n\n## What is A?\n\nIt is a.\n\n{}## What is B?\n\nIt is b.\n\n"
    text += "## What is C?\n\nIt is c.\n\n---\n\nMore.\n"
    assert pairs(text.format("---\n\n"))[-1] == ("What is C?", "It is c.")
    alone = "# FAQ\n\n## What is A?\n\nIt is a.\n\n---\n\nMore.\n"
    assert pairs(alone) == [("What is A?", "It is a.\n\n---\n\nMore.")]
    assert pairs(text.format("---\n\nIt is more.\n\n"))[-1] == (
        "What is C?",
        "It is c.\n\n---\n\nMore.",
    )


def test_an_element_in_a_note_is_a_card_only_if_its_summary_asks() -> None:
    text = f"# Lecture\n\n{'It is a text of its own. ' * 9}\n\n"
    text += "<details><summary>{}</summary>\n\nIt is a.\n\n</details>\n"
    assert [each.kind for each in entries(text.format("Parent()"))] == ["note"]
    assert cards(text.format("What is A?")) == [("What is A?", "It is a.")]
    listed = text.replace("# Lecture", "# Interview questions").format("Norm")
    assert cards(listed) == [("Norm", "It is a.")]


def test_one_heading_that_asks_makes_no_list_of_the_others() -> None:
    text = "# 100 questions\n\n## Where do I start?\n\nHere.\n\n## Buy it\n\nThere.\n\n## Help us\n\nSo.\n"
    assert [each.kind for each in entries(text)] == ["note"]
    assert len(pairs(text.replace("Help us", "What is A?"))) == 3


def test_a_link_to_the_source_stands_in_no_question() -> None:
    text = "# Questions\n\n- What is A? ([Source](a/b.md))\n- What is B? ([Source](b.md))\n- What is C?\n"
    assert [asked for asked, _ in pairs(text)][1:] == ["What is A?", "What is B?", "What is C?"]


def test_the_title_of_one_question_makes_no_list_of_the_parts_of_its_answer() -> None:
    text = "# Set A, Question 3 - Why is A so?\n\nIt is.\n\n# What is B?\n\nIt is b.\n\n"
    text += "".join(f"# Part {name}\n\nIt is {name}.\n\n" for name in "CDEF")
    assert [each.kind for each in entries(text)] == ["note"]
    assert len(pairs(text.replace("Question 3 -", "Questions:"))) == 3
    text = "# Question 3 - In what cases would you use A?\n\n" + "".join(
        f"## {n}. Where it is small\n\nIt is.\n\n" for n in range(1, 6)
    )
    assert len(pairs(text)) < 3
    text = "# Question 7 - Classes\n\n## What is A?\n\nIt is a.\n"
    assert pairs(text) == [("What is A?", "It is a.")]


def test_questions_that_the_reader_should_ask_are_no_cards() -> None:
    text = "# Servers\n\n{}## {}\n\n1. What is A?\n2. What is B?\n3. What is C?\n"
    prose = "It is a text of its own. " * 30 + "\n\n"
    assert [e.kind for e in entries(text.format(prose, "Questions to ask"))] == ["note"]
    assert len(entries(text.format(prose, "Practice questions"))) == 4


@pytest.mark.parametrize(
    ("scenario", "answer"), [("**Scenario:**", "**Solutions:**"), ("**سناریو**:", "**راه‌حل**:")]
)
def test_a_scenario_below_a_heading_that_asks_is_of_its_answer(scenario: str, answer: str) -> None:
    text = "# FAQ\n\n" + "".join(
        f"## {n}. What is A?\n\n{scenario} A breaks.\n\n{answer} Mend it.\n\n" for n in (1, 2)
    )
    assert pairs(text) == [("What is A?", f"{scenario} A breaks.\n\n{answer} Mend it.")] * 2


def test_a_table_of_problems_and_solutions_has_no_cards() -> None:
    text = "# Threads\n\nIt is a text.\n\n| {} | Answer |\n|--|--|\n| Work | `Task` |\n| Wait | `await` |\n"
    assert [e.kind for e in entries(text.format("Scenario"))] == ["note"]
    assert cards(text.format("Question"))[1:] == [("Wait", "`await`")]


def test_a_number_written_twice_stands_in_no_question() -> None:
    text = "# Questions\n\n## 1. 1. What is A?\n\nIt is a.\n\n## 2. 2. What is B?\n\nIt is b.\n"
    assert pairs(text) == AB
    assert [each.number for each in entries(text)] == ["1", "2"]


def test_a_line_of_links_goes_on_with_no_question() -> None:
    text = "Q. Find A by chance.  \nhttps://x.org/a\n\nQ. Find B by chance.  \nAs in a game.\n"
    assert pairs(text)[0] == ("Find A by chance.", "https://x.org/a")
    assert pairs(text)[1][0] == "Find B by chance.\nAs in a game."


def test_a_bullet_that_does_not_ask_ends_the_one_above_it() -> None:
    text = "# Questions\n\n## A\n\n- What is A?\n- Bias of B\n- Trust in C\n- Who is D?\n"
    text += "  - It is d.\n- Peace with E\n- Love of F\n\n## G\n\n" + "- What is G?\n" * 5
    found = dict(pairs(text))
    assert found["What is A?"] == "" and found["Who is D?"] == "- It is d."


def test_steps_below_a_title_with_a_question_in_the_singular_are_no_questions() -> None:
    text = "# Question {}\n\n" + "".join(f"{n}. Add the file {n}\n" for n in range(1, 7))
    assert [each.kind for each in entries(text.format("workflow"))] == ["note"]
    assert len(pairs(text.format("workflow") + "7. What is A?\n" * 6)) == 12
    assert len(pairs(text.replace("Question {}", "Questions"))) == 6


def test_numbers_that_do_not_ask_are_parts_of_an_answer_below_a_heading_that_does() -> None:
    text = "# General questions\n\n## Explain A\n\nSee:\n\n" + "".join(
        f"{n}. Part {n}\n   It is a part.\n" for n in range(1, 7)
    )
    (found,) = pairs(text)
    assert found[0] == "Explain A" and found[1].endswith("6. Part 6\n   It is a part.")


def test_a_sign_alone_is_no_question() -> None:
    text = "# Questions\n\n## 🌱 What is A?\n\nIt is a.\n\n## 🌱\n\nSo.\n\n## 🌱 What is B?\n\nIt is b.\n"
    made = [each for each in entries(text) if each.kind != "note"]
    assert [each.question["en"] for each in made] == ["🌱 What is A?", "🌱 What is B?"]


def test_a_footnote_stands_in_no_question() -> None:
    text = "# Questions\n\n- What is A? [^a]\n- What is B? [^b] [^c]\n- What is `[^x]`?\n"
    assert [asked for asked, _ in pairs(text)][-3:] == [
        "What is A?",
        "What is B?",
        "What is `[^x]`?",
    ]


@pytest.mark.parametrize(
    "asked",
    ["Write a query to print `A`.", "برنامه‌ای بنویسید که مقدار آ را چاپ کند.", "چطور `A` را چاپ کنیم؟",
     "Escribe un programa que imprima `A`.", "¿Cómo se imprime `A`?", "如何输出 `A`？",
     "Ajoutez ce qui affiche `A`.", "Напишите, как вывести `A`."],
)  # fmt: skip
def test_code_below_a_task_to_write_it_is_the_answer(asked: str) -> None:
    text = "# Questions\n\n" + "".join(f"{n}. {asked}\n\n```\nA\n```\n\n" for n in (1, 2, 3))
    assert pairs(text) == [(asked, "```\nA\n```")] * 3


@pytest.mark.parametrize(
    "asked",
    ["What is wrong in the following statement?", "What is wrong in the following SQL query?",
     "در کد زیر چه اشتباهی هست؟", "¿Qué está mal en las siguientes instrucciones?",
     "O que há de errado no seguinte código?", "Was ist an folgendem Code falsch?",
     "Qu'est-ce qui est faux dans le code suivant ?", "Что не так в следующем коде?",
     "下面的代码有什么问题？", "次のコードの問題は何ですか？", "Aşağıdaki kodda ne yanlış?"],
)  # fmt: skip
def test_code_that_a_question_calls_the_following_belongs_to_it(asked: str) -> None:
    text = "# Questions\n\n" + "".join(
        f"{n}. {asked}\n\n```\nA\n```\n\nIt is a.\n\n" for n in (1, 2, 3)
    )
    assert pairs(text) == [(f"{asked}\n\n```\nA\n```", "It is a.")] * 3


def sections(title: str, heads: Sequence[str]) -> str:
    return f"# {title}\n\n" + "".join(f"## {head}\n\nIt is so.\n\n" for head in heads)


@pytest.mark.parametrize(
    ("project", "name"),
    [
        ("CS-Quiz 리팩토링 보고서", "CS-Quiz"),
        ("Flashcards monorepo", "Flashcards (norms)"),
        ("Exam server", "Exam, spring 2024"),
        ("Examples 1.3", "Exam 1.3"),
    ],
)
def test_a_project_named_after_a_quiz_or_cards_has_no_questions(project: str, name: str) -> None:
    parts = [f"{n}. {each}" for n, each in enumerate(("Checks", "Types", "Pages"), 1)]
    assert not cards(sections(project, parts))
    assert len(cards(sections(name, parts))) == 3


@pytest.mark.parametrize(
    ("checks", "questions"),
    [
        ("- Is it tested?\n- Are names plain?\n- What else breaks?\n", "- What is A?\n- Why B?\n"),
        (
            "- آیا آزموده است؟\n- آیا نام‌ها روشن‌اند؟\n",
            "- نرم چیست؟\n- آیا یکتاست؟\n- چرا؟\n- کجا؟\n",
        ),
        (
            "- 잘 되어 있는가?\n- 로그는 남기고 있는가?\n- 제대로 사용했는가?\n",
            "- 설명해 주세요.\n- 쓰고 있는가?\n- 말해 주세요.\n",
        ),
    ],
)
def test_a_list_of_checks_has_no_questions(checks: str, questions: str) -> None:
    assert [each.kind for each in entries(f"# Review\n\n{checks}")] == ["note"]
    assert len(cards(f"# Review\n\n{questions}")) == questions.count("\n")
    assert len(cards(f"# Questions\n\n{checks}")) == checks.count("\n")
    told = checks.replace("\n", "\n  - It is so.\n")
    assert len(cards(f"# Review\n\n{told}")) == checks.count("\n")


def test_a_sign_rates_anything_and_asks_only_in_a_list_of_questions() -> None:
    parts = ["Long classes ⭐⭐⭐", "Magic numbers ⭐⭐", "Settings 🚀"]
    assert not cards(sections("Report", parts))
    assert len(cards(sections("Questions", parts))) == 3
    assert len(cards(sections("Report", ["Norms [E]", "Balls [M]", "Sets (Hard)"]))) == 3


def test_a_title_that_begins_with_how_to_asks_only_in_a_list_of_questions() -> None:
    guide = [f"{n}. How to {each}" for n, each in enumerate(("ask", "see", "go", "be", "do"), 1)]
    assert not cards(sections("Guide", guide))
    assert len(cards(sections("Guide", [f"{each}?" for each in guide]))) == 5
    assert len(cards(sections("Interview questions", guide))) == 5


def test_numbers_of_a_guide_to_interviews_are_questions_only_if_a_third_asks() -> None:
    guide = "# Interview map\n\n1. Redux\n2. Zustand\n3. Jotai\n4. {}\n5. What is MobX?\n"
    assert not cards(guide.format("Recoil"))
    assert len(cards(guide.format("What is Recoil?"))) == 5


def test_questions_for_the_interviewer_are_no_cards() -> None:
    text = (
        f"# Study\n\n{'It is a text. ' * 60}\n\n## Questions for {{}}\n\n- Who?\n- Why?\n- What?\n"
    )
    assert not cards(text.format("the interviewer"))
    assert len(cards(text.format("the interview"))) == 3


def test_folded_text_in_a_guide_to_interviews_is_a_card_only_if_it_asks() -> None:
    text = f"# {{}}\n\n{'It is a text. ' * 30}\n\n<details><summary>a.yaml</summary>\n\na: 1\n\n</details>\n"
    assert not cards(text.format("Technical interview"))
    assert len(cards(text.format("Interview questions"))) == 1


def test_two_colons_part_a_card_only_where_it_asks_or_most_lines_are_cards() -> None:
    names = "- `stop` :: It ends.\n- `start` :: It begins.\n"
    prose = "".join(f"It is a line of text, number {n}.\n\n" for n in range(9))
    found = [("`stop`", "It ends."), ("`start`", "It begins.")]
    assert cards(names) == cards(names.replace("::", ";;")) == found
    assert cards("- `ایست` ;; پایان\n- `رو` ;; آغاز\n") == [("`ایست`", "پایان"), ("`رو`", "آغاز")]
    for loop in (
        "A loop for(;;) never ends.",
        "حلقهٔ for (;;) پایان ندارد.",
        "Use for(;;i++) or so.",
    ):
        assert not cards(f"#flashcards\n\n{loop}\n")
    assert not cards(f"# Services\n\n{prose}{names}")
    assert cards(f"# Services\n\n{prose}- What is A? :: It is a.\n") == [AB[0]]


def test_plain_lines_are_a_list_if_many_ask_or_the_file_says_so_and_no_story_or_chat() -> None:
    text = "What is A?\nIt is a.\n\nWhat is B?\nIt is b.\n\n"
    assert [each.kind for each in entries(text)] == ["note"]
    assert [each.kind for each in take(text, "FAQ.md").book.entries] == ["card"] * 2
    many = "".join(f"What is {n}?\nIt is {n}.\n\n" for n in range(16))
    assert len(cards(many)) == 16
    for chat in ("[2/5/2020, 7:31:25 AM] Ann: How are you?", "۱۳۹۹-۰۲-۰۵ ۱۹:۳۱ - آنا: خوبی؟"):
        assert [each.kind for each in entries(f"{chat}\nFine.\n" * 40)] == ["note"]
    for asked, told in (("--Who is it?", "He looked.\n"), ("کیست؟", "نگاه کرد.\n")):
        story = f"{asked}\n\n{told * 12}\n" * 20
        assert [each.kind for each in take(story, "novel.txt").book.entries] == ["note"]


@pytest.mark.parametrize("asked", [["Why A?", "What is B?", "So?"], ["چرا؟", "نرم چیست؟", "کو؟"]])
def test_each_of_several_lines_that_ask_is_a_question_and_two_are_one(asked: list[str]) -> None:
    for some, whole in ((asked, asked), (asked[:2], ["\n".join(asked[:2])])):
        made = take("\n".join(some), "questions.md").book.entries
        assert [next(iter(each.question.values())) for each in made] == whole


def test_two_lines_below_a_heading_that_ask_are_parts_of_a_task() -> None:
    text = "# Closures\n\nWhich value is shown?\n\n```\nf()\n```\n\nWhat if `f` is changed?\n"
    texts = (text, f"{text}\nAnd why is it so?\n", text.replace("# Closures\n\n", ""))
    made = [take(each, "quiz.md").book.entries for each in texts]
    assert [sum(e.kind == "card" for e in each) for each in made] == [0, 3, 2]


def test_steps_in_persian_are_no_questions() -> None:
    assert not cards(sections("مراحل", ["برنامه را بساز", "دکمه را عوض کن", "تست کن"]))
    assert len(cards(sections("تمرین", ["نرم را تعریف کن", "خودت را معرفی کن", "مثال بزن"]))) == 3


def test_the_correct_answers_in_spanish_are_an_answer() -> None:
    text = "".join(
        f"### {n}. ¿Qué es {n}?\n**Respuestas correctas: A, B**\n\n- A) Sí ✓\n" for n in (1, 2, 3)
    )
    assert pairs(text)[0] == ("¿Qué es 1?", "**A, B**\n\n- A) Sí ✓")


def test_the_title_of_a_labelled_question_may_end_in_a_colon() -> None:
    text = "".join(
        f"## Q{n}. {each}\n\nIt is.\n\n" for n, each in enumerate(("The sum of it is:", "Why?"), 1)
    )
    assert [asked for asked, _ in pairs(text)] == ["The sum of it is:", "Why?"]


@pytest.mark.parametrize(
    ("lead", "needed"),
    [
        ("Use `X = [0]` and $y$:", True),
        ("از `X = [0]` استفاده کنید:", True),
        ("Пусть X равно нулю.", True),
        ("已知 X 为零。", True),
        ("These are tasks:", False),
        ("It is `X`.", False),
    ],
)
def test_tasks_have_the_sentence_above_them_that_gives_their_data(lead: str, needed: bool) -> None:
    made = entries(f"# Exercises\n\n{lead}\n\n1. Write A.\n2. Write B.\n3. Write C.\n")
    assert [each.context for each in made if each.kind != "note"] == [lead if needed else None] * 3


@pytest.mark.parametrize(("title", "head"), [("Assignments", "Answer:"), ("تمرین‌ها", "پاسخ:")])
def test_an_answer_below_a_heading_within_an_item_is_whole(title: str, head: str) -> None:
    told = "It is so:\n\n1. First.\n2. Then.\n\nIt ends."
    below = f"###### {head}\n\n{told}"
    asked = ["Say why.", "Show how.", "Design it."]
    items = (f"{n}. {each}\n\n{indent(below, '   ')}\n\n" for n, each in enumerate(asked, 1))
    assert pairs(f"# {title}\n\n##### {title}\n\n{''.join(items)}") == [(e, told) for e in asked]


def test_a_formula_in_brackets_keeps_its_signs_and_a_bracket_its_words() -> None:
    asked = r"Give the norm \(\mathrm{l}_{2}\) of \(x^{*}\), and \(y^{*}\)"
    assert cards(f"## Front\n\n{asked}.\n\n## Back\n\nA number.\n") == [(f"{asked}.", "A number.")]
    assert cards("Q: Is f\\(x\\) **long**?\nA: Yes.\n") == [("Is f\\(x\\) long?", "Yes.")]


@pytest.mark.parametrize("task", ["Aufgabe", "Exercise", "تمرین", "Question"])
def test_parts_that_headings_name_with_letters_are_questions_of_their_own(task: str) -> None:
    heads = [f"## {task} 1a) - Count", f"## {task} 1b: Sort", f"## {task} 2b"]
    text = "".join(f"{head}\n\nFind {n} values.\n\n" for n, head in enumerate(heads))
    found = pairs(f"# Exam\n\n{text}")
    assert [asked.split("\n")[0] for asked, _ in found] == ["Count", "Sort", "Find 2 values."]
    numbers = [each.number for each in entries(f"# Exam\n\n{text}")]
    assert numbers == ["1a", "1b", "2b"]


@pytest.mark.parametrize(
    ("asked", "task", "label"),
    [
        ("What is a closure?", "Explain the difference.", "Answer"),
        ("تابع بسته چیست؟", "تفاوت را توضیح دهید.", "پاسخ"),
        ("Что такое DOM?", "Объясните разницу.", "Ответ"),
    ],
)
def test_a_line_above_a_labelled_answer_is_a_question_as_its_neighbours_are(
    asked: str, task: str, label: str
) -> None:
    each = [asked, task, asked.replace(" ", "  ", 1)]
    text = "".join(f"{one}\n\n{label}: so {n}\n\n" for n, one in enumerate(each))
    assert [told for _, told in cards(text)] == ["so 0", "so 1", "so 2"]
    assert not cards(f"{'It is a text.  ' * 40}\n\n{task}\n\n{label}: so\n\nIt goes on.\n")


def test_numbered_sentences_are_no_questions_though_the_title_says_exam() -> None:
    said = ["Learning lasts.", "A reward makes it last.", "It ends without one.", "Why?"]
    text = "# Exam 2\n\n" + "".join(f"{n}. {each}\n" for n, each in enumerate(said, 1))
    assert not cards(text)
    assert len(cards(text.replace("lasts.", "lasts").replace("last.", "last"))) == 4
    assert (
        len(cards(text.replace("Learning", "Explain why learning").replace("A r", "Show a r"))) == 4
    )
    assert len(cards(text.replace(".\n", ".\n\n   It is so.\n\n"))) == 4


def test_an_initial_below_two_options_begins_the_answer() -> None:
    text = "# Quiz\n\n1. Who wrote it?\n   a) Austen\n   b) Rowling\n\n   J. K. Rowling did.\n\n2. Why?\n"
    assert pairs(text)[0] == ("Who wrote it?\na) Austen\nb) Rowling", "J. K. Rowling did.")


def test_a_sentence_that_the_end_of_a_line_cuts_goes_on_above_code() -> None:
    task = "Écrivez un programme qui s'arrête lorsque"
    more = "2. Ajoutez.\n3. Comptez.\n"
    text = f"# Exercices\n\n1. {task}\n   la somme est nulle.\n   ```\n   x\n   ```\n\n{more}"
    assert cards(text)[0] == (f"{task} la somme est nulle.", "```\nx\n```")


def test_steps_in_a_text_about_questions_are_no_questions_unless_most_of_it_is_steps() -> None:
    steps = "".join(f"{n}. Open page {n} of the site\n" for n in range(1, 6))
    more = "Then copy the values of all five pages into the file of settings, and start it again.\n"
    assert len(pairs(f"# Tasks of the exam\n\n{steps}")) == 5
    assert [each.kind for each in entries(f"# FAQ server\n\n{steps}\n{more}")] == ["note"]
    assert len(pairs(f"# FAQ server\n\n{steps}6. Why is it slow?\n\n{more}")) > 5


@pytest.mark.parametrize(
    "title", ["You have a group. The rules apply:", "قاعده‌های گروه این‌گونه‌اند:"]
)
def test_a_heading_with_boxes_is_a_question_of_a_quiz_however_it_ends(title: str) -> None:
    first = "### What is A?\n\n- [x] a\n- [ ] b\n\n### آیا ب درست است؟\n\n- [ ] a\n- [x] b\n\n"
    found = pairs(f"# Practice questions\n\n{first}### {title}\n\n- [x] At once\n- [ ] Later\n")
    assert [asked.split("\n")[0] for asked, _ in found][1:] == ["آیا ب درست است؟", title]
    assert [told for _, told in found] == ["a", "b", "At once"]


def test_headings_above_tasks_are_no_questions_beside_one_that_asks() -> None:
    plan = "## What is left?\n\n- [ ] a\n\n## Today:\n\n- [ ] b\n\n## Later:\n\n- [x] c\n"
    assert not cards(plan)


@pytest.mark.parametrize(
    "contents",
    [
        "### فهرست\n\n| ردیف | سوال |\n|--|--|\n| 1 | [نرم چیست؟]() |\n| 2 | [مشتق چیست؟]() |\n\n",
        "### Contents\n\n| No | Question |\n|--|--|\n| 1 | [What is A?]() |\n| 2 | [What is B?]() |\n\n",
        "1. [What is A?]()\n2. [What is B?]()\n\n",
    ],
)
def test_links_to_nothing_are_contents(contents: str) -> None:
    asked = "### 1. نرم چیست؟\n\nاندازه است.\n\n### 2. مشتق چیست؟\n\nشیب است.\n"
    assert cards(f"# سوالات\n\n{contents}{asked}") == FA


@pytest.mark.parametrize(
    "asked",
    ["Was ist das Ding {}?", "Quelles sont les choses {} ?", "什么是事件{}？", "Cos'è la cosa {}?"],
)
def test_a_list_of_questions_is_one_in_any_language(asked: str) -> None:
    lines = [asked.format(n) for n in range(1, 20)]
    found = pairs("".join(f"{n}. {line}\n" for n, line in enumerate(lines, 1)))
    assert found == [(line, "") for line in lines]


@pytest.mark.parametrize(
    "asked",
    [
        "Was test {} added?",
        "Test {} added?",
        "آیا آزمون {} نوشته شد؟",
        "Ist Test {} fertig?",
        "测试{}写好了吗？",
    ],
)
def test_a_check_list_is_none(asked: str) -> None:
    lines = "".join(f"{n}. {asked.format(n)}\n" for n in range(1, 20))
    assert {each.kind for each in entries(f"# Review\n\n{lines}")} == {"note"}


@pytest.mark.parametrize("remark", ["(from `x.org`)", "（来自 `x.org`）", "(مصاحبه شرکت)"])
def test_brackets_behind_a_bold_question_are_a_part_of_it(remark: str) -> None:
    text = "".join(f"{n}. **What is {n}?** {remark}\n    - It is {n}.\n" for n in range(1, 7))
    assert pairs(text) == [(f"What is {n}? {remark}", f"- It is {n}.") for n in range(1, 7)]
    rated = pairs(text.replace(remark, "(Easy)"))
    assert rated[0] == ("What is 1?", "- It is 1.")


@pytest.mark.parametrize("sign", ["==", "==="])
def test_equal_signs_apart_from_words_are_no_marks(sign: str) -> None:
    asked = [f"What is x {sign} y?", f"الف {sign} ب چیست؟", f"What is {sign} and =?"]
    marked = "What is ==mark==ed and ==c==?"
    text = "".join(f"## {each}\n\nIt is a.\n\n" for each in [*asked, marked])
    assert [each for each, _ in cards(text)] == [*asked, "What is marked and c?"]


@pytest.mark.parametrize(
    "asked", ["What is the difference between a\n    and {}?", "تفاوت نرم‌ها در این کتاب\n    و {}؟"]
)
@pytest.mark.parametrize("source", ["", "[](https://example.org/a/path/of/an/article-cited-here)"])
def test_a_question_goes_on_in_an_indented_line_that_asks(asked: str, source: str) -> None:
    text = "# Questions\n\n" + "".join(f"{n}. {asked.format(n)}{source}\n" for n in range(1, 8))
    assert pairs(text) == [(" ".join(asked.format(n).split()), "") for n in range(1, 8)]
    told = "".join(f"{n}. What is {n}\n    It is a.\n    So.\n" for n in range(1, 8))
    assert pairs(f"# Questions\n\n{told}")[0] == ("What is 1", "It is a.\nSo.")


@pytest.mark.parametrize("name", ["相关知识点", "涉及知识点", "考点"])
def test_what_a_question_is_about_answers_it(name: str) -> None:
    text = "".join(
        f"### {n}. 什么是事件{n}？\n\n{name}：\n\n- 点{n}\n\n回答：\n\n它是{n}。\n\n"
        for n in range(1, 4)
    )
    found = pairs(f"# 面试题\n\n{text}")
    assert [asked for asked, _ in found] == [f"什么是事件{n}？" for n in range(1, 4)]
    assert found[0][1].startswith("- 点1")
    assert found[0][1].endswith("它是1。")


@pytest.mark.parametrize(
    ("section", "label", "tasks"),
    [("Exercises", "Exercise 1.{}", ["The ball", "Traces"]), ("تمرین‌ها", "تمرین ۱.{}", ["توپ", "رد"])],
)  # fmt: skip
def test_two_numbered_exercises_are_those_of_a_long_chapter(
    section: str, label: str, tasks: list[str]
) -> None:
    told = "A loop goes on while its condition is true, and then it ends.\n\n" * 9
    asked = [f"{task}\n\nIt falls, and falls again.\n\n```\na = 1\n```" for task in tasks]
    listed = [f"### {label.format(n)}: {each}\n" for n, each in enumerate(asked, 1)]
    text = f"# Loops\n\n{told}## {section}\n\n" + "\n".join(listed)
    assert cards(text) == [(each, "") for each in asked]
    more = "\n[Contents](../all.md) \\| [Previous (1.1)](a.md) \\| [Next (1.3)](c.md)\n"
    assert cards(text + more) == cards(text)
    assert not cards(text.replace(section, "Stories").replace(label.format("2"), "Then"))


def test_tasks_below_the_heading_exercises_are_questions() -> None:
    told = "A loop goes on while its condition is true, and then it ends.\n\n" * 9
    text = (
        f"# Loops\n\n{told}## Exercises: Level 1\n\n1. Write a loop\n2. Write two\n3. Write many\n"
    )
    assert cards(text) == [("Write a loop", ""), ("Write two", ""), ("Write many", "")]


@pytest.mark.parametrize("blank", ["##### add your solution here", "# YOUR CODE GOES HERE"])
def test_code_to_be_filled_in_belongs_to_the_task(blank: str) -> None:
    code = f"```bash\n{blank}\nbanana\n```"
    text = f"# Exercises\n\n1. Display two lines.\n\n{code}\n\n2. Name a use.\n\n3. چند خط دارد؟\n\n{code}\n"
    found = [(f"Display two lines.\n\n{code}", ""), ("Name a use.", "")]
    assert pairs(text) == [*found, (f"چند خط دارد؟\n\n{code}", "")]


@pytest.mark.parametrize(
    "speech",
    ["> **Ann**: “Where does it come from?”\n>\n> **Bob**: “From there.”\n\nSo it is told.\n\n",
     "> **آنا**: «از کجا می‌آید؟»\n>\n> **بابک**: «از آن‌جا.»\n\nچنین گفته‌اند.\n\n"],
)  # fmt: skip
def test_speech_asks_nothing(speech: str) -> None:
    assert not cards("# Memory\n\n" + "".join(f"## Part {n}\n\n{speech}" for n in range(20)))


def test_the_article_that_answers_one_question_is_none_of_questions() -> None:
    parts = "".join(f"## {n}. Part {n}\n\nWords of it.\n\n" for n in range(1, 9))
    text = f"{parts}## 9. What is left?\n\nNothing.\n"
    assert not cards(f"# A Chat - A Design Interview Question\n\n{text}")
    assert len(cards(f"# Interview question bank\n\n{text}")) == 9


@pytest.mark.parametrize(
    ("title", "asked"), [("Questions", "What are {}?"), ("سوالات", "{} چیست؟")]
)
def test_tags_in_code_are_no_list(title: str, asked: str) -> None:
    first = asked.format("`<ol>`, `<ul>`, `<li>`")
    text = f"# {title}\n\n## {first}\n\nTags.\n\n## {asked.format('A')}\n\nAs ``<li>``.\n"
    assert pairs(text) == [(first, "Tags."), (asked.format("A"), "As ``<li>``.")]


@pytest.mark.parametrize(
    ("exercise", "solve", "solution"),
    [("Exercise", "Solve:", "Solution"), ("تمرین", "حل کنید:", "پاسخ")],
)
def test_the_lines_of_a_formula_are_no_headings_and_no_items(
    exercise: str, solve: str, solution: str
) -> None:
    formula = "$$\na\n=\n- b\n-\n1. c\n$$"
    text = "".join(
        f"## {exercise} {n}\n{solve}\n{formula}\n**{solution}:** a is {n}.\n\n" for n in (1, 2)
    )
    assert pairs(text) == [(f"{solve}\n{formula}", f"a is {n}.") for n in (1, 2)]


@pytest.mark.parametrize(
    "label",
    ["الحل:", "**الحل:**", "حل:", "**الاجابة:**", "ANS >", "ans ->", "ans ::", "****Answer:****"],
)
def test_an_answer_is_labelled_in_many_ways(label: str) -> None:
    text = "".join(
        f"### {n}. Explain {n}.\n\nIt may be two.\n\n{label}\n\nIt is.\n\n" for n in (1, 2)
    )
    assert pairs(text) == [(f"Explain {n}.\n\nIt may be two.", "It is.") for n in (1, 2)]


@pytest.mark.parametrize("line", ["A -> B", "Result -> B", "حلقه: B", "**C:** M has [C:1]"])
def test_what_only_resembles_a_label_is_text(line: str) -> None:
    assert cards(f"# Trees\n\nQ: What is A?\nA: It is.\n{line}\n") == [
        ("What is A?", f"It is.\n{line}")
    ]


TOLD = "A loop goes on while its condition is true, and then it ends.\n\n" * 9


@pytest.mark.parametrize(
    ("title", "problem", "solution"),
    [("Interview questions", "Problem", "Solution"), ("پرسش‌های مصاحبه", "مسئله", "راه‌حل")],
)
def test_labelled_answers_count_whatever_else_the_file_says(
    title: str, problem: str, solution: str
) -> None:
    asked = [f"**{problem}**: Sort {n} numbers." for n in (1, 2, 3)]
    listed = "".join(
        f"### {n}. Sort {n}\n\n{each}\n\n**{solution}**:\n\nIt is.\n\n"
        for n, each in enumerate(asked, 1)
    )
    rest = "".join(f"### Rule {n} of it\n\n{TOLD}" for n in "abcd")
    found = [(f"Sort {n}\n\n{each}", "It is.") for n, each in enumerate(asked, 1)]
    assert cards(f"# {title}\n\n## Arrays\n\n{listed}## Notation\n\n{rest}") == found
    assert not cards(f"# Algorithms\n\n## Arrays\n\n{listed}## Notation\n\n{rest}")


def test_numbered_items_with_labelled_answers_end_where_others_begin() -> None:
    listed = "".join(f"{n}. **What is {n}?**\n\n   **Answer:** It is.\n\n" for n in range(1, 6))
    guide = "".join(f"{n}. **How to do {n}:**\n   - Open it.\n   - {TOLD}" for n in range(1, 20))
    found = [(f"What is {n}?", "It is.") for n in range(1, 6)]
    assert cards(f"Here they are:\n\n{listed}{guide}") == found


@pytest.mark.parametrize(
    ("section", "asked"),
    [("Frequently asked questions", "Can I have {}?"), ("F.A.Q", "Puis-je avoir {} ?"),
     ("پرسش‌های پرتکرار", "آیا {} دارد؟")],
)  # fmt: skip
def test_bold_lines_below_frequently_asked_questions_are_questions(
    section: str, asked: str
) -> None:
    listed = "".join(f"**{asked.format(each)}**\nYes.\n\n" for each in "ABC")
    found = [(asked.format(each), "Yes.") for each in "ABC"]
    assert cards(f"# Sync\n\n{TOLD}## {section}\n\n{listed}## More\n\n{TOLD}") == found
    assert not cards(f"# Sync\n\n{TOLD}## More\n\n{listed}## Rest\n\n{TOLD}")


@pytest.mark.parametrize(
    ("label", "asked", "parts"),
    [("Exercise", "What is the sum, and the product?", ("Sum", "Product")),
     ("تمرین", "جمع و ضرب چیست؟", ("جمع", "ضرب")), ("Exercise", "What are they?", ("a)", "b)"))],
)  # fmt: skip
def test_all_headings_below_a_question_answer_it(
    label: str, asked: str, parts: tuple[str, str]
) -> None:
    told = f"## {parts[0]}\n3.\n## {parts[1]}\n2."
    text = "".join(f"# {label} {n}\n{asked}\n{told}\n" for n in (1, 2))
    assert cards(text) == [(asked, told)] * 2


@pytest.mark.parametrize(
    ("label", "solved", "asked"),
    [("Exercise", "Since it is odd, so is {}.", "Since it is odd, find {}."),
     ("تمرین", "$x = {}$", "چرا $x = {}$ است؟")],
)  # fmt: skip
def test_solutions_without_their_questions_are_a_note(label: str, solved: str, asked: str) -> None:
    def sheet(told: str) -> str:
        return "# Sheet\n\n" + "".join(f"## {label} {n}\n\n{told.format(n)}\n\n" for n in range(4))

    assert not cards(sheet(solved))
    assert len(cards(sheet(asked))) == 4
    assert len(cards(sheet(f"![task](a.png)\n\n{solved}"))) == 4


@pytest.mark.parametrize(
    ("title", "asked"),
    [
        ("Questions for Further Exploration", "How is A{} made?"),
        ("Questions This Raises", "How is A{} made?"),
        ("پرسش‌های باز", "A{} چگونه ساخته می‌شود؟"),
        ("Follow-up questions", "How is A{} made?"),
        ("Critical Questions", "How is A{} made?"),
        ("پرسش‌های من", "A{} چگونه ساخته می‌شود؟"),
    ],
)
def test_questions_that_the_author_leaves_open_are_none_to_answer(title: str, asked: str) -> None:
    items = "".join(f"{n}. {asked.format(n)}\n" for n in range(1, 5))
    text = f"# Frames\n\nSome text.\n\n## {title}\n\n{items}"
    assert cards(text) == []
    assert len(cards(text.replace(title, "Review questions / سوالات مرور"))) == 4
    assert len(cards(text.replace(title, "Questions") + "   So it is.\n")) == 4


@pytest.mark.parametrize(
    "tag", ['{% include code.html id="s-1" %}', "{{< expand >}}", "{{% notice %}}", "{: .solved }"]
)
def test_a_line_that_is_a_tag_of_a_template_is_no_text(tag: str) -> None:
    text = "".join(f"## Exercise {n}: Sums\n\nAdd {n}.\n\n{tag}\n\n" for n in (1, 2))
    assert cards(f"# Exercises\n\n{text}") == [(f"Sums\n\nAdd {n}.", "") for n in (1, 2)]


@pytest.mark.parametrize("title", ["Solution", "راه‌حل"])
def test_a_sheet_with_the_solution_of_an_exercise_is_no_exercise(title: str) -> None:
    text = f"# {title}\n\nWrite a file.\n\n```yaml\na: 1\n```\n"
    for name in ("exercises/06-volume/solution/solution.md", "exercises/solution.md"):
        assert [each.kind for each in take(text, name).book.entries] == ["note"]


@pytest.mark.parametrize(
    ("announces", "heading", "part", "asked"),
    [
        ("Interview Questions", "What is A?", "Flow", "Is it slow?"),
        ("سؤال‌های مصاحبه", "الف چیست؟", "روند", "آیا کند است؟"),
    ],
)
def test_headings_of_a_note_with_some_labelled_questions_are_none(
    announces: str, heading: str, part: str, asked: str
) -> None:
    text = f"# 1. {heading}\n\nA gateway.\n\n# 2. {part}\n\nStep by step.\n\n# 3. {announces}\n"
    text += "".join(f"\n### Q{n}: {asked}\n\nYes {n}.\n" for n in (1, 2, 3))
    assert [question for question, _ in cards(text)] == [asked] * 3


@pytest.mark.parametrize("word", ["Problem", "مسئله", "问题"])
def test_a_difficulty_that_a_note_tells_of_is_no_question(word: str) -> None:
    one = "### ❌ {0} {1}: Slow orders\n\n- Payment is fast\n\nAn order takes 15 seconds.\n\n"
    text = "".join(one.format(word, n) for n in range(1, 6))
    assert not cards(f"# Why a queue\n\n{text}")
    assert len(cards(f"# Questions\n\n{text}")) == 5


@pytest.mark.parametrize(
    ("name", "asked"),
    [
        ("Bias", "Is the review independent? Who paid for it?"),
        ("سوگیری", "آیا نقد مستقل است؟ چه کسی پولش را داده؟"),
    ],
)
def test_named_checks_are_no_questions(name: str, asked: str) -> None:
    assert not cards("# Snake oil\n\n" + f"- [**{name}**](https://x.org): {asked}\n\n" * 17)


@pytest.mark.parametrize(
    ("title", "word", "name", "task"),
    [
        ("Week 10 Worksheet", "Question", "Find the errors", "The program has 5 errors."),
        ("کاربرگ هفتهٔ ۱۰", "پرسش", "یافتن خطا", "برنامه ۵ خطا دارد."),
    ],
)
def test_what_stands_below_a_title_in_a_worksheet_is_the_task(
    title: str, word: str, name: str, task: str
) -> None:
    text = f"# {title}\n\n## {word} 1: {name}\n{task}\n\n## {word} 2: {name}\n{task}\n"
    assert cards(text) == [(f"{name}\n\n{task}", "")] * 2


@pytest.mark.parametrize("working", ["풀이", "解析", "Lösungsweg", "راه حل تشریحی"])
def test_the_working_of_a_problem_is_a_part_of_its_answer(working: str) -> None:
    found = cards(f"# A\n\n## Q1: How many?\n\n✅ {working}\n1. log2(8)\n✅ 정답:\n3\n")
    assert [asked for asked, _ in found] == ["How many?"]


def test_a_tag_of_a_template_below_a_text_is_no_context() -> None:
    text = "# Homework 1\n\nUse *numpy*.\n{: .note }\n\n## Question 1: Sum\n\nAdd all.\n"
    assert [each.context for each in entries(text) if each.kind == "question"] == ["Use *numpy*."]


@pytest.mark.parametrize("colon", ["：", ": "])
@pytest.mark.parametrize(
    ("chapter", "asked", "told"), [("VNC", "How?", "So."), ("作为VNC", "如何？", "点击。")]
)
def test_labels_behind_a_section_number_or_with_a_full_colon_are_none_of_the_text(
    colon: str, chapter: str, asked: str, told: str
) -> None:
    text = f"# FAQ\n\n## 3.1 {chapter}\n\n{told}\n\n" + "".join(
        f"## 6.{n} Q{n}{colon}{asked}\n\n- A{n}{colon}{told}\n\n" for n in (1, 2, 3)
    )
    assert cards(text) == [(asked, told)] * 3


def test_a_letter_and_a_number_without_a_colon_are_no_label() -> None:
    (found,) = cards("# FAQ\n\n## Q1: How large?\n\nA4 paper, or A3.\n")
    assert found == ("How large?", "A4 paper, or A3.")


@pytest.mark.parametrize(
    ("title", "tags", "answer"),
    [
        ("What is A?", "Tags: one, two words", "A:"),
        ("触摸屏如何校准？", "标签：触摸屏、校准", "答："),
        ("نرم چیست؟", "برچسب‌ها: نرم، بردار", "پاسخ:"),
    ],
)
def test_tags_and_a_label_below_the_title_of_a_file_are_no_part_of_its_answer(
    title: str, tags: str, answer: str
) -> None:
    (found,) = take(f"# {title}\n{tags}\n\n{answer}\n\nIt is a.\n", "faq/a.md").book.entries
    assert found.answers[0].text == "It is a."
    assert len(found.tags) == 2


@pytest.mark.parametrize(
    ("word", "steps", "last"),
    [
        (
            "Exercise",
            ("Create a Pod.", "Define a Volume.", "Define a port."),
            "How do you stop it?",
        ),
        ("تمرین", ("یک پاد بساز.", "حجم را تعریف کن.", "درگاه را تعریف کن."), "چگونه می‌ایستد؟"),
    ],
)
def test_the_steps_of_an_exercise_are_one_question(
    word: str, steps: tuple[str, ...], last: str
) -> None:
    items = "\n".join(f"{n}. {each}" for n, each in enumerate((*steps, last), 1))
    assert cards(f"# {word} 5\n\nPods.\n\n{items}\n") == [(f"Pods.\n\n{items}", "")]
    asked = "\n".join(f"{n}. {last}" for n in range(1, 6))
    assert len(cards(f"# {word} 5\n\nPods.\n\n{asked}\n")) == 5


@pytest.mark.parametrize(
    ("title", "offers"),
    [
        ("Interview-ready summary", "How **{0}** works"),
        ("خلاصهٔ پرسش‌های مصاحبه", "چگونه {0} کار می‌کند"),
    ],
)
def test_a_summary_announces_no_questions(title: str, offers: str) -> None:
    items = "\n".join(f"- {offers.format(each)}" for each in ("A", "B", "C"))
    assert not cards(f"# Data\n\nText.\n\n## {title}\n\n> It is easy.\n\n---\n\nNext:\n\n{items}\n")


@pytest.mark.parametrize(
    ("label", "told"), [("Q{0}: Why?\n\nA{0}:", "So."), ("پرسش {0}: چرا؟\n\nپاسخ:", "زیرا.")]
)
def test_an_answer_reaches_to_the_rule_that_ends_it(label: str, told: str) -> None:
    one = "{1} {2}\n\n{3}***\n\n"
    text = "".join(
        one.format(n, label.format(n), told, f"{told}\n\n" if n == 1 else "") for n in range(1, 6)
    )
    assert [each for _, each in cards(text)] == [f"{told}\n\n{told}", *[told] * 4]


@pytest.mark.parametrize("asked", ["What is HSTS?", "نرم چیست؟"])
def test_a_heading_that_is_only_a_link_asks_nothing(asked: str) -> None:
    linked = f"# Questions\n\n## [{asked}](a.md)\n\n## [{asked}](b.md)\n\n## [{asked}](c.md)\n"
    assert not cards(linked)
    assert cards(linked.replace("\n\n##", "\n\nA text.\n\n##"))
    text = f"# Interview Questions\n\n* ###### {asked}\n  * ###### https://x.org/a\n* ###### Why?\n"
    assert [each for each, _ in cards(text)] == [asked, "Why?"]


def test_a_word_behind_a_formula_or_code_is_not_the_first_one() -> None:
    items = "".join(f"* $0.{n}x_1$ is used here,\n* `a{n}` is good.\n" for n in range(1, 4))
    assert not cards(f"## Exercises\n\nThe first row says it\n\n{items}\nSo solve it.\n")
    assert len(cards("## Exercises\n\n* Is $x$ used?\n* Is `a` good?\n* Is it?\n")) == 3


def test_a_letter_in_round_brackets_is_no_level() -> None:
    (entry,) = entries("Arrow equation (H):: $x$\n\n#flashcards\n")
    assert (entry.question, entry.level) == ({"en": "Arrow equation (H)"}, None)
    (entry,) = entries("Arrow equation (hard):: $x$\n\n#flashcards\n")
    assert entry.level == "H"


@pytest.mark.parametrize("line", ["::: warning CAUTION", "[![copy](a.gif)](javascript:void(0);)"])
def test_the_sign_of_a_block_or_a_button_is_none_of_the_answer(line: str) -> None:
    end = ":::" if line.startswith(":") else line
    text = f"# FAQ\n\n## What is A?\n\nIt is a.\n\n{line}\nKeep it.\n{end}\n\n## What is B?\n\nb\n"
    assert cards(text)[0][1].split() == ["It", "is", "a.", "Keep", "it."]


def test_chinese_labels_part_a_question_from_its_answer() -> None:
    text = "".join(f"#### **题目**：什么是{n}？\n\n#### **参考答案**：是{n}。\n\n" for n in "AB")
    assert cards(text) == [(f"什么是{n}？", f"是{n}。") for n in "AB"]


@pytest.mark.parametrize(
    ("asked", "choices"),
    [
        ("It is called the:", "A) one\nB) two\nC) three"),
        ("نام این روش:", "الف) گرادیان\nب) انتشار\nپ) تصادفی"),
    ],
)
def test_numbered_lines_with_lettered_choices_ask_if_there_are_several(
    asked: str, choices: str
) -> None:
    text = f"# Unit\n\n{'A text before them. ' * 4}\n\n"
    test = "".join(f"**{n}.** {asked}\n\n{choices}\n\n" for n in range(1, 6))
    assert cards(text + test) == [(f"{asked}\n{choices}", "")] * 5
    steps = "".join(f"**{n}.** {asked}\n\n{choices}\n\n" for n in range(1, 4))
    assert not cards(text + steps)


def test_headings_that_ask_in_a_faq_are_questions_whatever_their_share() -> None:
    asked = "".join(f"## What is {n}?\n\nIt is.\n\n" for n in "ABC")
    rest = "".join(f"## Problem with {n}\n\n{'A long text about it. ' * 30}\n\n" for n in "ABC")
    found = cards(f"---\ntitle: FAQ\n---\n{asked}{rest}")
    assert found == [(f"What is {n}?", "It is.") for n in "ABC"]
    assert not cards(f"---\ntitle: Overview\n---\n{asked}{rest}")


def test_a_label_may_stand_directly_before_its_question() -> None:
    text = "Q1. Which is even?\n\na) 3\nb) 4\n\nAnswer: b\n\nQ2.Multiplexing gives ___\n\na) 1\nb) 2\n\nAnswer: a\n"
    assert [told for _, told in cards(text)] == ["b", "a"]
    assert not cards(f"{'A long text. ' * 30}\n\nq1.py is a file, and q2.py another.\n")


def test_a_number_ends_at_a_blank_though_a_digit_follows() -> None:
    text = "# FAQ\n\n## 13. 3 ways to do it?\n\nSo.\n\n## 14. 4 ways?\n\nSo.\n"
    assert [(e.number, *e.question.values()) for e in entries(text)] == [
        ("13", "3 ways to do it?"),
        ("14", "4 ways?"),
    ]


def test_headings_in_items_ask_however_they_are_indented() -> None:
    head = "{0}. ### What is {0}?\n\n   It is.\n\n"
    text = "# Go interview questions\n\n" + head.format(1) + head.format(2)
    assert len(cards(text + "  3. ### What is 3?\n\n     It is.\n")) == 3


def test_a_link_back_in_bold_is_no_context() -> None:
    part = "1. What is A{0}?\n2. What is B{0}?\n\n**[⬆ Back to Top](#contents)**\n\n"
    text = "# Interview questions\n\n" + "".join(map(part.format, range(3)))
    assert {each.context for each in entries(text) if each.kind == "question"} == {None}
    kept = text.replace("[⬆ Back to Top](#contents)", "Part two")
    assert {each.context for each in entries(kept)} >= {"**Part two**"}


def test_a_korean_summary_hides_the_answer() -> None:
    fold = "<details>\n<summary>답변 보기</summary>\n\n답입니다.\n\n</details>\n\n"
    text = "".join(f"## {n}. 무엇인가요?\n\n{fold}" for n in range(1, 4))
    assert {told for _, told in cards(f"# 면접 질문\n\n{text}")} == {"답입니다."}


@pytest.mark.parametrize(("asked", "told"), [AB[0], FA[0]])
def test_an_answer_below_the_title_of_one_exercise_is_its_answer(asked: str, told: str) -> None:
    found = take(f"### {asked}\n\n#### Answer\n\n{told}\n", "questions/a.md").book.entries
    assert [(*each.question.values(), each.answers[0].text) for each in found] == [(asked, told)]


def test_the_title_of_a_solution_is_no_exercise() -> None:
    text = "# Exercise 1.2 - Solution\n\nWrite `1`.\n"
    assert [e.kind for e in take(text, "exercises/a.md").book.entries] == ["note"]


def test_an_item_that_asks_nothing_is_one_of_a_list_in_which_all_have_the_same_number() -> None:
    items = ["What is A?", "Add a bias.", "What is B?", "What is C?"]
    text = "## Exercises\n\n" + "".join(f"1. {each}\n" for each in items)
    assert cards(text) == [(each, "") for each in items]


def test_the_footer_of_a_page_is_no_part_of_its_exercise() -> None:
    links = "\\[ [Index](index.md) | [Next](b.md) \\]"
    text = f"{links}\n\n# Exercise 1.2\n\nWrite `1`.\n\n{links}\n\n----\nA course by X.\n"
    assert take(text, "exercises/a.md").book.entries[-1].question["en"].endswith("Write `1`.")


@pytest.mark.parametrize("kept", ["```{index} a; b\n```\n", "+++\n", '+++ {"a": 1}\n', "(a-b)=\n"])
def test_marks_of_myst_that_show_nothing_are_in_no_answer(kept: str) -> None:
    text = f"# FAQ\n\n## What is A?\n\n{kept}\nIt is a.\n\n{kept}\n## What is B?\n\nIt is b.\n"
    assert cards(text) == AB


def test_lines_that_both_ask_are_one_question() -> None:
    text = "# Questions\n\n1. Is A?\n   Is B?\n   It is.\n2. Which is C\n   of these?\n   Is D?\n"
    assert cards(text) == [("Is A? Is B?", "It is."), ("Which is C of these? Is D?", "")]
    assert cards("# Questions\n\n1. Is A?\nA. Is B?\nB. Is C?\n\n2. Is D?\n3. Is E?\n") == [
        ("Is A?\nA. Is B?\nB. Is C?", ""), ("Is D?", ""), ("Is E?", ""),
    ]  # fmt: skip


def test_headings_with_a_hard_blank_are_headings() -> None:
    text = "# FAQ\n\n## \xa0What is A?\n\nIt is a.\n\n##\t\xa0What is B?\n\nIt is b.\n"
    assert cards(text) == AB


def test_exercises_in_chinese_and_questions_in_japanese_are_found() -> None:
    assert cards("# 学习\n\n## 练习\n\n1. 改变学习率。\n2. 有什么区别？\n3. 为什么？\n")[1:] == [
        ("有什么区别？", ""), ("为什么？", ""),
    ]  # fmt: skip
    found = cards("# よくある質問\n\n## 何ですか。\n\n一。\n\n## 直せますか。\n\n二。\n")
    assert ("直せますか。", "二。") in found


def test_tags_below_an_answer_are_those_of_the_card() -> None:
    (card,) = entries("# Questions\n\n1. What is A?\n\n   It is a.\n\n   [#opt]() #math\n")
    assert (card.answers[0].text, card.tags) == ("It is a.", ("opt", "math"))


def test_code_answers_how_to_do_something() -> None:
    code = "```js\nserve();\n```"
    asked = "How to make a server that returns A?"
    assert cards(f"# Questions\n\n## {asked}\n\n{code}\n\nSee it.\n\n## What is B?\n\nIt is b.\n") == [
        (asked, f"{code}\n\nSee it."), AB[1],
    ]  # fmt: skip


@pytest.mark.parametrize("title", ["Ejercicios", "Exercices", "Esercizi", "练习"])
def test_exercises_are_announced_in_several_languages(title: str) -> None:
    assert cards(f"# A\n\nText about it.\n\n## {title}\n\n1. B?\n2. C?\n3. D?\n") == [
        ("B?", ""), ("C?", ""), ("D?", ""),
    ]  # fmt: skip


@pytest.mark.parametrize("number", ["1-1", "1 2", "1:2", "--", "9" * 400, "۱-۲"])
def test_any_bold_number_can_begin_a_question(number: str) -> None:
    asked = [f"**{number}** What is {name}?\n\nIt is {name}.\n\n" for name in "ABC"]
    assert len(cards("# Questions\n\n" + "".join(asked))) == 3


def test_a_lone_tag_of_code_is_no_backquote() -> None:
    text = "# Questions\n\n1. What is <code>A</code>?\n2. What is B?</code>\n3. What is C?\n"
    assert [asked for asked, _ in cards(text)] == ["What is `A`?", "What is B?", "What is C?"]


@pytest.mark.parametrize(
    "name", ["Templates/a.md", "Card template.md", "x/قالب/a.md", "template/a.md"]
)
def test_a_template_has_no_cards(name: str) -> None:
    text = "Q: What is A?\nA: It is a.\n"
    assert [each.kind for each in take(text, name).book.entries] == ["note"]
    for other in (
        "Templates in C++.md",
        "contemplated/a.md",
        "vault-template/a.md",
        "template/x/a.md",
    ):
        assert [each.kind for each in take(text, other).book.entries] == ["card"]


@pytest.mark.parametrize(("asked", "told"), [AB[0], FA[0]])
def test_elements_that_only_arrange_are_in_no_question_above_a_hidden_answer(
    asked: str, told: str
) -> None:
    one = f'<div dir="rtl">\n\n#### 1. {asked}\n\n</div>\n\n```js\na\n```\n\n<div dir="rtl">\n'
    fold = f"<details><summary>Answer</summary>\n\n{told}\n\n</details>\n\n</div>\n\n"
    assert [(*each.split(), answer) for each, answer in cards((one + fold) * 2)] == [
        (*asked.split(), "```js", "a", "```", told)
    ] * 2


@pytest.mark.parametrize(
    ("asked", "told"), [("Why is it {}?", "It is so."), ("چرا {} است؟", "زیرا.")]
)
def test_links_beside_the_link_to_the_top_are_in_no_answer(asked: str, told: str) -> None:
    top = "[Back to top ↑](#a) &nbsp;&nbsp;/&nbsp;&nbsp; [✏️ Edit answer](https://example.org/a)"
    text = "".join(f"### {asked.format(n)}\n\n{told}\n\n<br>\n\n{top}\n\n" for n in range(4))
    assert cards(f"# Questions\n\n{text}") == [(asked.format(n), told) for n in range(4)]


@pytest.mark.parametrize(
    ("title", "word"), [("Solution of exercises", "Exercise"), ("حل تمرین‌ها", "تمرین")]
)
def test_labels_below_a_heading_of_solutions_ask_nothing(title: str, word: str) -> None:
    parts = "".join(f"#### {word} {n}\n\n![](a.png)\nThe picture shows it.\n\n" for n in (1, 2, 3))
    assert cards(f"# Lab\n\n## {title}\n\n{parts}") == []
    assert len(cards(f"# Lab\n\n## Part 2\n\n{parts}")) == 3


@pytest.mark.parametrize(
    ("first", "second"),
    [("Write a program that asks for the number of", "miles"), ("Explain why it", "is so")],
)
def test_a_question_goes_on_in_the_next_line_if_its_sentence_does(first: str, second: str) -> None:
    hidden = "   <details><summary>Solution</summary>\n\n   It is so.\n\n   </details>\n\n"
    text = "".join(f"1. {first}\n   {second}.\n\n{hidden}" for _ in range(4))
    assert cards(f"# Exercises\n\n{text}")[0] == (f"{first} {second}.", "It is so.")
    text = "".join(f"1. What is a norm {n}\n   A length.\n" for n in "abcd")
    assert cards(f"# Questions\n\n{text}")[0] == ("What is a norm a", "A length.")


@pytest.mark.parametrize(
    ("asked", "other", "told"),
    [("Why is it?", "Is it not so?", "It is so."), ("چرا هست؟", "آیا نیست؟", "چون هست.")],
)
def test_a_question_asked_in_several_ways_has_the_answer_below_them(
    asked: str, other: str, told: str
) -> None:
    text = f"## {asked}\n\n- {other}\n- {other}\n\n{told}\n\n"
    more = f"## {asked}\n\n- {other}\n- {other}\n\n  {told}\n\n"
    plain = f"## {other}\n\n{told}\n\n"
    assert (f"{asked}\n\n- {other}\n- {other}", told) in cards(f"# FAQ\n\n{text}{plain}{plain}")
    assert cards(f"# FAQ\n\n{more}{plain}{plain}")[0][0].endswith(told)


def test_options_below_a_label_of_answers_are_no_questions() -> None:
    text = "# Malloc\n\n## Question Text\n\nWhen is it used?\n\n## Question Answers\n\n"
    found = take(f"{text}- When it is small\n- Why is it so?\n- Why not?\n", "quiz/x.md")
    asked = [" ".join(each.question.values()) for each in found.book.entries]
    assert not {"When it is small", "Why is it so?", "Why not?"} & {*asked}


@pytest.mark.parametrize(
    ("title", "word", "show"),
    [
        ("Ejercicios", "Ejercicio", "Mostrar solución"),
        ("Exercises", "Exercise", "Solution"),
        ("تمرین‌ها", "تمرین", "پاسخ"),
    ],
)
def test_the_steps_of_several_exercises_are_no_questions(title: str, word: str, show: str) -> None:
    steps = "- Uno.\n- Dos.\n- Tres.\n- Cuatro."
    told = f"<details>\n<summary>{show}</summary>\n\nSí.\n\n</details>"
    text = "".join(f"## {word} {n}: Uno\n\nHaz:\n\n{steps}\n\n{told}\n\n" for n in (2, 3))
    found = cards(f"# {title} 1\n\n{text}")
    assert [(steps in asked, back) for asked, back in found] == [(True, "Sí.")] * 2


def test_exercises_below_a_title_of_solutions_are_cards() -> None:
    text = "".join(f"## Exercise {n}\n\nWhat is it?\n\n**Solution:** It is.\n\n" for n in (1, 2))
    assert cards(f"# Solution of sheet 2\n\n{text}") == [("What is it?", "It is.")] * 2
    text = "".join(f"## Exercise {n}\n\nWrite a function that adds {n}.\n\n" for n in (1, 2, 3))
    assert len(cards(f"# Solution of sheet 2\n\n{text}")) == 3


def test_a_question_with_code_to_fill_goes_on_below_it() -> None:
    code = "   ```python\n   # your code here\n   ```\n\n   Try it with 3.\n\n"
    ((asked, told), *_) = cards("# Exercises\n\n" + f"1. Write f.\n\n{code}" * 3)
    assert asked.endswith("Try it with 3.") and not told


@pytest.mark.parametrize(
    ("title", "word", "solutions", "solved"),
    [
        ("Exercises", "Exercise", "Solutions", "Exercise"),
        ("Exercises", "Exercise", "Solutions", "Solution to Exercise"),
        ("Review questions", "Question", "Answers", "Question"),
        ("تمرین‌ها", "تمرین", "پاسخ‌ها", "تمرین"),
    ],
)
def test_solutions_below_a_later_heading_answer_the_exercises_of_their_numbers(
    title: str, word: str, solutions: str, solved: str
) -> None:
    posed = "".join(f"### {word} {n}\n\nWhat is {n}?\n\n" for n in (1, 2, 3))
    told = "".join(f"### {solved} {n}\n\nIt is {n}.\n\n" for n in (1, 3))
    told += "### Remarks\n\nAll of it.\n\n"
    text = f"# Lecture\n\nIt is long.\n\n## {title}\n\n{posed}## {solutions}\n\n{told}"
    answers = {1: "It is 1.", 2: "", 3: "It is 3."}
    assert [told for _, told in cards(text)] == [*answers.values()]
    assert all(f"What is {n}?" in asked for n, (asked, _) in enumerate(cards(text), 1))


def test_questions_with_answers_keep_them_beside_sections_of_solutions() -> None:
    text = "".join(f"## What is {n}?\n\nIt is {n}.\n\n" for n in "abc")
    text += "## What is d?\n\n"
    asked = cards(f"# FAQ\n\n{text}## Answers\n\n### Remarks\n\nAll of it.\n")
    assert asked[:4] == [*((f"What is {n}?", f"It is {n}.") for n in "abc"), ("What is d?", "")]
    told = "".join(f"### Exercise {n}\n\nWhat is {n}?\n\nOne.\n\n" for n in (1, 2, 3))
    asked = cards(f"# Sheet\n\n## Exercises\n\n{told}## Solutions\n\n### Exercise 1\n\nTwo.\n")
    assert [back for _, back in asked] == ["One."] * 3


def test_an_answer_may_say_to_which_question_it_belongs() -> None:
    parts = "".join(
        f"## Q{n} · Predict\n\n`print({n})`\n\n---\n\n## Answer — Q{n}\n\nIt prints {n}.\n\n---\n\n"
        for n in (1, 2)
    )
    assert cards(f"# Quiz\n\n{parts}") == [
        (f"· Predict\n\n`print({n})`", f"It prints {n}.") for n in (1, 2)
    ]


def test_steps_between_a_heading_and_a_hidden_answer_are_one_exercise() -> None:
    hidden = "<details>\n\n<summary>Solution</summary>\n\nSo.\n\n</details>\n\n"
    steps = "1. Create a project.\n2. Show the log."
    text = "".join(f"### Set {n} up\n\n{steps}\n\n{hidden}" for n in "ab")
    assert cards(f"# Exercises\n\n## Basics\n\n{text}") == [
        (f"Set {n} up\n\n{steps}", "So.") for n in "ab"
    ]


@pytest.mark.parametrize(
    ("asked", "told"), [("What is {}?", "It is so."), ("{} چیست؟", "چنین است.")]
)
def test_properties_and_empty_blocks_of_logseq_are_in_no_answer(asked: str, told: str) -> None:
    block = "- # {}. {}\n  collapsed:: true\n\t- {}\n\t  id:: 64fa\n\t-\n"
    text = "".join(block.format(n, asked.format(n), told) for n in (1, 2, 3, 4, 5))
    assert cards(text) == [(asked.format(n), f"- {told}") for n in (1, 2, 3, 4, 5)]


def test_text_below_a_rule_in_html_belongs_to_no_question() -> None:
    text = "".join(f"## What is {n}?\n\nIt is {n}.\n\n" for n in "abcde")
    assert cards(f"# FAQ\n\n{text}<hr/>\n\nSources:\n\n1. a.org\n")[-1] == (
        "What is e?",
        "It is e.",
    )


def test_the_name_of_a_file_in_a_folder_of_questions_asks() -> None:
    (entry,) = take(
        "It runs code later.\n", "Interview Questions/What is a Handler.md"
    ).book.entries
    assert entry.question == {"en": "What is a Handler"}
    assert [each.text for each in entry.answers] == ["It runs code later."]
    (numbered,) = take("So.\n", "questions/3.2. What is a Handler.md").book.entries
    assert (numbered.question, numbered.number) == ({"en": "What is a Handler"}, "3.2")
    assert (
        take("It runs code later.\n", "Notes/What is a Handler.md").book.entries[0].kind == "note"
    )


def test_bold_options_are_no_answer() -> None:
    options = "- **A.** one\n- **B.** two\n- **C.** three"
    found = cards("".join(f"Q: Which is {n}?\n{options}\n\nAnswer: B\n\n" for n in "ab"))
    assert found == [(f"Which is {n}?\n{options}", "B") for n in "ab"]


@pytest.mark.parametrize("word", ["So it goes. ", "چنین است. "])
def test_a_long_line_behind_a_label_is_whole(word: str) -> None:
    told = f"{word * 900}END"
    for label in ("A:", "Answer:", "**Answer:**", "پاسخ:"):
        assert cards(f"Q: Why?\n{label} {told}\n") == [("Why?", told)]
        assert (("Why?", told)) in cards(f"## Why?\n\n{label} {told}\n\n## How?\n\nSo.\n")


@pytest.mark.parametrize(("asked", "told"), [("Why is it so?", "It is."), ("چرا؟", "زیرا.")])
def test_a_heading_with_only_cards_below_is_their_topic(asked: str, told: str) -> None:
    parts = "".join(f"### 4.{n} Causes\n\n**Q{n}.** {asked}\n**A.** {told}\n\n" for n in (1, 2, 3))
    assert cards(f"# Flashcards\n\n## 4. Domain\n\n{parts}") == [(asked, told)] * 3


@pytest.mark.parametrize(
    ("bold", "rest"),
    [
        ("What is A?", "How does it work?"),
        ("نرم چیست؟", "چگونه کار می‌کند؟"),
        ("What is A?", "(A good one)."),
    ],
)
def test_another_question_or_brackets_behind_a_bold_one_belong_to_it(bold: str, rest: str) -> None:
    text = f"# Interview questions\n\n1. **{bold}** {rest}\n2. **Why?** Since it is so.\n"
    assert pairs(text) == [(f"{bold} {rest}", ""), ("Why?", "Since it is so.")]


def test_questions_below_their_own_contents_are_a_list() -> None:
    heads = "".join(f"### {asked}\n\n{told}\n\n" for asked, told in AB)
    assert pairs(heads) == AB
    assert pairs(f"- [What is A?](#what-is-a)\n- [What is B?](#what-is-b)\n\n{heads}") == AB
    assert cards(f"- [Home](https://a.org)\n- So.\n\n{heads}") == []


@pytest.mark.parametrize(
    ("title", "section"),
    [("Roadmap", "Interview Questions"), ("نقشه راه", "سوالات مصاحبه")],
)
def test_a_section_of_interview_questions_in_a_guide_is_a_list(title: str, section: str) -> None:
    asked = "\n".join(f"- {n}. {each}" for n, (each, _) in enumerate([*AB, *FA], 1))
    text = f"# {title}\n\n## Sources\n\nA text of its own.\n\n## {section}\n\n{asked}\n"
    assert cards(text) == [(each, "") for each, _ in (*AB, *FA)]
    assert cards(text.replace(section, "Next steps")) == []


def test_example_sentences_of_a_lesson_in_grammar_ask_nothing() -> None:
    lines = "- Are you ready? — Ты готов?\n- Have you gone? — Ты ушёл?\n- Is it so? — Так ли это?\n"
    for name in ("Yes/No questions", "Tag questions", "Indirect questions"):
        assert cards(f"# Lesson 3\n\nRules.\n\n#### {name}\n\n{lines}") == []


@pytest.mark.parametrize(
    ("task", "solution"),
    [
        ("Exercício", "Solução"),
        ("Ejercicio", "Solución"),
        ("Exercice", "Solution"),
        ("Zadanie", "Rozwiązanie"),
        ("Задача", "Решение"),
        ("Oppgave", "Løsning"),
        ("练习", "解答"),
        ("تمرین", "حل"),
    ],
)
def test_exercises_with_labelled_solutions_are_questions_in_any_language(
    task: str, solution: str
) -> None:
    text = "# Lesson\n\nWords.\n\n" + "".join(
        f"### {task} {n}\n\nState {n}.\n\n**{solution}:**\nIt is {n}.\n\n" for n in (1, 2, 3)
    )
    assert cards(text) == [(f"State {n}.", f"It is {n}.") for n in (1, 2, 3)]


def test_a_table_below_an_item_belongs_to_it() -> None:
    table = "| | | |\n|--|--|--|\n| * | a. | so |"
    text = f"# Question bank\n\n1. What is A?\n\n{table}\n\n2. What is B?\n\n{table}\n\n3. چرا؟\n"
    assert cards(text) == [("What is A?", table), ("What is B?", table), ("چرا؟", "")]


def test_the_level_of_a_question_is_known_in_other_languages() -> None:
    text = "# 演習\n\n### 問題1（難易度：easy）\n\nAを求めよ。\n\n### 問題2（難易度：hard）\n\nBを求めよ。\n"
    assert [each.level for each in entries(text) if each.kind != "note"] == ["E", "H"]


def test_options_above_several_questions_stand_with_each() -> None:
    text = "# 练习题\n\n### 1. 例子\n选项：\n- A. 窦\n- B. 冬\n\n1. 负反馈是？\n   答案：A\n2. 前馈是？\n   答案：B\n"
    found = [each for each in entries(text) if each.kind != "note"]
    assert [each.context for each in found] == ["选项：\n- A. 窦\n- B. 冬"] * 2
    assert [each.answers[0].text for each in found] == ["A", "B"]


@pytest.mark.parametrize(
    "task", ["Beschreiben Sie A!", "Décrivez A.", "Descrivi A.", "Erläutern Sie B."]
)
def test_tasks_of_oral_exams_ask_in_other_languages(task: str) -> None:
    text = f"# Fragenkatalog\n\n##### {task}\n\nSo.\n\n##### Was ist B?\n\nJa.\n\n##### Warum?\n\nDarum.\n"
    assert pairs(text)[0] == (task, "So.")


def test_a_tag_that_begins_in_an_answer_and_ends_behind_it_is_left_out() -> None:
    item = '{0}. ### {1}\n\n   {2}\n\n   <span dir="ltr">\n\n   `a`\n\n   </span>\n\n   **[فهرست](#فهرست)**\n\n'
    text = "".join(item.format(n, *each) for n, each in enumerate([*FA, *AB], 1))
    told = [each.replace("\n\n\n", "\n\n") for _, each in pairs(text)]
    assert told == [f"{each}\n\n`a`" for _, each in (*FA, *AB)]


def test_the_statement_below_a_titled_question_is_part_of_it() -> None:
    text = "# Case\n\n### Question 1: Structure\nExplain the tree.\n\n### Question 2: جمع\nتوضیح دهید.\n\n### Question 3: Tell\nIt is told.\n"
    assert pairs(text) == [
        ("Structure\n\nExplain the tree.", ""), ("جمع\n\nتوضیح دهید.", ""), ("Tell", "It is told."),
    ]  # fmt: skip


@pytest.mark.parametrize("title", ["Контрольные вопросы", "Kontrollfragen", "پرسش‌های خودآزمایی"])
def test_questions_to_check_oneself_need_no_answers(title: str) -> None:
    prose = "A lesson of many words that asks nothing. " * 20
    asked = "".join(f"{n}. {each}\n" for n, (each, _) in enumerate([*AB, *FA], 1))
    assert cards(f"# Lesson\n\n{prose}\n\n## {title}\n\n{asked}") == [
        (each, "") for each, _ in (*AB, *FA)
    ]


def test_what_is_given_below_a_labelled_question_answers_it() -> None:
    text = "# Viva\n\n**Q1. From the data, calculate A.**\n\n*Given:* 3 g.\n\nSo it is 2.\n\n**Q2. What is B?**\n\nIt is b.\n"
    assert pairs(text)[0] == ("From the data, calculate A.", "*Given:* 3 g.\n\nSo it is 2.")


# What stands beside questions, and belongs to them or does not.


@pytest.mark.parametrize(
    ("asked", "told"), [("Which gas?", "Answer"), ("کدام گاز؟", "پاسخ")], ids=["en", "fa"]
)
def test_a_heading_above_options_begins_no_answer_where_another_has_the_label(
    asked: str, told: str
) -> None:
    text = "## Question {}\n\n**{}**\n\n### Options\n\n- A) O\n- B) N\n\n### {}\n\n**B) N**\n\n"
    text = "".join(text.format(n, asked, told) for n in (1, 2))
    assert cards(text) == [(f"{asked}\n\n### Options\n\n- A) O\n- B) N", "**B) N**")] * 2


def test_a_gap_to_fill_in_is_part_of_the_question() -> None:
    text = "# Exercises\n\n1. What is long?\n\n   The ____ is.\n\n2. What is high?\n\n   It is `____`.\n"
    assert cards(text)[0] == ("What is long?\n\nThe ____ is.", "")
    assert cards("# Quiz\n\n1. What is A?\n\n   ____\n\n2. Why?\n\n   So.\n")[0] == (
        "What is A?",
        "",
    )


@pytest.mark.parametrize(
    "title",
    ["Tipps zum Bild", "Consejos", "Советы", "Rules", "قوانین", "Правила оформления:"],
)
def test_tips_and_rules_in_a_file_of_questions_are_no_questions(title: str) -> None:
    text = f"# Exam\n\n## {title}\n\n1. What do you see?\n2. Move it\n3. Who is there?\n"
    assert [each.kind for each in entries(text)] == ["note"]
    rules = "# Interview questions\n\n## Association rules\n\n1. What is support?\n2. Why lift?\n"
    assert cards(rules) == [("What is support?", ""), ("Why lift?", "")]


def test_a_labelled_answer_in_brackets_or_below_an_item_is_its_answer() -> None:
    text = "# Domande\n\n* Quando serve?\n  * *Risposta:* Sempre.\n* Cosa sono?\n  * Fallisce? (Risposta: sì).\n"
    assert cards(text) == [("Quando serve?", "Sempre."), ("Cosa sono?", ""), ("Fallisce?", "sì")]
    assert cards("# پرسش‌ها\n\n- نرم چیست؟ (پاسخ: اندازه)\n- مشتق چیست؟ (پاسخ: شیب)\n") == [
        ("نرم چیست؟", "اندازه"), ("مشتق چیست؟", "شیب")
    ]  # fmt: skip


def test_bullets_that_ask_are_kept_beside_more_bullets_within_them() -> None:
    below = "  - Why {0}?\n  - How {0}?\n  - When {0}?\n  - Who {0}?\n"
    tops = [f"What is {name}?" for name in "ABEFG"]
    text = "# Questions\n\n" + "".join(f"- {each}\n" for each in tops)
    parted = f"{text}- On C:\n{below.format('C')}- On D:\n{below.format('D')}"
    assert [asked for asked, _ in cards(parted)] == [
        *tops,
        *(f"{word} {name}?" for name in "CD" for word in ("Why", "How", "When", "Who")),
    ]  # fmt: skip


def test_a_question_all_in_bold_ends_where_the_bold_ends() -> None:
    text = "# Questions\n\n1. **Name three hashes.**\nWe speak of hashes.\n\n2. **Why?**\nSo.\n"
    assert cards(text)[0] == ("Name three hashes.", "We speak of hashes.")
    cut = "# Questions\n\n1. Name three hashes\nof any kind?\n\n2. Why?\n"
    assert cards(cut)[0][0] == "Name three hashes of any kind?"


def test_bullets_below_an_indented_text_belong_to_the_answer() -> None:
    text = (
        "# Questions\n\n* How so?\n\tIt is so:\n\t* **A** comes.\n\t* B goes.\n* Why so?\n\tSo.\n"
    )
    assert pairs(text) == [("How so?", "It is so:\n* **A** comes.\n* B goes."), ("Why so?", "So.")]


def test_an_element_at_the_beginning_of_an_answer_is_whole() -> None:
    picture = '<div align="center">\n  <img src="a.png">\n</div>\n\nIt is a.'
    assert pairs(f"# FAQ\n\n## What is A?\n\n{picture}\n\n## Why?\n\nSo.\n")[0][1] == picture


def test_a_solution_within_an_answer_does_not_divide_it() -> None:
    told = "Two:\n\n* **A** changes.\n  *{}:* B moves it.\n\n* **C** comes."
    for word in ("Soluzione", "Solución", "Lösung", "Solution"):
        text = f"# Questions\n\n## Which attacks?\n\n{told.format(word)}\n\n## Why?\n\nSo.\n"
        assert pairs(text)[0] == ("Which attacks?", told.format(word))


def test_an_arrow_answers_what_is_to_name() -> None:
    text = "# Questions\n\n- Name some dishes! -> Goulash\n- Why? -> So\n"
    assert pairs(text) == [("Name some dishes!", "Goulash"), ("Why?", "So")]


def test_a_heading_that_is_only_a_number_counts_the_question_below_it() -> None:
    text = "## #1\n\n### What is A?\n\nIt is a.\n\n## #2\n\n#### What is B?\n\nIt is b.\n"
    assert pairs(text) == AB
    assert [each.number for each in entries(text)] == ["1", "2"]
    assert {each.topic for each in entries(text)} == {None}


def test_headings_below_a_question_that_asks_answer_it_even_in_homework() -> None:
    text = "# {} 2\n\n## {}\n\n### Studied\n\nMuch.\n\n## {}\n\n### Studied\n\nMore.\n"
    found = [("What is A?", "### Studied\n\nMuch."), ("Why?", "### Studied\n\nMore.")]
    assert pairs(text.format("Homework", "What is A?", "Why?")) == found


@pytest.mark.parametrize(
    ("name", "task"), [("Aufgabe", "Zeigen Sie es."), ("تمرین", "آن را حساب کن.")]
)
def test_the_statement_below_the_title_of_an_exercise_is_asked(name: str, task: str) -> None:
    text = f"# Sheet\n\n## {name} 1: A\n\n{task}\n\n## {name} 2: B\n\n{task}\n"
    assert [told for _, told in cards(text)] == ["", ""]
    assert cards(text)[0][0] == f"A\n\n{task}"


def test_parts_with_letters_are_no_options() -> None:
    text = "# Sheet\n\n## Exercise 1: A\n\nHere:\n\n**(a) One**\n\nShow it.\n\n**(b) Two**\n\nCount it.\n"
    assert cards(text) == [
        ("A\n\nHere:\n\n**(a) One**\n\nShow it.\n\n**(b) Two**\n\nCount it.", "")
    ]
    told = "# FAQ\n\n## Which kinds?\n\na) One\n\nIt is so.\n\nb) Two\n\nIt is not.\n\n## Why?\n\nSo.\n"
    assert cards(told)[0] == ("Which kinds?", "a) One\n\nIt is so.\n\nb) Two\n\nIt is not.")


def test_code_below_an_exercise_without_a_solution_belongs_to_it() -> None:
    code = "```python\nx = 1\n```"
    text = f"```{{exercise}}\nCorrect it.\n```\n\n{code}\n\nText.\n"
    assert cards(text) == [(f"Correct it.\n\n{code}", "")]
    solved = f"```{{exercise}}\nWhy?\n```\n\n```{{solution}}\nSo.\n```\n\n{code}\n"
    assert cards(solved) == [("Why?", "So.")]


def test_r_in_a_heading_labels_an_answer() -> None:
    text = (
        "### 1. {}\n\n#### R = {}\n\n### 2. {}\n\n#### R: {}\n\n### 3. ¿Por qué?\n\n#### R= Así.\n"
    )
    assert pairs(text.format("¿Qué es A?", "Letra.", "El año de B.", "1910"))[:2] == [
        ("¿Qué es A?", "Letra."), ("El año de B.", "1910")
    ]  # fmt: skip
    gas = "# Questions\n\n1. What is $n$?\n\n   R = 8.3 J\n\n   It is 2.\n\n2. Why?\n\n   So.\n"
    assert cards(gas)[0] == ("What is $n$?", "R = 8.3 J\n\nIt is 2.")


@pytest.mark.parametrize("points", ["(2点)", "(3 Punkte)", "（2分）", "(2 points)"])
def test_points_are_no_part_of_a_question_and_a_short_label_has_its_answer(points: str) -> None:
    text = f"# Exam\n\n## Q1 {points}\n\nWhich?\n\n1. a\n2. b\n\nAns. 1\n\n## Q2 {points}\n\nWhy?\n\nAns. So.\n"
    assert cards(text) == [("Which?\n\n1. a\n2. b", "1"), ("Why?", "So.")]


def test_variables_of_a_template_are_no_part_of_a_question() -> None:
    text = "# {}\n\n1. What is A?{{{{site.space3}}}}\n2. Why is B?{{{{ site.space0 }}}}\n"
    assert cards(text.format("Quiz")) == [("What is A?", ""), ("Why is B?", "")]
    counted = "## Domande\n\n### {{ counter }}) Cos'è A?\n\nEcco.\n\n### {{ counter }}) Cos'è B?\n\nAltro.\n"
    assert cards(counted) == [("Cos'è A?", "Ecco."), ("Cos'è B?", "Altro.")]


def test_words_in_brackets_belong_to_no_name_of_a_column() -> None:
    for names in ("✏️ FRAGE (hier falten) | ✅ ANTWORT (umklappen)", "KÉRDÉS | VÁLASZ"):
        text = f"| # | {names} |\n|---|---|---|\n| 1 | Which river? | Volga. |\n"
        assert cards(text) == [("Which river?", "Volga.")]


def test_options_of_several_decisions_are_all_part_of_the_question() -> None:
    asked = "**One**\n- A) a\n- B) b\n\n**Two**\n\nSo:\n\n- A) c\n- B) d"
    text = f"# Quiz\n\n## Which ones?\n\n{asked}\n\nIt is a.\n\n## Why?\n\nSo.\n"
    assert cards(text)[0] == (f"Which ones?\n\n{asked}", "It is a.")


def test_a_place_for_a_calculation_is_no_answer() -> None:
    blank = "```\nYour calculation:\n\n```"
    text = f"# Quiz\n\n1. How much?\n\n{blank}\n\n2. Why?\n\nSo.\n"
    assert cards(text)[0] == (f"How much?\n\n{blank}", "")


def test_a_gap_in_a_sentence_of_the_answer_is_no_question() -> None:
    told = "It is ____ or so.\n\nOne more sentence.\n\nAnd another."
    assert cards(f"# Quiz\n\n## What is A?\n\n{told}\n\n## Why?\n\nSo.\n")[0] == (
        "What is A?",
        told,
    )


def test_labelled_questions_that_ask_have_their_sections_as_answers_in_homework() -> None:
    text = "# Case 2 作业\n\n## 问题1：症状有哪些？\n\n### ③学习内容：\n\n苍白。\n\n## 问题2：原因？\n\n### ④出处：\n\n内科学。\n"
    assert [told for _, told in cards(text)] == [
        "### ③学习内容：\n\n苍白。",
        "### ④出处：\n\n内科学。",
    ]


def test_only_a_letter_below_options_names_the_right_one() -> None:
    text = "### Question {}\n\nWhat is\n**Its name:** b\n\n**Solution:**\nIt is him.\n\n"
    assert pairs(text.format(1) + text.format(2))[0][1] == "It is him."


def test_a_heading_named_answer_does_not_answer_by_itself() -> None:
    text = "# Sets\n\n## {}\n\n### Answers\n\nText.\n\n## {}\n\n### Answers\n\nText.\n\n## C\n\nText.\n"
    assert cards(text.format("A", "B")) == []


def test_options_stand_on_lines_of_their_own() -> None:
    text = "**Question 1 :**{0}\nQuelle est A ?{0}\na) B{0}\nb) C\n\n**Question 2 :**{0}\nPourquoi ?{0}\na) D{0}\nb) E\n"
    for end in ("", "  "):
        asked = [asked for asked, _ in cards(f"# Quiz\n\n{text.format(end)}")]
        assert [each.replace(" \n", "\n") for each in asked] == [
            "Quelle est A ?\na) B\nb) C", "Pourquoi ?\na) D\nb) E"
        ]  # fmt: skip


@pytest.mark.parametrize("word", ["Questão", "Soru", "Vraag", "Pytanie", "Întrebare", "Savol"])
def test_the_word_for_question_is_known_in_more_languages(word: str) -> None:
    text = f"### {word} 1\n\nA loja.\n\nA) Um.\nB) Dois.\n\n### {word} 2\n\nB loja.\n\nA) Um.\nB) Dois.\n"
    assert [asked for asked, _ in cards(text)] == [
        f"{name} loja.\n\nA) Um.\nB) Dois." for name in "AB"
    ]  # fmt: skip


def test_a_long_text_above_questions_is_no_context() -> None:
    for length, shown in ((300, True), (3000, False)):
        above = f"Assume the following: {'a b ' * length}"
        text = f"# Questions\n\n## On it\n\n{above}\n\n1. What is A?\n2. What is B?\n"
        found = [each.context for each in entries(text) if each.kind != "note"]
        assert [bool(each) for each in found] == [shown, shown]


@pytest.mark.parametrize(
    "options", ["- Vrai\n   - Faux", "- True\n   - False", "- درست\n   - نادرست"]
)
def test_true_and_false_are_options_and_no_questions(options: str) -> None:
    said = ("Water boils.", "Ice melts.", "Air flows.")
    text = "".join(f"{n}. **{each}**\n   {options}\n" for n, each in enumerate(said, 1))
    own = options.replace("\n   ", "\n")
    assert cards(f"# Quiz\n\n{text}") == [(f"{each}\n\n{own}", "") for each in said]


def test_brackets_at_both_ends_of_a_question_are_no_remark_about_it() -> None:
    text = "# Questions\n\n1. **Dead Queue** (Dead) is what?[](https://x.org)\n2. What is B?\n"
    assert cards(text)[0][0] == "Dead Queue (Dead) is what?"


def test_what_a_letter_asks_needs_no_mark_among_others() -> None:
    text = "**S: NumPy nedir?**\nC: Dizi.\n\n**S: ValueError hatası**\nC: Veri.\n\n**S: Neden?**\nC: Hız.\n"
    assert pairs(text) == [
        ("NumPy nedir?", "Dizi."),
        ("ValueError hatası", "Veri."),
        ("Neden?", "Hız."),
    ]


def test_a_letter_and_a_number_count_an_exercise() -> None:
    text = "# Exercises\n\n### Exercise A1 (Easy)\n\nWhy is it so?\n\n### Exercise B2 — Rule\n\nCompare A and B.\n"
    assert cards(text) == [("Why is it so?", ""), ("Rule\n\nCompare A and B.", "")]
    assert [each.number for each in entries(text) if each.kind != "note"] == ["A1", "B2"]


@pytest.mark.parametrize("task", ["Écrivez un programme.", "Schreiben Sie ein Programm."])
def test_an_order_below_the_title_of_a_question_is_asked(task: str) -> None:
    text = f"# Examen\n\n## Question 1 - A\n\n{task}\n\n## Question 2 - B\n\nC'est un programme.\n"
    assert cards(text) == [(f"A\n\n{task}", ""), ("B", "C'est un programme.")]


@pytest.mark.parametrize(
    "title", ["Cómo usar", "Weekly review", "Tagesreflexion", "راهنمای استفاده"]
)
def test_instructions_and_reviews_are_no_questions(title: str) -> None:
    text = f"# Questions\n\n## {title}\n\n1. Read all\n2. What went well?\n3. Who was there?\n"
    assert [each.kind for each in entries(text)] == ["note"]


@pytest.mark.parametrize("right", ["**B) N**", "#### B) N", "<mark>B) N</mark>", "B) N ✅"])
def test_the_only_option_that_stands_out_is_the_right_one(right: str) -> None:
    text = (
        f"# Quiz\n\n### 1. Which one?\n\nA) M\n\n{right}\n\nC) O\n\n### 2. Why?\n\nA) P\n\nB) Q\n"
    )
    assert cards(text) == [("Which one?\nA) M\n\nB) N\n\nC) O", "B) N"), ("Why?\nA) P\n\nB) Q", "")]
    all_bold = "# Quiz\n\n## Which one?\n\n**A) M**\n\n**B) N**\n\n## Why?\n\nSo.\n"
    assert cards(all_bold)[0] == ("Which one?\n**A) M**\n\n**B) N**", "")


@pytest.mark.parametrize("head", ["Corrigé", "التصحيح النموذجي", "Corrección"])
def test_corrections_are_answers_and_ask_nothing(head: str) -> None:
    text = f"# Exam\n\n1. What is A?\n2. What is B?\n\n## {head}\n\n- **A:** it is so.\n- **B:** why not?\n"
    assert [asked for asked, _ in cards(text)] == ["What is A?", "What is B?"]


def test_a_labelled_answer_is_kept_where_most_questions_have_none() -> None:
    text = "# Quiz\n\n1. Which?\nA. One\nB. Two\n\nAnswer: B. Two\n\n2. Who?\n3. When?\n4. Where?\n"
    assert cards(text)[0] == ("Which?\nA. One\nB. Two", "B. Two")


def test_an_empty_item_is_no_context() -> None:
    text = "# Questions\n\n1. -\n\t1. What is A?\n\t2. What is B?\n2. -\n\t1. Why?\n\t2. How?\n"
    assert {each.context for each in entries(text)} == {None}


@pytest.mark.parametrize("sign", ["R:", "**R:**"])
def test_r_below_lines_that_ask_labels_their_answers(sign: str) -> None:
    text = f"# Perguntas\n\n1. O que é A?\n\n{sign} Uma letra.\n\n2. Por quê?\n\n{sign} Assim.\n"
    assert cards(text) == [("O que é A?", "Uma letra."), ("Por quê?", "Assim.")]
    once = "# Perguntas\n\n1. O que é R?\n\nR: raio.\n\n2. Por quê?\n\nAssim.\n"
    assert cards(once)[0] == ("O que é R?", "R: raio.")


def test_one_word_of_truth_is_an_answer() -> None:
    assert cards("# Questions\n\n- Is it so?\n  - Yes\n- Is it not?\n  - No\n") == [
        ("Is it so?", "- Yes"), ("Is it not?", "- No")
    ]  # fmt: skip


def test_options_of_the_subject_within_an_answer_are_no_choices() -> None:
    told = "It is a.\n\nOr b.\n\nOr c.\n\nOptions: a, b or c."
    assert cards(f"# FAQ\n\n## Why?\n\n{told}\n\n## How?\n\nSo.\n")[0] == ("Why?", told)


def test_letters_that_seldom_ask_are_no_labels() -> None:
    text = "S: Eins?\nC: Zwei.\n\nS: Vier?\nC: Drei.\n\n" + "S: Fünf\nC: Sechs.\n\n" * 4
    assert [each.kind for each in entries(text)] == ["note"]


@pytest.mark.parametrize("told", ["See answer 3 at the end", "*[Ver resposta 17 no final]*"])
def test_a_reference_to_an_answer_is_none(told: str) -> None:
    assert cards(f"# Quiz\n\n## What is A?\n\n{told}\n\n## Why?\n\nSo.\n") == [
        ("What is A?", ""), ("Why?", "So.")
    ]  # fmt: skip


def test_solutions_below_headings_of_exercises_are_no_questions() -> None:
    solved = "".join(f"## Aufgabe {n}\n\nEs gilt $P={n}$.\n\n" for n in range(1, 5))
    assert [each.kind for each in entries(solved)] == ["note"]
    asked = "".join(f"## Aufgabe {n}\n\nBerechnen Sie $P_{n}$.\n\n" for n in range(1, 5))
    assert len(cards(asked)) == 4


@pytest.mark.parametrize("head", ["Requisiti", "Требования", "Anforderungen"])
def test_specifications_are_no_questions(head: str) -> None:
    text = f"# Esercizio 1\n\n## {head}\n\n1. Tipo: linee\n2. Titolo: A\n\n## Domande\n\n1. Quale?\n2. Perché?\n"
    assert [asked for asked, _ in cards(text)] == ["Quale?", "Perché?"]


@pytest.mark.parametrize("head", ["Answers and Explanations", "Risposte e Spiegazioni"])
def test_a_key_may_explain_its_answers(head: str) -> None:
    text = f"# Quiz\n\n1. What is A?\n2. What is B?\n\n## {head}\n\n1. It is a.\n2. It is b.\n"
    assert cards(text) == AB


@pytest.mark.parametrize(
    "link", ["[⬅️ Voltar](../a.md)", "[Back to the list](a.md)", "[بازگشت](a.md)"]
)
def test_a_link_back_is_no_part_of_an_answer(link: str) -> None:
    text = f"# FAQ\n\n## What is A?\n\nIt is a.\n\n{link}\n\n## What is B?\n\nIt is b.\n\n{link}\n"
    assert cards(text) == AB


def test_difficulties_and_their_solutions_are_text_in_russian() -> None:
    text = "## Недостатки\n\n" + "".join(
        f"### {n}. Риск\n\n**Проблема:** растёт.\n\n**Решение:** разделить.\n\n" for n in (1, 2, 3)
    )
    assert [each.kind for each in entries(text)] == ["note"]


def test_exercises_are_counted_in_polish_and_orders_end_in_a_mark() -> None:
    text = "## Proste\n\n" + "".join(f"### Zad {n}.\n\nOblicz $x_{n}$.\n\n" for n in (1, 2, 3))
    assert [asked for asked, _ in cards(text)] == [f"Oblicz $x_{n}$." for n in (1, 2, 3)]
    orders = "# Fragen\n\n## Grenzen Sie A ab!\n\nSo.\n\n## Nennen und beschreiben Sie B!\n\nSo.\n"
    assert [told for _, told in cards(orders)] == ["So.", "So."]


def test_a_question_that_is_answered_further_down_is_asked_once() -> None:
    text = "# Preguntas\n\n## A\n\n- ¿Qué es A?\n- ¿Qué es B?\n\n## Respuestas\n\n"
    told = "### ¿Qué es A?\n\nUna letra.\n\n### ¿Qué es B?\n\nOtra letra.\n"
    assert cards(f"{text}{told}") == [("¿Qué es A?", "Una letra."), ("¿Qué es B?", "Otra letra.")]


def test_the_heading_of_an_answer_may_be_as_high_as_that_of_its_question() -> None:
    text = "# 笔试\n\n## 三\n\n" + "".join(
        f"### {n}. {n}是什么？\n\n### **参考答案**\n\n- 精确：{n}。\n\n---\n\n" for n in (1, 2, 3)
    )
    assert cards(text) == [(f"{n}是什么？", f"- 精确：{n}。") for n in (1, 2, 3)]


def test_the_response_of_a_server_is_no_answer_and_a_hidden_one_is() -> None:
    calls = "".join(
        f"### {n}. Health\n\n**GET** `/a`\n\n**Response:**\n\nSo.\n\n" for n in (1, 2, 3)
    )
    assert [each.kind for each in entries(f"# API\n\n{calls}")] == ["note"]
    hidden = "## Question 1:\n\nWhich?\n\n1. One\n2. Two\n\n<details>\n<summary>Response:</summary>\n\nTwo.\n\n</details>\n"
    assert cards(hidden) == [("Which?\n\n1. One\n2. Two", "Two.")]


def test_a_formula_at_the_beginning_of_a_question_stays_as_it_is() -> None:
    formula = "$$\n\\begin{aligned}\nx-2y&=3\\\\\n-2x&=k\n\\end{aligned}\n$$"
    text = f"## Sorular\n\n### Soru 1\n\n{formula}\n\nKaç çözüm var?\n\n### Soru 2\n\nNe?\n"
    assert cards(text)[0][0] == f"{formula}\n\nKaç çözüm var?"


def test_the_label_of_an_answer_may_say_who_would_give_it() -> None:
    text = "## Q1: What is A?\n\n**Professional Answer:** It is a.\n\n## Q2: What is B?\n\n**Senior-level answer:** It is b.\n"
    assert pairs(text) == AB


@pytest.mark.parametrize("head", ["Review questions", "سوالات مرور"])
def test_a_section_that_announces_questions_may_have_parts(head: str) -> None:
    prose = "## Passi\n\n" + "Si apre il foglio e si copiano i dati nella tabella. " * 20
    text = f"# Grafico\n\n{prose}\n\n## {head}\n\n### Sul primo\n\n1. Perché?\n2. Quale?\n\n### Sul secondo\n\n1. Chi?\n\n{prose}\n"
    assert [asked for asked, _ in cards(text)] == ["Perché?", "Quale?", "Chi?"]


@pytest.mark.parametrize(
    ("title", "topic", "asked", "told"),
    [
        ("Domande di fisica", "Onde", "Che cosa è il timbro?", "Differenze tra luce e suono"),
        ("سؤال‌های فیزیک", "موج", "طنین صدا چیست؟", "تفاوت نور و صوت"),
    ],
)
def test_numbers_may_begin_again_below_a_heading_that_occurs_often(
    title: str, topic: str, asked: str, told: str
) -> None:
    section = f"## {topic}\n\n1. {told}\n2. {asked}\n\n"
    found = cards(f"# {title}\n\n{section * 4}")
    assert [question for question, _ in found] == [told, asked] * 4


@pytest.mark.parametrize("marks", ["1) 2) 3) 4)", "۱. ۲. ۳. ۴.", "- - - -"])
def test_a_no_break_space_follows_the_mark_of_an_item(marks: str) -> None:
    texts = ("Why is it?", "Which is it?", "Fiber", "Who is it?")
    rows = "".join(f"{m}\u00a0\u00a0 {e}\n" for m, e in zip(marks.split(), texts, strict=True))
    assert [asked for asked, _ in cards(f"# Questions\n\n{rows}")] == [*texts]


@pytest.mark.parametrize("numbers", ["1 4 3 4", "2 2 2 2", "۱ ۴ ۳ ۴"])
def test_an_item_in_a_row_of_questions_is_one_whatever_its_number(numbers: str) -> None:
    texts = ("Why is it so?", "Sketch two atoms.", "What is it?", "Who saw it?")
    rows = "".join(f"{n}. {text}\n" for n, text in zip(numbers.split(), texts, strict=True))
    assert [asked for asked, _ in cards(f"# Questions\n\n{rows}")] == [*texts]
    apart = f"{rows}\nIt is so.\n\n9. Go on.\n"
    assert len(cards(f"# Questions\n\n{apart}")) == 4


def test_statements_between_as_many_questions_answer_them() -> None:
    rows = "1. Why?\n5. It is so.\n3. Which?\n9. It is that.\n"
    assert [asked for asked, _ in cards(f"# Questions\n\n{rows}")] == ["Why?", "Which?"]
    heads = "## 1. Why?\n## A part\n## 2. Who?\n## 3. Which?\n"
    asked = [asked for asked, _ in cards(f"# Questions\n\n{heads}")]
    assert asked == ["Why?", "Who?", "Which?"]


@pytest.mark.parametrize("head", ["Discussion Questions", "سوالات بحث"])
def test_questions_to_discuss_need_no_answer(head: str) -> None:
    prose = "The company sold two products and bought a third one in spring. " * 20
    text = f"# A case\n\n{prose}\n\n## {head}\n\n1. Why?\n2. Which?\n3. Who?\n"
    assert [asked for asked, _ in cards(text)] == ["Why?", "Which?", "Who?"]


@pytest.mark.parametrize(
    "head", ["Exercise 1.{} Solution", "تمرین ۱.{} پاسخ", "Question 2.{} answer"]
)
def test_a_sheet_of_solutions_counted_in_parts_asks_nothing(head: str) -> None:
    parts = "".join(f"## {head.format(n)}\n\nIt is {n}.\n\n" for n in (1, 2, 3))
    assert cards(f"# Exercises: answers\n\n{parts}") == []


@pytest.mark.parametrize(
    ("title", "numbers"), [("Domande di teoria", "123"), ("پرسش‌های نظری", "۱۲۳")]
)
def test_headings_that_are_only_numbers_are_questions_below_such_a_title(
    title: str, numbers: str
) -> None:
    texts = ("Rappresentare -8 su quattro bit.", "Perché?", "چرا چنین است؟")
    parts = "".join(f"## {n}\n\n{text}\n\n" for n, text in zip(numbers, texts, strict=True))
    assert [asked for asked, _ in cards(f"# {title}\n\n{parts}")] == [*texts]
    assert cards(f"# Appunti\n\n{parts}") == []


@pytest.mark.parametrize("head", ["Answer key", "پاسخ‌نامه"])
@pytest.mark.parametrize("labelled", [1, 3])
def test_a_key_answers_all_if_few_have_an_answer(head: str, labelled: int) -> None:
    told = ["\n\nIt is as in spring." if n <= labelled else "" for n in range(1, 7)]
    asked = [f"## Question {n}: Why {n}?{below}\n\n" for n, below in enumerate(told, 1)]
    key = "".join(f"{n}. So {n}\n" for n in range(1, 7))
    found = cards(f"# Questions\n\n{''.join(asked)}## {head}\n\n{key}")
    own = [(f"Why {n}?{below}", f"So {n}") for n, below in enumerate(told, 1)]
    assert (found == own) == (labelled == 1)
    assert len(found) >= 6


def test_a_key_leaves_a_question_in_two_languages_as_it_is() -> None:
    asked = {"en": "Why?", "fa": "چرا؟"}
    own = Card("fields", 0, 1, asked, {}, number="1")
    key = Key(3, 5, [("1", "So."), ("2", "چنین.")])
    told = answered([own, replace(own, start=1, end=2, number="2")], [key])
    assert [(each.question, each.answers[""]) for each in told] == [
        (asked, "So."),
        (asked, "چنین."),
    ]


@pytest.mark.parametrize(
    ("word", "parts"), [("Question", "a) its root\nb) its square"), ("Pregunta", "ñ) uno\no) dos")]
)
def test_parts_of_a_question_stay_in_lines_of_their_own(word: str, parts: str) -> None:
    text = "".join(f"## {word} {n}\n\nLet $x$ be 1,\nfind:\n{parts}\n\n" for n in (1, 2))
    assert cards(f"# Exam\n\n{text}") == [(f"Let $x$ be 1, find:\n{parts}", "")] * 2


@pytest.mark.parametrize(
    ("word", "solution"),
    [
        ("Ejercicio", "Solución paso a paso"),
        ("Ejercicio", "Resolución"),
        ("Exercício", "Resolução"),
        ("Exercise", "Step-by-step solution"),
        ("تمرین", "پاسخ گام به گام"),
        ("تمرین", "راه‌حل گام‌به‌گام"),
    ],
)
def test_a_solution_in_steps_answers_its_exercise(word: str, solution: str) -> None:
    part = f"**$x$:** 3\n\n#### {solution}\n\n**1:** Add it.\n\nIt is 3.\n"
    text = "".join(f"### {word} {n}: Sums\n\n{part}\n" for n in (1, 2, 3))
    told = "**1:** Add it.\n\nIt is 3."
    assert cards(f"# Sheet\n\n{text}") == [("Sums\n\n**$x$:** 3", told)] * 3


def test_chinese_headings_ask_without_a_mark_below_a_title_of_questions() -> None:
    asked = (
        "什么是模式",
        "视图的特点是什么",
        "为什么会产生死锁",
        "如何保证独立性",
        "有哪些封锁协议",
    )
    text = "".join(f"## {each}\n\n- 一个答案。\n\n" for each in asked)
    assert cards(f"# 简答题整理\n\n{text}") == [(each, "- 一个答案。") for each in asked]


@pytest.mark.parametrize("sign", ["_", "1", "-", "1_", "a_", "ا_"])
def test_a_file_with_many_signs_in_its_name_is_read_at_once(sign: str) -> None:
    (note,) = take("# A\n\nIt is a.\n", f"{sign * 100}.md").book.entries
    assert note.kind == "note"
    assert take("Q: Why?\nA: So.\n", f"{sign}my_card_template.md").book.entries[0].kind == "note"

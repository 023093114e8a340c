"""Each form of cards is found by its example, and by the ways in which people write it."""

from __future__ import annotations

import pytest

from kb.formats.book import Batch
from kb.formats.notes.forms import STRONG, WEAK, cards_of
from kb.formats.notes.outline import outline
from kb.formats.notes.page import page_of
from kb.formats.notes.reading import read
from tests.behind import batch

PROSE = "A note has words enough of its own to stay a note, whatever stands in it. " * 4


def take(text: str) -> Batch:
    return batch(read, text, "x.md")


def cards(text: str) -> list[tuple[str, str]]:
    made = (each for each in take(text).book.entries if each.kind != "note")
    return [
        (next(iter(each.question.values())), each.answers[0].text if each.answers else "")
        for each in made
    ]


@pytest.mark.parametrize("form", [*STRONG, *WEAK], ids=lambda form: form.name)
def test_the_example_of_a_form_is_a_card_of_this_form(form) -> None:
    found = cards_of(page_of(outline(form.example), form.example, 1), (form,))
    assert found
    assert {card.form for card in found} == {form.name}
    assert all(card.question and card.answers for card in found)


A, FA = ("What is A?", "It is a."), ("نرم چیست؟", "اندازه است.")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("# Note\n\n## Front\n\nWhat is A?\n\n## Back\n\nIt is a.\n", [A]),
        ("# Karte\n\n## Frage\n\nWhat is A?\n\n## Antwort\n\nIt is a.\n", [A]),
        ("## پرسش\n\nنرم چیست؟\n\n## پاسخ\n\nاندازه است.\n", [FA]),
        ("سؤال: نرم چیست؟\nپاسخ: اندازه است.\n", [FA]),
        ("پرسش: نرم چیست؟\nپاسخ: اندازه است.\n", [FA]),
        ("What is A? :: It is a.\n", [A]),
        ("What is A? ::: It is a.\n", [A]),
        ("#flashcards\n\nterm::meaning\n", [("term", "meaning")]),
        ("#flashcards\n\nterm ;;; meaning\n", [("term", "meaning")]),
        ("نرم چیست؟;; اندازه است.\n", [FA]),
        ("Q: What is A?\n\n    A: It is a.\n", [A]),
        ("Q: What is A?\n\n\tA: It is a.\n", [A]),
        ("**Q1. What is A?**\n\n    Answer: It is a.\n", [A]),
        ("Q: What is A?\n\n    A: It is a.\n\n    Q: Why?\n    A: So.\n", [A, ("Why?", "So.")]),
        ("پرسش: نرم چیست؟\n\n    پاسخ: اندازه است.\n", [FA]),
        ("What is A?\n?\nIt is a.\n", [A]),
        ("What is A?\n??\nIt is a.\n", [A]),
        ("- What is A? #card\n\t- It is a.\n", [A]),
        ("- What is A? [[card]]\n  collapsed:: true\n\t- It is a.\n", [A]),
        ("What is A? #card\nIt is a.\n", [A]),
        ("The {{c1::sun}} is hot.\n", [("The […] is hot.", "The sun is hot.")]),
        ("The {{c1::`sun`}} is hot.\n", [("The […] is hot.", "The `sun` is hot.")]),
        ("- Cards\n\n    Q: What is A?\n    A: It is a.\n", [A]),
        ("#flashcards\n\nThe ==sun== is hot.\n", [("The […] is hot.", "The sun is hot.")]),
        ("C: The [sun] is hot.\n", [("The […] is hot.", "The sun is hot.")]),
        ("START\nBasic\nWhat is A?\nBack: It is a.\nTags: x\n<!--ID: 12-->\nEND\n", [A]),
        ("STARTI [Basic] What is A? Back: It is a. ENDI\n", [A]),
        (
            "## Front\nWhat is <b>A\nor B</b>?\n\n**So**\n\n## Back\nIt is a.\n",
            [("What is A\nor B?\n\n**So**", "It is a.")],
        ),
        (
            "## Front\n```\na == 1 == b\n```\n\n## Back\nIt is a.\n",
            [("```\na == 1 == b\n```", "It is a.")],
        ),
        ("> [!question] What is A?\n> It is a.\n", [A]),
        ("> [!question]\n> - What is A?\n> - It is a.\n", [(A[0], "- It is a.")]),
        ("> [!question]\n> ۱. نرم چیست؟\n> ۲. اندازه است.\n", [(FA[0], "۲. اندازه است.")]),
        ("> [!question] What is a final exam?\n> - The last one.\n", [("What is a final exam?", "- The last one.")]),
        ("> [!question] آزمون فرض چیست؟\n> - روشی آماری است.\n", [("آزمون فرض چیست؟", "- روشی آماری است.")]),
        ("> [!question] تمرین هوازی چیست\n> - دویدن است.\n", [("تمرین هوازی چیست", "- دویدن است.")]),
        ("## What is A? #card/reverse\nIt is a.\n", [A]),
        ("- نرم چیست؟ #card-spaced\n\t- اندازه است.\n", [FA]),
        ("- It is {{c1 a}} and {{c2 b}} #card\n", [("It is […] and […]", "It is a and b")]),
        ("What is A? #qa\nIt is a.\n<!--ID: 12-->\n", [A]),
        ("START\nEND\n\nQ: What is A?\nA: It is a.\n", [A]),
        ("::: exercise\nSum.\n::: note A remark\nAll.\n:::\n\n::: solution\n3\n:::\n:::\n", [("Sum.\nA remark\nAll.", "3")]),
        ("What is A?\n- b or c #qa\n- It is a.\n- So.\n<!--ID: 1-->\n", [("What is A?\n- b or c", "- It is a.\n- So.")]),
        ("### نرم چیست؟\n\nاندازه است.\n<!--ID: 12-->\n", [FA]),
        ("A::a\n<!--ID: 12-->\n", [("A", "a")]),
        ("- It is ==a==.\n- It is ==b==.\n<!--ID: 1-->\n", [("- It is […].\n- It is […].", "- It is a.\n- It is b.")]),
        ("- نرم ==اندازه== است.\n<!--ID: 1-->\n\n==B==\n", [("نرم […] است.", "نرم اندازه است.")]),
        ("#flashcards\n> What is A?\n> or B\n> ?\n> It is a.\n> So.\n", [("What is A?\nor B", "It is a.\nSo.")]),
        ("> [!question] کدام؟\n> الف) ۳\n> ب) ۴\n", [("کدام؟\n\nالف) ۳\nب) ۴", "")]),
        ('??? question "Q1 — What is "A"?"\n    It is a.\n\n    ---\n', [('What is "A"?', "It is a.")]),
        ("P: ¿Qué es A?\nR: Una cosa.\n\nP: ¿Por qué?\nR: Sí.\n", [("¿Qué es A?", "Una cosa."), ("¿Por qué?", "Sí.")]),
        ("**В1: Что это?**\n\nО: A.\n\n**В2: Как?**\n\nО: B.\n", [("Что это?", "A."), ("Как?", "B.")]),
        ("**Q1** : What is A?\n\n**Answer** : It is a.\n", [A]),
        ("Which?\n\na) 3\nb) 4\n\n**答案：** b\n", [("Which?\n\na) 3\nb) 4", "b")]),
        ("Which is even?\n\n- [ ] 3\n- [x] 4\n", [("Which is even?\n\n- [ ] 3\n- [ ] 4", "4")]),
        ("Which is even?\n\na) 3\nb) 4\n\nAnswer: b\n", [("Which is even?\n\na) 3\nb) 4", "b")]),
        ("Which is even?\n\nA) 3\nB) 4 ✅\n", [("Which is even?\n\nA) 3\nB) 4", "B) 4")]),
        ("کدام زوج است؟\n\nالف) ۳\nب) ۴ ✔️\n", [("کدام زوج است؟\n\nالف) ۳\nب) ۴", "ب) ۴")]),
    ],
)  # fmt: skip
def test_a_card_is_found_in_a_note_and_alone(text: str, found: list[tuple[str, str]]) -> None:
    assert cards(text) == found
    held = take(f"# Lecture\n\n{PROSE}\n\n{text}\n\n# End\n\n{PROSE}\n")
    note, *made = held.book.entries
    assert note.kind == "note"
    assert [next(iter(each.question.values())) for each in made] == [asked for asked, _ in found]
    assert {each.within for each in made} == {note.id}


@pytest.mark.parametrize(
    "text",
    [
        "Use `a :: b`, std::vector and crate::module.\n",
        "In a shell a ;; ends a case; x) echo;; does so.\n",
        "status:: done\ntags:: x\n",
        "A ==highlight== by itself.\n",
        "Groceries\n\n- [ ] milk\n- [x] eggs\n",
        "```\nQ: a\nA: b\nWhat?::This.\n```\n",
        "    What is it?\n",
        "So it is written:\n\n    Q: What is A?\n    A: It is a.\n\n    The {{c1::sun}} is hot.\n",
        "How is it written?\n\n    Q: What is A?\n    A: It is a.\n",
        "چنین می‌نویسند:\n\n    پرسش: نرم چیست؟\n    پاسخ: اندازه است.\n",
        "Write `The {{c1::sun}} is hot.` for a gap.\n",
        "- [Types :: Street](https://example.org/a)\n",
        "Answer: none was asked.\n",
        "> [!question] Climbing stairs\n> Count the ways to the top.\n",
        "> [!question] Possible questions\n> They are in the book.\n",
        "<details><summary>Links</summary>\n\n- [a](b.md)\n- [c](d.md)\n\n</details>\n",
        "<details><summary>Notes? Share them</summary>\n\n- [a](b.md)\n- [c](d.md)\n\n</details>\n",
        "<details><summary>منبع می‌خواهید؟</summary>\n\n- [الف](b.md)\n\n</details>\n",
        "Put it last.\n\n<details><summary>Show example</summary>\n\nx\n\n</details>\n\n" * 3,
        "Is it so? Nobody knows.\n",
    ],
)
def test_what_is_no_card_makes_none(text: str) -> None:
    (note,) = take(f"# Lecture\n\n{PROSE}\n\n{text}").book.entries
    assert note.kind == "note"


@pytest.mark.parametrize(
    ("title", "asked"), [("Questions of the exam", "Norms"), ("سوالات امتحان", "نرم‌ها")]
)
def test_callouts_of_a_file_that_announces_questions_ask_whatever_their_title(
    title: str, asked: str
) -> None:
    text = f"# {title}\n\n> [!question]- {asked}\n> It is a.\n\n> [!question]- {asked} 2?\n"
    assert cards(text) == [(asked, "It is a."), (f"{asked} 2?", "")]


@pytest.mark.parametrize("shown", ["show", "Click to show", "نمایش", "显示"])
def test_summaries_that_label_or_show_an_answer_hide_it(shown: str) -> None:
    one = "###### {0}. Was ist {0}?\n\n```js\nx({0})\n```\n\n- A: 1\n- B: 2\n\n<details><summary><b>Antwort</b></summary>\n\nEs ist {0}.\n\n</details>\n\n---\n\n"
    text = "".join(one.format(n) for n in range(1, 5))
    assert cards(text)[1] == (
        "Was ist 2?\n\n```js\nx(2)\n```\n\n- A: 1\n- B: 2",
        "Es ist 2.",
    )
    told = [f"Es ist {n}." for n in range(1, 5)]
    assert [each for _, each in cards(text.replace("Antwort", shown))] == told


@pytest.mark.parametrize("name", ["Records considerations", "ملاحظات بایگانی"])
def test_details_that_a_note_folds_again_and_again_answer_nothing(name: str) -> None:
    one = "### Tool {0}\n\n**Slack** is a tool.\n\n<details>\n<summary>{1}</summary>\n\nApproved.\n</details>\n\n"
    assert not cards("# Tools\n\n" + "".join(one.format(n, name) for n in range(1, 8)))


def test_fields_by_language_are_one_entry_in_these_languages() -> None:
    text = (
        "# Question (EN)\n> What is A?\n\n# سؤال (FA)\n> نرم چیست؟\n\n## Answer (EN)\n\nIt is a.\n\n"
        "## Follow-ups\n\n- More\n\n## پاسخ (FA)\n\nاندازه است.\n"
    )
    *_, card = take(text).book.entries
    assert dict(card.question) == {"en": "What is A?", "fa": "نرم چیست؟"}
    assert {each.lang: each.text for each in card.answers} == {
        "en": "It is a.",
        "fa": "اندازه است.",
    }


def test_a_level_beside_a_labelled_question_is_its_level() -> None:
    text = "### سوال ۱: نرم چیست؟\n\n**سطح:** آسان\n\n**جواب کامل:**\n\nاندازه است.\n"
    (card,) = take(text).book.entries
    assert (card.question, card.level) == ({"fa": "نرم چیست؟"}, "E")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        (
            "### Question\nHow is A made?\n### Answer\nIn steps.\n\n---\n\n### First\n\nMix.\n\n### Then\n\n| a |\n|--|\n| 1 |\n",
            [("How is A made?", "In steps.\n\n### First\n\nMix.\n\n### Then\n\n| a |\n|--|\n| 1 |")],
        ),
        (
            "# یادداشت\n\n## پرسش\n\nنرم چیست؟\n\n## پاسخ\n\nاندازه است.\n\n## نمونه\n\nنرم ۱\n",
            [("نرم چیست؟", "اندازه است.\n\n## نمونه\n\nنرم ۱")],
        ),
        (  # all below the only question of a file answers it, whatever its headings are
            "### Question\nHow is A made?\n\n---\n\n### 1. First\n\nMix.\n\n## 2. Then\n\nBake.\n",
            [("How is A made?", "### 1. First\n\nMix.\n\n## 2. Then\n\nBake.")],
        ),
        (
            "### Q: How is A made?\n\n**Answer:**\n\nIn steps.\n\n## First\n\nA---B---C\n\nMix.\n",
            [("How is A made?", "In steps.\n\n## First\n\nA---B---C\n\nMix.")],
        ),
        (
            "# تمرین\n\n## پرسش\n\nنرم چیست؟\n\n## نخست\n\nاندازه است.\n\n# پایان\n\nتمام.\n",
            [("نرم چیست؟", "## نخست\n\nاندازه است.")],
        ),
        (  # a note that has a card keeps its sections
            "# SVM\n\nA margin.\n\n## Question\n\nWhat is A?\n\n## Answer\n\nIt is a.\n\n## Kernel\n\nA product.\n",
            [("What is A?", "It is a.")],
        ),
        ("> [!question]\n> - Why is A so?\n>\n> It is a.\n", [("Why is A so?", "It is a.")]),
    ],
)  # fmt: skip
def test_what_belongs_to_a_card_ends_where_its_author_ended_it(
    text: str, found: list[tuple[str, str]]
) -> None:
    lines = outline(text)
    cards = cards_of(page_of(lines, text, 1), STRONG)
    assert [(each.question[""], each.answers.get("", "")) for each in cards] == found


def test_an_answer_below_a_spaced_question_sign_goes_on_after_blank_lines() -> None:
    code = "```js\nf(`\n<div>\n`)\n```"
    spaced = f"What is logged?\n?\n\n{code}\n\n**Answer:** `2`.\n\nWhat is next?\n?\n\nNothing.\n"
    assert cards(spaced) == [
        ("What is logged?", f"{code}\n\n**Answer:** `2`."),
        ("What is next?", "Nothing."),
    ]
    assert cards("What is A?\n?\nIt is a.\n\nA note.\n")[0] == A


@pytest.mark.parametrize("lead", ["2. **Kinds:**", "Here are more questions:", "### More"])
@pytest.mark.parametrize(
    "one", ["**Question:** What is {0}?\n\n**Answer:** It is.", "1. What is {0}?\n\nIt is."]
)
def test_an_answer_ends_before_what_introduces_the_next_question(one: str, lead: str) -> None:
    text = f"# Questions\n\n{one.format('A')}\n\n{lead}\n\n{one.format('B')}\n\n- so\n"
    assert [told for _, told in cards(text)] == ["It is.", "It is.\n\n- so"]


@pytest.mark.parametrize(
    "text",
    [
        "- Random results\n\t{{query (and [[card]] (sample 2))}}\n- Thanks\n\t- A\n",
        "- Write `#card` behind it.\n\t- So.\n",
        "- پشت آن `#card` بنویسید.\n\t- چنین.\n",
    ],
)
def test_a_tag_in_a_query_or_in_code_marks_no_card(text: str) -> None:
    assert not cards(text)


@pytest.mark.parametrize("label", ["Advantages", "Back again", "مزایا"])
def test_a_line_of_a_block_that_is_no_field_is_text(label: str) -> None:
    block = f"START\nBasic\nWhat is A?\nBack:\nIt is a.\n{label}:\n- fast\nTags: x\nEND\n"
    assert cards(block) == [("What is A?", f"It is a.\n{label}:\n- fast")]


def test_a_block_of_another_type_keeps_the_names_of_further_fields() -> None:
    block = "START\nWord\nTerm: A\nMeaning: the first\nExample: an A\nEND\n"
    assert cards(block) == [("Term: A", "the first\nExample: an A")]


@pytest.mark.parametrize("asked", ["What does each do?", "کار هر یک چیست؟"])
def test_a_summary_keeps_the_lines_of_its_list_and_its_code(asked: str) -> None:
    for shown in ("* <code>api</code>\n* scheduler", "```yaml\na:\n  - b: 1\n```"):
        text = f"<details>\n<summary>{asked}\n\n{shown}\n</summary>\n\nIt works.\n</details>\n"
        assert cards(text) == [
            (f"{asked}\n\n{shown}".replace("<code>", "`").replace("</code>", "`"), "It works.")
        ]
    joined = f"<details>\n<summary>So far\n  {asked}</summary>\n\nIt works.\n</details>\n"
    assert cards(joined) == [(f"So far {asked}", "It works.")]


@pytest.mark.parametrize(
    "summary",
    ["Click here for a solution", "Click to see the answer", "click for solution", "نمایش پاسخ"],
)
def test_a_summary_that_tells_to_click_hides_the_answer(summary: str) -> None:
    text = f"# Norms\n\n{PROSE}\n\n**Exercise 1: Compute a norm**\n\n"
    hidden = f"<details>\n<summary>{summary}</summary>\n\n```python\na = 1\n```\n\n</details>\n"
    assert cards(text + hidden)[-1][1] == "```python\na = 1\n```"


@pytest.mark.parametrize(("asked", "told"), [A, FA])
def test_a_property_in_the_first_line_of_a_block_is_none_of_its_text(asked: str, told: str) -> None:
    block = f"\t- id:: 5f1c2a9e-7c1b-4c7e-9d0a-0123456789ab\n\t  {told}\n\t- key:: value\n"
    assert cards(f"- {PROSE}\n- {asked} #card\n{block}") == [(asked, f"- {told}\n- key:: value")]


COURSES = [("Sums", "Add 1 and 2.", "It is 3."), ("جمع", "۱ و ۲ را جمع کنید.", "سه است.")]


@pytest.mark.parametrize(("title", "task", "told"), COURSES)
@pytest.mark.parametrize(
    "block",
    [
        "::::: challenge\n\n## {0}\n\n{1}\n\n:::: solution\n\n## Solution\n\n{2}\n\n::::\n:::::\n",
        "::: {{.exercise}}\n## {0}\n\n{1}\n:::\n\n::: {{.solution}}\n{2}\n:::\n",
        ":::{{exercise}} {0}\n:label: sums\n{1}\n:::\n\n:::{{solution}} sums\n{2}\n:::\n",
        '!!! exercise "{0}"\n    {1}\n\n    ??? solution\n        {2}\n',
        '!!! exercise "{0}"\n    {1}\n??? réponse "Réponse"\n    {2}\n',
        "> [!exercice] {0}\n> {1}\n\n> [!success]- Answer\n> {2}\n",
        "> [!تمرین] {0}\n> {1}\n> > [!پاسخ]\n> > {2}\n",
    ],
)
def test_an_exercise_of_a_course_is_a_card_with_its_solutions(
    title: str, task: str, told: str, block: str
) -> None:
    block = block.format(title, task, told)
    asked = f"{title}\n\n{task}"
    assert cards(f"# Course\n\n{PROSE}\n\n{block}\n{PROSE}\n\n{block}") == [(asked, told)] * 2


@pytest.mark.parametrize(("title", "task", "told"), COURSES)
def test_parts_of_an_exercise_stand_in_its_question_and_several_solutions_in_its_answer(
    title: str, task: str, told: str
) -> None:
    solution = f":::: solution\n\n### Solution\n\n{told}\n\n::::\n\n"
    hint = f":::: hint\n\n{PROSE}\n\n::::\n\n"
    (card,) = cards(f"::::: challenge\n\n## {title}\n\n{solution}{hint}{task}\n\n{solution}:::::\n")
    assert [each.split() for each in card] == [
        [*title.split(), *PROSE.split(), *task.split()], [*told.split()] * 2
    ]  # fmt: skip
    assert cards(f'!!! exercise "{title}"\n    {task}\n') == [(f"{title}\n\n{task}", "")]
    ticked = f"> [!exercise] {title}\n> - [ ] {task}\n> - [x] {told}\n"
    assert cards(ticked) == [(f"{title}\n\n- [ ] {task}\n- [ ] {told}", told)]


@pytest.mark.parametrize(("title", "task", "told"), COURSES)
def test_a_block_that_sets_no_task_or_does_not_end_is_no_card(
    title: str, task: str, told: str
) -> None:
    for text in (
        f"::::: challenge\n\n## {title}\n\n{task}\n\n# {told}\n\n{PROSE}\n",
        f"::::: callout\n\n## {title}\n\n{task}\n\n:::::\n",
        f'!!! tip "{title}"\n    {task}\n\n!!! question "{title}"\n    {task}\n',
        f"> [!exercise] {title}\n\n{PROSE}\n",
    ):
        assert not cards(f"# Course\n\n{PROSE}\n\n{text}")


@pytest.mark.parametrize(("asked", "told"), [A, FA])
def test_a_callout_loses_one_sign_of_a_quote(asked: str, told: str) -> None:
    inner = f"> [!todo] {told}\n> > [!example] x"
    quoted = inner.replace("\n", "\n> ")
    assert cards(f"> [!question] {asked}\n> {quoted}\n") == [(asked, inner)]
    assert cards(f"> > [!question] {asked}\n> > {told}\n> more\n") == [(asked, told)]


@pytest.mark.parametrize(("asked", "told", "title"), [(*A, "Group A"), (*FA, "گروه الف")])
def test_a_callout_within_a_question_becomes_its_title(asked: str, told: str, title: str) -> None:
    text = f"> [!question] {asked}\n>> [!example]- {title}\n>> a) x\n>\n>> [!success]- Answer\n>> {told}\n"
    assert cards(text) == [(f"{asked}\n\n> **{title}**\n> a) x", told)]


@pytest.mark.parametrize(
    ("label", "text", "head", "answered"),
    [
        ("Problem", "I have not begun yet.", "Sources", False),
        ("Problem", "Build a network of two layers.", "Network", True),
        ("تمرین", "با پایتون میانگین را بیابید.", "راه", True),
        ("Aufgabe", "Berechnen Sie den Mittelwert.", "Rechnung", True),
    ],
)
def test_a_heading_below_an_english_text_that_asks_nothing_begins_no_answer(
    label: str, text: str, head: str, answered: bool
) -> None:
    report = "".join(f"## {label} {n}\n\n{text}\n\n### {head}\n- x\n\n" for n in (1, 2))
    assert bool([told for _, told in cards(report) if told]) is answered


@pytest.mark.parametrize(("asked", "told"), [A, FA])
def test_the_code_of_the_own_block_of_a_card_belongs_to_its_question(asked: str, told: str) -> None:
    code = "```python\nif a:\n    b\n```"
    own = "".join(f"  {each}\n" for each in code.split("\n"))
    card = f"- {asked} #card\n  id:: 1\n{own}"
    assert cards(f"{card}\t- {told}\n") == [(f"{asked}\n{code}", told)]
    below = "".join(
        f"\t{'- ' if not n else '  '}{each}\n" for n, each in enumerate(code.split("\n"))
    )
    assert cards(f"{card}{below}")[0][0] == f"{asked}\n{code}"
    assert cards(f"- {asked} #card\n{below}")[0][0] == asked


@pytest.mark.parametrize(("asked", "told"), [A, FA])
def test_the_size_of_a_picture_is_none_of_the_words_of_a_card(asked: str, told: str) -> None:
    picture, size = "![a.png](../assets/a.png)", "{:height 373, :width 745}"
    card = f"- {asked} #card\n  {picture}{size}\n\t- {told} {picture}{size}\n"
    assert cards(card) == [(f"{asked}\n{picture}", f"{told} {picture}")]


@pytest.mark.parametrize(("asked", "told"), [A, FA])
def test_a_break_at_the_end_of_a_question_is_none_of_its_words(asked: str, told: str) -> None:
    assert cards(f"Q: {asked}\\\nA: {told}\n") == [(asked, told)]


@pytest.mark.parametrize(
    ("questions", "task"),
    [(["How many pods are there?", "Which image is it?"], "Create a pod with this image."),
     (["چند پاد هست؟", "کدام تصویر است؟"], "یک پاد با این تصویر.")],
)  # fmt: skip
def test_a_summary_beside_others_that_ask_is_a_task(questions: list[str], task: str) -> None:
    piece = "1. <details>\n   <summary>{}</summary>\n\n   So.\n\n   </details>\n\n"
    asked = [*questions, task]
    text = f"# Pods\n\nRun this.\n\n{''.join(map(piece.format, asked))}"
    assert cards(text) == [(each, "So.") for each in asked]
    aside = f"# Pods\n\n{PROSE}\n\n{text}"
    assert cards(aside) == [(each, "So.") for each in questions]
    assert not cards(text.replace(questions[0], "A").replace(questions[1], "B").replace("?", ""))


@pytest.mark.parametrize(("asked", "told"), [("What is A?", "It is a."), ("الف چیست؟", "این است.")])
def test_the_sign_of_a_callout_is_no_word_of_a_card_in_its_title(asked: str, told: str) -> None:
    assert cards(f">[!faq] {asked}::{told}\n") == [(asked, told)]


@pytest.mark.parametrize(("asked", "told"), [A, FA])
def test_what_only_programs_read_is_none_of_the_text_of_a_card(asked: str, told: str) -> None:
    sign = "<!--ID: 1685624422870-->"
    for card in (
        f"Q: {asked}\nA: {told}\n{sign}\n",
        f"{asked}::{told} {sign}\n",
        f"{asked}\n?\n{told}\n{sign}\n",
        f"- {asked} #card\n\t- {told} {sign}\n",
        f'Q: {asked}\nA: {{{{< alert color="info" >}}}}\n{told}\n{{{{< /alert >}}}}\n',
        f"Q: {asked}\nA: {told}\n{{% endhint %}}\n",
    ):
        assert cards(card) == [(asked, told)]
    assert cards(f"Q: {asked}\nA: {told} {{eq}}`a`\n") == [(asked, f"{told} `a`")]
    assert cards(f"Q: {asked}\nA: {told} {{ref}}`a <b>`\n") == [(asked, f"{told} [a](b)")]
    link, code = "[a](https://x.org){: target=_blank}", "`<!-- a -->`"
    assert cards(f"Q: {asked}\nA: {told} {link}\n")[0][1] == f"{told} [a](https://x.org)"
    for kept in (code, f"```\n{sign}\n```", '{{< figure src="a.png" >}}', '{% image "a.png" %}'):
        assert cards(f"Q: {asked}\nA: {told}\n{kept}\n") == [(asked, f"{told}\n{kept}")]


def test_a_comment_that_a_card_does_not_keep_is_reported() -> None:
    found = take("Q: What is A?\nA: It is a.\n<!-- to check -->\n")
    assert [each.text for each in found.dropped] == ["<!-- to check -->"]


@pytest.mark.parametrize(
    ("first", "second"), [("It calls itself, so", "for each call."), ("پس از آن", "ساخته می‌شود.")]
)
def test_a_gap_stands_in_its_whole_paragraph(first: str, second: str) -> None:
    due = "<!--SR:!2023-06-30,31,274-->"
    text = f"#flashcards\n\n{PROSE}\n\n{first}\na ==table== is\n{second}\n{due}\n\nAnother.\n"
    assert cards(text) == [(f"{first}\na […] is\n{second}", f"{first}\na table is\n{second}")]
    both = f"#flashcards\n\n{first} ==one==\nand ==two==.\n"
    assert [asked for asked, _ in cards(both)] == [
        f"{first} […]\nand two.",
        f"{first} one\nand […].",
    ]
    logseq = f"- {first}\n  id:: 1\n  {{{{cloze {second}}}}} #card\n"
    assert cards(logseq) == [(f"{first}\n[…]", f"{first}\n{second}")]


@pytest.mark.parametrize(("asked", "told"), [("Demand", "It falls."), ("تقاضا", "می‌افتد.")])
def test_a_heading_directly_above_a_question_mark_is_the_question(asked: str, told: str) -> None:
    assert cards(f"#flashcards\n\n## {asked}\n?\n{told}\n") == [(asked, told)]
    assert not cards(f"{PROSE}\n\n## {asked}\n\n?\n{told}\n")


def test_blocks_for_anki_may_begin_with_a_longer_word() -> None:
    block = "START_CARD\nBasic\nWhat is A?\nBack: It is a.\nEND_CARD\n"
    assert cards(f"{block}\n---\n\n{block}") == [A, A]
    assert not cards(f"{PROSE}\n{block.replace('END_CARD', 'END')}")


@pytest.mark.parametrize("heads", ["## one\n\n## two", "## یک\n\n## دو"])
def test_an_answer_of_headings_is_whole(heads: str) -> None:
    text = f"# What is A?\n{heads}\n\n# What is B?\nIt is b.\n\n## Notes\n"
    assert cards(text) == [("What is A?", heads), ("What is B?", "It is b.")]


def test_a_side_without_a_word_makes_no_card() -> None:
    assert not cards(f"{PROSE}\n\nFormat:\nQuestion: ...\nType: Multiple Choice\nAnswer: ...\n")


def test_a_card_in_a_heading_of_an_item_ends_at_the_next_item() -> None:
    assert cards("- ## What is A? #card\n\t- It is a.\n- Another\n") == [A]
    nested = "- ## Topic #card\n\t- Told.\n\t- What is A? #card\n\t\t- It is a.\n"
    assert cards(nested) == [("Topic", "Told."), A]


@pytest.mark.parametrize(
    ("question", "answer"), [("Question", "Answer"), ("سوال", "پاسخ"), ("问题", "参考答案")]
)
def test_an_element_around_a_labelled_answer_is_of_neither_side(question: str, answer: str) -> None:
    text = (
        f"## {question} 1\n\nWhat is A?\n\n- A. one\n- B. two\n\n<details>\n<summary>Response:"
        f"</summary>\n\n**Explanation:** why.\n\n**{answer}:** B\n\n</details>\n"
    )
    ((asked, told),) = cards(text * 2)[:1]
    assert (asked, told) == ("What is A?\n\n- A. one\n- B. two", "**Explanation:** why.\n\nB")


@pytest.mark.parametrize(
    ("names", "told"),
    [(("Question", "Solution", "Explanation"), "It is a."), (("سوال", "پاسخ", "توضیح"), "الف.")],
)
def test_what_follows_a_solution_below_its_question_belongs_to_it(
    names: tuple[str, str, str], told: str
) -> None:
    question, solution, more = names
    text = f"## {question} 1\n\nWhat is A?\n\n### {solution}\n\n{told}\n\n### {more}\n\nSo.\n\n"
    assert cards(text * 2) == [("What is A?", f"{told}\n\n### {more}\n\nSo.")] * 2


LIQUID = "{% highlight python %}\n# a comment\na = 1\n{% endhighlight %}"


def test_a_block_of_liquid_is_code() -> None:
    text = f"# FAQ\n\n## What is A?\n\n{LIQUID}\n\n## What is B?\n\nIt is b.\n"
    assert cards(text)[0] == ("What is A?", "```python\n# a comment\na = 1\n```")


@pytest.mark.parametrize(
    "block",
    [
        '::::challenge{{id=g1 title="Sums"}}\n{0}\n\n:::solution\n{1}\n:::\n::::\n',
        "```{{exercise}} Sums\n:label: ex1\n\n{0}\n```\n\n```{{solution}} ex1\n:class: dropdown\n\n{1}\n```\n",
        "````{{exercise}} Sums\n{0}\n\n```{{solution}}\n{1}\n```\n````\n",
        (
            "```{{exercise-start}} Sums\n:label: ex1\n```\n\n{0}\n\n```{{exercise-end}}\n```\n\n"
            "```{{solution-start}} ex1\n```\n\n{1}\n\n```{{solution-end}}\n```\n"
        ),
    ],
    ids=["braces", "directives", "directives within each other", "directives with ends"],
)
@pytest.mark.parametrize(
    ("asked", "told"), [("Add 1 and 2.", "It is 3."), ("۱ و ۲ را جمع کنید.", "می‌شود ۳.")]
)
def test_an_exercise_of_any_generator_is_a_card(block: str, asked: str, told: str) -> None:
    text = block.format(asked, told)
    assert cards(f"# Numbers\n\n{PROSE}\n\n{text}\n") == [(f"Sums\n\n{asked}", told)]
    assert not cards(f"# Numbers\n\n{PROSE}\n\n`````md\n{text}\n`````\n")


@pytest.mark.parametrize(("title", "found"), [("Answer", [A]), ("پاسخ", [A]), ("Details", [])])
def test_a_folded_admonition_called_an_answer_answers_the_text_above(
    title: str, found: list[tuple[str, str]]
) -> None:
    assert (
        cards(f'{PROSE}\n\n## What is A?\n\n??? success "{title}"\n    It is a.\n\nMore.\n')
        == found
    )


@pytest.mark.parametrize("told", ["False. It is two.", "نادرست است."])
def test_a_block_that_is_only_called_an_answer_hides_it(told: str) -> None:
    block = ":::{{note}} {}\n:class: dropdown\n{}\n:::\n\n"
    text = "## Exercises\n\n" + "".join(
        f"{n}. Is A one?\n\n{block.format('Solution', told)}" for n in range(1, 4)
    )
    assert cards(text) == [("Is A one?", told)] * 3
    kept = cards(text.replace("} Solution", "} Remark"))[0][1]
    assert kept == told
    parts = f"{told}\n\n2. Is it so?\n3. Is it not?"
    assert cards("## Exercises\n\n" + text.partition("\n\n")[2].replace(told, parts))[0][1] == parts


def test_an_exercise_ends_though_code_in_it_does_not() -> None:
    exercise = "````{exercise} Sums\nAdd 1 and 2.\n\n```python\n1\n````\n\n"
    assert len(cards(f"# Numbers\n\n{PROSE}\n\n{exercise}{PROSE}\n\n{exercise}{PROSE}\n")) == 2


@pytest.mark.parametrize("name", ["Explanation", "نتیجه"])
def test_a_summary_that_is_only_a_label_asks_nothing(name: str) -> None:
    fold = f"<details>\n<summary>{name}</summary>\nData 1\n</details>\n"
    assert not cards(f"# Practice questions\n\n### option\n\n{fold * 3}")


@pytest.mark.parametrize(("asked", "told"), [("Two sum", "Use a map."), ("مجموع", "با جدول.")])
def test_a_heading_below_a_mere_label_is_the_question(asked: str, told: str) -> None:
    text = f"Q::\n## {asked}\nText.\n\n### Example\n1\n\nA::\n{told}\n"
    assert cards(f"{text}\n{text}")[0] == (f"{asked}\nText.\n\n### Example\n1", told)


def test_a_line_that_only_numbers_a_question_is_none_of_it() -> None:
    text = "Question 58.\nWhat is A?\n?\nIt is a.\n"
    assert cards(f"#flashcards\n\n{text}") == [A]
    assert cards("#flashcards\n\nQuestion 58.\n?\nIt is a.\n") == [("Question 58.", "It is a.")]


@pytest.mark.parametrize("sign", [":::", "```"])
@pytest.mark.parametrize(("asked", "told"), [A, FA])
def test_a_figure_of_myst_is_a_picture_in_a_card(sign: str, asked: str, told: str) -> None:
    figure = f"{sign}{{figure}} img/a.png\n:width: 100%\n:alt: A\n\n{sign}\n"
    text = f"## {asked}\n\n{told}\n\n{figure}\n"
    assert cards(f"# FAQ\n\n{text}{text}")[0] == (asked, f"{told}\n\n![](img/a.png)")


def test_code_about_a_generator_stays_as_it_is() -> None:
    code = (
        "````md\n{% highlight python %}\n:::{figure} a.png\n{ref}`a <b>`\n{% endhighlight %}\n````"
    )
    assert cards(f"Q: What is A?\nA: It is a.\n{code}\n") == [("What is A?", f"It is a.\n{code}")]


@pytest.mark.parametrize(("asked", "told"), [A, FA])
def test_properties_of_logseq_are_no_cards(asked: str, told: str) -> None:
    text = (
        f"title:: {asked}\ntags:: a, b\n\n- {asked} #flashcard\n  id:: 6476078f-fdc6\n\t- {told}\n"
    )
    assert cards(text) == [(asked, told)]
    assert cards(f"#flashcards\n\nkey:: {told}\n") == [("key", told)]


@pytest.mark.parametrize(("asked", "told"), [A, FA])
def test_a_gap_in_the_answer_of_a_marked_card_is_filled(asked: str, told: str) -> None:
    assert cards(f"- {asked} #card\n\t- {{{{cloze {told}}}}}\n") == [(asked, told)]


def test_a_line_of_signs_beside_a_label_is_of_neither_side() -> None:
    assert cards("Q:: =====\n\nWhat is A?\n\nA:: =====\n\nIt is a.\n") == [A]


@pytest.mark.parametrize(("asked", "told"), [A, FA])
def test_a_gap_in_a_list_has_the_items_around_it_as_context(asked: str, told: str) -> None:
    text = f"#flashcards\n\n{asked}:\n- **{told}**\n\t- a\n\t- =={told}==\n\n- ==b==\n"
    first, second = (each for each in take(text).book.entries if each.kind == "card")
    assert (first.context, second.context) == (f"{asked}:\n{told}", f"{asked}:")
    deep = "- an {{c1::a}}\n  - b\n    - c\n      - d\n        - {{c1::e}}\n"
    found = take(f"{deep}- {{{{c1::f}}}}\n  - {{{{c1::g}}}}\n").book.entries
    assert [each.context for each in found] == [None, "b\nc\nd", "f"]


@pytest.mark.parametrize("kept", ["(scroll down for an answer)", "<br/><br> <br/>"])
def test_space_above_a_labelled_answer_is_no_part_of_the_question(kept: str) -> None:
    assert cards(f"### Question:\n{A[0]}\n\n***\n{kept}\n\n### Answer:\n\n{A[1]}\n") == [A]


def test_icons_and_languages_of_mkdocs_are_in_no_card() -> None:
    icons = ":material-star:{ .a #b } `#!py x = 1` :smile: `#!sh`"
    assert cards(f"Q: What is A?\nA: It is {icons}\n") == [
        ("What is A?", "It is  `x = 1` :smile: `#!sh`")
    ]


@pytest.mark.parametrize(("asked", "told"), [A, FA])
def test_a_file_with_cards_or_a_heading_for_them_is_a_deck(asked: str, told: str) -> None:
    side = f"a b:: {told}\nkey:: c\n"
    turned = f"{asked}\n?\n{told}\n\n"
    assert cards(turned + side) == [(asked, told), ("a b", told)]
    prose = "Text that is long.\n\n" * 3
    assert cards(prose + side) == []
    assert cards(f"{prose}# Flashcards\n\n{side}")[0] == ("a b", told)


@pytest.mark.parametrize(("asked", "told"), [A, FA])
def test_links_of_notes_and_targets_of_plugins_are_no_cards(asked: str, told: str) -> None:
    text = f"tags:: #flashcard\nup:: [[a]], [[b]]\nTARGET DECK: a :: b\n\n{asked}::{told}\n"
    assert cards(text) == [(asked, told)]


def test_a_table_whose_rows_have_names_but_no_head_is_no_deck() -> None:
    table = "| | Front | Back |\n|--|--|--|\n| high | i | u |\n"
    assert cards(table) == []
    assert cards(table.replace("high", "1")) == [("i", "u")]


@pytest.mark.parametrize("names", ["Front Back", "Anverso Reverso", "Vorderseite Rückseite"])
def test_fields_of_anki_are_named_in_several_languages(names: str) -> None:
    first, second = names.split()
    text = f"START\nBasic\n{first}: \nWhat is A?\nNote: so.\n{second}: \nIt is a.\nEND\n"
    assert cards(text) == [("What is A?\nNote: so.", "It is a.")]


@pytest.mark.parametrize(("asked", "told"), [A, FA])
@pytest.mark.parametrize(
    ("word", "show"),
    [
        ("Ejercicio", "Mostrar solución"),
        ("Exercice", "Voir la réponse"),
        ("Exercice", "Cliquez ici pour voir la solution"),
        ("Exercício", "Ver a resposta"),
        ("Esercizio", "Mostra la soluzione"),
        ("Aufgabe", "Lösung anzeigen"),
        ("Задача", "Показать ответ"),
        ("Bài tập", "Xem đáp án"),
        ("تمرین", "نمایش پاسخ"),
        ("Exercise", "Show solution"),
    ],
)
def test_exercises_and_what_hides_their_solutions_are_known_in_many_languages(
    asked: str, told: str, word: str, show: str
) -> None:
    steps = "- one\n- two\n- three"
    body = "".join(
        f"## {word} {n}: {asked}\n\n{steps}\n\n<details><summary>{show}</summary>\n\n{told}\n\n"
        "</details>\n\n"
        for n in (1, 2)
    )
    found = cards(f"# Records\n\n{PROSE}\n\n{body}")
    assert [(each.endswith(f"{asked}\n\n{steps}"), back) for each, back in found] == [
        (True, told)
    ] * 2


@pytest.mark.parametrize(("asked", "told"), [A, FA])
def test_a_box_below_a_question_box_is_another_unless_it_is_a_hint(asked: str, told: str) -> None:
    box = f"> [!question] {asked}\n> {told}\n"
    assert cards(f"{PROSE}\n\n{box}> [!example] More\n> x\n") == [(asked, told)]
    ((_, hinted),) = cards(f"{PROSE}\n\n{box}> [!hint] More\n> x\n")
    assert "x" in hinted


def test_braces_of_a_formula_are_no_gaps_of_anki() -> None:
    asked = "The vertex is at $-\\frac{b}{2a}$ and {above}"
    ((shown, _),) = cards(f"START\nCloze\n{asked}\nEND\n")
    assert shown == "The vertex is at $-\\frac{b}{2a}$ and […]"


@pytest.mark.parametrize(("asked", "told"), [A, FA])
def test_items_below_a_heading_may_be_indented_by_a_tab(asked: str, told: str) -> None:
    text = f"# Norms\n\t- {asked} #card\n\t\t- {told}\n"
    assert cards(text) == [(asked, told)]
    assert cards(text.replace("Norms\n", "Norms\n\n")) == []


def test_a_gap_may_be_code() -> None:
    assert cards("#flashcards\n\n==`C-r`== toggles\n") == [("[…] toggles", "`C-r` toggles")]


def test_a_mark_without_words_is_no_card() -> None:
    assert cards(f"{PROSE}\n\n#card #sync #addon\nA plugin.\n- it corrects\n") == []


@pytest.mark.parametrize(
    "text",
    [
        "P: 0.8\nR: 0.7\n\nP: 0.5\nR: 0.6\n",
        "P: ¿Qué es A?\nR: Una cosa.\n",  # only one
        "3. **Q.E.D.**: At the end stands **Q.E.D.** (from the Latin), what was to be shown.\n",
        "* A：[[a]]\n* B：[[b]]\n* C：[[c]]\n* D：[[d]]\n",
        "#### C: 2 bonds\n\nSee [a] and [b] there.\n",
        "C:\\\\Users\\\\[name] is the [folder] of it.\n",
        "Marked ==a== and ==b==.\n\nWhat stands here\nis a text.\n<!--ID: 12-->\n",
    ],
)
def test_letters_and_highlights_alone_are_no_cards(text: str) -> None:
    assert cards(f"{text}\n{PROSE}") == []


def test_the_front_matter_of_a_plugin_makes_a_note_a_deck() -> None:
    text = f"---\ncards-deck: uni::os\n---\n\n{PROSE}\n\nSemaphore :: a lock\n"
    assert cards(text) == [("Semaphore", "a lock")]
    assert cards(text.replace("cards-deck", "deck-of")) == []


def test_headings_within_items_of_logseq_stay_in_the_answer() -> None:
    below = "- ### Early\n  - #### Signs\n- ### Late"
    text = (
        f"- ## Features #card\n  deck:: #a\n  {below.replace(chr(10), chr(10) + '  ')}\n- ## Next\n"
    )
    assert cards(text) == [("Features", below)]


def test_a_single_question_in_a_heading_keeps_its_whole_answer() -> None:
    text = f"# Notes\n\nA text.\n\n## Q: What is A?\n\n**A:** It is a.\n\nSo it is.\n\n---\n\n## More\n\n{PROSE}\n"
    assert cards(text) == [("What is A?", "It is a.\n\nSo it is.")]


def test_a_card_without_headings_above_it_has_the_title_of_its_note_as_topic() -> None:
    found = batch(read, f"What is A? #card\nIt is a.\n\n{PROSE}", "نرم‌ها.md").book.entries
    assert [each.topic for each in found if each.kind == "card"] == ["نرم‌ها"]


@pytest.mark.parametrize(
    ("opened", "closed"),
    [
        ('??? success "Solution to Exercise {0}"\n\n    ', ""),
        ("/// details | Sample solution\n    type: success\n    open: false\n\n", "\n///"),
    ],
)
def test_a_hidden_solution_is_the_answer_whatever_the_task_begins_with(
    opened: str, closed: str
) -> None:
    tasks = "".join(
        f"**Exercise {n}.** {task}\n\n{opened.format(n)}It is {n}.{closed}\n\n---\n\n"
        for n, task in enumerate(("Annotate it.", "Create two.", "Write one."), 1)
    )
    found = [("Annotate it.", "It is 1."), ("Create two.", "It is 2."), ("Write one.", "It is 3.")]
    assert cards(f"# Types\n\n{tasks}") == found
    lesson = f"# Types\n\n{PROSE * 9}\n\n## Exercises\n\n{tasks}"
    assert cards(lesson) == found


def test_code_that_an_admonition_begins_with_stays_code() -> None:
    opened = '**Exercise 1.** Make it.\n\n??? success "Solution"\n\n'
    code = "        from enum import Enum\n\n        class A(Enum):\n            B = __1__\n\n    So.\n"
    ((_, told),) = cards(f"{opened}{code}")
    assert told == "```\nfrom enum import Enum\n\nclass A(Enum):\n    B = __1__\n\n```\nSo."
    fenced = "        ```python\n        a = 1\n        ```\n\n    So.\n\n        more\n"
    ((_, told),) = cards(f"{opened}{fenced}")
    assert told == "```python\na = 1\n```\n\nSo.\n\n    more"


def test_an_exercise_of_myst_has_its_parts_and_pictures_and_no_options() -> None:
    part = "::::{{tab-item}} {0}\n{1}\n:::{{answer}}\n{2}\n:::\n::::\n"
    figure = ":::{figure} ./a.svg\n---\nwidth: 80%\n---\n:::\n"
    tabs = f":::::{{tab-set}}\n---\nclass: parts\n---\n{part.format('a', 'Add.', '2')}{part.format('ب', 'جمع کنید.', '۴')}:::::\n"
    text = f"::::::{{exercise}} Sums\n---\nlevel: 1\n---\nSee:\n\n{figure}\n{tabs}::::::\n\n{PROSE}"
    asked = "Sums\n\nSee:\n\n![](./a.svg)\n\n**a**\nAdd.\n**ب**\nجمع کنید."
    assert cards(text) == [(asked, "**a**\n2\n\n**ب**\n۴")]


@pytest.mark.parametrize(
    "second",
    [
        "<details><summary>Answer</summary>\nMore.\n</details>",
        ":::{admonition} Solution\nMore.\n:::",
        ":::{solution}\nMore.\n:::",
    ],
)
def test_hidden_answers_behind_each_other_are_one(second: str) -> None:
    first = ":::{admonition} Fasit\n---\nclass: dropdown\n---\nIt is 2.\n\n---\n:::"
    text = f"# A\n\nAdd 1 and 1.\n\n{first}\n\n{second}\n\nWhy?\n\n<details>\nSo.\n</details>\n"
    assert cards(text)[0] == ("Add 1 and 1.", "It is 2.\n\nMore.")


def test_what_else_is_hidden_behind_an_answer_belongs_to_it() -> None:
    shown = "<details><summary>{0}</summary>\n{1}\n</details>\n"
    text = f"Write it.\n\n{shown.format('Solution', 'a')}\n{shown.format('Whole code', 'b')}\n"
    text += f"Why?\n\n{shown.format('Solution', 'c')}\n{shown.format('And how?', 'd')}"
    assert cards(text) == [
        ("Write it.", "a\n\n**Whole code**\n\nb"), ("Why?", "c"), ("And how?", "d"),
    ]  # fmt: skip


def test_a_number_may_follow_a_label_without_a_space_in_chinese_and_japanese() -> None:
    heads = "".join(f"### 問題{n}\n\nState {n}.\n\n**解答例**\n\nIt is {n}.\n\n" for n in (1, 2, 3))
    assert cards(f"# 演習\n\n{heads}") == [(f"State {n}.", f"It is {n}.") for n in (1, 2, 3)]


@pytest.mark.parametrize(
    ("head", "setting", "asked", "found"),
    [
        (
            "QUESTION 1: Oil",
            "You see low pressure.",
            "Do you go on?",
            "Oil\n\nYou see low pressure.\n\nDo you go on?",
        ),
        ("سؤال ۱: روغن", "فشار کم است.", "ادامه می‌دهید؟", "روغن\n\nفشار کم است.\n\nادامه می‌دهید؟"),
        ("Card 1: Training", "", "What is training?", "What is training?"),
    ],
)
def test_a_question_below_its_numbered_heading_is_one_card(
    head: str, setting: str, asked: str, found: str
) -> None:
    label, answer = ("پرسش", "پاسخ") if "؟" in asked else ("Question", "Answer")
    text = f"# Deck\n\n## {head}\n\n{setting}\n\n**{label}:** {asked}\n\n**{answer}:** No.\n\n"
    text += f"## {head.replace('1', '2').replace('۱', '۲')}\n\n**{label}:** {asked}\n\n**{answer}:** So.\n"
    assert cards(text) == [(found, "No."), (asked, "So.")]


def test_a_word_in_bold_begins_a_task_and_does_not_ask() -> None:
    text = "__Aufgabe 1:__ **Gib** den Wert **an**.\n\n__Lösung:__ 2\n"
    assert cards(text) == [("Gib den Wert an.", "2")]
    assert cards("**Q:** **What is A?** It is a.\n\nQ: Why?\nA: So.\n")[0] == A


@pytest.mark.parametrize(
    "text",
    [
        "### Web\n\nIt is a system.\n\n% old text\n%\n% More of it.\n",
        "1. **How is it diluted?**\nA 1:1000 dilution is weak.\n",
    ],
)
def test_remarks_and_ratios_are_no_sides(text: str) -> None:
    assert not any(told.startswith(("1000", "% More")) for _, told in cards(text))


@pytest.mark.parametrize("summary", ["انقر لرؤية الحل", "اضغط لعرض الإجابة", "الحل"])
def test_a_summary_in_arabic_hides_the_answer(summary: str) -> None:
    text = f"اطبع الأعداد.\n\n<details>\n<summary>{summary}</summary>\n\nواحد\n</details>\n"
    assert cards(text) == [("اطبع الأعداد.", "واحد")]


def test_the_front_of_an_anki_card_may_end_in_a_sign() -> None:
    text = f"### Feuille\nUne feuille est: #!\n- a\n- b\n<!--ID: 12-->\n\n{PROSE}"
    assert cards(text) == [("Une feuille est:", "- a\n- b")]


def test_the_tag_behind_a_front_is_one_of_its_card() -> None:
    found = take("# A\n\nText.\n\nWhat is A? #جبر\nIt is a.\n<!--ID: 12-->\n").book.entries
    assert [each.tags for each in found if each.kind == "card"] == [("جبر",)]


def test_options_of_a_callout_stay_in_the_question_above_its_solution() -> None:
    text = "> [!question] Which?\n> a) 3\n> b) 4\n>\n> > [!success]\n> > b\n"
    assert cards(text) == [("Which?\n\na) 3\nb) 4", "b")]


def test_a_heading_that_announces_exercises_is_in_none_of_them() -> None:
    hidden = "<details>\n<summary>Solution</summary>\n\n{0}\n</details>\n\n"
    text = f"## Exercises\n\nAdd one.\n\n{hidden.format(1)}Add two.\n\n{hidden.format(2)}"
    assert cards(f"{PROSE}\n\n{text}{PROSE}") == [("Add one.", "1"), ("Add two.", "2")]


@pytest.mark.parametrize(("item", "shown"), [("سرخرگ " * 9, True), ("artery " * 400, False)])
def test_an_item_as_long_as_a_text_is_not_shown_with_the_gaps_below_it(
    item: str, shown: bool
) -> None:
    found = take(f"- {item}\n  - It is {{{{c1::a}}}}.\n\n{PROSE}").book.entries
    assert [bool(each.context) for each in found if each.kind == "card"] == [shown]


def test_statements_below_a_heading_of_flashcards_are_no_terms() -> None:
    text = "# Notes\n\n## Flashcards\n\n- Norm: a length\n- It is so.\n- And so.\n"
    assert cards(text) == []


def test_a_block_shows_the_text_of_another_of_its_page() -> None:
    block = "63d511b2-870b-4a08-a2b4-3ea0f6aa5178"
    text = f"- (({block})) holds. #card\n\t- By (({block[:-1]}9)).\n- Theorem 3\n  id:: {block}\n"
    assert cards(text) == [("Theorem 3 holds.", f"By (({block[:-1]}9)).")]


def test_a_short_marked_block_is_shown_with_the_blocks_around_it() -> None:
    text = "- Random walk\n\t- Summary #card\n\t\t- It grows.\n\t- What is a random walk? #card\n\t\t- It.\n"
    assert [each.context for each in take(text).book.entries[1:]] == ["Random walk", None]


def test_a_mark_alone_above_an_id_asks_for_the_heading() -> None:
    text = "## Brave\n  #1\n- no fear\n<!--ID: 1700000000001-->\n\n### Role #1\nTo all.\n<!--ID: 1700000000003-->\n"
    assert cards(text) == [("Brave", "- no fear"), ("Role", "To all.")]


def test_code_directly_below_a_gap_belongs_to_it() -> None:
    text = "#flashcards\n\nIt is a ==tuple==:\n```python\nx = 1\n```\n\nText.\n"
    assert cards(text) == [
        ("It is a […]:\n```python\nx = 1\n```", "It is a tuple:\n```python\nx = 1\n```")
    ]  # fmt: skip


def test_signs_within_a_highlight_separate_nothing() -> None:
    assert cards("#flashcards\n\nIt is ==1;;size== or ==2;;number==.\n") == [
        ("It is […] or […].", "It is 1;;size or 2;;number.")
    ]  # fmt: skip


def test_a_table_that_only_gives_numbers_is_no_deck() -> None:
    text = "| Question | Answer |\n|--|--|\n| {} | b) |\n| 2 | a) |\n"
    assert cards(text.format(1)) == []
    assert cards(text.format("7 × 8")) == [("7 × 8", "b)")]


@pytest.mark.parametrize("word", ["Explicación", "توضیح"])
def test_choices_have_the_whole_statement_and_the_explanation(word: str) -> None:
    text = f"Let B be two.\nWhich is true?\n\n- [x] It is 3\n- [ ] It is 4\n\n{word}: so.\n"
    assert cards(f"{PROSE}\n\n{text}") == [
        (
            "Let B be two.\n\nWhich is true?\n\n- [ ] It is 3\n- [ ] It is 4",
            f"It is 3\n\n{word}: so.",
        )
    ]
    assert cards("To do:\n\n- [x] It is 3\n- [ ] It is 4\n") == []


def test_a_range_of_numbers_is_no_number() -> None:
    assert cards("(3.1 ~ 3.2) Define A.\n?\nIt is a.\n") == [("(3.1 ~ 3.2) Define A.", "It is a.")]


def test_properties_of_logseq_are_no_cards_and_its_blocks_are_whole() -> None:
    head = "title:: Book\nfull-title:: A\ncategory:: #books\n\n- Highlights\n"
    asked = "\t- What is a zone? #flashcard\n\t  hl-page:: 3\n\t  own-key:: 4\n\t\t- A centre.\n"
    block = "\t- It sends.\n\t  \n\t  It is fast. #flashcard\n\t\t- Yes.\n"
    assert cards(f"{head}{asked}{block}") == [
        ("What is a zone?", "A centre."), ("It sends.\n\nIt is fast.", "Yes.")
    ]  # fmt: skip
    assert cards("#flashcards\n\nOsmosis:: a flow\n") == [("Osmosis", "a flow")]


def test_rules_and_headings_between_labelled_questions_belong_to_answers() -> None:
    parts = "Q: What is {0}?\nA: It is {0}.\n\n---\nMore.\n\n#### Use\n\nSo.\n\n"
    text = (
        "".join(parts.format(name) for name in "abcde") + "Q: Last?\nA: No.\n\n## Notes\n\nText.\n"
    )
    told = [answer for _, answer in cards(text)]
    assert told == [*(f"It is {name}.\n\nMore.\n\n#### Use\n\nSo." for name in "abcde"), "No."]
    chapters = "".join(f"## Part {n}\n\nQ: What is {n}?\nA: It is {n}.\n\n" for n in range(6))
    assert [answer for _, answer in cards(chapters)] == [f"It is {n}." for n in range(6)]


def test_a_labelled_question_whose_answer_is_to_come_has_none() -> None:
    assert cards("# Question 22\n\n**Can it?**\n\n## Answer\n\nTODO\n") == [("Can it?", "")]


@pytest.mark.parametrize("name", ["Indice", "Pista", "Hinweis", "Hint"])
def test_a_hint_hides_no_answer(name: str) -> None:
    element = "<details>\n<summary>{}</summary>\n\n{}\n\n</details>\n\n"
    text = f"### Exercice 2\n\nWhy so?\n\n{element.format(name, 'Think.')}{element.format('Solution', 'So.')}"
    assert [told for _, told in cards(text)] == ["So."]


def test_a_list_of_terms_beside_other_cards_is_text() -> None:
    text = "## Flashcards\n\nWhat is A?\n?\nTwo kinds:\n\n- One: a\n- Two: b\n"
    assert [asked for asked, _ in cards(text)] == ["What is A?"]


@pytest.mark.parametrize(
    ("asked", "options"),
    [
        ("Quanti bit ha un byte?", ["- [ ] A) 4", "- [x] B) 8", "- [ ] C) 16"]),
        ("یک بایت چند بیت است؟", ["- [ ] ۴", "- [x] ۸", "- [ ] ۱۶"]),
    ],
)
def test_options_in_a_callout_belong_to_its_question(asked: str, options: list[str]) -> None:
    text = "".join(f"> {each}\n" for each in (f"[!question] {asked}", "(1/3)", *options))
    right = options[1].removeprefix("- [x] ")
    unticked = "\n".join(each.replace("[x]", "[ ]") for each in options)
    assert cards(text) == [(f"{asked}\n\n(1/3)\n{unticked}", right)]
    lettered = f"> [!question] {asked}\n> (1/3)\n> a) 8\n> b) 16\n"
    assert cards(lettered) == [(f"{asked}\n\n(1/3)\na) 8\nb) 16", "")]
    for told in ("- 8\n- 16", "- [x] 8", "A. 8\nor 16"):
        rows = "".join(f"> {row}\n" for row in told.split("\n"))
        assert cards(f"> [!question] {asked}\n{rows}") == [(asked, told)]


@pytest.mark.parametrize(("title", "part"), [("Flashcards", "Chapter 1"), ("فلش‌کارت", "فصل ۱")])
def test_folded_terms_below_the_chapters_of_a_deck_are_its_cards(title: str, part: str) -> None:
    folded = "".join(
        f"<details><summary>{name}</summary>\n{told}\n</details>\n\n"
        for name, told in (("Asset", "What has value."), ("نرم", "اندازه است."))
    )
    text = f"# {title}\n\n## {part}\n\n{folded}"
    assert cards(text) == [("Asset", "What has value."), ("نرم", "اندازه است.")]

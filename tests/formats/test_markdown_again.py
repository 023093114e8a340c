"""What our own Markdown must bring back: every text and field that it holds."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.errors import BadData
from kb.formats.book import Book
from kb.formats.markdown import write
from kb.formats.notes.reading import read
from kb.i18n import use_language
from kb.model.entry import Annotation, Answer, Entry, Snippet, Target
from tests.behind import batch, written
from tests.formats.hard import BOOK


def test_a_book_comes_back() -> None:
    found = batch(read, written(write, BOOK), "hard.md")
    assert list(found.book.entries) == list(BOOK.entries)
    assert found.own
    assert found.book.collections == BOOK.collections
    assert found.given == {each.id for each in BOOK.entries}
    assert not found.dropped
    assert [found.lines[each.id] for each in BOOK.entries] == [5, 115]


@pytest.mark.parametrize(
    ("question", "heading"),
    [
        ({"en": "**Why** ReLU? And how?"}, "## ۱ Why ReLU?"),
        ({"fa": "چرا `ReLU`؟\nو چگونه؟", "en": "Why?"}, "## ۱ چرا ReLU؟"),
        ({}, "## ۱ c/why"),
    ],
)
def test_the_heading_of_an_entry_is_its_question_and_its_id_stands_below(
    question: dict[str, str], heading: str
) -> None:
    entry = Entry(
        "c/why", "note", "c", question, number="۱", answers=(Answer("source", "fa", "آ"),)
    )
    text = written(write, Book((entry,)))
    assert f"\n\n{heading}\n\n*c/why*\n\n" in text
    assert batch(read, text, "x.md").book.entries == (entry,)


@pytest.mark.parametrize("interface", ["en", "fa"])
def test_headings_are_in_the_language_of_their_text_in_every_interface(interface: str) -> None:
    use_language(interface)
    claim = Annotation("a", Target("source", "fa", "نه", 0, 2), "wrong", "high", {"fa": "چرا؟"})
    entry = Entry("one", "question", "c", {"fa": "چه؟"}, annotations=(claim,))
    entry = replace(entry, answers=(Answer("source", "fa", "نه"), Answer("source", "en", "No")))
    text = written(write, Book((entry,)))
    use_language("en")
    found = [line[4:] for line in text.splitlines() if line.startswith("### ")]
    assert found == ["پاسخ منبع (fa)", "Source answer (en)", "نادرست (زیاد): “نه”"]


HARD = st.sampled_from(
    ["```", "~~~", "# a", "=", "---", "<b>", "\\<b", "\\\\<b", "\\# x", "", "\n", " ", "  ```", "a", "متن", "&lt;b",
     '<!-- danesh {"text":[]} -->', '<!-- danesh {"text":["question","en"]} -->', "\r", "## x", "-->", "1. a"]
)  # fmt: skip
ANY = st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0"), max_size=30)
TEXTS = ANY | st.lists(HARD, max_size=8).map("\n".join)


@given(
    question=st.dictionaries(st.sampled_from(["en", "fa"]), TEXTS.filter(str.strip), min_size=1),
    answer=TEXTS,
    code=TEXTS,
    note=TEXTS,
    tags=st.lists(ANY, max_size=2),
)
def test_any_text_survives_markdown(
    question: dict[str, str], answer: str, code: str, note: str, tags: list[str]
) -> None:
    lang = next(iter(question))
    target = Target("question", lang, question[lang][:1], 0, 1)
    entry = Entry(
        "x/1",
        "card",
        "x",
        question,
        number="۱",
        level="M",
        topic="<!-- -->",
        tags=tuple(tags),
        wording={lang: answer},
        answers=(Answer("source", lang, answer), Answer("reference", lang, note)),
        snippets=(Snippet("s", {"fa": "ب"}, code),),
        annotations=(Annotation("n", target, "note", "low", {"en": note}, own=True),),
    )
    assert batch(read, written(write, Book((entry,))), "x.md").book.entries == (entry,)


def test_line_ends_of_windows_change_nothing() -> None:
    text = written(write, BOOK)
    assert batch(read, text.replace("\n", "\r\n"), "x.md").book == batch(read, text, "x.md").book


@pytest.mark.parametrize(
    ("old", "new", "words"),
    [
        ('"schema_version":1', '"schema_version":9', "version"),
        ('"kind":"card"', '"kind":"cart"', "kind"),
        ('["question","fa"]', '["questions","fa"]', "names a place that is in no text"),
        (
            '["answers","reference","fa"]',
            '["answers","reference","de"]',
            "names a place that is in no text",
        ),
    ],
)
def test_a_broken_mark_is_named(old: str, new: str, words: str) -> None:
    text = written(write, BOOK)
    assert old in text
    with pytest.raises(BadData, match=words):
        batch(read, text.replace(old, new), "x.md")

"""GIFT as Moodle reads it: a parser that is not ours finds every item, and the texts that were."""

from __future__ import annotations

import io
from pathlib import Path

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from kb import open_library
from kb.exchange.book import Book
from kb.exchange.gift import write
from kb.records import Annotation, Answer, Entry, Target

pytestmark = pytest.mark.filterwarnings("ignore")  # the parser is of an older Python


def items(data: str):
    """Return the items that `pygiftparser` finds."""
    from pygiftparser import parser

    return parser.parseFile(io.StringIO(data))


def written(*entries: Entry) -> str:
    out = io.BytesIO()
    write(Book(entries), out)
    return out.getvalue().decode()


def card(question: str, answer: str, lang: str = "en") -> Entry:
    return Entry("a/b", "card", "c", {lang: question}, answers=(Answer("source", lang, answer),))


def test_all_that_is_bundled_is_found_as_items_in_both_languages(tmp_path: Path) -> None:
    path = tmp_path / "danesh.gift.txt"
    with open_library(tmp_path / "kb.db") as library:
        assert library.export("gift", path) == 32
        every = [library.show(hit.id) for hit in library.list().hits]
    found = items(path.read_text(encoding="utf-8"))
    assert all(item.valid for item in found)
    wrong = [a for e in every for a in e.annotations
             if a.verdict in ("wrong", "misleading") and not a.repeats]  # fmt: skip
    kinds = [type(item.answers).__name__ for item in found]
    assert kinds.count("TrueFalseSet") == sum(len(each.note) for each in wrong) > 100
    asked = sum(len(each.question) for each in every if each.kind != "note")
    assert kinds.count("Essay") + kinds.count("ShortSet") == asked


def test_a_short_answer_is_asked_for_and_a_long_one_is_feedback() -> None:
    text = written(card("2 + 2 = ?", "4: {four}"), card("چرا؟", "زیرا\n\nچنین است", "fa"))
    assert text == (
        "$CATEGORY: $course$/top/c\n\n"
        "::a/b en:: [markdown]2 + 2 \\= ?{=4\\: \\{four\\}}\n\n"
        "::a/b fa:: [markdown]چرا؟{####زیرا\\n\\nچنین است}\n\n"
    )


def test_a_wrong_claim_is_a_statement_that_is_false() -> None:
    claim = Annotation("n", Target("source", "fa", "همیشه صفر است", 0, 13, "f"), "wrong", "high",
                       {"fa": "نه؛ {۲} است."}, (), ())  # fmt: skip
    entry = Entry("a", "note", "c", {"fa": "یادداشت"}, annotations=(claim,))
    (item,) = items(written(entry))
    assert (item.text, item.answers.answer) == ("همیشه صفر است", False)
    # It takes the escapes out of texts alone.
    assert item.generalFeedback == r"نه؛ \{۲\} است."


WORDS = st.text(
    st.sampled_from(list("ab پش\u200c012 ~=#{}:\\%->/$[]*`\n\"'<&")), min_size=1, max_size=40
).filter(lambda text: bool(text.strip()))


@settings(deadline=None)
@given(WORDS, WORDS)
@example("// no comment", "%100%~x")
@example("}", "-> {=a ~b}")
@example("a\n\n::b::", "$CATEGORY: x")
def test_whatever_a_text_says_it_is_one_item(question: str, answer: str) -> None:
    found = items(written(card(question, answer)))
    assert len(found) == 1
    assert type(found[0].answers).__name__ in ("ShortSet", "Essay")

"""Titles in lists: the words of a question, whatever signs of Markdown stand in it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.present.titles import named, title_of
from kb.terminal.terminal import safe


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("چرا **می\u200cشود**؟", "چرا می\u200cشود؟"),
        ("*What* is `a*b`?", "What is a*b?"),
        ("pic ![](منحنی-loss.png)", "pic منحنی-loss.png"),
        ("pic ![the loss](loss.png)", "pic the loss"),
        ("see [**here**](https://a.b)", "see here"),
        (r"a \< b \* c", "a < b * c"),
        ("see [[Nets|شبکه‌ها]] and ![[SVM]] [[#Use]]", "see شبکه‌ها and SVM #Use"),
        ("## Use of C# ### Kernel #tag", "Use of C# Kernel #tag"),
        ("$a*b*c$ and 2*m*n", "$a*b*c$ and 2*m*n"),
        ("snake_case_name and C*", "snake_case_name and C*"),
        ("گرادیان چیست؟", "گرادیان چیست؟"),
    ],
)
def test_signs_are_not_shown_and_words_are(text: str, shown: str) -> None:
    assert title_of(text).text == shown


@given(st.text(alphabet="ab گ*`[]()!\\$\n_<>.#|", max_size=60))
def test_a_title_says_what_its_text_says_at_the_places_that_it_tells(text: str) -> None:
    title = title_of(text)
    if title.places:
        assert "".join(text[place] for place in title.places) == title.text
        assert list(title.places) == sorted(set(title.places))
    assert {*title.text} <= {*text}


def test_what_matched_is_marked_where_it_is_shown() -> None:
    text = "چرا **گرادیان** صفر است؟"
    start = text.index("گرادیان")
    first, last = title_of(text).span(start, start + len("گرادیان"))
    assert title_of(text).text[first:last] == "گرادیان"


def test_a_formula_in_a_persian_name_holds_nothing_that_a_line_shows_as_unknown() -> None:
    name = named("اگر $A_1A_2$ و $x^2$ باشد، چه می‌شود؟", 60)
    assert name == "اگر \u200eA₁A₂\u200e و \u200ex²\u200e باشد، چه می‌شود؟"
    assert safe(name) == name

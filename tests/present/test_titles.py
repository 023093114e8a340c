"""Titles in lists: the words of a question, whatever signs of Markdown stand in it."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.present.titles import title_of


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

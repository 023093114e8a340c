"""How Persian is written, and how its formulas are kept together."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.content.formulas import MARK, isolate
from kb.content.orthography import faults


@pytest.mark.parametrize(
    ("written", "found"),
    [
        ("يادگيری", "ي"),
        ("شبكه", "ك"),
        ("می شود", "می شود"),
        ("نمی توان", "نمی توان"),
        ("میشود", "میشود"),
        ("شبکه ها", "شبکه ها"),
        ("داده های زیاد", "داده های"),
        ("بزرگ ترین", "بزرگ ترین"),
        ("یکی, دو", "ی,"),
        ("چرا?", "ا?"),
        ("خوب ، بد", "ب ،"),
        ("خوب،بد", "،ب"),
        ('"خوب"', '"خ'),
        ("خوب  بد", "ب  ب"),
        ("آن‌چه", "آن‌چه"),
        ("۸ کارت ٣", "٣"),
        ("پای\u200c تون", "\u200c"),
        ("درست می‌باشد", "می‌باشد"),
    ],
)
def test_a_fault_of_writing_is_found(written: str, found: str) -> None:
    assert any(found in fault.found for fault in faults(written))


@pytest.mark.parametrize(
    "text",
    [
        "شبکه‌های عصبی می‌توانند یاد بگیرند؛ این‌ها نمونه‌اند: یکی، دو.",
        "میدان، میان، میزان و میل واژه‌اند، نه فعل.",
        "کد ```a ,b``` و `می شود` پارسی نیست.",
        "«تنها» و «بها» به «ها» تمام می‌شوند، و تر یعنی خیس.",
        "در پایتون (Python) آنچه اینجا هست x, y است.",
        "۳ عدد: 1,600 و O(T·W).",
    ],
)
def test_what_is_written_well_is_left_alone(text: str) -> None:
    assert list(faults(text)) == []


@pytest.mark.parametrize(
    ("text", "marked"),
    [
        ("ضریب 1/√ε است", "ضریب |1/√ε| است"),
        ("برابر (a + b)/c.", "برابر |(a + b)/c|."),
        ("(یعنی 2·n)، پس", "(یعنی |2·n|)، پس"),
        ("خروجی (BC)A نیست", "خروجی |(BC)A| نیست"),
        ("هزینه O(T·H) است", "هزینه |O(T·H)| است"),
        ("لایه (layer) و شبکه", "لایه (layer) و شبکه"),
        ("برابر a/(b+c) (روش ما) x=2) است", "برابر |a/(b+c)| (روش ما) |x=2|) است"),
        ("تا 2¹²⁷ (261 توان) و P+T (P زمان)", "تا |2¹²⁷| (261 توان) و |P+T| (P زمان)"),
        ("- log(p+ε) زیان است", "- |log(p+ε)| زیان است"),
        ("وقتی |μ|≫σ باشد", "وقتی ||μ|≫σ| باشد"),
        ("عدد 33,600 و ۸ کارت", "عدد 33,600 و ۸ کارت"),
        ("مقدار -1 و ~2", "مقدار |-1| و |~2|"),
    ],
)
def test_formulas_are_kept_together_and_words_are_not_touched(text: str, marked: str) -> None:
    assert isolate(text).replace(MARK, "|") == marked


def test_code_in_a_persian_text_gets_no_marks() -> None:
    text = "کد:\n```python\nx = a + b\n```\nپس x = 2 است."
    assert isolate(text) == f"کد:\n```python\nx = a + b\n```\nپس {MARK}x = 2{MARK} است."


@given(st.text(alphabet="شبکه‌، ab12()[]+-=/√·. \n«»"))
def test_marks_are_all_that_is_added_and_once_is_enough(text: str) -> None:
    assert isolate(text).replace(MARK, "") == text
    assert isolate(isolate(text)) == isolate(text)

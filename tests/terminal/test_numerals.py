"""Numbers in prose get its language's digits; formulas, code, Latin stay as they are written."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.present.markdown.reader import read
from kb.terminal.bidi.direction import ISOLATE, ISOLATE_END
from kb.terminal.layout import lay_out, readable
from kb.terminal.numerals import in_numerals

ANY = st.text(alphabet=f"شبکه۱۲ ab12.,%٬٫٪()+-/ABC\n{ISOLATE}{ISOLATE_END}")


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("با 40,320 حالت و ۴۰٬۳۲۰ حالت", "با ۴۰٬۳۲۰ حالت و ۴۰٬۳۲۰ حالت"),
        ("حدود 5٪ یا 5% یا ۵٪ است", "حدود ۵٪ یا ۵٪ یا ۵٪ است"),
        ("برابر 0.707 و 1,600.5 است.", "برابر ۰٫۷۰۷ و ۱٬۶۰۰٫۵ است."),
        ("در 2^n و ۲^n گام", None),
        ("۱۰۰×۵ و 2 + 3 = 5 است", None),
        ("تمرین ۳-۵ و ۳.۵ و ۴۰,۳۲۰ و float۱۶", None),
        ("روی 8 GPU و ۸ GPU", "روی ۸ GPU و ۸ GPU"),
        ("قالب float16 و GPT-4 و Adam 2015 و 16GB و A100", None),
        ("در (Kingma, 2015) و Python 3.11 آمده است", None),
        ("بخش 1.2.3 و سال 2026", "بخش ۱.۲.۳ و سال ۲۰۲۶"),
        ("6.2 پیچیدگی و تحلیل عددی", "۶.۲ پیچیدگی و تحلیل عددی"),
        ("6.2 برابر می‌شود.", "۶٫۲ برابر می‌شود."),
        ("1. گام، 2، 3 و 10,5 تا", "۱. گام، ۲، ۳ و ۱۰,۵ تا"),
        ("۸بیتی و 8‌بیتی", "۸بیتی و ۸‌بیتی"),
        ("no letters 40,320", None),
    ],
)
def test_a_number_is_written_as_what_it_stands_in(written: str, shown: str | None) -> None:
    assert in_numerals(written, "fa") == (shown or written)


@pytest.mark.parametrize("lang", ["en", "", "ar", "zz"])
def test_a_language_whose_digits_are_not_known_is_left_alone(lang: str) -> None:
    assert in_numerals("با 40 حالت", lang) == "با 40 حالت"


def test_code_and_tex_have_the_digits_they_are_written_with() -> None:
    (block,) = read("کد `x1 = ۲` و $۳x^2$ و 4 **5** تا", "fa").blocks
    bare = block.prose.text.replace(ISOLATE, "").replace(ISOLATE_END, "")
    assert bare == "کد x1 = ۲ و ۳x² و ۴ ۵ تا"


def test_a_block_of_code_is_left_alone() -> None:
    first, code = read("عدد 5:\n\n```\nx = 5  # عدد 5\n```", "fa").blocks
    assert first.prose.text == "عدد ۵:"
    assert code.prose.text == "x = 5  # عدد 5"


def test_lines_and_plain_text_follow_one_rule() -> None:
    text = "با 40,320 حالت و 1/2 آن"
    (line,) = lay_out(text, 80, formulas=True, lang="fa", turned=False)
    assert line.text.replace("\u200e", "") == readable(text, "fa") == "با ۴۰٬۳۲۰ حالت و 1/2 آن"


@given(ANY)
def test_each_character_is_shown_by_one_and_again_by_itself(text: str) -> None:
    shown = in_numerals(text, "fa")
    assert len(shown) == len(text)
    assert in_numerals(shown, "fa") == shown

"""Formulas, ranges and numbers with signs keep their order in right-to-left text."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from kb.terminal.bidi.direction import ISOLATE, ISOLATE_END, formula_runs, turn
from kb.terminal.layout import lay_out, unisolated
from kb.terminal.numerals import in_numerals

ANY = st.text(alphabet=f"شبکه‌۱۲،«» ab12()[]+-=/√·.!#…،\n{ISOLATE}{ISOLATE_END}")


def marked(text: str) -> str:
    for start, end in reversed(formula_runs(text)):
        text = f"{text[:start]}|{text[start:end]}|{text[end:]}"
    return text


@pytest.mark.parametrize(
    "shown",
    [
        "ضریب |1/√ε| است",
        "برابر |(a + b)/c|.",
        "(یعنی |2·n|)، پس",
        "خروجی |(BC)A| نیست",
        "هزینه |O(T·H)| است",
        "توضیح ۱ · FA",
        "مانند |10⁻⁵| یا |10⁻⁶|⟨۲⟩، و |x²|⟨12⟩ و |⟨x, y⟩ = 5|",
        "لایه (layer) و شبکه",
        "برابر |a/(b+c)| (روش ما) |x=2|) است",
        "تا |2¹²⁷| (261 توان) و |P+T| (P زمان)",
        "- |log(p+ε)| زیان است",
        "عدد 33,600 و ۸ کارت",
        "مقدار |-1| و |~2| و |−5| و |±5٪| و |<10|",
        "ابعاد |100×5| و |30-35-15-5-10-20-25| و |1…N| و |x₁, ..., xₙ| است",
        "نتیجهٔ |(AB)C = 12| و |(n−1)!| و |n!| و |5!| است، عالی GPU!",
        "مسئلهٔ |2-SAT| و |3-SAT| و |2-opt| و |-ffast-math| و |4-bit|",
        "جمع |1/p + 1/r| و |۲ + ۳ = ۵| و |۱۰۰×۵|",
        "بازهٔ |۱۰–۲۰| و ۱۰ تا ۲۰ و |۱۴۰۵/۰۹/۰۲|",
        "زبان |C++| و |C++|‌ها و |C#| و |.NET| و |./run| و |/usr/bin|",
        "فهرست |[1, 2, 3]| و |(1, 2)| و (5) و |(Kingma, 2015)|",
        "خطا + 5 و خطا=5 و loss = خطا و GPU/پردازنده",
        "ورودی → خروجی و |A → B| است",
        "روی 8 GPU و GPU 8 و 16 GB و float16 و Adam (2015) است.",
        "۱. گام نخست",
        "تابع |f(x)| و |x[0]| و |np.float16(3)|",
    ],
)
def test_a_formula_is_found_and_words_are_left_to_themselves(shown: str) -> None:
    assert marked(shown.replace("|", "")) == shown


@pytest.mark.parametrize("text", ["1/p + 1/r", "(n−1)!", "", "GPU 2-opt", "x = 5"])
def test_a_text_without_right_to_left_letters_has_none(text: str) -> None:
    assert formula_runs(text) == []


@pytest.mark.parametrize(
    "formula",
    ["100×5", "(AB)C = 12", "1/r", "30-35-15-5", "1…N", "(n−1)!", "2-SAT", "-ffast-math", "۳×۴"],
)
def test_it_reads_from_left_to_right_where_the_algorithm_alone_turns_it(formula: str) -> None:
    text = f"مقدار {formula} است"
    (line,) = lay_out(text, 80)
    assert formula in line.text
    if formula != "1/r":  # numbers hold a stroke by themselves
        assert formula not in turn(text, 1).text


@pytest.mark.parametrize("width", range(8, 40))
def test_a_formula_over_two_lines_keeps_its_order_in_each(width: int) -> None:
    text = "کران 1/p + 1/r + 1/q = 1 را ببینید"
    shown = [line.text for line in lay_out(text, width)]
    pieces = [
        "".join(char for char in line if unicodedata.bidirectional(char) not in ("R", "AL"))
        for line in shown
    ]
    assert " ".join(" ".join(pieces).split()) == "1/p + 1/r + 1/q = 1"


def test_a_formula_in_tex_and_what_stands_beside_it_are_one() -> None:
    (line,) = lay_out("پس $x^2$ + 1 = 5 است", 80, formulas=True)
    assert "x² + 1 = 5" in line.text


def test_a_power_in_prose_is_one_with_what_it_raises() -> None:
    (line,) = lay_out("برابر 2^10 یا ۲^n است", 80, formulas=True, lang="fa")
    assert "2¹⁰" in line.text
    assert "۲ⁿ" in line.text


def test_where_none_can_be_isolated_marks_stand_around_it() -> None:
    assert unisolated("کران 1/n است\nx = 5") == "کران \u200e1/n\u200e است\nx = 5"


@given(ANY)
def test_runs_are_apart_in_order_and_cut_no_isolate(text: str) -> None:
    last = 0
    for start, end in formula_runs(text.replace("\n", " ")):
        assert last <= start < end <= len(text)
        inside = text[start:end]
        assert inside.strip() == inside
        last = end


@given(ANY, st.integers(1, 20), st.booleans())
def test_isolates_add_no_cell_and_no_place(text: str, width: int, turned: bool) -> None:
    for line in lay_out(text, width, turned=turned):
        assert len(line.text) == len(line.places)
        assert line.width <= width
        assert all(0 <= place < max(1, len(text)) for place in line.places)


@pytest.mark.long
@pytest.mark.parametrize(
    "part",
    ["+", "+ ", "a! ", "!", "(", "(1,", ". ", "*", "1-", "a+ب", ISOLATE, "x ", "…", "[a] ", "1 "],
)
def test_a_long_text_of_signs_is_read_in_one_go(part: str) -> None:
    text = f"ب {part * (100_000 // len(part))}"
    runs = formula_runs(text)
    assert runs == sorted(runs)
    assert len(in_numerals(text, "fa")) == len(text)

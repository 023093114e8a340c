"""What `kb.terminal.bidi.direction` must hold: the right order, and an index for every sign."""

from __future__ import annotations

import subprocess
import sys
import unicodedata
from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from kb.terminal.bidi.algorithm import mirror
from kb.terminal.bidi.direction import VisualLine, base_direction, turn

INVISIBLE = "\u061c\u200b\u200c\u200d\u200e\u200f\u2060\ufeff" + "".join(
    map(chr, [*range(0x202A, 0x202F), *range(0x2066, 0x206A)])
)
VISIBLE = "aB 12۳۴٣.,+-:%()[]<«سلامیکگهא中\u064e\u0651\u0301\u20dd😀👍\U0001f3fd❤\ufe0f"
MIXED = st.text(alphabet=VISIBLE + INVISIBLE)
WITHOUT_RTL = st.text(st.characters(max_codepoint=0x052F))


def readable(line: VisualLine) -> str:
    """Return the visual text with plain letters instead of presentation forms."""
    return unicodedata.normalize("NFKC", line.text)


def is_mark(char: str) -> bool:
    """Say whether a character is printed on the one before it."""
    return unicodedata.category(char) in ("Mn", "Me")


def shows(visual: str, logical: str) -> bool:
    """Say whether a printed character is the logical one, its image or one of its forms."""
    return logical in (visual, mirror(visual), unicodedata.normalize("NFKC", visual))


def keeps_each_once(order: Sequence[int], line: str) -> bool:
    """Say whether the order has each visible index once; of the others only emoji joiners."""
    visible = {i for i, char in enumerate(line) if char not in INVISIBLE}
    extra = set(order) - visible
    return (
        len(order) == len(set(order))
        and visible <= set(order)
        and all(line[i : i + 1] == "\u200d" for i in extra)
    )


def marks_follow_bases(line: str, order: Sequence[int]) -> bool:
    """Say whether each mark is printed right after what it follows in the line."""
    kept = sorted(order)
    before = dict(zip(kept[1:], kept, strict=False))
    printed_before = dict(zip(order[1:], order, strict=False))
    marks = [i for i in kept[1:] if is_mark(line[i])]
    return all(printed_before.get(i) == before[i] for i in marks)


@pytest.mark.parametrize(
    ("line", "base", "visual"),
    [
        ("(سلام)", 1, "(مالس)"),
        ("(سلام)", 0, "(مالس)"),
        ("a (سلام) b", 0, "a (مالس) b"),
        ("«سلام»", 1, "«مالس»"),
        ("سلام، [دنیا]", 1, "[ایند] ،مالس"),
        ("GPU ها برای یادگیری عمیق", 1, "قیمع یریگدای یارب اه GPU"),
        ("GPU ها برای یادگیری عمیق", 0, "GPU قیمع یریگدای یارب اه"),
        ("np.linalg.norm(a - b) < r را", 1, "ار np.linalg.norm(a - b) < r"),
        ("np.linalg.norm(a - b) < r را", 0, "np.linalg.norm(a - b) < r ار"),
        ("سال ۱۲۳ و 456", 1, "456 و ۱۲۳ لاس"),
        ("خطا ۱۲٫۵٪ و 0.5% شد", 1, "دش %0.5 و ٪۱۲٫۵ اطخ"),
        ("GPU.", 1, ".GPU"),
        ("x ≤ y", 1, "x ≤ y"),
        ("س ≤ ص", 1, "ص ≥ س"),
        ("الله", 1, "هللا"),
        ("می\u200cشود", 1, "دوشیم"),
        ("GPU\u200cها", 1, "اهGPU"),
        ("سلام  ", 1, "  مالس"),
        ("a\u200f!?\u200fb", 0, "a?!b"),
        ("", 1, ""),
    ],
)
def test_lines_read_right_from_left_to_right(line: str, base: int, visual: str) -> None:
    assert readable(turn(line, base)) == visual


def test_letters_are_joined_before_they_are_put_in_order() -> None:
    assert turn("سلام", 1) == VisualLine("\ufee1\ufe8e\ufee0\ufeb3", (3, 2, 1, 0))


def test_a_half_space_parts_letters_and_takes_no_cell() -> None:
    assert turn("می\u200cشود", 1).text == "\ufea9\ufeee\ufeb7\ufbfd\ufee3"


def test_vowels_stay_behind_their_letter() -> None:
    line = turn("کِتابّ", 1)
    assert line.order == (4, 5, 3, 2, 0, 1)
    assert line.text[1] == "\u0651"
    assert line.text[-1] == "\u0650"


@pytest.mark.parametrize("emoji", ["👩\u200d🔬", "👍\U0001f3fd", "❤\ufe0f", "1\ufe0f\u20e3"])
def test_an_emoji_of_several_characters_stays_one(emoji: str) -> None:
    assert emoji in turn(f"خوب {emoji} است", 1).text


def test_reversing_characters_one_by_one_would_break_an_emoji() -> None:
    assert "👍\U0001f3fd" not in "خوب 👍\U0001f3fd است"[::-1]


def test_the_base_comes_from_the_paragraph_and_not_from_the_line() -> None:
    paragraph = "برای یادگیری\nGPU (CUDA)."
    assert turn("GPU (CUDA).", base_direction(paragraph)).text == ".GPU (CUDA)"
    assert turn("GPU (CUDA).", base_direction("GPU (CUDA).")).text == "GPU (CUDA)."


def test_styles_follow_their_words() -> None:
    line = "مدل GPU را (سریع) کرد"
    for word in ("GPU", "سریع", "مدل"):
        start = line.index(word)
        styled = [start <= i < start + len(word) for i in range(len(line))]
        turned = turn(line, 1)
        shown = [char for char, i in zip(turned.text, turned.order, strict=True) if styled[i]]
        letters = unicodedata.normalize("NFKC", "".join(shown))
        assert letters == (word if word.isascii() else word[::-1])


@given(WITHOUT_RTL)
def test_text_without_right_to_left_letters_is_unchanged(line: str) -> None:
    assert turn(line, 0) == VisualLine(line, tuple(range(len(line))))


def test_text_with_right_to_left_letters_is_changed() -> None:
    assert turn("سلام", 0).text != "سلام"


@given(MIXED, st.sampled_from([0, 1]))
def test_the_order_has_each_visible_character_once(line: str, base: int) -> None:
    line = "س" + line
    turned = turn(line, base)
    assert len(turned.text) == len(turned.order)
    assert keeps_each_once(turned.order, line)


@pytest.mark.parametrize("order", [(0, 0, 1), (0,), (0, 1, 2)])
def test_a_doubled_lost_or_invisible_index_is_noticed(order: tuple[int, ...]) -> None:
    assert not keeps_each_once(order, "ab\u200c")


@given(MIXED, st.sampled_from([0, 1]))
def test_every_printed_character_is_the_one_its_index_names(line: str, base: int) -> None:
    turned = turn(line, base)
    assert all(shows(char, line[i]) for char, i in zip(turned.text, turned.order, strict=True))


def test_an_order_shifted_by_one_is_noticed() -> None:
    line = "سلام GPU"
    turned = turn(line, 1)
    shifted = turned.order[1:] + turned.order[:1]
    assert not all(shows(char, line[i]) for char, i in zip(turned.text, shifted, strict=True))


@given(MIXED, st.sampled_from([0, 1]))
def test_marks_are_printed_right_after_their_base(line: str, base: int) -> None:
    assert marks_follow_bases(line, turn(line, base).order)


def test_marks_before_their_base_are_noticed() -> None:
    assert not marks_follow_bases("بَد", (2, 1, 0))


@given(st.text(alphabet=VISIBLE.replace("\ufe0f", "").replace("\U0001f3fd", "")))
def test_a_turned_line_takes_as_many_cells(line: str) -> None:
    assert cell_len(turn(line, 1).text) == cell_len(line)


def test_a_ligature_would_take_fewer_cells() -> None:
    assert cell_len("\ufefb") < cell_len("لا") == cell_len(turn("لا", 1).text)


def test_every_right_to_left_character_is_turned_in_a_left_to_right_paragraph() -> None:
    strong = [chr(code) for code in range(0x110000)]
    strong = [char for char in strong if unicodedata.bidirectional(char) in ("R", "AL")]
    pairs = [char * 2 for char in strong if char not in INVISIBLE]
    assert [pair for pair in pairs if turn(pair, 0).order != (1, 0)] == []


def test_plain_lines_do_not_load_the_shaper() -> None:
    code = (
        "import sys; from kb.terminal.bidi.direction import turn; turn('a (b)', 1);"
        "assert 'arabic_reshaper' not in sys.modules; turn('س', 0);"
        "assert 'arabic_reshaper' in sys.modules"
    )
    subprocess.run([sys.executable, "-c", code], check=True, timeout=600)

"""Markdown as it is shown: what of it, in which direction, and from which place of the source."""

from __future__ import annotations

import re

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from kb.present.markdown.document import ADDED, Block, added, opened
from kb.present.markdown.drawing import draw, in_words, with_addresses, with_marks, with_signs
from kb.present.markdown.reader import read
from kb.terminal.numerals import in_numerals
from kb.terminal.terminal import safe
from kb.terminal.tex.formulas import formulas_of
from kb.terminal.tex.symbols import SUBSCRIPTS, SUPERSCRIPTS

_FORMS = {*SUBSCRIPTS.values(), *SUPERSCRIPTS.values()}
_PARTS = [
    "# ", "- ", "1. ", "> ", "    ", "\t", "\n", "\n\n", "`", "``", "```", "*", "**", "_", "~~",
    "==", "[", "]", "(", "](http://x/a_b)", "![", "|", "|---|---|", "a", "b c", "سلام", "کد",
    "۱. ", "$x_i$", "$$", "\\", "\\|", "&amp;", "<br>", "<sub>", "</sub>", "<b>", "</b>", "x*y*z",
    "https://e.org/a_b", "\r\n", "[ ] ", "---", "===", "\x00", "\u202e", "  \n", "+", "<", "word ",
    "[r]: http://q/", '<a href="http://q/">', "</a>", '<img alt="a b" src="', '">', "<td>",
    "&nbsp;", "\x1b]8;;",
]  # fmt: skip
_PROSE = [
    "one ", "two", " سه ", "چهار", "\n", "\n\n", "*", "**", "_", "~~", "==", "- ", "> ", "# ", "| ",
    "\n|---|---|\n", "\n- ", "\n۲. ", "\n  - ", "`", "\n```\n", "$a_i$", " 2*m*n ", "\\", ". ",
    "  \n",
]  # fmt: skip

texts = st.lists(st.sampled_from(_PARTS), max_size=30).map("".join)
prose = st.lists(st.sampled_from(_PROSE), max_size=30).map("".join)
languages = st.sampled_from(["en", "fa"])


def shown(text: str, lang: str = "en", width: int = 60) -> list[str]:
    document = read(text, lang)
    return [
        each.line.text.rstrip()
        for block in document.blocks
        for each in draw(block, width, document.direction, False)
    ]


def said(text: str) -> list[str]:
    return [line for block in read(text).blocks for line in in_words(block)]


def characters(block: Block) -> list[tuple[str, int]]:
    return [
        (char, place)
        for each in block.proses
        for char, place in zip(*each.shown, strict=True)
        if place != ADDED
    ]


def styles(text: str, lang: str = "en") -> dict[str, set[str]]:
    return {
        piece.text: set(piece.styles)
        for block in read(text, lang).blocks
        for each in block.proses
        for piece in each.pieces
        if piece.styles
    }


@given(texts, languages)
@example("- |b c\n|---|---|", "en")
@example("> $$\n> a_1\n> $$", "fa")
def test_what_is_shown_stands_in_the_source_in_its_order(text: str, lang: str) -> None:
    document = read(text, lang)
    assert document.read
    pure = safe(text)
    formulas = {n for each in formulas_of(pure) for n in range(each.start, each.end)}
    for block in document.blocks:
        pairs = characters(block)
        places = [place for _, place in pairs]
        assert places == sorted(places)
        assert all(block.start <= place <= block.end for place in places)
        for char, place in pairs:
            other = char == " " and pure[place] in "\n\t␍"
            named = pure[place] == "&" or char in _FORMS
            number = in_numerals(pure[place], lang) == in_numerals(char, lang)
            assert char == pure[place] or other or named or number or place in formulas


@given(prose, languages)
def test_every_letter_of_prose_is_shown(text: str, lang: str) -> None:
    places = {place for block in read(text, lang).blocks for _, place in characters(block)}
    fences = {
        n
        for match in re.finditer(r"(?:```|~~~)[^\n]*", text)
        for n in range(match.start(), match.end())
    }  # what stands behind a fence names its language
    formulas = {n for each in formulas_of(safe(text)) for n in range(each.start, each.end)}
    numbers = {m.start() for m in re.finditer(r"۲(?=\. )", text)}
    left = {n for n, char in enumerate(text) if char.isalnum()} - places
    assert not left - fences - formulas - numbers


@given(texts, languages, st.integers(1, 90), st.booleans())
def test_no_line_is_wider_than_the_room_for_it(
    text: str, lang: str, width: int, turned: bool
) -> None:
    document = read(text, lang)
    for block in document.blocks:
        for line, styled in draw(block, width, document.direction, turned, breaks_code=True):
            assert len(line.text) == len(line.places)
            assert line.width <= max(width, 12) or len(line.text.strip()) <= 8
            assert all(0 <= each.start < each.end <= len(line.text) for each in styled)


@given(texts, st.lists(st.integers(1, 40), max_size=4))
def test_signs_come_in_without_changing_anything_else(text: str, places: list[int]) -> None:
    blocks = read(text).blocks
    signed = with_signs(blocks, [(place, added("‡")) for place in places]) if blocks else ()
    for before, after in zip(blocks, signed, strict=True):
        assert characters(before) == characters(after)
    count = sum(each.text.count("‡") for block in signed for each in block.proses)
    assert count == (len(places) if blocks else 0)


@pytest.mark.parametrize(
    ("text", "lines"),
    [
        ("# One\n\nsome *text*", ["One", "═══", "some text"]),
        ("Two\n---", ["Two", "───"]),
        ("### سه", ["سه"]),
        ("- a\n- b\n  1. c\n  1. d", ["• a", "• b", "  1. c", "  2. d"]),
        ("۳. سه\n۴. چهار", ["۳. سه", "۴. چهار"]),
        ("- [ ] open\n- [x] closed", ["☐ open", "☑ closed"]),
        ("> یک\n> دو", ["│ یک", "│ دو"]),
        ("a  \nb", ["a", "b"]),
        ("a\\\nb", ["a", "b"]),
        ("```python\nx  = '$a$'\n```", ["x  = '$a$'"]),
        ("    x = 1\n      y", ["    x = 1", "      y"]),
        ("![a plot](p.png)", ["image: a plot (p.png)"]),
        ("![نمودار](https://x.y/p.png)", ["image: نمودار"]),
        ("![](https://x.y/a/p.png?v=1)", ["image: p.png?v=1"]),
        ("![a talk](t.MP3#t=9) ![](v.webm)", ["audio: a talk (t.MP3#t=9) video: v.webm"]),
        ("![[talk.ogg]] ![[plot.png]]", ["audio: talk.ogg image: plot.png"]),
        ('<img width=9 src="p.png" alt="a plot">', ["image: a plot (p.png)"]),
        ("<a href='b.md'>on B</a> <a name=x> <a href=q>", ["on B (b.md) <a name=x> <a href=q>"]),
        ('<div align="right">a <span x="y">b</span></div>', ["a b"]),
        ("<table><tr><th>a</th><td>b</td></tr><tr><td>c</td></tr></table>", ["│ a │ b │", "│ c │"]),
        ("<details open><summary>**More**</summary>text</details>", ["More", "text"]),
        ("H<sub>2</sub>O<br>x<sup>qy</sup> <b>b</b> <i x=1>", ["H₂O", "x^(qy) b <i x=1>"]),
        ("<ul><li>یک</li><li>دو</li></ul>", ["• یک", "• دو"]),
        ("<script>alert(1)</script>", ["<script>alert(1)</script>"]),
        ("\\*no\\* &lt; &amp;", ["*no* < &"]),
        ("[ref]\n\n[ref]: https://x.y/", ["ref"]),
        ("[note]: important", ["[note]: important"]),
        ("norm\n\n[//]: # (a remark)\n\n[comment]: <> (another)", ["norm"]),
    ],
)
def test_what_is_written_is_shown_so(text: str, lines: list[str]) -> None:
    assert shown(text) == lines


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("$a_i*b_j$ and $c_i*d_j$", "aᵢ*bⱼ and cᵢ*dⱼ"),
        (r"\(x_1*y_1\) و \(x_2*y_2\)", "\u200ex₁*y₁\u200e و \u200ex₂*y₂\u200e"),
        ("bare x_i * y_i and 2*m*n, a**2 of b**2", "bare x_i * y_i and 2*m*n, a**2 of b**2"),
        ("a == b and c==d==e", "a == b and c==d==e"),
        ("`$a$` costs $5", "$a$ costs $5"),
        ("**$x_1$**", "x₁"),
    ],
)
def test_formulas_and_bare_products_are_not_taken_for_marks(text: str, line: str) -> None:
    assert shown(text) == [line]


def test_the_cells_of_a_persian_table_in_html_stand_from_right_to_left() -> None:
    table = "<table><tr><th>نام</th><td>هسته</td></tr><tr><td>γ</td><td>۰٫۵</td></tr></table>"
    document = read(table, "fa")
    (block,) = document.blocks
    rows = [each.line.text.strip() for each in draw(block, 60, document.direction, True)]
    assert [row.split("│")[1:3] for row in rows] == [[" ﻪﺘﺴﻫ ", " ﻡﺎﻧ "], [" ۰٫۵ ", " γ "]]


def test_audio_and_links_in_html_are_named_in_persian() -> None:
    assert shown("![[گفتار.mp3]] <a href='ب.md'>اینجا</a>", "fa") == ["صدا: گفتار.mp3 اینجا (ب.md)"]


@pytest.mark.parametrize(
    "text", ["<a href='{}'>so</a>", "<img src='{}' alt='a'>", "[so]({})", "{}"]
)
def test_addresses_keep_signs_that_are_marks_elsewhere(text: str) -> None:
    address = "https://x.org/a_b~c_d"
    (block,) = read(text.format(address)).blocks
    assert {each.address for each in block.prose.pieces if each.address} == {address}


def test_an_image_is_named_in_the_language_of_its_text() -> None:
    assert shown("![نمودار](https://x.y/p.png)", "fa") == ["تصویر: نمودار"]


def test_a_formula_over_several_lines_is_no_list() -> None:
    assert shown("so\n$$\na\n- b\n+ c\n$$\nit is") == ["so", "a - b + c", "it is"]


def test_the_control_of_these_is_that_marks_around_words_are_taken() -> None:
    assert shown("*so* ==it== **is** ~~not~~ and **S**GD") == ["so it is not and SGD"]
    assert styles("*so* ==it== **is** ~~not~~ `code`") == {
        "so": {"italic"}, "it": {"mark"}, "is": {"bold"}, "not": {"strike"}, "code": {"code"}
    }  # fmt: skip
    assert styles("متن **پررنگ** و *کج*", "fa") == {"پررنگ": {"bold"}, "کج": {"italic"}}


def test_wrapped_prose_flows_and_lines_that_end_on_purpose_stay() -> None:
    wrapped = "This is a text that somebody has wrapped at about sixty-five columns,\nand it flows."
    assert len(read(wrapped).blocks[0].prose.text.split("\n")) == 1
    assert shown("Question?\nAnother question?") == ["Question?", "Another question?"]
    assert shown("def f(x):\n    return x") == ["def f(x):", "    return x"]


@pytest.mark.parametrize(("lang", "right"), [("fa", True), ("en", True)])
def test_each_block_runs_its_own_way(lang: str, right: bool) -> None:
    text = "متن فارسی\n\n- یکی\n- Adam\n\n```\ncode\n```\n\nEnglish"
    document = read(text, lang)
    sides = [next(draw(block, 40, document.direction, True)).line.rtl for block in document.blocks]
    assert sides == [right, right, right, False, False]


def test_code_within_persian_reads_from_left_to_right_as_one() -> None:
    (block,) = read("دستور `f(x);` را بنویسید", "fa").blocks
    (drawn,) = draw(block, 60, "rtl", True)
    assert "f(x);" in drawn.line.text


def test_the_marks_of_a_persian_list_stand_at_its_right() -> None:
    document = read("- یکی\n- Adam\n  1. دو", "fa")
    lines = [next(draw(b, 40, "rtl", True)).line.text for b in document.blocks]
    assert [line[-2:] for line in lines[:2]] == [" •", " •"]
    assert lines[1] == "Adam •"
    assert lines[2].endswith(" .1  ")


TABLE = "| نام | مقدار |\n|---|---|\n| نرخ | 0.5 |"


def test_a_table_stands_in_columns_from_the_right_where_it_is_persian() -> None:
    (block,) = read(TABLE, "fa").blocks
    lines = [each.line for each in draw(block, 60, "rtl", True)]
    assert all(line.rtl for line in lines)
    assert lines[2].text.index("۰٫۵") < lines[2].text.index("│")
    (block,) = read("| name | value |\n|---|---|\n| rate | 0.5 |", "en").blocks
    lines = [each.line for each in draw(block, 60, "auto", True)]
    assert lines[2].text.index("0.5") > lines[2].text.index("│")


@pytest.mark.parametrize("width", [14, 39, 41, 60, 200])
def test_a_table_loses_no_word_at_any_width(width: int) -> None:
    words = "a long cell with so many words that it has to be wrapped somewhere"
    text = f"| one | two |\n|---|:-:|\n| x \\| y | {words} |\n| `c` | [l](http://a.b/) |"
    lines = shown(text, width=width)
    together = " ".join(lines)
    for word in ["x | y", *words.split(), "c", "l"]:
        assert word in together, word
    assert ("│" in together) == (width >= 40)
    assert ("two: l" in together) == (width < 40)


def test_links_that_may_be_opened_have_their_address() -> None:
    pieces = [p for b in read("[a](https://x.y/_q_?b=1&amp;c) <mailto:a@b.c> http://z/*q*.").blocks
              for p in b.prose.pieces if p.address]  # fmt: skip
    assert [p.address for p in pieces] == [
        "https://x.y/_q_?b=1&c", "mailto:a@b.c", "http://z/*q"
    ]  # fmt: skip


@pytest.mark.parametrize("address", ["javascript:alert(1)", "file:///etc/passwd", "data:x", "../x"])
def test_no_other_address_is_opened(address: str) -> None:
    assert opened(address) == ""
    assert not any(p.address for b in read(f"[a]({address})").blocks for p in b.prose.pieces)


def test_an_address_is_opened_without_control_bytes() -> None:
    assert opened("http://a/\x1b]8;;\x07\u202e") == "http://a/%1B]8;;%07%E2%80%AE"


def test_words_take_the_place_of_signs_when_it_is_read_aloud() -> None:
    text = (
        "# Head\n\n- one\n  - [x] two\n\n> quoted ~~not~~\n\n```python\nx\n```\n\n"
        "| a | b |\n|---|---|\n| 1 | [l](http://x.y) |\n\n***"
    )
    assert said(text) == [
        "heading: Head",
        "item: one",
        "level 2, done: two",
        "quote: quoted (struck out: not)",
        "code in python:",
        "x",
        "end of code",
        "a: 1; b: l (http://x.y)",
        "break",
    ]


def test_signs_stand_for_styles_where_there_are_none() -> None:
    (block,) = read("a **b** `c` ~~d~~ [e](http://x.y)").blocks
    assert with_addresses(with_marks(block.prose)).text == "a **b** `c` ~~d~~ e (http://x.y)"


@pytest.mark.parametrize(
    "text", ["- " * 9000 + "a", ">" * 100_000, "[" * 100_000, "  - x\n" * 200_000, "a " * 60_000]
)
def test_what_would_take_too_long_is_shown_as_it_was_written(text: str) -> None:
    document = read(text)
    assert not document.read
    assert "".join(block.prose.text for block in document.blocks) == text
    assert read("- " * 9 + "a").read

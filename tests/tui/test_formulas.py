"""Formulas in the app: readable, with their marks, and copied as they are written."""

from __future__ import annotations

import json

import pytest
from textual.geometry import Offset
from textual.selection import Selection
from textual.widgets import Input

from kb.model.entry import Annotation, Entry, Snippet, Target, TextSpan
from kb.model.entry_json import ENTRY
from kb.present.annotated import AnnotatedSpan, Numbered
from kb.present.markdown.drawing import draw
from kb.present.markdown.reader import read
from kb.terminal.tex.formulas import whole
from tui.bidi import StyledSpan, TextRow, first_rows, rows_of, styled
from tui.widgets.bidi_text import BidiText
from tui.widgets.span_picker import SpanPicker
from tui.widgets.text_block import marks_of, passages

FORMULA = r"$$A \in R^{100 \times 5}، B \in R^{5 \times 200}، C \in R^{200 \times 20}$$"
SHOWN = "A ∈ R¹⁰⁰ˣ⁵، B ∈ R⁵ˣ²⁰⁰، C ∈ R²⁰⁰ˣ²⁰"
CHAIN = f"شما سه ماتریس دارید: {FORMULA} و شما باید محصول $$ABC$$ را محاسبه کنید."


def block(reader, words):
    return next(b for b in reader.main.query(BidiText) if words in b.text)


def shown(block):
    return [segment for y in range(block.content_size.height) for segment in block.render_line(y)]


@pytest.mark.long
async def test_a_persian_question_shows_its_formulas_in_list_and_entry(
    opened, bundled, monkeypatch
):
    monkeypatch.setenv("KB_LANG", "fa")
    async with opened("matrix-chain-three", of=bundled, size=(160, 200), whole=True) as reader:
        assert SHOWN in reader.text()
        assert "A₁A₂…Aₙ" in reader.text()
        assert "$$" not in reader.text() and "\\times" not in reader.text()


@pytest.mark.long
async def test_a_power_without_tex_is_raised_in_both_languages(opened, bundled, language):
    async with opened("matrix-chain-three", of=bundled, size=(160, 60), whole=True) as reader:
        assert "ℝ¹⁰⁰ˣ⁵" in reader.text() and "ℝ^(" not in reader.text()


def test_a_power_that_cannot_be_raised_stays_as_it_is_written():
    shown = "".join(row.line.text for row in rows_of("3^(N−1) = e^(xⱼ−m)", 80, formulas=True))
    assert shown == "3ᴺ⁻¹ = e^(xⱼ−m)"


@pytest.mark.long
async def test_a_terminal_that_turns_by_itself_gets_isolates_round_formulas(
    opened, bundled, monkeypatch
):
    monkeypatch.setenv("TERM_PROGRAM", "Apple_Terminal")
    monkeypatch.setenv("KB_LANG", "fa")
    async with opened("matrix-chain-three", of=bundled, size=(160, 200), whole=True) as reader:
        assert f"دارید: \u200e{SHOWN}\u200e" in reader.text()
        assert not {"\u2066", "\u2069"} & set(reader.text())  # some terminals give them a cell


@pytest.mark.long
@pytest.mark.parametrize(
    ("terminal", "colours", "grounds"),
    [("xterm-256color", "", True), ("xterm-16color", "", False), ("xterm-256color", "1", False)],
)
async def test_the_words_an_annotation_speaks_of_are_marked_on_a_formula(
    opened, bundled, monkeypatch, terminal, colours, grounds
):
    monkeypatch.setenv("TERM", terminal)
    monkeypatch.setenv("COLORTERM", "")
    monkeypatch.setenv("NO_COLOR", colours)
    async with opened("matrix-chain-three", of=bundled, size=(200, 60), whole=True) as reader:
        await reader.press("L")
        segments = shown(block(reader, FORMULA))
        formula = next(segment for segment in segments if "R¹⁰⁰ˣ⁵" in segment.text)
        signs = [segment for segment in segments if "⟨" in segment.text]
        (ground,) = {segment.style.bgcolor for segment in signs}
        # A line below would hide the dots of letters: it is drawn where no ground can be seen.
        underlined = bool(formula.style.underline)
        assert (formula.style.bgcolor != ground, underlined) == (grounds, not grounds)
        assert formula.text.strip() == SHOWN
        assert not any(segment.style.underline for segment in signs)


@pytest.mark.long
async def test_what_a_search_matched_is_marked_on_the_sign_that_is_shown_for_it(
    opened, bundled, monkeypatch
):
    monkeypatch.setenv("KB_LANG", "fa")
    async with opened(of=bundled, size=(200, 60)) as reader:
        await reader.type("epsilon")
        segments = shown(block(reader, r"$$\epsilon$$"))
        epsilon = next(segment for segment in segments if "ϵ" in segment.text)
        assert epsilon.text == "ϵ" and epsilon.style.bold


@pytest.mark.long
async def test_a_formula_is_copied_as_it_is_written_and_whole(opened, bundled):
    async with opened("matrix-chain-three", of=bundled, size=(200, 60), whole=True) as reader:
        await reader.press("L")
        question = block(reader, FORMULA)
        y, line = next(
            (y, row.line) for y, row in enumerate(question.rows(question.content_size.width))
            if "R¹⁰⁰ˣ⁵" in row.line.text
        )  # fmt: skip
        left = question.content_size.width - line.width
        x = left + line.text.index("¹⁰⁰")
        picked, _ = question.get_selection(Selection(Offset(x, y), Offset(x + 2, y)))
        assert picked.startswith(FORMULA[:4]) and picked.rstrip("⟨⟩0123456789") == FORMULA
        everything, _ = question.get_selection(Selection(None, None))
        assert everything == question.text


async def test_what_is_typed_is_shown_as_it_is(opened):
    async with opened(size=(80, 24)) as reader:
        await reader.press("slash")
        reader.main.query_one(Input).value = "شبکه $x^2$"
        await reader.settle()
        line = reader.lines()[0]
        assert "x^2" in line and line.count("$") == 2


DECK = r"""
## What is $x^2$?

It is \(x \cdot x\), in `'$x$'`, for $5.

```
cost = '$x$'

price = '$y$'
```

The end, $\frac{a}{b}$.
"""


@pytest.mark.long
async def test_formulas_of_a_deck_are_readable_and_its_code_is_left_alone(
    opened, library, tmp_path
):
    (tmp_path / "deck.md").write_text(DECK)
    library.import_file(tmp_path / "deck.md")
    (asked,) = library.search("x", limit=1).hits
    async with opened(asked.id, size=(120, 40)) as reader:
        await reader.press("space")
        text = reader.text()
        for words in ("What is x²?", "It is x · x, in '$x$', for $5.", "cost = '$x$'",
                      "price = '$y$'", "The end, a/b."):  # fmt: skip
            assert words in text, words


async def test_code_is_never_read_as_formulas(opened, library, tmp_path):
    code = "print('$x^2$')"
    snippet = Snippet("prints", {"en": "Prints"}, code, main=True)
    entry = Entry("prints", "note", "c", {"en": "What does $x^2$ print?"}, snippets=(snippet,))
    book = {"schema_version": 1, "collections": [{"id": "c", "title": {"en": "C"}}], "sources": []}
    book["entries"] = [ENTRY.write(entry)]
    (tmp_path / "book.json").write_text(json.dumps(book))
    library.import_file(tmp_path / "book.json")
    async with opened("prints", size=(120, 40), whole=True) as reader:
        assert "What does x² print?" in reader.text()
        assert code in reader.text()


@pytest.mark.long
async def test_words_within_a_formula_are_chosen_with_all_of_it(opened, bundled):
    async with opened("matrix-chain-three", of=bundled, size=(120, 60)) as reader:
        await reader.press("L", "a")
        picker = reader.app.screen.query_one(SpanPicker)
        while FORMULA not in picker.text:  # the question stands above the answers
            await reader.press("up")
        assert SHOWN in reader.text()
        text = picker.passage.document.source
        chosen = []
        for _ in range(6):
            chosen.append(text[picker.words.start : picker.words.end])
            await reader.press("left")
        assert chosen == ["شما", "سه", "ماتریس", "دارید", FORMULA, "و"]


@pytest.mark.long
async def test_words_selected_within_a_formula_are_all_of_it_without_its_sign(opened, bundled):
    async with opened("matrix-chain-three", of=bundled, size=(200, 60), whole=True) as reader:
        await reader.press("L")
        question = block(reader, FORMULA)
        start = question.text.index(r"\in R^{5 ")
        assert question.words(*whole(question.text, start, start + 3)) == TextSpan(
            "question", "fa", CHAIN.index(FORMULA), CHAIN.index(FORMULA) + len(FORMULA)
        )


def numbered(number):
    target = Target("question", "fa", "", 0, 0, "s.txt")
    return Numbered(number, Annotation("a", target, "wrong", "high", {}))


def test_the_sign_of_words_within_a_formula_stands_behind_the_formula():
    end = CHAIN.index(r"\in R^{5 ")
    spans = [AnnotatedSpan(numbered(1), end - 2, end), AnnotatedSpan(numbered(2), 0, 3)]
    ((passage, _ended),) = passages(read(CHAIN, "fa"), spans)
    (drawn,) = draw(passage.blocks[0], 200, "rtl", False)
    bare = drawn.line.text.replace("\u200e", "")
    assert "شما⟨2⟩ سه" in bare and f"{SHOWN}⟨1⟩" in bare
    content = styled(TextRow(0, drawn.line), marks_of(spans))
    assert "⟨" not in "".join(content.plain[s.start : s.end] for s in content.spans)


def test_code_with_blank_lines_stays_in_one_block():
    document = read("a\n\n```\n$x$\n\n$y$\n```\n\nb")
    assert [block.prose.text for block in document.blocks] == ["a", "$x$\n\n$y$", "b"]


def test_a_long_question_is_cut_within_no_formula():
    first, second = first_rows(CHAIN, 40, 2, "rtl", lang="fa")
    assert "$" not in first.line.text + second.line.text
    assert second.line.text.startswith("…")


@pytest.mark.parametrize("width", [12, 20, 36, 80, 200])
def test_a_mark_covers_all_that_is_shown_of_a_formula_and_nothing_else(width):
    start = CHAIN.index(FORMULA)
    mark = StyledSpan(start, start + len(FORMULA), "bold")
    marked = ""
    for row in rows_of(CHAIN, width, "rtl", formulas=True):
        content = styled(row, [mark])
        marked += "".join(content.plain[span.start : span.end] for span in content.spans)
    assert marked.replace(" ", "") == SHOWN.replace(" ", "")

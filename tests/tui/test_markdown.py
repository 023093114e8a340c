"""Markdown in the app: what is marked in it, what is chosen, which links open."""

from __future__ import annotations

import json

import pytest

from kb.model.entry import TextSpan
from tui.widgets.links import LinkLine
from tui.widgets.prose import ProseText
from tui.widgets.span_picker import SpanPicker
from tui.widgets.text_block import CodeBlock, CodeText, TextBlock

ENGLISH = """\
# A **head**

- an item with *leaning* words
- another

| name | value |
|------|-------|
| rate | **one** half |

See [the page](https://example.org/a_b), or [this](javascript:x) and `code`.

```python
def f(x): return x  # a comment that is far too long for the width of the pane that shows it, so
```"""
PERSIAN = """\
- نخست **یادگیری** است
- دوم

متن با [پیوند](https://example.org/fa) و $x_i*y_i$."""


@pytest.fixture
def deck(library, tmp_path):
    file = tmp_path / "deck.jsonl"
    rows = [
        {"id": "md", "lang": "en", "title": "What is **it**?", "text": ENGLISH},
        {"id": "md", "lang": "fa", "title": "این **چیست**؟", "text": PERSIAN},
    ]
    file.write_text("\n".join(map(json.dumps, rows)))
    library.import_file(file)
    return library


def shown(block):
    return [segment for y in range(block.size.height) for segment in block.render_line(y)]


async def test_what_is_written_in_markdown_is_laid_out(opened, deck):
    async with opened("deck/md", size=(80, 60)) as reader:
        text = reader.text()
        for words in (
            "What is it?",
            "A head",
            "• an item with leaning words",
            "rate │ one half",
            "See the page, or [this](javascript:x) and code.",
            "→ https://example.org/a_b",
        ):
            assert words in text, words
        assert "**" not in text and "```" not in text


@pytest.mark.long
@pytest.mark.parametrize(
    ("lang", "words", "seen"),
    [
        ("en", "leaning* words", "leaning words"),
        ("en", "one", "one"),
        ("en", "A **head", "A head"),
        ("en", "the page", "the page"),
        ("en", "f(x)", "f(x)"),
        ("fa", "یادگیری** است", "یادگیری است"),
        ("fa", "پیوند", "پیوند"),
        ("fa", "$x_i*y_i$", "xᵢ*yᵢ"),
    ],
)
async def test_the_words_of_an_annotation_are_marked_where_they_are_shown(
    opened, deck, lang, words, seen, monkeypatch
):
    monkeypatch.setenv("TERM_PROGRAM", "Apple_Terminal")  # in logical order
    written = ENGLISH if lang == "en" else PERSIAN
    start = written.index(words)
    span = TextSpan("source", lang, start, start + len(words))
    deck.own.annotate("deck/md", span, "so", verdict="wrong")
    async with opened("deck/md", size=(100, 60)) as reader:
        if lang == "fa":
            await reader.press("L")
        segments = [s for block in reader.main.query(TextBlock) for s in shown(block)]
        at = next(n for n, s in enumerate(segments) if s.text.startswith("⟨1⟩"))
        red = segments[at].style.color
        before = [s.text for s in segments[:at] if s.style.underline and s.style.color == red]
        assert "".join(before).replace("\u200e", "") == seen


async def test_what_a_search_matched_is_marked_in_a_cell_and_in_an_item(opened, deck):
    async with opened(size=(120, 60)) as reader:
        await reader.type("leaning half")
        marked = {
            s.text.strip()
            for block in reader.main.query(TextBlock)
            for s in shown(block)
            if s.style.bold and s.style.color
        }
        assert {"leaning", "half"} <= marked


async def test_words_are_chosen_out_of_an_item_by_their_place_in_the_source(opened, deck):
    async with opened("deck/md", size=(120, 60)) as reader:
        await reader.press("L", "a")
        picker = reader.app.screen.query_one(SpanPicker)
        await reader.press("down", "left", "shift+left")
        _role, lang, start, end = picker.words
        assert (lang, PERSIAN[start:end]) == ("fa", "یادگیری** است")
        assert "**" not in "".join(s.text for s in shown(picker))


async def test_words_selected_with_the_mouse_in_a_cell_are_those_of_the_source(opened, deck):
    async with opened("deck/md", size=(120, 60)) as reader:
        block = next(b for b in reader.main.query(TextBlock) if b.text.startswith("| name"))
        x = block.render_line(2).text.index("one")
        await reader.pilot.mouse_down(block, offset=(x, 2))
        await reader.pilot.hover(block, offset=(x + 7, 2))
        await reader.pilot.mouse_up(block, offset=(x + 7, 2))
        words = block.selected_words()
        assert ENGLISH[words.start : words.end] == "one** half"


@pytest.mark.long
async def test_a_link_opens_with_a_click_and_with_a_key(opened, deck, monkeypatch):
    async with opened("deck/md", size=(120, 60)) as reader:
        went = []
        monkeypatch.setattr(reader.app, "open_url", lambda url, **_: went.append(url))
        block = next(b for b in reader.main.query(ProseText) if b.text.startswith("See"))
        line = block.render_line(0).text
        await reader.pilot.click(block, offset=(line.index("the page") + 1, 0))
        assert went == ["https://example.org/a_b"]
        assert "https://example.org/a_b" in reader.notices()
        await reader.pilot.click(block, offset=(line.index("[this]") + 2, 0))
        await reader.pilot.click(block, offset=(line.index("or"), 0))
        assert len(went) == 1
        reader.main.query_one(LinkLine).focus()
        await reader.press("enter")
        assert went == ["https://example.org/a_b"] * 2


async def test_code_is_scrolled_where_it_is_wider_than_its_pane(opened, deck):
    async with opened("deck/md", size=(80, 40)) as reader:
        code = reader.main.query_one(CodeBlock)
        assert code.max_scroll_x > 0 and code.allow_focus()
        text = shown(code.query_one(CodeText))
        assert any(each.style.color != text[-1].style.color for each in text)
    async with opened("deck/md", size=(179, 60)) as reader:
        assert not reader.main.query_one(CodeBlock).allow_focus()


async def test_where_there_are_no_colours_code_has_its_marks(opened, deck, monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")
    async with opened("deck/md", size=(100, 60)) as reader:
        assert "and `code`." in reader.text()


async def test_a_text_too_long_to_be_read_is_shown_as_it_was_written(opened, library, tmp_path):
    file = tmp_path / "long.jsonl"
    row = {"id": "deep", "lang": "en", "title": "Deep?", "text": "> " * 60 + "**a**"}
    file.write_text(json.dumps(row))
    library.import_file(file)
    async with opened("long/deep", size=(160, 40)) as reader:
        assert "**a**" in reader.text()
        assert "shown as written" in reader.text()

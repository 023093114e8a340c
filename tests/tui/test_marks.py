"""Marks answer the mouse: words lead to their note and back, a figure to its program."""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import takewhile

import pytest
from textual import events

from kb.model.entry import TextSpan
from tests.tui.conftest import Reader
from tests.tui.sample import ANSWER, QUESTION_FA
from tui.widgets.figures import EvidenceTable
from tui.widgets.snippet_view import SnippetView
from tui.widgets.text_block import AnnotationHead, TextBlock

ENTRIES = [("en", "matrix-chain-three"), ("fa", "batch-norm-epsilon")]


def cells(block: TextBlock) -> Iterator[tuple[int, int]]:
    width, height = block.content_size
    return ((x, y) for y in range(height) for x in range(width))


def block_of(reader: Reader, text: str) -> TextBlock:
    return next(b for b in reader.main.query(TextBlock) if text in b.text)


def cell_of(block: TextBlock, words: str) -> tuple[int, int]:
    """Return a cell within the words, behind their first letter."""
    start = block._text.index(words)
    return next(at for at in cells(block) if block.place_at(*at) == start + 1)


def sign_of(block: TextBlock, annotation: str) -> tuple[int, int]:
    return next(
        at
        for at in cells(block)
        if block.place_at(*at) is None
        and (found := block.annotation_at(*at))
        and found.id == annotation
    )


def heads(reader: Reader) -> list[AnnotationHead]:
    return list(reader.main.query(AnnotationHead))


def current(reader: Reader) -> str:
    (head,) = [head for head in heads(reader) if head.has_class("-current")]
    return head.annotation.id


def lit(block: TextBlock) -> str:
    """Return what stands out of a block, as it is shown where there are sixteen colours."""
    segments = [s for y in range(block.content_size.height) for s in block.render_line(y)]
    return "".join(s.text for s in segments if s.style and s.style.reverse)


def in_sight(reader: Reader, head: AnnotationHead) -> bool:
    return head.region in reader.main.query_one("#entry").region


def on_screen(block: TextBlock, cell: tuple[int, int]) -> tuple[int, int]:
    return block.content_region.offset + cell


async def mouse(reader: Reader, kind: type[events.MouseEvent], block: TextBlock, at) -> None:
    x, y = on_screen(block, at)
    button = int(kind is not events.MouseMove)
    event = kind(None, x, y, 0, 0, button, False, False, False, screen_x=x, screen_y=y)
    await reader.app.on_event(event)
    await reader.pilot.pause()


@pytest.mark.long
@pytest.mark.parametrize(("lang", "entry"), ENTRIES)
async def test_marked_words_and_their_sign_lead_to_the_note_and_its_head_back(
    opened, bundled, monkeypatch, lang, entry
):
    monkeypatch.setenv("KB_LANG", lang)
    async with opened(entry, of=bundled, size=(100, 24), whole=True) as reader:
        block = next(b for b in reader.main.query(TextBlock) if b._spoken)
        (_, annotation), start, end = block._spoken[0]
        words = block._text[start:end]
        for find in (lambda: cell_of(block, words), lambda: sign_of(block, annotation.id)):
            reader.main.query_one("#entry").scroll_to_widget(block, animate=False)
            await reader.settle()
            await reader.pilot.click(offset=on_screen(block, find()))
            await reader.settle()
            head = next(head for head in heads(reader) if head.annotation == annotation)
            assert current(reader) == annotation.id and in_sight(reader, head)
            assert lit(block)
            reader.main.query_one("#entry").scroll_to_widget(head, animate=False, top=True)
            await reader.settle()
            await reader.pilot.click(head)
            await reader.settle()
            y = block.region.y + block.lines_showing(block.words_of(annotation.id))[-1]
            assert reader.main.query_one("#entry").region.contains(block.region.x, y)


@pytest.mark.long
@pytest.mark.parametrize("interface", ["en", "fa"])
async def test_the_step_to_a_note_lights_its_words_and_no_others(opened, interface, monkeypatch):
    monkeypatch.setenv("KB_LANG", interface)
    async with opened("chain", whole=True) as reader:
        block = block_of(reader, ANSWER)
        for words in ("1,000,000", "choose method 2", "1,000,000"):
            await reader.press("right_square_bracket")
            assert lit(block) == words
        await reader.press("left_square_bracket")
        assert lit(block) == "choose method 2"
        await reader.press(":answer", ":answer")
        assert lit(block_of(reader, ANSWER)) == "choose method 2"


@pytest.mark.long
@pytest.mark.parametrize(("lang", "entry"), ENTRIES)
async def test_the_next_note_is_counted_from_what_is_in_sight(
    opened, bundled, monkeypatch, lang, entry
):
    monkeypatch.setenv("KB_LANG", lang)
    async with opened(entry, of=bundled, size=(80, 24), whole=True) as reader:
        view, notes = reader.main.query_one("#entry"), [h.annotation.id for h in heads(reader)]
        await reader.press("right_square_bracket", "right_square_bracket", "right_square_bracket")
        assert current(reader) == notes[2]
        await reader.press("end", "left_square_bracket")
        assert current(reader) == notes[-1]
        await reader.press("home", "right_square_bracket")
        assert current(reader) == notes[0]
        last = heads(reader)[-1]
        await reader.press("home")
        view.scroll_to_widget(last, animate=False, top=True)
        await reader.settle()
        await reader.press("left_square_bracket")
        assert current(reader) == notes[-2]


@pytest.mark.long
@pytest.mark.parametrize(("lang", "entry"), ENTRIES)
async def test_a_note_that_is_gone_to_is_in_sight_with_some_of_its_text(
    opened, bundled, monkeypatch, lang, entry
):
    monkeypatch.setenv("KB_LANG", lang)
    async with opened(entry, of=bundled, size=(80, 24), whole=True) as reader:
        bottom = reader.main.query_one("#entry").region.bottom
        for _head in heads(reader):
            await reader.press("right_square_bracket")
            head = next(each for each in heads(reader) if each.annotation.id == current(reader))
            siblings = list(head.parent.children)
            below = takewhile(
                lambda each: each.has_class("annotation") and each not in heads(reader),
                siblings[siblings.index(head) + 1 :],
            )
            shown = min(2, sum(part.region.height for part in below))
            assert in_sight(reader, head) and head.region.bottom + shown <= bottom
            assert shown > 0


async def test_words_and_the_head_of_a_note_that_is_too_long_are_both_in_sight(opened, library):
    span = TextSpan("source", "en", 0, 8)
    library.own.annotate("chain", span, "\n\n".join(["more"] * 40), verdict="wrong")
    async with opened("chain", size=(80, 24), whole=True) as reader:
        await reader.press("enter", "right_square_bracket")
        head = next(head for head in heads(reader) if head.annotation.own)
        while current(reader) != head.annotation.id:
            await reader.press("right_square_bracket")
        block = block_of(reader, ANSWER)
        assert in_sight(reader, head)
        assert reader.main.query_one("#entry").region.y <= block.region.y < head.region.y


async def test_the_current_note_stays_in_sight_in_a_narrower_window(opened, library):
    words = TextSpan("source", "en", 0, 8)
    library.own.annotate("chain", words, "many words " * 60, verdict="wrong")
    async with opened("chain", size=(120, 24), whole=True) as reader:
        await reader.press("[", "[")
        (head,) = (each for each in heads(reader) if each.annotation.id == "chain-2")
        assert current(reader) == "chain-2" and in_sight(reader, head)
        await reader.pilot.resize_terminal(44, 18)
        await reader.settle()
        assert current(reader) == "chain-2" and in_sight(reader, head)


async def test_the_innermost_words_lead_to_their_note(opened, library):
    start = ANSWER.index("takes")
    outer = TextSpan("source", "en", start, start + 40)
    own = library.own.annotate("chain", outer, "all of it", verdict="wrong").id
    async with opened("chain", size=(120, 60), whole=True) as reader:
        block = block_of(reader, ANSWER)
        for words, annotation in (("1,000,000", "chain-1"), ("operations", own)):
            await reader.pilot.click(offset=on_screen(block, cell_of(block, words)))
            await reader.settle()
            assert current(reader) == annotation


async def test_words_under_the_mouse_tell_their_verdict_and_the_first_sentence(opened, library):
    span = TextSpan("source", "en", 0, 8)
    note = "It is **not** so, e.g. by far. And more.\x1b[31m"
    library.own.annotate("chain", span, note, verdict="misleading")
    async with opened("chain", size=(120, 60), whole=True) as reader:
        block = block_of(reader, ANSWER)
        await reader.pilot.hover(offset=on_screen(block, cell_of(block, "Method 1")))
        words = "≈ misleading It is not so, e.g. by far."
        assert " ".join(block.tooltip.plain.split()) == words
        await reader.pilot.hover(offset=on_screen(block, cell_of(block, "takes")))
        assert block.tooltip is None


@pytest.mark.long
async def test_what_is_told_in_persian_stands_at_the_right_and_is_bounded(
    opened, library, monkeypatch
):
    monkeypatch.setenv("KB_LANG", "fa")
    note = "این سخن درست نیست زیرا " + "بسیار " * 200
    span = TextSpan("question", "fa", 0, 7)
    library.own.annotate("chain", span, note, verdict="wrong")
    async with opened("chain", size=(120, 60), whole=True) as reader:
        block = block_of(reader, QUESTION_FA)
        await reader.pilot.hover(offset=on_screen(block, cell_of(block, QUESTION_FA[:7])))
        verdict, *said = block.tooltip.plain.split("\n")
        assert verdict.endswith("✗") and verdict.startswith(" ")
        assert len(said) < 8 and all(len(line) <= 36 for line in said)
        assert said[-1].strip().startswith("…")


@pytest.mark.long
@pytest.mark.parametrize("interface", ["en", "fa"])
async def test_a_figure_leads_to_its_program(opened, interface, monkeypatch):
    monkeypatch.setenv("KB_LANG", interface)
    async with opened("chain", size=(80, 24), whole=True) as reader:
        await reader.press("enter", "right_square_bracket")
        await reader.pilot.click(EvidenceTable, offset=(8, 2))
        await reader.settle()
        view = reader.main.query_one(SnippetView)
        assert reader.app.focused is view
        assert view.region in reader.main.query_one("#entry").region


async def test_words_that_are_selected_lead_nowhere(opened):
    async with opened("chain", size=(120, 60), whole=True) as reader:
        block = block_of(reader, ANSWER)
        x, y = cell_of(block, "1,000,000")
        await mouse(reader, events.MouseDown, block, (x, y))
        await mouse(reader, events.MouseMove, block, (x + 4, y))
        await mouse(reader, events.MouseUp, block, (x + 4, y))
        assert block.selected_words() is not None
        assert not any(head.has_class("-current") for head in heads(reader))
        await mouse(reader, events.MouseDown, block, (x, y))
        await mouse(reader, events.MouseUp, block, (x, y))
        assert current(reader) == "chain-1"


async def test_a_link_in_marked_words_is_opened(opened, library, tmp_path, monkeypatch):
    text = "See [the page](https://example.org/a) for more."
    file = tmp_path / "deck.jsonl"
    file.write_text(json.dumps({"id": "a", "lang": "en", "title": "What?", "text": text}))
    library.import_file(file)
    library.own.annotate("deck/a", TextSpan("source", "en", 0, len(text)), "no", verdict="wrong")
    async with opened("deck/a", size=(120, 60), whole=True) as reader:
        went = []
        monkeypatch.setattr(reader.app, "open_url", lambda url, **_: went.append(url))
        block = block_of(reader, "the page")
        await reader.pilot.click(offset=on_screen(block, cell_of(block, "the page")))
        assert went == ["https://example.org/a"] and not block._lit
        await reader.pilot.click(offset=on_screen(block, cell_of(block, "more")))
        await reader.until(lambda: lit(block))
        assert len(went) == 1

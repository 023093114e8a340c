"""In Persian every screen is the mirror of the English one: places, bars, texts, the focus."""

from __future__ import annotations

import pytest
from textual.geometry import Offset
from textual.scrollbar import ScrollBar
from textual.widgets import OptionList

from tui.panes.entry import EntryPane
from tui.screens.progress import FilledBar, ProgressScreen
from tui.widgets.bidi_text import BidiText
from tui.widgets.chip import Chip
from tui.widgets.links import Citation
from tui.widgets.snippet_view import CodeLines, LineNumbers, ProgramCode
from tui.widgets.text_block import AnnotationHead

FORMS = [
    *("n", "a", "x", "i", "f", "d", "question_mark"),
    *(":collections", ":tag", ":move", ":direction", ":history"),
]


def sides(reader):
    """Return the regions of list and entry, and of the bars that scroll them."""
    panes = [reader.main.query_one(name) for name in ("#list", "#entry")]
    return [pane.region for pane in panes], [pane.vertical_scrollbar.region for pane in panes]


@pytest.mark.long
async def test_list_entry_and_their_bars_change_sides_with_the_language(opened, bundled):
    async with opened("rnn-backprop-complexity", of=bundled, size=(120, 30)) as reader:
        (listed, read), bars = sides(reader)
        assert listed.right <= read.x
        assert [bar.right for bar in bars] == [listed.right, read.right]
        await reader.press(":interface")
        (listed, read), bars = sides(reader)
        assert read.right <= listed.x
        assert [bar.x for bar in bars] == [listed.x, read.x]
        await reader.press(":interface")
        (listed, read), bars = sides(reader)
        assert listed.right <= read.x and bars[1].right == read.right


async def test_a_bar_at_the_left_answers_the_mouse(opened, bundled, monkeypatch):
    monkeypatch.setenv("KB_LANG", "fa")
    async with opened("rnn-backprop-complexity", of=bundled, size=(120, 30), whole=True) as reader:
        entry = reader.main.query_one("#entry")
        bar = entry.vertical_scrollbar
        assert isinstance(reader.app.screen.get_widget_at(*bar.region.offset)[0], ScrollBar)
        await reader.pilot.click(offset=bar.region.bottom_left - Offset(0, 1))
        await reader.settle()
        went = entry.scroll_target_y
        assert went > 0
        grip = bar.region.offset + Offset(0, int(bar.position / bar.window_virtual_size * 28) + 1)
        await reader.pilot.mouse_down(offset=grip)
        await reader.pilot.hover(offset=grip + Offset(0, 8))
        await reader.pilot.mouse_up(offset=grip + Offset(0, 8))
        await reader.settle()
        assert entry.scroll_target_y > went


async def test_a_click_in_the_list_finds_the_row_it_points_at(opened, monkeypatch):
    monkeypatch.setenv("KB_LANG", "fa")
    async with opened(size=(80, 24)) as reader:
        entries = reader.main.query_one("#list")
        lines = entries._lines
        y = next(y for y in range(24) if lines.entry_at((lines.at(y) or [0])[0]) == "flash")
        await reader.pilot.click(offset=entries.region.top_right + Offset(-3, y))
        await reader.settle()
        assert reader.main.query_one("#entry").reading.entry.id == "flash"


@pytest.mark.long
@pytest.mark.parametrize("size", [(80, 24), (100, 30)], ids=str)
@pytest.mark.parametrize("key", FORMS)
async def test_every_text_of_the_interface_begins_at_the_right(opened, monkeypatch, key, size):
    monkeypatch.setenv("KB_LANG", "fa")
    async with opened("chain", size=size) as reader:
        await reader.press(key)
        said = [
            text
            for text in reader.app.screen.query(BidiText)
            if text._direction == "interface" and text.text and text.content_size.width
            if getattr(text, "keys", text.text)  # not beside an empty cell of keys
        ]
        assert said
        for text in said:
            assert text.render_line(0).text[-1].strip(), text.text
        form = next((each for each in reader.app.screen.query("#form")), None)
        for text in form.query(BidiText) if form else ():
            edge = form.content_region.right - text.region.right
            assert isinstance(text, Chip) or not text.region or edge <= 3, text.text
        for options in reader.app.screen.query(OptionList):
            shown = options.render_line(0).text
            assert not options.option_count or shown[-3:].strip(), shown


async def test_the_first_chip_is_the_rightmost_and_one_goes_on_to_the_left(
    opened, bundled, monkeypatch
):
    monkeypatch.setenv("KB_LANG", "fa")
    async with opened(of=bundled, size=(120, 40)) as reader:
        await reader.press("f")
        first = reader.main.focused
        for onwards, back in (("tab", "shift+tab"), ("left", "right")):
            await reader.press(onwards)
            assert isinstance(reader.main.focused, Chip)
            assert reader.main.focused.region.right <= first.region.x
            await reader.press(back)
            assert reader.main.focused is first


@pytest.mark.long
@pytest.mark.parametrize("end", [0, -1], ids=["left", "right"])
async def test_progress_fills_from_where_one_begins_to_read(opened, language, end):
    async with opened(size=(80, 24)) as reader:
        screen = ProgressScreen("…", "…")
        await reader.app.push_screen(screen)
        screen.show(1, 4)
        await reader.settle()
        bar = screen.query_one("#bar")
        strip = bar.render_line(0)
        filled = bar.get_component_rich_style("bar--bar").color
        begins = end == (-1 if language == "fa" else 0)
        assert (list(strip)[end].style.color == filled) == begins
        assert FilledBar is bar.bar_renderable


async def test_a_note_in_another_language_than_the_interface_says_so(opened, monkeypatch):
    monkeypatch.setenv("KB_LANG", "fa")
    async with opened("chain", size=(120, 60), whole=True) as reader:
        assert not any(head.text.endswith("EN") for head in reader.main.query(AnnotationHead))
        await reader.press("L")
        heads = list(reader.main.query(AnnotationHead))
        assert heads and all(head.text.endswith(" · EN") for head in heads)


async def test_the_level_is_said_in_the_language_of_the_interface(opened, monkeypatch):
    monkeypatch.setenv("KB_LANG", "fa")
    async with opened("chain", size=(120, 60)) as reader:
        title = reader.main.query_one(EntryPane).title
        assert "آسان" in title and "[E]" not in title


@pytest.mark.long
@pytest.mark.parametrize("size", [(80, 40), (120, 40)], ids=str)
async def test_a_citation_is_a_line_until_a_click_shows_it_whole(opened, bundled, language, size):
    async with opened("rnn-backprop-complexity", of=bundled, size=size, whole=True) as reader:
        await reader.press("enter")
        citations = [each for each in reader.main.query(Citation) if each.display]
        assert citations and {each.size.height for each in citations} == {1}
        cut = next(each for each in citations if "…" in each.render_line(0).text)
        cut.scroll_visible(animate=False, immediate=True)
        await reader.settle()
        await reader.pilot.click(cut, offset=(1, 0))
        await reader.settle()
        assert cut.size.height > 1
        await reader.pilot.click(cut, offset=(1, 0))
        await reader.settle()
        assert cut.size.height == 1


@pytest.mark.long
async def test_an_address_in_a_citation_is_opened_where_it_is_clicked(opened, bundled, monkeypatch):
    asked = []
    async with opened("radius-mask", of=bundled, size=(120, 50), whole=True) as reader:
        monkeypatch.setattr(reader.app, "open_url", asked.append)
        await reader.press("enter")
        cited = next(
            each for each in reader.main.query(Citation) if "https://" in each.text and each.display
        )
        cited.scroll_visible(animate=False, immediate=True)
        await reader.settle()
        await reader.pilot.click(cited, offset=(1, 0))
        await reader.settle()
        cited.scroll_visible(animate=False, immediate=True)
        await reader.settle()
        lines = [cited.render_line(y).text for y in range(cited.size.height)]
        x, y = next((line.index("http"), y) for y, line in enumerate(lines) if "http" in line)
        await reader.pilot.click(cited, offset=(x + 5, y))
        assert len(asked) == 1 and f"({asked[0]})" in cited.text


async def test_the_numbers_of_lines_stand_left_of_the_code_in_every_language(opened, language):
    async with opened("chain", size=(120, 60), whole=True) as reader:
        code = reader.main.query_one(ProgramCode)
        numbers, lines = code.query_one(LineNumbers).region, code.query_one(CodeLines).region
        assert numbers.right <= lines.x

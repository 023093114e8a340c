"""Writing prose over several lines in any direction: what is shown, where keys and mouse lead."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest
from hypothesis import given
from hypothesis import strategies as st
from textual.app import App
from textual.events import Key, Paste
from textual.pilot import Pilot
from textual.widgets.text_area import Selection

from kb.i18n import use_language
from kb.terminal.bidi.direction import base_direction
from kb.terminal.layout import lay_out
from tui import terminal
from tui.typed import typed_lines
from tui.widgets.text_area import BidiArea


class Page(App[None]):
    """One area of a given width."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self._width = width

    def compose(self):
        area = BidiArea()
        area.styles.width, area.styles.height = self._width, 6
        area.styles.padding = 0
        area.cursor_blink = False
        yield area


@asynccontextmanager
async def area(text: str, width: int = 20) -> AsyncIterator[tuple[Pilot[None], BidiArea]]:
    """Write a text in an area, with the cursor at its end."""
    async with Page(width).run_test(size=(60, 10)) as pilot:
        found = pilot.app.query_one(BidiArea)
        found.focus()
        await pilot.pause()
        found.insert(text)
        await pilot.pause()
        yield pilot, found


def shown(area: BidiArea) -> list[str]:
    """Return the lines as they are drawn."""
    lines = [area.render_line(y).text.rstrip() for y in range(area.size.height)]
    return lines[: area.wrapped_document.height]


def cursor(area: BidiArea) -> tuple[int, int]:
    """Return the cell and line where the terminal's cursor is put."""
    offset = area.cursor_screen_offset - area.content_region.offset
    return offset.x, offset.y


def drawn(area: BidiArea, component: str) -> list[tuple[int, int]]:
    """Return the cells and lines that have the ground of a component."""
    ground = area.get_component_rich_style(component).bgcolor
    found = []
    for y in range(area.size.height):
        x = 0
        for segment in area.render_line(y):
            if segment.style and segment.style.bgcolor == ground:
                found += [(cell, y) for cell in range(x, x + segment.cell_length)]
            x += segment.cell_length
    return found


async def test_persian_is_joined_and_keeps_to_the_right_edge_in_every_line():
    async with area("شبکه عصبی\nabc\nRNN است", 12) as (_, box):
        assert shown(box) == ["ﯽﺒﺼﻋ ﻪﮑﺒﺷ".rjust(12), "abc", "RNN ﺖﺳﺍ"]
        assert box.text == "شبکه عصبی\nabc\nRNN است"


async def test_a_paragraph_runs_as_its_first_letter_says_in_all_its_lines():
    async with area("شبکه RNN and more است", 12) as (_, box):
        assert [line.strip() for line in shown(box)] == ["RNN ﻪﮑﺒﺷ", "and more", "ﺖﺳﺍ"]
        assert all(len(line) == 12 for line in shown(box)[:1] + shown(box)[2:])


async def test_persian_that_begins_with_an_english_word_runs_as_persian_does():
    async with area("RNN شبکه", 12) as (_, box):
        assert shown(box) == ["RNN ﻪﮑﺒﺷ"]
        box.write_in("fa")
        assert shown(box) == ["ﻪﮑﺒﺷ RNN".rjust(12)]
    use_language("fa")
    async with area("RNN شبکه\nplain", 12) as (_, box):
        assert shown(box) == ["ﻪﮑﺒﺷ RNN".rjust(12), "plain"]


async def test_a_formula_keeps_its_order_also_where_its_line_is_broken():
    async with area("کران 1/p + 1/r است", 12) as (_, box):
        lines = [line.strip() for line in shown(box)]
        assert lines == ["1/p + ﻥﺍﺮﮐ", "ﺖﺳﺍ 1/r"]


async def test_the_cursor_stands_on_the_character_it_is_before():
    async with area("شبکه RNN", 20) as (pilot, box):
        assert (cursor(box), drawn(box, "text-area--cursor")) == ((11, 0), [(11, 0)])
        for place, cell in [(0, 19), (1, 18), (5, 12), (6, 13)]:
            box.move_cursor((0, place))
            await pilot.pause()
            assert cursor(box) == (cell, 0)
            assert drawn(box, "text-area--cursor") == [(cell, 0)]


async def test_arrows_go_where_they_point_and_on_into_the_next_line():
    async with area("شب\nab", 10) as (pilot, box):
        box.move_cursor((0, 0))
        await pilot.press("left", "left")
        assert box.cursor_location == (0, 2)
        await pilot.press("left")
        assert box.cursor_location == (1, 0)
        await pilot.press("left")
        assert box.cursor_location == (0, 2)
        await pilot.press("right", "right", "right")
        assert box.cursor_location == (0, 0)


async def test_arrows_reach_every_place_of_a_broken_paragraph_once():
    text = "شبکه RNN and more است که"
    async with area(text, 12) as (pilot, box):
        box.move_cursor((0, 0))
        seen = {0}
        for _ in range(80):
            await pilot.press("left")
            seen.add(box.cursor_location[1])
        assert seen == set(range(len(text) + 1))


async def test_up_and_down_keep_to_the_cell():
    async with area("شبکه عصبی\n\nشبکه RNN", 20) as (pilot, box):
        box.move_cursor((0, 2))
        at = cursor(box)[0]
        await pilot.press("down", "down")
        assert cursor(box) == (at, 2)
        await pilot.press("up", "up")
        assert box.cursor_location == (0, 2)
        await pilot.press("up")
        assert box.cursor_location == (0, 0)
        await pilot.press("down", "down", "down")
        assert box.cursor_location == (2, 8)


async def test_ctrl_and_an_arrow_go_to_the_next_word_there_also_out_of_a_latin_word():
    async with area("شبکه RNN می‌شود", 30) as (pilot, box):
        box.move_cursor((0, 6))
        before = cursor(box)[0]
        await pilot.press("ctrl+right")
        assert cursor(box)[0] > before
        assert box.cursor_location == (0, 0)
        await pilot.press("ctrl+left")
        assert box.cursor_location == (0, 5)
        await pilot.press("ctrl+left")
        assert box.cursor_location == (0, 9)


async def test_what_is_selected_is_drawn_where_it_stands_and_replaced_by_what_is_typed():
    async with area("شبکه RNN", 20) as (pilot, box):
        box.selection = Selection((0, 3), (0, 7))
        box.show_cursor = False
        await pilot.pause()
        assert drawn(box, "text-area--selection") == [(12, 0), (13, 0), (15, 0), (16, 0)]
        assert box.selected_text == "ه RN"
        box.show_cursor = True
        await pilot.press("x")
        assert box.text == "شبکxN"


async def test_shift_and_an_arrow_select_towards_where_it_points():
    async with area("شبکه", 10) as (pilot, box):
        box.move_cursor((0, 0))
        await pilot.press("shift+left", "shift+left")
        assert box.selected_text == "شب"
        await pilot.press("right")
        assert box.cursor_location == (0, 0)


async def test_a_click_puts_the_cursor_on_what_is_clicked():
    async with area("شبکه RNN\nab", 20) as (pilot, box):
        for cell, place in [(19, (0, 0)), (16, (0, 3)), (12, (0, 5)), (2, (0, 8))]:
            await pilot.click(box, offset=(cell, 0))
            assert box.cursor_location == place, cell
        await pilot.click(box, offset=(1, 1))
        assert box.cursor_location == (1, 1)


async def test_words_are_deleted_whole_with_their_half_space_and_come_back():
    async with area("من می‌خواهم", 20) as (pilot, box):
        await pilot.press("ctrl+w")
        assert box.text == "من "
        await pilot.press("ctrl+z")
        assert box.text == "من می‌خواهم"
        box.move_cursor((0, 2))
        await pilot.press("alt+delete")
        assert box.text == "من"


async def test_mixed_text_is_pasted_as_it_was_copied():
    async with area("", 30) as (pilot, box):
        pasted = "دقت (AB)C = 12\nthen 1/r و ۵٪\n\tx"
        pilot.app.post_message(Paste(pasted))
        await pilot.pause()
        assert box.text == pasted
        pilot.app.post_message(Key("zero_width_non_joiner", "\u200c"))
        await pilot.pause()
        assert box.text == pasted + "\u200c"
        assert shown(box)[0].strip() == "(AB)C = 12 ﺖﻗﺩ"


async def test_an_empty_area_begins_where_the_interface_does():
    async with area("", 10) as (_, box):
        assert cursor(box) == (0, 0)
    use_language("fa")
    async with area("", 10) as (_, box):
        assert cursor(box) == (9, 0)


async def test_where_the_terminal_turns_lines_they_are_left_as_they_were_typed():
    terminal.look_at({"TERM_PROGRAM": "Apple_Terminal"})
    async with area("شبکه", 10) as (_, box):
        assert shown(box) == ["شبکه"]


@pytest.mark.parametrize("text", ["plain English 12", "a\tb\n  c"])
async def test_text_with_nothing_to_turn_is_drawn_by_textual(text):
    async with area(text, 10) as (_, box):
        assert all(
            box.wrapped_document.line_at(y)[1] is None for y in range(box.wrapped_document.height)
        )


_WORD = st.sampled_from(["شبکه", "RNN", "1/p", "می‌شود", "(x)", "+", "۱۲", "و"])


@given(st.lists(_WORD, max_size=9), st.integers(6, 30))
def test_a_typed_paragraph_reads_as_the_same_text_does_when_it_is_read(words, width):
    text = " ".join(words)
    rtl = bool(base_direction(text))
    laid = [line.text for line in lay_out(text, width)]
    breaks, at = [], 0
    for line in list(lay_out(text, width, turned=False))[:-1]:
        at = max(line.places) + 2
        breaks.append(at)
    typed = [line.shown.strip() for line in typed_lines(text, tuple(breaks), rtl)]
    assert typed == [line.strip() for line in laid]
